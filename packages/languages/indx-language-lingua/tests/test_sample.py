"""Of a long text the engine is shown a bounded sample."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indx_language_lingua._detection import MAX_CHARACTERS, PIECES, sample


@given(st.text(max_size=50), st.integers(0, 3 * MAX_CHARACTERS))
def test_a_sample_is_the_text_or_bounded_pieces_from_its_start_to_its_end(words: str, size: int) -> None:
    text = (words * (1 + size // max(1, len(words))))[:size]
    taken = sample(text)
    if len(text) <= MAX_CHARACTERS:
        assert taken is text
    else:
        assert len(taken) == MAX_CHARACTERS + PIECES - 1
        assert taken.startswith(text[:100])
        assert taken.endswith(text[-100:])
