"""Nothing that an archive says is believed: each lie is a typed refusal, and the file is left alone."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.errors import ArchiveError
from indx_space import KnowledgeSpace, verify_archive
from indx_space.archive import zipreader

Change = Callable[[dict[str, bytes]], None]


def members(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def forge(archive: Path, change: Change, *, honest: bool = True) -> Path:
    """Write the archive again with changed members; `honest` sums fit them."""
    content = members(archive)
    manifest = json.loads(content["manifest.json"])
    change(content)
    if honest and content.get("manifest.json") == members(archive)["manifest.json"]:
        for name, data in content.items():
            if name != "manifest.json":
                manifest["members"][name] = {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        manifest["members"] = {n: m for n, m in manifest["members"].items() if n in content}
        content["manifest.json"] = json.dumps(manifest).encode()
    forged = archive.with_name("forged.indx")
    with zipfile.ZipFile(forged, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in content.items():
            target.writestr(name, data)
    return forged


def edit(name: str, change: Callable[[Any], Any]) -> Change:
    """Change the JSON of a member."""

    def run(content: dict[str, bytes]) -> None:
        data = json.loads(content[name])
        replaced = change(data)
        content[name] = json.dumps(data if replaced is None else replaced).encode()

    return run


def refuse(path: Path, code: str, message: str = "forged") -> None:
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(ArchiveError, match=message) as caught:
        KnowledgeSpace.load(path).vectors()
    assert caught.value.code == code
    assert caught.value.exit_code == 4
    assert str(path) in str(caught.value)
    assert before is None or path.read_bytes() == before


def put(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.__setitem__(key, value)


def drop(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda data: data.pop(key) and None


def test_a_forged_archive_that_changes_nothing_opens(making) -> None:
    assert KnowledgeSpace.load(
        forge(making.pack(), lambda _: None), verify=True
    ) == making.space().model_copy(
        update={"metadata": KnowledgeSpace.load(making.folder / "ready" / "handbook.indx").metadata}
    )


def test_what_is_no_archive_is_foreign(making) -> None:
    folder = making.folder
    (folder / "text.indx").write_text("hello, I am no archive at all, not in the least")
    refuse(folder / "text.indx", "archive_foreign", "no ZIP file; name the archive that a build wrote")
    (folder / "empty.indx").touch()
    refuse(folder / "empty.indx", "archive_foreign", "empty or special file; name the archive")
    os.mkfifo(folder / "pipe.indx")
    with pytest.raises(ArchiveError, match="special file"):
        KnowledgeSpace.load(folder / "pipe.indx")
    with zipfile.ZipFile(folder / "other.indx", "w") as target:
        target.writestr("a.txt", "x")
    refuse(folder / "other.indx", "archive_foreign", "no manifest.json; name the archive")


@pytest.mark.parametrize(
    "content", [b"[]", b"{}", b'{"indx_version": 1}', b'{"indx_version": "new"}', b"{", b"\xff"]
)
def test_a_zip_whose_manifest_states_no_version_is_foreign(making, content: bytes) -> None:
    forged = forge(making.pack(), lambda c: c.update({"manifest.json": content}))
    refuse(
        forged,
        "archive_foreign",
        "indx_version; name the archive that a build wrote .NAME.indx., or build one: indx",
    )


def test_what_is_not_there_is_missing(making) -> None:
    refuse(making.folder / "nothing.indx", "archive_missing", "name the archive that a build wrote")
    with pytest.raises(ArchiveError, match="holds no archive: build one there, indx FOLDER --out") as caught:
        KnowledgeSpace.load(making.folder)
    assert caught.value.code == "archive_missing"


def test_another_major_version_is_refused_and_a_later_minor_is_read(making) -> None:
    archive = making.pack()
    manifest = edit("manifest.json", put("indx_version", "2.0"))
    refuse(forge(archive, manifest), "archive_version", "format version '2.0'.*'indx 0.1.0'")
    refuse(forge(archive, edit("index.json", put("version", "2.1"))), "archive_version", "version '2.1'")
    assert KnowledgeSpace.load(forge(archive, edit("manifest.json", put("indx_version", "1.9")))).documents
    assert KnowledgeSpace.load(forge(archive, edit("index.json", put("version", "1.7")))).version == "1.7"


@pytest.mark.parametrize("name", ["index.json", "embeddings/manifest.json", "lexical/manifest.json"])
def test_a_member_that_does_not_fit_its_checksum_is_damage(making, name: str) -> None:
    def flip(content: dict[str, bytes]) -> None:
        content[name] = content[name].replace(b"1", b"2", 1)

    forged = forge(making.pack(), flip, honest=False)
    with pytest.raises(ArchiveError, match=f"{name}.*SHA-256"):
        KnowledgeSpace.load(forged).search("alpha", mode="lexical")


@pytest.mark.parametrize("name", ["embeddings/vectors.f32", "chunks/chunk_0003.json", "lexical/tf.u16"])
def test_verifying_reads_what_opening_only_maps(making, name: str) -> None:
    archive = making.pack()
    with zipfile.ZipFile(archive) as opened:
        info = opened.getinfo(name)
    data = bytearray(archive.read_bytes())
    place = info.header_offset + 30 + sum(struct.unpack_from("<2H", data, info.header_offset + 26))
    data[place] ^= 1
    archive.write_bytes(data)
    KnowledgeSpace.load(archive).vectors()
    with pytest.raises(ArchiveError, match=name):
        verify_archive(archive)
    with pytest.raises(ArchiveError, match=name):
        KnowledgeSpace.load(archive, verify=True)


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../up.json", "a/../../b", "..", "C:x", "a\\b", "a\nb", "a/.."],
)
def test_a_name_that_leaves_the_archive_is_refused(making, name: str) -> None:
    forged = forge(making.pack(), lambda c: c.update({name: b"x"}))
    refuse(forged, "archive_corrupt", "name is a path that leaves")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_stands_twice_is_refused(making) -> None:
    forged = forge(making.pack(), lambda _: None)
    with zipfile.ZipFile(forged, "a") as target:
        target.writestr("index.json", b"{}")
    refuse(forged, "archive_corrupt", "different ones")


def test_members_nobody_knows_are_passed_over(making) -> None:
    forged = forge(making.pack(), lambda c: c.update({"later/new.bin": b"x", "folder/": b""}))
    assert KnowledgeSpace.load(forged, verify=True).stats.chunks == 7
    with zipfile.ZipFile(forged, "a") as target:
        target.writestr("unlisted.txt", b"x")
    assert KnowledgeSpace.load(forged, verify=True).stats.chunks == 7


def test_a_member_that_the_manifest_names_and_the_archive_lacks_is_damage(making) -> None:
    archive = making.pack()
    for name in ("index.json", "embeddings/vectors.f32"):
        refuse(
            forge(archive, lambda c, n=name: c.pop(n), honest=False), "archive_corrupt", f"{name}' is missing"
        )
    forged = forge(archive, edit("manifest.json", lambda m: m["members"].pop("index.json") and None))
    refuse(forged, "archive_corrupt", "does not list")
    forged = forge(
        archive, edit("manifest.json", lambda m: m["members"].pop("embeddings/vectors.f32") and None)
    )
    refuse(forged, "archive_corrupt", "'embeddings/vectors.f32' is missing")


@pytest.mark.parametrize(
    "stated", [None, [], {"size": "1"}, {"size": -1, "sha256": "x"}, {"size": True}, {"size": 7}]
)
def test_a_manifest_that_does_not_state_sizes_is_damage(making, stated) -> None:
    forged = forge(
        making.pack(), edit("manifest.json", lambda m: m["members"].update({"index.json": stated}))
    )
    refuse(forged, "archive_corrupt", "manifest does not state size")


def test_a_size_that_differs_from_the_manifest_is_damage(making) -> None:
    change = edit("manifest.json", lambda m: m["members"]["index.json"].update(size=5))
    refuse(forge(making.pack(), change), "archive_corrupt", "bytes where 5 are stated")


def test_what_would_inflate_too_far_is_not_inflated(making, monkeypatch) -> None:
    monkeypatch.setattr(zipreader, "_FREE", 100_000)
    forged = forge(making.pack(), lambda c: c.update({"index.json": c["index.json"] + b" " * 3_000_000}))
    refuse(forged, "archive_corrupt", "would inflate from .* to 300")
    small = forge(making.pack(), lambda c: c.update({"index.json": c["index.json"] + b" " * 50_000}))
    assert KnowledgeSpace.load(small).stats.chunks == 7


def directory_entry(data: bytes, name: bytes) -> int:
    """Where the directory's entry of a member begins."""
    place = data.index(b"PK\x01\x02")
    while data[place + 46 : place + 46 + len(name)] != name:
        place = data.index(b"PK\x01\x02", place + 1)
    return place


