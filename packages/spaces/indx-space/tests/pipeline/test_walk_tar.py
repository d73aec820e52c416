"""Walking a TAR: told by its content, names are labels and never paths, contents within bounds."""

import bz2
import contextlib
import gzip
import io
import lzma
import tarfile

import pytest

from indx_core.errors import InputTooLarge, SourceError, UsageError
from indx_core.ports import SourceContent
from indx_source import archives
from indx_source.archives import is_tar
from indx_space.config import WalkConfig
from indx_space.walking import open_tree, tar, walk
from indx_space.walking.packed import Budget
from indx_space.walking.tar import TarTree

LIMIT = 10_000_000


def tarred(entries, form=tarfile.PAX_FORMAT, encoding="utf-8"):
    """The bytes of a TAR; an entry of None is a folder, of a tuple its kind and target."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form, encoding=encoding) as archive:
        for name, content in entries.items():
            info = tarfile.TarInfo(name)
            if content is None:
                info.type = tarfile.DIRTYPE
            elif isinstance(content, tuple):
                info.type, info.linkname = content
            else:
                content = content.encode() if isinstance(content, str) else content
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content) if isinstance(content, bytes) else None)
    return buffer.getvalue()


@pytest.fixture
def listed():
    """Walk the TAR in some bytes."""
    with contextlib.ExitStack() as opened:

        def make(data, budget=None):
            tree = TarTree.of_content(SourceContent.of_bytes(data), budget or Budget())
            opened.callback(tree.close)
            return walk(tree, WalkConfig())

        yield make


def test_entries_are_listed_in_order_and_read(listed):
    listing = listed(tarred({"./b.md": "two", "dir/": None, "dir/a.md": "one", "./": None}))
    assert [entry.path for entry in listing.entries] == ["b.md", "dir/a.md"]
    assert [entry.source.fetch(LIMIT).content.read() for entry in listing.entries] == [b"two", b"one"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_every_form_is_told_by_its_content(pack, form, listed):
    data = pack(tarred({"long/" * 30 + "a.md" if form != tarfile.USTAR_FORMAT else "a.md": "x"}, form))
    assert is_tar(data)
    (entry,) = listed(data).entries
    assert entry.source.fetch(LIMIT).content.read() == b"x"


def test_the_oldest_form_has_no_mark_and_a_checksum(listed):
    data = bytearray(tarred({"a.md": "x"}, tarfile.USTAR_FORMAT))
    data[257:265] = bytes(8)
    data[148:156] = b"%06o\0 " % (256 + sum(data[:148]) + sum(data[156:512]))
    assert is_tar(bytes(data))
    assert [entry.path for entry in listed(bytes(data)).entries] == ["a.md"]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"text " * 200,
        bytes(1024),
        gzip.compress(b"no archive" * 100, mtime=0),
        b"\x1f\x8b damaged",
        b"PK\x03\x04",
    ],
)
def test_other_bytes_are_no_tar(data):
    assert not is_tar(data)


def test_names_that_lead_elsewhere_are_left_out_and_links_never_followed(listed):
    entries = {
        "../up.md": "x",
        "/etc/passwd": "x",
        "ok.md": "x",
        "link.md": (tarfile.SYMTYPE, "/etc/passwd"),
        "hard.md": (tarfile.LNKTYPE, "ok.md"),
        "pipe": (tarfile.FIFOTYPE, ""),
    }
    listing = listed(tarred(entries))
    assert [entry.path for entry in listing.entries] == ["ok.md"]
    assert {problem.path for problem in listing.problems} == {"../up.md", "/etc/passwd"}
    assert {problem.code for problem in listing.problems} == {"member_refused"}
    assert listing.skipped == {"symlink": 2, "special": 1}


def test_an_entry_without_a_name_is_told(listed):
    (problem,) = listed(tarred({"": "x", "/": None})).problems
    assert problem.message == "an entry is left out: it has no name; pack it again under a plain name"


def test_names_in_japanese_windows_encoding_are_read(listed):
    data = tarred({"文章1.txt": "x"}, tarfile.GNU_FORMAT, "cp932")
    assert [entry.path for entry in listed(data).entries] == ["文章1.txt"]


def test_one_name_in_no_encoding_changes_none_of_the_others_and_is_told(listed):
    data = tarred({"naïve.txt": "x", "日本語.md": "x", "bad\udcff.txt": "x"}, tarfile.GNU_FORMAT)
    listing = listed(data)
    assert {entry.path for entry in listing.entries} == {"naïve.txt", "日本語.md", "bad\ufffd.txt"}
    assert [(problem.path, problem.code) for problem in listing.problems] == [
        ("bad\ufffd.txt", "name_changed")
    ]


def test_more_entries_than_the_budget_has_are_said(listed):
    listing = listed(tarred({f"{n}.md": "x" for n in range(5)}), Budget(entries=3))
    assert len(listing.entries) == 3
    assert [problem.code for problem in listing.problems] == ["too_many_members"]


def test_an_archive_that_is_cut_short_gives_what_is_whole(listed):
    data = tarred({"a.md": "x" * 2000, "b.md": "y" * 2000}, tarfile.USTAR_FORMAT)[:4000]
    for cut in (data, gzip.compress(data)[:-9]):  # in the checksum, and in the last block
        listing = listed(cut)
        first = listing.entries[0]
        assert first.source.fetch(LIMIT).content.read() == b"x" * 2000
        for entry in listing.entries[1:]:
            with pytest.raises(SourceError):
                entry.source.fetch(LIMIT)


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
@pytest.mark.parametrize("end", [1024, 1025, 1535, 1536, 2047])
def test_a_tar_that_ends_without_the_mark_of_an_end_is_said_to_be_damaged(pack, end, listed):
    """The first entry is whole; the second is cut off, or cut in its header, or has no bytes."""
    data = tarred({"a.md": "x" * 512, "b.md": "y" * 512}, tarfile.USTAR_FORMAT)
    listing = listed(pack(data[:end]))
    assert listing.entries[0].source.fetch(LIMIT).content.read() == b"x" * 512
    count = "1 entry" if end < 1536 else "2 entries"
    assert [(problem.code, problem.message.partition(" (")[0]) for problem in listing.problems] == [
        ("member_unread", f"the archive is damaged after {count}")
    ]
    assert listed(pack(data)).problems == []
    assert listed(pack(data[: 4 * 512 + 512])).problems == []  # one block of zeros is end enough


def test_a_damaged_header_behind_the_first_is_told_and_does_not_end_the_archive(listed):
    data = bytearray(tarred({"a.md": "x", "b.md": "y"}, tarfile.USTAR_FORMAT))
    data[1024] ^= 0xFF
    listing = listed(bytes(data))
    assert [entry.path for entry in listing.entries] == ["a.md"]
    assert [problem.message for problem in listing.problems] == [
        "the archive is damaged after 1 entry (what follows is no header); take another copy of the archive"
    ]


def test_a_tar_that_holds_a_folder_and_is_cut_does_not_hold_no_file(tmp_path, tree, build):
    data = tarred({"docs/": None, "docs/a.md": "x"})
    space = build(tree({"cut.tar.gz": gzip.compress(data[:700]), "head.tar": data[:300], "a.md": "w"}))
    assert {error["path"]: error["message"] for error in space.metadata["errors"]} == {
        "cut.tar.gz": "the archive is damaged after 1 entry (it ends without the mark of an end); "
        "take another copy of the archive",
        "head.tar": "the archive is damaged (ReadError); take another copy of the archive",
    }


@pytest.mark.parametrize("name", ["a.tar", "a.TAR.GZ", "a.tgz", "a.zip", "a.tar.xz"])
@pytest.mark.parametrize("data", [b"", b"\x1f\x8b\x08", b"P", bytes(512)])
def test_an_input_that_is_an_archive_by_its_name_alone_is_said_to_be_damaged(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(
        UsageError, match="named as one: it is empty, cut short or damaged; take another copy"
    ):
        open_tree(tmp_path / name)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("end", [300, 511])
def test_an_input_that_is_a_tar_cut_in_its_first_header_is_said_to_be_damaged(tmp_path, pack, end):
    (tmp_path / "a").write_bytes(pack(tarred({"a.md": "x"})[:end]))
    with pytest.raises(UsageError, match="is a damaged TAR; take another copy of the archive"):
        open_tree(tmp_path / "a")


def test_an_entry_over_the_limit_or_the_budget_is_refused(listed):
    data = tarred({"a.md": "x" * 1000})
    (entry,) = listed(data).entries
    with pytest.raises(InputTooLarge):
        entry.source.fetch(999)
    (entry,) = listed(data, Budget(inflated=10)).entries
    with pytest.raises(InputTooLarge):
        entry.source.fetch(LIMIT)


def test_an_archive_that_unpacks_too_far_is_refused(monkeypatch, listed):
    data = gzip.compress(tarred({"a.md": bytes(1_000_000)}))
    monkeypatch.setattr(tar, "_RATIO_FROM", 10_000)
    with pytest.raises(InputTooLarge):
        listed(data)
    monkeypatch.setattr(tar, "_RATIO_FROM", 10_000_000)
    monkeypatch.setattr(tar, "_UNPACKED", 10_000)
    with pytest.raises(InputTooLarge):
        listed(data)


def test_a_tar_that_asks_for_too_much_memory_is_refused_for_that(monkeypatch, tmp_path, listed):
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 19}]
    data = tarred({"a.md": "x" * 1000})
    modest = lzma.compress(data[:600], filters=filters)
    monkeypatch.setattr(archives, "_MOST_MEMORY", 2 << 20)
    (entry,) = listed(modest + lzma.compress(data[600:], filters=filters)).entries
    assert entry.source.fetch(LIMIT).content.read() == b"x" * 1000
    path = tmp_path / "docs.tar.xz"
    for hungry in (lzma.compress(data), modest + lzma.compress(data[600:])):
        path.write_bytes(hungry)
        with pytest.raises(
            InputTooLarge, match="asks for more than 2 MiB to unpack; pack it again with a smaller"
        ):
            open_tree(path)


def test_what_asks_for_too_much_memory_in_a_folder_is_told_so_whatever_its_name(monkeypatch, tree, build):
    monkeypatch.setattr(archives, "_MOST_MEMORY", 1 << 20)
    hungry = lzma.compress(tarred({"a.md": "x"}))
    names = ("a.tar.xz", "b.xz", "c.tar", "d")
    space = build(tree(dict.fromkeys(names, hungry)))
    told = {e["path"]: (e["code"], e["message"].partition(";")[0]) for e in space.metadata["errors"]}
    assert told == dict.fromkeys(names, ("input_too_large", "the XZ asks for more than 1 MiB to unpack"))


@pytest.mark.parametrize("at", range(0, 512, 37))
def test_damaged_headers_give_typed_errors(at, listed):
    data = bytearray(tarred({"a.md": "x", "b.md": "y"}))
    data[at] ^= 0xFF
    try:
        listing = listed(bytes(data))
    except SourceError:
        return
    for entry in listing.entries:
        assert isinstance(entry.source.fetch(LIMIT).content.read(), bytes)


def test_a_tar_is_an_input_of_its_own(tmp_path):
    path = tmp_path / "docs.tgz"
    path.write_bytes(gzip.compress(tarred({"a.md": "x"})))
    tree = open_tree(path)
    assert [entry.path for entry in walk(tree, WalkConfig()).entries] == ["a.md"]
    tree.close()
    (tmp_path / "no.tar").write_bytes(b"text")
    with pytest.raises(UsageError, match="no folder, ZIP or TAR"):
        open_tree(tmp_path / "no.tar")


def test_tars_in_a_folder_are_opened_and_what_is_in_them(tree, build, zipped):
    inner = zipped({"deep.md": "w"})
    root = tree(
        {
            "pack.tar.gz": gzip.compress(tarred({"a.md": "w", "in.zip": inner})),
            "odd.bin": tarred({"b.md": "w"}),
        }
    )
    space = build(root)
    assert [document.path for document in space.documents_] == [
        "odd.bin!/b.md",
        "pack.tar.gz!/a.md",
        "pack.tar.gz!/in.zip!/deep.md",
    ]
