"""Which words are entities, and how neighbours join."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.ports import LaneError
from indx_ner_vibrato import _entities
from indx_ner_vibrato.provider import pages

pytestmark = pytest.mark.usefixtures("dictionary")


def named(text):
    (item,) = pages().extract([text]).items
    assert not isinstance(item, LaneError), item
    assert all(text[span.start : span.end] == span.surface for span in item or ())
    return [(span.label, span.surface) for span in item or ()]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("山田は", [("person", "山田")]),
        ("山田太郎は", [("person", "山田太郎")]),
        ("山田 太郎", [("person", "山田 太郎")]),
        ("山田　太郎", [("person", "山田　太郎")]),
        ("山田\n太郎", [("person", "山田"), ("person", "太郎")]),
        ("山田鈴木", [("person", "山田"), ("person", "鈴木")]),
        ("太郎 山田", [("person", "太郎"), ("person", "山田")]),
        ("バラク・オバマは", [("person", "バラク・オバマ")]),
        ("山田氏", [("person", "山田")]),
        ("東京都千代田区の", [("location", "東京都千代田区")]),
        ("日本と東京", [("location", "日本"), ("location", "東京")]),
        ("都と区", []),
        ("雪国は", [("miscellaneous", "雪国")]),
        ("ソニーは", [("organization", "ソニー")]),
        ("Sony and Acme", []),  # the analyser guesses that unknown Latin words are companies
    ],
)
def test_neighbours_join_by_what_they_are(text, found):
    assert named(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("山田電器株式会社の", ["山田電器株式会社"]),
        ("部品株式会社は", ["部品株式会社"]),
        ("株式会社山田は", ["株式会社山田"]),
        ("合同会社Acmeの", ["合同会社Acme"]),
        ("株式会社設立", []),
        ("株式会社は", []),
        ("東京の山田部品株式会社と株式会社ソニー", ["山田部品株式会社", "株式会社ソニー"]),
    ],
)
def test_a_legal_form_makes_a_company_of_the_nouns_beside_it(text, found):
    assert [surface for label, surface in named(text) if label == "organization"] == found


def test_a_company_is_surer_where_a_name_is_in_it():
    named_one, plain = pages().extract(["山田株式会社", "部品株式会社"]).items
    assert named_one[0].confidence > plain[0].confidence


def test_offsets_count_characters_of_the_text():
    text = "𠮷👩\u200d👧\r\n\r\n は東京"
    (span,) = pages().extract([text]).items[0]
    assert (span.start, span.end) == (len(text) - 2, len(text))


def test_what_no_encoding_holds_keeps_its_place():
    (span,) = pages().extract(["\ud800\x00東京"]).items[0]
    assert (span.start, span.end, span.surface) == (2, 4, "東京")


@pytest.mark.parametrize("piece", ["東京", "x", " ", "山田は", "👩\u200d👧", "東京\n"])
def test_two_hundred_thousand_characters_are_gone_through(piece):
    text = (piece * (200_000 // len(piece)))[:200_000]
    spans = pages().extract([text]).items[0] or []
    assert all(text[span.start : span.end] == span.surface for span in spans)
    expected = "".join(span.surface for span in spans)
    assert len(expected) == 2 * (text.count("東京") + text.count("山田"))


def test_an_analysis_that_fails_fails_its_text_alone(monkeypatch):
    words = _entities._words

    class Panic(BaseException):
        """As the engine raises: of no usual class."""

    def fragile(text, *rest):
        if "雪国" in text:
            raise Panic("index out of range")
        return words(text, *rest)

    monkeypatch.setattr(_entities, "_words", fragile)
    first, second, third = pages().extract(["東京", "雪国", "日本"]).items
    assert [first[0].surface, third[0].surface] == ["東京", "日本"]
    assert isinstance(second, LaneError)
    assert "index out of range" in second.message


PIECES = [
    *(
        "山田",
        "太郎",
        "バラク",
        "オバマ",
        "東京",
        "都",
        "区",
        "氏",
        "ソニー",
        "部品",
        "株式会社",
        "合同",
        "会社",
        "・",
        "は",
    ),
    " ",
    "\u3000",
    "\n",
    "Acme",
    "漢字",
    "e\u0301",
    "👩\u200d👧",
]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_spans_never_overlap_and_are_what_stands_there(text):
    end = 0
    for span in pages().extract([text]).items[0] or ():
        assert span.start >= end
        assert text[span.start : span.end] == span.surface == span.surface.strip()
        assert "\n" not in span.surface
        end = span.end