@pytest.mark.parametrize(
    ("offset", "form", "value", "message"),
    [
        (24, "<I", 12, "bytes where"),  # size
        (20, "<I", 3, "does not inflate"),  # packed size
        (20, "<I", 2**31, "overlap"),
        (42, "<I", 2**31, "outside the file"),  # offset of the header
        (42, "<I", 7, "header of 'index.json' is not where"),
        (16, "<I", 99, "checksum"),
        (8, "<H", 1, "encrypted"),
        (10, "<H", 12, "method 12"),
        (0, "<I", 99, "entry of the directory is damaged"),
        (28, "<H", 60_000, "directory"),  # length of the name
        (24, "<I", 0xFFFFFFFF, "does not state its size"),
    ],
)
def test_a_directory_that_lies_is_damage(making, offset: int, form: str, value: int, message: str) -> None:
    forged = forge(making.pack(), lambda _: None)
    data = bytearray(forged.read_bytes())
    struct.pack_into(form, data, directory_entry(data, b"index.json") + offset, value)
    forged.write_bytes(data)
    refuse(forged, "archive_corrupt", message)


@pytest.mark.parametrize(
    ("offset", "form", "value"),
    [
        (4, "<H", 1),
        (8, "<H", 3),
        (10, "<H", 3),
        (12, "<I", 2**31),
        (16, "<I", 2**31),
        (16, "<I", 3),
        (10, "<H", 9999),
    ],
)
def test_an_end_record_that_lies_is_damage(making, offset: int, form: str, value: int) -> None:
    forged = forge(making.pack(), lambda _: None)
    data = bytearray(forged.read_bytes())
    struct.pack_into(form, data, data.rindex(b"PK\x05\x06") + offset, value)
    forged.write_bytes(data)
    refuse(forged, "archive_corrupt")


