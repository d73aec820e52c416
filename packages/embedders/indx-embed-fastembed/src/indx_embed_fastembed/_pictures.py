"""A picture as the engine takes it: as much of it as the model looks at, in a size that costs little."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.ports.reading import Raster

__all__ = ["pixmap"]

SHAPE: Final = 4
"""The longest shape that is handed on, as the ratio of its sides.

The model looks at the square in the middle; a longer picture the engine would first blow up until its shorter
side is as long as that square's.
"""

MOST_PIXELS: Final = 16_000_000
"""Pixels that are handed on; the model looks at 50,176, and the engine takes several times the memory."""


def pixmap(raster: Raster) -> BytesIO | None:
    """A portable pixmap of a picture: its pixels behind a line that says how many; None if it has none."""
    import numpy as np

    count = raster.width * raster.height
    if min(raster.width, raster.height) < 1 or len(raster.rgb) != 3 * count:
        return None
    rows: npt.NDArray[np.uint8] = np.frombuffer(raster.rgb, np.uint8)
    rows = rows.reshape(raster.height, raster.width, 3)
    rows = _middle(_middle(rows, 0), 1)
    times = 1
    while rows.shape[0] * rows.shape[1] > MOST_PIXELS * times * times:
        times += 1
    if times > 1:
        rows = _shrunk(rows, times)
    return BytesIO(b"P6 %d %d 255\n" % (rows.shape[1], rows.shape[0]) + rows.tobytes())


def _middle(rows: npt.NDArray[Any], side: int) -> npt.NDArray[Any]:
    """The middle of a picture that is too long on one side."""
    most = SHAPE * rows.shape[1 - side]
    start = max(0, rows.shape[side] - most) // 2
    return rows[start : start + most] if side == 0 else rows[:, start : start + most]


def _shrunk(rows: npt.NDArray[np.uint8], times: int) -> npt.NDArray[np.uint8]:
    """A picture so many times smaller, each pixel the mean of a square; made row by row."""
    import numpy as np

    height, width = rows.shape[0] // times, rows.shape[1] // times
    small = np.empty((height, width, 3), np.uint8)
    for row in range(height):
        band = rows[row * times : (row + 1) * times, : width * times]
        small[row] = band.reshape(times, width, times, 3).mean(axis=(0, 2)).round()
    return small
