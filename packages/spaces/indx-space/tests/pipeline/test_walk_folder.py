"""Walking a folder: what is taken, what is left out and why, what goes wrong."""

import os
import socket
import subprocess
import sys
import textwrap
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import ConfigurationError, InputTooLarge, SourceError
from indx_space.config import WalkConfig
from indx_space.walking import open_tree, walk
from indx_space.walking.folder import DiskFile
from indx_space.walking.names import Taken, nfc, order
from indx_space.walking.rules import LEAVE_OUT, RULE_BYTES, parse_rules


@pytest.fixture
def listed(tree):
    """Walk files: `listed(files, **config)` returns the listing."""

    def make(files, **config):
        return walk(open_tree(tree(files)), WalkConfig(**config))

    return make


def paths(listing):
    return [entry.path for entry in listing.entries]


def test_hidden_names_and_those_of_the_system_are_left_out_and_counted(listed):
    files = dict.fromkeys(
        [
            "a.md",
            ".b.md",
            ".c/d.md",
            "Thumbs.db",
            "x/.DS_Store",
            "~$report.docx",
            "desktop.ini",
            "__MACOSX/a.md",
        ],
        "w",
    )
    listing = listed(files)
    assert paths(listing) == ["a.md"]
    assert listing.skipped == {"hidden": 2, "system": 5}


def test_hidden_names_are_taken_on_request_but_no_version_control(listed):
    listing = listed(dict.fromkeys([".a.md", ".b/c.md", ".git/d.md", "._e.md"], "w"), hidden=True)
    assert paths(listing) == [".a.md", ".b/c.md"]
    assert listing.skipped == {"system": 2}


def test_ignore_rules_hold_below_their_folder_and_the_deepest_decides(listed):
    listing = listed(
        {
            ".gitignore": "*.log\n/top.md\nbuild/\n",
            "top.md": "w",
            "a.log": "w",
            "sub/top.md": "w",
            "sub/.gitignore": "!keep.log\n*.tmp",
            "sub/keep.log": "w",
            "sub/other.log": "w",
            "sub/x.tmp": "w",
            "x.tmp": "w",
            "sub/build/y.md": "w",
        }
    )
    assert paths(listing) == ["sub/keep.log", "sub/top.md", "x.tmp"]
    assert listing.skipped == {"hidden": 2, "ignored": 5}


def test_nothing_inside_a_folder_left_out_is_taken_back(listed):
    assert paths(listed({".gitignore": "out/\n!out/x.md", "out/x.md": "w", "a.md": "w"})) == ["a.md"]


def test_indxignore_has_the_last_word_and_is_always_obeyed(listed):
    files = {".gitignore": "a.md", ".indxignore": "!a.md\nb.md", "a.md": "w", "b.md": "w", "c.md": "w"}
    assert paths(listed(files)) == ["a.md", "c.md"]
    assert paths(listed(files, gitignore=False)) == ["a.md", "c.md"]
    del files[".indxignore"]


def test_gitignore_may_be_passed_over(listed):
    assert paths(listed({".gitignore": "a.md", "a.md": "w"}, gitignore=False)) == ["a.md"]


def test_a_byte_order_mark_does_not_hide_the_first_rule(listed):
    assert paths(
        listed({".gitignore": b"\xef\xbb\xbfa.md\r\nb.md\r\n", "a.md": "w", "b.md": "w", "c.md": ""})
    ) == ["c.md"]


def test_include_and_exclude(listed):
    files = dict.fromkeys(["a.md", "b.txt", "docs/c.md", "docs/old/d.md"], "w")
    listing = listed(files, include=("*.md",), exclude=("docs/old/",))
    assert paths(listing) == ["a.md", "docs/c.md"]
    assert listing.skipped == {"not_included": 1, "excluded": 1}


def test_a_pattern_of_the_configuration_that_is_none_is_refused(listed):
    with pytest.raises(ConfigurationError, match="exclude"):
        listed({"a.md": "w"}, exclude=("!",))


