"""Scans read by the real engine."""

from __future__ import annotations

import dataclasses
import io
import math

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from indx_core.contracts import EncodeRequest
from indx_core.deadline import Deadline
from indx_reader_ocr.provider import reader
from indx_testkit.checks import assert_reading

ENGLISH = (
    "Annual report of the harbour office",
    "The quick brown fox jumps over the lazy dog.",
    "Page one of three, written in plain words.",
    "Costs rose by 1,234.56 dollars in May.",
)
JAPANESE = ("日本大山田中木", "山本二三土木口", "目上下口十山田")


def text_of(draw, lines=ENGLISH, x=72, y=760):
    return "".join(draw.words(x, y - 24 * n, line) for n, line in enumerate(lines))


def japanese(draw, *, down=False):
    if down:
        return "".join(draw.strokes(480 - 50 * n, 740, line, down=True) for n, line in enumerate(JAPANESE))
    return "".join(draw.strokes(72, 760 - 50 * n, line) for n, line in enumerate(JAPANESE))


def read(session, pages=(1,)):
    found = list(reader().read(session, pages, deadline=Deadline()))
    for one in found:
        assert_reading(one)
    return found


def as_file(picture, kind, **options):
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def picture(draw, drawing, **more):
    width, height, rgb = draw.raster(drawing, **more)
    return Image.frombytes("RGB", (width, height), rgb)


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_a_scan_is_read_whichever_way_up_and_its_boxes_cover_its_words(draw, session, turn):
    opened = session(draw.scan(text_of(draw), turn=turn))
    (page,) = read(opened)
    assert page.text.splitlines() == list(ENGLISH)
    assert page.confidence > 0.95
    drawn = opened.render(1, dpi=72, max_pixels=10**7)
    ink = np.frombuffer(drawn.rgb, dtype=np.uint8).reshape(drawn.height, drawn.width, 3)[:, :, 0] < 128
    covered = np.zeros_like(ink)
    for at in range(0, len(page.boxes), 4):
        x0, y0, x1, y1 = page.boxes[at : at + 4]
        rows = slice(math.floor(y0 * drawn.height), math.ceil(y1 * drawn.height))
        columns = slice(math.floor(x0 * drawn.width), math.ceil(x1 * drawn.width))
        covered[rows, columns] = True
        assert ink[rows, columns].any()
    assert ink[covered].sum() >= 0.97 * ink.sum()


@pytest.mark.parametrize(("degrees", "turn"), [(-3, 0), (1, 180), (3, 0)])
def test_a_page_that_lies_askew_is_read_in_its_order(draw, session, degrees, turn):
    left = ["The first column begins here", "and goes on for a few lines,", "so that it is running text."]
    right = ["The second one has the same", "height as the first one, and", "stands beside its lines."]
    drawing = text_of(draw, left, x=72, y=600) + text_of(draw, right, x=320, y=600)
    shown = picture(
        draw, draw.words(72, 640, "A heading over both of the columns of this page", 16) + drawing
    )
    askew = shown.rotate(degrees + turn, resample=Image.Resampling.BICUBIC, fillcolor="white")
    (page,) = read(session(as_file(askew, "PNG"), "image/png"))
    assert page.text.splitlines()[1:] == [*left, *right]
    for line in range(len(page.line_starts)):
        x0, y0, x1, y1 = page.boxes[4 * line : 4 * line + 4]
        assert ink_in(askew, x0, y0, x1, y1)


def ink_in(shown, x0, y0, x1, y1):
    area = (x0 * shown.width, y0 * shown.height, x1 * shown.width, y1 * shown.height)
    return shown.convert("L").crop(tuple(map(round, area))).getextrema()[0] < 128


@pytest.mark.parametrize("turn", [0, 90])
def test_japanese_is_read(draw, session, turn):
    (page,) = read(session(draw.scan(japanese(draw), turn=turn)))
    assert page.text.splitlines() == list(JAPANESE)


def test_japanese_written_downwards_is_read_from_the_right(draw, session):
    (page,) = read(session(draw.scan(japanese(draw, down=True))))
    assert page.text.splitlines() == list(JAPANESE)
    assert page.boxes[0] > page.boxes[4] > page.boxes[8]


