"""A deadline ends work when the time is up, or when nobody waits any longer."""

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut


def test_time_that_is_up_refuses():
    now = [0.0]
    deadline = Deadline(2, clock=lambda: now[0])
    deadline.check()
    now[0] = 2.0
    with pytest.raises(TimedOut) as caught:
        deadline.check()
    assert (caught.value.code, deadline.passed, deadline.remaining()) == ("deadline_exceeded", True, 0.0)


@pytest.mark.parametrize("seconds", [None, 0, 60])
def test_a_caller_who_left_ends_any_deadline(seconds):
    deadline = Deadline(seconds, clock=lambda: 0.0)
    assert not deadline.passed
    deadline.cancel()
    with pytest.raises(TimedOut) as caught:
        deadline.check()
    assert (caught.value.code, deadline.passed, deadline.remaining()) == ("client_disconnected", True, 0.0)
