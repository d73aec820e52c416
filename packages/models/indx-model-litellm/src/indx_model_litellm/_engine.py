"""LiteLLM itself: loaded once, quiet and without network, called in a thread that can be left behind."""

from __future__ import annotations

import logging
import math
import os
import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from indx_model_litellm._errors import ModelBusy, ModelError, ModelRefused, ModelTimeout, ModelUnreachable

if TYPE_CHECKING:
    from indx_model_litellm._model import HostedModel

__all__ = ["call", "cost_of"]

_log = logging.getLogger("indx.models")

_MOST_USD: Final = 1e6
"""What one call may be said to cost; more is no price."""
_lock = threading.Lock()


@cache
def _load() -> Any:
    """LiteLLM, which asks the network, reads a `.env` file and prints advice unless it is told not to."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import litellm  # type: ignore[import-not-found,unused-ignore]

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    return litellm


def call(
    model: HostedModel, operation: str, options: Mapping[str, Any], *, seconds: float, limit: int
) -> Any:
    """One call: its response, or the failure it came to.

    It runs in a thread of its own, since not everything LiteLLM asks keeps to a time-out; one that
    outlives its time is left to end by itself.

    Raises:
        ModelError: By what went wrong.
    """
    with _lock:
        litellm = _load()
    options = {
        **options,
        "model": model.model,
        "api_key": model.api_key or ("none" if model.device == "gpu" else None),
        "api_base": model.api_base,
        "timeout": seconds,
        "max_retries": 0,
        "num_retries": 0,
        "drop_params": True,
    }
    ended: list[tuple[Any, BaseException | None]] = []

    ask: Callable[..., Any] = getattr(litellm, operation)

    def run() -> None:
        try:
            ended.append((ask(**options), None))
        except BaseException as error:  # whatever it is, it is told to the caller below
            ended.append((None, error))

    thread = threading.Thread(target=run, name="indx-model-call", daemon=True)
    thread.start()
    thread.join(seconds + 0.5)
    if not ended:
        raise _late(model, seconds)
    response, error = ended[0]
    if error is not None:
        raise _failure(model, error, seconds) from None
    return response


def cost_of(response: Any) -> float:
    """What was charged: what the server reports, else LiteLLM's price list; 0 where neither knows."""
    usage = getattr(response, "usage", None)
    hidden = getattr(response, "_hidden_params", None)
    stated = hidden.get("response_cost") if isinstance(hidden, Mapping) else None
    for value in (getattr(usage, "cost", None), stated):
        if isinstance(value, int | float) and math.isfinite(value) and 0 <= value <= _MOST_USD:
            return float(value)
    return 0.0


def _late(model: HostedModel, seconds: float) -> ModelTimeout:
    return ModelTimeout(f"the model did not answer within {seconds:g} s ({model.settings.timeout.name})")


def _failure(model: HostedModel, error: BaseException, seconds: float) -> ModelError:
    """The failure that an exception of LiteLLM stands for, told without what it quotes of the server."""
    kind, status = type(error).__name__, getattr(error, "status_code", None)
    _log.warning("%s: %s (%s)", model.settings.model.name, kind, status)
    names = model.settings
    if "Timeout" in kind or status == 408:
        return _late(model, seconds)
    if kind == "APIConnectionError":
        return ModelUnreachable(
            f"the model's server could not be reached; see {names.api_base.name}, and that it runs"
        )
    if status in (401, 403):
        return ModelRefused(f"the model's server refused the key ({status}); set {names.api_key.name}")
    if status == 404:
        return ModelRefused(f"the server knows no such model (404); correct {names.model.name}")
    if status == 429 or (isinstance(status, int) and status >= 500):
        return ModelBusy(f"the model's server is busy or failing ({status}); try again later")
    return ModelRefused(f"the model's server refused the request ({status or kind}); see {names.model.name}")
