"""Documents made to break their reader: each gets a typed answer, and the next document is read as ever.

What a reader itself does wrong (an abort, an endless loop, memory without end) is made by the providers of
the runtime's own tests; here are the files, read by those that are installed.
"""

import base64
import io
import struct
import zipfile
import zlib

import pytest

from indx import Indx
from indx_core.contracts import EncodeRequest, InlineSource
from indx_core.errors import IndxError
from indx_runtime import Engine, Workers, work

HELLO = b"BT /F1 12 Tf 72 700 Td (hello) Tj ET"
DRAW = b"q 612 0 0 792 0 0 cm /X Do Q"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def pdf(*objects):
    """A PDF of objects as they are, the first its catalogue."""
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(places) + 1
    return bytes(out + b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, start))


def tree(*rest):
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", *rest)


def page(stream=HELLO, *, box=b"0 0 612 792", length=None, how=b"", drawn=b"<<>>"):
    """A PDF of one page that shows `stream`, and may draw the object `X`."""
    return tree(
        b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[%b]/Contents 4 0 R" % box
        + b"/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>",
        b"<</Length %b%b>>\nstream\n%b\nendstream" % (length or b"%d" % len(stream), how, stream),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        drawn,
    )


def picture(side, data=b"x"):
    """An image of `side` by `side` pixels that holds `data` in their place."""
    packed = zlib.compress(data)
    size = b"/Width %d/Height %d/Length %d" % (side, side, len(packed))
    facts = b"/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode"
    return b"<</Type/XObject%b%b>>\nstream\n%b\nendstream" % (facts, size, packed)


def packed_spaces(mebibytes):
    deflate = zlib.compressobj(9)
    parts = [deflate.compress(b" " * (1 << 20)) for _ in range(mebibytes)]
    return b"".join([*parts, deflate.compress(HELLO), deflate.flush()])


def chained_pages(depth):
    nodes = (b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % (n + 1) for n in range(2, depth))
    return tree(*nodes, b"<</Type/Page/MediaBox[0 0 9 9]>>")


def empty_pages(count):
    kids = b" ".join(b"%d 0 R" % number for number in range(3, count + 3))
    return tree(
        b"<</Type/Pages/Count %d/MediaBox[0 0 9 9]/Kids[%b]>>" % (count, kids),
        *[b"<</Type/Page/Parent 2 0 R>>"] * count,
    )


def png(side):
    def piece(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + piece(b"IHDR", head) + piece(b"IDAT", body) + piece(b"IEND", b"")


def laughing(root="l"):
    """A document type whose entity `m` is a thousand thousand million words."""
    entities = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12))
    return f'<?xml version="1.0"?><!DOCTYPE {root} [<!ENTITY a "ha">{entities}]>'


def word(make, document):
    return make.package("word/document.xml", "wordprocessingml.document", {"word/document.xml": document})


def packed_word(make, mebibytes):
    """A Word document whose main part is nothing but white space, well packed."""
    small = io.BytesIO(word(make, f'<w:document xmlns:w="{WORD}"/>'))
    made = io.BytesIO()
    with zipfile.ZipFile(small) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            with new.open(name, "w") as part:
                part.write(old.read(name))
                for _ in range(mebibytes if name == "word/document.xml" else 0):
                    part.write(b" " * (1 << 20))
    return made.getvalue()


READ = {
    "a page of 14,400 points": lambda _: page(box=b"0 0 14400 14400"),
    "a page without end": lambda _: page(box=b"0 0 1000000000 1000000000"),
    "a page of no size": lambda _: page(box=b"0 0 1e400 -5"),
    "a stream said to be longer than the file": lambda _: page(length=b"1000000000"),
    "a stream said to be shorter than it is": lambda _: page(length=b"3"),
    "a stream of a negative length": lambda _: page(length=b"-5"),
    "a stream that is its own length": lambda _: page(length=b"4 0 R"),
    "states saved a million times": lambda _: page(b"q " * 1_000_000 + HELLO),
    "a table of more objects than there are": lambda _: page().replace(b"/Size 7", b"/Size 2147483647"),
    "half a million elements in each other": lambda _: b"<!doctype html>" + b"<div>" * 500_000 + b"hello",
    "quotes in quotes": lambda _: b">" * 300_000 + b" hello",
    "brackets in brackets": lambda _: b"# hello\n" + b"[" * 300_000 + b"]" * 300_000,
}


