"""Numbers that name one thing: invoices, tax registrations, bank accounts, cards; check digits decide."""

from __future__ import annotations

import re
from typing import Final

from indx_ner_patterns._pattern import ALONE, Pattern

__all__ = ["PATTERNS"]

_COUNTRIES: Final = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 "
    "EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 "
    "IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 "
    "NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 "
    "SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
)
_IBAN_LENGTH: Final = {entry[:2]: int(entry[2:]) for entry in _COUNTRIES.split()}
_IBAN_CHARACTERS: Final = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ISSUERS: Final = re.compile("4|5[1-5]|2[2-7]|6|35|3[47]")
_MAX_REFERENCE: Final = 40
_UNITS: Final = frozenset("年月日円%")


def _iban(match: re.Match[str]) -> tuple[int, int] | None:
    """As much from the match on as numbers of its country are long, if the check digits are right."""
    text, start = match.string, match.start()
    wanted = _IBAN_LENGTH.get(match.group()[:2], 0)
    end, code = start, ""
    while len(code) < wanted and end < len(text):
        character = text[end]
        if character in _IBAN_CHARACTERS:
            code += character
        elif character != " " or text[end - 1] == " ":
            return None
        end += 1
    after = text[end : end + 1]
    if not wanted or len(code) < wanted or (after.isascii() and after.isalnum()):
        return None
    number = "".join(str(int(one, 36)) for one in code[4:] + code[:4])
    return (start, end) if int(number) % 97 == 1 else None


def _card(match: re.Match[str]) -> tuple[int, int] | None:
    digits = re.sub("[ -]", "", match.group())
    if not _ISSUERS.match(digits):
        return None
    total = sum(int(digit) for digit in digits[-1::-2])
    total += sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return match.span() if total % 10 == 0 else None


def _reference(match: re.Match[str]) -> tuple[int, int] | None:
    """The reference after its title: bounded, with a digit, and no day, month or sum."""
    value = match["value"].rstrip("-_/")
    start = match.start("value")
    end = start + len(value)
    if len(value) > _MAX_REFERENCE or value.isalpha():
        return None
    return None if match.string[end : end + 1] in _UNITS else (start, end)


_REFERENCE: Final = "(?P<value>[0-9A-Za-z][0-9A-Za-z_/-]*+)"
_FOLLOWS: Final = r"[ .:#]{0,4}\n?[ ]{0,4}"

PATTERNS: Final = (
    Pattern(
        "tax_id",
        0.95,
        re.compile(f"(?=T){ALONE}T[0-9](?:-?[0-9]{{4}}){{3}}(?![0-9A-Za-z]|-[0-9])"),
        needs="T",
    ),
    Pattern(
        "invoice_number",
        0.95,
        re.compile(
            rf"(?:{ALONE}(?i:invoice|inv)[ .-]{{0,2}}(?i:number|num|no|nr|id|#|№)"
            rf"|請 ?求 ?書? ?(?:番号|№|(?i:no|id)|#))(?![A-Za-z]){_FOLLOWS}{_REFERENCE}"
        ),
        _reference,
    ),
    Pattern(
        "invoice_number",
        0.85,
        re.compile("(?<![0-9A-Za-z_/-])(?P<value>INV[-_/#]?[0-9][0-9A-Za-z_/-]*+)"),
        _reference,
    ),
    Pattern("iban", 0.99, re.compile(f"(?=[A-Z]){ALONE}[A-Z]{{2}}[0-9]{{2}}(?=[ 0-9A-Z])"), _iban),
    Pattern(
        "card_number",
        0.9,
        re.compile(
            f"(?=[2-6]){ALONE}(?<![0-9][-.,])(?:"
            "[2-6][0-9]{3}(?P<gap>[ -]?)[0-9]{4}(?P=gap)[0-9]{4}(?P=gap)[0-9]{4}"
            "|3[47][0-9]{2}(?P<space>[ -]?)[0-9]{6}(?P=space)[0-9]{5})(?![0-9A-Za-z]|[-.,][0-9])"
        ),
        _card,
    ),
)
"""In the order in which they claim their place in a text."""
