"""Where a surface stands: in the text itself, on a word's edge, the longest first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_ner_llm._locating import located

LABELS = ("person", "organization", "location")


def places(text, *surfaces, label="person"):
    spans = located(text, [(label, surface) for surface in surfaces], LABELS)
    assert all(text[span.start : span.end] == span.surface for span in spans)
    return [(span.start, span.surface) for span in spans]


def test_every_place_is_found():
    assert places("Ann and Ann, Ann", "Ann") == [(0, "Ann"), (8, "Ann"), (13, "Ann")]


def test_what_stands_nowhere_was_invented():
    assert places("Ann met Bo", "Cy", "Ann Bo", "") == []


def test_a_word_is_not_found_within_another():
    assert places("Annex, Joann, Ann2, _Ann, Ann's", "Ann") == [(26, "Ann")]


def test_scripts_without_spaces_have_no_edges():
    assert places("山田太郎と山田", "山田") == [(0, "山田"), (5, "山田")]
    assert places("SONYは", "SONY") == [(0, "SONY")]
    assert places("SONYS", "SONY") == []


def test_lines_may_be_set_anew():
    assert places("Ann\n  Lee", "Ann Lee") == [(0, "Ann\n  Lee")]
    assert places("Ann Lee", " Ann\n Lee ") == [(0, "Ann Lee")]
    assert places("Ann" + " " * 9 + "Lee", "Ann Lee") == []


def test_the_longest_is_found_first_and_nothing_across_it():
    assert places("Ann Lee and Lee Roy", "Lee", "Ann Lee", "Lee and") == [(0, "Ann Lee"), (12, "Lee")]


def test_a_surface_under_two_labels_is_what_it_was_named_first():
    (span,) = located("Ann", [("location", "Ann"), ("person", "Ann")], LABELS)
    assert span.label == "location"


def test_labels_are_those_asked_for_however_they_are_written():
    assert [span.label for span in located("Ann", [("PERSON ", "Ann")], LABELS)] == ["person"]
    assert located("Ann", [("animal", "Ann")], LABELS) == []


def test_what_looks_like_a_pattern_is_text():
    assert places("a.c (x) a|c [1] abc", "a.c", "(x)", "[1]") == [(0, "a.c"), (4, "(x)"), (12, "[1]")]


def test_a_surface_beyond_reason_is_dropped():
    assert places("a" * 501, "a" * 501) == []


@pytest.mark.parametrize("surface", ["a", "a a", "b" * 400])
def test_two_hundred_thousand_characters_are_gone_through(surface):
    assert isinstance(places("a " * 100_000, surface), list)


def test_many_surfaces_of_a_long_text_are_found():
    names = [f"Name{number}" for number in range(1000)]
    assert len(places(" ".join(names), *names)) == 1000


def plainly(text, surface):
    """The same by a pattern: slow, and easy to believe."""
    letter = "[^\\W\u3005-\u30ff\u3400-\u9fff]"
    before = f"(?<!{letter})" if re.match(letter, surface) else ""
    after = f"(?!{letter})" if re.match(letter, surface[-1]) else ""
    words = map(re.escape, surface.split(" "))
    return [found.span() for found in re.finditer(before + r"\s{1,8}".join(words) + after, text)]


signs = st.text(st.sampled_from("ab_1(京 \n\t,"), max_size=40)


@given(signs, signs.map(lambda drawn: " ".join(drawn.split())).filter(bool))
def test_a_surface_is_found_where_the_pattern_finds_it(text, surface):
    spans = located(text, [("person", surface)], LABELS)
    assert [(span.start, span.end) for span in spans] == plainly(text, surface)


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("a " * 100_000, ["a " * length + "b" for length in range(1, 240)]),
        ("a" * 200_000, ["a" * length for length in range(1, 500)]),
        ("(a" * 100_000, ["(a" * length + "a" for length in range(1, 240)]),
    ],
    ids=["words", "a word", "signs"],
)
def test_surfaces_that_nearly_stand_everywhere_are_gone_through(text, surfaces):
    assert places(text, *surfaces) == []


pieces = st.lists(
    st.sampled_from(["Ann", "Lee", "A", " ", "\n", "東京", "京", "👩\u200d👧", ",", "é"]), max_size=20
)


@given(pieces.map("".join), st.lists(pieces.map("".join), max_size=6))
def test_spans_are_what_stands_there_in_order_and_never_overlap(text, surfaces):
    end = 0
    for span in located(text, [("person", surface) for surface in surfaces], LABELS):
        assert span.start >= end
        assert text[span.start : span.end] == span.surface == span.surface.strip()
        assert span.surface
        end = span.end
