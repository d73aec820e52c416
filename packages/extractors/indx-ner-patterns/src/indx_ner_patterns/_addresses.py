"""Where somebody or something is reached: the web, mail, machines, telephones, the post."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final

from indx_ner_patterns._pattern import ALONE, Pattern

__all__ = ["PLACES", "WEB"]

_MAX_URL: Final = 2048
_MAX_EMAIL: Final = 254
_SMALL: Final = 30
_NOT_TOP_LEVEL: Final = frozenset({"gif", "jpeg", "jpg", "png", "svg", "webp"})  # as in icon@2x.png
_STATES: Final = (
    "A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]"
    "|W[AIVY]"
)
_SIZES: Final = (("1", range(11, 12)), ("81", range(11, 14)))
_ANY_SIZE: Final = range(9, 14)
"""Digits of a telephone number with its country code."""
_PREFECTURE: Final = "(?:東京都|北海道|京都府|大阪府|[一-龥]{2,3}県)"


def _url(match: re.Match[str]) -> tuple[int, int] | None:
    """The match without the punctuation of the sentence around it."""
    text = match.group()
    if len(text) > _MAX_URL:
        return None
    end, unopened = len(text), text.count(")") - text.count("(")
    while text[end - 1] in ".,;:!?'*_~&(" or (text[end - 1] == ")" and unopened > 0):
        unopened -= (text[end - 1] == ")") - (text[end - 1] == "(")
        end -= 1
    scheme, _, rest = text[:end].rpartition("://")
    host = re.split("[/?#]", rest, maxsplit=1)[0]
    named = any(map(str.isalnum, host)) if scheme else "." in host[len("www.") :]
    return (match.start(), match.start() + end) if named else None


def _email(match: re.Match[str]) -> tuple[int, int] | None:
    local, domain = match["local"], match["domain"]
    labels = domain.split(".")
    top = labels[-1].lower()
    if len(local) > 64 or local.endswith(".") or ".." in local or len(local) + len(domain) >= _MAX_EMAIL:
        return None
    if any(len(label) > 63 or label[0] == "-" or label[-1] == "-" for label in labels):
        return None
    if not (top.startswith("xn--") or (top.isalpha() and len(top) > 1)) or top in _NOT_TOP_LEVEL:
        return None
    return match.span("address")


def _ipv4(match: re.Match[str]) -> tuple[int, int] | None:
    """All of it, unless it looks like the number of a section or a version: four small ones."""
    parts = [int(part) for part in match.group().split(".")]
    private = parts[0] == 10 and 0 in parts
    return match.span() if private or max(parts) > _SMALL else None


def _ipv6(match: re.Match[str]) -> tuple[int, int] | None:
    from ipaddress import IPv6Address

    text = match.group()
    text = text if text.endswith("::") else text.rstrip(":")
    if not 6 <= len(text) <= 39 or not any(map(str.isdecimal, text)):
        return None
    try:
        IPv6Address(text)
    except ValueError:
        return None
    return match.start(), match.start() + len(text)


def _international(match: re.Match[str]) -> tuple[int, int] | None:
    """As many groups of the match as make a number of its country."""
    text, start, end, digits = match.group(), match.start(), 0, ""
    for group in islice(re.finditer("[0-9]+", text), 9):
        digits += group.group()
        wanted = next((sizes for code, sizes in _SIZES if digits.startswith(code)), _ANY_SIZE)
        if len(digits) in wanted:
            end = group.end() + (text[group.end() : group.end() + 1] == ")")
    after = match.string[start + end : start + end + 1]
    return (start, start + end) if end and not (after.isascii() and after.isalpha()) else None


def _domestic(match: re.Match[str]) -> tuple[int, int] | None:
    """A number of ten digits, or of eleven where its prefix has them."""
    digits = re.sub("[^0-9]", "", match.group())
    eleven = re.match("0[5789]0|0800", digits) or " " in match.group()
    return match.span() if len(digits) == 10 or (len(digits) == 11 and eleven) else None


def _code(match: re.Match[str]) -> tuple[int, int]:
    return match.span("code")


_URL_CHARACTERS: Final = r"[!#-;=?-Z_a-z~]*+"
_OCTET: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_MAIL: Final = "0-9A-Za-z_.%+'-"
_DASH: Final = "[-ー]"
_PHONE_START: Final = (
    r"(?=[(0-9])(?<![0-9+])(?<![0-9][.,-])(?<![A-Za-z]-)(?:(?<![A-Za-z])|(?<=[Ee][Ll])|(?<=[Aa][Xx]))"
)
_PHONE_ENDS: Final = "(?![0-9A-Za-z]|[-.][0-9])"
_AREA: Final = "0[1-9][0-9]{0,3}+"

WEB: Final = (
    Pattern(
        "url",
        0.99,
        re.compile(
            rf"{ALONE}(?i:(?:https?|ftps?|sftp|ssh|git|wss?)://|www\.(?=[0-9a-z]))(?:\[[0-9A-Fa-f:.]{{2,45}}\])?{_URL_CHARACTERS}"
        ),
        _url,
        needs=":.",
        narrowed=False,
    ),
    Pattern(
        "email",
        0.99,
        re.compile(
            f"(?<![/{_MAIL}])[.%+'-]*+(?P<address>(?P<local>[0-9A-Za-z_][{_MAIL}]*+)"
            r"@(?P<domain>[0-9A-Za-z-]++(?:\.[0-9A-Za-z-]++)++))(?!:[0-9A-Za-z~/])"
        ),
        _email,
        needs="@",
    ),
)
PLACES: Final = (
    Pattern(
        "ip_address",
        0.8,
        re.compile(rf"(?=[0-9])(?<![0-9A-Za-z.-])(?:{_OCTET}\.){{3}}{_OCTET}(?![0-9A-Za-z-]|\.[0-9A-Za-z])"),
        _ipv4,
    ),
    Pattern(
        "ip_address",
        0.9,
        re.compile(r"(?<![0-9A-Za-z_:.-])[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]++(?![0-9A-Za-z_])"),
        _ipv6,
        needs=":",
    ),
    Pattern("postal_code", 0.99, re.compile(f"〒 ?[0-9]{{3}}{_DASH}?[0-9]{{4}}(?![0-9])"), needs="〒"),
    Pattern(
        "postal_code",
        0.95,
        re.compile(rf"{ALONE}(?<![0-9]-)[0-9]{{3}}{_DASH}[0-9]{{4}}(?=[ \n]{{0,2}}{_PREFECTURE})"),
        needs="都道府県",
    ),
    Pattern(
        "postal_code",
        0.85,
        re.compile(rf"(?<=, )(?:{_STATES}) (?P<code>[0-9]{{5}}(?:-[0-9]{{4}})?)(?![0-9A-Za-z]|-[0-9])"),
        _code,
    ),
    Pattern(
        "postal_code",
        0.7,
        re.compile(
            rf"(?=[A-Z]){ALONE}(?<!-)[A-Z][A-HK-Y]?[0-9][0-9A-Z]? [0-9][ABD-HJLNP-UW-Z]{{2}}(?![0-9A-Za-z-])"
        ),
    ),
    Pattern(
        "phone",
        0.95,
        re.compile(r"(?<![0-9A-Za-z+])\+[1-9][0-9]*+(?:[ .-]?(?:\([0-9]++\)|[0-9]++))*+"),
        _international,
        needs="+",
    ),
    Pattern(
        "phone",
        0.9,
        re.compile(
            rf"{_PHONE_START}(?:{_AREA}(?P<gap>[-ー])[0-9]{{1,4}}+(?P=gap)[0-9]{{3,4}}+"
            rf"|\({_AREA}\) ?[0-9]{{1,4}}+{_DASH}[0-9]{{4}}+"
            rf"|{_AREA}\([0-9]{{1,4}}+\)[0-9]{{4}}+"
            rf"|0[5789]0[0-9]{{8}}+){_PHONE_ENDS}"
        ),
        _domestic,
    ),
    Pattern(
        "phone",
        0.9,
        re.compile(
            rf"{_PHONE_START}(?:1[-. ])?(?:\([2-9][0-9]{{2}}\) ?|[2-9][0-9]{{2}}(?P<gap>[-.]))"
            rf"[2-9][0-9]{{2}}(?(gap)(?P=gap)|[-. ])[0-9]{{4}}{_PHONE_ENDS}"
        ),
    ),
    Pattern(
        "phone",
        0.6,
        re.compile(
            rf"{_PHONE_START}(?<![0-9] ){_AREA} [0-9]{{2,4}}+ [0-9]{{3,4}}+(?! [0-9]|,[0-9]){_PHONE_ENDS}"
        ),
        _domestic,
    ),
)
"""In the order in which they claim their place in a text."""
