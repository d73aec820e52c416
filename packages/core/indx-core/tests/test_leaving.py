"""Work in a thread of its own is waited for as long as it may take, and left behind after."""

import threading

import pytest

from indx_core import leaving
from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_core.leaving import HOLD_SECONDS, MadeOnce, done_within


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


class Making:
    """Something that is made when it is let go, and counts how often it was begun."""

    def __init__(self):
        self.now, self.kept, self.begun, self.fails = 0.0, None, [], None
        self.started, self.released = threading.Event(), threading.Event()
        self.once = MadeOnce("indx-left", clock=lambda: self.now)

    def make(self, own):
        self.begun.append(self.now)
        self.started.set()
        self.released.wait(30)
        if self.fails:
            raise self.fails
        self.kept = "made"
        return "made"

    def get(self, key="key", seconds=30.0, deadline=None):
        deadline = deadline or Deadline()
        return self.once.get(
            key, kept=lambda: self.kept, make=self.make, seconds=seconds, deadline=deadline, late=Late
        )


@pytest.fixture
def making():
    made = Making()
    yield made
    made.released.set()
    for thread in left():
        thread.join()


def test_it_is_made_once(making):
    making.released.set()
    assert (making.get(), making.get()) == ("made", "made")
    assert len(making.begun) == 1


def test_callers_at_once_wait_for_the_one_that_makes(making):
    found = []
    callers = [threading.Thread(target=lambda: found.append(making.get())) for _ in range(4)]
    for caller in callers:
        caller.start()
    making.started.wait(30)
    making.released.set()
    for caller in callers:
        caller.join()
    assert found == ["made"] * 4
    assert len(making.begun) == 1


def test_a_caller_without_time_leaves_and_the_making_goes_on(making):
    deadline = Deadline(0.01)
    with pytest.raises(TimedOut):
        making.get(deadline=deadline)
    making.released.set()
    assert making.get() == "made"
    assert len(making.begun) == 1


def test_who_waits_for_another_waits_no_longer_than_the_time_there_is(making):
    with pytest.raises(TimedOut):
        making.get(deadline=Deadline(0.01))  # its making is left behind, and holds the turn
    making.started.wait(30)
    with pytest.raises(Late):
        making.get(seconds=0.01)
    assert len(making.begun) == 1


def test_what_is_late_or_fails_is_not_tried_again_for_a_minute(making):
    making.released.set()
    making.fails = KeyError("gone")
    for making.now in (0.0, 1.0, HOLD_SECONDS - 1, HOLD_SECONDS):
        with pytest.raises(KeyError, match="gone"):
            making.get()
    assert making.begun == [0.0, HOLD_SECONDS]
    making.fails = None
    making.now *= 3
    assert making.get() == "made"


def test_two_things_are_made_beside_each_other(making):
    with pytest.raises(TimedOut):
        making.get(deadline=Deadline(0.01))
    making.started.wait(30)
    making.started.clear()
    other = threading.Thread(target=making.get, args=("other",))
    other.start()
    assert making.started.wait(30), "the other was kept waiting"
    making.released.set()
    other.join()
