"""What a page hides never stands in a chunk of what it shows."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_chunker_sections import chunker
from indx_chunker_sections._hidden import apart
from indx_core.ports import DocumentReading
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import reading, table


def kinds(drafts):
    return [(draft.text, draft.box_reason) for draft in drafts]


@pytest.mark.parametrize(
    ("text", "hidden", "expected"),
    [
        (
            "Shown.\n\nSecret.\n\nMore.",
            ["Secret."],
            [("Shown.\n\nMore.", "no_geometry"), ("Secret.", "hidden")],
        ),
        ("Secret.\n\nShown.", ["Secret."], [("Secret.", "hidden"), ("Shown.", "no_geometry")]),
        ("Two secret words here", ["secret "], [("Two words here", "no_geometry"), ("secret", "hidden")]),
        ("a one b two c", ["one", "two"], [("a b c", "no_geometry"), ("one two", "hidden")]),
        ("a hid\nb hid2\nc", ["hid", "hid2"], [("a \nb\nc", "no_geometry"), ("hid hid2", "hidden")]),
        ("a\nhid b", ["hid"], [("a\nb", "no_geometry"), ("hid", "hidden")]),
        ("a hid\nhid2 b", ["hid", "hid2"], [("a b", "no_geometry"), ("hid\nhid2", "hidden")]),
        ("All of it", ["All of it"], [("All of it", "hidden")]),
        ("Only a space", [" a "], [("Only space", "no_geometry"), ("a", "hidden")]),
        ("Nothing  hidden", ["  "], [("Nothing  hidden", "no_geometry")]),
    ],
)
def test_shown_and_hidden_text_are_chunks_apart(cut, text, hidden, expected):
    assert kinds(cut(text, media_type="text/html", hidden=hidden)) == expected


def test_markdown_is_shown_as_written(cut):
    text = "Shown.\n\n<!-- Secret. -->"
    assert kinds(cut(text, hidden=["<!-- Secret. -->"])) == [(text, "no_geometry")]


def test_text_around_a_table_is_parted_too():
    grid, made = table([["a", "b"]], start=len("Secret before.\n"))
    page = reading(f"Secret before.\n{grid}\nShown after.", tables=[made], hidden=["Secret before."])
    drafts = chunker().chunk(DocumentReading("text/html", None, {1: page}), None, [1])[1]
    assert_drafts(page, drafts)
    assert kinds(drafts) == [
        ("Secret before.", "hidden"), (grid, "no_geometry"), ("Shown after.", "no_geometry"),
    ]  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.text("ab \n\u3000e\u0301\U0001f468\u200d", max_size=60),
    st.lists(st.integers(0, 60), max_size=12, unique=True),
    st.integers(1, 40),
)
def test_every_character_is_carried_once_whatever_is_hidden(monkeypatch, text, places, limit):
    monkeypatch.setenv("INDX_CHUNK_SECTIONS_MAX_CHARS", str(limit))
    ends = sorted(place for place in places if place <= len(text))
    page = reading(text)
    page.hidden = tuple(zip(ends[::2], ends[1::2], strict=False))
    assert_drafts(page, chunker().chunk(DocumentReading("text/html", None, {1: page}), None, [1])[1])


def test_many_hidden_words_are_parted_in_one_pass():
    text = "shown hidden " * 2000
    spans = [(start + 6, start + 12) for start in range(0, len(text), 13)]
    shown, hidden = apart(text, [(0, len(text))], spans)
    assert (len(shown), len(hidden)) == (2000, 2000)
