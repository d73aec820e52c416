"""Images: bounds before decoding, upright pixels on white, frames as pages."""

from __future__ import annotations

import io
import struct
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_format_raster import PIXEL_CEILING, RasterImage, _image, as_jpeg

RED, GREEN, BLUE, WHITE, BLACK = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0)


def written(image: Image.Image, kind: str, **options) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


@pytest.fixture
def opened():
    """Opens the bytes of an image; all are closed when the test ends."""
    images = []

    def open_(data: bytes) -> RasterImage:
        images.append(RasterImage(SourceContent.of_bytes(data)))
        return images[-1]

    yield open_
    for image in images:
        image.close()


def pixel(raster, x, y):
    at = 3 * (y * raster.width + x)
    return tuple(raster.rgb[at : at + 3])


def drawn(image, page=1, dpi=10_000):
    return image.render(page, dpi=dpi, max_pixels=10**8)


def corners(raster):
    right, bottom = raster.width - 1, raster.height - 1
    return [pixel(raster, *at) for at in ((0, 0), (right, 0), (0, bottom), (right, bottom))]


def quarters(width=40, height=20):
    """Red, green over blue, black."""
    image = Image.new("RGB", (width, height))
    for x, y, colour in ((0, 0, RED), (1, 0, GREEN), (0, 1, BLUE), (1, 1, BLACK)):
        image.paste(colour, (x * width // 2, y * height // 2, (x + 1) * width // 2, (y + 1) * height // 2))
    return image


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "BMP", "GIF"])
def test_an_image_is_drawn_pixel_by_pixel(kind, opened):
    raster = drawn(opened(written(quarters(), kind)))
    assert (raster.width, raster.height) == (40, 20)
    assert corners(raster) == [RED, GREEN, BLUE, BLACK]
    assert len(raster.rgb) == 40 * 20 * 3


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP", "JPEG"])
@pytest.mark.parametrize(
    ("orientation", "expected"),
    [
        (1, [RED, GREEN, BLUE, BLACK]),
        (2, [GREEN, RED, BLACK, BLUE]),
        (3, [BLACK, BLUE, GREEN, RED]),
        (4, [BLUE, BLACK, RED, GREEN]),
        (5, [RED, BLUE, GREEN, BLACK]),
        (6, [BLUE, RED, BLACK, GREEN]),
        (7, [BLACK, GREEN, BLUE, RED]),
        (8, [GREEN, BLACK, RED, BLUE]),
    ],
)
def test_an_image_is_drawn_upright(kind, orientation, expected, opened):
    exif = Image.Exif()
    exif[274] = orientation
    options = (
        {"quality": 100, "subsampling": 0} if kind == "JPEG" else {"lossless": True} if kind == "WEBP" else {}
    )
    raster = drawn(opened(written(quarters(), kind, exif=exif, **options)))
    assert (raster.width, raster.height) == ((20, 40) if orientation > 4 else (40, 20))
    for have, want in zip(corners(raster), expected, strict=True):
        assert max(abs(a - b) for a, b in zip(have, want, strict=True)) < 8


def test_every_frame_of_a_tiff_is_a_page_with_its_own_size_on_white(opened):
    frames = [
        Image.new("RGBA", (10 + number, 5), (0, 0, 255, 0 if number == 1 else 255)) for number in range(3)
    ]
    image = opened(written(frames[0], "TIFF", save_all=True, append_images=frames[1:]))
    assert (image.page_count, image.animated) == (3, False)
    for page, colour in ((3, BLUE), (2, WHITE), (1, BLUE), (1, BLUE), (3, BLUE)):
        raster = drawn(image, page)
        assert (raster.width, pixel(raster, 0, 0)) == (9 + page, colour)


def tiff(*frames: tuple[int, int]) -> bytes:
    """Grey frames, each of a width and a kind, written by hand."""
    out = bytearray(b"II*\0" + struct.pack("<I", 8))
    for number, (width, kind) in enumerate(frames):
        tags = {254: kind, 256: width, 257: 1, 258: 8, 259: 1, 262: 1, 273: 0, 277: 1, 278: 1, 279: width}
        start = len(out) + 2 + 12 * len(tags) + 4
        tags[273] = start
        following = start + width if number + 1 < len(frames) else 0
        entries = b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags.items())
        out += struct.pack("<H", len(tags)) + entries + struct.pack("<I", following) + bytes([width] * width)
    return bytes(out)


def test_smaller_copies_and_masks_in_a_tiff_are_no_pages(opened):
    image = opened(tiff((20, 0), (10, 1), (30, 2), (31, 4)))
    assert [drawn(image, page).width for page in range(1, image.page_count + 1)] == [20, 30]


def test_a_tiff_of_nothing_but_a_smaller_copy_is_that_page(opened):
    image = opened(tiff((10, 1), (5, 1)))
    assert image.page_count == 1
    assert drawn(image).width == 10


