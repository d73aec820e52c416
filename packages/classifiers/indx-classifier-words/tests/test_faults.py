"""A taxonomy that cannot be used is refused with the variable, the file, the place and the fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from indx_classifier_words import document
from indx_classifier_words._reading import MAX_BYTES
from indx_classifier_words.settings import LABELS
from indx_core.errors import ConfigurationError
from indx_core.ports import LaneContext, Unavailability

GOOD = {"names": {"ja": "名", "en": "name"}, "words": ["a", "b"], "threshold": 1}


def label(**changes: Any) -> bytes:
    return json.dumps({"kind": {"one": GOOD | changes}}).encode()


FAULTS = {
    "not JSON": (b"{", "Expecting"),
    "not UTF-8": (b"\xff\xfe{}", "not UTF-8 at byte 0"),
    "not an object": (b"[]", "JSON object of facets"),
    "no facet": (b"{}", "JSON object of facets"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "an empty facet": (b'{"kind": {}}', "facet 'kind' must be an object of labels"),
    "a facet without a name": (b'{" ": {"one": 1}}', "the facet ' '"),
    "a label of a number": (b'{"kind": {"one": 1}}', "facet 'kind', label 'one' must be an object"),
    "a key twice": (b'{"kind": {"one": 1, "one": 2}}', "'one' stands twice"),
    "an unknown member": (label(colour="red"), "exactly names, words and threshold"),
    "one name": (label(names={"en": "name"}), "names must be"),
    "an empty name": (label(names={"en": "name", "ja": ""}), "names must be"),
    "words as a string": (label(words="abc"), "words must be a list"),
    "no words": (label(words=[]), "words must be a list"),
    "a word of a number": (label(words=["a", 7]), "the word 7 holds no letter"),
    "a word of punctuation": (label(words=["a", "?!"]), "the word '?!' holds no letter"),
    "a word twice": (label(words=["Bill to", "bill-to"]), "'Bill to' and 'bill-to' are the same word"),
    "a threshold of 0": (label(threshold=0), "threshold 0"),
    "a threshold past the list": (
        label(threshold=3),
        "threshold 3 is neither a whole number from 1 to its 2",
    ),
    "a share over 1": (label(threshold=1.5), "threshold 1.5"),
    "a threshold of true": (label(threshold=True), "threshold True"),
    "a threshold that is no number": (label(threshold=float("nan")), "threshold nan"),
}


@pytest.mark.parametrize(("data", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_a_malformed_taxonomy_is_refused_with_its_fault(
    data: bytes, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "labels.json"
    file.write_bytes(data)
    monkeypatch.setenv(LABELS.name, str(file))
    with pytest.raises(ConfigurationError) as caught:
        document().classify(["text"], LaneContext("text/plain"))
    assert caught.value.code == "invalid_setting"
    for part in (LABELS.name, str(file), reason):
        assert part in caught.value.message
    state = document().availability()
    assert isinstance(state, Unavailability)
    assert state.reason == caught.value.message
    assert LABELS.name in state.fix


def test_a_file_that_is_not_there_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LABELS.name, str(tmp_path / "none.json"))
    with pytest.raises(ConfigurationError, match=r"none\.json.*No such file"):
        document().classify(["text"], LaneContext("text/plain"))
    assert document().declaration.settings_key == "unreadable"


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "labels.json"
    file.write_bytes(b" " * (MAX_BYTES + 1))
    monkeypatch.setenv(LABELS.name, str(file))
    with pytest.raises(ConfigurationError, match=f"larger than {MAX_BYTES} bytes"):
        document().classify(["text"], LaneContext("text/plain"))
