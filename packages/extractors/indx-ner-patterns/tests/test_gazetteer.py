"""Names of a gazetteer: literal, longest first, on word boundaries where the script has them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import ConfigurationError
from indx_core.ports import Unavailability
from indx_ner_patterns import chunk, page
from indx_ner_patterns._gazetteer import Gazetteer
from indx_ner_patterns._reading import MAX_BYTES, read_gazetteer
from indx_ner_patterns.settings import GAZETTEER


def found(text: str, **labels: list[str]) -> list[tuple[str, str]]:
    entries = [(label, surface) for label, surfaces in labels.items() for surface in surfaces]
    spans = Gazetteer(entries).find(text)
    assert all(span.surface == text[span.start : span.end] for span in spans)
    return [(span.label, span.surface) for span in sorted(spans, key=lambda s: (s.start, s.label))]


def test_the_longest_surface_wins_whatever_the_label_or_order() -> None:
    names = {"org": ["Acme", "Acme Corp"], "product": ["Corp", "Acme Corp Widget"]}
    assert found("Acme Corp Widget, Acme Corp, Acme; Corp", **names) == [
        ("product", "Acme Corp Widget"),
        ("org", "Acme Corp"),
        ("org", "Acme"),
        ("product", "Corp"),
    ]
    assert found("東京大学病院", a=["東京大学"], b=["学病院あ", "大学病院は", "大学病"]) == [
        ("a", "東京大学")
    ]
    assert found("ab cd ef", a=["ab cd"], b=["cd ef gh", "cd ef"]) == [("a", "ab cd")]
    assert found("ab cd efg", a=["ab cd"], b=["cd efg"]) == [("b", "cd efg")]


def test_a_surface_under_two_labels_is_both() -> None:
    assert found("in Paris", city=["Paris"], person=["Paris", "Paris"]) == [
        ("city", "Paris"),
        ("person", "Paris"),
    ]


@pytest.mark.parametrize(
    ("text", "surface", "count"),
    [
        ("Acme-Corp Acme. (Acme) Acme", "Acme", 4),
        ("Acmeで、株式会社Acmeの", "Acme", 2),
        ("Acmes xAcme Acme2 Acme_x ÀAcme AcmeÉ", "Acme", 0),
        ("Cafe\u0301 Cafe", "Cafe", 1),
        ("acme ACME", "Acme", 0),
        ("C++ C+++ xC++", "C++", 2),
        ("東京都東京駅", "東京", 2),
        ("コーヒーカップ", "コーヒー", 1),
        ("서울에서", "서울", 1),
        ("ＡＢ社", "AB", 0),
        ("👩\u200d👧東京👍🏽", "東京", 1),
        ("a.b a+b", "a.b", 1),
        ("x\ud800東京\x00東京", "東京", 2),
    ],
)
def test_it_is_literal_and_keeps_word_boundaries(text: str, surface: str, count: int) -> None:
    assert len(found(text, name=[surface])) == count


def test_a_longer_name_that_ends_within_a_word_leaves_the_shorter_one() -> None:
    assert found("New Yorkers", city=["New York", "New"]) == [("city", "New")]


@given(
    st.lists(st.text("ab東京 ", min_size=1, max_size=4).map(str.strip).filter(bool), max_size=6),
    st.text("ab東京 ", max_size=30),
)
def test_spans_do_not_overlap_and_nothing_free_is_missed(surfaces: list[str], text: str) -> None:
    spans = Gazetteer([("name", surface) for surface in surfaces]).find(text)
    taken = [False] * len(text)
    for span in spans:
        assert not any(taken[span.start : span.end])
        taken[span.start : span.end] = [True] * (span.end - span.start)
    for surface in surfaces:
        if not surface.isascii():
            for start in range(len(text) - len(surface) + 1):
                if text.startswith(surface, start) and not surface[0].isascii() and not surface[-1].isascii():
                    assert any(taken[start : start + len(surface)])


def test_a_hundred_thousand_names_are_found() -> None:
    names = [f"顧客{number}株式会社" for number in range(50_000)] + [
        f"Customer {number}" for number in range(50_000)
    ]
    gazetteer = Gazetteer([("customer", name) for name in names])
    text = "、".join(names[::1000])
    assert [span.surface for span in sorted(gazetteer.find(text), key=lambda s: s.start)] == names[::1000]


def write(path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = path / "names.json"
    file.write_bytes(data)
    monkeypatch.setenv(GAZETTEER.name, str(file))
    return file


def test_a_file_adds_its_names_beside_the_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {"customer": ["みどり商事", "みどり商事株式会社"], "商品": ["コピー用紙"]}
    write(tmp_path, b"\xef\xbb\xbf" + json.dumps(names).encode(), monkeypatch)
    (spans,) = chunk().extract(["みどり商事株式会社 コピー用紙 3,000円"]).items
    assert [(s.label, s.surface, s.confidence) for s in spans] == [  # type: ignore[union-attr]
        ("customer", "みどり商事株式会社", 1.0),
        ("商品", "コピー用紙", 1.0),
        ("money", "3,000円", 0.95),
    ]


def test_a_changed_file_is_read_again_and_changes_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = {page().declaration.settings_key}
    for name in ("alpha", "beta"):
        write(tmp_path, json.dumps({"x": [name]}).encode(), monkeypatch)
        keys.add(page().declaration.settings_key)
        (spans,) = page().extract(["alpha beta"]).items
        assert [span.surface for span in spans] == [name]  # type: ignore[union-attr]
        assert page().availability() is None
    assert len(keys) == 3


FAULTS = {
    "not JSON": (b"{", "Expecting"),
    "not UTF-8": (b"\xff\xfe{}", "not UTF-8 at byte 0"),
    "not an object": (b'["a"]', "JSON object of labels"),
    "no label": (b"{}", "at least one"),
    "deep": (b"[" * 100_000, "nested too deeply"),
    "a label without a name": (b'{" ": []}', "the label ' '"),
    "a long label": (json.dumps({"x" * 65: []}).encode(), "1 to 64 characters"),
    "a label twice": (b'{"x": [], "x": []}', "'x' stands twice"),
    "surfaces as a string": (b'{"x": "abc"}', "label 'x': its surfaces must be a list"),
    "a surface of a number": (b'{"x": ["a", 7]}', "label 'x': the surface 7 must be a text"),
    "an empty surface": (b'{"x": [""]}', "the surface ''"),
    "white space around": (
        b'{"x": ["a "]}',
        "the surface 'a ' must be a text of 1 to 256 characters without",
    ),
    "a long surface": (json.dumps({"x": ["y" * 257]}).encode(), "1 to 256 characters"),
    "a surface no file can hold": (b'{"x": ["a\\ud800"]}', "label 'x': the surface"),
}


@pytest.mark.parametrize(("data", "fault"), FAULTS.values(), ids=FAULTS.keys())
def test_a_malformed_file_is_refused_with_the_variable_and_the_fault(
    data: bytes, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, data, monkeypatch)
    with pytest.raises(ConfigurationError) as caught:
        page().extract(["text"])
    assert caught.value.code == "invalid_setting"
    for part in (GAZETTEER.name, str(file), fault):
        assert part in caught.value.message
    assert caught.value.message.isprintable()
    state = page().availability()
    assert isinstance(state, Unavailability)
    assert state.reason == caught.value.message
    assert GAZETTEER.name in state.fix


def test_a_file_that_is_not_there_or_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, b" " * (MAX_BYTES + 1), monkeypatch)
    with pytest.raises(ConfigurationError, match=f"larger than {MAX_BYTES} bytes"):
        page().extract(["text"])
    monkeypatch.setenv(GAZETTEER.name, str(tmp_path / "none.json"))
    with pytest.raises(ConfigurationError, match=r"none\.json.*No such file"):
        page().extract(["text"])
    assert page().declaration.settings_key == "unreadable"


def test_a_label_may_have_no_surface_yet() -> None:
    assert read_gazetteer(b'{"x": []}').find("text") == []
