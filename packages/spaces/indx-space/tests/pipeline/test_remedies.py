"""Whatever a build leaves out is told with what to do about it."""

import bz2
import io
import tarfile

import pytest

from indx_core.discovery import Registry
from indx_core.errors import UnsupportedMediaType, UsageError
from indx_runtime import Engine
from indx_runtime.work import require_reader
from indx_space import DirectoryPipeline
from indx_space.config import WalkConfig, resolve
from indx_space.pipeline import inside
from indx_space.walking import archive, open_tree, walk, walker


def messages(space):
    return {e["path"]: e["message"] for e in space.metadata["errors"]}


@pytest.mark.parametrize("paths", [("",), ("docs", "")])
def test_an_empty_path_is_not_the_current_folder(tmp_path, monkeypatch, paths):
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"the path is empty; name one, or '\.' for the current folder"):
        DirectoryPipeline(*paths)


def test_a_zip_that_is_cut_short_is_to_be_copied_again(zipped, tmp_path):
    file = tmp_path / "docs.zip"
    file.write_bytes(zipped({"a.md": "# A\n"})[:-30])
    with pytest.raises(UsageError) as refused:
        DirectoryPipeline(file)
    assert refused.value.code == "input_missing"
    assert refused.value.message.endswith(
        "begins as a ZIP and does not end as one: it was cut short, or is damaged; take another copy of the "
        "archive"
    )


def test_a_type_that_nothing_reads_is_told_as_the_engine_tells_it(tree, build, zipped, registry):
    packed = zipped({"mimetype": "x", "content.xml": "w"})
    space = build(
        tree({"x.bin": b"\0", "b.odt": packed, "c.md.zip": packed, "s.zip": zipped({"b.odt": packed})})
    )
    told = messages(space)
    for path, media_type in (
        ("x.bin", "application/octet-stream"),
        ("b.odt", "application/vnd.oasis.opendocument.text"),
        ("s.zip!/b.odt", "application/vnd.oasis.opendocument.text"),
    ):
        with pytest.raises(UnsupportedMediaType) as refused:
            require_reader(media_type, registry)
        assert told[path] == refused.value.message, path
        assert "the capabilities of this installation list" in told[path]
    assert told["c.md.zip"].startswith("nothing installed reads this format, which is packed as a ZIP; ")


def test_a_package_named_as_what_is_read_is_not_said_to_be_that(tree, build, zipped, monkeypatch):
    monkeypatch.setattr(inside, "guess_media_type", lambda _: "text/markdown")
    space = build(tree({"pack": zipped({"mimetype": "x", "content.xml": "w"})}))
    assert messages(space)["pack"].startswith(
        "nothing installed reads this format, which is packed as a ZIP; "
    )


def test_what_only_its_name_makes_an_archive_may_be_one_that_was_cut_short(tree, build):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.md"))
    told = messages(build(tree({"a.tar": b"\0\1\2", "b.tar": held.getvalue()[:200]})))
    expected = (
        "the file is named as an archive and does not begin as one: it is cut short, damaged or something "
        "else; take another copy of it, or name it as what it is"
    )
    assert told == {"a.tar": expected, "b.tar": expected}


def test_a_tar_within_the_input_whose_names_are_in_no_encoding_is_built(tree, build):
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w", format=tarfile.GNU_FORMAT, encoding="latin-1") as archive:
        for name in ("\xe4.md", "../\xe4.md"):
            archive.addfile(tarfile.TarInfo(name))
    space = build(tree({"a.tar": held.getvalue()}))
    assert [document.path for document in space.documents] == ["a.tar!/\ufffd.md"]
    assert messages(space)["a.tar!/../\ufffd.md"].startswith("the entry is left out: its name climbs")
    assert messages(space)["a.tar!/\ufffd.md"].startswith("the name has bytes that are no UTF-8")


def test_an_archive_without_a_byte_is_said_to_be_empty(tree, build, zipped):
    told = messages(build(tree({"a.zip": b"", "b.tar": b"", "c.zip": zipped({"d.zip": b"", "e.md": "w"})})))
    expected = "the archive is empty: it holds no bytes; take another copy of the archive"
    assert told == dict.fromkeys(("a.zip", "b.tar", "c.zip!/d.zip"), expected)


