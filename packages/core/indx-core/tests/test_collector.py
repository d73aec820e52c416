"""How seldom garbage is looked for while much is made, and that the program's own wish is there again."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from indx_core.collector import _Thresholds, collecting_seldom


@pytest.fixture(autouse=True)
def thresholds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Those of a program that set none, with no block under way in any other thread."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    monkeypatch.setattr("indx_core.collector._THRESHOLDS", _Thresholds())
    yield
    gc.set_threshold(*before)


def test_inside_the_block_the_collector_waits_longer() -> None:
    with collecting_seldom(5_000):
        assert gc.get_threshold() == (5_000, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


def test_an_error_in_the_block_leaves_the_programs_own_thresholds() -> None:
    with pytest.raises(KeyError), collecting_seldom(5_000):
        raise KeyError("x")
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("first_ends_first", [True, False])
def test_blocks_that_overlap_agree_and_leave_nothing_behind(first_ends_first: bool) -> None:
    one, other = collecting_seldom(5_000), collecting_seldom(9_000)
    one.__enter__()
    other.__enter__()
    assert gc.get_threshold()[0] == 9_000
    (one if first_ends_first else other).__exit__(None, None, None)
    assert gc.get_threshold()[0] == (9_000 if first_ends_first else 5_000)
    (other if first_ends_first else one).__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


def test_a_program_that_collects_more_seldom_still_does() -> None:
    gc.set_threshold(50_000, 5, 5)
    with collecting_seldom(5_000):
        assert gc.get_threshold() == (50_000, 5, 5)
    assert gc.get_threshold() == (50_000, 5, 5)


def test_a_program_that_never_collects_is_left_alone() -> None:
    gc.set_threshold(0, 10, 10)
    with collecting_seldom(5_000):
        assert gc.get_threshold()[0] == 0
    assert gc.get_threshold()[0] == 0


def test_what_the_program_sets_meanwhile_stays() -> None:
    with collecting_seldom(5_000):
        gc.set_threshold(1_234, 3, 3)
        with collecting_seldom(9_000):
            assert gc.get_threshold() == (1_234, 3, 3)
    assert gc.get_threshold() == (1_234, 3, 3)
    with collecting_seldom(5_000):
        assert gc.get_threshold()[0] == 5_000
    assert gc.get_threshold() == (1_234, 3, 3)


FORKED = """
import gc, os, sys, threading
from indx_core.collector import collecting_seldom
gc.set_threshold(700, 10, 10)
inside, go_on = threading.Event(), threading.Event()
def other():
    with collecting_seldom(5_000):
        inside.set()
        go_on.wait()
thread = threading.Thread(target=other)
thread.start()
inside.wait()
with collecting_seldom(9_000):
    child = os.fork()
    if not child:
        known = gc.get_threshold() == (700, 10, 10)
if not child:
    with collecting_seldom(7_000):
        known = known and gc.get_threshold() == (7_000, 10, 10)
    os._exit(0 if known and gc.get_threshold() == (700, 10, 10) else 1)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
here = gc.get_threshold()[0]
go_on.set()
thread.join()
sys.exit(code or here != 5_000 or gc.get_threshold() != (700, 10, 10))
"""


def test_a_process_that_was_forked_knows_no_block_of_the_one_it_came_from() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_the_collector_may_end_a_block_while_another_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    def unfinished() -> Iterator[None]:
        with collecting_seldom(5_000):
            yield

    def begin_another() -> None:
        with collecting_seldom(9_000):
            pass

    block = unfinished()
    next(block)
    cycle: list[object] = [block]
    cycle.append(cycle)
    del block, cycle
    now = gc.get_threshold
    monkeypatch.setattr(gc, "get_threshold", lambda: (gc.collect(), now())[1])
    beginning = threading.Thread(target=begin_another, daemon=True)
    beginning.start()
    beginning.join(30)
    assert not beginning.is_alive()
    assert now() == (700, 10, 10)
