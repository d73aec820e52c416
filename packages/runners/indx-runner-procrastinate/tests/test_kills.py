"""What a killed process had in hand is taken over by another, once; what was cancelled is not."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from indx_runner_procrastinate.provider import runner

PATIENCE = 30
CHILD = """
import sys, threading
from indx_runner_procrastinate.provider import runner

def work(key, payload, cancelled):
    print("started", flush=True)
    threading.Event().wait()

runner().register("work", work)
threading.Event().wait()
"""


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setenv("INDX_RUNNER_PROCRASTINATE_PATIENCE_SECONDS", "1")


@pytest.fixture
def killed():
    """Have a process take the job that waits, and kill it."""

    def run():
        child = subprocess.Popen([sys.executable, "-c", CHILD], stdout=subprocess.PIPE, text=True)
        assert child.stdout.readline() == "started\n"
        os.kill(child.pid, signal.SIGKILL)
        assert child.wait(PATIENCE) == -signal.SIGKILL
        child.stdout.close()

    return run


def settle(made, key):
    pause = threading.Event()
    for _ in range(PATIENCE * 100):
        if not made.running(key):
            return
        pause.wait(0.01)
    raise AssertionError(f"{key} still runs")


def test_what_a_killed_process_had_in_hand_is_done_by_one_of_the_others(killed):
    submits, ran = runner(), []
    submits.submit("work", "k", {"n": 1})
    killed()
    assert submits.running("k")
    submits.submit("work", "k", {"n": 2})  # the first is not lost: it goes on alone
    others = [runner() for _ in range(3)]
    for other in others:
        other.register("work", lambda key, payload, cancelled: ran.append((key, payload)))
    settle(submits, "k")
    for made in (submits, *others):
        made.close()
    assert ran == [("k", {"n": 1})]


def test_what_was_cancelled_after_its_process_died_is_not_begun_again(killed):
    made, ran = runner(), []
    made.submit("work", "k", {})
    killed()
    made.cancel("k")
    made.register("work", lambda *call: ran.append(call[0]))
    settle(made, "k")
    made.submit("work", "k", {})
    settle(made, "k")
    made.close()
    assert ran == ["k"]
