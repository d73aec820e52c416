"""Building again: what is unchanged is neither read nor asked about, and what the cache does never shows."""

import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap

import pytest

FILES = {
    "a.md": "# A\n\nsee [b](b.md) topicone",
    "b.md": "# B\n\nTYPE:policy words of b topictwo",
    "sub/c.md": "# C\n\nwords of c",
}


@pytest.fixture
def aged():
    """Give files a time long past, as files at rest have."""

    def make(root, moment=1_000_000_000):
        for path in sorted(root.rglob("*")):
            os.utime(path, (moment, moment))
        return root

    return make


@pytest.fixture
def again(build, tmp_path):
    """Build with one cache; returns the space and the report."""

    def run(root, out=None, **options):
        space = build(root, out, cache=tmp_path / "kept", **options)
        return space, build.last.report

    return run


@pytest.fixture
def rewind(monkeypatch):
    """Pretend that stamps are taken long after the files were written: change times cannot be set."""
    from indx_space.cache import BuildCache

    now = BuildCache.now_ns
    monkeypatch.setattr(BuildCache, "now_ns", lambda self: now(self) + 10**11)


def asked(calls):
    return {name for name, _ in calls}


def test_nothing_is_read_and_nobody_is_asked_the_second_time(tree, again, calls):
    root = tree(FILES)
    first, report = again(root)
    assert (report.parsed, report.cached, report.enriched, report.embedded) == (3, 0, 3, 6)
    calls.clear()
    second, report = again(root)
    assert (report.parsed, report.cached, report.enriched, report.embedded) == (0, 3, 0, 0)
    assert not calls
    assert first == second
    assert [list(c.embedding) for c in first.chunks] == [list(c.embedding) for c in second.chunks]


def test_one_edited_file_is_the_one_that_is_read(tree, again, calls):
    root = tree(FILES)
    again(root)
    calls.clear()
    (root / "b.md").write_text("# B\n\nTYPE:policy other words topicthree")
    space, report = again(root)
    assert (report.parsed, report.cached, report.enriched) == (1, 2, 1)
    assert report.embedded == 2
    assert [c for c in calls if c[0] == "open"] == [("open", "b.md")]
    assert space.documents_[1].topics == ["topicthree"]
    assert space.documents_[0].references[0].dst == "b.md"


def test_an_incremental_build_equals_one_from_nothing(tree, again, build):
    root = tree(FILES)
    again(root)
    (root / "b.md").unlink()
    (root / "d.md").write_text("# D\n\n[c](sub/c.md)")
    (root / "a.md").write_text("# A\n\nchanged [b](b.md)")
    assert again(root)[0] == build(root)


