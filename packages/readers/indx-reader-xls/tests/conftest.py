"""Binary workbooks built by the tests, record by record."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence

import pytest

from indx_format_office.compound_writer import compound_file

Cell = str | float | bool
FORMATS = (0, 14, 164, 10)
"""The formats of the cell styles: general, date, one that the workbook states, percent."""


def record(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def text(value: str, size: str = "H") -> bytes:
    return struct.pack(f"<{size}B", len(value), 1) + value.encode("utf-16-le")


def cell(row: int, column: int, value: Cell, style: int = 0) -> bytes:
    place = struct.pack("<3H", row, column, style)
    if isinstance(value, bool):
        return record(0x0205, place + struct.pack("<BB", value, 0))
    if isinstance(value, str):
        return record(0x0204, place + text(value))
    return record(0x0203, place + struct.pack("<d", value))


def sheet_records(
    cells: Sequence[tuple[int, int, Cell] | tuple[int, int, Cell, int]],
    *,
    merged: Sequence[tuple[int, int, int, int]] = (),
    hidden_rows: Sequence[int] = (),
    hidden_columns: Sequence[int] = (),
    links: Sequence[tuple[int, int, str]] = (),
    extra: bytes = b"",
) -> bytes:
    body = record(0x0809, struct.pack("<4H", 0x0600, 0x0010, 0, 0) + bytes(8))
    for column in hidden_columns:
        body += record(0x007D, struct.pack("<6H", column, column, 2560, 0, 1, 0))
    for row in hidden_rows:
        body += record(
            0x0208, struct.pack("<4H", row, 0, 9, 255) + bytes(4) + struct.pack("<L", 0x20 | 0xF << 24)
        )
    body += b"".join(cell(*one) for one in cells)
    if merged:
        areas = b"".join(struct.pack("<4H", *area) for area in merged)
        body += record(0x00E5, struct.pack("<H", len(merged)) + areas)
    for row, column, url in links:
        address = url.encode("utf-16-le") + b"\0\0"
        body += record(
            0x01B8,
            struct.pack("<4H", row, row, column, column)
            + bytes.fromhex("D0C9EA79F9BACE118C8200AA004BA90B")
            + struct.pack("<LL", 2, 3)
            + bytes.fromhex("E0C9EA79F9BACE118C8200AA004BA90B")
            + struct.pack("<L", len(address))
            + address,
        )
    return body + extra + record(0x000A, b"")


@pytest.fixture
def sheet() -> Callable[..., bytes]:
    """The records of one worksheet."""
    return sheet_records


@pytest.fixture
def xls() -> Callable[..., bytes]:
    """A workbook: its worksheets by name, which of them are hidden, its epoch."""

    def make(
        sheets: dict[str, bytes], *, hidden: Sequence[str] = (), epoch_1904: bool = False, extra: bytes = b""
    ) -> bytes:
        head = record(0x0809, struct.pack("<4H", 0x0600, 0x0005, 0, 0) + bytes(8)) + extra
        head += record(0x0042, struct.pack("<H", 1200)) + record(0x0022, struct.pack("<H", epoch_1904))
        head += record(0x0031, struct.pack("<HHHHH", 200, 0, 0x7FFF, 400, 0) + bytes(4) + text("Arial", "B"))
        head += record(0x041E, struct.pack("<H", 164) + text("yyyy\\-mm\\-dd hh:mm"))
        for key in FORMATS:
            head += record(0x00E0, struct.pack("<HHH", 0, key, 1) + bytes(14))
        sizes = sum(4 + 8 + len(text(name, "B")) - 2 for name in sheets)
        offset = len(head) + sizes + 4
        bounds = b""
        for name, body in sheets.items():
            bounds += record(0x0085, struct.pack("<LBB", offset, name in hidden, 0) + text(name, "B"))
            offset += len(body)
        stream = head + bounds + record(0x000A, b"") + b"".join(sheets.values())
        return compound_file({"Workbook": stream.ljust(4096, b"\0")}, sector=512)

    return make
