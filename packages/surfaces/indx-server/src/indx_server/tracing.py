"""Traces by OpenTelemetry: a span for a request, and on it an event for every page that was attempted."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from indx_core.errors import ConfigurationError
from indx_core.hooks import hookimpl
from indx_server.settings import TRACING

__all__ = ["Tracing", "telemetry"]


class Tracing:
    """Tells the span of the request at work what capabilities did; an implementation of the hooks.

    Raises:
        ConfigurationError: What makes traces is not installed.
    """

    def __init__(self) -> None:
        """Look whether it is installed."""
        if find_spec("opentelemetry") is None or find_spec("opentelemetry.sdk") is None:
            raise ConfigurationError(
                f"{TRACING.name} needs what is not installed: pip install 'indx-server[otel]'"
            )

    @hookimpl
    def indx_capability_attempted(
        self, capability_id: str, pages: Sequence[int], outcome: str, latency_ms: float, reason: str | None
    ) -> None:
        """Add an event."""
        from opentelemetry import trace

        told: dict[str, Any] = {
            "indx.capability": capability_id,
            "indx.pages": list(pages),
            "indx.outcome": outcome,
            "indx.latency_ms": latency_ms,
        }
        trace.get_current_span().add_event(
            "attempt", told if reason is None else told | {"indx.reason": reason}
        )


def telemetry() -> dict[str, Any]:
    """What the framework traces: the request as a whole, and nothing of what it carries; or nothing."""
    traced = TRACING.get()
    return {
        "tracing": traced,
        "auto_configure": traced,
        "operation_spans": False,
        "metrics": False,
        "logs": False,
    }
