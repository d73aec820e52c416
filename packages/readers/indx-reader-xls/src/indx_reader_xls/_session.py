"""An open binary workbook: a page is a worksheet, in the order of the workbook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from indx_core.canonical import clean_text
from indx_core.errors import IndxError, SourceError
from indx_core.ports import PageEvidence, PageReading
from indx_core.text import counted
from indx_format_office import TextWriter
from indx_format_office.chart import write_chart
from indx_format_office.compound import is_compound, open_compound, read_stream
from indx_format_office.session import PagedSession, text_characters
from indx_format_office.sheetlayout import described, write_sheet
from indx_reader_xls._beside import Beside, listed, readings_in, sheet_at
from indx_reader_xls._cells import Cells
from indx_reader_xls._locked import unlocked
from indx_reader_xls._phonetic import Readings

__all__ = ["XlsSession"]

_MOST_TIMES: Final = 3
"""How often each byte of the records may be gone over, on average."""


class _Silence:
    """Where xlrd's remarks on a file go."""

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        return


class _Locked(Exception):
    """A password locks the workbook."""


class _Entry(NamedTuple):
    """A page: a sheet of the workbook, with its cells where it has any."""

    name: str
    hidden: bool
    cells: Any
    start: int | None


class XlsSession(PagedSession):
    """A binary workbook, parsed when it is opened."""

    _book: Any = None

    def _open(self) -> int:
        data = self.source.read()
        try:
            self._parse(data)
        except _Locked:
            data = unlocked(data)
            self._parse(data)
        self._cells = Cells(self._book)
        self._stream = _stream(data)
        self._guides: dict[int, Readings] | None = None
        self._looked_at = 0
        self._entries = self._listed()
        return len(self._entries)

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

    def _listed(self) -> list[_Entry]:
        """The worksheets and the sheets of charts in their order; the library keeps only the first."""
        found = [one for one in listed(self._stream, self._encoding) if one.kind != "other"]
        if sum(one.kind == "worksheet" for one in found) != len(self._sheets):
            return [_Entry(clean_text(one.name), bool(one.visibility), one, None) for one in self._sheets]
        left = iter(self._sheets)
        return [
            _Entry(one.name, one.hidden, next(left) if one.kind == "worksheet" else None, one.start)
            for one in found
        ]

    @property
    def _encoding(self) -> str:
        """How the strings of workbooks before Excel 97 are written."""
        return str(self._book.encoding or "cp1252")

    def _read(self, page: int) -> PageReading:
        entry = self._entries[page - 1]
        facts: dict[str, Any] = {"name": entry.name}
        if entry.hidden:
            facts["hidden"] = True
        writer = TextWriter()
        beside = self._beside(entry)
        if entry.cells is not None:
            facts |= self._write_cells(entry, beside, writer)
        for text in beside.boxes:
            with writer.block() as start:
                writer.write(text)
                writer.role(start, "text_box")
        for shape in beside.described:
            with writer.block() as start:
                writer.write(shape.text)
                writer.role(start, shape.role)
                if shape.hidden:
                    writer.hide(start)
        for chart in beside.charts:
            with writer.block() as start:
                # The values of a chart on a worksheet stand in cells.
                write_chart(chart if entry.cells is None else chart.without_values(), writer)
                writer.role(start, "caption")
        if beside.left_out:
            facts["left_out"] = f"{beside.left_out} more charts and text boxes"
        if entry.hidden:
            writer.hide(0)
        return writer.page(page, metadata={"sheet": facts})

    def _write_cells(self, entry: _Entry, beside: Beside, writer: TextWriter) -> dict[str, Any]:
        """Write the cells and the comments on them."""
        try:
            cells = self._cells.sheet(entry.cells)
            notes = [clean_text(note.text or "") for _, note in sorted(entry.cells.cell_note_map.items())]
        except IndxError:
            raise
        except Exception as error:  # a library's, on bytes that may be anything
            raise SourceError(f"the worksheet {entry.name!r} is damaged") from error
        cells.ruby = beside.readings
        facts = described(cells, write_sheet(cells, writer, caption=entry.name, heads=()))
        for note in notes:
            if note.strip():
                start = writer.start_line()
                writer.write(note.replace("\r\n", "\n").replace("\r", "\n").strip())
                writer.role(start, "comment")
        return facts

    def _beside(self, entry: _Entry) -> Beside:
        """What stands beside the cells of a sheet; sheets that overlap are not gone over for ever."""
        if entry.start is None:
            return Beside()
        if self._looked_at > _MOST_TIMES * len(self._stream):
            self.unread["charts"] = "the sheets of the workbook overlap"
            return Beside()
        if self._guides is None:
            self._guides = readings_in(self._stream)
        found = sheet_at(self._stream, entry.start, self._encoding, self._guides)
        self._looked_at += found.end - entry.start
        return found

    def _evidence(self, page: int, reading: PageReading) -> PageEvidence:
        return PageEvidence(page, text_characters(reading), hidden=self._entries[page - 1].hidden)

    def _facts(self) -> Mapping[str, str]:
        facts = {"worksheets": counted(self.page_count, "worksheet")}
        hidden = sum(entry.hidden for entry in self._entries)
        return facts | ({"hidden_worksheets": counted(hidden, "hidden worksheet")} if hidden else {})

    def _described(self, page: int) -> Mapping[str, Any]:
        author = clean_text(str(self._book.user_name or "")).strip()
        return {"properties": {"author": author}} if page == 1 and author else {}

    def close(self) -> None:
        """Forget the workbook; calling it again does nothing."""
        self._book, self._sheets, self._entries, self._stream = None, [], [], b""
        super().close()


def _stream(data: bytes) -> bytes:
    """The records of a workbook, in their container or without; none where it is still older."""
    if not is_compound(data):
        return data
    try:
        with open_compound(data) as file:
            return read_stream(file, "Workbook" if file.exists("Workbook") else "Book")
    except SourceError:
        return b""  # the library read it all the same
