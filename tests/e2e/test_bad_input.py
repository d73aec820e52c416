"""Bad input gets one clear line, the right exit code, and leaves nothing half-written."""

import os
import shutil
import zipfile

import pytest


def one_line(answer, *words):
    assert answer.err.startswith("indx: "), answer.err
    assert answer.err.count("\n") == 1, answer.err
    assert "Traceback" not in answer.err
    for word in words:
        assert word in answer.err


def test_a_folder_that_is_not_there(indx, tmp_path):
    answer = indx(tmp_path / "nope", "--out", tmp_path / "out")
    assert answer.code == 2
    one_line(answer, "nope")
    assert not (tmp_path / "out").exists()


def test_an_empty_folder(indx, tmp_path):
    (tmp_path / "empty").mkdir()
    answer = indx(tmp_path / "empty", "--out", tmp_path / "out")
    assert answer.code == 2
    one_line(answer, "no file")
    assert not (tmp_path / "out" / "index.json").exists()


def test_an_output_inside_the_input(indx, folder):
    answer = indx(folder, "--out", folder / "out")
    assert answer.code == 2
    one_line(answer, "inside the input")
    assert not (folder / "out").exists()


def test_an_output_that_is_a_file(indx, folder, tmp_path):
    (tmp_path / "out").write_text("mine")
    answer = indx(folder, "--out", tmp_path / "out")
    assert answer.code == 1
    one_line(answer)
    assert (tmp_path / "out").read_text() == "mine"


def test_no_output_named(indx, folder):
    answer = indx(folder)
    assert answer.code == 2
    one_line(answer, "--out")


@pytest.mark.parametrize(
    ("toml", "words"),
    [
        ("[embed\n", ["indx.toml"]),
        ("[embed]\nspcae = 'x'\n", ["spcae", "space"]),
        ("[embed]\nspace = 3\n", ["space"]),
        ("[embed]\nspace = 'no-such-space'\n", ["no-such-space", "default-text"]),
        ("[chunk]\nchunkers = ['nope']\n", ["nope"]),
        ("[enrich]\nclassifiers = ['nope']\n", ["nope", "words"]),
        ("[output]\nwriters = ['nope']\n", ["nope", "jsonl"]),
        ("[output]\nname = '../x'\n", ["name"]),
    ],
)
def test_a_configuration_that_cannot_be_followed(indx, folder, tmp_path, toml, words):
    (folder / "indx.toml").write_text(toml)
    answer = indx(folder, "--out", tmp_path / "out")
    assert answer.code == 3
    one_line(answer, *words)
    assert not (tmp_path / "out").exists()


def test_options_that_contradict_each_other(indx, folder, tmp_path):
    assert indx(folder, "--out", tmp_path / "out", "--no-embed", "--space", "default-text").code == 2
    assert indx(folder, "--out", tmp_path / "out", "--no-cache", "--resume").code == 2


def test_an_archive_that_is_not_there_or_is_no_archive(indx, tmp_path):
    missing = indx("inspect", tmp_path / "nope.indx")
    assert missing.code == 4
    one_line(missing)
    (tmp_path / "text.indx").write_text("not a zip")
    foreign = tmp_path / "foreign.indx"
    with zipfile.ZipFile(foreign, "w") as out:
        out.writestr("hello.txt", "x")
    for path in (tmp_path / "text.indx", foreign):
        for command in (("inspect", path), ("query", path, "x")):
            answer = indx(*command)
            assert answer.code == 4
            one_line(answer)


@pytest.mark.parametrize("where", [0.0, 0.3, 0.6, 0.95])
def test_a_damaged_archive(indx, copied, where):
    data = bytearray(copied.archive.read_bytes())
    cut = copied.archive.with_name("cut.indx")
    cut.write_bytes(data[: int(len(data) * where) + 1])
    answer = indx("inspect", cut, "--verify")
    assert answer.code == 4
    one_line(answer)


def test_a_flipped_byte_is_found_by_verify(indx, copied):
    with zipfile.ZipFile(copied.archive) as archive:
        member = archive.getinfo("embeddings/vectors.f32")
    data = bytearray(copied.archive.read_bytes())
    data[member.header_offset + 4096] ^= 0xFF
    bad = copied.archive.with_name("bad.indx")
    bad.write_bytes(data)
    answer = indx("inspect", bad, "--verify")
    assert answer.code == 4
    one_line(answer)


def test_a_foreign_file_in_the_place_of_the_archive_is_not_overwritten(indx, folder, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "handbook.indx").write_text("somebody's own file")
    answer = indx(folder, "--out", out)
    assert answer.code == 4
    one_line(answer)
    assert (out / "handbook.indx").read_text() == "somebody's own file"


def test_foreign_files_beside_the_output_are_left_alone(indx, folder, copied):
    (copied.out / "notes.txt").write_text("mine")
    (copied.out / "chunks" / "mine.txt").write_text("mine")
    assert indx(folder, "--out", copied.out).code == 0
    assert (copied.out / "notes.txt").read_text() == "mine"
    assert (copied.out / "chunks" / "mine.txt").read_text() == "mine"


def test_a_strict_build_ends_at_the_first_failure_and_leaves_the_output_as_it_was(indx, folder, copied):
    before = copied.archive.read_bytes()
    answer = indx(folder, "--out", copied.out, "--strict")
    assert answer.code == 1
    one_line(answer, "items failed")
    assert copied.archive.read_bytes() == before


def test_an_unknown_search_mode_names_those_installed(indx, copied):
    answer = indx("query", copied.archive, "x", "--mode", "nope")
    assert answer.code != 0
    one_line(answer, "hybrid", "lexical", "semantic")


def test_an_installation_without_readers_says_what_to_install(indx, folder, tmp_path):
    only = "indx,indx-space,indx-runtime,indx-embed-hash"
    answer = indx(folder, "--out", tmp_path / "out", INDX_PLUGINS=only)
    assert answer.code == 3
    one_line(answer, "indx[standard]")
    assert not (tmp_path / "out").exists()


def test_directories_named_like_commands_stay_reachable(indx, tmp_path):
    for name in ("plan", "inspect"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.md").write_text("# A\n")
        assert indx(f"./{name}", "--out", tmp_path / f"{name}-out").code == 0


def test_a_dry_run_lists_and_writes_nothing(indx, folder, tmp_path):
    answer = indx(folder, "--dry-run")
    assert answer.code == 0
    assert "policies/retention.md" in answer.out.splitlines()
    assert "drafts/skip.md" not in answer.out
    assert sorted(p.name for p in tmp_path.iterdir() if p.name != "cache") == ["docs"]


def test_names_that_are_not_utf8_are_read_and_reported(indx, folder, tmp_path):
    (folder / os.fsdecode(b"bad\xff.md")).write_bytes(b"# Bad name\n\nAbout newts.\n")
    answer = indx(folder, "--out", tmp_path / "out", "--json")
    assert answer.code == 0, answer.err
    assert (tmp_path / "out" / "index.json").read_bytes().decode("utf-8")
    shutil.rmtree(tmp_path / "out")
