"""How words vote."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_classifier_words import document
from indx_classifier_words._reading import read_taxonomy, shipped
from indx_classifier_words._taxonomy import MAX_CHARACTERS, Taxonomy
from indx_classifier_words.settings import LABELS
from indx_core.ports import LaneContext, Scored


def taxonomy(*words: str, threshold: float = 1, **more: Any) -> Taxonomy:
    def label(words: list[str], threshold: float) -> dict[str, Any]:
        return {"names": {"ja": "名", "en": "name"}, "words": words, "threshold": threshold}

    labels = {"one": label(list(words), threshold)} | {key: label(*value) for key, value in more.items()}
    return read_taxonomy(json.dumps({"facet": labels}).encode())


def votes(text: str, *words: str) -> bool:
    return bool(taxonomy(*words).classify(text))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("An INVOICE, no doubt", "invoice"),
        ("bill\n  to", "Bill to"),
        ("Bill-To:", "bill to"),
        ("P.O. number 7", "p.o. number"),
        ("owner’s manual", "owner's manual"),
        ("ＩＮＶＯＩＣＥ", "invoice"),
        ("請　求\n書", "請求書"),
        ("Invoice番号", "invoice"),
        ("ｷﾞﾝｺｳ", "ギンコウ"),
        ("Q&A", "Q＆A"),
        ("naïve café", "cafe\u0301"),
    ],
)
def test_a_word_is_found_however_it_is_printed(text: str, word: str) -> None:
    assert votes(text, word)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("invoices", "invoice"),
        ("to bill", "bill to"),
        ("bill it to", "bill to"),
        ("pre_invoice", "invoice"),
        ("求請書", "請求書"),
        ("", "invoice"),
        ("?!", "invoice"),
    ],
)
def test_a_word_is_not_found_in_another(text: str, word: str) -> None:
    assert not votes(text, word)


def test_a_word_counts_once_however_often_it_stands() -> None:
    assert not taxonomy("alpha", "beta", threshold=2).classify("alpha alpha alpha")
    assert taxonomy("alpha", "beta", threshold=2).classify("alpha beta")


def test_a_threshold_is_a_number_of_words_or_a_share_of_the_list() -> None:
    words = [f"word{i}" for i in range(10)]
    for share, needed in ((0.3, 3), (0.25, 3), (1.0, 10), (0.01, 1)):
        table = taxonomy(*words, threshold=share)
        assert not table.classify(" ".join(words[: needed - 1]))
        assert table.classify(" ".join(words[:needed])) == {"facet": [Scored("one", needed / 10)]}


def test_labels_come_by_confidence_and_equal_ones_in_the_order_of_the_file() -> None:
    table = taxonomy("a", "b", "c", two=(["a", "b"], 1), three=(["a", "x"], 1), four=(["b", "y"], 1))
    labels = [scored.label for scored in table.classify("a b")["facet"]]
    assert labels == ["two", "one", "three", "four"]


def test_only_the_head_of_a_text_is_looked_at() -> None:
    assert votes(" " * (MAX_CHARACTERS - 5) + "alpha", "alpha")
    assert not votes(" " * MAX_CHARACTERS + "alpha", "alpha")


@given(
    st.lists(st.sampled_from(sorted(shipped()._single)), max_size=6), st.sampled_from([" ", "\n", ", ", "—"])
)
def test_single_words_are_found_wherever_they_stand(words: list[str], between: str) -> None:
    assert set(words) <= shipped().found(between.join(words))


def test_a_file_replaces_the_shipped_taxonomy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"種別": {"猫": {"names": {"ja": "猫", "en": "cat"}, "words": ["whiskers", "髭"], "threshold": 1}}}
    (tmp_path / "own.json").write_text(json.dumps(own), encoding="utf-8")
    shipped_key = document().declaration.settings_key
    monkeypatch.setenv(LABELS.name, str(tmp_path / "own.json"))
    answer = document().classify(
        ["長い髭", "invoice number, invoice date, bill to, due date"], LaneContext("")
    )
    assert list(answer.items) == [{"種別": [Scored("猫", 0.5)]}, None]
    own_key = document().declaration.settings_key
    (tmp_path / "own.json").write_text(json.dumps(own).replace("whiskers", "tail"), encoding="utf-8")
    assert len({shipped_key, own_key, document().declaration.settings_key}) == 3
    assert document().classify(["tail"], LaneContext("")).items[0] is not None
