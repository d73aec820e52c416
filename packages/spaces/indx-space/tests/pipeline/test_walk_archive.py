"""Walking a ZIP: names are labels and never paths, contents inflate within bounds."""

import contextlib
import json
import stat
import struct
import zipfile
import zlib
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import InputTooLarge, SourceError, UsageError
from indx_core.ports import SourceContent
from indx_space.config import WalkConfig
from indx_space.walking import archive, open_tree, walk
from indx_space.walking.archive import ArchiveTree, Budget
from indx_space.walking.names import decode_names, refusal

LIMIT = 10_000_000


@pytest.fixture
def tree_of():
    """The archive in some bytes."""

    def make(data, budget=None):
        return ArchiveTree.of_content(SourceContent.of_bytes(data), budget or Budget())

    return make


@pytest.fixture
def listed(zipped, tree_of):
    """Walk a ZIP of entries."""

    def make(entries, budget=None, **config):
        return walk(tree_of(zipped(entries), budget), WalkConfig(**config))

    return make


def raw_names(*names, unicode=None):
    """A ZIP whose names are stored as these bytes, without the flag for UTF-8."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        for number, _ in enumerate(names):
            info = zipfile.ZipInfo(f"{number:08d}")
            if unicode is not None:
                stored = names[number]
                field = struct.pack("<BL", 1, zlib.crc32(stored)) + unicode.encode()
                info.extra = struct.pack("<HH", 0x7075, len(field)) + field
            packed.writestr(info, "w")
    data = buffer.getvalue()
    for number, name in enumerate(names):
        assert len(name) == 8, "names are put in place of others as long"
        data = data.replace(f"{number:08d}".encode(), name)
    return data


def test_entries_are_listed_in_order_with_the_rules_of_a_folder(listed):
    listing = listed(
        {
            "z.md": "w",
            "a/b.md": "w",
            "a/.gitignore": "c.md",
            "a/c.md": "w",
            ".hidden/x.md": "w",
            "__MACOSX/a/._b.md": "w",
            "a/Thumbs.db": "w",
            "empty/": "",
        }
    )
    assert [e.path for e in listing.entries] == ["a/b.md", "z.md"]
    assert listing.skipped == {"hidden": 2, "ignored": 1, "system": 2}
    assert listing.entries[0].source.fetch(LIMIT).content.data == b"w"
    assert listing.entries[0].name == "b.md"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../x.md", "climbs"),
        ("a/../../x.md", "climbs"),
        ("..\\x.md", "climbs"),
        ("/etc/passwd", "absolute"),
        ("\\\\host\\share", "absolute"),
        ("C:/x.md", "drive"),
        ("c:\\x.md", "drive"),
        ("a//b.md", "empty part"),
        ("./a.md", "empty part"),
        ("a\nb.md", "control"),
    ],
)
def test_names_that_are_no_paths_inside_are_reported_and_not_taken(listed, name, why):
    listing = listed({name: "w", "good.md": "w"})
    assert [e.path for e in listing.entries] == ["good.md"]
    assert [p.code for p in listing.problems] == ["member_refused"]
    assert why in listing.problems[0].message


def test_backslashes_part_folders(listed):
    assert [e.path for e in listed({"a\\b.md": "w"}).entries] == ["a/b.md"]


def test_a_name_that_stands_twice_is_told_apart(tree_of):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("a.md", "one")
        with pytest.warns(UserWarning, match="Duplicate"):
            packed.writestr("a.md", "two")
    listing = walk(tree_of(buffer.getvalue()), WalkConfig())
    read = {e.path: e.source.fetch(LIMIT).content.data for e in listing.entries}
    assert read == {"a.md": b"one", "a~2.md": b"two"}


def test_links_inside_are_not_followed(tree_of):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        link = zipfile.ZipInfo("link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "/etc/passwd")
        packed.writestr("a.md", "w")
    listing = walk(tree_of(buffer.getvalue()), WalkConfig(follow_symlinks=True))
    assert [e.path for e in listing.entries] == ["a.md"]
    assert listing.skipped == {"symlink": 1}


@pytest.mark.parametrize(
    ("stored", "meant"),
    [
        ("資料.md".encode("cp932"), "資料.md"),
        ("資.mdx".encode(), "資.mdx"[:6]),
        ("ソ表.md".encode("cp932"), "ソ表.md"),
        ("naïve.md".encode("cp437"), "naïve.md"),
        ("ÄÖÜäö.md".encode("cp437"), "ÄÖÜäö.md"),
    ],
)
def test_names_without_a_stated_encoding_are_guessed(tree_of, stored, meant):
    padded = stored.ljust(8, b"_") if len(stored) < 8 else stored
    listing = walk(tree_of(raw_names(padded)), WalkConfig())
    assert [e.path.rstrip("_") for e in listing.entries] == [meant]


def test_one_guess_holds_for_all_names_of_an_archive():
    def old(name):
        return name.decode("cp437")

    assert decode_names(["ソ.md".encode("cp932"), b"\x8e\x91.md"], old) == ["ソ.md", "資.md"]
    assert decode_names([b"a.md", "é.md".encode()], old) == ["a.md", "é.md"]
    assert decode_names([b"\x82.md", b"\x84.md", b"\xc3\xa9.md"], old) == ["é.md", "ä.md", "├⌐.md"]
    odd = [b"a.md", "日本語.md".encode(), b"bad\xff.md", "é.md".encode()]
    assert decode_names(odd, lambda name: "odd") == ["a.md", "日本語.md", "odd", "é.md"]
    odd[2] = "資料.md".encode("cp932")
    assert decode_names(odd, lambda name: "odd") == ["a.md", "日本語.md", "資料.md", "é.md"]


def test_the_field_for_unicode_names_is_believed(tree_of):
    listing = walk(tree_of(raw_names(b"????????", unicode="資料集.md")), WalkConfig())
    assert [e.path for e in listing.entries] == ["資料集.md"]


def test_encrypted_entries_are_refused_by_name(tree_of, zipped):
    data = bytearray(zipped({"a.md": "w"}))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    entry = walk(tree_of(bytes(data)), WalkConfig()).entries[0]
    with pytest.raises(SourceError) as caught:
        entry.source.fetch(LIMIT)
    assert caught.value.code == "source_encrypted"


class _Keys:
    """The three keys of the ZIP format's first encryption."""

    def __init__(self, password):
        self.keys = [0x12345678, 0x23456789, 0x34567890]
        for sign in password:
            self._turn(sign)

    def _turn(self, sign):
        first, second, third = self.keys
        first = ~zlib.crc32(bytes([sign]), ~first & 0xFFFFFFFF) & 0xFFFFFFFF
        second = ((second + (first & 0xFF)) * 134775813 + 1) & 0xFFFFFFFF
        third = ~zlib.crc32(bytes([second >> 24]), ~third & 0xFFFFFFFF) & 0xFFFFFFFF
        self.keys = [first, second, third]

    def encrypt(self, data):
        out = bytearray()
        for sign in data:
            mask = (self.keys[2] & 0xFFFF) | 2
            out.append(sign ^ ((mask * (mask ^ 1) >> 8) & 0xFF))
            self._turn(sign)
        return bytes(out)


