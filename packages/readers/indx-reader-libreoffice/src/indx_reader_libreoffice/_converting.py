"""From a document to the PDF that LibreOffice draws of it: in a process of its own, within bounds."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, UnsupportedMediaType, explain
from indx_core.ports import SourceContent
from indx_format_office.session import refuse_empty
from indx_reader_libreoffice import _keeper
from indx_reader_libreoffice._finding import find_command, lack
from indx_reader_libreoffice._kinds import Kind, recognise
from indx_reader_libreoffice._locked import is_locked
from indx_reader_libreoffice._profile import write_profile
from indx_reader_libreoffice.settings import MAX_OUTPUT_BYTES, MEMORY_BYTES, TIMEOUT_SECONDS

__all__ = ["convert"]

_log = logging.getLogger("indx.libreoffice")

_LOOK: Final = 0.1
"""How often it is looked whether the caller still waits, in seconds."""
_PATIENCE: Final = 10.0
_JUDGED: Final = (0, 1)
"""Exit codes by which LibreOffice says that it did what it could."""
_BY_SIGNAL: Final = 128
"""What a shell, and the starter of LibreOffice, add to the number of the signal that ended a program."""
_CRASHES: Final = (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS)
"""Signals that a program brings about itself; any other came from outside."""
_ROOM: Final = 1 << 20
"""Bytes that have to find room on the disk before a document is blamed."""
_PDF: Final = "application/pdf"
_NAME: Final = "document"


def convert(source: SourceContent, *, deadline: Deadline) -> SourceContent:
    """The PDF of a document.

    Raises:
        UnsupportedMediaType: LibreOffice is not there.
        SourceError: The bytes are not what they were taken for, or LibreOffice cannot open them, not in time
            or not within the memory it may take; `source_encrypted` when a password locks the document.
        InputTooLarge: The conversion writes more than it may.
        TimedOut: The caller's deadline passed, or nobody waits any longer.
        OSError: There is no room for it on the disk, or no process.
    """
    if (missing := lack()) is not None:
        raise UnsupportedMediaType(f"{source.media_type} is not read here: {missing.reason}; {missing.fix}")
    refuse_empty(source)
    with source.buffer() as buffer:
        kind = recognise(buffer, source.filename)
        locked = kind is not None and is_locked(buffer, kind)
    if kind is None or kind.media_type != source.media_type:
        raise SourceError(
            f"the bytes are no {source.media_type} that can be opened; check that the file is whole"
        )
    if locked:
        raise SourceError(
            "a password locks the document, and locked documents are not converted; save it without",
            code="source_encrypted",
        )
    deadline.check()
    with tempfile.TemporaryDirectory(prefix="indx-libreoffice-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        told = _run(_request(folder, source, kind), deadline)
        return _result(folder, told)


def _request(folder: Path, source: SourceContent, kind: Kind) -> dict[str, Any]:
    """Lay the document and a profile into `folder`; what the keeper is asked to do with them."""
    write_profile(folder / "profile")
    for part in ("home", "tmp", "out"):
        (folder / part).mkdir()
    written = folder / f"{_NAME}.{kind.extension}"
    with source.open() as data, written.open("wb") as file:
        shutil.copyfileobj(data, file)
    options = ("--headless", "--invisible", "--nologo", "--nodefault", "--norestore", "--nolockcheck")
    return {
        "command": [
            find_command(),
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            *options,
            f"--infilter={kind.filter}",
            "--convert-to",
            "pdf",
            "--outdir",
            str(folder / "out"),
            str(written),
        ],
        "environment": {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp"),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "GIO_USE_VFS": "local",
            "SAL_USE_VCLPLUGIN": "svp",
        },
        "folder": str(folder),
        "seconds": TIMEOUT_SECONDS.get(),
        "memory": MEMORY_BYTES.get(),
        "most": MAX_OUTPUT_BYTES.get() + written.stat().st_size,
    }


def _run(asked: dict[str, Any], deadline: Deadline) -> dict[str, Any]:
    """Have it done by a keeper, which ends it as soon as this process does, or as nobody waits any longer."""
    keeper = subprocess.Popen(  # noqa: S603  this interpreter, and a file of this distribution
        [sys.executable, "-I", "-S", _keeper.__file__, json.dumps(asked)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # whoever ends the group of this process does not end the keeper unheard
    )
    assert keeper.stdin is not None
    assert keeper.stdout is not None
    own = Deadline(asked["seconds"] + _PATIENCE)
    try:
        while True:
            try:
                keeper.wait(_LOOK)
                break
            except subprocess.TimeoutExpired:
                deadline.check()
                if own.passed:
                    raise SourceError(
                        "the conversion did not end when it was told to; the log says more", lapse="ended"
                    ) from None
        try:
            told: dict[str, Any] = json.loads(keeper.stdout.read() or b"{}")
        except ValueError:  # it was ended while it told
            told = {}
    finally:
        keeper.stdin.close()
        try:
            keeper.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            keeper.kill()
            keeper.wait()
        keeper.stdout.close()
    return told


def _result(folder: Path, told: dict[str, Any]) -> SourceContent:
    """The PDF that was written, or the refusal that its absence comes to.

    Raises:
        OSError: There was no room to write it.
    """
    written = folder / "out" / f"{_NAME}.pdf"
    reason = told.get("reason")
    if reason == "ended":
        try:
            data = written.read_bytes() if written.is_file() and not written.is_symlink() else b""
        except OSError as error:
            raise SourceError(f"the conversion cannot be read: {explain(error)}") from None
        if data:
            return SourceContent.of_bytes(data, media_type=_PDF)
    _log.warning("no PDF was written: %s", json.dumps(told))
    if reason == "late":
        raise SourceError(
            f"LibreOffice did not convert the document in {TIMEOUT_SECONDS.get():g} s; "
            f"raise {TIMEOUT_SECONDS.name}",
            lapse="ended",
        )
    if reason == "large":
        raise InputTooLarge(
            f"the conversion writes more than {MAX_OUTPUT_BYTES.get()} bytes; raise {MAX_OUTPUT_BYTES.name}"
        )
    if reason == "absent":
        said = f"LibreOffice could not be started: {told.get('said')}; see `indx doctor`"
        raise SourceError(said, lapse="lacking")
    if reason is None:
        raise SourceError("what sees to the conversion was ended; convert it once more", lapse="lacking")
    code: int = told["code"]
    if code not in _JUDGED:
        raise _ended(code)
    with tempfile.TemporaryFile(dir=folder) as file:  # a full disk is not the document's fault
        file.write(bytes(_ROOM))
    raise SourceError(
        f"LibreOffice cannot open the document (exit {code}); check that the file is whole",
        lapse="ended" if _is_short_of_memory() else None,
    )


def _is_short_of_memory() -> bool:
    """Whether the system gives less than it may take: what it cannot load then need not be damaged."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    return hard != resource.RLIM_INFINITY and hard < MEMORY_BYTES.get()


def _ended(code: int) -> SourceError:
    """What it comes to that LibreOffice ended before it could say anything of the document."""
    by = -code if code < 0 else code - _BY_SIGNAL
    if by <= 0:  # the shell that starts it, or its starter: it is being installed, or has no room
        return SourceError(
            f"LibreOffice could not be started: it ended with exit {code}; see `indx doctor`", lapse="lacking"
        )
    how = f"by signal {by}" if code < 0 else f"as what a signal ended (exit {code})"
    return SourceError(
        f"LibreOffice ended {how} on the document; it may need more than {MEMORY_BYTES.name} gives",
        lapse="ended" if by in _CRASHES else "lacking",
    )