@pytest.mark.parametrize("line", ["*a" * 30 + "b", "**/a*" * 20])
def test_a_rule_that_would_take_for_ever_to_match_is_reported_instead(listed, line):
    listing = listed({".gitignore": line + "\nb.md", "a" * 200 + ".md": "w", "b.md": "w"})
    assert paths(listing) == ["a" * 200 + ".md"]
    assert [p.code for p in listing.problems] == ["bad_pattern"]


def test_rules_beyond_what_is_read_are_reported_and_no_line_is_cut_in_half(listed):
    before = "drop.md\n" + "#" * (RULE_BYTES - len("drop.md\n\n**/")) + "\n"
    rules = before + "**/x.md\nlate.md\n"
    assert rules[:RULE_BYTES].endswith("\n**/")
    listing = listed({".gitignore": rules, "a.md": "w", "drop.md": "w", "late.md": "w"})
    assert paths(listing) == ["a.md", "late.md"]
    assert [(p.path, p.code) for p in listing.problems] == [(".gitignore", "bad_pattern")]
    assert str(RULE_BYTES) in listing.problems[0].message


def test_common_rules_are_not_taken_for_hostile_ones():
    lines = [
        "**/node_modules/**",
        "*.py[cod]",
        "**/*.egg-info/",
        "foo/**/bar/*.txt",
        "[Bb]in/",
        "# *a*b*c*d*e*f*g*h",
    ]
    assert parse_rules(lines)[1] == []


def test_links_are_counted_and_not_followed_by_default(listed, tree, tmp_path):
    root = tree({"a.md": "w", "sub/b.md": "w"})
    (tmp_path / "outside.md").write_text("secret")
    (root / "c.md").symlink_to(root / "a.md")
    (root / "d").symlink_to(root / "sub")
    (root / "out.md").symlink_to(tmp_path / "outside.md")
    (root / "passwd").symlink_to("/etc/passwd")
    listing = listed({})
    assert paths(listing) == ["a.md", "sub/b.md"]
    assert listing.skipped == {"symlink": 4}


