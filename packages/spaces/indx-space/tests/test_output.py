"""An output directory: what stands in it, what a rebuild touches, and who may write to it meanwhile."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from indx_core.errors import ArchiveError, BuildError
from indx_core.ports.spaces import WriterDeclaration
from indx_space import KnowledgeSpace, pack
from indx_space.disk import DISK, Disk, atomic_write
from indx_space.locking import LOCK_FILE, Lock
from indx_space.output import JOURNAL, OutputTransaction
from indx_testkit.lazy import run_python


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def test_a_build_leaves_the_archive_the_index_chunks_and_vectors(making) -> None:
    archive = making.pack()
    assert archive == making.folder / "ready" / "handbook.indx"
    assert names(archive.parent) == ["chunks", "embeddings", "handbook.indx", "index.json"]
    assert names(archive.parent / "embeddings") == ["manifest.json", "vectors.f32"]
    named = making.pack(making.space(), making.folder / "named", name="manual")
    assert names(named.parent) == ["chunks", "embeddings", "index.json", "manual.indx"]


def test_an_archive_may_go_without_its_index_of_words(making) -> None:
    archive = making.pack(lexical=False)
    with zipfile.ZipFile(archive) as opened:
        assert not [name for name in opened.namelist() if name.startswith("lexical/")]
    assert KnowledgeSpace.load(archive, verify=True).search("alpha", mode="lexical")


def test_a_rebuild_leaves_only_the_files_of_its_chunks(making) -> None:
    archive = making.pack()
    making.pack(making.space({"a.md": ["one", "two"]}))
    assert names(archive.parent / "chunks") == ["chunk_0000.json", "chunk_0001.json"]
    assert tree(archive.parent) == tree(
        making.pack(making.space({"a.md": ["one", "two"]}), making.folder / "b").parent
    )


def test_a_rebuild_rewrites_only_the_files_that_differ(making) -> None:
    folder = making.pack().parent / "chunks"
    before = {path.name: path.stat().st_ino for path in folder.iterdir()}
    files = {
        **making.guide,
        "policies/data/retention.md": ["Data is retained for 30 days.", "-- 2 of 121 --"],
    }
    making.pack(making.space(files))
    changed = {path.name for path in folder.iterdir() if path.stat().st_ino != before[path.name]}
    assert changed == {"chunk_0005.json"}
    assert b"30 days" in (folder / "chunk_0005.json").read_bytes()


def test_a_file_that_was_damaged_or_removed_is_written_again(making) -> None:
    folder = making.pack().parent
    whole = tree(folder)
    (folder / "chunks" / "chunk_0001.json").write_bytes(b"")
    (folder / "chunks" / "chunk_0002.json").unlink()
    (folder / "embeddings" / "vectors.f32").unlink()
    making.pack()
    assert tree(folder) == whole


def test_files_of_others_are_left_alone(making) -> None:
    folder = making.pack().parent
    others = [
        "notes.md",
        "chunks/chunk_1.json",
        "chunks/chunk_00001.json",
        "chunks/readme",
        "embeddings/extra.npy",
    ]
    for name in others:
        (folder / name).write_text(name)
    making.pack(making.space({"a.md": ["one"]}, embed=False))
    assert {name: (folder / name).read_text() for name in others} == {name: name for name in others}
    assert names(folder / "embeddings") == ["extra.npy"]
    (folder / "embeddings/extra.npy").unlink()
    making.pack(making.space({"a.md": ["one"]}, embed=False))
    assert not (folder / "embeddings").exists()


def test_more_than_ten_thousand_chunks_have_longer_names() -> None:
    from indx_space.archive.members import chunk_file, chunk_ordinal

    assert [chunk_file(n) for n in (0, 9999, 10000)] == [
        "chunk_0000.json",
        "chunk_9999.json",
        "chunk_10000.json",
    ]
    assert [chunk_ordinal(chunk_file(n)) for n in (0, 9999, 10000)] == [0, 9999, 10000]
    for name in (
        "chunk_00000.json",
        "chunk_1.json",
        "chunk_0001.json.bak",
        "xchunk_0001.json",
        "chunk_٠٠٠١.json",
    ):
        assert chunk_ordinal(name) is None


class Notes:
    """A writer that notes the texts."""

    port_version = 1

    def __init__(self, output: str = "notes.txt", fail: bool = False) -> None:
        self.declaration = WriterDeclaration("notes", output)
        self.fail = fail

    def write(self, space, target: Path) -> None:
        if self.fail:
            raise PermissionError(13, "not here", str(target))
        if target.suffix:
            target.write_text("\n".join(chunk.text for chunk in space.chunks), "utf-8")
        else:
            target.mkdir()
            (target / "part").write_text(str(len(space.chunks)))


def test_writers_write_beside_the_archive(making) -> None:
    folder = making.pack(making.space(), writers=[Notes(), Notes("parts")]).parent
    assert (folder / "notes.txt").read_text("utf-8").startswith("Install the tool first.")
    assert (folder / "parts" / "part").read_text() == "7"
    making.pack(making.space({"a.md": ["one"]}), writers=[Notes(), Notes("parts")])
    assert (folder / "notes.txt").read_text("utf-8") == "one"
    assert (folder / "parts" / "part").read_text() == "1"
    assert names(folder) == [
        "chunks",
        "embeddings",
        "handbook.indx",
        "index.json",
        "notes.txt",
        "parts",
    ]


@pytest.mark.parametrize(
    "output", ["index.json", "chunks", "embeddings", "handbook.indx", "a/b", "..", "", ".hidden"]
)
def test_a_writer_may_not_take_the_place_of_another_file(making, output: str) -> None:
    with pytest.raises(BuildError, match="notes"):
        making.pack(writers=[Notes(output)])
    assert not (making.folder / "ready").exists()


def test_two_writers_may_not_write_the_same_file(making) -> None:
    with pytest.raises(BuildError, match="taken"):
        making.pack(writers=[Notes(), Notes()])


def test_a_writer_that_fails_leaves_the_directory_as_it_was(making) -> None:
    folder = making.pack().parent
    before = tree(folder)
    with pytest.raises(BuildError, match="not here") as caught:
        making.pack(making.space({"a.md": ["one"]}), writers=[Notes(fail=True)])
    assert caught.value.code == "output_unwritable"
    assert tree(folder) == before


def test_one_build_at_a_time_writes_to_a_directory(making) -> None:
    folder = making.folder / "ready"
    with OutputTransaction(folder) as transaction:
        with pytest.raises(BuildError, match="another build is writing") as caught:
            making.pack()
        assert caught.value.code == "output_locked"
        code = (
            "from indx_space.output import OutputTransaction; from pathlib import Path\n"
            f"try: OutputTransaction(Path({str(folder)!r})).__enter__()\n"
            "except Exception as error: print(error.code)"
        )
        assert run_python(code).strip() == "output_locked"
        pack(making.space(), transaction, made_by="indx 1", clock=making.when)
    assert KnowledgeSpace.load(folder).metadata["tool_version"] == "indx 1"
    assert not (folder / LOCK_FILE).exists()
    making.pack()


def test_a_lock_whose_holder_died_holds_nobody_up(making) -> None:
    folder = making.pack().parent
    (folder / LOCK_FILE).touch()
    making.pack()
    assert not (folder / LOCK_FILE).exists()


def test_a_lock_file_that_is_replaced_meanwhile_is_taken_again(tmp_path: Path, monkeypatch) -> None:
    from indx_space import locking

    first = Lock(tmp_path)
    real, tries = locking._lock, []

    def lock(handle: int) -> None:
        tries.append(handle)
        if len(tries) == 1:
            first.release()
        real(handle)

    monkeypatch.setattr(locking, "_lock", lock)
    second = Lock(tmp_path)
    assert len(tries) == 2
    assert os.path.samestat(os.fstat(second.handle), (tmp_path / LOCK_FILE).stat())
    second.release()


def test_leaving_without_a_commit_changes_nothing(making) -> None:
    folder = making.folder / "deep" / "ready"
    with OutputTransaction(folder) as transaction:
        transaction.stage("a.txt").write_text("x")
    assert not (making.folder / "deep").exists()
    making.pack(making.space(), folder)
    before = tree(folder)
    transaction = OutputTransaction(folder)
    transaction.__enter__()
    transaction.stage("index.json").write_text("x")
    transaction.__exit__(RuntimeError, RuntimeError(), None)
    assert tree(folder) == before


def refuse(making, code: str, message: str, kind: type = ArchiveError, **options) -> None:
    before = tree(making.folder)
    with pytest.raises(kind, match=message) as caught:
        making.pack(**options)
    assert caught.value.code == code
    assert tree(making.folder) == before


def test_what_is_no_space_of_this_release_is_never_overwritten(making) -> None:
    archive = making.pack()
    sound = archive.read_bytes()
    aside = "; it is not overwritten: move it away, or choose another output$"
    archive.write_bytes(sound[: len(sound) // 2])
    refuse(making, "archive_corrupt", f"damaged: its end is missing{aside}")
    archive.write_bytes(b"my own notes")
    refuse(making, "archive_foreign", f"no ZIP file{aside}")
    archive.unlink()
    archive.mkdir()
    refuse(making, "archive_foreign", f"is not a knowledge space but a folder{aside}")
    archive.rmdir()
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("manifest.json", json.dumps({"indx_version": "2.0", "members": {}}))
    refuse(making, "archive_version", f"2.0.*{aside}")


def test_an_index_that_is_none_is_never_overwritten(making) -> None:
    index = making.pack().parent / "index.json"
    sound = index.read_bytes()
    index.write_bytes(sound[:-20])
    refuse(making, "archive_corrupt", "will not be overwritten")
    index.write_text('{"name": "my web app"}')
    refuse(making, "archive_foreign", "will not be overwritten")
    index.unlink()
    index.mkdir()
    refuse(making, "archive_foreign", "will not be overwritten: move it away")
    index.rmdir()
    index.write_bytes(sound.replace(b"alpha", b"omega"))
    making.pack()
    assert index.read_bytes() == sound


def test_a_place_that_is_taken_is_refused(making) -> None:
    (making.folder / "ready").write_text("a file")
    in_the_way = "; a file stands where a folder is due: move it away, or choose another place$"
    refuse(making, "output_unwritable", f"ready' cannot be written: .*{in_the_way}", BuildError)
    below = making.folder / "ready" / "below"
    refuse(making, "output_unwritable", f"below' cannot be written: .*{in_the_way}", BuildError, output=below)
    (making.folder / "other").mkdir()
    (making.folder / "other" / "chunks").write_text("a file")
    refuse(making, "output_unwritable", "is not a directory", BuildError, output=making.folder / "other")


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\nb"])
def test_a_name_that_is_a_path_is_refused(making, name: str) -> None:
    with pytest.raises(BuildError, match="no file name"):
        making.pack(name=name)


@pytest.mark.parametrize(
    "journal",
    [b"", b"[]", b"{}", b'{"staging": "..", "archive": "a.indx", "chunks": 0, "embeddings": false}']
    + [
        b'{"staging": ".indx-staging-1", "archive": "%s", "chunks": 0, "embeddings": false}' % a
        for a in (b"../a.indx", b"a")
    ]
    + [b'{"staging": ".indx-staging-1", "archive": "a.indx", "chunks": "0", "embeddings": false}'],
)
def test_a_journal_that_no_build_wrote_moves_nothing(making, journal: bytes) -> None:
    folder = making.pack().parent
    before = tree(folder)
    (folder / JOURNAL).write_bytes(journal)
    (folder / ".indx-staging-1").mkdir()
    (folder / ".indx-staging-1" / "index.json").write_text("stray")
    making.pack()
    assert tree(folder) == before


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    atomic_write(path, b"one")
    atomic_write(path, lambda file: file.write(b"two"))
    assert path.read_bytes() == b"two"

    def fail(file) -> None:
        file.write(b"thr")
        raise OSError(28, "No space left on device")

    with pytest.raises(BuildError, match=r"a.json'.*No space left.*free some space") as caught:
        atomic_write(path, fail)
    assert caught.value.code == "disk_full"
    assert names(tmp_path) == ["a.json"]
    assert path.read_bytes() == b"two"


def test_a_folder_that_is_not_there_cannot_be_written_to(making) -> None:
    with pytest.raises(BuildError, match="cannot be written") as caught:
        making.space().save(making.folder / "missing" / "a.indx")
    assert caught.value.code == "output_unwritable"


def test_a_file_that_cannot_be_moved_to_its_place_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "inside").touch()
    aside = "move it away, or choose another place$"
    with pytest.raises(
        BuildError, match=f"/a' cannot be written: .*; a folder stands where a file is due: {aside}"
    ):
        atomic_write(tmp_path / "a", b"x")
    assert names(tmp_path) == ["a"]
    (tmp_path / "b").touch()
    with pytest.raises(BuildError, match=f"; a file stands where a folder is due: {aside}"):
        atomic_write(tmp_path / "b" / "c", b"x")


def test_a_large_file_is_written_to_its_end(tmp_path: Path, monkeypatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data[:1000])))
    DISK.write(str(tmp_path / "a"), b"x" * 12_345)
    assert (tmp_path / "a").read_bytes() == b"x" * 12_345
    assert isinstance(DISK, Disk)