def test_members_that_share_their_bytes_are_refused(making) -> None:
    forged = forge(making.pack(), lambda _: None)
    data = forged.read_bytes()
    end = data.rindex(b"PK\x05\x06")
    start = data.index(b"PK\x01\x02")
    entry = directory_entry(data, b"index.json")
    packed = struct.unpack_from("<I", data, entry + 20)[0]
    copies = b""
    for number in range(start // packed + 2):
        twin = bytearray(data[entry : entry + 46]) + b"copy%06d" % number
        struct.pack_into("<H", twin, 28, 10)
        copies += twin
    count = struct.unpack_from("<H", data, end + 10)[0] + copies.count(b"copy")
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, count, count, end - start + len(copies), start, 0)
    forged.write_bytes(data[:end] + copies + tail)
    refuse(forged, "archive_corrupt", "overlap")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (put("dim", 0), "does not describe"),
        (put("dim", -16), "does not describe"),
        (put("dim", True), "does not describe"),
        (put("dim", 2**40), "does not describe"),
        (put("dim", "16"), "does not describe"),
        (put("dtype", "|O"), "does not describe"),
        (put("dtype", ">f4"), "does not describe"),
        (drop("space"), "does not describe"),
        (put("dim", 17), "is not 6 vectors of 17"),
        (put("count", 5), "states 5 vectors"),
        (put("count", 6.0), "states 6.0 vectors"),
        (put("ids", ["x"] * 6), "lists an id twice"),
        (put("ids", [str(n) for n in range(6)]), "one that no chunk has"),
        (put("ids", [{}, 1, 2, 3, 4, 5]), "lists an id twice"),
        (put("ids", "abcdef"), "states 6 vectors"),
        (drop("ids"), "states 6 vectors"),
        (lambda _: [], "is not a JSON object"),
    ],
)
def test_vectors_that_are_not_what_their_manifest_says_are_damage(making, change, message: str) -> None:
    forged = forge(making.pack(), edit("embeddings/manifest.json", change))
    refuse(forged, "archive_corrupt", message)


