"""Hypothesis strategies: text of many scripts, pages with headings, tables and boxes, whole documents."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from indx_core.ports import DocumentReading, PageReading, Span, Table
from indx_testkit.samples import BoxLike, document, reading, table

__all__ = ["documents", "lines", "pages", "texts"]

_PIECES = (
    "word",
    "a",
    "The quick brown fox.",
    "Überschrift,",
    "naïve e\u0301tude",
    "日本語の文章。",
    "東京",
    "한국어",
    "ภาษาไทย",
    "עברית",
    "नमस्ते",
    "👩\u200d👩\u200d👧\u200d👦",
    "🇯🇵🇩🇪",
    "👍🏽",
    "z\u0335\u0321\u0308",
    "\u3000",
    "\u00a0",
    "\u200b",
    "- item",
    "1.",
    "# ",
    "\x0c",
    "x" * 200,
    "漢" * 120,
)


def lines() -> st.SearchStrategy[str]:
    """A line of text: words of many scripts, clusters, spaces, or any characters that UTF-8 can hold."""
    words = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=12).map(" ".join)
    loose = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r\n\t"), max_size=30)
    return st.one_of(words, words, loose, st.just(""))


def texts() -> st.SearchStrategy[str]:
    """A text of several lines."""
    return st.lists(lines(), max_size=12).map("\n".join)


@st.composite
def _tables(draw: st.DrawFn) -> list[list[str]]:
    columns = draw(st.integers(1, 5))
    cell = st.one_of(st.sampled_from(_PIECES[:12]), st.just(""), st.integers(0, 9999).map(str))
    return draw(st.lists(st.lists(cell, min_size=columns, max_size=columns), min_size=1, max_size=12))


@st.composite
def pages(draw: st.DrawFn) -> PageReading:
    """A page of paragraphs, headings and tables, with boxes, without, or some; of some a part is hidden."""
    parts: list[str] = []
    headings: list[tuple[str, int]] = []
    tables: list[Table] = []
    length = 0
    for _ in range(draw(st.integers(0, 6))):
        kind = draw(st.sampled_from(["text", "text", "heading", "table", "blank"]))
        if kind == "table":
            text, made = table(draw(_tables()), start=length, header_rows=draw(st.integers(0, 1)))
            tables.append(made)
        elif kind == "heading":
            text = f"Heading {len(headings)}"
            headings.append((text, draw(st.integers(1, 4))))
        else:
            text = "" if kind == "blank" else draw(texts())
        parts.append(text)
        length += len(text) + 1
    whole = "\n".join(parts)
    count = whole.count("\n") + 1 if whole else 0
    page = reading(whole, headings=headings, tables=tables, boxes=draw(_boxes(count)))
    page.hidden = draw(_hidden(len(whole)))
    return page


@st.composite
def _hidden(draw: st.DrawFn, length: int) -> Sequence[Span]:
    """Stretches that the document hides; mostly none."""
    if length < 2 or draw(st.integers(0, 3)):
        return ()
    bounds = sorted(draw(st.sets(st.integers(0, length), min_size=2, max_size=8)))
    return tuple(zip(bounds[::2], bounds[1::2], strict=False))


@st.composite
def _boxes(draw: st.DrawFn, count: int) -> Sequence[BoxLike] | None:
    """Boxes of lines one under the other, some unresolved where the draw says so; or None."""
    mode = draw(st.sampled_from(["none", "all", "some", "columns"]))
    if mode == "none":
        return None
    boxes: list[BoxLike] = []
    for number in range(count):
        top = (number + 0.1) / max(1, count)
        left, right = (0.55, 0.95) if mode == "columns" and number * 2 >= count else (0.05, 0.45)
        resolved = mode != "some" or draw(st.booleans())
        boxes.append((left, top, right, top + 0.8 / max(1, count)) if resolved else None)
    return boxes


def documents(media_type: str = "text/plain") -> st.SearchStrategy[DocumentReading]:
    """A document of one to three pages."""
    return st.lists(pages(), min_size=1, max_size=3).map(lambda made: document(*made, media_type=media_type))
