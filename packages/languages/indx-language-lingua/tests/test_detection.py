"""What is detected: candidates, the floor, short texts, and long ones by a sample."""

from __future__ import annotations

import pytest

from indx_core.ports import Scored
from indx_language_lingua import _detection, detector
from indx_language_lingua._detection import MAX_CHARACTERS, _engine
from indx_language_lingua.settings import CANDIDATES, LOW_ACCURACY, MINIMUM_CONFIDENCE

ENGLISH = (
    "Records of every purchase are kept for ninety days and then removed from the archive of the company. "
)
GERMAN = (
    "Die Belege werden neunzig Tage lang aufbewahrt und danach aus dem Archiv der Firma wieder entfernt. "
)
JAPANESE = "購入の記録は九十日間保存され、その後は会社の書庫から削除されます。"


def languages(text: str) -> list[Scored] | None:
    (answer,) = detector().detect([text]).items  # type: ignore[union-attr]
    assert answer is None or isinstance(answer, list)
    return answer


@pytest.mark.parametrize(("text", "code"), [(ENGLISH, "en"), (GERMAN, "de"), (JAPANESE, "ja")])
def test_a_page_is_of_its_language(text: str, code: str) -> None:
    found = languages(text * 3)
    assert found is not None
    assert found[0].label == code
    assert found[0].confidence > 0.9


def test_unset_candidates_are_all_languages_and_the_floor_leaves_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(CANDIDATES.name)
    for text, code in (
        (ENGLISH * 2, "en"),
        ("Mae'r cofnodion yn cael eu cadw am naw deg diwrnod. " * 4, "cy"),
    ):
        found = languages(text)
        assert found is not None
        assert found[0].label == code
        assert len(found) <= 3


def test_only_candidates_are_considered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CANDIDATES.name, " JA ,en")
    assert [scored.label for scored in languages(GERMAN) or []] == ["en"]


def test_languages_below_the_floor_are_left_out_and_none_of_which_nothing_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "Alle Hotels in Berlin"
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, "0")
    everything = languages(text) or []
    assert [scored.label for scored in everything] == ["de", "en"]
    low = everything[-1].confidence
    assert low < 0.5
    assert sum(scored.confidence for scored in everything) == pytest.approx(1, abs=1e-6)
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, str(low))
    assert languages(text) == everything
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, str(low + 1e-6))
    assert languages(text) == everything[:1]


def test_low_accuracy_judges_a_short_text_otherwise_and_a_page_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    short, page = "Alle Hotels in Berlin", ENGLISH * 3
    before, before_page = languages(short), languages(page)
    monkeypatch.setenv(LOW_ACCURACY.name, "true")
    assert languages(short) != before
    assert languages(page) == before_page


@pytest.mark.parametrize("text", ["", " \n", "12 345,67 %", "☃ 🙂", "— … —"])
def test_a_text_without_letters_has_no_language(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, "0")
    assert languages(text) is None


def test_what_no_encoding_can_hold_does_not_stop_it() -> None:
    found = languages("\x00" + ENGLISH + "\ud800 " + ENGLISH)
    assert found is not None
    assert found[0].label == "en"


def test_the_sample_of_a_long_text_shows_more_than_its_head() -> None:
    notice = ENGLISH * (1 + MAX_CHARACTERS // len(ENGLISH))
    (best, *_) = languages(notice + JAPANESE * 3000) or [None]
    assert best is not None
    assert best.label == "ja"


def test_a_few_words_in_a_long_table_of_figures_are_enough() -> None:
    figures = "1,234.56\t\t78%\t\n" * 4000
    (best, *_) = languages(figures + GERMAN * 3 + figures * 9) or [None]
    assert best is not None
    assert best.label == "de"
    assert languages(figures) is None


def test_a_megabyte_without_a_space_is_answered() -> None:
    assert languages("ab" * 500_000) is not None


def test_an_engine_is_built_once_for_each_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CANDIDATES.name, "sw,zu")
    languages(ENGLISH)
    misses = _engine.cache_info().misses
    languages(ENGLISH)
    monkeypatch.setenv(CANDIDATES.name, "zu , SW")
    languages(ENGLISH)
    assert _engine.cache_info().misses == misses
    monkeypatch.setenv(LOW_ACCURACY.name, "true")
    languages(ENGLISH)
    assert _engine.cache_info().misses == misses + 1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The choices that engines are built for, in order; nothing is built yet."""
    built: list[tuple[str, ...]] = []
    build = _detection._built

    def noted(codes: tuple[str, ...], *, low_accuracy: bool) -> object:
        built.append(codes)
        return build(codes, low_accuracy=low_accuracy)

    monkeypatch.setattr(_detection, "_built", noted)
    _detection._engine.cache_clear()
    _detection._load.cache_clear()
    return built


def test_the_large_models_are_loaded_of_two_languages_a_call_and_once(
    asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CANDIDATES.name, "en,de,fr,ja,ru,nl,it")
    everything = ("de", "en", "fr", "it", "ja", "nl", "ru")
    languages("Alle Hotels in Berlin")
    languages("All the hotels in town")
    assert asked == [everything, ("de", "en"), ("fr", "it"), ("it", "nl")]


@pytest.mark.parametrize(
    "text",
    [ENGLISH * 3, "1,234 " * 1500 + ENGLISH * 3, JAPANESE, "記録はPDFで九十日間保存されます", "123 456", ""],
)
def test_a_text_that_does_not_need_the_large_models_loads_none(
    text: str, asked: list[tuple[str, ...]]
) -> None:
    languages(text)
    assert asked == [("de", "en", "ja", "ru", "zh")]


def test_a_single_candidate_in_latin_letters_needs_none(
    asked: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CANDIDATES.name, "en,ja")
    assert languages("Alle Hotels") is not None
    assert asked == [("en", "ja")]