def test_two_columns_are_read_one_after_the_other_under_their_heading(draw, session):
    left = [
        "The first column begins here and",
        "goes on for a few lines, so that",
        "it is running text, and then it",
        "comes to its end just here.",
    ]
    right = [
        "The second column has the same",
        "height as the first one, and its",
        "lines stand beside those of the",
        "other, as in every newspaper.",
    ]
    drawing = draw.words(72, 790, "A heading that stands over both of the columns of this page", 16)
    drawing += text_of(draw, left, x=60) + text_of(draw, right, x=320)
    (page,) = read(session(draw.scan(drawing)))
    assert page.text.splitlines()[1:] == [*left, *right]


def test_a_row_of_cells_is_one_line(draw, session):
    rows = [("Rope", "12", "48.00"), ("Anchor", "1", "310.50"), ("Paint", "7", "91.00")]
    drawing = "".join(
        draw.words(x, 700 - 30 * n, cell)
        for n, row in enumerate(rows)
        for x, cell in zip((72, 260, 420), row, strict=True)
    )
    (page,) = read(session(draw.scan(drawing)))
    assert page.text.splitlines() == ["\t".join(row) for row in rows]


def test_a_page_of_a_single_word_is_not_taken_for_blank(draw, session):
    (page,) = read(session(draw.scan(draw.words(60, 690, "Phone", 11), dpi=200)))
    assert page.text == "Phone"


def test_an_image_is_read_as_its_orientation_says(draw, session):
    shown = picture(draw, text_of(draw), dpi=110)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned a quarter with the clock
    data = as_file(shown.transpose(Image.Transpose.ROTATE_90), "JPEG", quality=95, exif=exif)
    (turned,) = read(session(data, "image/jpeg"))
    assert turned.text.splitlines() == list(ENGLISH)
    assert turned.boxes[1] < 0.15  # at the top of the page as it is shown


