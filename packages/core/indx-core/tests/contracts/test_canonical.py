"""Canonical JSON, digests and the cleaning of text."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.canonical import canonical_json, clean_text, content_id, digest, sha256_hex

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
texts = st.text(st.characters(exclude_categories=["Cs"]))
documents = st.recursive(
    scalars | texts, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8
)


@given(documents)
def test_canonical_json_reads_back_as_the_same_data(value: object) -> None:
    assert json.loads(canonical_json(value)) == value


@given(st.dictionaries(texts, scalars))
def test_the_order_of_keys_does_not_reach_the_bytes(value: dict[str, object]) -> None:
    assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)


@given(documents)
def test_canonical_json_has_no_whitespace_outside_strings(value: object) -> None:
    written = canonical_json(value).decode()
    assert len(written) == len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def test_canonical_json_is_utf_8_with_sorted_keys() -> None:
    assert (
        canonical_json({"b": [1, 2.5, None, True], "a": "保存"})
        == '{"a":"保存","b":[1,2.5,null,true]}'.encode()
    )


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_json_lacks_is_refused(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json({"a": [number]})


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        canonical_json("\ud800")


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(TypeError):
        canonical_json({"a": b"bytes"})


def test_digests_are_pinned() -> None:
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert sha256_hex(b"") == empty
    assert digest(bytearray()) == digest(memoryview(b"")) == f"sha256:{empty}"
    assert content_id({"b": 1, "a": "é"}) == digest('{"a":"é","b":1}'.encode())


@given(st.text())
def test_clean_text_keeps_length_and_leaves_only_what_utf_8_json_can_hold(text: str) -> None:
    cleaned = clean_text(text)
    assert len(cleaned) == len(text)
    assert "\0" not in cleaned
    assert json.loads(canonical_json(cleaned)) == cleaned
    assert all(new == old or new == "\ufffd" for new, old in zip(cleaned, text, strict=True))


@given(texts.filter(lambda text: "\0" not in text))
def test_clean_text_returns_sound_text_as_the_same_object(text: str) -> None:
    assert clean_text(text) is text


def test_each_unfit_character_becomes_one_replacement() -> None:
    assert clean_text("a\0b\ud83d\ude00\udcffc") == "a\ufffdb\ufffd\ufffd\ufffdc"