def locked(name, data, password, *, method=0, flags=1):
    """An archive of one entry that a password locks."""
    crc = zlib.crc32(data)
    packed = zlib.compressobj(wbits=-15)
    body = packed.compress(data) + packed.flush() if method == 8 else data
    body = _Keys(password.encode()).encrypt(bytes(11) + bytes([crc >> 24]) + body)
    head = struct.pack("<5H3L", 20, flags, method, 0, 0, crc, len(body), len(data))
    local = b"PK\3\4" + head + struct.pack("<2H", len(name), 0) + name + body
    tail = struct.pack("<5H2L", len(name), 0, 0, 0, 0, 0, 0) + name
    central = b"PK\1\2" + struct.pack("<H", 20) + head + tail
    return local + central + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 1, 1, len(central), len(local), 0)


@pytest.mark.parametrize("method", [0, 8])
def test_an_encrypted_entry_is_opened_with_the_password_that_fits(tree_of, monkeypatch, method):
    data = b"text of the entry " * 50
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(["", "wrong", "also wrong", "geheim\u00e4"]))
    entry = walk(tree_of(locked(b"a.md", data, "geheim\u00e4", method=method)), WalkConfig()).entries[0]
    assert entry.source.fetch(10_000).content.data == data


@pytest.mark.parametrize(
    ("passwords", "message"),
    [
        ([], r"none of INDX_SOURCE_PASSWORDS opens it \(0 tried\); add its password"),
        ([""], r"none of INDX_SOURCE_PASSWORDS opens it \(0 tried\)"),
        (["wrong"] * 100, r"none of INDX_SOURCE_PASSWORDS opens it \(100 tried\)"),
        (
            [*["wrong"] * 600, "right"],
            "none of the first 100 of INDX_SOURCE_PASSWORDS .* the other 501 were not",
        ),
    ],
)
def test_an_encrypted_entry_that_no_password_opens_says_which_were_tried(
    tree_of, monkeypatch, passwords, message
):
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps(passwords))
    entry = walk(tree_of(locked(b"a.md", b"text", "right")), WalkConfig()).entries[0]
    with pytest.raises(SourceError, match=message) as caught:
        entry.source.fetch(10_000)
    assert caught.value.code == "source_encrypted"


