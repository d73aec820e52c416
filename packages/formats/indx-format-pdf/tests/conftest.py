"""PDF files written by hand, so that a test states exactly what its page draws."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from indx_core.ports import SourceContent
from indx_format_pdf import PdfDocument

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")


def rc4(key: bytes, data: bytes) -> bytes:
    state = list(range(256))
    j = 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def literal(text: str | bytes) -> bytes:
    """A string of a content stream or dictionary."""
    raw = text if isinstance(text, bytes) else text.encode("cp1252")
    return b"(" + raw.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)") + b")"


def hexed(text: str) -> bytes:
    """A text string of a dictionary: UTF-16 with its mark, as hexadecimal."""
    return b"<FEFF" + text.encode("utf-16-be").hex().encode() + b">"


class Pdf:
    """A document in the making. Pages are added with `page`; `bytes()` is the file."""

    def __init__(self) -> None:
        self.objects: list[bytes] = [b"", b""]
        self.streams: dict[int, tuple[bytes, bytes]] = {}
        self.kids: list[int] = []
        self.catalog = b""
        self.trailer = b""
        self.password: str | None = None
        self.fonts = {
            "F1": self.add(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
        }
        self.xobjects: dict[str, int] = {}

    def add(self, body: bytes) -> int:
        self.objects.append(body)
        return len(self.objects)

    def stream(self, data: bytes, entries: bytes = b"") -> int:
        number = self.add(b"")
        self.streams[number] = (entries, data)
        return number

    def text(self, x: float, y: float, text: str | bytes, *, size: float = 12, font: str = "F1") -> bytes:
        """One text operation."""
        shown = text if isinstance(text, bytes) and text.startswith(b"<") else literal(text)
        return f"BT /{font} {size:g} Tf {x:g} {y:g} Td ".encode() + shown + b" Tj ET\n"

    def page(
        self,
        content: bytes = b"",
        *,
        box: tuple[float, ...] = (0, 0, 612, 792),
        rotate: int = 0,
        crop: tuple[float, ...] | None = None,
        annotations: tuple[bytes, ...] = (),
        entries: bytes = b"",
    ) -> int:
        """Add a page; the result is its object number."""
        fonts = b"".join(b"/%s %d 0 R" % (name.encode(), number) for name, number in self.fonts.items())
        drawn = b"".join(b"/%s %d 0 R" % (name.encode(), number) for name, number in self.xobjects.items())
        cropped = b"/CropBox[%s]" % numbers(crop) if crop else b""
        laid = (
            b"/Annots[%s]" % b" ".join(b"%d 0 R" % self.add(one) for one in annotations)
            if annotations
            else b""
        )
        body = b"<</Type/Page/Parent 2 0 R/MediaBox[%s]%s/Rotate %d/Resources<</Font<<%s>>/XObject<<%s>>>>"
        body %= (numbers(box), cropped, rotate, fonts, drawn)
        page = self.add(body + b"/Contents %d 0 R" % self.stream(content) + laid + entries + b">>")
        self.kids.append(page)
        return page

    def composite_font(
        self,
        name: str,
        *,
        encoding: str = "Identity-H",
        ordering: str = "Identity",
        to_unicode: dict[str, str] | None = None,
    ) -> None:
        """A font of two-byte codes that is not in the file; `to_unicode` maps code to text, both as hex."""
        descriptor = self.add(
            b"<</Type/FontDescriptor/FontName/Unheard/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0"
            b"/Ascent 900/Descent -200/CapHeight 700/StemV 80>>"
        )
        descendant = self.add(
            b"<</Type/Font/Subtype/CIDFontType2/BaseFont/Unheard/CIDSystemInfo<</Registry(Adobe)/Ordering(%s)"
            b"/Supplement 0>>/FontDescriptor %d 0 R/DW 1000>>" % (ordering.encode(), descriptor)
        )
        mapped = b""
        if to_unicode is not None:
            lines = "".join(f"<{code}> <{text}>\n" for code, text in to_unicode.items())
            table = (
                "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def "
                "/CMapType 2 def 1 begincodespacerange <0000><FFFF> endcodespacerange "
                f"{len(to_unicode)} beginbfchar\n{lines}"
                "endbfchar endcmap end end"
            )
            mapped = b"/ToUnicode %d 0 R" % self.stream(table.encode())
        self.fonts[name] = self.add(
            b"<</Type/Font/Subtype/Type0/BaseFont/Unheard/Encoding/%s/DescendantFonts[%d 0 R]%s>>"
            % (encoding.encode(), descendant, mapped)
        )

    def image(self, name: str) -> None:
        """A grey image of one pixel."""
        self.xobjects[name] = self.stream(
            b"\x80", b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
        )

    def bytes(self) -> bytes:
        """The file."""
        objects = list(self.objects)
        objects[0] = b"<</Type/Catalog/Pages 2 0 R%s>>" % self.catalog
        kids = b" ".join(b"%d 0 R" % kid for kid in self.kids)
        objects[1] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(self.kids), kids)
        trailer, key = self._encryption() if self.password is not None else (self.trailer, None)
        for number, (entries, data) in self.streams.items():
            if key is not None:
                data = rc4(hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10], data)
            objects[number - 1] = b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(data), data)
        out, places = bytearray(b"%PDF-1.7\n"), []
        for number, body in enumerate(objects, start=1):
            places.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(places) + 1, table)
        out += b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (
            len(places) + 1,
            trailer,
            start,
        )
        return bytes(out)

    def _encryption(self) -> tuple[bytes, bytes]:
        """The standard handler of the first kind: RC4 with a key of 40 bits, one password for both roles."""
        assert self.password is not None
        padded = (self.password.encode("latin-1") + _PADDING)[:32]
        owner = rc4(hashlib.md5(padded).digest()[:5], padded)
        identity = b"0123456789abcdef"
        key = hashlib.md5(padded + owner + b"\xfc\xff\xff\xff" + identity).digest()[:5]
        entry = b"<</Filter/Standard/V 1/R 2/O<%s>/U<%s>/P -4>>" % (
            owner.hex().encode(),
            rc4(key, _PADDING).hex().encode(),
        )
        return self.trailer + b"/Encrypt %s/ID[<%s><%s>]" % (entry, *[identity.hex().encode()] * 2), key


def numbers(values: tuple[float, ...]) -> bytes:
    return " ".join(f"{value:g}" for value in values).encode()


@pytest.fixture
def pdf() -> Pdf:
    """A document without pages."""
    return Pdf()


@pytest.fixture(scope="session")
def make_pdf() -> type[Pdf]:
    """The writer itself, for tests that need several documents."""
    return Pdf


@pytest.fixture
def opened():
    """Opens the bytes of a document, or a file; all are closed when the test ends."""
    documents: list[PdfDocument] = []

    def open_(data: Pdf | bytes | Path) -> PdfDocument:
        if isinstance(data, Path):
            source = SourceContent.of_file(data)
        else:
            source = SourceContent.of_bytes(data if isinstance(data, bytes) else data.bytes())
        documents.append(PdfDocument(source))
        return documents[-1]

    yield open_
    for document in documents:
        document.close()


@pytest.fixture
def lines(opened):
    """The lines of a page of a document."""

    def read(data: Pdf | bytes, number: int = 1) -> list[str]:
        page = opened(data).page(number)
        return [page.text[start:end] for start, end in zip(page.line_starts, page.line_ends, strict=True)]

    return read


@pytest.fixture(scope="session")
def hex_text():
    """A text string for a dictionary."""
    return hexed