def test_what_is_written_is_the_same_to_the_byte(tree, again, build, zipped, tmp_path, monkeypatch):
    """From nothing or from the cache, with one worker or with three."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    files = {f"h{n}.x": f"HOSTILE words {n}" for n in range(4)}
    bad = {
        "bad.x": "HOSTILE UNOPENABLE",
        "scan.x": "HOSTILE SCAN",
        "bad.md": "UNOPENABLE",
        "x.odt": zipped({"mimetype": "x"}),
    }
    root = tree({**FILES, **files, **bad, "pack.zip": zipped({"a.md": "w", "../b": "w", "c.bin": "w"})})
    again(root, tmp_path / "one", jobs=3)
    _, report = again(root, tmp_path / "two", jobs=1)
    assert report.cached == 9
    build(root, tmp_path / "three", jobs=1)

    def written(name):
        folder = tmp_path / name
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}

    assert written("one") == written("two") == written("three")
    assert len(written("one")) > 10


def test_an_unchanged_file_is_not_even_opened(tree, again, aged, rewind, monkeypatch):
    root = aged(tree(FILES))
    again(root)
    from indx_space.walking.folder import DiskFile

    fetched = []
    fetch = DiskFile.fetch
    monkeypatch.setattr(
        DiskFile, "fetch", lambda self, limit: fetched.append(self._path) or fetch(self, limit)
    )
    assert again(root)[1].cached == 3
    assert not fetched


def test_a_file_changed_as_it_was_read_is_not_taken_for_unchanged(tree, again):
    """Within the grain of the clock a second change leaves no trace in the stamp."""
    root = tree(FILES)
    again(root)
    before = (root / "a.md").stat()
    (root / "a.md").write_text(FILES["a.md"].replace("topicone", "topicsix"))
    os.utime(root / "a.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    space, _ = again(root)
    assert space.documents_[0].topics == ["topicsix"]


def test_a_change_that_puts_the_time_back_is_noticed(tree, again, aged, rewind):
    root = aged(tree(FILES))
    again(root)
    (root / "a.md").write_text(FILES["a.md"].replace("topicone", "topicsix"))
    aged(root)
    assert again(root)[0].documents_[0].topics == ["topicsix"]


def test_a_touched_file_is_not_read_again(tree, again, aged, calls):
    root = tree(FILES)
    again(root)
    calls.clear()
    aged(root, 1_500_000_000)
    assert again(root)[1].parsed == 0
    assert not calls


def test_a_moved_tree_is_not_read_again(tree, again, tmp_path, calls):
    root = tree(FILES)
    first, _ = again(root)
    calls.clear()
    shutil.copytree(root, tmp_path / "moved")
    space, report = again(tmp_path / "moved")
    assert (report.parsed, report.cached) == (0, 3)
    assert not calls
    assert space.documents_ == first.documents_


@pytest.mark.parametrize(
    ("layer", "parsed", "embedded", "enriched"),
    [
        ({"chunk": {"chunkers": ["whole"]}}, 3, 3, 0),
        ({"parse": {"signature_detection": True}}, 3, 0, 0),
        ({"embed": {"space": "other-space"}}, 0, 6, 0),
        ({"enrich": {"enrichers": ["keywords", "keywords-chunk"]}}, 0, 0, 3),
        ({"relate": {"near_duplicate": 0.5}}, 0, 0, 0),
        ({"walk": {"exclude": ["a.md"]}}, 0, 0, 0),
    ],
)
def test_only_what_depends_on_a_setting_is_done_again(tree, again, layer, parsed, embedded, enriched):
    root = tree(FILES)
    again(root)
    _, report = again(root, layer=layer)
    assert (report.parsed, report.embedded, report.enriched) == (parsed, embedded, enriched)


def test_settings_of_readers_are_part_of_the_key_and_those_of_operation_are_not(tree, again, monkeypatch):
    root = tree(FILES)
    again(root)
    monkeypatch.setenv("INDX_WORKERS", "3")
    assert again(root)[1].parsed == 0
    monkeypatch.setenv("INDX_" + "READER_OF_THE_FUTURE", "on")
    assert again(root)[1].parsed == 3


def test_other_prices_read_again_for_they_choose_the_reader(tree, again, monkeypatch, tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text("{}")
    monkeypatch.setenv("INDX_ROUTING_ECONOMICS", str(prices))
    root = tree(FILES)
    again(root)
    assert again(root)[1].parsed == 0
    prices.write_text('{"native": {"quality": 0.1}}')
    assert again(root)[1].parsed == 3


def test_another_version_of_a_reader_reads_again(tree, again, registry, candidates):
    from dataclasses import replace

    root = tree(FILES)
    again(root)
    registry.__init__(
        [replace(c, version="2.0") if c.group == "indx.capabilities" else c for c in candidates]
    )
    assert again(root)[1].parsed == 3


def test_what_failed_is_tried_again(tree, again):
    root = tree({"a.md": "w\fBREAK", "b.md": "UNOPENABLE", "c.md": "w"})
    assert again(root)[1].parsed == 2
    assert again(root)[1].parsed == 1, "a page that broke its reader may have been the fault of the moment"


def test_what_was_refused_is_remembered(tree, again):
    root = tree({"a.md": "SCAN"})
    again(root)
    space, report = again(root)
    assert (report.parsed, report.cached) == (0, 1)
    assert [e["code"] for e in space.metadata["errors"]] == ["page_unread"]


def test_a_document_that_cannot_be_opened_is_not_opened_again_nor_what_holds_it(tree, again, zipped, calls):
    root = tree({"pack.zip": zipped({"a.md": "UNOPENABLE"}), "b.md": "UNOPENABLE"})
    first, _ = again(root)
    calls.clear()
    second, report = again(root)
    assert report.parsed == 0
    assert not calls
    assert [e["path"] for e in second.metadata["errors"]] == ["b.md", "pack.zip!/a.md"]
    assert first.metadata["errors"] == second.metadata["errors"]


def test_containers_are_not_opened_again(tree, again, zipped, calls):
    inner = zipped({"deep.md": "w", "x.bin": b"\0", ".h.md": "w"})
    box = "BOX----\nmember a.md|one\nmember b.bin|\0\nmember c.md|locked"
    root = tree(
        {"pack.zip": zipped({"a.md": "w", "inner.zip": inner, "../no": "w"}), "mail.x": box, "z.md": "w"}
    )
    first, _ = again(root)
    calls.clear()
    second, report = again(root)
    assert (report.parsed, report.cached) == (0, 5)
    assert not calls
    assert first == second
    assert first.metadata["errors"] == second.metadata["errors"]


def test_a_container_of_which_something_is_missing_is_opened_again(tree, again, zipped, tmp_path):
    root = tree({"pack.zip": zipped({"a.md": "words", "b.md": "w"})})
    first, _ = again(root)
    with sqlite3.connect(tmp_path / "kept" / "builds-1.sqlite3") as database:
        database.execute("DELETE FROM entries WHERE instr(CAST(value AS TEXT), 'words')")
    second, report = again(root)
    assert (report.parsed, report.cached) == (1, 1)
    assert first == second


@pytest.mark.parametrize("outer", ["0.zip", "z.zip"])
def test_a_container_that_is_also_somewhere_too_deep_is_taken_out_only_where_it_may_be(
    tree, again, zipped, outer
):
    """Its bytes are the same in both places. One that contains itself would have no end."""
    pack, box = zipped({"a.md": "w"}), "BOX----\nmember b.md|one"
    inner = zipped({"pack.zip": pack, "box.x": box})
    for name in ("2.zip", "1.zip"):
        inner = zipped({name: inner})
    root = tree({outer: inner, "pack.zip": pack, "box.x": box})
    deep = f"{outer}!/1.zip!/2.zip!/"
    found = []
    for _ in range(3):
        space, _ = again(root)
        found.append(space)
        assert {d.path for d in space.documents_} == {
            "box.x", "box.x!/b.md", "pack.zip!/a.md", f"{deep}box.x"
        }  # fmt: skip
        assert {(e["path"], e["code"]) for e in space.metadata["errors"]} == {
            (f"{deep}pack.zip", "members_too_deep"),
            (f"{deep}box.x!/b.md", "members_too_deep"),
        }
    assert found[0] == found[1] == found[2]


def test_entries_of_a_zip_are_known_by_its_stamp(tmp_path, zipped, again, rewind, monkeypatch):
    path = tmp_path / "docs.zip"
    path.write_bytes(zipped({"a.md": "w", "b.md": "w"}))
    os.utime(path, (10**9, 10**9))
    again(path)
    from indx_space.walking.archive import ArchiveFile

    fetched = []
    fetch = ArchiveFile.fetch
    monkeypatch.setattr(ArchiveFile, "fetch", lambda self, limit: fetched.append(1) or fetch(self, limit))
    assert again(path)[1].cached == 2
    assert not fetched


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no database at all" * 500),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        lambda path: (
            sqlite3.connect(path).executescript("DROP TABLE entries; CREATE TABLE entries (x)").close()
        ),
    ],
)
def test_a_damaged_cache_is_begun_afresh(tree, again, tmp_path, damage, caplog):
    root = tree(FILES)
    first, _ = again(root)
    path = tmp_path / "kept" / "builds-1.sqlite3"
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    damage(path)
    second, report = again(root)
    assert report.parsed == 3
    assert first == second
    again(root)
    third, report = again(root)
    assert report.parsed == 0, "the fresh one is kept"
    assert first == third


def test_a_value_that_changed_on_the_disk_is_not_believed(tree, again, tmp_path):
    root = tree(FILES)
    first, _ = again(root)
    with sqlite3.connect(tmp_path / "kept" / "builds-1.sqlite3") as database:
        database.execute("UPDATE entries SET value = replace(value, 'words', 'WORDS')")
        database.execute("UPDATE entries SET value = CAST(value AS BLOB)")
    second, report = again(root)
    assert report.parsed > 0
    assert first == second


def test_a_cache_that_cannot_be_written_is_gone_without(tree, again, tmp_path, caplog):
    (tmp_path / "kept").write_text("a file where the folder should be")
    space, report = again(tree(FILES))
    assert len(space.documents_) == 3
    assert report.parsed == 3


def test_a_build_that_was_killed_is_taken_up_where_it_stopped(tree, tmp_path, again, fakes):
    """The child dies in the middle of the fourth file; what was read before is in the cache."""
    root = tree({**{f"{n:03d}.md": f"words of {n}" for n in range(100)}})
    script = f"""
        import os, sys
        sys.path[:] = {sys.path!r}
        import space_fakes
        from indx_space.pipeline.directory import DirectoryPipeline
        opened, count = space_fakes.Observer.open, [0]
        def counting(self, source):
            count[0] += 1
            if count[0] > 80: os._exit(9)
            return opened(self, source)
        space_fakes.Observer.open = counting
        DirectoryPipeline({str(root)!r}, cache={str(tmp_path / "kept")!r}).run()
    """
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True)
    assert run.returncode == 9, run.stderr
    space, report = again(root)
    assert report.cached >= 64
    assert report.parsed == 100 - report.cached
    assert len(space.documents_) == 100


def test_the_cache_is_where_the_settings_say_unless_none_is_wanted(tree, build, tmp_path):
    root = tree(FILES)
    build(root, cache=None)
    build(root, cache=False)
    assert not (tmp_path / "cache" / "spaces").exists()
    build(root, cache=True)
    assert (tmp_path / "cache" / "spaces" / "builds-1.sqlite3").is_file()
    build(root, cache=str(tmp_path / "own"))
    assert (tmp_path / "own" / "builds-1.sqlite3").is_file()


def test_two_builds_at_once_share_a_cache(tree, tmp_path, again):
    root = tree({f"{n}.md": f"words of {n}" for n in range(50)})
    script = f"""
        import sys
        sys.path[:] = {sys.path!r}
        from indx_space.pipeline.directory import DirectoryPipeline
        space = DirectoryPipeline({str(root)!r}, cache={str(tmp_path / "kept")!r}).run()
        print(len(space.documents_), len(space.chunks), len(space.metadata["errors"]))
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    runs = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    results = [run.communicate() for run in runs]
    assert [out.split() for out, _ in results] == [["50", "50", "0"]] * 2, results
    assert again(root)[1].parsed == 0
