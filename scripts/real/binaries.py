"""Small documents in the binary formats of Office 97, built record by record."""

from __future__ import annotations

import struct

from indx_format_office.compound_writer import compound_file

GUID = "C9EA79F9BACE118C8200AA004BA90B"
"""What the identifiers of the two parts of a link end with."""


def xls() -> bytes:
    """A worksheet with merged cells, numbers, a link, a comment's box and a chart."""
    head = _stream_head(5) + _record(0x0042, struct.pack("<H", 1200)) + _record(0x0022, bytes(2))
    font = struct.pack("<5H", 200, 0, 0x7FFF, 400, 0) + bytes(4) + _words("Arial")
    head += _record(0x0031, font) + _record(0x041E, struct.pack("<HH", 164, 10) + b"\0yyyy\\-mm\\-dd")
    head += b"".join(_record(0x00E0, struct.pack("<3H", 0, key, 1) + bytes(14)) for key in (0, 14, 164, 10))
    cells = b"".join(
        _record(0x0204, struct.pack("<4HB", row, 0, 0, 7, 0) + b"row %3d" % row)
        + _record(0x0203, struct.pack("<3Hd", row, 1, row % 4, 40000 + row / 8))
        for row in range(20)
    )
    address = "http://a.ex/\0".encode("utf-16-le")
    moniker = bytes.fromhex(
        "D0C9EA79F9BACE118C8200AA004BA90B0200000003000000E0C9EA79F9BACE118C8200AA004BA90B"
    )
    link = struct.pack("<4H", 1, 1, 0, 0) + moniker + struct.pack("<L", len(address)) + address
    box = _record(0x005D, struct.pack("<4H", 0x15, 0x12, 6, 1) + bytes(14))
    box += (
        _record(0x01B6, struct.pack("<2H6x2H4x", 0, 0, 4, 16))
        + _record(0x003C, b"\0text")
        + _record(0x003C, bytes(16))
    )
    merged = _record(0x00E5, struct.pack("<5H", 1, 2, 4, 0, 0))
    sheet = _stream_head(0x10) + cells + merged + _record(0x01B8, link) + box + _chart() + _record(10)
    name = _words("One")
    bound = _record(0x0085, struct.pack("<LBB", len(head) + 14 + len(name), 0, 0) + name)
    stream = head + bound + _record(10) + sheet
    return compound_file({"Workbook": stream.ljust(4096, b"\0")}, sector=512)


def _chart() -> bytes:
    title = _record(0x1025, bytes(26)) + _record(0x1033) + _record(0x100D, b"\0\0" + _words("Title"))
    title += _record(0x1027, struct.pack("<3H", 1, 0, 0)) + _record(0x1034)
    series = _record(0x1003, bytes(12)) + _record(0x1033) + _record(0x100D, b"\0\0" + _words("North"))
    values = b"".join(_record(0x0203, struct.pack("<3Hd", row, 0, 0, row * 1.5)) for row in range(5))
    return (
        _stream_head(0x20)
        + _record(0x1033)
        + (title + series + _record(0x1034) + _record(0x1034))
        + (_record(0x1065, b"\1\0") + values + _record(10))
    )


def _stream_head(kind: int) -> bytes:
    return _record(0x0809, struct.pack("<4H", 0x0600, kind, 0, 0) + bytes(8))


def _record(kind: int, data: bytes = b"") -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


def _words(text: str) -> bytes:
    """A short string, two bytes a letter."""
    return struct.pack("<BB", len(text), 1) + text.encode("utf-16-le")


def ppt() -> bytes:
    """Two slides of shapes, one of them with notes, saved twice."""
    shapes = [_shape(f"Shape {at} \u6771", (at * 100, 50, at * 100 + 90, 200)) for at in range(4)]
    slides = [_slide(*shapes), _slide(*shapes[:2], notes=1)]
    notes = _box(0x03F0, _atom(0x03F1, bytes(8), version=1), _drawing(_shape("Notes", (0, 0, 50, 50))))
    facts = struct.pack("<4l", 1000, 500, 500, 1000) + bytes(16) + struct.pack("<HHBBBB", 1, 0, 0, 0, 0, 0)
    lists = _listing(0, (2, 256), (3, 257)), _listing(2, (50, 1))
    document = _box(0x03E8, _atom(0x03E9, facts, version=1), *lists, _atom(0x03EA))
    stream, last = b"", 0
    for save in ({1: document, 2: slides[0], 3: slides[1], 50: notes}, {3: slides[1]}):
        places = b""
        for key, held in save.items():
            places += struct.pack("<LL", key | 1 << 20, len(stream))
            stream += held
        directory = len(stream)
        stream += _atom(0x1772, places)
        edit = struct.pack("<LHBBLLLLHH", 0, 0, 0, 3, last, directory, 1, 1000, 1, 0)
        last = len(stream)
        stream += _atom(0x0FF5, edit)
    user = _atom(0x0FF6, struct.pack("<LLLHHBBH", 20, 0xE391C05F, last, 0, 0x3F4, 3, 0, 0))
    return compound_file({"PowerPoint Document": stream, "Current User": user})


