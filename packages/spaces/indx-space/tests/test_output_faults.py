"""A build that is killed, or runs out of space, at any step leaves the old space or the new one.

`kill_everywhere` is the whole proof; `kill_processes` repeats it with processes that really die.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from indx_core.errors import ArchiveError, BuildError
from indx_space import KnowledgeSpace, verify_archive
from indx_space.archive.reading import Archive
from indx_space.disk import Disk
from indx_space.locking import LOCK_FILE
from indx_space.output import JOURNAL, OutputTransaction
from indx_testkit.lazy import run_python

OLD = {"a.md": ["one", "two", "three"], "b.md": ["four"], "c.md": ["five", "six"]}
NEW = {"a.md": ["one", "two changed"], "b.md": ["four"], "d.md": ["seven"]}


EVERY_WRITE = 12
"""Of the writes to one staged file, which all look alike from outside, so many make one step; 1 for the
whole proof."""


class Killed(BaseException):
    """The process is gone: nothing of it runs any more."""


class FailingDisk(Disk):
    """Counts what is done, and fails at one step: `fail` is called there, once, or from then on.

    Args:
        at: The step to fail at; None only counts.
        fail: Ends the step.
        for_good: Whether every later step fails too, as in a process that is gone.
    """

    def __init__(self, at: int | None, fail: Callable[[], Any], *, for_good: bool) -> None:
        self.at, self.fail, self.for_good = at, fail, for_good
        self.steps = self.writes = 0

    def step(self, half: Callable[[], object] | None = None) -> None:
        self.steps += 1
        if self.at is None or self.steps < self.at or (self.steps > self.at and not self.for_good):
            return
        if half is not None and self.steps == self.at:
            half()
        self.fail()

    @contextmanager
    def create(self, path: Path, *, sync: bool = True) -> Iterator[BinaryIO]:
        self.step()
        with super().create(path, sync=sync) as file:
            yield FailingFile(file, self)
            self.step()

    def write(self, path: str, data: bytes) -> None:
        self.step(lambda: Path(path).write_bytes(data[: len(data) // 2]))
        super().write(path, data)


class FailingFile:
    """A file of which each write is a step that may get half way."""

    def __init__(self, file: BinaryIO, disk: FailingDisk) -> None:
        self.file, self.disk = file, disk

    def write(self, data: Any) -> int:
        def half() -> None:
            self.file.write(memoryview(data)[: len(memoryview(data)) // 2])
            self.file.flush()

        self.disk.writes += 1
        if self.disk.writes % EVERY_WRITE == 0:
            self.disk.step(half)
        return self.file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


def _stepping(name: str) -> None:
    def run(self: FailingDisk, *args: Any) -> Any:
        self.step()
        return getattr(Disk, name)(self, *args)

    setattr(FailingDisk, name, run)


for _name in ("replace", "remove", "remove_tree", "remove_folder", "make_folder", "sync_folder"):
    _stepping(_name)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def die() -> None:
    raise Killed


class Scene:
    """An old generation, a new one, and a directory in which the step between them is interrupted."""

    def __init__(self, making: Any, old: dict[str, list[str]] | None = OLD, *, embed: bool = True) -> None:
        self.making = making
        self.folder: Path = making.folder
        self.new_space = making.space(NEW, embed=embed)
        self.new = tree(making.pack(self.new_space, self.folder / "new").parent)
        self.old: dict[str, bytes] = {}
        if old is not None:
            self.old = tree(making.pack(making.space(old), self.folder / "old").parent)
        self.work = self.folder / "work"

    def reset(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        if self.old:
            shutil.copytree(self.folder / "old", self.work)

    def build(self, disk: Disk) -> None:
        with OutputTransaction(self.work, disk=disk) as transaction:
            self.making.pack(self.new_space, transaction)

    def count(self) -> int:
        self.reset()
        disk = FailingDisk(None, die, for_good=True)
        self.build(disk)
        assert tree(self.work) == self.new
        return disk.steps

    def check(self) -> str:
        """One whole generation is visible, and the next build, whatever it does, leaves one alone."""
        seen = self.seen()
        twin = self.folder / "twin"
        shutil.rmtree(twin, ignore_errors=True)
        if self.work.exists():
            shutil.copytree(self.work, twin)
        # A build that fails at once still repairs what it finds.
        with pytest.raises(RuntimeError), OutputTransaction(self.work):
            raise RuntimeError
        repaired = tree(self.work) if self.work.exists() else {}
        assert repaired in (self.old, self.new)
        assert not (seen == "new" and repaired == self.old)
        with OutputTransaction(twin) as transaction:
            self.making.pack(self.new_space, transaction)
        assert tree(twin) == self.new
        return seen

    def seen(self) -> str:
        """Which generation a reader sees at this moment."""
        archive = self.work / "handbook.indx"
        if not archive.exists():
            assert not self.old
            with pytest.raises(ArchiveError):
                KnowledgeSpace.load(self.work)
            return "nothing"
        data = archive.read_bytes()
        assert data in (self.old.get("handbook.indx"), self.new["handbook.indx"])
        verify_archive(self.work)
        with Archive(archive) as opened:
            digest = opened.stated("index.json")[1]
        same = hashlib.sha256((self.work / "index.json").read_bytes()).hexdigest() == digest
        assert same or (self.work / JOURNAL).exists()
        return "new" if data == self.new["handbook.indx"] else "old"


def kill_everywhere(scene: Scene, every: int = 1) -> list[str]:
    """Kill a build at each step, or at some, and hold what is left to the promise."""
    seen = []
    for at in range(scene.count(), 0, -every):
        scene.reset()
        with pytest.raises(Killed):
            scene.build(FailingDisk(at, die, for_good=True))
        if scene.work.exists():
            (scene.work / LOCK_FILE).touch()
        seen.append(scene.check())
    return seen


@pytest.mark.parametrize(("embed", "every"), [(True, 1), (False, 4)])
def test_a_build_killed_at_any_step_leaves_the_old_space_or_the_new_one(making, embed, every) -> None:
    seen = kill_everywhere(Scene(making, embed=embed), every)
    assert seen == sorted(seen)
    assert {"old", "new"} == set(seen)


def test_a_first_build_killed_at_any_step_leaves_nothing_or_the_whole(making) -> None:
    seen = kill_everywhere(Scene(making, old=None), every=3)
    assert set(seen) == {"nothing", "new"}


def test_a_repair_that_is_killed_is_repaired(making) -> None:
    scene = Scene(making)
    last = scene.count()
    for at in range(last - 12, last + 1, 4):
        for again in (1, 3, 6):
            scene.reset()
            with pytest.raises(Killed):
                scene.build(FailingDisk(at, die, for_good=True))
            with (
                pytest.raises(Killed),
                OutputTransaction(scene.work, disk=FailingDisk(again, die, for_good=True)),
            ):
                raise Killed
            scene.check()


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk_full"), (errno.EDQUOT, "disk_full"), (errno.EACCES, "output_unwritable")],
)
def test_a_disk_that_fails_at_any_step_is_a_typed_error_and_the_old_space_stays(
    making, number: int, code: str
) -> None:
    def fail() -> None:
        raise OSError(number, os.strerror(number))

    scene = Scene(making)
    for at in range(1, scene.count() + 1, 2 if number == errno.ENOSPC else 6):
        scene.reset()
        try:
            scene.build(FailingDisk(at, fail, for_good=False))
        except BuildError as error:
            assert error.code == code  # noqa: PT017
            left = tree(scene.work)
            left.pop(JOURNAL, None)
            journaled = (scene.work / JOURNAL).exists()
            assert journaled or left in (scene.old, scene.new)
        scene.check()


def test_a_first_build_without_space_leaves_no_directory(making) -> None:
    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    scene = Scene(making, old=None)
    for at in range(1, scene.count() // 2):
        scene.reset()
        with pytest.raises(BuildError) as caught:
            scene.build(FailingDisk(at, fail, for_good=False))
        assert caught.value.code == "disk_full"
        assert not scene.work.exists()


def test_a_save_that_fails_at_any_step_keeps_the_old_archive(making, monkeypatch) -> None:
    from indx_space import packing
    from indx_space.disk import atomic_write

    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = making.folder / "a.indx"
    making.space(OLD).save(path)
    old, space = path.read_bytes(), making.space(NEW)
    at = 0
    while True:
        at += 1
        disk = FailingDisk(at, fail, for_good=False)
        monkeypatch.setattr(packing, "atomic_write", lambda p, c, d=disk: atomic_write(p, c, disk=d))
        try:
            space.save(path)
        except BuildError as error:
            assert error.code == "disk_full"  # noqa: PT017
        if disk.steps < at:
            break
        assert [one.name for one in making.folder.glob("*.indx")] == ["a.indx"]
        assert not list(making.folder.glob(".*"))
        assert path.read_bytes() == old or disk.steps > at - 1
    assert KnowledgeSpace.load(path).chunks[1].text == "two changed"
    assert at > 5


def test_everything_is_on_the_disk_before_the_first_file_moves(making, monkeypatch) -> None:
    done = []
    monkeypatch.setattr(
        "os.fsync", lambda handle: done.append(("sync", Path(f"/proc/self/fd/{handle}").readlink()))
    )
    monkeypatch.setattr(Disk, "replace", lambda self, a, b: done.append(("move", b)) or a.replace(b))
    archive = making.pack()
    moves = [place for place, (what, _) in enumerate(done) if what == "move"]
    synced = {path.name for what, path in done[: moves[1]] if what == "sync"}
    staging = f".indx-staging-{os.getpid()}"
    assert {"handbook.indx", "index.json", "vectors.f32", "manifest.json", "embeddings", staging} <= synced
    assert [done[place][1].name for place in moves] == [
        JOURNAL,
        "chunks",
        "embeddings",
        "index.json",
        "handbook.indx",
    ]
    assert done[-1] == ("sync", archive.parent)


def kill_processes(scene: Scene, every: int) -> list[str]:
    """The same as `kill_everywhere`, by processes of their own that end without any clean-up."""
    seen = []
    for at in range(scene.count(), 0, -every):
        scene.reset()
        child = os.fork()
        if not child:
            signal.alarm(120)
            scene.build(FailingDisk(at, lambda: os._exit(9), for_good=True))
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        seen.append(scene.check())
    return seen


FORKING = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from conftest import Making
from test_output_faults import Scene, kill_processes
print(*kill_processes(Scene(Making(Path({folder!r}))), every={every}))
"""


def test_a_process_that_dies_at_a_step_leaves_the_old_space_or_the_new_one(tmp_path: Path) -> None:
    code = FORKING.format(tests=str(Path(__file__).parent), folder=str(tmp_path), every=9)
    seen = run_python(code, OPENBLAS_NUM_THREADS="1").split()
    assert {"old", "new"} == set(seen)
    assert sys.platform != "win32"
