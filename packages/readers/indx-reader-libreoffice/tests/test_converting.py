"""A conversion keeps to its bounds and leaves nothing behind, whatever the program does."""

from __future__ import annotations

import errno
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from array import array
from itertools import count
from pathlib import Path

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, TimedOut, UnsupportedMediaType
from indx_core.ports import SourceContent
from indx_format_pdf import PageContent
from indx_reader_libreoffice._converting import convert
from indx_reader_libreoffice._reading import _reading
from indx_reader_libreoffice._session import ConvertedSession
from indx_reader_libreoffice.provider import observer, reader

TYPE = "application/vnd.wordperfect"
PATIENCE = 20  # seconds after which what has not ended never will


@pytest.fixture
def source(document):
    return SourceContent.of_bytes(document("said"), media_type=TYPE, filename="a.wpd")


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Where folders of conversions are made: nothing may be left there."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    yield place
    assert list(place.iterdir()) == []


def gone(pid):
    """Whether no such process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_document_is_handed_over_under_a_profile_of_its_own(program, calls, source):
    program()
    assert convert(source, deadline=Deadline()).data.startswith(b"%PDF-")
    convert(source, deadline=Deadline())
    first, second = calls()
    assert first[1:] == [
        "--headless", "--invisible", "--nologo", "--nodefault", "--norestore", "--nolockcheck",
        "--infilter=WordPerfect", "--convert-to", "pdf", "--outdir", first[-2], first[-1],
    ]  # fmt: skip
    assert first[0].startswith("-env:UserInstallation=file:///")
    assert first[0] != second[0], "a profile is used once"
    assert first[-1].endswith("/document.wpd"), "the source's name is not used"


def test_the_program_sees_no_secret_and_no_home(program, monkeypatch, source, tmp_path):
    monkeypatch.setenv("INDX_API_TOKENS", "secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    program(
        "import json\n"
        f"json.dump([dict(os.environ), os.getcwd()], open({str(tmp_path / 'seen')!r}, 'w')); convert()"
    )
    convert(source, deadline=Deadline())
    seen, folder = json.loads((tmp_path / "seen").read_text())
    assert "secret" not in seen.values()
    assert Path(seen["HOME"]).parent == Path(seen["TMPDIR"]).parent == Path(folder)


def test_the_profile_forbids_macros_and_what_leads_out(program, source, tmp_path):
    program(
        f"import shutil; shutil.copy('profile/user/registrymodifications.xcu', {str(tmp_path)!r}); convert()"
    )
    convert(source, deadline=Deadline())
    profile = (tmp_path / "registrymodifications.xcu").read_text()
    for name, value in (
        ("BlockUntrustedRefererLinks", "true"),
        ("DisableMacrosExecution", "true"),
        ("MacroSecurityLevel", "3"),
        ("ooInetProxyType", "2"),
        ("ooInetHTTPSProxyName", "127.0.0.1"),
        ("ExportHiddenSlides", "true"),
        ("SinglePageSheets", "true"),
    ):
        assert f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop>' in profile


def test_bounds_of_memory_and_disk_hold_for_the_program(program, monkeypatch, source, tmp_path):
    monkeypatch.setenv("INDX_LIBREOFFICE_MEMORY_BYTES", "1000000000")
    monkeypatch.setenv("INDX_LIBREOFFICE_MAX_OUTPUT_BYTES", "1100000")
    program(
        "import json, resource\n"
        "kinds = (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE)\n"
        "found = [resource.getrlimit(kind) for kind in kinds]\n"
        f"json.dump(found, open({str(tmp_path / 'seen')!r}, 'w')); convert()"
    )
    convert(source, deadline=Deadline())
    size = 1_100_000 + source.size
    assert json.loads((tmp_path / "seen").read_text()) == [[1_000_000_000] * 2, [size] * 2, [0, 0]]


def test_a_program_that_hangs_is_ended_at_the_time_limit(program, monkeypatch, source, tmp_path):
    monkeypatch.setenv("INDX_LIBREOFFICE_TIMEOUT_SECONDS", "0.5")
    program(f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); import signal; signal.pause()")
    with pytest.raises(SourceError, match=r"in 0\.5 s; raise INDX_LIBREOFFICE_TIMEOUT_SECONDS") as caught:
        convert(source, deadline=Deadline())
    assert caught.value.lapse == "ended"
    assert gone(int((tmp_path / "pid").read_text()))


def test_what_the_program_started_ends_with_it(program, source, tmp_path):
    program(
        "import signal\n"
        "for leaves in (False, True):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        if leaves:\n"
        "            os.setsid()\n"
        f"        open({str(tmp_path)!r} + '/child%d' % leaves, 'w').write(str(os.getpid()))\n"
        "        os.write(1, b'up')\n"
        "        signal.pause()\n"
        f"    while not os.path.exists({str(tmp_path)!r} + '/child%d' % leaves): pass\n"
        f"    while not open({str(tmp_path)!r} + '/child%d' % leaves).read(): pass\n"
        "convert()"
    )
    assert convert(source, deadline=Deadline()).size
    assert gone(int((tmp_path / "child0").read_text())), "one of its own group"
    assert gone(int((tmp_path / "child1").read_text())), "one of a session of its own"


def test_a_program_ends_when_the_deadline_passes(program, source, tmp_path):
    program(f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); import signal; signal.pause()")

    class Leaving(Deadline):
        """Nobody waits any longer as soon as the program runs."""

        def check(self):
            if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
                self.cancel()
            super().check()

    with pytest.raises(TimedOut) as caught:
        convert(source, deadline=Leaving())
    assert caught.value.code == "client_disconnected"
    assert gone(int((tmp_path / "pid").read_text()))
    ticks = count()
    with pytest.raises(TimedOut) as caught:
        convert(source, deadline=Deadline(3, clock=lambda: next(ticks)))
    assert caught.value.code == "deadline_exceeded"


def test_a_conversion_ends_with_the_process_that_asked_for_it(program, source, tmp_path):
    os.mkfifo(tmp_path / "told")
    program(
        f"told = open({str(tmp_path / 'told')!r}, 'w'); print(os.getppid(), file=told, flush=True)\n"
        "import signal; signal.pause()"
    )
    (tmp_path / "document.wpd").write_bytes(source.data)
    script = (
        "import sys; from pathlib import Path\n"
        "from indx_core.deadline import Deadline\n"
        "from indx_core.ports import SourceContent\n"
        "from indx_reader_libreoffice._converting import convert\n"
        f"convert(SourceContent.of_file(Path(sys.argv[1]), media_type={TYPE!r}), deadline=Deadline())"
    )
    asking = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "document.wpd")],
        env={**os.environ, "TMPDIR": tempfile.gettempdir()},
        start_new_session=True,
    )
    with (tmp_path / "told").open() as told:
        keeper = os.pidfd_open(int(told.readline()))
        os.killpg(asking.pid, signal.SIGKILL)  # as a worker is ended, with all of its group
        asking.wait()
        assert select.select([told], [], [], PATIENCE)[0], "the program goes on"
        assert told.read() == "", "whoever held it open is gone"
    assert select.select([keeper], [], [], PATIENCE)[0], "the keeper goes on"
    os.close(keeper)


def test_whatever_it_says_is_taken_away_and_kept_short(program, source):
    program("for _ in range(200): os.write(1, b'x' * 65536); os.write(2, b'y' * 65536)\nconvert()")
    assert convert(source, deadline=Deadline()).size


@pytest.mark.parametrize(
    "behaviour",
    [
        "for n in range(100): open('%d' % n, 'wb').write(b'x' * 20000)",
        "try: write(b'x' * 10_000_000)\nexcept OSError: sys.exit(1)",
    ],
)
def test_one_that_writes_too_much_is_refused(program, monkeypatch, source, behaviour):
    monkeypatch.setenv("INDX_LIBREOFFICE_MAX_OUTPUT_BYTES", "1100000")
    program(behaviour)
    with pytest.raises(
        InputTooLarge, match="more than 1100000 bytes; raise INDX_LIBREOFFICE_MAX_OUTPUT_BYTES"
    ):
        convert(source, deadline=Deadline())


def test_one_that_goes_on_writing_is_ended(program, monkeypatch, source):
    monkeypatch.setenv("INDX_LIBREOFFICE_MAX_OUTPUT_BYTES", "1100000")
    program("n = 0\nwhile True:\n    open('%d' % (n % 50), 'wb').write(b'x' * 50000); n += 1")
    with pytest.raises(InputTooLarge):
        convert(source, deadline=Deadline())


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        ("sys.exit(1)", "exit 1"),
        ("pass", "exit 0"),
        ("write(b'')", "exit 0"),
        ("os.symlink(os.path.abspath(__file__), os.path.join(out, 'document.pdf'))", "exit 0"),
        ("os.mkdir(os.path.join(out, 'document.pdf'))", "exit 0"),
        ("os.kill(os.getpid(), 11)", "signal 11"),
    ],
)
def test_without_a_pdf_the_document_is_refused(program, source, behaviour, said):
    program(behaviour)
    with pytest.raises(SourceError, match=said) as caught:
        convert(source, deadline=Deadline())
    assert caught.value.code == "source_unreadable"
    assert "/" not in caught.value.message, "no path of this machine is shown"


@pytest.mark.parametrize(
    ("behaviour", "lapse"),
    [
        ("sys.exit(1)", None),
        ("pass", None),
        ("os.kill(os.getpid(), 9)", "lacking"),
        ("os.kill(os.getpid(), 15)", "lacking"),
        ("sys.exit(128 + 9)", "lacking"),
        ("os.kill(os.getpid(), 11)", "ended"),
        ("sys.exit(128 + 6)", "ended"),
        ("sys.exit(255)", "lacking"),
        *((f"sys.exit({code})", "lacking") for code in (2, 77, 81, 126, 127, 128)),
        ("os.kill(os.getppid(), 9)", "lacking"),
    ],
)
def test_what_libreoffice_says_is_the_fault_of_the_document_a_crash_may_be_and_any_other_end_is_not(
    program, source, behaviour, lapse
):
    program(behaviour)
    with pytest.raises(SourceError) as caught:
        convert(source, deadline=Deadline())
    assert caught.value.lapse == lapse


@pytest.mark.parametrize(("hard", "lapse"), [(230_000_000, "ended"), (3_000_000_000, None)])
def test_what_it_cannot_open_under_a_limit_of_the_system_may_need_more_memory(
    program, monkeypatch, source, hard, lapse
):
    program("sys.exit(1)")
    monkeypatch.setattr("resource.getrlimit", lambda _: (hard, hard))
    with pytest.raises(SourceError) as caught:
        convert(source, deadline=Deadline())
    assert caught.value.lapse == lapse


def test_a_full_disk_is_not_the_fault_of_the_document(program, monkeypatch, source):
    def full(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    program("sys.exit(1)")
    monkeypatch.setattr("indx_reader_libreoffice._converting.tempfile.TemporaryFile", full)
    with pytest.raises(OSError, match="No space left"):
        convert(source, deadline=Deadline())


def test_what_is_no_pdf_is_refused(program, source):
    program("write(b'x' * 1000)")
    with pytest.raises(SourceError):
        observer().open(source)


def test_a_program_that_cannot_be_started_is_said(program, source):
    program().write_text("#!/nowhere/python\n")
    with pytest.raises(SourceError, match="could not be started") as caught:
        convert(source, deadline=Deadline())
    assert caught.value.lapse == "lacking"  # another time it may be


def test_only_bytes_of_the_type_reach_the_program(program, calls, document):
    program()
    for data in (b"", b"plain text", document("x")[:9], b"<html>"):
        with pytest.raises(SourceError):
            convert(SourceContent.of_bytes(data, media_type=TYPE, filename="a.wpd"), deadline=Deadline())
    with pytest.raises(SourceError):
        convert(SourceContent.of_bytes(document("x"), media_type="application/msword"), deadline=Deadline())
    assert calls() == []


def test_a_locked_document_is_refused_as_such(program, calls, document):
    program()
    locked = bytearray(document("x"))
    locked[12] = 7
    with pytest.raises(SourceError) as caught:
        convert(SourceContent.of_bytes(bytes(locked), media_type=TYPE), deadline=Deadline())
    assert caught.value.code == "source_encrypted"
    assert calls() == []


def test_without_libreoffice_all_is_unavailable_and_says_what_to_do(program, monkeypatch, source, tmp_path):
    program()
    monkeypatch.delenv("INDX_LIBREOFFICE_COMMAND")
    monkeypatch.setenv("PATH", str(tmp_path))
    for provider in (observer(), reader()):
        lack = provider.availability()
        assert "`soffice` is not on the PATH" in lack.reason
        assert "apt-get install libreoffice-writer" in lack.fix
    with pytest.raises(UnsupportedMediaType, match="apt-get install"):
        observer().open(source)
    (tmp_path / "libreoffice").symlink_to(sys.executable)
    assert reader().availability() is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("INDX_LIBREOFFICE_COMMAND", "/nowhere/soffice"),
        ("INDX_LIBREOFFICE_TIMEOUT_SECONDS", "0"),
        ("INDX_LIBREOFFICE_MEMORY_BYTES", "1"),
        ("INDX_LIBREOFFICE_MAX_OUTPUT_BYTES", "much"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(program, monkeypatch, name, value):
    program()
    monkeypatch.setenv(name, value)
    lack = reader().availability()
    assert name in lack.reason
    assert name in lack.fix


def test_signs_of_symbol_fonts_before_items_are_bullets():
    class Drawn:
        information = {}  # noqa: RUF012  it stands for an object's

        def page(self, number):
            text = "\uf0b7 first\n\uf0fc second"
            return PageContent(
                number, text=text, line_starts=array("q", [0, 8]), line_ends=array("q", [7, 16]),
                boxes=array("d", [0.1, 0.1, 0.2, 0.2] * 2), characters=13,
            )  # fmt: skip

        def headings(self, number):
            return ()

    assert _reading(Drawn(), 1).text == "• first\n✓ second"


# Readings by the session of another reader


class Other:
    """A session that counts the pages in its own way."""

    def __init__(self, source, pages):
        self.media_type, self.source, self.page_count = source.media_type, source, pages


def test_pages_of_one_that_counts_one_are_all_of_it(program, document):
    program()
    source = SourceContent.of_bytes(document("first\x0csecond"), media_type=TYPE)
    (page,) = reader().read(Other(source, 1), [1], deadline=Deadline())
    assert (page.page, page.text, page.boxes) == (1, "first\nsecond", None)
    assert [page.text[s:e] for s, e in zip(page.line_starts, page.line_ends, strict=True)] == [
        "first",
        "second",
    ]


def test_pages_that_do_not_correspond_are_unread(program, document):
    program()
    source = SourceContent.of_bytes(document("first\x0csecond"), media_type=TYPE)
    pages = list(reader().read(Other(source, 3), [1, 3], deadline=Deadline()))
    assert [(page.page, page.reason, page.text) for page in pages] == [
        (1, "pages_differ", ""),
        (3, "pages_differ", ""),
    ]


def test_a_drawn_page_has_a_box_a_line(program, document):
    program()
    session = ConvertedSession(SourceContent.of_bytes(document("first\nsecond"), media_type=TYPE))
    (page,) = reader().read(session, [1], deadline=Deadline())
    session.close()
    left, top, right, bottom = page.boxes[:4]
    assert left == pytest.approx(72 / 595, abs=0.01)
    assert top < (842 - 760) / 842 < bottom + 0.005
    assert left < right < 0.3
    assert page.boxes[5] > bottom - 0.01, "the second line stands below"
