"""Models of this process: each loaded on first need and kept; one that cannot be had is tried again later."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import explain
from indx_model_onnx._errors import ModelFailure
from indx_model_onnx._hub import located
from indx_model_onnx._running import OnnxModel
from indx_model_onnx._source import ModelSource

__all__ = ["Models", "load"]

KEEP: Final = 2
HOLD_SECONDS: Final = 60.0
MAX_CONFIG_BYTES: Final = 4 * 1024 * 1024
MAX_LABELS: Final = 10_000


class Models:
    """Loaded models by name, a few at most.

    Args:
        locate: Where a model's files are.
        clock: The monotonic clock, for tests.
    """

    def __init__(
        self,
        locate: Callable[[ModelSource], list[Path]] = located,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._locate = locate
        self._clock = clock
        self._lock = threading.Lock()
        self._kept: dict[str, OnnxModel] = {}
        self._failed: dict[str, tuple[float, str]] = {}

    def load(self, source: ModelSource) -> OnnxModel:
        """The model, ready to run.

        Raises:
            ModelFailure: It cannot be had or loaded. For a minute after, it is not tried again, so that many
                texts in a row do not each wait for a network that is not there.
        """
        with self._lock:
            key = source.key
            if key in self._kept:
                self._kept[key] = self._kept.pop(key)  # the latest used is dropped last
                return self._kept[key]
            failed = self._failed.get(key)
            if failed is not None and self._clock() < failed[0]:
                raise ModelFailure(failed[1])
            try:
                model = _opened(source, self._locate(source))
            except ModelFailure as error:
                self._failed[key] = (self._clock() + HOLD_SECONDS, error.message)
                raise
            self._failed.pop(key, None)
            while len(self._kept) >= KEEP:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = model
            return model


def _opened(source: ModelSource, files: list[Path]) -> OnnxModel:
    import onnxruntime  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from tokenizers import Tokenizer

    config, tokenizer_file, graph = files
    labels = _labels(source, _config(source, config))
    try:
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
        tokenizer.no_truncation()
        tokenizer.no_padding()
    except Exception as error:  # the library raises a bare Exception
        raise ModelFailure(f"{source.name}: its tokenizer cannot be read: {explain(error)}") from None
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        session = onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the engine's errors have no common class
        raise ModelFailure(f"{source.name}: its graph cannot be loaded: {_brief(error, graph)}") from None
    return OnnxModel(source.name, labels, tokenizer, session)


def _brief(error: Exception, graph: Path) -> str:
    """What the engine said, without this machine's paths."""
    said = " ".join(str(error).replace(str(graph), graph.name).split())
    return clean_text(said)[:200] or type(error).__name__


def _config(source: ModelSource, path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_CONFIG_BYTES + 1)
        if len(data) > MAX_CONFIG_BYTES:
            raise ValueError(f"larger than {MAX_CONFIG_BYTES} bytes")
        config = json.loads(data)
    except (OSError, ValueError, RecursionError) as error:
        raise ModelFailure(f"{source.name}: its config.json cannot be read: {explain(error)}") from None
    if not isinstance(config, dict):
        raise ModelFailure(f"{source.name}: its config.json is not an object")
    return config


def _labels(source: ModelSource, config: dict[str, Any]) -> tuple[str, ...]:
    """`id2label` in order of the numbers, which count from 0 without a gap."""
    named = config.get("id2label")
    if isinstance(named, dict) and 0 < len(named) <= MAX_LABELS:
        labels = [named.get(str(number)) for number in range(len(named))]
        if all(isinstance(label, str) and label for label in labels):
            return tuple(clean_text(str(label)) for label in labels)
    raise ModelFailure(f"{source.name}: its config.json does not name its labels, in id2label, from 0 up")


_MODELS: Final = Models()


def load(source: ModelSource) -> OnnxModel:
    """The model, loaded once for this process; see `Models.load`.

    Raises:
        ModelFailure: It cannot be had or loaded.
    """
    return _MODELS.load(source)
