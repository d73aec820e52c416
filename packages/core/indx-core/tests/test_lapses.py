"""What an error owes to the moment: said by its class, by the system, or by what stands behind it."""

import errno
import pickle
import tempfile

import pytest

from indx_core.errors import IndxError, InputTooLarge, InternalError, SourceError, TimedOut, Unavailable
from indx_core.lapses import heavier, lapse_of


def raised(make):
    try:
        make()
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    ("error", "lapse"),
    [
        (SourceError("damaged"), None),
        (SourceError("late", lapse="ended"), "ended"),
        (SourceError("not started", lapse="lacking"), "lacking"),
        (InputTooLarge("many"), None),
        (InternalError("odd"), None),
        (Unavailable("the server is down"), "lacking"),
        (TimedOut("its time is over"), "ended"),
        (MemoryError(), "ended"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "ended"),
        (OSError([1], "whatever a library puts there"), None),
        (OSError(True, "x"), None),
        (ValueError("a bad number"), None),
        (OSError("cannot identify the image"), None),
        (FileNotFoundError("no such stream"), None),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "a.txt"), None),
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), "lacking"),
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), "lacking"),
        *(
            (OSError(getattr(errno, f"E{name}"), "x"), "lacking")
            for name in ("NOSPC", "MFILE", "NFILE", "DQUOT", "IO")
        ),
        *((OSError(getattr(errno, f"E{name}"), "x"), None) for name in ("INVAL", "NAMETOOLONG", "ISDIR")),
    ],
    ids=repr,
)
def test_only_what_the_moment_lacks_or_ended_is_a_lapse(error, lapse):
    assert lapse_of(error) == lapse


def test_a_disk_too_full_for_any_folder_of_temporary_files_lacks_room(monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr("tempfile._os.open", full)
    error = raised(tempfile.gettempdir)
    assert isinstance(error, FileNotFoundError)
    assert lapse_of(error) == "lacking"


@pytest.mark.parametrize("cause", ["named", "hidden", "met"])
def test_what_a_reader_calls_damaged_is_judged_by_what_stopped_it(cause):
    def open_it():
        try:
            try:
                raise OSError(errno.EMFILE, "Too many open files")
            except OSError as error:
                if cause == "named":
                    raise ValueError("a library's") from error
                if cause == "hidden":
                    raise ValueError("a library's") from None
                raise ValueError("a library's")  # noqa: B904  (as many of them do)
        except ValueError as error:
            raise SourceError("the bytes are damaged") from error

    assert lapse_of(raised(open_it)) == "lacking"


def test_what_was_handled_before_says_nothing_of_a_later_refusal():
    def open_it():
        try:
            raise OSError(errno.EMFILE, "Too many open files")
        except OSError:
            pass
        raise SourceError("the bytes are damaged")

    assert lapse_of(raised(open_it)) is None


def test_a_cause_that_counts_as_false_is_a_cause():
    class Several(ValueError):
        def __len__(self):
            return 0

    cause, handled = Several(), OSError(errno.EMFILE, "Too many open files")
    error = SourceError("damaged")
    error.__context__, error.__cause__ = handled, cause
    assert lapse_of(error) is None
    cause.__cause__ = handled
    assert lapse_of(error) == "lacking"


def test_a_chain_without_an_end_has_one():
    one, two = ValueError("one"), ValueError("two")
    one.__context__, two.__context__ = two, one
    assert lapse_of(one) is None


def test_what_was_lacking_decides():
    assert heavier(None, None) is None
    for one in (None, "ended", "lacking"):
        assert heavier(one, "lacking") == heavier("lacking", one) == "lacking"
    assert heavier(None, "ended") == heavier("ended", None) == "ended"


def test_a_lapse_travels_between_processes_and_stays_off_the_wire():
    error = SourceError("m", lapse="ended")
    again = pickle.loads(pickle.dumps(error))
    assert again.lapse == "ended"
    assert again.envelope() == SourceError("m").envelope()
    assert IndxError("m").lapse is SourceError("m").lapse is None
