"""Cards: what a line costs to read follows its length."""

import tracemalloc

import pytest

from indx_reader_text._cards import read_cards


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("TEL;" + "TYPE=a;" * 100_000 + "X=y:1", "TEL: 1"),
        ("NOTE;ENCODING=QUOTED-PRINTABLE:" + "=\n" * 300_000 + "x", "NOTE: x"),
    ],
)
def test_memory_is_a_few_times_what_is_read(line, expected):
    tracemalloc.start()
    try:
        marks = read_cards(f"BEGIN:VCARD\n{line}\nEND:VCARD\n")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert expected in marks.text.split("\n")
    assert peak < 16 * len(line)
