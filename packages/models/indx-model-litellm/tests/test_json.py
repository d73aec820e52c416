"""A model's answer is one JSON object, or it is refused."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_model_litellm import parse_object

WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=10,
)


@given(
    st.dictionaries(WORDS, VALUES, max_size=4),
    st.sampled_from(["{}", " {}\n", "```json\n{}\n```", "```\n{}```"]),
)
def test_an_object_is_read_whole_alone_or_in_one_fence(value, form):
    text = form.replace("{}", json.dumps(value, ensure_ascii=False))
    assert parse_object(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I cannot do that.",
        'Sure: {"a": 1}',
        '{"a": 1} {"b": 2}',
        '{"a": 1',
        "[1]",
        "null",
        '{"a": 1, "a": 2}',
        '{"a": {"b": 1, "b": 1}}',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": "\\ud800"}',
        '{"a": ["\\u0000"]}',
        "```json\n[1]\n```",
        '{"a":' * 100_000,
        "[" * 100_000,
        '{"a": ' + "1" * 10_000 + "}",
    ],
)
def test_anything_else_is_refused_with_its_reason(text):
    with pytest.raises(ValueError, match=r"it |Exceeds"):
        parse_object(text)


@given(st.text(max_size=60))
def test_no_text_raises_anything_but_a_value_error(text):
    with contextlib.suppress(ValueError):
        assert isinstance(parse_object(text), dict)
