"""The recognition engine: one for a process, made at the first page, asked by one page at a time."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypeAlias

import cv2  # type: ignore[import-not-found,unused-ignore]
import numpy as np
import numpy.typing as npt

__all__ = ["Engine", "Image", "Quad", "Reading", "shared_engine"]

Image: TypeAlias = "npt.NDArray[np.uint8]"
"""Rows of red, green and blue."""

Quad: TypeAlias = "npt.NDArray[np.float32]"
"""The corners of a line of writing: top left, top right, bottom right, bottom left, in pixels."""

NARROWEST: Final = 160
"""The least width, in pixels of a line 48 high, that the recogniser is shown."""

LONGEST: Final = 120
"""How many times as long as high a line may be that the recogniser is shown at once; it costs the square."""

LOWEST: Final = 4
"""Pixels of height under which a line is no writing."""

_ONE_THREAD: Final = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Global.use_preprocess_img": False,
    "Global.log_level": "error",
    "Rec.rec_img_shape": [3, 48, NARROWEST],
}


class Reading(NamedTuple):
    """What one line says, and how sure the engine is, 0..1."""

    text: str
    score: float


class Engine:
    """Finds lines of writing and reads them, with the models that the engine's distribution carries.

    It works on one thread: more of them cost more time in all, and every worker process has its own engine.
    """

    def __init__(self) -> None:
        """Load nothing yet; each model is loaded when it is first needed."""
        os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # what it runs on would report to its maker
        from rapidocr import RapidOCR  # type: ignore[import-not-found,unused-ignore]

        logging.getLogger("RapidOCR").setLevel(logging.ERROR)
        self._ocr: Any = RapidOCR(params={**_ONE_THREAD, **_models()})

    def find(self, image: Image) -> list[Quad]:
        """The lines of writing in `image`, in no order that means anything."""
        found = self._ocr(_blue_first(image), use_det=True, use_cls=False, use_rec=False)
        boxes = getattr(found, "boxes", None)
        return [] if boxes is None else [np.asarray(box, dtype=np.float32) for box in boxes]

    def read(self, line: Image) -> Reading:
        """What an upright line says; the empty text when nothing."""
        if min(line.shape[:2]) < LOWEST:
            return Reading("", 0.0)
        readings = [self._read(piece) for piece in pieces(line)]
        if len(readings) == 1:
            return readings[0]
        said = [reading for reading in readings if reading.text]
        length = sum(len(reading.text) for reading in said)
        score = sum(reading.score * len(reading.text) for reading in said) / (length or 1)
        return Reading(" ".join(reading.text for reading in said), score)

    def _read(self, line: Image) -> Reading:
        found = self._ocr(_blue_first(line), use_det=False, use_cls=False, use_rec=True)
        texts: Sequence[str] | None = getattr(found, "txts", None)
        if not texts:
            return Reading("", 0.0)
        return Reading(texts[0], min(1.0, max(0.0, float(found.scores[0]))))


def pieces(line: Image) -> Iterator[Image]:
    """A line in stretches that are not too long, cut where there is the least ink about the end of each."""
    height, width = line.shape[:2]
    start = 0
    while width - start > LONGEST * height:
        end = start + LONGEST * height
        tail = line[:, end - 4 * height : end].astype(np.int16)
        ink = (tail.max(axis=0) - tail.min(axis=0)).sum(axis=1)
        end -= 4 * height - int(ink.argmin())
        yield line[:, start:end]
        start = end
    yield line[:, start:]


def _blue_first(image: Image) -> Image:
    return cv2.cvtColor(image, cv2.COLOR_RGB2BGR)  # type: ignore[return-value,no-any-return,unused-ignore]


def _models() -> dict[str, str]:
    """The models in the engine's wheel, by their own names, so that none is ever looked for elsewhere."""
    folder = files("rapidocr") / "models"
    named: dict[str, str] = {}
    for task in ("det", "rec"):
        found = [one for one in folder.iterdir() if f"_{task}_" in one.name and one.name.endswith(".onnx")]
        if len(found) == 1:  # of several, the engine's own configuration names the one
            named[f"{task.capitalize()}.model_path"] = str(found[0])
    return named


_lock = threading.Lock()
_shared: Engine | None = None


@contextmanager
def shared_engine() -> Iterator[Engine]:
    """A block that has the engine of this process for itself."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = Engine()
        yield _shared