def test_vectors_cut_short_are_damage(making) -> None:
    archive = making.pack()
    name = "embeddings/vectors.f32"
    refuse(forge(archive, lambda c: c.update({name: c[name][:-4]})), "archive_corrupt", "is not 6 vectors")
    refuse(forge(archive, lambda c: c.pop("embeddings/manifest.json")), "archive_corrupt", "is missing")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop("version"), "states no version"),
        (put("version", 1), "states no version"),
        (drop("root"), "states no root"),
        (put("metadata", [1]), "metadata"),
        (drop("documents"), "'documents'.*not a list"),
        (drop("chunks"), "'chunks'.*not a list"),
        (put("chunks", {"a": 1}), "'chunks'.*not a list"),
        (put("chunks", ["x"]), "'chunks'.*not a list"),
        (put("relations", "x"), "'relations'.*not a list"),
        (lambda i: i["chunks"][0].pop("text"), "has no 'text'"),
        (lambda i: i["chunks"][0].update(id=7) or None, "has no 'id'"),
        (lambda i: i["documents"][0].pop("path") and None, "has no 'path'"),
        (lambda i: i["chunks"][0].update(id=i["chunks"][1]["id"]), "same id"),
        (lambda _: [], "is not a JSON object"),
    ],
)
def test_an_index_that_is_no_space_is_damage(making, change, message: str) -> None:
    def run(data: dict[str, Any]) -> Any:
        result = change(data)
        return result if isinstance(result, list) else None

    refuse(forge(making.pack(), edit("index.json", run)), "archive_corrupt", message)


@pytest.mark.parametrize(
    "content", [b"{" * 5000, b'{"a": NaN}', b"\xff\xfe", b"[" * 1_000_000 + b"]" * 1_000_000]
)
def test_json_that_no_parser_should_take_is_damage(making, content: bytes) -> None:
    forged = forge(making.pack(), lambda c: c.update({"index.json": content}))
    refuse(forged, "archive_corrupt", "is not a JSON object")


def test_metadata_nested_too_deep_are_damage(making) -> None:
    deep: list[Any] = []
    for _ in range(100):
        deep = [deep]
    refuse_nested = forge(making.pack(), edit("index.json", put("later", deep)))
    with pytest.raises(ArchiveError, match="nested more than 64 levels"):
        KnowledgeSpace.load(refuse_nested)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("tool_version", [None]),
        ("created_at", None),
        ("embedder", "wordllama"),
        ("embedder", {"dim": 256}),
        ("errors", "many"),
        ("errors", [None]),
        ("errors", [{"path": "a.md", "code": "unread"}]),
    ],
)
def test_metadata_of_another_shape_than_the_format_names_are_damage(making, key: str, value: Any) -> None:
    forged = forge(making.pack(), edit("index.json", lambda i: i["metadata"].update({key: value})))
    refuse(forged, "archive_corrupt", f"{key!r} of the metadata")


