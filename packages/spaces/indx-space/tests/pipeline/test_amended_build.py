"""Amending the last output: to the byte what a build of everything writes, never where that is in doubt."""

import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_core.errors import BuildError
from indx_space import KnowledgeSpace
from indx_space.amending import ledger
from indx_space.archive.reading import Archive

FILES = {
    "a.md": "# Alpha\n\nsee [b](b.md) and topicone",
    "b.md": "# Beta\n\nTYPE:policy words of b topictwo",
    "sub/c.md": "# Gamma\n\nwords of c, and a.md\n\nSTATED or not",
    "sub/part-01.md": "# First part\n\none",
    "sub/part-02.md": "# Second part\n\ntwo [up](../a.md)",
}


@pytest.fixture(autouse=True)
def at_one_moment(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


def written(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.fixture
def write(pipeline, tmp_path):
    """Write the space of a folder to `out` over one cache; says whether the last output was amended."""

    def run(root, **options):
        options.setdefault("cache", tmp_path / "kept")
        run.last = pipeline(root, tmp_path / "out", **options)
        run.report = run.last.write()
        return "Amend" in run.report.seconds

    return run


@pytest.fixture
def same(pipeline, tmp_path, write):
    """Compare the output, and the account, with those of a build of everything."""

    def check(root, **options):
        shutil.rmtree(tmp_path / "fresh", ignore_errors=True)
        whole = pipeline(root, tmp_path / "fresh", **options)
        whole.run()
        assert written(tmp_path / "out") == written(tmp_path / "fresh")
        for name in ("documents", "chunks", "relations", "embeddings", "skipped", "errors"):
            assert getattr(write.report, name) == getattr(whole.report, name), name

    return check


def edit(root, path, before, after):
    text = (root / path).read_text()
    assert before in text
    (root / path).write_text(text.replace(before, after))


def test_one_edited_document_is_read_and_nothing_else(tree, write, same, calls):
    root = tree(FILES)
    assert not write(root)
    calls.clear()
    edit(root, "b.md", "words of b", "other words, topicnine")
    assert write(root)
    assert [name for kind, name in calls if kind == "open"] == ["b.md"]
    assert (write.report.parsed, write.report.cached, write.report.enriched) == (1, 4, 1)
    assert write.report.embedded == 2
    same(root)


def test_nothing_edited_is_nothing_read(tree, write, same, calls):
    root = tree(FILES)
    write(root)
    calls.clear()
    assert write(root)
    assert not calls
    same(root)


def test_a_reference_that_comes_or_goes_stands_on_the_document_it_leads_to(tree, write, same, tmp_path):
    root = tree(FILES)
    write(root)
    edit(root, "b.md", "words of b", "words of [c](sub/c.md)")
    assert write(root)
    same(root)
    edit(root, "a.md", "[b](b.md)", "nobody")
    assert write(root)
    same(root)
    with KnowledgeSpace.load(tmp_path / "out") as space:
        by_path = {d.path: d for d in space.documents}
        assert [edge.src for edge in by_path["sub/c.md"].referenced_by] == ["b.md"]
        assert by_path["b.md"].referenced_by == []


def test_a_copy_of_an_edited_document_is_told_anew(tree, write, same):
    words = " ".join(f"word{n}" for n in range(80))
    root = tree(
        {"one.md": f"# One\n\n{words}", "two.md": f"# Two\n\n{words}", "x/three.md": f"# Tri\n\n{words} x"}
    )
    write(root)
    for before, after in (("word7 ", "other "), ("word1", "wort1"), ("word", "term")):
        edit(root, "one.md", before, after)
        assert write(root)
        same(root)


def test_parts_of_a_sequence_are_led_on(tree, write, same):
    root = tree(FILES)
    write(root)
    for path, before in (("sub/part-01.md", "one"), ("sub/part-02.md", "two")):
        edit(root, path, before, "edited")
        assert write(root)
        same(root)


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.md", "# Alpha", "# Alpha and more"),
        ("a.md", "topicone", "topicone\n\nanother chunk"),
        ("a.md", "topicone", "UNEMBEDDABLE"),
        ("a.md", "topicone", "BREAK"),
        ("a.md", "topicone", "LANEFAIL"),
        ("a.md", "topicone", "UNOPENABLE"),
    ],
)
def test_an_edit_that_others_may_feel_is_built_as_ever(tree, write, same, path, before, after):
    root = tree(FILES)
    write(root)
    edit(root, path, before, after)
    assert not write(root)
    same(root)


def test_files_added_removed_and_renamed_are_built_as_ever(tree, write, same):
    root = tree(FILES)
    write(root)
    (root / "new.md").write_text("# New\n\nabout [a](a.md)")
    assert not write(root)
    same(root)
    (root / "b.md").rename(root / "z.md")
    assert not write(root)
    same(root)
    (root / "z.md").unlink()
    assert not write(root)
    same(root)


def test_what_was_left_out_and_what_failed_is_told_again(tree, write, same, zipped):
    more = {
        "bad.md": "UNOPENABLE",
        "x.bin": bytes(range(256)),
        "empty.md": "",
        "stars.md": "# Stars\n\nwords\n\n---",
        "pack.zip": zipped({"in.md": "# In\n\nwords", "../b": "w", "c.bin": "w"}),
    }
    root = tree({**FILES, **more})
    write(root)
    edit(root, "b.md", "words of b", "others")
    assert write(root)
    assert write.report.errors
    same(root)
    (root / "bad.md").write_text("# Good\n\nnow")
    assert not write(root)
    same(root)


