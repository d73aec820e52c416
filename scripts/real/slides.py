"""Slides as LibreOffice draws them, beside the boxes that a reading gives their shapes and chunks."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from real.deck import CHART_PAGE, make_deck

if TYPE_CHECKING:
    import numpy.typing as npt

    from indx import Indx
    from indx_core.ports import PageReading

__all__ = ["compare_slides"]

_SCALE = 1.5  # pixels a point
_DARK = 24
_NEAR = 2  # pixels by which a box may miss the edge of a letter
_SLACK = 0.004  # the same for words, in shares of the slide
_SECONDS = 120
# Text that is larger than its shape in the fonts of this machine leaves the box: that much of the ink may.
_COVERED = 0.95
_KINDS = (".pptx", ".odp", ".ppt")

Box: TypeAlias = "tuple[float, float, float, float]"
Word: TypeAlias = "tuple[str, Box]"


@dataclass
class SlideInk:
    """One slide: where the ink of its text lies, and which boxes have none.

    Attributes:
        page: Its number.
        ink: Pixels of text, less those of words in no box that lines without a place have.
        in_chunks: Those in the boxes of chunks.
        in_lines: Those in the boxes of lines, which are those of shapes and rows.
        boxes: How many boxes lines have.
        blank: How many of them hold no ink.
        empty: The share of their area without a word.
        unplaced: Lines without a place, notes and comments among them.
    """

    page: int
    ink: int
    in_chunks: int
    in_lines: int
    boxes: int
    blank: int
    empty: float
    unplaced: int


@contextmanager
def _drawn(path: Path, soffice: str) -> Iterator[Path]:
    """The PDF that LibreOffice makes of a presentation, hidden slides among its pages."""
    from indx_reader_libreoffice._profile import write_profile

    with tempfile.TemporaryDirectory(prefix="indx-slides-") as name:
        folder = Path(name)
        write_profile(folder / "profile")
        command = [
            soffice,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless", "--norestore", "--nolockcheck", "--convert-to", "pdf",
            "--outdir", str(folder), str(path),
        ]  # fmt: skip
        own = {"HOME": name, "LANG": "C.UTF-8", "SAL_USE_VCLPLUGIN": "svp"}
        kept = {key: os.environ[key] for key in ("PATH", "FONTCONFIG_FILE") if key in os.environ}
        subprocess.run(command, env=kept | own, capture_output=True, timeout=_SECONDS, check=True)
        yield folder / f"{path.stem}.pdf"


def _pages(pdf: Path) -> Iterator[tuple[int, npt.NDArray[np.bool_], npt.NDArray[np.bool_], list[Word]]]:
    """For each page its number, where its text has ink whatever its colour, where anything has, its words."""
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    document = pdfium.PdfDocument(pdf)
    for number in range(1, len(document) + 1):
        page = document[number - 1]
        words, whole = list(_words(page)), _ink(page)
        for item in list(page.get_objects(max_depth=1)):
            if item.type == raw.FPDF_PAGEOBJ_TEXT:
                raw.FPDFPageObj_SetFillColor(item, 0, 0, 0, 255)
            else:
                page.remove_obj(item)
        yield number, _ink(page), whole, words
        page.close()
    document.close()


def _ink(page: Any) -> npt.NDArray[np.bool_]:
    picture = page.render(scale=_SCALE, draw_annots=False, fill_color=(255, 255, 255, 255), grayscale=True)
    grey = picture.to_numpy().astype(np.int16)
    return grey.reshape(grey.shape[:2]) < 255 - _DARK


def _words(page: Any) -> Iterator[Word]:
    """The words of a page and the rectangles of their characters, in shares of the page."""
    width, height = page.get_size()
    text = page.get_textpage()
    count = text.count_chars()
    word, boxes = "", []
    for index in range(count + 1):
        sign = text.get_text_range(index, 1) if index < count else " "
        if sign.strip():
            word += sign
            boxes.append(text.get_charbox(index))
            continue
        if word:
            lefts, bottoms, rights, tops = zip(*boxes, strict=True)
            yield (
                word,
                (min(lefts) / width, 1 - max(tops) / height, max(rights) / width, 1 - min(bottoms) / height),
            )
        word, boxes = "", []


def _lines(reading: PageReading) -> Iterator[tuple[str, Box | None]]:
    for at, (start, end) in enumerate(zip(reading.line_starts, reading.line_ends, strict=True)):
        left, top, right, bottom = reading.boxes[4 * at : 4 * at + 4] if reading.boxes else [math.nan] * 4
        yield reading.text[start:end], None if math.isnan(left) else (left, top, right, bottom)


def _measure(number: int, ink: Any, words: list[Word], reading: PageReading, chunks: list[Box]) -> SlideInk:
    """Compare the ink of a slide with the boxes of its chunks and of its lines."""
    lines = list(_lines(reading))
    nowhere = {word for text, box in lines if box is None for word in text.split()}
    boxes = sorted({box for text, box in lines if box is not None and text.strip()})
    area = _area(ink, boxes)
    loose = [box for word, box in words if word in nowhere and not any(_holds(one, box) for one in boxes)]
    owed = ink & ~_area(ink, loose)
    return SlideInk(
        number,
        int(owed.sum()),
        int((owed & _area(ink, chunks)).sum()),
        int((owed & area).sum()),
        len(boxes),
        sum(not (ink & _area(ink, [box])).any() for box in boxes),
        1 - float((area & _area(ink, [box for _, box in words])).sum()) / max(1, int(area.sum())),
        sum(box is None for _, box in lines),
    )


def _area(ink: Any, boxes: list[Box]) -> Any:
    height, width = ink.shape
    covered = np.zeros_like(ink)
    for x0, y0, x1, y1 in boxes:
        left, right = int(x0 * width) - _NEAR, math.ceil(x1 * width) + _NEAR
        top, bottom = int(y0 * height) - _NEAR, math.ceil(y1 * height) + _NEAR
        covered[max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)] = True
    return covered


def _readings(path: Path, capability: str = "") -> dict[int, PageReading]:
    """What the reader made for the format reads, or the named capability."""
    from indx_core.deadline import Deadline
    from indx_core.discovery import default_registry
    from indx_core.ports import SourceContent
    from indx_source import recognise

    registry = default_registry()
    source = SourceContent.of_file(path)
    source = source.with_media_type(recognise(source, None, registry)[0])

    def of(group: str) -> list[Any]:
        found = [
            p.item for p in registry.usable(group) if source.media_type in p.item.declaration.media_types
        ]
        return [item for item in found if item.declaration.id != "libreoffice"]

    readers = [r for r in of("indx.capabilities") if r.declaration.kind == "native" or capability]
    reader = next(r for r in readers if r.declaration.id == capability or not capability)
    with closing(of("indx.observers")[0].open(source)) as session:
        pages = range(1, session.page_count + 1)
        return {page.page: page for page in reader.read(session, pages, deadline=Deadline())}


def _compare(indx: Indx, path: Path, soffice: str) -> list[SlideInk]:
    chunks: dict[int, list[Box]] = {}
    for block in indx.encode(path, granularities=["PAGE", "CHUNK"]).blocks:
        if block.scope == "CHUNK" and block.bbox is not None and block.page is not None:
            chunks.setdefault(block.page, []).append(tuple(block.bbox))
    readings = _readings(path)
    with _drawn(path, soffice) as pdf:
        return [
            _measure(number, ink, words, readings[number], chunks.get(number, []))
            for number, ink, _, words in _pages(pdf)
            if number in readings
        ]


def _misplaced(soffice: str) -> list[str]:
    """What LibreOffice draws elsewhere in a deck made here: words outside their boxes, ends of connectors."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.pptx"
        path.write_bytes(make_deck())
        readings, charts = _readings(path), _readings(path, "process-chart-parser")
        with _drawn(path, soffice) as pdf:
            for number, _, whole, words in _pages(pdf):
                found: dict[str, Box] = {}
                for word, box in words:  # a mirrored word is told in mirrored order
                    found.setdefault("".join(sorted(word)), box)
                placed = [
                    (cell.text, cell.box) for table in readings[number].tables for cell in table.cells
                ] or list(_lines(readings[number]))
                if number == CHART_PAGE:
                    drawn = (charts[number].metadata or {})["process_chart"]
                    placed += [(node["label"], tuple(node["bbox"])) for node in drawn["nodes"]]
                    wrong += [
                        f"an end of {edge['id']} at {point}"
                        for edge in drawn["edges"]
                        for point in edge.get("path", ())
                        if not (whole & _area(whole, [(*point, *point)])).any()
                    ]
                wrong += [
                    f"{text!r}: {found.get(''.join(sorted(text)))} is not in {box}"
                    for text, box in placed
                    if not _holds(box, found.get("".join(sorted(text))))
                ]
    return wrong