WRONG = ["wrong 43", "wrong 68", "wrong 116"]
"""Their check byte is that of an entry of `TEXT` locked with "right"."""
TEXT = b"text of the entry " * 1000


def test_a_wrong_password_that_seems_right_spends_nothing_of_the_archive(tree_of, monkeypatch):
    monkeypatch.setattr(archive, "_STEP", 4096)
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps([WRONG[0], "right"]))
    budget = Budget(inflated=2 * len(TEXT))
    entry = walk(tree_of(locked(b"a.md", TEXT, "right"), budget), WalkConfig()).entries[0]
    assert [entry.source.fetch(LIMIT).content.data for _ in range(2)] == [TEXT, TEXT]
    with pytest.raises(InputTooLarge, match="more than is taken from one archive"):
        entry.source.fetch(LIMIT)


def test_what_wrong_passwords_open_has_a_bound_of_its_own(tree_of, monkeypatch):
    monkeypatch.setattr(archive, "_STEP", 4096)
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", json.dumps([*WRONG, "right"]))
    budget = Budget(inflated=2 * len(TEXT))
    entry = walk(tree_of(locked(b"a.md", TEXT, "right"), budget), WalkConfig()).entries[0]
    with pytest.raises(InputTooLarge, match="wrong passwords"):
        entry.source.fetch(LIMIT)


def test_entries_encrypted_in_another_way_or_too_large_for_it_are_named(tree_of, monkeypatch):
    monkeypatch.setenv("INDX_SOURCE_PASSWORDS", '["right"]')
    for made in (locked(b"a", b"t", "right", method=99), locked(b"a", b"t", "right", flags=0x41)):
        entry = walk(tree_of(made), WalkConfig()).entries[0]
        with pytest.raises(SourceError, match="in a way that is not opened here"):
            entry.source.fetch(10_000)
    monkeypatch.setattr("indx_space.walking.archive._LOCKED_BYTES", 10)
    entry = walk(tree_of(locked(b"a", b"text", "right")), WalkConfig()).entries[0]
    with pytest.raises(SourceError, match="more than 10 bytes"):
        entry.source.fetch(10_000)


def test_damaged_entries_are_refused(tree_of):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("a.md", "words that stand in the open")
    data = buffer.getvalue().replace(b"words that", b"WORDS that", 1)
    with pytest.raises(SourceError, match="damaged"):
        walk(tree_of(data), WalkConfig()).entries[0].source.fetch(LIMIT)


def test_a_packing_that_is_not_read_is_refused(tree_of):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("a.md", "w")
    with pytest.raises(SourceError, match="method 14"):
        walk(tree_of(buffer.getvalue()), WalkConfig()).entries[0].source.fetch(LIMIT)


def test_an_entry_inflates_to_the_limit_and_no_further(listed):
    entry = listed({"a.md": "x" * 1000}).entries[0]
    assert entry.source.fetch(1000).content.size == 1000
    with pytest.raises(InputTooLarge, match="INDX_MAX_INPUT_BYTES"):
        entry.source.fetch(999)


def test_a_size_stated_too_small_does_not_open_the_bound(tree_of, zipped):
    data = bytearray(zipped({"a.md": "x" * 100_000}))
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<L", 10)
    with pytest.raises((SourceError, InputTooLarge)):
        walk(tree_of(bytes(data)), WalkConfig()).entries[0].source.fetch(1000)


def test_an_entry_packed_more_tightly_than_documents_are_is_refused(listed):
    entry = listed({"bomb.md": b"\0" * 12_000_000}).entries[0]
    with pytest.raises(InputTooLarge, match="200 times"):
        entry.source.fetch(10**9)


def test_entries_together_inflate_to_a_bound(listed):
    listing = listed({f"{n}.md": "x" * 1000 for n in range(3)}, Budget(inflated=2500))
    assert [e.source.fetch(LIMIT).content.size for e in listing.entries[:2]] == [1000, 1000]
    with pytest.raises(InputTooLarge, match="one archive"):
        listing.entries[2].source.fetch(LIMIT)


