"""vCard and iCalendar: a property a line, put back together where lines were folded, its signs unescaped."""

from __future__ import annotations

import quopri
import re
from typing import Final

from indx_core.canonical import clean_text
from indx_reader_text._marks import Marks

__all__ = ["read_cards", "unfolded"]

_FOLDED_BYTES: Final = re.compile(rb"\r?\n[ \t](?=[\x80-\xbf])")
_WIDE: Final = {b"\0B\0E": "utf-16-be", b"B\0E\0": "utf-16-le"}  # of BEGIN
_CHARSET_OF_LINE: Final = re.compile(
    rb"^[\w.-]{1,100}(?=;)[^:\r\n]*?;CHARSET=\"?([A-Za-z0-9_.:-]{1,40}?)\"?[;:][^\r\n]*+"
    rb"(?:\r?\n[ \t][^\r\n]*+)*+",
    re.IGNORECASE | re.MULTILINE,
)
_FOLD: Final = re.compile(r"\n[ \t]")
_PARAMETERS: Final = (
    r"(?:;(?:[^\":;\n]++|\"[^\"\n]*+\")*+)*+"  # nothing to go back to: it would be kept, all of it
)
_PARAMETER: Final = re.compile(r";((?:[^\":;\n]++|\"[^\"\n]*+\")++)")
_SOFT: Final = re.compile(rf"(?mi)^[\w.-]++(?=[^:\n]*QUOTED-PRINTABLE){_PARAMETERS}:(?:[^\n]*+(?<==)\n)++")
_PROPERTY: Final = re.compile(rf"(?P<name>[A-Za-z0-9.-]+)(?P<given>{_PARAMETERS}):(?P<value>.*)")
_QUOTED: Final = re.compile(r"QUOTED-PRINTABLE", re.IGNORECASE)
_CHARSET: Final = re.compile(r"CHARSET=\"?([A-Za-z0-9_.:-]+)", re.IGNORECASE)
_BINARY: Final = re.compile(r"ENCODING=\"?(?:b|base64)\b|VALUE=\"?BINARY|;BASE64\b", re.IGNORECASE)
_DATA: Final = re.compile(r"[A-Za-z0-9+/]{20,}={0,2}|[A-Za-z0-9+/]*={1,2}")
_ESCAPE: Final = re.compile(r"\\([nN,;\\:])")
_COMMON_NAME: Final = re.compile(r";CN=(?:\"([^\"\n]*)\"|([^\";:\n]*))", re.IGNORECASE)
_ZONE: Final = re.compile(r";TZID=(?:\"([^\"\n]*)\"|([^\";:\n]*))", re.IGNORECASE)
_STRUCTURED: Final = frozenset(("N", "ADR", "ORG", "GEO", "REQUEST-STATUS"))
_TYPED: Final = frozenset(("TEL", "EMAIL", "ADR", "LABEL", "URL", "IMPP", "X-SOCIALPROFILE", "RELATED"))
_UNTOLD: Final = frozenset(("pref", "internet", "quoted-printable", "8bit", "7bit"))
"""Types that nearly all have, and what stands alone and is no type."""
_LONGEST_GIVEN: Final = 1000
_ENTRIES: Final = frozenset(("VCARD", "VEVENT", "VTODO", "VJOURNAL"))


def unfolded(data: bytes) -> bytes:
    """`data` with those lines joined that were folded inside a character, as the standard allows.

    Lines that name a charset of their own, and are in it, become UTF-8; and so does UTF-16 without a mark.
    """
    if (wide := _WIDE.get(data[:4])) is not None:
        return data.decode(wide, "replace").encode("utf-8", "replace")
    data = _FOLDED_BYTES.sub(b"", data)
    return data if _is_utf8(data) else _CHARSET_OF_LINE.sub(_recoded, data)


def _recoded(line: re.Match[bytes]) -> bytes:
    if _is_utf8(line[0]):
        return line[0]
    try:
        data = line[0].decode(line[1].decode("ascii")).encode("utf-8")
    except (LookupError, ValueError):
        return line[0]
    return data if data[:1] == line[0][:1] else line[0]  # it may name one in which it is none


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def read_cards(source: str) -> Marks:
    """Read `source`: names and values stay; of parameters names of people, time zones, and what a number is.

    Pictures and bytes are left out.

    A blank line stands before each card, event and the like.
    """
    lines: list[str] = []
    left_out = 0
    in_data = False
    text = _FOLD.sub("", _soft(source))  # a space behind a soft break is no fold
    for line in _soft(text).split("\n"):
        found = _PROPERTY.fullmatch(line)
        if found is None:
            if line.strip() and not (in_data and _DATA.fullmatch(line.strip())):
                lines.append(line)
            continue
        in_data = _BINARY.search(found["given"]) is not None
        if in_data or found["value"].startswith("data:"):
            left_out += 1
            continue
        if lines and found["name"].upper() == "BEGIN" and found["value"].strip().upper() in _ENTRIES:
            lines.append("")
        lines.append(f"{found['name']}{_kind(found)}: {_value(found)}")
    return Marks(clean_text("\n".join(lines)), metadata={"binary_properties": left_out} if left_out else {})


def _soft(text: str) -> str:
    """`text` with the lines joined that were broken within what is quoted."""
    if not _QUOTED.search(text):
        return text
    return _SOFT.sub(lambda soft: soft[0].replace("=\n", ""), text)


def _kind(found: re.Match[str]) -> str:
    """Of several numbers or addresses which one it is, as ` (work, fax)`: its types, named or alone."""
    given = found["given"]
    if not 0 < len(given) <= _LONGEST_GIVEN or found["name"].rpartition(".")[2].upper() not in _TYPED:
        return ""
    kinds: dict[str, None] = {}
    for parameter in _PARAMETER.findall(given.lower()):
        name, named, value = parameter.partition("=")
        if not named or name == "type":
            kinds |= dict.fromkeys((value if named else name).strip('"').split(","))
    told = [kind for kind in map(str.strip, kinds) if kind and kind not in _UNTOLD]
    return f" ({', '.join(told)})" if told else ""


def _decoded(data: bytes, charset: str | None) -> str:
    """Text in a charset that may be wrong, or not be said: then UTF-8, or what Windows writes."""
    for name in (charset, "utf-8"):
        try:
            return data.decode(name or "utf-8")
        except (LookupError, ValueError):
            continue
    text = data.decode("utf-8", "replace")
    return (
        text
        if 4 * text.count("\ufffd") <= sum(byte > 127 for byte in data)
        else data.decode("cp1252", "replace")
    )


def _value(found: re.Match[str]) -> str:
    value = found["value"]
    if _QUOTED.search(found["given"]):
        named = _CHARSET.search(found["given"])
        data = quopri.decodestring(value.encode("utf-8"))
        value = " ".join(_decoded(data, named[1] if named else None).splitlines())
    if found["name"].rpartition(".")[2].upper() in _STRUCTURED:
        value = ", ".join(part for part in re.split(r"(?<!\\);", value) if part)
    value = _ESCAPE.sub(lambda sign: " " if sign[1] in "nN" else sign[1], value)
    person = _COMMON_NAME.search(found["given"])
    name = (person[1] or person[2] or "").strip() if person else ""
    if zone := _ZONE.search(found["given"]):
        value = f"{value} {(zone[1] or zone[2] or '').strip()}".rstrip()
    return f"{name}, {value}" if name and name != value else value