def test_every_frame_of_a_tiff_is_a_page(draw, session):
    frames = [
        picture(draw, draw.words(72, 700, word, 24), dpi=60).convert("RGBA")
        for word in ("First", "Second", "Third")
    ]
    data = as_file(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    opened = session(data, "image/tiff")
    assert [page.text for page in read(opened, [1, 2, 3])] == ["First", "Second", "Third"]
    assert [page.page for page in read(opened, [3, 1])] == [3, 1]


@pytest.mark.parametrize(("fact", "reason"), [("encrypted", "nothing_decoded"), ("members", None)])
def test_a_page_of_one_colour_is_blank_only_where_all_was_decoded(draw, session, monkeypatch, fact, reason):
    opened = session(draw.pdf("", draw.words(72, 700, "Word", 24), ""))
    seen = opened.observe()
    asked = []
    monkeypatch.setattr(
        opened, "observe", lambda: asked.append(1) or dataclasses.replace(seen, facts={fact: "so it is"})
    )
    first, second, third = read(opened, [1, 2, 3])
    assert (first.reason, third.reason) == (reason, reason)
    assert second.text == "Word"
    assert asked == [1], "the document is looked at once"


@pytest.mark.parametrize("colour", ["0 0 .5", "1 0 0", "0 0 0", ".97 .97 .9"])
def test_a_page_of_any_one_colour_is_blank_and_no_engine_looks_at_it(draw, session, monkeypatch, colour):
    monkeypatch.setattr("indx_reader_ocr._reading.recognise", pytest.fail)
    (page,) = read(session(draw.pdf(f"{colour} rg -9 -9 2000 2000 re f")))
    assert (page.text, page.reason) == ("", None)


def test_a_scan_whose_picture_cannot_be_decoded_is_no_blank_page(draw, session):
    broken = draw.pdf("", image=(9, 9, bytes(243))).replace(b"/Filter/FlateDecode", b"/Filter /DCTDecode")
    (page,) = read(session(broken))
    assert (page.text, page.reason) == ("", "nothing_decoded")


def test_a_page_over_the_ceiling_is_unread_before_a_pixel_exists(draw, session, monkeypatch):
    opened = session(draw.pdf("", size=(14_400, 14_400)))
    monkeypatch.setattr(pypdfium2.PdfBitmap, "new_native", pytest.fail)
    (page,) = read(opened)
    assert (page.text, page.reason) == ("", "too_many_pixels")


def test_the_resolution_is_the_one_set(draw, session, monkeypatch):
    opened = session(draw.scan(""))
    asked = []
    drawn = opened.render

    def noting(page, *, dpi, max_pixels):
        asked.append((dpi, max_pixels))
        return drawn(page, dpi=dpi, max_pixels=max_pixels)

    monkeypatch.setattr(opened, "render", noting)
    monkeypatch.setenv("INDX_OCR_DPI", "72")
    monkeypatch.setenv("INDX_OCR_MAX_PIXELS", "1000000")
    (page,) = read(opened)
    assert asked == [(72, 1_000_000)]
    assert (page.text, page.reason) == ("", None)


def test_the_engine_asks_no_network_and_works_on_one_thread(draw, session, monkeypatch):
    import socket

    import onnxruntime

    from indx_reader_ocr import _engine

    made = []
    real = onnxruntime.InferenceSession

    class Noted(real):
        def __init__(self, path, sess_options=None, **more):
            made.append((sess_options.intra_op_num_threads, sess_options.inter_op_num_threads))
            super().__init__(path, sess_options, **more)

    monkeypatch.setattr("rapidocr.inference_engine.onnxruntime.main.InferenceSession", Noted)
    monkeypatch.setattr(socket, "getaddrinfo", pytest.fail)
    engine = _engine.Engine()
    width, height, rgb = draw.raster(draw.words(72, 700, "Word", 24), dpi=60)
    image = np.frombuffer(rgb, dtype=np.uint8).reshape(height, width, 3)
    assert engine.find(image)
    assert engine.read(image[100:160]).score >= 0
    assert made == [(1, 1)] * 2


@pytest.fixture
def isolated():
    """An engine that works on documents in a worker process, under the usual limits."""
    from indx_runtime import Engine, Workers

    with Workers(count=1) as workers:
        yield Engine(workers=workers)


def test_a_scan_is_encoded_in_a_worker_process_with_a_box_a_chunk(draw, isolated):
    import base64

    data = draw.scan(text_of(draw), text=draw.words(290, 20, "17"))
    source = {"type": "inline", "data": base64.b64encode(data).decode()}
    request = EncodeRequest.model_validate({"source": source, "granularities": ["DOCUMENT", "PAGE", "CHUNK"]})
    result = isolated.encode(request)
    assert [reason.code for reason in result.plan.reasons] == ["scan"]
    assert result.plan.default.capability_id == "ocr"
    (event,) = result.trace.events
    assert (event.capability_id, event.outcome) == ("ocr", "read")
    assert event.quality > 0.95
    page, chunk = result.blocks[1:3]
    assert page.text.splitlines() == [*ENGLISH, "17"]
    assert chunk.bbox is not None
    assert result.trace.actuals.quality == event.quality


@pytest.mark.parametrize("size", [(2, 5000), (3, 50_000)])
def test_what_is_too_low_for_writing_is_not_blown_up_to_be_read(size):
    from indx_reader_ocr._engine import Engine

    assert Engine().read(np.zeros((*size, 3), dtype=np.uint8)).text == ""


def test_a_line_of_any_length_is_read_a_stretch_at_a_time(draw):
    from indx_reader_ocr._engine import LONGEST, Engine, pieces

    words = "The quick brown fox jumps over the lazy dog. " * 6
    width, height, rgb = draw.raster(draw.words(10, 10, words, 12), size=(1600, 30))
    line = np.frombuffer(rgb, np.uint8).reshape(height, width, 3)[26:60]
    line = np.concatenate([line, line], axis=1)
    parts = list(pieces(line))
    assert len(parts) > 1
    assert all(part.shape[1] <= LONGEST * part.shape[0] for part in parts)
    assert np.array_equal(np.concatenate(parts, axis=1), line)
    said = Engine().read(line)
    assert said.text.replace(" ", "").count("Thequickbrownfox") == 12
    assert said.score > 0.9