def test_a_tiff_of_more_pages_than_allowed_is_refused(opened, monkeypatch):
    frames = [Image.new("L", (2, 2))] * 4
    data = written(frames[0], "TIFF", save_all=True, append_images=frames[1:])
    monkeypatch.setenv("INDX_MAX_PAGES", "4")
    assert opened(data).page_count == 4
    monkeypatch.setenv("INDX_MAX_PAGES", "3")
    with pytest.raises(InputTooLarge, match="INDX_MAX_PAGES"):
        opened(data)


@pytest.mark.parametrize("kind", ["GIF", "WEBP"])
def test_of_an_animation_the_first_frame_is_the_page(kind, opened):
    frames = [Image.new("RGB", (8, 8), colour) for colour in (RED, BLUE)]
    image = opened(written(frames[0], kind, save_all=True, append_images=frames[1:], lossless=True))
    assert (image.page_count, image.animated) == (1, True)
    assert pixel(drawn(image), 4, 4) == RED


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (Image.new("RGBA", (2, 2), (255, 0, 0, 0)), WHITE),
        (Image.new("RGBA", (2, 2), (0, 0, 0, 128)), (127, 127, 127)),
        (Image.new("LA", (2, 2), (0, 0)), WHITE),
        (Image.new("L", (2, 2), 77), (77, 77, 77)),
        (Image.new("1", (2, 2), 1), WHITE),
        (Image.new("I;16", (2, 2), 0x8000), (128, 128, 128)),
    ],
)
def test_every_kind_of_pixel_is_seen_on_white(image, expected, opened):
    assert pixel(drawn(opened(written(image, "PNG"))), 1, 1) == expected


def test_a_transparent_palette_is_seen_on_white(opened):
    image = Image.new("P", (2, 2), 1)
    image.putpalette([*RED, *BLUE])
    assert pixel(drawn(opened(written(image, "PNG", transparency=1))), 0, 0) == WHITE
    assert pixel(drawn(opened(written(image, "PNG"))), 0, 0) == BLUE


@pytest.mark.parametrize("value", [0x4000, 0xFFFF])
def test_sixteen_bits_of_which_one_value_is_transparent_are_seen_on_white(value, opened):
    image = Image.new("I;16", (2, 2), 0x8000)
    image.putpixel((0, 0), value)
    seen = drawn(opened(written(image, "PNG", transparency=value)))
    assert (pixel(seen, 0, 0), pixel(seen, 1, 1)) == (WHITE, (128, 128, 128))


def test_grey_that_a_tiff_holds_multiplied_by_its_alpha_is_seen_on_white(opened):
    image = Image.new("LA", (2, 2), (100, 255))
    image.putpixel((0, 0), (0, 0))
    data = written(image, "TIFF")
    kind = b"\x52\1\3\0\1\0\0\0"  # ExtraSamples, one short: 2 is an alpha by itself, 1 one multiplied
    assert kind + b"\2" in data
    seen = drawn(opened(data.replace(kind + b"\2", kind + b"\1")))
    assert (pixel(seen, 0, 0), pixel(seen, 1, 1)) == (WHITE, (100, 100, 100))