def _slide(*shapes: bytes, notes: int = 0) -> bytes:
    facts = struct.pack("<L8sLLHH", 1, bytes(8), 0x80000000, notes, 7, 0)
    return _box(0x03EE, _atom(0x03EF, facts, version=2), _drawing(*shapes))


def _drawing(*shapes: bytes) -> bytes:
    first = _atom(0xF009, bytes(16), version=1) + _atom(0xF00A, struct.pack("<LL", 1024, 5), version=2)
    return _box(0x040C, _box(0xF002, _box(0xF003, _box(0xF004, first), *shapes)))


def _shape(text: str, where: tuple[int, int, int, int]) -> bytes:
    left, top, right, bottom = where
    held = _atom(0xF00A, struct.pack("<LL", 1025, 0xA00), instance=202, version=2)
    held += _atom(0xF010, struct.pack("<4h", top, left, right, bottom))
    words = _atom(0x0F9F, struct.pack("<L", 4)) + _atom(0x0FA0, text.encode("utf-16-le"))
    return _box(0xF004, held, _box(0xF00D, words))


def _listing(instance: int, *entries: tuple[int, int]) -> bytes:
    held = [_atom(0x03F3, struct.pack("<LLlLL", number, 0, 0, name, 0)) for number, name in entries]
    return _box(0x0FF0, *held, instance=instance)


def _atom(kind: int, data: bytes = b"", *, instance: int = 0, version: int = 0) -> bytes:
    return struct.pack("<HHL", instance << 4 | version, kind, len(data)) + data


def _box(kind: int, *held: bytes, instance: int = 0) -> bytes:
    """A record of records."""
    return _atom(kind, b"".join(held), instance=instance, version=15)


def doc() -> bytes:
    """Paragraphs, a row of cells and a footnote, in one piece of text."""
    in_table = struct.pack("<HB", 0x2416, 1)
    row_end = in_table + struct.pack("<HB", 0x2417, 1) + struct.pack("<HHB2h", 0xD608, 6, 1, 0, 2000)
    body = [("Head\r", b""), ("Some text\r", b""), ("Cell\7", in_table), ("\7", row_end)] * 3 + [
        ("End\r", b"")
    ]
    note = [("\2 A note\r", b"")]
    base, text, bounds, said = 2048, "", [2048], []
    for words, operations in body + note:
        text += words
        bounds.append(base + 2 * len(text))
        held = struct.pack("<H", 0) + operations
        held += bytes(1 - len(held) % 2)
        said.append(bytes(((len(held) + 1) // 2,)) + held)
    stream = bytearray(base) + text.encode("utf-16-le")
    stream += bytes(-len(stream) % 512)
    page = len(stream) // 512
    stream += _page([base, bounds[-1]], [b""], 1) + _page(bounds, said, 13)
    pieces = struct.pack("<LLHLH", 0, len(text), 0, base, 0)
    table = b"\2" + struct.pack("<L", len(pieces)) + pieces
    struct.pack_into("<2L", stream, 0x1A2, 0, len(table))
    for where, number in ((0xFA, page), (0x102, page + 1)):
        struct.pack_into("<2L", stream, where, len(table), 12)
        table += struct.pack("<3L", base, bounds[-1], number)
    counts = [sum(len(words) for words, _ in story) for story in (body, note)]
    struct.pack_into("<HH6xH", stream, 0, 0xA5EC, 193, 0x0200)
    struct.pack_into("<2l", stream, 0x4C, *counts)
    return compound_file({"WordDocument": bytes(stream), "1Table": table})


def _page(bounds: list[int], said: list[bytes], entry: int) -> bytes:
    """A page of 512 bytes that says something of stretches of text."""
    page = bytearray(512)
    struct.pack_into(f"<{len(bounds)}L", page, 0, *bounds)
    free = 510
    for place, data in enumerate(said):
        if data:
            free = (free - len(data)) // 2 * 2
            page[free : free + len(data)] = data
            page[4 * len(bounds) + place * entry] = free // 2
    page[511] = len(said)
    return bytes(page)
