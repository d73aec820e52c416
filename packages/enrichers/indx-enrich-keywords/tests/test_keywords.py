"""Which words and phrases become topics and tags."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import Enrichment, Scored
from indx_enrich_keywords import document
from indx_enrich_keywords._keywords import LOOKED_AT, TAGS, TOPICS
from indx_enrich_keywords._stop import AMBIGUOUS, STOP, WEAK

GUIDE = """# Sync windows

A sync window blocks or allows a deployment. Each project holds its sync windows, and a deployment that
falls outside every sync window waits. A cluster may belong to several projects.

## Cluster scope

The cluster decides. See [the reference](https://example.com/deployment/deployment/deployment) for more.
"""


def enrich(text: str) -> Enrichment:
    (answer,) = document().enrich([text]).items
    assert answer is None or isinstance(answer, Enrichment)
    return answer or Enrichment()


def tags(text: str) -> list[str]:
    return [tag.label for tag in enrich(text).tags or ()]


def topics(text: str) -> list[str]:
    return list(enrich(text).topics or ())


def test_phrases_of_the_text_lead_its_topics() -> None:
    assert topics(GUIDE)[0] == "sync window"
    assert {"deployment", "cluster"} <= set(topics(GUIDE))


def test_tags_are_scored_from_the_best_down() -> None:
    scored = enrich(GUIDE).tags
    assert scored
    assert scored[0].confidence == 1.0
    assert all(0 < tag.confidence <= 1 for tag in scored)


def test_a_word_gives_way_to_the_phrase_in_which_it_nearly_always_stands() -> None:
    assert "sync window" in tags(GUIDE)
    assert "sync" not in tags(GUIDE)
    assert "window" not in tags(GUIDE)


def test_singular_and_plural_are_one_term() -> None:
    assert tags("Policies are good. One policy, two policies.") == ["policies"]
    assert tags("Boxes and a box, a box.") == ["box"]
    assert tags("A valve. Valves, valves!") == ["valves"]
    assert tags("The status of stat, the status of stat.") == ["status", "stat"]


def test_a_word_of_a_heading_or_the_first_line_needs_to_stand_but_once() -> None:
    assert tags("Turbines\n\nNothing else stands twice here.") == ["turbines"]
    assert tags("x " * 50 + "\n\n## Turbines\n\nNothing else stands twice here.") == ["turbines"]
    assert tags("x " * 50 + "\n\nTurbines, rivers, dams.") == []


def test_a_long_first_line_or_a_sentence_is_no_title() -> None:
    assert tags("Rivers and dams and turbines and forests stand in a line that goes on for too long") == []
    assert tags("Rivers and dams and turbines.") == []


def test_stop_words_of_several_languages_are_no_terms() -> None:
    for word in sorted(STOP - AMBIGUOUS):
        assert word not in tags(f"{word} turbine {word}, turbine {word}"), word


def test_a_stop_word_of_another_language_means_something_in_an_english_text() -> None:
    assert "car" in tags("The car and the door. The car and the door of the shop.")
    assert "car" not in tags("Le navire attend car le navire est en panne, car le pilote dort.")


def test_a_weak_word_is_a_term_in_a_phrase_only() -> None:
    assert "data" in WEAK
    assert tags("Data here, data there, data retention, data retention.") == ["data retention"]
    assert tags("Data here, data there, data.") == []


def test_punctuation_and_the_end_of_a_line_part_phrases() -> None:
    for between in (", ", ". ", "\n", " (", " | ", " / "):
        assert f"river{between}dam" not in ("river dam",)
        assert "river dam" not in topics(f"river{between}dam and river{between}dam")
    for between in (" ", "  ", " **", "* `"):
        assert "river dam" in topics(f"river{between}dam and river{between}dam")


def test_code_comments_addresses_and_markup_are_no_words() -> None:
    noise = "turbine turbine turbine"
    for marked in (
        f"```\n{noise}\n```",
        f"~~~ text\n{noise}\n~~~",
        f"<!-- {noise} -->",
        "[a](turbine.md) [b](turbine.md)",
        "https://turbine.example/turbine http://turbine",
        '<turbine class="turbine"></turbine>',
    ):
        assert tags(f"River delta.\n\n{marked}\n\nRiver delta.") == ["river delta"], marked
    assert tags(f"---\ntitle: {noise}\n---\nRiver delta, river delta.") == ["river delta"]


def test_words_with_hyphens_underscores_and_apostrophes_stay_whole() -> None:
    assert set(tags("A sub-project, max_age, l'heure. A sub-project, max_age, l'heure.")) == {
        "l'heure",
        "max_age",
        "sub-project",
    }


def test_a_possessive_s_is_no_part_of_a_word() -> None:
    assert tags("The river's delta. The river’s mouth, the river.") == ["river"]


def test_japanese_compounds_are_terms() -> None:
    text = "個人データの管理と契約期間。契約期間の後、個人データは消える。バックアップ、バックアップ。"
    assert set(tags(text)) == {"個人データ", "契約期間", "バックアップ"}
    assert tags("以下の場合、以下の場合") == []


def test_labels_are_lower_case_and_of_compatibility_form() -> None:
    assert tags("ＫＵＢＥ Kube kube; Straße STRASSE straße") == ["kube", "straße", "strasse"]


def test_equal_scores_are_ordered_alphabetically() -> None:
    assert tags("delta, alpha, gamma, delta, alpha, gamma " * 3)[:2] == ["alpha", "delta"]


def test_no_phrase_only_runs_on_from_another() -> None:
    assert topics("cluster decision resource, cluster decision resource")[:1] == ["cluster decision"]
    assert "decision resource" not in topics("cluster decision resource, cluster decision resource")


@pytest.mark.parametrize(
    "text", ["", " \n", "the of and", "?!", "1 2 3 1 2 3", "ここにそれがある、ここにそれがある"]
)
def test_a_text_in_which_no_word_stands_out_has_no_answer(text: str) -> None:
    assert list(document().enrich([text]).items) == [None]


def test_it_writes_no_summary_and_asks_no_questions() -> None:
    answer = enrich(GUIDE)
    assert answer.summary is None
    assert answer.questions is None


def test_only_the_head_of_a_text_is_looked_at() -> None:
    assert tags("River delta, river delta.\n" + " " * LOOKED_AT + "turbine turbine") == ["river delta"]


@given(
    st.lists(st.sampled_from([*GUIDE.split(" "), "the", ".", "\n", "契約期間", "の", "Ünïcode"]), max_size=80)
)
def test_terms_stand_in_the_text_within_the_bounds(words: list[str]) -> None:
    text = " ".join(words)
    answer = enrich(text)
    folded = unicodedata.normalize("NFKC", text).lower()
    assert len(answer.tags or ()) <= TAGS
    assert len(answer.topics or ()) <= TOPICS
    for label in [tag.label for tag in answer.tags or ()] + list(answer.topics or ()):
        assert label == label.lower()
        assert all(word in folded for word in label.split(" "))
    assert (answer.tags is None) == (answer.topics is None)


@given(st.permutations(["alpha rivers", "beta rivers", "gamma rivers"]))
def test_answers_do_not_depend_on_the_order_of_equal_terms(parts: list[str]) -> None:
    expected = enrich("x.\n" + ". ".join(sorted(parts) * 2))
    assert enrich("x.\n" + ". ".join(parts * 2)) == expected
    assert isinstance((expected.tags or ())[0], Scored)
