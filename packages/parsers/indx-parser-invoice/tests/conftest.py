"""Invoices built by the tests: as text of a page, and as PDF, Word and HTML."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import Observation, PageReading, SourceContent
from indx_parser_invoice._invoices import Invoice, invoices_in
from indx_parser_invoice.provider import WORD, parser
from indx_testkit.samples import StubSession

Rows = Sequence[Sequence[str]]

ENGLISH: Rows = (
    ("Acme Ltd", "INVOICE"),
    ("Bill To:", "Ship To:", "Invoice No: INV-0042"),
    ("Beta Inc", "Beta Depot", "Invoice Date: 5/8/2026"),
    ("12 Road", "3 Yard", "Due Date: 6/7/2026"),
    ("Description", "Qty", "Price", "Total"),
    ("Widget", "2", "$617.25", "$1,234.50"),
    ("Subtotal", "$1,234.50"),
    ("Sales Tax (10%)", "$123.45"),
    ("Total", "$1,357.95"),
    ("Tax ID: 12-3456789",),
)
JAPANESE: Rows = (
    ("請求書",),
    ("株式会社山田商事 御中",),
    ("請求書番号：２０２６-００１",),
    ("請求日", "2026年5月8日"),
    ("お支払期限：令和8年6月30日",),
    ("ご請求金額 ￥１１，０００－（税込）",),
    ("株式会社サンプル",),
    ("登録番号：T1234567890123",),
    ("品名", "数量", "単価", "金額"),
    ("部品", "2", "5,000", "10,000"),
    ("小計", "10,000"),
    ("消費税（10%）", "1,000"),
    ("合計", "11,000"),
    ("振込先：みずほ銀行 株式会社サンプル",),
)


def as_text(rows: Rows) -> str:
    return "\n".join("\t".join(row) for row in rows)


def as_html(rows: Rows, *, title: str = "x") -> bytes:
    body = "".join(
        f"<p>{row[0]}</p>"
        if len(row) == 1
        else f"<table><tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr></table>"
        for row in rows
    )
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>".encode()


def as_docx(rows: Rows, *, header: str = "", markup: Mapping[str, str] | None = None) -> bytes:
    """A document; `markup` is put in the place of what stands in its body."""
    office = "http://schemas.openxmlformats.org"
    kind = f"{office}/officeDocument/2006/relationships"
    word = f'xmlns:w="{office}/wordprocessingml/2006/main" xmlns:r="{kind}"'

    def paragraph(text: str) -> str:
        return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"

    def line(row: Sequence[str]) -> str:
        if len(row) == 1:
            return paragraph(row[0])
        return f"<w:tbl><w:tr>{''.join(f'<w:tc>{paragraph(cell)}</w:tc>' for cell in row)}</w:tr></w:tbl>"

    def relation(name: str, target: str) -> str:
        return (
            f'<Relationships xmlns="{office}/package/2006/relationships"><Relationship Id="h" '
            f'Type="{kind}/{name}" Target="{target}"/></Relationships>'
        )

    section = '<w:sectPr><w:headerReference w:type="default" r:id="h"/></w:sectPr>' if header else ""
    body = "".join(map(line, rows)) + section
    for old, new in (markup or {}).items():
        body = body.replace(old, new)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{office}/package/2006/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/><Override PartName="/word/document.xml" '
        f'ContentType="{WORD[0]}.main+xml"/></Types>',
        "_rels/.rels": relation("officeDocument", "word/document.xml"),
        "word/document.xml": f"<w:document {word}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relation("header", "header1.xml"),
    }
    if header:
        parts["word/header1.xml"] = f"<w:hdr {word}>{paragraph(header)}</w:hdr>"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def content(rows: Rows) -> bytes:
    """A page's content stream: a line a row, its cells 140 points apart."""
    lines = []
    for number, row in enumerate(rows):
        for column, cell in enumerate(row):
            words = (
                f"/F1 10 Tf <{cell.encode('cp1252').hex()}>"
                if cell.isascii()
                else f"/F2 10 Tf <{cell.encode('utf-16-be').hex()}>"
            )
            lines.append(f"BT {words} Tj ET".replace("Tf", f"Tf {40 + 140 * column} {760 - 20 * number} Td"))
    return "\n".join(lines).encode("ascii")