def test_readers_that_a_setting_leaves_out_are_named(tree, fakes, tmp_path, monkeypatch):
    info = tmp_path / "aside" / "aside_odd-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aside-octet\nVersion: 1.0\n")
    points = "[indx.observers]\nodd = nowhere:made\n[indx.capabilities]\nodd = nowhere:made\n"
    (info / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(tmp_path / "aside")
    root = tree({"a.bin": b"\0"})
    space = DirectoryPipeline(root, config=resolve(folder=root), engine=Engine(Registry()), cache=None).run()
    said = "INDX_PLUGINS='space-fakes,indx-runtime' leaves out readers that are installed (aside-octet"
    assert said in messages(space)["a.bin"]


def test_what_lies_too_deep_is_to_be_saved_by_itself(tree, build, zipped):
    data, box = zipped({"5.md": "w"}), b"BOX----"
    for depth in range(4, 0, -1):
        data = zipped({f"{depth}.zip": data, f"{depth}.md": "w"})
        box = b"BOX----\nmember %d.x|hex:%s" % (depth, box.hex().encode())
    told = messages(build(tree({"0.zip": data, "0.x": box})))
    expected = (
        "documents inside documents are read 3 deep, and it lies deeper; "
        "save it as a file of its own and build again"
    )
    assert told == {
        "0.zip!/1.zip!/2.zip!/3.zip": expected,
        "0.x!/1.x!/2.x!/3.x!/4.x": expected,
    }


def tarred(entries):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as made:
        for name, body in entries.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            made.addfile(info, io.BytesIO(body))
    return data.getvalue()


def method_of(data, method):
    """The first entry of a ZIP, packed by another method."""
    at = data.index(b"PK\x01\x02") + 10
    return data[:8] + bytes([method, 0]) + data[10:at] + bytes([method, 0]) + data[at + 2 :]


def test_an_entry_that_is_not_taken_says_what_to_do_with_the_archive(tree, build, zipped, monkeypatch):
    monkeypatch.setattr(archive, "_RATIO_FROM", 10_000)
    told = messages(
        build(
            tree(
                {
                    "up.zip": zipped({"../no.md": "w", "a.md": "w"}),
                    "up.tar": tarred({"/etc/no.md": b"w", "a.md": b"w"}),
                    "method.zip": method_of(zipped({"a.md": "w"}), 97),
                    "bomb.zip": zipped({"a.md": "w" * 20_000_000}),
                    "cut.tar": tarred({"a.md": b"w" * 5_000})[:2_000],
                    "cut.zip": zipped({"a.md": "w"})[:-30],
                    "cut.tbz": bz2.compress(tarred({"a.md": b"w"}))[:-5] + b"12345",
                }
            )
        )
    )
    ways = {path: message.rpartition("; ")[2] for path, message in told.items()}
    assert ways == {
        "up.zip!/../no.md": "pack it again under a plain name",
        "up.tar!//etc/no.md": "pack it again under a plain name",
        "method.zip!/a.md": "unpack it and build again",
        "bomb.zip!/a.md": "unpack it and build again",
        "cut.tar": "take another copy of the archive",
        "cut.tar!/a.md": "take another copy of the archive",
        "cut.zip": "take another copy of the archive",
        "cut.tbz": "take another copy of the archive",
    }


def test_a_file_over_the_limit_names_the_variable_that_raises_it(tree, build, zipped, monkeypatch):
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "2000")
    long = "w" * 3_000
    files = {"a.md": long, "b.zip": zipped({"c.md": long}), "d.tar": tarred({"e.md": b"w"})}
    told = messages(build(tree(files)))
    assert set(told) == {"a.md", "b.zip!/c.md", "d.tar"}
    assert all("INDX_MAX_INPUT_BYTES raises that" in message for message in told.values())


def test_folders_nested_too_deep_and_lines_that_are_no_pattern_say_what_to_do(tree, monkeypatch):
    monkeypatch.setattr(walker, "_DEEPEST", 1)
    root = tree({"a/b/c.md": "w", "ok.md": "w", ".indxignore": "*a*b*c*d*e*f*g"})
    listing = walk(open_tree(root), WalkConfig())
    assert [(p.code, p.message.rpartition("; ")[2]) for p in listing.problems] == [
        ("bad_pattern", "write it as in .gitignore, with at most 6 wild cards"),
        ("too_deep", "move what is below higher up, or build it by itself"),
    ]