def test_followed_links_never_leave_the_root(listed, tree, tmp_path):
    root = tree({"a.md": "w"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.md").write_text("secret")
    (tmp_path / "input-sibling").mkdir()
    (root / "b").symlink_to(tmp_path / "outside")
    (root / "c").symlink_to(tmp_path / "input-sibling")
    (root / "d.md").symlink_to(tmp_path / "outside" / "x.md")
    listing = listed({}, follow_symlinks=True)
    assert paths(listing) == ["a.md"]
    assert listing.skipped == {"symlink_outside": 3}


def test_followed_links_bring_what_is_not_reached_otherwise_and_nothing_twice(listed, tree):
    root = tree({"a.md": "w", ".versions/1/b.md": "w", "docs/c.md": "w"})
    (root / "current").symlink_to(root / ".versions" / "1")
    (root / "again").symlink_to(root / "current")
    (root / "same.md").symlink_to(root / "a.md")
    (root / "docs2").symlink_to("docs")
    listing = listed({}, follow_symlinks=True)
    assert paths(listing) == ["a.md", "again/b.md", "docs/c.md"]
    assert listing.skipped == {"hidden": 1, "symlink": 3}


def test_loops_of_links_end(listed, tree):
    root = tree({"a/b/c.md": "w"})
    (root / "self").symlink_to(".")
    (root / "a" / "up").symlink_to("..")
    (root / "a" / "b" / "root").symlink_to(root)
    (root / "l1").symlink_to("l2")
    (root / "l2").symlink_to("l1")
    listing = listed({}, follow_symlinks=True)
    assert paths(listing) == ["a/b/c.md"]
    assert listing.skipped == {"symlink": 3}
    assert [(p.path, p.code) for p in listing.problems] == [
        ("l1", "dangling_symlink"),
        ("l2", "dangling_symlink"),
    ]


@pytest.mark.parametrize("follow", [True, False])
def test_a_link_to_nothing_is_a_problem_and_the_walk_goes_on(listed, tree, follow):
    root = tree({"a.md": "w"})
    (root / "gone.md").symlink_to(root / "never.md")
    listing = listed({}, follow_symlinks=follow)
    assert paths(listing) == ["a.md"]
    assert listing.problems == [
        ("gone.md", "dangling_symlink", "the link leads to nothing; mend it or remove it")
    ]


def test_pipes_and_sockets_are_left_out(listed, tree, monkeypatch):
    root = tree({"a.md": "w"})
    os.mkfifo(root / "pipe.md")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("sock.md")
        listing = listed({})
    assert paths(listing) == ["a.md"]
    assert listing.skipped == {"special": 2}


def test_the_order_is_that_of_composed_bytes_whatever_the_disk_says(listed):
    names = ["b.md", "a.md", "a/x.md", "a-b/y.md", "Z.md", "é.md", "あ.md"]
    found = paths(listed(dict.fromkeys(names, "w")))
    assert found == sorted(names, key=lambda n: n.encode())


def test_names_that_differ_in_form_only_are_told_apart_and_reported(listed):
    composed, decomposed = (
        unicodedata.normalize("NFC", "ガイド.md"),
        unicodedata.normalize("NFD", "ガイド.md"),
    )
    listing = listed({composed: "one", decomposed: "two"})
    assert paths(listing) == [composed, unicodedata.normalize("NFD", "ガイド") + "~2.md"]
    assert [p.code for p in listing.problems] == ["name_changed"]
    assert [e.source.fetch(99).content.read() for e in listing.entries] == [b"one", b"two"]


def test_a_decomposed_name_keeps_its_spelling(listed):
    decomposed = unicodedata.normalize("NFD", "ガイド.md")
    assert paths(listed({decomposed: "w"})) == [decomposed]


def test_bytes_that_are_no_utf8_become_text_and_the_file_is_still_read(listed, tree):
    root = os.fsencode(tree({"a.md": "w"}))
    for name in (b"caf\xe9.md", b"caf\xe8.md"):
        Path(os.fsdecode(root + b"/" + name)).write_bytes(name)
    listing = listed({})
    assert paths(listing) == ["a.md", "caf�.md", "caf�~2.md"]
    assert [e.source.fetch(99).content.read() for e in listing.entries[1:]] == [b"caf\xe8.md", b"caf\xe9.md"]
    assert [p.code for p in listing.problems] == ["name_changed"] * 2
    for problem in listing.problems:
        problem.path.encode()
        problem.message.encode()


def test_a_file_gone_before_it_is_looked_at_is_a_problem(listed, tree, monkeypatch):
    from indx_space.walking.folder import FolderTree

    entry = FolderTree.entry

    def gone(self, path, folder, node):
        if node.name == "a.md":
            (tree({}) / "a.md").unlink()
        return entry(self, path, folder, node)

    monkeypatch.setattr(FolderTree, "entry", gone)
    listing = listed({"a.md": "w", "b.md": "w"})
    assert paths(listing) == ["b.md"]
    assert [(p.path, p.code) for p in listing.problems] == [("a.md", "vanished")]


def test_folders_too_deep_to_be_meant_are_reported(listed, tree):
    root = tree({"a.md": "w"})
    deep = root.joinpath(*["d"] * 205)
    deep.mkdir(parents=True)
    (deep / "x.md").write_text("w")
    listing = listed({})
    assert paths(listing) == ["a.md"]
    assert [p.code for p in listing.problems] == ["too_deep"]


def test_what_may_not_be_read_is_a_problem_and_the_walk_goes_on(tree, tmp_path):
    """In a child without privileges, because nothing is forbidden to root."""
    root = tree(
        {"a.md": "w", "locked.md": "w", "closed/b.md": "w", "open/c.md": "w", "open/.gitignore": "c.md"}
    )
    script = f"""
        import os, sys
        sys.path[:] = {sys.path!r}
        from pathlib import Path
        from indx_core.errors import SourceError
        from indx_space.config import WalkConfig
        from indx_space.walking import open_tree, walk
        Path("seen").mkdir()
        Path("seen/.gitignore").write_text("x")
        walk(open_tree(Path("seen")), WalkConfig())  # everything is imported while the library can be read
        if os.getuid() == 0:
            os.setgid(65534); os.setuid(65534)
        listing = walk(open_tree(Path({str(root)!r})), WalkConfig())
        print([e.path for e in listing.entries], [(p.path, p.code) for p in listing.problems])
        for entry in listing.entries:
            try:
                entry.source.fetch(99)
            except SourceError as error:
                print(entry.path, error.code, error.message)
    """
    for path in (root / "locked.md", root / "closed", root / "open" / ".gitignore"):
        path.chmod(0)
    for path in (root, *root.parents):
        if os.getuid() == 0 and path.stat().st_uid == 0 and path.is_dir() and "pytest" in str(path):
            path.chmod(0o755)
    try:
        command = [sys.executable, "-c", textwrap.dedent(script)]
        run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    finally:
        for path in (root / "locked.md", root / "closed", root / "open" / ".gitignore"):
            path.chmod(0o755)
    assert run.stdout.splitlines() == [
        "['a.md', 'locked.md', 'open/c.md'] [('closed', 'unreadable'), ('open/.gitignore', 'unreadable')]",
        f"locked.md source_unreadable the file cannot be read (Permission denied); {LEAVE_OUT}",
    ], run.stderr


class TestReadingAFile:
    def test_its_bytes_digest_and_stamp(self, tree):
        path = tree({"a.md": "words"}) / "a.md"
        content, stamp = DiskFile(str(path)).fetch(99)
        assert content.data == b"words"
        assert content.filename == "a.md"
        assert stamp[0] == 5
        assert stamp[1] == path.stat().st_mtime_ns

    def test_a_large_file_stays_where_it_is(self, tree):
        path = tree({"a.md": b"x" * 2_000_000}) / "a.md"
        content = DiskFile(str(path)).fetch(10**7).content
        assert content.path == path
        assert content.size == 2_000_000

    def test_more_than_the_limit_is_refused_unread(self, tree):
        with pytest.raises(InputTooLarge, match="INDX_MAX_INPUT_BYTES"):
            DiskFile(str(tree({"a.md": "12345"}) / "a.md")).fetch(4)

    def test_one_that_is_gone_says_so(self, tree):
        with pytest.raises(FileNotFoundError):
            DiskFile(str(tree({}) / "a.md")).fetch(99)

    def test_a_pipe_in_its_place_does_not_block(self, tree):
        os.mkfifo(tree({}) / "a.md")
        with pytest.raises(SourceError, match="no plain file"):
            DiskFile(str(tree({}) / "a.md")).fetch(99)

    @pytest.mark.parametrize(("changes", "read"), [(1, True), (2, False)])
    def test_one_that_changes_is_read_once_more_and_then_given_up(self, tree, monkeypatch, changes, read):
        path = tree({"a.md": "start"}) / "a.md"
        file = DiskFile(str(path))
        once = file._once
        left = [changes]

        def growing(limit):
            fetched = once(limit)
            if left[0]:
                left[0] -= 1
                with path.open("ab") as handle:
                    handle.write(b" and more")
            return fetched

        monkeypatch.setattr(DiskFile, "_once", lambda self, limit: growing(limit))
        if read:
            assert file.fetch(99).content.data == b"start and more"
        else:
            with pytest.raises(SourceError, match="changed while it was read"):
                file.fetch(99)

    def test_one_removed_while_it_is_read_is_gone(self, tree, monkeypatch):
        path = tree({"a.md": "start"}) / "a.md"
        file = DiskFile(str(path))
        once = file._once

        def vanishing(self, limit):
            fetched = once(limit)
            path.unlink()
            return fetched

        monkeypatch.setattr(DiskFile, "_once", vanishing)
        with pytest.raises(FileNotFoundError):
            file.fetch(99)


@given(st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=6), max_size=30))
def test_paths_are_given_out_once_fit_for_json_and_unchanged_where_they_can_be(names):
    taken = Taken()
    given_out = [taken.claim(name) for name in names]
    assert len({nfc(path) for path in given_out}) == len(names)
    for path in given_out:
        path.encode("utf-8")
    seen = set()
    for name, path in zip(names, given_out, strict=True):
        fits = not any("\ud800" <= c <= "\udfff" for c in name)
        if fits and nfc(name) not in seen:
            assert path == name or nfc(name) in {nfc(p) for p in given_out[: given_out.index(path)]}
        seen.add(nfc(path))


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
)
def test_the_order_ignores_the_form(one, two):
    decomposed = unicodedata.normalize("NFD", one)
    assert (order(one) < order(two)) == (order(decomposed) < order(two))
