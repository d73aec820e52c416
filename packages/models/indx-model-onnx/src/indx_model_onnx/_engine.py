"""Whether the engine is installed, told without importing any of it, and that it is to report to nobody."""

from __future__ import annotations

import importlib.util
import os
from typing import Final

from indx_core.ports.declarations import Unavailability

__all__ = ["lacking_engine", "report_nothing"]

_ENGINE: Final = {
    "onnxruntime": "onnxruntime",
    "tokenizers": "tokenizers",
    "huggingface_hub": "huggingface-hub",
}


def lacking_engine(distribution: str, extra: str) -> Unavailability | None:
    """What of the engine is missing, and the line that installs it; None when all of it is there.

    Args:
        distribution: The lane's own distribution.
        extra: Its extra that brings the engine.
    """
    missing = [name for module, name in _ENGINE.items() if importlib.util.find_spec(module) is None]
    if not missing:
        return None
    return Unavailability(
        f"its engine is not installed: {', '.join(missing)}", f'pip install "{distribution}[{extra}]"'
    )


def report_nothing() -> None:
    """Have onnxruntime, before it is imported, send nothing to its maker, as it does by itself.

    Whoever set the variable has decided.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
