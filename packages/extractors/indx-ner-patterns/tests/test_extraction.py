"""Rules of all spans: exact offsets, no overlaps, and time in proportion to the text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import EntitySpan
from indx_ner_patterns import page
from indx_ner_patterns._extraction import PATTERNS, extract, shipped
from indx_ner_patterns._gazetteer import Gazetteer

PIECES = [
    *"0123456789 .,:-/@+()%年月日時分円〒$€TGB東京ＡＢ１２\n",
    "👩\u200d👧",
    "e\u0301",
    "2024",
    "12",
    "https://",
    "example.com",
    "www.",
    "a@",
    "invoice no ",
    "請求番号",
    "令和",
    "午後",
    "January ",
    "4111 1111 1111 1111",
    "GB82 WEST 1234 5698 7654 32",
    "USD",
    "+81",
    "03-1234-5678",
    "T1234567890123",
    "10.0.0.1",
    "2001:db8::",
]
GAZETTEER = Gazetteer(
    [
        ("place", "東京"),
        ("place", "東"),
        ("city", "東京"),
        ("date", "2024"),
        ("date", "年"),
        ("money", "12"),
        ("x", "A"),
    ]
)
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def overlapping(spans: Iterable[EntitySpan]) -> list[tuple[EntitySpan, EntitySpan]]:
    ordered = sorted(spans, key=lambda span: span.start)
    return [(one, other) for one, other in pairwise(ordered) if one.end > other.start]


@given(texts)
def test_no_two_shipped_spans_overlap_and_each_is_what_stands_there(text: str) -> None:
    spans = shipped(text)
    assert not overlapping(spans)
    for span in spans:
        assert span.surface == text[span.start : span.end]
        assert span.surface == span.surface.strip()


@given(texts)
def test_spans_of_one_label_never_overlap_and_come_in_order(text: str) -> None:
    spans = extract(text, GAZETTEER)
    assert spans == sorted(spans, key=lambda span: (span.start, span.end, span.label))
    by_label = defaultdict(list)
    for span in spans:
        assert span.surface == text[span.start : span.end]
        by_label[span.label].append(span)
    for group in by_label.values():
        assert not overlapping(group)


@given(texts)
def test_full_width_forms_are_found_where_plain_ones_are(text: str) -> None:
    plain = re.sub("https?://|www|[Ａ-Ｚ１２]", "", text)
    wide = plain.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})
    places = [(span.label, span.start, span.end) for span in shipped(plain)]
    assert [(span.label, span.start, span.end) for span in shipped(wide)] == places


def test_a_pattern_beside_a_name_of_the_same_label_gives_way() -> None:
    names = Gazetteer([("date", "March 2024 (tbc)"), ("month", "April")])
    spans = extract("3 March 2024 (tbc), 4 April 2024", names)
    assert [(span.label, span.surface) for span in spans] == [
        ("date", "March 2024 (tbc)"),
        ("date", "4 April 2024"),
        ("month", "April"),
    ]


def test_a_text_without_entities_has_no_opinion() -> None:
    assert list(page().extract(["", "Nothing here.", "on 2024-01-05"]).items)[:2] == [None, None]


def repetitions(tree: Any) -> Iterable[tuple[Any, int]]:
    """Every repetition of a parsed expression: its kind and its most."""
    for operation, argument in tree:
        if operation in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            yield operation, argument[1]
        for part in argument if isinstance(argument, tuple | list) else (argument,):
            for one in part if isinstance(part, list) else (part,):
                if isinstance(one, parser.SubPattern):
                    yield from repetitions(one)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.label)
def test_every_repetition_is_bounded_or_gives_nothing_back(pattern: Any) -> None:
    for operation, most in repetitions(parser.parse(pattern.expression.pattern)):
        assert operation is codes.POSSESSIVE_REPEAT or most <= 100


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "1," * 500_000,
        "a@a." * 250_000,
        "http://a" + ")" * 1_000_000,
        "1万" * 500_000,
        "(0" * 500_000,
        "+1 " * 333_333,
        "invoice no " + "1-" * 500_000,
        "GB82" + " " * 1_000_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_hostile_megabyte_is_gone_through_once(text: str) -> None:
    assert extract(text) == []


def test_a_megabyte_of_entities_is_found_whole() -> None:
    line = "10:00 ann@example.org\n"
    assert len(extract(line * 20_000)) == 40_000
