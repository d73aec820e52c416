"""Traces: off unless asked for, refused where nothing makes them, and told what was attempted."""

import importlib.util

import pytest

from indx_core.errors import ConfigurationError
from indx_server import tracing
from indx_server.service import Service


@pytest.fixture
def installed(monkeypatch):
    """Whether OpenTelemetry's SDK is installed, as a test says."""
    plain = importlib.util.find_spec

    def say(there):
        def find(name):
            return (plain("json") if there else None) if name == "opentelemetry.sdk" else plain(name)

        monkeypatch.setattr(tracing, "find_spec", find)

    return say


def test_nothing_is_traced_unless_asked_for(client):
    assert not any(tracing.telemetry().values())
    assert not any(isinstance(one, tracing.Tracing) for one in client.service.hooks._manager.get_plugins())


def test_traces_without_what_makes_them_are_refused_at_start(registry, monkeypatch, installed):
    installed(False)
    monkeypatch.setenv("INDX_SERVER_TRACING", "true")
    with pytest.raises(ConfigurationError, match=r"indx-server\[otel\]"):
        Service(registry)


def test_the_span_of_a_request_is_told_every_attempt_on_its_document(
    serve_here, inline, installed, monkeypatch
):
    from opentelemetry import trace

    installed(True)
    events = []

    class Span(trace.NonRecordingSpan):
        def add_event(self, name, attributes=None, timestamp=None):
            events.append(
                (name, attributes["indx.capability"], attributes["indx.pages"], attributes["indx.outcome"])
            )

    client = serve_here(INDX_SERVER_TRACING="true")
    monkeypatch.setattr(trace, "get_current_span", lambda context=None: Span(trace.INVALID_SPAN_CONTEXT))
    assert client.post("/v1/encode", json={"source": inline()}).status_code == 200
    assert events == [("attempt", "text-reader", [1], "read")]
