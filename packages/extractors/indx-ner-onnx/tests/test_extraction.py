"""What is found, where, and how sure; and what the model is shown."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.ports import EntitySpan
from indx_model_onnx import OnnxModel
from indx_ner_onnx.provider import pages
from indx_ner_onnx.settings import MAX_TOKENS, MINIMUM_CONFIDENCE, WINDOW_CHARACTERS

pytestmark = pytest.mark.usefixtures("model")


def found(text: str) -> list[EntitySpan]:
    (item,) = pages().extract([text]).items
    assert item is None or isinstance(item, list)
    return item or []


def named(text: str) -> list[tuple[str, str]]:
    spans = found(text)
    assert all(text[span.start : span.end] == span.surface for span in spans)
    return [(span.label, span.surface) for span in spans]


@pytest.fixture
def shown(monkeypatch):
    """The tokens of every window that the model was shown."""
    windows = []
    run = OnnxModel.token_logits

    def spy(self, encoding):
        windows.append(encoding.tokens)
        return run(self, encoding)

    monkeypatch.setattr(OnnxModel, "token_logits", spy)
    return windows


def test_tokens_of_one_entity_are_one_span():
    text = "Ada Lovelace met Acme Corp in Oslo."
    assert named(text) == [("person", "Ada Lovelace"), ("organization", "Acme Corp"), ("location", "Oslo")]


def test_a_word_is_an_entity_whole_whatever_is_said_of_its_rest():
    assert named("Ada Lovelace") == [("person", "Ada Lovelace")]


def test_an_entity_may_begin_inside():
    assert named("in Paris") == [("location", "Paris")]


def test_two_entities_side_by_side_are_two():
    assert named("Oslo Oslo") == [("location", "Oslo"), ("location", "Oslo")]
    assert named("東京東京") == [("location", "東京"), ("location", "東京")]


def test_of_a_script_without_spaces_each_token_speaks_for_itself():
    assert named("東京都,Ada met") == [("location", "東京"), ("person", "Ada")]


def test_a_label_of_the_models_own_is_kept_in_lower_case():
    assert named("Widget") == [("product", "Widget")]


def test_the_frame_of_a_text_is_no_entity():
    assert named("met in . ,") == []
    assert named("") == []


def test_the_confidence_is_the_mean_over_the_tokens(monkeypatch):
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, "0.1")
    sure = found("Oslo")[0].confidence
    unsure = found("Maybe")[0].confidence
    (both,) = found("Maybe Paris")
    assert sure == pytest.approx(0.97818, abs=1e-4)
    assert both.confidence == pytest.approx((unsure + sure) / 2)


def test_an_entity_below_the_minimum_is_dropped(monkeypatch):
    assert named("Maybe") == []
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, "0.4")
    assert named("Maybe") == [("location", "Maybe")]
    monkeypatch.setenv(MINIMUM_CONFIDENCE.name, "1.0")
    assert named("Oslo") == []


def test_offsets_count_characters_of_the_whole_text():
    text = "👩\u200d👧 𠮷 " * 30 + "Ada"
    assert [(span.start, span.end) for span in found(text)] == [(len(text) - 3, len(text))]


def test_a_window_is_cut_at_white_space_and_every_span_is_of_the_whole_text(monkeypatch, shown):
    monkeypatch.setenv(WINDOW_CHARACTERS.name, "20")
    text = "met in Oslo , " * 20
    assert named(text) == [("location", "Oslo")] * 20
    assert len(shown) > 1
    assert all("[UNK]" not in tokens for tokens in shown), "a word was cut"


def test_an_entity_goes_on_across_the_edge_of_a_window(monkeypatch, shown):
    monkeypatch.setenv(WINDOW_CHARACTERS.name, "8")
    assert named("met Ada\nLovelace met") == [("person", "Ada\nLovelace")]
    assert len(shown) > 1


@pytest.mark.parametrize("word", ["Oslo ", "東"])
def test_a_window_of_too_many_tokens_is_cut_again(monkeypatch, shown, word):
    monkeypatch.setenv(MAX_TOKENS.name, "8")
    assert len(named(word * 60)) == 60
    assert max(map(len, shown)) <= 8


def test_text_without_spaces_is_shown_whole_too(shown):
    text = "東京" * 1000
    assert named(text) == [("location", "東京")] * 1000
    assert len(shown) >= 5


@pytest.mark.parametrize("word", ["Oslo met ", "東京で", "x", " ", "\n", "👩\u200d👧"])
def test_two_hundred_thousand_characters_are_gone_through(word):
    text = (word * (200_000 // len(word)))[:200_000]
    spans = found(text)
    assert all(text[span.start : span.end] == span.surface for span in spans)
    assert len(spans) == text.count("Oslo") + text.count("東京")


PIECES = [
    "Ada",
    "Lovelace",
    " ",
    "\n",
    "東京",
    "都",
    "Oslo",
    "Acme",
    "Corp",
    ",",
    "👩\u200d👧",
    "e\u0301",
    "\u3000",
    "xyz",
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join), st.integers(8, 40))
def test_spans_never_overlap_and_are_what_stands_there(text, width):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(WINDOW_CHARACTERS.name, str(width))
        end = 0
        for span in found(text):
            assert span.start >= end
            assert text[span.start : span.end] == span.surface == span.surface.strip()
            end = span.end
