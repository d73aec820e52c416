"""Which sentences make a summary, and where it ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import ConfigurationError
from indx_core.ports import Enrichment, Unavailability
from indx_core.settings import Setting
from indx_enrich_extractive import document
from indx_enrich_extractive._summary import LOOKED_AT, summarise
from indx_enrich_extractive.settings import MAX_CHARACTERS, SENTENCES

CORE = "The harbour pilots guide large ships through the harbour channel."
AGAIN = "Harbour pilots guide large ships in the harbour channel daily."
ASIDE = "My uncle once bought a green umbrella in Vienna."
OTHER = "Channel depth limits which ships the harbour can accept."
TEXT = f"{ASIDE} {CORE} {AGAIN} {OTHER} Lunch was late on Tuesday, as usual."


def summary(text: str) -> str | None:
    (answer,) = document().enrich([text]).items
    assert answer is None or isinstance(answer, Enrichment)
    return None if answer is None else answer.summary


def test_the_sentences_with_most_of_the_vocabulary_are_chosen_in_the_order_of_the_text() -> None:
    assert summarise(TEXT, 2, 600) == f"{CORE} {OTHER}"


def test_a_sentence_that_repeats_a_chosen_one_is_passed_over() -> None:
    chosen = summarise(TEXT, 2, 600)
    assert chosen is not None
    assert AGAIN not in chosen


def test_japanese_sentences_are_chosen_and_joined_as_they_stand() -> None:
    core, other = "港湾の水先人は大型船舶を水路に導く。", "水路の水深が大型船舶の入港を制限する。"
    text = f"叔父は傘を買ったことがある。{core}昼食は火曜日も遅かった。{other}"
    assert summarise(text, 2, 600) == core + other


def test_a_text_of_fewer_sentences_is_its_own_summary() -> None:
    assert summarise(f"{CORE}\n\n{OTHER}", 3, 600) == f"{CORE} {OTHER}"


def test_a_form_of_short_fields_gives_its_leading_lines() -> None:
    assert (
        summarise("\n\nName: Ada\n  Date: 4 May \nRoom: 7\nSeat: 12", 3, 600)
        == "Name: Ada\nDate: 4 May\nRoom: 7"
    )


def test_a_page_of_code_gives_the_lines_around_it_or_its_own() -> None:
    assert summarise("# `tool run`\n\nRun it\n```\ntool run\n```\n", 3, 600) == "`tool run`\nRun it"
    assert summarise("```\ntool run\n```", 3, 600) == "```\ntool run\n```"


@pytest.mark.parametrize("text", ["", "  \n\t\u3000"])
def test_a_blank_text_has_no_summary(text: str) -> None:
    assert summary(text) is None


def test_it_coins_no_tags_topics_or_questions() -> None:
    assert document().enrich([TEXT]).items[0] == Enrichment(summary=summary(TEXT))


def test_a_long_summary_is_cut_at_white_space() -> None:
    whole = "A very long sentence about the harbour and its pilots and its ships ends here."
    for ceiling in range(2, len(whole)):
        cut = summarise(whole, 1, ceiling)
        assert cut
        assert len(cut) <= ceiling
        assert whole.startswith(cut)
        assert whole[len(cut)] == " "


def test_a_long_summary_without_white_space_is_cut_between_graphemes() -> None:
    assert summarise("家族" + "👩\u200d👧" * 20 + "が住んでいる。", 1, 6) == "家族👩\u200d👧"


def test_a_short_ceiling_still_gives_something() -> None:
    assert summarise(TEXT, 1, 1) == "T"


@given(st.text(max_size=400), st.integers(1, 4), st.integers(1, 100))
def test_a_summary_keeps_its_ceiling_and_is_never_blank(text: str, count: int, ceiling: int) -> None:
    found = summarise(text, count, ceiling)
    assert found is None or (found.strip() and len(found) <= ceiling)
    assert (found is None) <= (not text.strip())


def test_only_the_head_of_a_text_is_looked_at() -> None:
    assert summarise(f"{ASIDE} " + " " * LOOKED_AT + f"{CORE} {OTHER}", 3, 600) == ASIDE


def test_the_settings_are_read_at_each_call(monkeypatch: pytest.MonkeyPatch) -> None:
    default = document().declaration.settings_key
    monkeypatch.setenv(SENTENCES.name, "1")
    assert summary(TEXT) == CORE
    monkeypatch.setenv(MAX_CHARACTERS.name, "20")
    assert summary(TEXT) == "The harbour pilots"
    assert document().declaration.settings_key != default


@pytest.mark.parametrize("setting", [SENTENCES, MAX_CHARACTERS])
@pytest.mark.parametrize("value", ["0", "-1", "many"])
def test_a_wrong_setting_is_named(setting: Setting[int], value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(setting.name, value)
    with pytest.raises(ConfigurationError, match=setting.name):
        document().enrich([TEXT])
    state = document().availability()
    assert isinstance(state, Unavailability)
    assert setting.name in state.reason
    assert setting.name in state.fix
