"""A host cancels a request: work ends between attempts, and what it logged can be told apart."""

import logging
from contextvars import ContextVar

import pytest

from indx_core.contracts import EncodeRequest, InlineSource
from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_core.hooks import Hooks, hookimpl
from indx_runtime import Engine, Workers
from indx_runtime.progress import Attempted, Progress


def request(text):
    source = InlineSource(data=text.encode(), media_type="text/x-fake")
    return EncodeRequest(source=source, granularities=["PAGE"])


@pytest.mark.parametrize("operation", ["plan", "encode"])
def test_nothing_is_worked_on_for_a_caller_who_left(installed, operation):
    deadline = Deadline()
    deadline.cancel()
    with pytest.raises(TimedOut) as caught:
        getattr(Engine(installed), operation)(request("one"), deadline=deadline)
    assert caught.value.code == "client_disconnected"


def test_a_document_in_a_worker_ends_between_pages_and_the_next_one_is_read(installed, monkeypatch):
    deadline, seen = Deadline(), []
    plain = Progress.apply

    def leave(self, frame):
        plain(self, frame)
        if isinstance(frame, Attempted):
            seen.append(frame.attempt.page)
            deadline.cancel()

    with Workers(1) as pool:
        engine = Engine(installed, workers=pool)
        monkeypatch.setattr(Progress, "apply", leave)
        with pytest.raises(TimedOut) as caught:
            engine.encode(request("one\ntwo\nthree"), deadline=deadline)
        monkeypatch.setattr(Progress, "apply", plain)
        assert caught.value.code == "client_disconnected"
        assert seen == [1]
        assert engine.encode(request("one\ntwo")).trace.status == "ok"


def test_what_is_logged_about_a_document_is_logged_in_the_callers_context(installed, caplog):
    caller, told = ContextVar("caller", default="nobody"), []

    class Listen(logging.Handler):
        def emit(self, record):
            told.append(caller.get())

    listener = Listen()
    logging.getLogger("indx.workers").addHandler(listener)
    caller.set("ann")
    try:
        with Workers(1) as pool:
            Engine(installed, workers=pool).encode(request("segfault"))
    finally:
        logging.getLogger("indx.workers").removeHandler(listener)
    assert told
    assert set(told) == {"ann"}


def test_hooks_given_to_an_engine_are_told_what_was_attempted(installed):
    class Watch:
        seen = ()

        @hookimpl
        def indx_capability_attempted(self, capability_id, outcome):
            self.seen += ((capability_id, outcome),)

    hooks, watch = Hooks(), Watch()
    hooks.register(watch)
    Engine(installed, hooks=hooks).encode(request("one"))
    assert watch.seen == (("fake-reader", "read"),)
