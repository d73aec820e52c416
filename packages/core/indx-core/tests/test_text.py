"""The search tokeniser and the grapheme cut."""

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.text import (
    _is_beyond,
    _words,
    counted,
    fold,
    fold_for_search,
    grapheme_floor,
    index_terms,
    query_terms,
)


def test_words_are_runs_of_letters_digits_and_underscores():
    assert query_terms("BENCH-100821; it's C++ 38.101 \"NEAR\" snake_case") == [
        "bench", "100821", "it", "s", "c", "38", "101", "near", "snake_case",
    ]  # fmt: skip


def test_scripts_without_spaces_become_overlapping_pairs():
    assert query_terms("設備投資") == ["設備", "備投", "投資"]
    assert query_terms("本") == ["本"]
    assert query_terms("API設計と実装") == ["api", "設計", "計と", "と実", "実装"]
    assert query_terms("한국어") == ["한국", "국어"]


def test_a_single_ideograph_finds_texts_that_hold_it():
    assert set(query_terms("設")) <= set(index_terms("設備投資"))


def test_compatibility_forms_and_accents_are_found_both_ways():
    assert query_terms("ＡＢＣ ｶﾞｲﾄﾞ") == query_terms("abc ガイド")
    assert query_terms("Café") == query_terms("CAFE")
    assert query_terms("Straße") == query_terms("STRASSE")
    assert query_terms("Łódź Ærø") == query_terms("lodz aero")


@pytest.mark.parametrize("sign", ["\u00ad", "\u200b", "\u2060", "\ufeff"])
def test_words_are_found_across_signs_for_breaks_of_lines(sign):
    assert index_terms(f"in{sign}for{sign}ma{sign}tion") == ["information"]
    assert index_terms(f"Stra{sign}ße, 設{sign}備") == index_terms("Straße, 設備")
    assert query_terms(f"{sign}, {sign}") == []


def test_kana_keep_their_voicing_marks():
    assert fold_for_search("がか") == "がか"
    assert query_terms("か\u3099") == query_terms("が")


def test_combining_marks_stay_inside_their_word():
    assert query_terms("हिन्दी भाषा") == ["हिन्दी", "भाषा"]


def test_punctuation_alone_is_no_term():
    assert query_terms("… — ・ !? ()") == []


@given(st.text())
@settings(derandomize=True, deadline=None)
def test_every_query_term_of_a_text_is_among_the_terms_it_is_found_by(text):
    assert set(query_terms(text)) <= set(index_terms(text))


@given(st.text(alphabet=st.sampled_from("abか\u3099👨\u200d👩é\u0301\n한🇯🇵 ")), st.integers(0, 40))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_a_cut_falls_on_a_grapheme_boundary_at_or_before_the_place_asked(text, position):
    cut = grapheme_floor(text, position)
    boundaries = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert cut <= position or position > len(text)
    assert cut in boundaries
    assert cut == max(b for b in boundaries if b <= position)


def test_fold_makes_case_and_compatibility_one():
    assert fold("ﬁ Ａ") == "fi a"


def test_no_cut_falls_inside_the_first_grapheme():
    assert [grapheme_floor("👨\u200d👩 x", position) for position in range(5)] == [0, 0, 0, 3, 4]


def test_a_rare_mark_in_a_text_changes_nothing_about_the_other_words():
    plain, rare = "cafe\u0301 x\ufe0f \u05d0\u05b8\u05de \u0e44\u0e17\u0e22 東京", "x\U0001e8d0y"
    assert index_terms(f"{plain} {rare}") == [*index_terms(plain), rare]
    assert index_terms(rare) == [rare]


@pytest.mark.parametrize("before", ["", "x", "🇯", "x🇯🇵🇯"])
def test_a_long_row_of_flags_is_cut_between_pairs(before):
    text = before + "🇯🇵" * 300
    boundaries = {0, *(match.end() for match in regex.finditer(r"\X", text))}
    assert all(grapheme_floor(text, place) in boundaries for place in range(len(text)))


@given(st.text(alphabet=st.characters(max_codepoint=0x2FFF)))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_words_come_out_alike_by_the_short_way_and_the_long_way(text):
    folded = fold_for_search(text)
    long_way = [word for _, word in _words(far=True).findall(folded)]
    if not any(map(_is_beyond, folded)):
        assert index_terms(text) == long_way


def test_one_of_a_kind_is_told_in_the_singular():
    assert [counted(n, "page") for n in (0, 1, 2)] == ["0 pages", "1 page", "2 pages"]
    assert [counted(n, "entry", "entries") for n in (1, 2)] == ["1 entry", "2 entries"]


def test_print_is_cut_anywhere_without_the_rules_of_clusters_being_asked(monkeypatch):
    monkeypatch.setattr("indx_core.text._graphemes", None)
    text = "“Größe” — Ærøskøbing… かなカナ漢字 ©®"
    assert [grapheme_floor(text, place) for place in range(len(text))] == list(range(len(text)))


def test_what_is_cut_without_asking_is_a_boundary():
    ranges = [(0, 0x300), (0x2010, 0x2028), (0x3041, 0x3097), (0x30A1, 0x30FB), (0x4E00, 0xA000)]
    plain = [chr(code) for first, end in ranges for code in range(first, end, 1 if end - first < 999 else 61)]
    for one in "a\r\nß’ー”あン漢©":
        for other in plain:
            for pair in (one + other, other + one):
                assert grapheme_floor(pair, 1) == (0 if len(regex.findall(r"\X", pair)) == 1 else 1), pair
