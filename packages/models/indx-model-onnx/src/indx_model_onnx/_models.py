"""Models of this process: each loaded on first need and kept; one that cannot be had is tried again later."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from indx_core.canonical import REPLACEMENT, clean_text
from indx_core.deadline import Deadline
from indx_core.errors import explain
from indx_core.leaving import MadeOnce
from indx_model_onnx._engine import report_nothing
from indx_model_onnx._errors import ModelFailure, too_slow
from indx_model_onnx._hub import identity, located
from indx_model_onnx._running import OnnxModel
from indx_model_onnx._source import ModelSource
from indx_model_onnx._tokenizers import tokenizer_of
from indx_model_onnx.settings import DOWNLOAD_SECONDS, MEMORY_BYTES

__all__ = ["Models", "load"]

KEEP: Final = 2
MAX_CONFIG_BYTES: Final = 4 * 1024 * 1024
MAX_LABELS: Final = 10_000
MAX_LABEL: Final = 200
_BOUNDING: Final = threading.Lock()


class Models:
    """Loaded models by name, a few at most.

    Args:
        locate: Where a model's files are.
        clock: The monotonic clock, for tests.
    """

    def __init__(
        self,
        locate: Callable[[ModelSource, Deadline], list[Path]] = located,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._locate = locate
        self._once: MadeOnce[OnnxModel] = MadeOnce("indx-model-onnx", clock)
        self._lock = threading.Lock()
        self._kept: dict[str, OnnxModel] = {}

    def load(self, source: ModelSource, deadline: Deadline | None = None) -> OnnxModel:
        """The model, ready to run. Nobody waits for it longer than INDX_MODEL_ONNX_DOWNLOAD_SECONDS.

        Args:
            source: The model.
            deadline: The caller's. When it passes, the fetch goes on for whoever asks next.

        Raises:
            ModelFailure: It cannot be had or loaded. For a minute after, it is not tried again, so that many
                texts in a row do not each wait for a network that is not there.
            TimedOut: The caller's deadline passed.
        """
        seconds = DOWNLOAD_SECONDS.get()
        return self._once.get(
            source,
            kept=lambda: self._find(source),
            make=lambda own: self._keep(source, _opened(source, self._locate(source, own))),
            seconds=seconds,
            deadline=deadline or Deadline(),
            late=lambda: too_slow(source.name, seconds),
        )

    def _find(self, source: ModelSource) -> OnnxModel | None:
        key = identity(source)
        with self._lock:
            if key in self._kept:
                self._kept[key] = self._kept.pop(key)  # the latest used is dropped last
            return self._kept.get(key)

    def _keep(self, source: ModelSource, model: OnnxModel) -> OnnxModel:
        key = identity(source)
        with self._lock:
            while len(self._kept) >= KEEP:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = model
        return model


def _opened(source: ModelSource, files: list[Path]) -> OnnxModel:
    config, tokenizer_file, graph = files
    labels = _labels(source, _config(source, config))
    tokenizer = tokenizer_of(source, tokenizer_file)
    try:
        session = _session(graph)
    except Exception as error:  # the engine's errors have no common class
        raise ModelFailure(f"{source.name}: its graph cannot be loaded: {_brief(error, graph)}") from None
    return OnnxModel(source.name, labels, tokenizer, session)


def _session(graph: Path) -> Any:
    report_nothing()
    import onnxruntime  # type: ignore[import-not-found,import-untyped,unused-ignore]

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    _bound_memory(onnxruntime)
    options.add_session_config_entry("session.use_env_allocators", "1")
    # Falling back to the provider that just failed would print what it does among a command's answers.
    return onnxruntime.InferenceSession(
        str(graph), options, providers=["CPUExecutionProvider"], enable_fallback=0
    )


def _bound_memory(engine: Any) -> None:
    """Let the engine's allocator, which all our models share, refuse what goes beyond the bound."""
    with _BOUNDING:  # the engine takes a second one amiss, or in place of the first
        _share_allocator(engine)


@cache
def _share_allocator(engine: Any) -> None:
    kind, use = engine.OrtAllocatorType.ORT_ARENA_ALLOCATOR, engine.OrtMemType.DEFAULT
    engine.create_and_register_allocator(
        engine.OrtMemoryInfo("Cpu", kind, 0, use),
        engine.OrtArenaCfg({"max_mem": MEMORY_BYTES.get()}),
    )


def _brief(error: Exception, graph: Path) -> str:
    """What the engine said, without this machine's paths."""
    said = " ".join(str(error).replace(str(graph), graph.name).replace(str(graph.parent), ".").split())
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
        if all(isinstance(label, str) and label.strip() for label in labels):
            return tuple(map(_shown, labels))
    raise ModelFailure(f"{source.name}: its config.json does not name its labels, in id2label, from 0 up")


def _shown(label: Any) -> str:
    """A label as one short line that turns no terminal's colours and no page's direction."""
    line = " ".join(str(label).split())[:MAX_LABEL]
    return "".join(sign if sign.isprintable() else REPLACEMENT for sign in line)


_MODELS: Final = Models()


def load(source: ModelSource, deadline: Deadline | None = None) -> OnnxModel:
    """The model, loaded once for this process; see `Models.load`.

    Raises:
        ModelFailure: It cannot be had or loaded.
        TimedOut: The caller's deadline passed.
    """
    return _MODELS.load(source, deadline)
