"""A model of fastembed's: loaded on first need, asked one item at a time, and not believed blindly."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from indx_core.canonical import clean_text
from indx_core.errors import TimedOut, Unavailable, explain
from indx_core.leaving import MadeOnce
from indx_core.ports.embedding import Embedded, EmbedderDeclaration, EmbeddingInput
from indx_embed_fastembed._pictures import pixmap

if TYPE_CHECKING:
    from io import BytesIO

    import numpy as np
    import numpy.typing as npt

    from indx_core.deadline import Deadline
    from indx_embed_fastembed._weights import Weights

__all__ = ["Model"]


class Model:
    """One model of one embedder.

    Args:
        weights: Its files.
        clock: The monotonic clock, for tests.
    """

    def __init__(self, weights: Weights, clock: Callable[[], float] = time.monotonic) -> None:
        self._weights = weights
        self._once: MadeOnce[Any] = MadeOnce("indx-embed-fastembed", clock)
        self._engine: Any = None

    def embed(
        self, facts: EmbedderDeclaration, batch: Sequence[EmbeddingInput], deadline: Deadline
    ) -> Embedded:
        """Vectors of `batch`, of unit length.

        Items are run one by one: weights that are quantised while they run, and padding, would let a vector
        depend on its neighbours.

        Raises:
            Unavailable: The model cannot be had or loaded, or is not that of the space.
            TimedOut: The deadline passed.
        """
        import numpy as np

        values = np.zeros((len(batch), facts.space.dimension), np.float32)
        errors: dict[int, str] = {}
        for row, item in enumerate(batch):
            deadline.check()
            ready = _ready(item, facts)
            if isinstance(ready, _Unfit):
                errors[row] = ready.reason
                continue
            engine = self._loaded(facts, deadline)
            try:
                vector = self._mean(facts, engine, ready, deadline)
            except (TimedOut, Unavailable):
                raise
            except (KeyboardInterrupt, SystemExit, GeneratorExit):
                raise
            except BaseException as error:  # of no common class; a panic of the tokenizer is no Exception
                errors[row] = f"the model fails on this item: {explain(error)}"
                continue
            length = np.linalg.norm(vector)
            if not np.isfinite(length) or length == 0:
                errors[row] = "the model answered no vector of finite length"
                continue
            values[row] = vector / length
        return Embedded(values, errors)

    def _mean(
        self, facts: EmbedderDeclaration, engine: Any, item: str | BytesIO, deadline: Deadline
    ) -> npt.NDArray[np.float64]:
        """The model's vector; of a text longer than it looks at, the mean over windows, by their tokens."""
        import numpy as np

        windows = _windows(engine, item) if isinstance(item, str) else [(item, 1)]
        vectors: list[npt.NDArray[np.float64]] = []
        for window, _ in windows:
            deadline.check()
            (vector,) = engine.embed([window], batch_size=1)
            numbers = self._checked(facts, vector)
            length = np.linalg.norm(numbers)
            vectors.append(numbers / length if np.isfinite(length) and length > 0 else numbers)
        return np.average(vectors, axis=0, weights=[count for _, count in windows])

    def _checked(self, facts: EmbedderDeclaration, vector: Any) -> npt.NDArray[np.float64]:
        import numpy as np

        numbers = np.asarray(vector, np.float64)
        if numbers.shape != (facts.space.dimension,):
            raise _unavailable(
                facts,
                f"{self._weights.model} answers with shape {numbers.shape}, "
                f"and a vector of the space has {facts.space.dimension} numbers",
            )
        return numbers

    def _loaded(self, facts: EmbedderDeclaration, deadline: Deadline) -> Any:
        from indx_model_onnx import DOWNLOAD_SECONDS, too_slow

        try:
            seconds = DOWNLOAD_SECONDS.get()
            return self._once.get(
                None,
                kept=lambda: self._engine,
                make=lambda own: self._load(facts, own),
                seconds=seconds,
                deadline=deadline,
                late=lambda: too_slow(self._weights.model, seconds),
            )
        except TimedOut:
            raise
        except Exception as error:  # of the hub, of the disk, or of the engine
            raise _unavailable(facts, str(getattr(error, "message", "")) or explain(error)) from None

    def _load(self, facts: EmbedderDeclaration, own: Deadline) -> Any:
        from indx_model_onnx import ModelFailure, report_nothing

        lack = self._weights.lack()
        if lack is not None:
            raise ModelFailure(f"{lack.reason}; {lack.fix}")
        folder = str(self._weights.folder(own))
        report_nothing()
        import fastembed

        made: Any = fastembed.ImageEmbedding if "image" in facts.modalities else fastembed.TextEmbedding
        try:
            self._engine = made(
                self._weights.model,
                cache_dir=folder,
                specific_model_path=folder,
                providers=["CPUExecutionProvider"],
            )
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # which names files of this machine; a panic is no Exception
            said = " ".join(str(error).replace(folder, "").split())[:200]
            raise ModelFailure(f"{self._weights.model} cannot be loaded: {said}") from None
        return self._engine


def _windows(engine: Any, text: str) -> list[tuple[str, int]]:
    """A text in stretches that the model looks at whole, each with how many tokens it has."""
    found = engine.model.tokenizer.encode(text)
    windows: list[tuple[str, int]] = []
    for part in (found, *found.overflowing):
        offsets = [
            span for span, special in zip(part.offsets, part.special_tokens_mask, strict=True) if not special
        ]
        said = text[offsets[0][0] : offsets[-1][1]] if offsets else ""
        if said.strip():
            windows.append((said, len(offsets)))
    return windows if len(windows) > 1 else [(text, 1)]


class _Unfit:
    """An item with nothing to embed for this model."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def _ready(item: EmbeddingInput, facts: EmbedderDeclaration) -> str | BytesIO | _Unfit:
    """What the engine takes: text of bounded length, or a picture file."""
    if isinstance(item, str):
        if "text" not in facts.modalities:
            return _Unfit(f"a text: {facts.id} embeds images only")
        text = clean_text(item[: facts.max_characters])
        return text if text.strip() else _Unfit("nothing to embed: the text is blank")
    if "image" not in facts.modalities:
        return _Unfit(f"an image: {facts.id} embeds text only")
    return pixmap(item) or _Unfit("an image without its pixels")


def _unavailable(facts: EmbedderDeclaration, why: str) -> Unavailable:
    return Unavailable(f"{facts.id}: {why}", code="embedder_unavailable")
