"""An open OpenDocument file: a text is one page, a presentation its slides, a workbook its sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_core.ports import PageEvidence, PageReading
from indx_core.text import counted
from indx_format_office import TextWriter
from indx_format_office.container import DoctypeRefused
from indx_format_office.session import PagedSession, refuse_empty, text_characters
from indx_format_office.sheetlayout import described, write_sheet
from indx_reader_opendocument._names import DRAW, LOEXT, OFFICE, STYLE, TABLE
from indx_reader_opendocument._package import OdfPackage
from indx_reader_opendocument._shapes import write_shape
from indx_reader_opendocument._sheet import SheetReader
from indx_reader_opendocument._slide import Slide
from indx_reader_opendocument._story import Document, Story, deletions_of
from indx_reader_opendocument._styles import Styles

if TYPE_CHECKING:
    from indx_core.ports import Member, Role, SourceContent
    from indx_format_office.container import Element

__all__ = ["OpenDocumentSession"]

_KEPT_COPY: Final = re.compile(r"'[a-z]+:.*'#\$", re.DOTALL)
"""How the name begins of what a workbook keeps of a sheet of another file; programs show it nowhere."""
_MARGINS: Final[tuple[tuple[str, Role], ...]] = (("header", "header"), ("footer", "footer"))


class OpenDocumentSession(PagedSession):
    """An OpenDocument file, parsed when it is opened."""

    def __init__(self, source: SourceContent) -> None:
        """Open `source`, under the rules of `PagedSession`."""
        refuse_empty(source)
        self._package = OdfPackage(source)
        super().__init__(source)

    def _open(self) -> int:
        package = self._package
        self._styles = Styles(package.styles, None if package.styles is package.content else package.content)
        self._images: dict[int, tuple[int, float]] = {}
        self._hidden: set[int] = set()
        self._pages: Sequence[Element]
        self._kind: Literal["text", "slides", "sheets"]
        if (body := package.body("text")) is not None:
            self._kind, self._pages = "text", [body]
        elif (body := package.body("spreadsheet")) is not None:
            self._kind, self._pages = "sheets", list(body.iterchildren(TABLE + "table"))
        else:
            body = package.body("presentation")
            body = package.body("drawing") if body is None else body
            if body is None:
                raise SourceError(
                    "the OpenDocument file is no text, presentation, drawing or workbook; check what it is"
                )
            self._kind, self._pages = "slides", list(body.iterchildren(DRAW + "page"))
        return len(self._pages)

    def _part(self, name: str) -> Element | None:
        """The root of a part that a page can do without; None, and noted in `unread`, when it is damaged."""
        try:
            return self._package.parse(name)
        except DoctypeRefused:
            raise
        except SourceError as error:
            self.unread[name] = error.message
            return None

    def _read(self, page: int) -> PageReading:
        document = Document(self._package, self._styles, self._part)
        element = self._pages[page - 1]
        share = 0.0
        metadata: dict[str, Any] = {}
        if self._kind == "text":
            writer = self._read_text(document, element)
        elif self._kind == "slides":
            document.page = page
            slide = Slide(document, element)
            writer, share = slide.writer, slide.image_share
            if slide.hidden:
                self._hidden.add(page)
        else:
            writer = self._read_sheet(document, element, page, metadata)
        self._images[page] = document.images, share
        return writer.page(page, metadata=metadata)

    def _read_text(self, document: Document, body: Element) -> TextWriter:
        writer = TextWriter()
        document.deletions = deletions_of(body)
        Story(document).blocks(body, writer)
        document.write_notes(writer)
        masters = (
            None if self._package.styles is None else self._package.styles.find(OFFICE + "master-styles")
        )
        seen: set[str] = set()
        for margin, role in _MARGINS:
            for master in () if masters is None else masters:
                for name in (margin, f"{margin}-left", f"{margin}-first"):
                    held = master.find(STYLE + name)
                    held = master.find(LOEXT + name) if held is None else held
                    if held is None or held.get(STYLE + "display") == "false":
                        continue
                    text = TextWriter()
                    Story(document).blocks(held, text)
                    if text.text().strip() and text.text() not in seen:
                        seen.add(text.text())
                        start = writer.start_line()
                        writer.append(text)
                        writer.role(start, role)
        return writer

    def _read_sheet(
        self, document: Document, table: Element, page: int, metadata: dict[str, Any]
    ) -> TextWriter:
        writer = TextWriter()
        name = clean_text(table.get(TABLE + "name", ""))
        metadata["sheet"] = {"name": name}
        kept = _KEPT_COPY.match(name) is not None
        hidden = kept or self._styles.hides_sheet(table.get(TABLE + "style-name", ""))
        if hidden:
            metadata["sheet"]["hidden"] = True
            self._hidden.add(page)
        story = Story(document)
        read = SheetReader(story, table)
        layout = write_sheet(read.sheet, writer, caption=name, heads=read.heads)
        metadata["sheet"] |= described(read.sheet, layout)
        for shape in read.shapes:
            write_shape(story, shape, writer)
        document.notes += [("comment", comment) for comment in read.comments]
        document.write_notes(writer)
        if hidden:
            writer.hide(0)
        return writer

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        images, share = self._images.get(page, (0, 0.0))
        return PageEvidence(page, text_characters(reading), share, images, hidden=page in self._hidden)

    def _facts(self) -> Mapping[str, str]:
        if self._kind == "text":
            reading = self.reading(1)
            images = self._images.get(1, (0, 0.0))[0]
            found = {"table": len(reading.tables), "heading": len(reading.headings), "image": images}
            return {f"{noun}s": counted(count, noun) for noun, count in found.items() if count}
        noun = "worksheet" if self._kind == "sheets" else "slide"
        facts = {f"{noun}s": counted(self.page_count, noun)}
        if self._hidden:
            facts[f"hidden_{noun}s"] = counted(len(self._hidden), f"hidden {noun}")
        return facts

    def _described(self, page: int) -> Mapping[str, Any]:
        if page != 1:
            return {}
        facts: dict[str, Any] = {}
        flat = self._package.styles is self._package.content
        root = (
            self._package.content if flat else self._part("meta.xml") if "meta.xml" in self._package else None
        )
        if properties := self._package.properties(root):
            facts["properties"] = properties
        if self._package.embedded():
            facts["members"] = self._package.described()
        return facts

    def members(self) -> Iterator[Member]:
        """The foreign documents embedded in this one, in the order in which they are named."""
        return self._package.members()

    def close(self) -> None:
        """Release the source; calling it again does nothing."""
        self._package.close()
        super().close()