def test_colours_of_print_become_those_of_a_screen(opened):
    assert pixel(drawn(opened(written(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG"))), 4, 4) == RED


@pytest.mark.parametrize(
    ("mode", "values", "expected"),
    [
        ("F", (0.0, 0.5, 1.0), (0, 127, 255)),
        ("F", (-3.0, -3.0, -3.0), (0, 0, 0)),
        ("F", (float("nan"), 1.0, 0.0), None),
        ("I", (0, 128, 255), (0, 128, 255)),
        ("I", (0, 0x8000, 0xFFFF), (0, 128, 255)),
        ("I", (-100, 0, 100), (0, 127, 255)),
    ],
)
def test_numbers_become_grey(mode, values, expected, opened):
    image = Image.new(mode, (3, 1))
    image.putdata(values)
    raster = drawn(opened(written(image, "TIFF")))
    assert raster.width == 3
    if expected is not None:
        assert [pixel(raster, x, 0)[0] for x in range(3)] == pytest.approx(expected, abs=1)


@pytest.mark.parametrize(
    ("stated", "asked", "size"),
    [
        ((300, 300), 150, (50, 25)),
        ((300, 300), 300, (100, 50)),
        ((300, 300), 600, (100, 50)),
        ((72, 72), 200, (100, 50)),
        ((1, 1), 10, (100, 50)),
        ((200, 100), 200, (100, 100)),
        ((200, 100), 100, (50, 50)),
        (None, 10, (100, 50)),
    ],
)
@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_an_image_is_brought_down_to_the_resolution_asked_never_up(kind, stated, asked, size, opened):
    data = written(Image.new("RGB", (100, 50)), kind, **({"dpi": stated} if stated else {}))
    raster = drawn(opened(data), dpi=asked)
    assert (raster.width, raster.height, raster.dpi) == (*size, asked)


@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "PNG"])
def test_an_image_on_its_side_is_scaled_by_the_resolution_of_that_side(kind, opened):
    exif = Image.Exif()
    exif[274] = 6
    raster = drawn(opened(written(Image.new("RGB", (100, 60)), kind, exif=exif, dpi=(200, 100))), dpi=200)
    assert (raster.width, raster.height) == (120, 100)


def test_a_large_photograph_is_drawn_small_with_its_colours(opened):
    raster = drawn(opened(written(quarters(1600, 800), "JPEG", quality=95, dpi=(400, 400))), dpi=50)
    assert (raster.width, raster.height) == (200, 100)
    for have, want in zip(corners(raster), [RED, GREEN, BLUE, BLACK], strict=True):
        assert max(abs(a - b) for a, b in zip(have, want, strict=True)) < 8


def bomb(width, height):
    """The headers of a picture of any size, with no pixels behind them."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("width", "height"), [(20_000, 20_000), (PIXEL_CEILING + 1, 1), (2**31 - 1, 2**31 - 1)]
)
def test_a_picture_above_the_ceiling_is_refused_when_it_is_opened(width, height, opened):
    with pytest.raises(InputTooLarge, match="178956970"):
        opened(bomb(width, height))


def test_a_picture_at_the_ceiling_opens_without_a_warning(opened):
    with warnings.catch_warnings(record=True) as caught:
        assert opened(bomb(PIXEL_CEILING, 1)).page_count == 1
    assert caught == []


def test_a_frame_above_the_ceiling_is_refused_whichever_it_is(opened, monkeypatch):
    monkeypatch.setattr(_image, "PIXEL_CEILING", 150)
    frames = [Image.new("L", (10, 10)), Image.new("L", (20, 10))]
    with pytest.raises(InputTooLarge):
        opened(written(frames[0], "TIFF", save_all=True, append_images=frames[1:]))


def test_more_pixels_than_asked_for_are_not_decoded(opened, monkeypatch):
    image = opened(bomb(5000, 5000))
    assert image.render(1, dpi=100, max_pixels=5000 * 5000 - 1) is None
    with pytest.raises(SourceError):
        image.render(1, dpi=100, max_pixels=5000 * 5000)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "GIF", "WEBP", "BMP"])
def test_a_picture_cut_short_is_a_typed_error(kind, opened):
    data = written(Image.effect_noise((200, 200), 80).convert("RGB"), kind)
    with pytest.raises(SourceError) as caught:
        drawn(opened(data[: len(data) // 2]))
    assert caught.value.code == "source_unreadable"
    assert "Error" not in caught.value.message


def test_a_want_of_memory_is_not_said_to_be_a_damaged_picture(opened, monkeypatch):
    def convert(_image):
        raise MemoryError

    monkeypatch.setattr(_image, "as_rgb", convert)
    with pytest.raises(MemoryError):
        drawn(opened(written(Image.new("RGB", (4, 4)), "PNG")))


@pytest.mark.parametrize("data", [b"", b"text", b"\x89PNG\r\n\x1a\n", b"II*\0\xff\xff\xff\xff", b"%PDF-1.7"])
def test_what_is_no_image_is_refused(data, opened):
    with pytest.raises(SourceError) as caught:
        opened(data)
    assert caught.value.code == "source_unreadable"


def test_a_tiff_whose_frames_point_at_each_other_ends(opened):
    data = bytearray(written(Image.new("L", (2, 2)), "TIFF"))
    place = struct.unpack_from("<I", data, 4)[0]
    count = struct.unpack_from("<H", data, place)[0]
    struct.pack_into("<I", data, place + 2 + 12 * count, place)
    assert opened(bytes(data)).page_count == 1


@pytest.mark.parametrize("page", [0, 2, -1])
def test_a_page_that_is_not_there_is_a_mistake_of_the_caller(page, opened):
    with pytest.raises(ValueError, match=str(page)):
        drawn(opened(written(quarters(), "PNG")), page)


def test_a_closed_image_draws_no_more_and_may_be_closed_again(opened):
    image = opened(written(quarters(), "PNG"))
    image.close()
    image.close()
    with pytest.raises(ValueError, match="closed"):
        drawn(image)


def test_an_image_in_a_file_is_drawn_alike(tmp_path, opened):
    data = written(quarters(), "PNG")
    path = tmp_path / "picture"
    path.write_bytes(data)
    image = RasterImage(SourceContent.of_file(path))
    assert drawn(image) == drawn(opened(data))
    image.close()


def test_threads_draw_what_one_alone_draws(opened):
    frames = [Image.new("RGB", (20, 20), (number, 0, 0)) for number in range(6)]
    image = opened(written(frames[0], "TIFF", save_all=True, append_images=frames[1:]))
    alone = [drawn(image, page) for page in range(1, 7)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda page: drawn(image, page), [*range(1, 7)] * 5)) == alone * 5


def test_pixels_become_a_file_that_shows_them(opened):
    raster = drawn(opened(written(quarters(), "PNG")))
    again = opened(as_jpeg(raster)).render(1, dpi=10_000, max_pixels=10**8)
    assert (again.width, again.height) == (raster.width, raster.height)
    for seen, meant in zip(corners(again), corners(raster), strict=True):
        assert all(abs(a - b) < 24 for a, b in zip(seen, meant, strict=True))
