"""Money and percentages."""

from __future__ import annotations

import re
from typing import Final

from indx_ner_patterns._pattern import ALONE, NUMBER, NUMBER_START, Pattern, amounts

__all__ = ["PATTERNS"]

_GAP: Final = "[ \u00a0\u202f]?"
# Without PHP, TRY and ALL, which are more often something else.
_CODES: Final = (
    "(?:USD|EUR|GBP|JPY|CNY|RMB|CHF|AUD|CAD|NZD|HKD|SGD|KRW|TWD|INR|THB|IDR|MYR|VND|SEK|NOK|DKK|PLN|CZK|HUF|RUB"
    "|BRL|MXN|ZAR|AED|SAR|ILS)"
)
_SIGNS: Final = "$€£¥₩₹₽฿₫₺₴₱"
_SCALE: Final = f"(?:{_GAP}(?:thousand|million|billion|trillion|bn|[kKmMB]|千|百万|万|億|兆)(?![A-Za-z]))?"
_JAPANESE_UNIT: Final = "(?:円|銭|(?:米|豪|香港|台湾)?ドル|ユーロ|ポンド|人民元|ウォン)"
_NOT_SHAPES: Final = "(?![形周滑卓錐柱盤])"
_NUMERALS: Final = "〇一二三四五六七八九十百千万億兆壱弐参拾"

PATTERNS: Final = (
    Pattern(
        "money",
        0.95,
        re.compile(
            rf"(?:{ALONE}(?:US|CA|AU|NZ|HK|NT|[ACRS]) ?)?(?<![0-9])[{_SIGNS}]{_GAP}{NUMBER}{_SCALE}"
            r"(?![0-9A-Za-z^_{}\\$])"
        ),
        amounts,
        needs=_SIGNS,
    ),
    Pattern(
        "money",
        0.95,
        re.compile(f"(?=[A-Z]){ALONE}(?<![0-9] ){_CODES}{_GAP}{NUMBER}{_SCALE}(?![0-9A-Za-z])"),
        amounts,
    ),
    Pattern(
        "money",
        0.95,
        re.compile(
            f"{NUMBER_START}{NUMBER}{_SCALE}{_GAP}(?:(?:{_CODES}|(?:(?:US|Canadian|Australian|Singapore) )?"
            "(?i:dollars?|euros?|cents?|yen|yuan|pounds? sterling))(?![0-9A-Za-z])|[€₽₫])"
        ),
        amounts,
    ),
    Pattern(
        "money",
        0.95,
        re.compile(
            f"{NUMBER_START}{NUMBER}(?: ?(?:兆|億|千万|百万|十万|万|千|百)(?: ?{NUMBER})?){{0,4}}+ ?"
            f"{_JAPANESE_UNIT}{_NOT_SHAPES}"
        ),
        amounts,
        needs="円銭ルロド元ン",
    ),
    Pattern(
        "money",
        0.85,
        re.compile(f"(?<![0-9{_NUMERALS}])[一二三四五六七八九十壱弐参][{_NUMERALS}]{{1,15}}+円{_NOT_SHAPES}"),
        needs="円",
    ),
    Pattern(
        "percentage",
        0.98,
        re.compile(
            f"{NUMBER_START}{NUMBER}{_GAP}"
            "(?:[%‰](?![0-9A-Za-z])|パーセント|(?i:percent|per cent)(?![0-9A-Za-z]))"
        ),
        amounts,
    ),
)
"""In the order in which they claim their place in a text."""
