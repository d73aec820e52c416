"""Scans made here: pages set in the standard fonts, or drawn stroke by stroke, and kept as pictures only."""

from __future__ import annotations

import importlib.util
import zlib
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace

import pytest

from indx_core.ports import SourceContent

# The engine is too large for everybody's environment: `scripts/test install` runs these files with it.
collect_ignore = (
    [] if importlib.util.find_spec("rapidocr") else ["test_conformance.py", "test_recognition.py"]
)
if not importlib.util.find_spec("cv2"):
    collect_ignore += ["test_finding.py", "test_turning.py", "test_reading.py"]

WIDTH, HEIGHT = 595, 842

# Characters of straight strokes, on a grid of ten: the corners of each stroke.
STROKES: dict[str, Sequence[Sequence[tuple[float, float]]]] = {
    "一": [[(1, 5), (9, 5)]],
    "二": [[(2, 8), (8, 8)], [(1, 2), (9, 2)]],
    "三": [[(1.5, 8.5), (8.5, 8.5)], [(2, 5), (8, 5)], [(1, 1.5), (9, 1.5)]],
    "十": [[(1, 6), (9, 6)], [(5, 9.5), (5, 0.5)]],
    "土": [[(2, 6), (8, 6)], [(5, 9.5), (5, 1)], [(1, 1), (9, 1)]],
    "上": [[(5, 9.5), (5, 1)], [(5, 5.5), (8, 5.5)], [(1, 1), (9, 1)]],
    "下": [[(1, 9), (9, 9)], [(5, 9), (5, 0.5)], [(5.2, 6.5), (7.5, 4.8)]],
    "口": [[(1.5, 8.5), (8.5, 8.5), (8.5, 1.5), (1.5, 1.5), (1.5, 8.5)]],
    "日": [[(2, 9), (8, 9), (8, 1), (2, 1), (2, 9)], [(2, 5), (8, 5)]],
    "目": [[(2, 9.5), (8, 9.5), (8, 0.5), (2, 0.5), (2, 9.5)], [(2, 6.5), (8, 6.5)], [(2, 3.5), (8, 3.5)]],
    "田": [[(1.5, 9), (8.5, 9), (8.5, 1), (1.5, 1), (1.5, 9)], [(1.5, 5), (8.5, 5)], [(5, 9), (5, 1)]],
    "中": [[(1.5, 7.5), (8.5, 7.5), (8.5, 3.5), (1.5, 3.5), (1.5, 7.5)], [(5, 9.8), (5, 0.2)]],
    "山": [[(5, 9.5), (5, 1)], [(1.5, 6), (1.5, 1), (8.5, 1), (8.5, 6)]],
    "本": [
        [(1, 7), (9, 7)],
        [(5, 9.8), (5, 0.2)],
        [(4.8, 6.8), (1, 2.5)],
        [(5.2, 6.8), (9, 2.5)],
        [(3.3, 2), (6.7, 2)],
    ],
    "大": [[(1, 6.5), (9, 6.5)], [(5, 9.5), (4.6, 6), (1.2, 0.8)], [(5, 6.3), (8.8, 0.8)]],
    "木": [[(1, 7), (9, 7)], [(5, 9.8), (5, 0.2)], [(4.8, 6.8), (1, 2)], [(5.2, 6.8), (9, 2)]],
}


def words(x: float, y: float, text: str, size: float = 12) -> str:
    """Drawing of `text` in Helvetica, its baseline `y` points above the foot of the page."""
    safe = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {x} {y} Td ({safe}) Tj ET\n"


def strokes(x: float, y: float, text: str, size: float = 24, *, down: bool = False) -> str:
    """Drawing of Japanese `text` stroke by stroke; each character is as wide as high."""
    drawn = [f"{size / 12} w 1 J 1 j\n"]
    for number, character in enumerate(text):
        left, foot = (x, y - 1.15 * size * number) if down else (x + 1.1 * size * number, y)
        for line in STROKES[character]:
            points = [f"{left + size * a / 10:.2f} {foot + size * b / 10:.2f}" for a, b in line]
            drawn.append(f"{points[0]} m " + "".join(f"{point} l " for point in points[1:]) + "S\n")
    return "".join(drawn)


def pdf(
    *pages: str, image: tuple[int, int, bytes] | None = None, turn: int = 0, size=(WIDTH, HEIGHT)
) -> bytes:
    """A PDF of pages drawn as told; `image` is drawn over each page, as a scan is."""
    count = len(pages)
    objects = ["<</Type/Catalog/Pages 2 0 R>>"]
    kids = " ".join(f"{5 + 2 * n} 0 R" for n in range(count))
    objects.append(f"<</Type/Pages/Kids[{kids}]/Count {count}>>")
    objects.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    streams: dict[int, bytes] = {}
    if image is None:
        objects.append("null")
    else:
        across, down, rgb = image
        streams[4] = zlib.compress(rgb)
        objects.append(
            f"<</Type/XObject/Subtype/Image/Width {across}/Height {down}/BitsPerComponent 8"
            f"/ColorSpace/DeviceRGB/Filter/FlateDecode/Length {len(streams[4])}>>"
        )
    for number, content in enumerate(pages):
        resources = "<</Font<</F1 3 0 R>>" + ("/XObject<</I 4 0 R>>" if image else "") + ">>"
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {size[0]} {size[1]}]/Rotate {turn}"
            f"/Resources{resources}/Contents {6 + 2 * number} 0 R>>"
        )
        shown = f"q {size[0]} 0 0 {size[1]} 0 0 cm /I Do Q\n" if image else ""
        streams[6 + 2 * number] = (shown + content).encode("cp1252")
        objects.append(f"<</Length {len(streams[6 + 2 * number])}>>")
    out, offsets = b"%PDF-1.4\n", []
    for number, text in enumerate(objects, start=1):
        offsets.append(len(out))
        body = text.encode()
        if number in streams:
            body += b"\nstream\n" + streams[number] + b"\nendstream"
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size_of = len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n%b" % (size_of, table)
    return out + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size_of, out.rindex(b"xref\n0"))


def raster(drawing: str, *, dpi: int = 150, size=(WIDTH, HEIGHT)) -> tuple[int, int, bytes]:
    """Width, height and pixels of a drawn page."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf(drawing, size=size))
    try:
        bitmap = document[0].render(scale=dpi / 72, rev_byteorder=True)
        picture = bitmap.to_pil().convert("RGB")
        return picture.width, picture.height, picture.tobytes()
    finally:
        document.close()


def scan(drawing: str, *, text: str = "", turn: int = 0, dpi: int = 150) -> bytes:
    """A PDF whose page is a picture of what was drawn; `text` is drawn over it as text."""
    return pdf(text, image=raster(drawing, dpi=dpi), turn=turn)


@pytest.fixture
def draw() -> SimpleNamespace:
    """How scans are made."""
    return SimpleNamespace(words=words, strokes=strokes, pdf=pdf, raster=raster, scan=scan)


@pytest.fixture
def session() -> Iterator[Callable[..., object]]:
    """Opens bytes by the observer of their type."""
    from indx_reader_image.provider import observer as image_observer
    from indx_reader_pdf.provider import observer as pdf_observer

    sessions: list = []

    def opened(data: bytes, media_type: str = "application/pdf"):
        make = pdf_observer if media_type == "application/pdf" else image_observer
        sessions.append(make().open(SourceContent.of_bytes(data, media_type=media_type)))
        return sessions[-1]

    yield opened
    for one in sessions:
        one.close()
