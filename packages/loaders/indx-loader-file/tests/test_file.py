from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError, TimedOut
from indx_core.ports import SourceContent
from indx_loader_file import _read, file_loader

ROOTS = "INDX_LOADER_FILE_ROOTS"


def load(uri: str | Path, limit: int = 1000) -> SourceContent:
    written = uri if isinstance(uri, str) else uri.as_uri()
    return file_loader().load(written, limit=limit, deadline=Deadline()).content


def refusal(uri: str | Path, limit: int = 1000) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load(uri, limit)
    return caught.value


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(b"inside")
    (tmp_path / "out" / "b.txt").write_bytes(b"outside")
    monkeypatch.setenv(ROOTS, str(tmp_path / "in"))
    return tmp_path


@pytest.mark.parametrize("form", ["file://{}", "file://localhost{}", "FILE://LocalHost{}"])
def test_both_forms_of_a_uri_name_a_file(tmp_path: Path, form: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x")
    content = load(form.format(path))
    assert (content.data, content.filename, content.media_type) == (b"x", "a.txt", "")


@pytest.mark.parametrize("name", ["a b.txt", "50%.txt", "ガイド.md", "a?b#c.txt", "a\nb.txt"])
def test_percent_encoding_is_undone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"x")
    assert load(tmp_path / name).filename == name


def test_a_name_that_is_no_utf_8_is_read_and_cleaned(tmp_path: Path) -> None:
    with Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.txt")).open("wb") as file:
        file.write(b"x")
    assert load(f"file://{tmp_path}/%FF.txt").filename == "\ufffd.txt"


@pytest.mark.parametrize(
    "uri",
    ["file:", "file:relative", "file:/etc/hostname", "file://other.host/etc/hostname", "file://localhost", "http:///x",
     "file:///a?b", "file:///a#b", "file:///a%0", "file:///a%zz", "file:///a%00b", "file:///" + "a" * 5000],
)  # fmt: skip
def test_what_names_no_file_is_unreadable(uri: str) -> None:
    error = refusal(uri)
    assert error.code == "source_unreadable"
    assert len(error.message) < 500


def test_directories_pipes_sockets_and_devices_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(tmp_path / "s"))
        for path, word in (
            (tmp_path, "directory"),
            (tmp_path / "pipe", "pipe"),
            (tmp_path / "s", "socket"),
            (Path("/dev/zero"), "device"),
        ):
            error = refusal(path)
            assert (error.code, word in error.message) == ("source_unreadable", True), path


def test_a_link_that_leads_in_a_circle_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert refusal(f"file://{tmp_path}/loop").code == "source_unreadable"


def test_a_file_that_says_it_is_empty_is_read_to_its_end_and_to_the_limit() -> None:
    assert b"MemTotal" in load("file:///proc/meminfo", 100_000).read()
    with pytest.raises(InputTooLarge):
        load("file:///proc/meminfo", 10)


def test_a_deadline_ends_the_reading(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x")
    ticks = iter(range(100))
    with pytest.raises(TimedOut):
        file_loader().load(
            (tmp_path / "a").as_uri(), limit=10, deadline=Deadline(1, clock=lambda: next(ticks))
        )


def test_without_roots_every_file_is_read(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ROOTS)
    assert load(tree / "out" / "b.txt").data == b"outside"
    (tree / "in" / "link").symlink_to(tree / "out" / "b.txt")
    assert load(tree / "in" / "link").filename == "link"


def test_within_the_roots_files_are_read(tree: Path) -> None:
    assert load(tree / "in" / "a.txt").data == b"inside"
    assert load(f"file://{tree}/out/../in/a.txt").data == b"inside"
    (tree / "in" / "link").symlink_to(tree / "in" / "a.txt")
    assert load(tree / "in" / "link").data == b"inside"


def test_several_roots_are_separated_as_in_path(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ROOTS, os.pathsep.join([str(tree / "in"), str(tree / "out")]))
    assert load(tree / "out" / "b.txt").data == b"outside"


def test_a_root_that_is_a_link_stands_for_where_it_leads(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "alias").symlink_to(tree / "in")
    monkeypatch.setenv(ROOTS, str(tree / "alias"))
    assert load(tree / "alias" / "a.txt").data == b"inside"
    assert load(tree / "in" / "a.txt").data == b"inside"


@pytest.mark.parametrize(
    "path", ["/out/b.txt", "/in/../out/b.txt", "/in/%2e%2e/out/b.txt", "/in/..%2fout/b.txt", "/in/link",
             "/in/dir/b.txt", "/in/loop", "/inside-by-prefix.txt", "/out/absent.txt", "/out"],
)  # fmt: skip
def test_outside_of_the_roots_everything_is_forbidden_alike(
    tree: Path, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tree / "in" / "link").symlink_to(tree / "out" / "b.txt")
    (tree / "in" / "dir").symlink_to(tree / "out")
    (tree / "in" / "loop").symlink_to(tree / "in" / "loop")
    (tree / "inside-by-prefix.txt").write_bytes(b"x")
    error = refusal(f"file://{tree}{path}")
    assert error.code == "source_forbidden"
    assert ROOTS in error.message
    resolved = str((tree / "out" / "b.txt").resolve())
    assert resolved not in error.message or path == "/out/b.txt"
    assert ROOTS in caplog.text
    if path in ("/in/link", "/in/dir/b.txt"):
        assert resolved in caplog.text


def test_a_link_changed_after_the_look_is_not_followed(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = tree / "in" / "link"
    link.symlink_to(tree / "in" / "a.txt")
    opened = _read._open

    def swap(target: Path, uri: str) -> int:
        link.unlink()
        link.symlink_to(tree / "out" / "b.txt")
        return opened(target, uri)

    monkeypatch.setattr(_read, "_open", swap)
    assert refusal(link).code == "source_forbidden"


def test_a_file_replaced_while_it_is_opened_is_unreadable(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tree / "in" / "a.txt"
    opened = _read._open

    def replace(target: Path, uri: str) -> int:
        descriptor = opened(target, uri)
        (tree / "in" / "new").write_bytes(b"new")
        (tree / "in" / "new").rename(path)
        return descriptor

    monkeypatch.setattr(_read, "_open", replace)
    assert "replaced" in refusal(path).message