@pytest.mark.parametrize("section", [None, "Title", 1.5, [0], [["Title"]]])
def test_a_section_that_is_no_list_of_titles_is_damage(making, section: Any) -> None:
    change = edit("index.json", lambda i: i["chunks"][2]["metadata"].update(section=section))
    with KnowledgeSpace.load(forge(making.pack(), change)) as space:
        with pytest.raises(ArchiveError, match="no list of titles") as caught:
            space.chunks[2]
        assert caught.value.code == "archive_corrupt"


def test_an_object_that_does_not_fit_is_refused_when_it_is_touched(making) -> None:
    change = edit("index.json", lambda i: i["chunks"][2].update(position=-1) or None)
    space = KnowledgeSpace.load(forge(making.pack(), change))
    assert space.chunks[1].text
    with pytest.raises(ArchiveError, match="position"):
        space.chunks[2]
    with pytest.raises(ArchiveError, match="position"):
        verify_archive(making.folder / "ready" / "forged.indx")


@pytest.mark.parametrize("edge", [1, {"src": "a"}, {"src": [], "dst": "b", "type": "x"}])
def test_an_edge_that_is_none_is_refused_when_edges_are_counted(making, edge) -> None:
    change = edit("index.json", lambda i: i["chunks"][2].update(relations=[edge]) or None)
    space = KnowledgeSpace.load(forge(making.pack(), change))
    with pytest.raises(ArchiveError, match="no src, dst and type"):
        _ = space.stats


def test_optional_members_may_be_absent(making) -> None:
    def bare(index: dict[str, Any]) -> dict[str, Any]:
        chunks = [{k: c[k] for k in ("id", "doc_id", "position", "text")} for c in index["chunks"]]
        documents = [{k: d[k] for k in ("id", "path")} for d in index["documents"]]
        return {"version": "1.0", "root": "/r", "documents": documents, "chunks": chunks}

    space = KnowledgeSpace.load(forge(making.pack(), edit("index.json", bare)))
    assert space.stats.relations == 0
    assert list(space.relations) == []
    assert (space.chunks[2].source.path, space.chunks[2].source.folder) == ("guide/日本語.txt", "guide")
    hits = space.search("quotes", mode="lexical")
    assert hits[0].source.path == "guide/日本語.txt"


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("starts.i64", lambda d: d[:8] + b"\xff" * 8 + d[16:], "outside its postings"),
        ("starts.i64", lambda d: d[:-8], "different lengths"),
        ("starts.i64", lambda d: d[:-3], "within a number"),
        ("offsets.i64", lambda d: b"", "different lengths"),
        ("postings.i32", lambda d: b"\xff" * len(d), "a chunk that is not there"),
        ("postings.i32", lambda d: b"\x7f" * len(d), "a chunk that is not there"),
        ("tf.u16", lambda d: d + d, "different lengths"),
        ("lengths.i32", lambda d: d[4:], "different lengths"),
    ],
)
def test_an_index_of_words_that_contradicts_itself_is_damage(making, name: str, change, message: str) -> None:
    forged = forge(making.pack(), lambda c: c.update({f"lexical/{name}": change(c[f"lexical/{name}"])}))
    words = "enterprise the wetter 東京 is alpha 5 2 121 of"
    with pytest.raises(ArchiveError, match=message) as caught:
        KnowledgeSpace.load(forged).search(words, mode="lexical")
    assert caught.value.code == "archive_corrupt"


@pytest.mark.parametrize("change", [put("probe", ["x"]), put("format", 9), lambda _: {}])
def test_an_index_of_words_by_another_tokeniser_is_made_anew(making, change) -> None:
    archive = making.pack()
    forged = forge(archive, edit("lexical/manifest.json", change))
    hits = KnowledgeSpace.load(forged).search("alpha", mode="lexical")
    assert hits == KnowledgeSpace.load(archive).search("alpha", mode="lexical")
    assert hits


