"""The estimate of tokens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_chunker_text._tokens import QUARTERS, weight


@pytest.mark.parametrize(
    ("text", "quarters"),
    [
        ("", 0),
        ("word and", 8),
        ("AB", 4),
        ("42", 8),
        ("{};", 9),
        ("漢字かな", 16),
        ("é", 4),
        ("👍", 12),
        ("a\x00", 4),
    ],
)
def test_characters_weigh_by_their_kind(text, quarters):
    assert weight(text) == quarters


@given(st.text(alphabet=st.characters(min_codepoint=0x3041, max_codepoint=0x9FFF)))
@settings(derandomize=True)
def test_an_ideograph_or_kana_is_never_less_than_a_token(text):
    assert weight(text) >= QUARTERS * len(text)


@given(st.text(), st.text())
@settings(derandomize=True)
def test_the_weight_of_two_texts_is_the_sum_of_theirs(one, other):
    assert weight(one + other) == weight(one) + weight(other)


def test_prose_makes_about_four_characters_a_token():
    prose = (
        "It was the best of times, it was the worst of times, it was the age of wisdom and of foolishness. "
    )
    assert 3.4 <= len(prose) / (weight(prose) / QUARTERS) <= 4.2


def test_minified_code_is_denser_than_prose():
    code = "function(a,b){return a.b(c)+d[0]}"
    assert len(code) / (weight(code) / QUARTERS) < 2.5
