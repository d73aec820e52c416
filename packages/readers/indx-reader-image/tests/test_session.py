"""What is observed of an image."""

from __future__ import annotations

import pytest

from indx_core.errors import SourceError
from indx_core.ports import Observation, PageEvidence, SourceContent
from indx_reader_image.provider import observer

# Two frames of one pixel, with their delay: an animation.
GIF = (
    b"GIF89a\1\0\1\0\x80\0\0\xff\0\0\0\0\xff"
    b"!\xf9\4\0\x0a\0\0\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0"
    b"!\xf9\4\0\x0a\0\0\0,\0\0\0\0\1\0\1\0\0\2\2L\1\0;"
)


def opened(data: bytes, media_type: str):
    return observer().open(SourceContent.of_bytes(data, media_type=media_type))


def test_an_image_is_a_page_that_is_nothing_but_an_image():
    session = opened(GIF.replace(b"!\xf9\4\0\x0a\0\0\0,\0\0\0\0\1\0\1\0\0\2\2L\1\0", b""), "image/gif")
    assert session.observe() == Observation("image/gif", (PageEvidence(1, 0, 1.0, 1),), {})
    session.close()


def test_of_an_animation_the_first_frame_is_the_only_page():
    session = opened(GIF, "image/gif")
    assert session.page_count == 1
    assert list(session.observe().facts) == ["animation"]
    assert session.render(1, dpi=72, max_pixels=1).rgb == b"\xff\0\0"
    session.close()


def test_what_is_no_image_is_refused():
    with pytest.raises(SourceError) as caught:
        opened(b"%PDF-1.7", "image/png")
    assert caught.value.code == "source_unreadable"
