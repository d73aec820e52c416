"""An open binary workbook: a page is a worksheet, in the order of the workbook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from indx_core.canonical import clean_text
from indx_core.errors import IndxError, SourceError
from indx_core.ports import PageEvidence, PageReading
from indx_format_ooxml import TextWriter
from indx_format_ooxml.session import PagedSession, counted, text_characters
from indx_format_ooxml.sheetlayout import described, write_sheet
from indx_reader_xls._cells import Cells
from indx_reader_xls._locked import unlocked

__all__ = ["XlsSession"]


class _Silence:
    """Where xlrd's remarks on a file go."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        return


class _Locked(Exception):
    """A password locks the workbook."""


class XlsSession(PagedSession):
    """A binary workbook, parsed when it is opened."""

    _book: Any = None

    def _open(self) -> int:
        data = self.source.read()
        try:
            self._parse(data)
        except _Locked:
            self._parse(unlocked(data))
        self._cells = Cells(self._book)
        return len(self._sheets)

    def _parse(self, data: bytes) -> None:
        import xlrd  # type: ignore[import-untyped]

        try:
            self._book = xlrd.open_workbook(
                file_contents=data, formatting_info=True, ragged_rows=True, logfile=_Silence()
            )
            self._sheets = self._book.sheets()
        except Exception as error:  # a library's, on bytes that may be anything
            if isinstance(error, xlrd.XLRDError) and "encrypted" in str(error):
                raise _Locked from None
            raise SourceError(
                "the bytes are no Excel workbook that can be opened; check that it is whole"
            ) from error

    def _read(self, page: int) -> PageReading:
        sheet = self._sheets[page - 1]
        name = clean_text(sheet.name)
        facts: dict[str, Any] = {"name": name}
        if sheet.visibility:
            facts["hidden"] = True
        writer = TextWriter()
        try:
            cells = self._cells.sheet(sheet)
            notes = [clean_text(note.text or "") for _, note in sorted(sheet.cell_note_map.items())]
        except IndxError:
            raise
        except Exception as error:  # a library's, on bytes that may be anything
            raise SourceError(f"the worksheet {name!r} is damaged") from error
        facts |= described(cells, write_sheet(cells, writer, caption=name, heads=()))
        for note in notes:
            if note.strip():
                start = writer.start_line()
                writer.write(note.replace("\r\n", "\n").replace("\r", "\n").strip())
                writer.role(start, "comment")
        if sheet.visibility:
            writer.hide(0)
        return writer.page(page, metadata={"sheet": facts})

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        hidden = bool(self._sheets[page - 1].visibility)
        return PageEvidence(page, text_characters(reading), hidden=hidden)

    def _facts(self) -> Mapping[str, str]:
        facts = {"worksheets": counted(self.page_count, "worksheet")}
        hidden = sum(bool(sheet.visibility) for sheet in self._sheets)
        return facts | ({"hidden_worksheets": counted(hidden, "hidden worksheet")} if hidden else {})

    def _described(self, page: int) -> Mapping[str, Any]:
        author = clean_text(str(self._book.user_name or "")).strip()
        return {"properties": {"author": author}} if page == 1 and author else {}

    def close(self) -> None:
        """Forget the workbook; calling it again does nothing."""
        self._book, self._sheets = None, []
        super().close()