SCAN = b"q 612 0 0 792 0 0 cm /Im Do Q"


def as_pdf(*pages: Rows | bytes, information: bytes = b"") -> bytes:
    """A document of pages, each rows of cells or a content stream."""
    bodies: list[bytes] = []

    def add(body: bytes) -> int:
        bodies.append(body)
        return len(bodies) + 2

    def stream(data: bytes, entries: bytes = b"") -> int:
        return add(b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data))

    latin = add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    glyphs = add(
        b"<</Type/Font/Subtype/CIDFontType0/BaseFont/Kozuka/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)"
        b"/Supplement 2>>/DW 1000/FontDescriptor<</Type/FontDescriptor/FontName/Kozuka/Flags 4/ItalicAngle 0"
        b"/FontBBox[0 -200 1000 900]/Ascent 900/Descent -200/CapHeight 700/StemV 80>>>>"
    )
    japanese = add(
        b"<</Type/Font/Subtype/Type0/BaseFont/Kozuka/Encoding/UniJIS-UTF16-H/DescendantFonts[%d 0 R]>>"
        % glyphs
    )
    image = stream(
        b"\x80", b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
    )
    resources = b"<</Font<</F1 %d 0 R/F2 %d 0 R>>/XObject<</Im %d 0 R>>>>" % (latin, japanese, image)
    kids = b" ".join(
        b"%d 0 R"
        % add(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources%s/Contents %d 0 R>>"
            % (resources, stream(page if isinstance(page, bytes) else content(page)))
        )
        for page in pages
    )
    trailer = b"/Info %d 0 R" % add(b"<<%s>>" % information) if information else b""
    head = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(pages), kids),
    ]
    out, places = bytearray(b"%PDF-1.7\n"), []
    for number, body in enumerate(head + bodies, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(places) + 1, table)
    out += b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, trailer, start)
    return bytes(out)


@pytest.fixture(scope="session")
def english() -> Rows:
    """The rows of an English invoice."""
    return ENGLISH


@pytest.fixture(scope="session")
def japanese() -> Rows:
    """The rows of a Japanese invoice."""
    return JAPANESE


@pytest.fixture(scope="session")
def scan() -> bytes:
    """The content stream of a page that is one image."""
    return SCAN


@pytest.fixture(scope="session")
def pdf() -> Callable[..., bytes]:
    """Writes PDF documents."""
    return as_pdf


@pytest.fixture(scope="session")
def docx() -> Callable[..., bytes]:
    """Writes Word documents; a row of several cells is a table."""
    return as_docx


@pytest.fixture(scope="session")
def html() -> Callable[..., bytes]:
    """Writes HTML documents; a row of several cells is a table."""
    return as_html


@pytest.fixture(scope="session")
def text() -> Callable[[Rows], str]:
    """Rows as text, a tab between cells."""
    return as_text


@pytest.fixture(scope="session")
def invoices() -> Callable[..., list[Invoice]]:
    """The invoices in pages of text."""
    return lambda *pages: list(invoices_in(enumerate(pages, start=1)))


@pytest.fixture(scope="session")
def fields(invoices: Callable[..., list[Invoice]]) -> Callable[..., dict[str, Any]]:
    """The fields of the one invoice in pages of text."""

    def read(*pages: str) -> dict[str, Any]:
        (found,) = invoices(*pages)
        return dict(found.as_json())

    return read


@pytest.fixture(scope="session")
def read() -> Callable[..., list[PageReading]]:
    """Readings of all pages of a document, by a session of somebody else."""

    def call(data: bytes, media_type: str, pages: int = 1) -> list[PageReading]:
        session = StubSession(SourceContent.of_bytes(data, media_type=media_type), pages)
        return list(parser().read(session, range(1, pages + 1), deadline=Deadline()))

    return call


@pytest.fixture(scope="session")
def recognise() -> Callable[..., Any]:
    """Signatures of a document that nobody has observed."""

    def call(data: bytes, media_type: str) -> Any:
        session = StubSession(SourceContent.of_bytes(data, media_type=media_type))
        return parser().recognise(Observation(media_type, ()), session)

    return call
