"""Pages made of lines with places, and what is cut from them."""

from __future__ import annotations

from array import array

import pytest

from indx_chunker_layout.provider import chunker
from indx_core.ports import DocumentReading, PageReading, line_columns
from indx_testkit.chunking import assert_drafts

HEIGHT, PITCH, LETTER = 0.012, 0.0165, 0.008


class Lines:
    """Lines for a page, a letter 0.008 of its width, a line 0.012 of its height, 0.0165 from the next."""

    pitch = PITCH
    height = HEIGHT

    def at(self, text, left, top, *, scale=1.0):
        """A line whose width is that of its text."""
        width = LETTER * scale * sum(2 if sign >= "\u2e80" else 1 for sign in text)
        return text, (left, top, left + width, top + HEIGHT * scale)

    def column(self, texts, *, left=0.1, top=0.1, right=None, pitch=PITCH, gaps=()):
        """Lines below each other, as wide as their text or up to `right`; an empty line before `gaps`."""
        lines = []
        for number, text in enumerate(texts):
            top += pitch * 0.6 if number in gaps else 0
            text, (x0, y0, x1, y1) = self.at(text, left, top)
            lines.append((text, (x0, y0, x1 if right is None else right, y1)))
            top += pitch
        return lines

    def row(self, texts, lefts, top):
        """Cells beside each other, each a line."""
        return [self.at(text, left, top) for text, left in zip(texts, lefts, strict=True) if text]

    def prose(self, count, name="word"):
        """Texts of `count` lines that fill a column of 40 letters; the last is half as long."""
        full = [
            f"{name}{number} and more words fill this line up"[:40].ljust(40, "s")
            for number in range(count - 1)
        ]
        return [*full, f"{name} ends here too."]

    def joined(self, rows, *, number=1):
        """A page of rows of (text, box) pairs; a row is one line, with tabs between its parts."""
        lines = [
            (
                "\t".join(text for text, _ in row),
                (
                    min(box[0] for _, box in row),
                    min(box[1] for _, box in row),
                    max(box[2] for _, box in row),
                    max(box[3] for _, box in row),
                ),
            )
            for row in rows
        ]
        page = self.page(lines, number=number)
        for start, row in zip(page.line_starts, rows, strict=True):
            for text, box in row if len(row) > 1 else ():
                page.part_starts.append(start)
                page.part_ends.append(start + len(text))
                page.part_boxes.extend(box)
                start += len(text) + 1
        return page

    def page(self, lines, *, number=1, **facts):
        """A page of (text, box) pairs."""
        text = "\n".join(line for line, _ in lines)
        starts, ends = line_columns(text)
        boxes = array("d", [value for _, box in lines for value in box])
        return PageReading(number, text, starts, ends, boxes, **facts)


@pytest.fixture(scope="session")
def lines():
    return Lines()


@pytest.fixture(scope="session")
def cut():
    def cut(*pages):
        """The drafts of the first page, all held to the rules of the port."""
        read = DocumentReading("application/pdf", None, {one.page: one for one in pages})
        answer = chunker().chunk(read, None, list(read.pages))
        for number, drafts in answer.items():
            assert_drafts(read.pages[number], drafts, joiner="\n")
        return answer[pages[0].page]

    return cut


@pytest.fixture(scope="session")
def texts(cut, lines):
    return lambda found: [draft.text for draft in cut(lines.page(found))]
