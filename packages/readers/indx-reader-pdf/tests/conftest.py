"""Small PDF files written by hand."""

from __future__ import annotations

import pytest

IMAGE = b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"


def write_pdf(pages, *, files=(), outline=(), info=b"", trailer=b"", annotations=b"", form=b""):
    """A document of pages, each a content stream; `Im` is an image and `F1` Helvetica.

    `files` are names of embedded files, `outline` titles that lead to the first page, `info` the entries of
    the document's information, `annotations` those of the first page, in full; `form` is the XML of a form
    that draws itself.
    """
    bodies: list[bytes] = []

    def add(body: bytes) -> int:
        bodies.append(body)
        return len(bodies) + 2

    def stream(data: bytes, entries: bytes = b"") -> int:
        return add(b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data))

    resources = b"<</Font<</F1 %d 0 R>>/XObject<</Im %d 0 R>>>>" % (
        add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"),
        stream(b"\x80", IMAGE),
    )
    kids = []
    for number, content in enumerate(pages):
        laid = b"/Annots[%s]" % annotations if annotations and not number else b""
        body = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources%s/Contents %d 0 R%s>>"
        kids.append(
            b"null" if content is None else b"%d 0 R" % add(body % (resources, stream(content), laid))
        )
    catalog = b""
    if files:
        listed = b""
        for name in files:
            file = stream(b"bytes of " + name, b"/Type/EmbeddedFile")
            spec = add(b"<</Type/Filespec/F(%s)/UF(%s)/EF<</F %d 0 R>>>>" % (name, name, file))
            listed += b"(%s) %d 0 R " % (name, spec)
        catalog += b"/Names<</EmbeddedFiles<</Names[%s]>>>>" % listed
    if form:
        catalog += b"/AcroForm<</Fields[]/XFA %d 0 R>>/NeedsRendering true" % stream(form)
    if outline:
        first = len(bodies) + 3
        root = first + len(outline)
        for number, title in enumerate(outline):
            following = b"/Next %d 0 R" % (first + number + 1) if number + 1 < len(outline) else b""
            add(b"<</Title(%s)/Parent %d 0 R/Dest[%s/Fit]%s>>" % (title, root, kids[0], following))
        add(b"<</Type/Outlines/First %d 0 R/Last %d 0 R/Count %d>>" % (first, root - 1, len(outline)))
        catalog += b"/Outlines %d 0 R" % root
    if info:
        trailer += b"/Info %d 0 R" % add(b"<<%s>>" % info)
    head = [
        b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
        b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids)),
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


def show(x, y, text):
    return f"BT /F1 12 Tf {x} {y} Td ({text}) Tj ET\n".encode("cp1252")


SCAN = b"q 612 0 0 792 0 0 cm /Im Do Q"


@pytest.fixture(scope="session")
def pdf():
    """Writes a document of pages given as content streams."""
    return write_pdf


@pytest.fixture(scope="session")
def text():
    """The content stream of one line at a place."""
    return show


@pytest.fixture(scope="session")
def scan() -> bytes:
    """The content stream of a page that is one image."""
    return SCAN


@pytest.fixture(scope="session")
def samples():
    """Documents for the kits: bytes, pages, snippets by page, unread pages with reasons, members."""
    link = b"<</Type/Annot/Subtype/Link/Rect[70 695 200 715]/A<</S/URI/URI(https://example.org)>>>>"
    note = b"<</Type/Annot/Subtype/Text/Rect[500 700 520 720]/Contents(check this)>>"
    mixed = write_pdf(
        [show(72, 700, "Hello world") + show(72, 680, "second line"), SCAN, b"", show(72, 700, "last")],
        outline=(b"Hello world",),
        info=b"/Title(A title)/Author(Ada)",
        annotations=link + note,
        files=(b"data.csv",),
    )
    return (
        {
            "data": mixed,
            "pages": 4,
            "expected": {1: ["Hello world\nsecond line", "check this"], 3: [], 4: ["last"]},
            "unread": {2: "no_text_layer"},
            "members": ["data.csv"],
        },
        {
            "data": write_pdf([show(72, 700, '"7+%-')]),
            "pages": 1,
            "expected": [],
            "unread": {1: "implausible_text"},
            "members": [],
        },
    )
