"""The documents that mutants are made of: those of the shared corpus, and a small one of each format."""

from __future__ import annotations

import base64
import json
import struct
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO

from real.binaries import doc, ppt, xls
from real.corpus import DATA

KINDS = {"pdf", "docx", "xlsx", "pptx", "html", "eml", "md", "csv", "tsv", "xml", "json", "ipynb"} | {
    *("png", "jpg", "jpeg", "tif", "webp", "xls", "ppt", "doc")
}
LARGEST = 600_000  # bytes; what is larger takes too long to be tried often
OPEN = "http://schemas.openxmlformats.org"


@dataclass(frozen=True)
class Seed:
    """A whole document."""

    kind: str
    name: str
    data: bytes


def seeds(*, corpus: bool) -> list[Seed]:
    """The documents, always in the same order."""
    found = [Seed(name.rpartition(".")[2], name, data) for name, data in built().items()]
    if corpus and DATA.is_dir():
        for path in sorted(DATA.rglob("*")):
            kind = path.suffix[1:].lower()
            if kind in KINDS and path.stat().st_size <= LARGEST:
                found.append(Seed(kind, path.relative_to(DATA).as_posix(), path.read_bytes()))
    return found


def built() -> dict[str, bytes]:
    """A small document of each format, with a table, a link and something that belongs to the format."""
    rows = "".join(f"<tr><td>Row {n}</td><td rowspan=2>{n * 7}</td></tr>" for n in range(8))
    page = f"<title>T</title><h1>Head</h1><p>Text <a href='x.html'>link</a></p><table>{rows}</table>"
    cells = [["Name", "Amount"], *[[f"row {n}", str(n * 3.5)] for n in range(12)]]
    notebook = {"cells": [{"cell_type": "markdown", "source": ["# Head\n", "text"], "metadata": {}}]}
    return {
        "built.md": b"---\ntitle: T\n---\n# Head\n\nText [link](x.md)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
        * 3,
        "built.csv": "\n".join(",".join(row) for row in cells).encode(),
        "built.html": page.encode(),
        "built.xml": b"<?xml version='1.0'?><a><b c='1'>text</b><b>more &amp; more</b></a>",
        "built.json": json.dumps({"rows": cells}).encode(),
        "built.ipynb": json.dumps({**notebook, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode(),
        "built.eml": mail(page),
        "built.png": png(24, 16),
        "built.pdf": pdf(),
        "built.docx": package("word/document.xml", "wordprocessingml.document", WORD, {}),
        "built.xlsx": package("xl/workbook.xml", "spreadsheetml.sheet", BOOK, {"s1": ("worksheet", SHEET)}),
        "built.pptx": package(
            "ppt/presentation.xml", "presentationml.presentation", DECK, {"s1": ("slide", SLIDE)}
        ),
        "built.xls": xls(),
        "built.ppt": ppt(),
        "built.doc": doc(),
    }


def mail(page: str) -> bytes:
    """A message in plain text and HTML with an attachment."""
    attached = base64.b64encode(b"name,value\na,1\n").decode()
    return (
        "From: a@example.org\nTo: b@example.org\nSubject: =?utf-8?B?44GC?= report\nMIME-Version: 1.0\n"
        "Content-Type: multipart/mixed; boundary=zz\n\n--zz\nContent-Type: text/plain; charset=utf-8\n\n"
        f"Hello\n> quoted\n\n--zz\nContent-Type: text/html\n\n{page}\n--zz\nContent-Type: text/csv\n"
        "Content-Disposition: attachment; filename=a.csv\nContent-Transfer-Encoding: base64\n\n"
        f"{attached}\n--zz--\n"
    ).encode()


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">2I5B", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def pdf() -> bytes:
    """Two pages of lines, a link and an outline."""
    drawn = "BT /F1 12 Tf 72 720 Td 14 TL " + "".join(f"(Line {n} of text) Tj T* " for n in range(20)) + "ET"
    stream = zlib.compress(drawn.encode())
    page = b"/Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 6 0 R>>>>"
    bodies = [
        b"<</Type/Catalog/Pages 2 0 R/Outlines 7 0 R>>",
        b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>",
        b"<<%s/Annots[<</Type/Annot/Subtype/Link/Rect[72 700 200 720]/A<</S/URI/URI(http://a.ex/)>>>>]>>"
        % page,
        b"<<%s/Rotate 90>>" % page,
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(stream), stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        b"<</Type/Outlines/First 8 0 R/Last 8 0 R/Count 1>>",
        b"<</Title(Head)/Parent 7 0 R/Dest[3 0 R/XYZ 72 700 0]>>",
    ]
    data, places = b"%PDF-1.7\n", []
    for number, body in enumerate(bodies, start=1):
        places.append(len(data))
        data += b"%d 0 obj%s endobj\n" % (number, body)
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    table += b"".join(b"%010d 00000 n \n" % place for place in places)
    trailer = b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(bodies) + 1, len(data))
    return data + table + trailer


WORD = (
    f'<w:document xmlns:w="{OPEN}/wordprocessingml/2006/main"><w:body><w:p><w:pPr>'
    '<w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Head</w:t></w:r></w:p><w:p><w:r><w:t>Some text</w:t></w:r>'
    "</w:p><w:tbl>"
    + '<w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge w:val="restart"/></w:tcPr><w:p><w:r><w:t>Cell'
    "</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr>"
    * 4
    + "</w:tbl></w:body></w:document>"
)
BOOK = (
    f'<workbook xmlns="{OPEN}/spreadsheetml/2006/main" xmlns:r="{OPEN}/officeDocument/2006/relationships">'
    '<workbookPr date1904="1"/><sheets><sheet name="One" sheetId="1" r:id="s1"/></sheets></workbook>'
)
SHEET = (
    f'<worksheet xmlns="{OPEN}/spreadsheetml/2006/main"><cols><col min="2" max="3" hidden="1"/></cols>'
    "<sheetData>"
    + "".join(
        f'<row r="{n}"><c r="A{n}" t="inlineStr"><is><t>row {n}</t></is></c><c r="B{n}"><v>{n}.5</v></c>'
        "</row>"
        for n in range(1, 20)
    )
    + '</sheetData><autoFilter ref="A1:B19"/><mergeCells count="1"><mergeCell ref="A2:A3"/></mergeCells>'
    "</worksheet>"
)
DECK = (
    f'<p:presentation xmlns:p="{OPEN}/presentationml/2006/main" '
    f'xmlns:r="{OPEN}/officeDocument/2006/relationships"><p:sldIdLst><p:sldId id="256" r:id="s1"/>'
    '</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>'
)
SLIDE = (
    f'<p:sld xmlns:p="{OPEN}/presentationml/2006/main" xmlns:a="{OPEN}/drawingml/2006/main"><p:cSld>'
    "<p:spTree>"
    + '<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm rot="60000">'
    '<a:off x="100" y="200"/><a:ext cx="3000" cy="4000"/></a:xfrm></p:spPr><p:txBody><a:p><a:r><a:t>Shape'
    "</a:t></a:r></a:p></p:txBody></p:sp>" * 3 + "</p:spTree></p:cSld></p:sld>"
)


def package(main: str, kind: str, text: str, parts: dict[str, tuple[str, str]]) -> bytes:
    """An Office package of a main part and parts related to it."""
    folder, _, name = main.rpartition("/")
    office = f"{OPEN}/officeDocument/2006/relationships"

    def relations(entries: str) -> str:
        return f'<Relationships xmlns="{OPEN}/package/2006/relationships">{entries}</Relationships>'

    def relation(key: str, role: str, target: str) -> str:
        return f'<Relationship Id="{key}" Type="{office}/{role}" Target="{target}"/>'

    media = f"application/vnd.openxmlformats-officedocument.{kind}.main+xml"
    entries = {
        "[Content_Types].xml": f'<Types xmlns="{OPEN}/package/2006/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/{main}" ContentType="{media}"/></Types>',
        "_rels/.rels": relations(relation("r1", "officeDocument", main)),
        main: text,
        f"{folder}/_rels/{name}.rels": relations(
            "".join(relation(key, role, f"{key}.xml") for key, (role, _) in parts.items())
        ),
        **{f"{folder}/{key}.xml": part for key, (_, part) in parts.items()},
    }
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, said in entries.items():
            archive.writestr(zipfile.ZipInfo(part), said, zipfile.ZIP_DEFLATED)
    return file.getvalue()