def test_verifying_compares_the_chunk_files_with_the_index(making) -> None:
    archive = making.pack()
    for change, message in (
        (lambda c: c.update({"chunks/chunk_0001.json": c["chunks/chunk_0002.json"]}), "not the chunk"),
        (lambda c: c.update({"chunks/chunk_0001.json": b"[]"}), "not the chunk"),
        (lambda c: c.pop("chunks/chunk_0006.json"), "is missing"),
        (lambda c: c.update({"chunks/chunk_0007.json": b"{}"}), "more chunk files"),
        (lambda c: c.update({"embeddings/vectors.f32": b"\xff" * 384}), "not finite"),
    ):
        forged = forge(archive, change)
        with pytest.raises(ArchiveError, match=message):
            verify_archive(forged)


def test_numbers_that_are_none_never_reach_a_score(making, toys) -> None:
    rows = np.frombuffer(members(making.pack())["embeddings/vectors.f32"], dtype="<f4").copy().reshape(6, 16)
    rows[0], rows[1], rows[2, 3] = np.nan, np.inf, -np.inf
    rows[3] = 0
    forged = forge(making.pack(), lambda c: c.update({"embeddings/vectors.f32": rows.tobytes()}))
    space = KnowledgeSpace.load(forged)
    for mode in ("semantic", "hybrid"):
        hits = space.search("alpha setting quotes", k=99, mode=mode)
        assert all(np.isfinite(hit.score) for hit in hits)
        assert len(hits) >= 4


def test_no_flipped_byte_ends_in_anything_but_a_refusal(making, toys) -> None:
    sound = making.pack().read_bytes()
    path = making.folder / "flipped.indx"

    @settings(max_examples=150)
    @given(st.lists(st.tuples(st.integers(0, len(sound) - 1), st.integers(1, 255)), min_size=1, max_size=4))
    def check(flips: list[tuple[int, int]]) -> None:
        data = bytearray(sound)
        for place, bits in flips:
            data[place] ^= bits
        path.write_bytes(data)
        try:
            space = KnowledgeSpace.load(path)
            assert space.stats.documents == len(list(space.documents))
            for mode in ("lexical", "semantic", "hybrid"):
                space.search("alpha 東京 retained", mode=mode)
            verify_archive(path)
        except ArchiveError:
            return

    check()


odd = st.sampled_from(
    [None, True, -1, 2**63, 1.5, "", "x", [], ["x"], [[]], {}, {"id": "x"}, {"summary": None}]
)


def put_somewhere(data: st.DataObject, value: Any) -> None:
    """Replace, or take out, one member somewhere inside a JSON value."""
    while True:
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        key = data.draw(st.sampled_from(keys))
        inner = value[key]
        if isinstance(inner, dict | list) and inner and data.draw(st.integers(0, 3)):
            value = inner
            continue
        if data.draw(st.booleans()):
            value[key] = data.draw(odd)
        else:
            del value[key]
        return


@pytest.mark.parametrize(
    "name", ["index.json", "embeddings/manifest.json", "lexical/manifest.json", "manifest.json"]
)
def test_no_odd_member_ends_in_anything_but_a_refusal(making, toys, name: str) -> None:
    archive = making.pack()

    @settings(max_examples=120)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        forged = forge(archive, edit(name, lambda value: put_somewhere(data, value)))
        try:
            space = KnowledgeSpace.load(forged)
            assert space.stats.documents == len(list(space.documents))
            space.documents(type="policy")
            for mode in ("lexical", "semantic", "hybrid"):
                space.search("alpha 東京 retained", mode=mode)
            space.save(archive.with_name("saved.indx"))
            verify_archive(forged)
        except ArchiveError:
            return

    check()
