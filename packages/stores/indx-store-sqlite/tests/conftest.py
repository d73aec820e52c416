"""A new file for each test, and processes that begin together."""

import os
import signal
import traceback
import warnings

import pytest

from indx_store_sqlite import _database


@pytest.fixture(autouse=True)
def database(tmp_path, monkeypatch):
    """The path of the file that the stores are pointed at; nothing is there yet."""
    path = tmp_path / "store.db"
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", str(path))
    # Nobody cuts the power here, and what a killed process wrote is the system's to keep.
    hasty = [pragma.replace("synchronous = FULL", "synchronous = OFF") for pragma in _database._PRAGMAS]
    monkeypatch.setattr(_database, "_PRAGMAS", hasty)
    return path


@pytest.fixture
def in_processes():
    """A function that runs work, given a number, in so many processes that begin at one moment."""

    def run(count, work):
        gate, starter = os.pipe()
        children = [_forked(gate, starter, number, work) for number in range(count)]
        os.close(gate)
        os.close(starter)  # the gate opens
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        assert codes == [0] * count

    return run


def _forked(gate, starter, number, work):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where threads run, later Pythons warn of forks
        child = os.fork()
    if child:
        return child
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # that of the tests would have to wait for its turn
        signal.alarm(120)  # whoever waits for it shall not wait for ever
        os.close(starter)
        os.read(gate, 1)
        work(number)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)
