"""Work in a thread of its own is waited for as long as it may take, and left behind after."""

import threading

import pytest

from indx_core import leaving
from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_core.leaving import done_within


class Late(Exception):
    """It took too long."""


@pytest.fixture
def waiting():
    """Work that waits until it is let go, and says what it saw of its time."""
    released, seen = threading.Event(), []

    def work(own):
        released.wait(30)
        seen.append(own.passed)
        return "done"

    work.let_go, work.seen = released.set, seen
    yield work
    released.set()


def ask(work, *, seconds=30.0, deadline=None):
    return done_within(seconds, work, deadline=deadline or Deadline(), late=Late, name="indx-left")


def left():
    return [thread for thread in threading.enumerate() if thread.name == "indx-left"]


def test_what_it_comes_to_is_answered_and_raised():
    assert ask(lambda own: own.remaining() > 0)
    with pytest.raises(KeyError, match="mine"):
        ask(lambda own: {}["mine"])


def test_past_its_time_it_is_left_behind_and_can_tell(waiting):
    with pytest.raises(Late):
        ask(waiting, seconds=0.01)
    (thread,) = left()
    assert thread.daemon
    waiting.let_go()
    thread.join()
    assert waiting.seen == [True]


def test_a_caller_who_leaves_is_answered_at_once_and_the_work_can_tell(waiting, monkeypatch):
    monkeypatch.setattr(leaving, "_LOOK", 0.001)
    deadline = Deadline()

    def work(own):
        deadline.cancel()
        return waiting(own)

    with pytest.raises(TimedOut):
        ask(work, deadline=deadline)
    (thread,) = left()
    waiting.let_go()
    thread.join()
    assert waiting.seen == [True]


def test_past_the_callers_deadline_nothing_is_begun():
    deadline = Deadline()
    deadline.cancel()
    with pytest.raises(TimedOut):
        ask(lambda own: pytest.fail("it was begun"), deadline=deadline)