def test_more_entries_than_are_taken_are_reported(listed):
    listing = listed({f"{n}.md": "w" for n in range(5)}, Budget(entries=3))
    assert len(listing.entries) == 3
    assert [p.code for p in listing.problems] == ["too_many_members"]


def test_a_directory_larger_than_memory_is_refused_unread(tree_of, zipped, monkeypatch):
    monkeypatch.setattr(archive, "_DIRECTORY_BYTES", 100)
    with pytest.raises(InputTooLarge, match="directory"):
        tree_of(zipped({f"{n}.md": "w" for n in range(5)}))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, b"not a zip"])
def test_what_is_no_zip_is_refused_or_empty(tree_of, data):
    found = []
    with contextlib.suppress(SourceError):
        found = walk(tree_of(data), WalkConfig()).entries
    assert found == []


@given(st.binary(max_size=300), st.integers(0, 400))
def test_damage_never_ends_in_anything_but_a_refusal(noise, at):
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a/b.md", "words " * 20)
        packed.writestr("c.md", "w")
    data = bytearray(buffer.getvalue())
    data[at : at + len(noise)] = noise
    try:
        listing = walk(ArchiveTree.of_content(SourceContent.of_bytes(bytes(data)), Budget()), WalkConfig())
        for entry in listing.entries:
            assert refusal(entry.path) is None
            entry.source.fetch(LIMIT)
    except (SourceError, InputTooLarge):
        pass


def test_a_zip_is_an_input_like_a_folder(zipped, tmp_path, build):
    path = tmp_path / "docs.zip"
    path.write_bytes(zipped({"a.md": "[b](sub/b.md)", "sub/b.md": "w", "../x.md": "w", "x.bin": b"\0"}))
    space = build(path)
    assert space.root == str(path)
    assert [d.path for d in space.documents_] == ["a.md", "sub/b.md"]
    assert space.documents_[0].references[0].dst == "sub/b.md"
    assert {(e["path"], e["code"]) for e in space.metadata["errors"]} == {
        ("../x.md", "member_refused"),
        ("x.bin", "unsupported_media_type"),
    }


def test_a_file_that_only_says_it_is_a_zip_is_no_input(tmp_path, zipped):
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(UsageError, match="begins as a ZIP and does not end as one"):
        open_tree(tmp_path / "a.zip")
    data = bytearray(zipped({"a.md": "w", "b.md": "w"}))
    data[data.index(b"PK\x01\x02")] = 0
    (tmp_path / "b.zip").write_bytes(data)
    with pytest.raises(UsageError, match=r"is a damaged ZIP; take another copy of the archive$"):
        open_tree(tmp_path / "b.zip")


def test_an_office_file_is_no_folder_of_documents(tmp_path, zipped):
    (tmp_path / "a.docx").write_bytes(zipped({"[Content_Types].xml": "w", "word/document.xml": "w"}))
    with pytest.raises(UsageError, match="one document"):
        open_tree(tmp_path / "a.docx")


def test_an_entry_before_which_another_name_stands_has_that_of_the_directory(tree_of):
    data = raw_names(b"name.txt", b"next.txt")
    assert data.startswith(b"PK\3\4")
    tree = tree_of(data.replace(b"name.txt", b"n\xffme.txt"[:8], 1))
    entries = {entry.name: entry for entry in walk(tree, WalkConfig()).entries}
    assert entries["name.txt"].source.fetch(LIMIT).content.data == b"w"
    assert entries["next.txt"].source.fetch(LIMIT).content.data == b"w"


@pytest.mark.parametrize("damaged", [False, True])
def test_a_part_of_an_archive_is_not_said_to_be_damaged(zipped, tree_of, damaged):
    whole = zipped({"a.bin": bytes(range(256)) * 9, "b.txt": "w"})
    end = whole.rindex(b"PK\5\6")
    last = whole[600:end] + whole[end : end + 4] + b"\2\0\2\0" + whole[end + 8 :]
    if damaged:
        last = last.replace(b"PK\1\2", b"PK\0\0")
    with pytest.raises(SourceError, match="is one of several parts; join them"):
        tree_of(last)


def test_the_number_of_a_part_alone_makes_none(zipped, tree_of):
    whole = zipped({"a.txt": "w"})
    end = whole.rindex(b"PK\5\6")
    tree = tree_of(whole[: end + 4] + b"\2\0" + whole[end + 6 :])
    assert [entry.path for entry in walk(tree, WalkConfig()).entries] == ["a.txt"]
