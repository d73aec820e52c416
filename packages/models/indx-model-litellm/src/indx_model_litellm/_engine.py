"""LiteLLM itself: loaded once, quiet and without network, called in a thread that can be left behind."""

from __future__ import annotations

import logging
import os
import re
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from indx_model_litellm._errors import (
    AnswerInvalid,
    AnswerTooLarge,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)

if TYPE_CHECKING:
    from indx_model_litellm._bounds import Bounds
    from indx_model_litellm._model import HostedModel

__all__ = ["call", "cost_of", "load"]

_log = logging.getLogger("indx.models")

_QUIET: Final = {"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}
_LOGGERS: Final = ("LiteLLM", "LiteLLM Proxy", "LiteLLM Router")
_MOST_USD: Final = 1e6
"""What one call may be said to cost; more is no price."""
_COST_HEADER: Final = "llm_provider-x-litellm-response-cost"
"""How a gateway of LiteLLM's own reports what it was charged."""
_COST: Final = re.compile(rb'"usage"\s*:\s*\{.*?"cost"\s*:\s*([0-9][0-9.eE+-]*)', re.DOTALL)
"""How servers report it beside the tokens that were used."""
_GRACE: Final = 0.25
"""Seconds after its time in which a call that ends by itself is still heard."""
_lock = threading.Lock()
_loaded: Any = None


def load() -> Any:
    """LiteLLM, which asks the network, reads a `.env` file and prints advice unless it is told not to."""
    global _loaded
    with _lock:
        if _loaded is None:
            for name, value in _QUIET.items():
                os.environ[name] = os.environ.get(name) or value
            import litellm  # type: ignore[import-not-found,unused-ignore]

            litellm.suppress_debug_info = True
            litellm.DEFAULT_MAX_RETRIES = 0  # where 0 is asked for, its embedding clients take this instead
            _take_over_transport(litellm)
            _keep_quiet()
            _loaded = litellm
        return _loaded


def _take_over_transport(litellm: Any) -> None:
    """Let its requests pass through our bounds, unless the application has a transport of its own."""
    import httpx

    from indx_model_litellm._bounds import BoundedTransport

    if litellm.client_session is None and getattr(litellm, "sync_transport", None) is None:
        litellm.sync_transport = BoundedTransport()
        litellm.client_session = httpx.Client(transport=litellm.sync_transport, follow_redirects=True)


def _keep_quiet() -> None:
    """Let LiteLLM log nothing of our calls unless LITELLM_LOG asks for it; it logs the application's own."""
    from indx_model_litellm._bounds import in_call

    if "LITELLM_LOG" not in os.environ:
        for name in _LOGGERS:
            logging.getLogger(name).addFilter(lambda _: not in_call())


class _OfOthers:
    """Shows warnings, except those of our calls: what warns of an odd answer quotes it, or what was asked."""

    def __init__(self, shown: Callable[..., None]) -> None:
        self._shown = shown

    def __call__(self, *args: Any, **more: Any) -> None:
        from indx_model_litellm._bounds import in_call

        if not in_call():
            self._shown(*args, **more)


def _hide_warnings() -> None:
    """Before each call, since whoever catches warnings puts back what showed them before."""
    with _lock:
        if not isinstance(warnings.showwarning, _OfOthers):
            warnings.showwarning = _OfOthers(warnings.showwarning)


def call(
    model: HostedModel, operation: str, options: Mapping[str, Any], *, seconds: float, limit: int
) -> tuple[Any, float]:
    """One call: its response and what was charged, or the failure it came to.

    It runs in a thread of its own, since not everything LiteLLM asks keeps to a time-out; one that
    outlives its time is left to end by itself.

    Args:
        model: The model.
        operation: `completion` or `embedding`.
        options: What that function of LiteLLM takes.
        seconds: The call's time.
        limit: The most bytes of a response.

    Raises:
        ModelError: By what went wrong.
    """
    from indx_model_litellm._bounds import Bounds, bounded

    ask: Callable[..., Any] = getattr(load(), operation)
    asked = {**options, **_addressed(model), "timeout": seconds}
    bounds = Bounds(time.monotonic() + seconds, limit, local=model.device == "gpu")
    ended: list[tuple[Any, BaseException | None]] = []

    def run() -> None:
        try:
            with bounded(bounds):
                ended.append((ask(**asked), None))
        except BaseException as error:  # whatever it is, it is told to the caller below
            ended.append((None, error))

    _hide_warnings()
    thread = threading.Thread(target=run, name="indx-model-call", daemon=True)
    thread.start()
    thread.join(seconds + _GRACE)
    if not ended:
        raise _late(model, seconds)
    response, error = ended[0]
    if error is not None:
        raise _failure(model, error, bounds, seconds) from None
    return response, cost_of(response, bounds.tail)


def _addressed(model: HostedModel) -> dict[str, Any]:
    """Whom LiteLLM asks, and that it asks once: attempts are counted by our caller."""
    return {
        "model": model.model,
        # A server on this machine may want no key, and some of LiteLLM's clients insist on one.
        "api_key": model.api_key or ("none" if model.device == "gpu" else None),
        "api_base": model.api_base,
        "max_retries": 0,
        "num_retries": 0,
        "drop_params": True,
    }


def cost_of(response: Any, tail: bytes = b"") -> float:
    """What was charged: what the server reports, else LiteLLM's price list; 0 where neither knows.

    Args:
        response: LiteLLM's.
        tail: The end of the server's own, since LiteLLM forgets what is reported with vectors.
    """
    hidden = getattr(response, "_hidden_params", None)
    hidden = hidden if isinstance(hidden, Mapping) else {}
    headers = hidden.get("additional_headers")
    headers = headers if isinstance(headers, Mapping) else {}
    reported = getattr(getattr(response, "usage", None), "cost", None)
    if reported is None:
        found = _COST.search(tail)
        reported = found and found[1].decode()
    stated: Any
    for stated in (reported, headers.get(_COST_HEADER), hidden.get("response_cost")):
        try:
            value = float(stated)
        except (TypeError, ValueError):
            continue
        if 0 <= value <= _MOST_USD:  # NaN is in no bounds
            return value
    return 0.0


def _late(model: HostedModel, seconds: float) -> ModelTimeout:
    return ModelTimeout(f"the model did not answer within {seconds:.3g} s ({model.settings.timeout.name})")


def _failure(model: HostedModel, error: BaseException, bounds: Bounds, seconds: float) -> ModelError:
    """The failure that an exception of LiteLLM stands for, told without what it quotes of the server."""
    names, kind = model.settings, type(error).__name__
    status = getattr(error, "status_code", None) if bounds.status is None else bounds.status
    _log.warning("%s: the call failed: %s, status %s, %s", names.model.name, kind, status, bounds.fault)
    match bounds.fault:
        case "size":
            return AnswerTooLarge(f"the model's server sent more than {bounds.limit} bytes, or packed ones")
        case "time":
            return _late(model, seconds)
        case "unreachable":
            return ModelUnreachable(
                f"the model's server could not be reached; see {names.api_base.name}, and that it runs"
            )
        case "elsewhere":
            return ModelRefused("the model's server sent the request on to another host")
    if status == 200:
        return AnswerInvalid("the model's server sent an answer that cannot be read")
    if "Timeout" in kind or status == 408:
        return _late(model, seconds)
    if status in (401, 403):
        return ModelRefused(f"the model's server refused the key ({status}); set {names.api_key.name}")
    if status == 404:
        return ModelRefused(f"the server knows no such model (404); correct {names.model.name}")
    if status == 429 or (isinstance(status, int) and status >= 500 and bounds.status is not None):
        return ModelBusy(f"the model's server is busy or failing ({status})", wait=bounds.wait)
    return ModelRefused(f"the model could not be asked ({bounds.status or kind}); see {names.model.name}")
