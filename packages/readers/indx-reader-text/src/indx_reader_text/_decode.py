"""Bytes become text strictly: by a mark, as declared, or by the first encoding listed that decodes."""

from __future__ import annotations

import codecs
import re
from itertools import islice
from typing import Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import ConfigurationError, SourceError
from indx_reader_text._json import fault
from indx_reader_text._stated import stated_encoding
from indx_reader_text.settings import TEXT_ENCODING

__all__ = ["declared_encoding", "decode", "looks_binary", "wide_encoding"]

_WIDE: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BY_ZEROS: Final[dict[tuple[bool, ...], str]] = {
    (True, True, True, False): "utf-32-be",
    (False, True, True, True): "utf-32-le",
    (True, False, True, False): "utf-16-be",
    (False, True, False, True): "utf-16-le",
}
_BY_FIRST_ZERO: Final[dict[tuple[bool, ...], str]] = {(True, False): "utf-16-be", (False, True): "utf-16-le"}
_WIDE_XML: Final = (b"<\0?\0", b"\0<\0?")
_UNREMARKABLE: Final = ("utf-8", "ascii")
_XML_ENCODING: Final = re.compile(rb"""\s*<\?xml[^>]{1,200}?\sencoding\s*=\s*["']([A-Za-z][\w.:-]*)["']""")
_MULTIBYTE: Final = (
    "big5", "cp932", "cp949", "cp950", "euc", "gb", "hz", "iso2022", "johab", "shift", "utf-7",
)  # fmt: skip
"""How the names begin of encodings that tell by themselves whether bytes are text in them."""
_MEANT: Final = {
    "shift_jis": "cp932", "euc_kr": "cp949", "gb2312": "gb18030", "gbk": "gb18030",
    "iso8859-1": "cp1252", "iso8859-9": "cp1254",
}  # fmt: skip
"""What has more characters and goes by the name of another."""
_CURLY: Final = re.compile(rb"[\x80-\x9f]")  # quotes and dashes where they are meant; controls in Latin-1
_SAMPLE: Final = 1 << 16
_CONTROLS: Final = bytes(set(range(32)) - set(b"\b\t\n\f\r\x1b")) + b"\x7f"
_NO_CONTROLS: Final = bytes(set(range(256)) - set(_CONTROLS))


def decode(
    data: bytes, *, xml: bool = False, json: bool = False, charset: str | None = None
) -> tuple[str, dict[str, Any]]:
    r"""The text of `data`, lines ending in `\n`, and what is worth saying about it.

    Args:
        data: The whole file.
        xml: Whether an encoding declared in the first line counts.
        json: Whether zeros among the first bytes tell the encoding.
        charset: The encoding declared beside them, as by `Content-Type`; what is none is passed over.

    Raises:
        SourceError: `source_unreadable`, it is no text, or none in a listed encoding.
        ConfigurationError: `invalid_setting`, INDX_TEXT_ENCODING names an encoding that does not exist.
    """
    text, encoding = _decoded(data, xml=xml, json=json, charset=charset)
    text = text.removeprefix("\ufeff")
    if looks_binary(text[:_SAMPLE].encode("utf-8", "replace")):
        raise SourceError(
            f"not a text: decoded as {encoding} it is full of control characters; if it is text, name its "
            "encoding first in INDX_TEXT_ENCODING"
        )
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    facts: dict[str, Any] = {}
    if encoding not in _UNREMARKABLE:
        facts["encoding"] = encoding
    if encoding not in _UNREMARKABLE or "\0" in text:  # strict UTF-8 brings no surrogates
        cleaned = clean_text(text)
        if cleaned is not text:
            facts["replaced_characters"] = cleaned.count("\ufffd") - text.count("\ufffd")
            text = cleaned
    return text, facts


def looks_binary(sample: bytes) -> bool:
    """Whether control characters make up more than a twentieth of a sample; a few alone do not count."""
    count = len(sample.translate(None, _NO_CONTROLS))
    return count > 4 and count * 20 > len(sample)


def wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 where a byte-order mark says so."""
    return next((name for mark, name in _WIDE if data.startswith(mark)), None)


def _unmarked_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32 where zeros among the first bytes say so.

    Most JSON begins with two signs of ASCII; where a string alone does not, it has to be JSON if read so.
    """
    zeros = tuple(not byte for byte in data[:4])
    name = _BY_ZEROS.get(zeros)
    if name:
        return name if _decodes(data, name) else None
    name = _BY_FIRST_ZERO.get(zeros[:2])
    if name and _decodes(data, name) and (text := data.decode(name)).strip() and not fault(text):
        return name
    return None