def test_settings_that_change_what_is_written_build_everything(tree, write, same, monkeypatch):
    root = tree(FILES)
    write(root)
    layer = {"chunk": {"chunkers": ["whole", "paragraphs"]}}
    assert not write(root, layer=layer)
    same(root, layer=layer)
    assert write(root, layer=layer)
    assert not write(root, layer={**layer, "embed": {"space": "none"}})
    same(root, layer={**layer, "embed": {"space": "none"}})
    edit(root, "b.md", "words of b", "others")
    assert write(root, layer={**layer, "embed": {"space": "none"}})
    same(root, layer={**layer, "embed": {"space": "none"}})
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000002")
    assert not write(root, layer={**layer, "embed": {"space": "none"}})
    monkeypatch.setenv("INDX_READER_TEXT_ANYTHING", "1")
    assert not write(root, layer={**layer, "embed": {"space": "none"}})


def test_other_code_builds_everything(tree, write, fakes, monkeypatch):
    root = tree(FILES)
    write(root)
    monkeypatch.setattr(ledger, "code_of", lambda name: "later")
    assert not write(root)
    assert write(root)


@pytest.mark.parametrize(
    "name", ["handbook.indx", "index.json", "embeddings/vectors.f32", "chunks/chunk_0002.json"]
)
@pytest.mark.parametrize("harm", ["edited", "gone"])
def test_an_output_that_somebody_touched_is_written_whole(tree, write, same, tmp_path, name, harm):
    root = tree(FILES)
    write(root)
    file = tmp_path / "out" / name
    if harm == "gone":
        file.unlink()
    elif name.startswith("chunks") or name.endswith(".f32"):
        file.write_bytes(bytes(len(file.read_bytes())))
    else:
        os.utime(file, (1, 1))
    edit(root, "b.md", "words of b", "others")
    assert not write(root)
    same(root)


def test_a_build_that_fails_as_it_writes_is_made_good_by_the_next(tree, write, same, tmp_path, monkeypatch):
    from indx_space.disk import Disk

    root = tree(FILES)
    write(root)
    before = written(tmp_path / "out")
    edit(root, "b.md", "words of b", "others")

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Disk, "create", full)
        with pytest.raises(BuildError, match="No space left"):
            write(root)
    assert written(tmp_path / "out") == before
    assert write(root)
    same(root)


def test_a_build_killed_after_it_wrote_leaves_no_ledger_that_lies(tree, write, same, monkeypatch):
    root = tree(FILES)
    write(root)
    edit(root, "b.md", "words of b", "others")
    with monkeypatch.context() as patched:
        patched.setattr(ledger.Ledger, "keep", lambda *_: None)
        assert write(root)
    edit(root, "b.md", "others", "others again")
    assert not write(root)
    same(root)


def test_whoever_asks_for_a_space_strictness_or_writers_has_everything_built(tree, write, pipeline, tmp_path):
    root = tree(FILES)
    write(root)
    assert not write(root, strict=True)
    assert not write(root, layer={"output": {"writers": ["lines"]}})
    write(root)
    space = pipeline(root, tmp_path / "out", cache=tmp_path / "kept").run()
    assert len(space.chunks) == write.report.chunks
    assert write(root), "a run keeps a ledger too"


def test_no_cache_amends_nothing(tree, write):
    root = tree(FILES)
    write(root)
    assert not write(root, cache=None)


def test_an_amended_archive_verifies_and_answers(tree, write, tmp_path):
    root = tree(FILES)
    write(root)
    edit(root, "sub/c.md", "words of c", "quicksilver of c")
    assert write(root)
    with KnowledgeSpace.load(tmp_path / "out", verify=True) as space:
        assert space.search("quicksilver", mode="lexical")[0].source.path == "sub/c.md"
        (chunk,) = [c for c in space.chunks if "quicksilver" in c.text]
        file = json.loads((tmp_path / "out/chunks" / f"{chunk.ordinal_id}.json").read_bytes())
        assert file["text"] == chunk.text
    with Archive(tmp_path / "out/handbook.indx") as archive:
        assert archive.read("index.json") == (tmp_path / "out/index.json").read_bytes()


WORDS = [
    "alpha",
    "beta.md",
    "[g](sub/c.md)",
    "[x](a.md)",
    "topicone",
    "TYPE:policy",
    "\n\n",
    "***",
    "Café",
    "東京",
]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["edit", "edit", "edit", "add", "delete", "rename"]),
        st.sampled_from(["a.md", "beta.md", "sub/c.md", "sub/part-01.md", "sub/part-02.md", "d/e.md"]),
        TEXTS,
    ),
    min_size=1,
    max_size=5,
)


def step(root, kind, path, text):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if kind == "delete":
        file.unlink(missing_ok=True)
    elif kind == "rename" and file.exists():
        file.rename(file.with_name("moved-" + file.name))
    elif kind == "edit" and file.exists():
        file.write_text(file.read_text() + " " + text)
    else:
        file.write_text(f"# {path}\n\n{text}")


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=STEPS)
def test_any_round_of_changes_ends_in_what_a_build_of_everything_writes(pipeline, rounds):
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        root = folder / "input"
        for path, text in FILES.items():
            step(root, "add", path, text)
        for number, change in enumerate([None, *rounds]):
            if change is not None:
                step(root, *change)
            pipeline(root, folder / "out", cache=folder / "kept").write()
            pipeline(root, folder / f"fresh{number}").run()
            assert written(folder / "out") == written(folder / f"fresh{number}")
