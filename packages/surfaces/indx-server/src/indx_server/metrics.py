"""Counters for Prometheus, fed by the hooks that anyone may implement, and by the line of each gate."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from indx_core.hooks import hookimpl

__all__ = ["CONTENT_TYPE", "FOLDER", "Metrics"]

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the Prometheus client that names where several processes add up what they count."""

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)


class Metrics:
    """What one server process counts; an implementation of the hooks."""

    def __init__(self) -> None:
        """Start at nothing."""
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "indx_requests", "Requests answered.", ("operation", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "indx_request_seconds",
            "Seconds to answer.",
            ("operation",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._line = Gauge(
            "indx_line",
            "Requests at work or waiting.",
            ("gate", "state"),
            multiprocess_mode="livesum",
            registry=self._registry,
        )
        self._attempts = Counter(
            "indx_attempts",
            "Pages that capabilities were asked for.",
            ("capability", "outcome"),
            registry=self._registry,
        )
        self._kept = Counter("indx_documents_kept", "Documents kept.", registry=self._registry)
        if FOLDER not in os.environ:
            ProcessCollector(registry=self._registry)

    def line(self, gate: str, running: int, waiting: int) -> None:
        """Say how long the line before a gate is."""
        self._line.labels(gate, "running").set(running)
        self._line.labels(gate, "waiting").set(waiting)

    @hookimpl
    def indx_capability_attempted(self, capability_id: str, pages: Sequence[int], outcome: str) -> None:
        """Count pages."""
        self._attempts.labels(capability_id, outcome).inc(len(pages))

    @hookimpl
    def indx_document_kept(self) -> None:
        """Count a document."""
        self._kept.inc()

    @hookimpl
    def indx_request_finished(self, operation: str, status: int, latency_ms: float) -> None:
        """Count a request."""
        self._requests.labels(operation, str(status)).inc()
        self._seconds.labels(operation).observe(latency_ms / 1000)

    def page(self) -> bytes:
        """Everything counted, by all processes of this server, in the text format."""
        if FOLDER not in os.environ:
            return generate_latest(self._registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