def declared_encoding(data: bytes) -> str | None:
    """The encoding that an XML declaration names, if Python knows it."""
    found = _XML_ENCODING.match(data[:300])
    return _canonical(found[1].decode("ascii")) if found else None


def _stated(data: bytes) -> str | None:
    """The encoding that a text states of itself, if it may be; what is UTF-8 was converted since."""
    stated = stated_encoding(data)
    name = _canonical(stated) if stated and (b"\x1b" in data or not _is_utf8(data)) else None
    try:
        return name if name and b"coding".decode(name) == "coding" else None
    except UnicodeError:
        return None


def _decoded(data: bytes, *, xml: bool, json: bool, charset: str | None) -> tuple[str, str]:
    wide = wide_encoding(data)
    if wide:
        try:
            return data.decode(wide), wide
        except UnicodeError as error:
            raise SourceError(f"begins with the mark of {wide} and is not {wide}: {error}") from None
    unmarked = _unmarked_encoding(data) if json or (xml and data.startswith(_WIDE_XML)) else None
    if unmarked:
        return data.decode(unmarked), unmarked
    names = _listed()
    beside = _canonical(charset) if charset and not data.startswith(codecs.BOM_UTF8) else None
    inside = declared_encoding(data) if xml else _stated(data)
    declared = [meant for name in (beside, inside) if name for meant in _meant(name, data)]
    for name in (*declared, *names):
        if name not in names and name != "utf-8" and not name.startswith(_MULTIBYTE) and _is_utf8(data):
            continue  # any bytes fit such a declaration
        try:
            text = data.decode("utf-8-sig" if xml and name == "utf-8" else name)
        except UnicodeError:
            continue
        return text, "utf-8" if name == "utf-8-sig" else name
    if looks_binary(data[:_SAMPLE]):
        raise SourceError(
            "not a text: it is full of control characters, as files of other kinds are; if it is text, name "
            "its encoding in INDX_TEXT_ENCODING"
        )
    examples = " or ".join(f"{','.join((*names, name))}{whose}" for name, whose in _fitting(data, names))
    raise SourceError(
        f"not a text in any encoding of INDX_TEXT_ENCODING ({', '.join(names)}); add the file's own to it"
        + (f", for instance {examples}" if examples else "")
    )


def _meant(name: str, data: bytes) -> tuple[str, ...]:
    """What a declared encoding may be, in the order in which it is tried."""
    more = _MEANT.get(name)
    if more is None or (name.startswith("iso") and not _CURLY.search(data)):
        return (name,)
    return more, name


_HIGH: Final = re.compile(rb"[\x80-\xff]+")
_KANA: Final = re.compile(rb"\x82[\x9f-\xf1]|\x83[\x40-\x96]")
_MOST_RUNS: Final = 10_000
_WHOSE: Final = {"cp1252": " for Western text", "cp932": " for Japanese text"}
_OTHERS: Final = ("gb18030", "euc_kr", "utf-16", "big5")


def _fitting(data: bytes, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Encodings to suggest for `data` beside `names`, with whose they are: what it looks like, else both."""
    runs = [len(found[0]) for found in islice(_HIGH.finditer(data), _MOST_RUNS)]
    alone = 2 * sum(runs) < 3 * len(runs)  # as accents and quotes stand
    likely = "cp1252" if alone and not _KANA.search(data) else "cp932"
    fitting = [name for name in _WHOSE if name not in names]
    if likely in fitting and _decodes(data, likely):
        fitting = [likely]
    return [(name, _WHOSE[name]) for name in fitting] or [(n, "") for n in _OTHERS if n not in names][:1]


def _decodes(data: bytes, name: str) -> bool:
    try:
        return bool(data.decode(name))
    except UnicodeError:
        return False


def _is_utf8(data: bytes) -> bool:
    """Whether `data` is UTF-8 that says so: other text is not by chance, and wide text has zeros."""
    try:
        return b"\0" not in data and bool(data.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _listed() -> tuple[str, ...]:
    listed = []
    for name in TEXT_ENCODING.get():
        known = _canonical(name)
        if known is None:
            raise ConfigurationError(
                f"INDX_TEXT_ENCODING: {name!r} is no encoding that Python knows; use names like utf-8-sig or "
                "cp932",
                code="invalid_setting",
            )
        listed.append(known)
    return tuple(listed)


def _canonical(name: str) -> str | None:
    """The name Python has for an encoding of text, or None."""
    try:
        found = codecs.lookup(name if name[:2].lower() != "x-" else name[2:])
        bytes(4).decode(found.name)  # refuses codecs that are no text encodings, like hex
    except UnicodeError:
        return found.name
    except (LookupError, ValueError):
        return None
    return found.name