@pytest.fixture(scope="module")
def isolated():
    """The engine with one worker that may take 700 MB."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("INDX_WORKERS", "1")
        patch.setenv("INDX_WORKER_MEMORY_BYTES", "700000000")
        with Indx(isolate=True) as indx:
            yield indx


@pytest.fixture
def pages(isolated, make):
    """The pages that a document is read as; afterwards the engine reads on."""

    def read(data, filename="x.bin"):
        source = {"type": "inline", "data": base64.b64encode(data).decode(), "filename": filename}
        result = isolated.encode({"source": source, "granularities": ["PAGE"]})
        return [block for block in result.blocks if block.scope == "PAGE"]

    def answer(data, filename="x.bin"):
        try:
            return read(data, filename)
        except IndxError as error:
            return error
        finally:
            assert [block.text for block in read(make.pdf(["still here"]))] == ["still here"]

    return answer


@pytest.mark.parametrize("name", READ)
def test_what_can_be_read_is_read(pages, make, name):
    data = READ[name](make)
    suffix = "pdf" if data.startswith(b"%PDF") else "html" if data.startswith(b"<!") else "md"
    (block,) = pages(data, f"x.{suffix}")
    assert block.status == "ok"
    assert "hello" in block.text


UNREAD = {
    "a form that draws itself": lambda _: page(
        b"/X Do",
        drawn=b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>/Length 5>>"
        b"\nstream\n/X Do\nendstream",
    ),
    "a picture of thirty thousand million bytes": lambda _: page(DRAW, drawn=picture(100_000)),
    "a picture that unpacks to more than it shows": lambda _: page(DRAW, drawn=picture(9, bytes(50_000_000))),
    "pages in each other, twenty thousand deep": lambda _: chained_pages(20_000),
    "pages that hold themselves": lambda _: tree(b"<</Type/Pages/Count 2/Kids[2 0 R 2 0 R]>>"),
    "a stream that unpacks to a gibibyte": lambda _: page(packed_spaces(1024), how=b"/Filter/FlateDecode"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_a_page_of_which_nothing_can_be_read_says_why(pages, make, name):
    found = pages(UNREAD[name](make))
    assert found
    for block in found:
        assert block.status in ("unreadable", "failed")
        assert block.reason


REFUSED = {
    "a hundred thousand empty pages": (lambda _: empty_pages(100_000), "input_too_large"),
    "pages that are only counted": (
        lambda _: tree(
            b"<</Type/Pages/Count 100000/Kids[3 0 R]>>", b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"
        ),
        "input_too_large",
    ),
    "an image of three thousand million pixels": (lambda _: png(60_000), "input_too_large"),
    "entities in a Word document": (
        lambda make: word(make, f'{laughing("w:document")}<w:document xmlns:w="{WORD}">&m;</w:document>'),
        "source_unreadable",
    ),
    "elements in each other in a Word document": (
        lambda make: word(
            make, f'<w:document xmlns:w="{WORD}">{"<w:sdt>" * 99_999}{"</w:sdt>" * 99_999}</w:document>'
        ),
        "source_unreadable",
    ),
    "a Word document of white space, packed": (lambda make: packed_word(make, 300), "input_too_large"),
    "a notebook of brackets": (lambda _: b'{"cells":' + b"[" * 200_000, "source_unreadable"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_opened_is_refused_in_one_line(pages, make, name):
    made, code = REFUSED[name]
    error = pages(made(make), "x.ipynb" if "notebook" in name else "x.bin")
    assert isinstance(error, IndxError), error
    assert error.code == code
    assert len(error.message) < 400
    assert "\n" not in error.message


@pytest.mark.parametrize(
    "markup",
    [
        f"{laughing()}<l>&m;</l>",
        "<?xml version='1.0'?><!DOCTYPE l [<!ENTITY m SYSTEM 'file:///etc/hostname'>]><l>&m;</l>",
    ],
)
def test_entities_of_xml_are_neither_multiplied_nor_fetched(pages, markup):
    (block,) = pages(markup.encode(), "x.xml")
    assert len(block.text) <= len(markup)
    assert "&m;" in block.text


def test_a_large_document_is_read_in_a_worker_whatever_its_type(monkeypatch):
    monkeypatch.setattr(work, "_LARGE", 20)
    given = []
    with Workers(1) as pool:
        run = pool.run
        monkeypatch.setattr(pool, "run", lambda job, *more: given.append(job.content.size) or run(job, *more))
        engine = Engine(workers=pool)
        for text in ("a short text", "a text that is longer than the other"):
            source = InlineSource(data=text.encode(), media_type="text/plain")
            result = engine.encode(EncodeRequest(source=source))
            assert [block.text for block in result.blocks if block.scope == "PAGE"] == [text]
    assert given == [36]
