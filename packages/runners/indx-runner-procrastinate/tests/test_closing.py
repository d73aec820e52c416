"""A runner that is closed takes no more jobs and ends, also where a cancellation gets lost on its way."""

import asyncio
import contextlib
import threading

import pytest
from procrastinate.manager import JobManager

from indx_runner_procrastinate.provider import runner

PATIENCE = 30


def closes(made):
    """Whether it ends; in a thread, as one that never does would take the whole run with it."""
    closing = threading.Thread(target=made.close, daemon=True)
    closing.start()
    closing.join(PATIENCE)
    return not closing.is_alive()


@pytest.mark.parametrize("step", ["get_stalled_jobs", "prune_stalled_workers", "register_worker"])
def test_a_lost_cancellation_keeps_nothing_going(monkeypatch, step):
    does, inside = getattr(JobManager, step), threading.Event()

    async def deaf(*arguments, **more):
        inside.set()
        with contextlib.suppress(asyncio.CancelledError):  # as `asyncio.wait_for` may
            await asyncio.Event().wait()
        return await does(*arguments, **more)

    monkeypatch.setattr(JobManager, step, deaf)
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_PATIENCE_SECONDS", "1000")  # nobody waits for that either
    made = runner()
    made.register("work", lambda *_: None)
    assert inside.wait(PATIENCE)
    assert closes(made)
