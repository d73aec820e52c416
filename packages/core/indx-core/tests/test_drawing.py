"""Why a page has no picture."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from indx_core.drawing import why_undrawn
from indx_core.ports import Raster


@pytest.mark.parametrize(
    ("pixels_of_page", "reason"),
    [(None, "page_unreadable"), (101, "too_many_pixels"), (100, "nothing_decoded")],
)
def test_the_reason_is_told_by_the_size_without_drawing(pixels_of_page, reason):
    def render(number, *, dpi, max_pixels, pixels=True):
        assert not pixels, "nothing is drawn to tell why"
        fits = pixels_of_page is not None and pixels_of_page <= max_pixels
        return Raster(pixels_of_page, 1, b"", dpi) if fits else None

    assert why_undrawn(SimpleNamespace(render=render), 1, dpi=200, max_pixels=100) == reason