def _holds(box: Box | None, word: Box | None) -> bool:
    if box is None or word is None:
        return False
    low = all(box[at] - _SLACK <= word[at] for at in (0, 1))
    return low and all(word[at] <= box[at] + _SLACK for at in (2, 3))


def compare_slides(indx: Indx, data: Path) -> int:
    """Print the table of a corpus's slides; how many files, and shapes of a deck made here, fall short."""
    soffice = shutil.which("soffice")
    if soffice is None:
        print("no LibreOffice (`soffice` is not on the PATH): no slide was drawn, no box of slides compared")
        return 0
    misplaced = _misplaced(soffice)
    print(f"shapes of a deck made here: {len(misplaced)} misplaced", *misplaced, sep="\n  ")
    short = len(misplaced)
    rows = [json.loads(line) for line in (data / "manifest.jsonl").read_text("utf-8").splitlines()]
    print(
        "| slides | pages | ink in chunks | ink in shapes | blank boxes | boxes without a word | no place |"
    )
    print("|---|---|---|---|---|---|---|")
    for row in rows:
        if not row["path"].endswith(_KINDS) or row["outcome"] != "read":
            continue
        pages = _compare(indx, data / row["path"], soffice)
        ink = max(1, sum(page.ink for page in pages))
        in_chunks, in_lines = (
            sum(getattr(p, name) for p in pages) / ink for name in ("in_chunks", "in_lines")
        )
        blank, boxes = sum(page.blank for page in pages), sum(page.boxes for page in pages)
        bad = in_chunks < _COVERED or blank > 0
        short += bad
        empty = sum(page.empty for page in pages) / max(1, len(pages))
        print(
            f"| {row['path']}{' **short**' if bad else ''} | {len(pages)} | {in_chunks:.4f} | {in_lines:.4f} "
            f"| {blank} of {boxes} | {empty:.2f} | {sum(page.unplaced for page in pages)} |"
        )
    return short
