"""A folder of real kinds of files becomes a space that answers questions, and nothing in it is lost."""

import hashlib
import json
import shutil
import subprocess
import zipfile

import jsonschema
import pytest

from indx import Chunk, Document, KnowledgeSpace, Relation, Source
from indx_core.contracts.schema import index_schema

READ = {
    "index.md": "Handbook",
    "policies/retention.md": "retained for 90 days",
    "policies/a note.txt": "kestrels",
    "data/prices.xlsx": "marmalade\t3",
    "data/people.csv": "アリス\t東京",
    "web/page.html": "About falcons.",
    "office/contract.docx": "delivers walnuts",
    "office/deck.pptx": "Quarterly turnips",
    "scans/report.pdf": "badgers",
    "mail/hello.eml": "Shall we eat ramen?",
    "mail/hello.eml!/menu.docx": "Menu with gyoza",
    "old/archive.zip!/inner/deep.md": "treasure of topaz",
}
REFUSED = {
    "scans/broken.pdf": "source_unreadable",
    "unknown.bin": "unsupported_media_type",
}


def text_of(index, path):
    return "\n".join(c["text"] for c in index["chunks"] if c["source"]["path"] == path)


def test_every_file_is_a_document_or_an_error_with_its_reason(built_once):
    for path, expected in READ.items():
        assert expected in text_of(built_once.index, path), path
    errors = {e["path"]: e for e in built_once.index["metadata"]["errors"]}
    for path, code in REFUSED.items():
        assert errors[path]["code"] == code
        assert errors[path]["message"]
    assert any("evil" in path for path in errors), "the entry that climbs out is reported"
    paths = {d["path"] for d in built_once.index["documents"]}
    assert not {".hidden.md", "drafts/skip.md"} & paths
    assert built_once.account["skipped"]


def test_nothing_is_written_outside_the_output(built_once):
    assert sorted(p.name for p in built_once.out.parent.iterdir()) == ["ai-ready", "cache", "docs"]
    assert {p.name for p in built_once.out.iterdir()} >= {
        "handbook.indx",
        "index.json",
        "chunks",
        "embeddings",
    }


def test_scripts_never_reach_the_text_and_hidden_words_are_marked(built_once):
    whole = json.dumps(built_once.index)
    assert "leaked" not in whole


def test_the_index_fits_the_published_schema_and_its_counts_are_right(built_once):
    index = built_once.index
    jsonschema.Draft202012Validator(index_schema()).validate(index)
    stats = index["stats"]
    assert stats["documents"] == len(index["documents"])
    assert (
        stats["chunks"] == len(index["chunks"]) == len(list((built_once.out / "chunks").glob("chunk_*.json")))
    )
    assert (
        stats["embeddings"] * stats["embed_dim"] * 4
        == (built_once.out / "embeddings" / "vectors.f32").stat().st_size
    )
    assert index["metadata"]["embedder"]["dim"] == stats["embed_dim"] == 256


def test_the_archive_carries_the_same_index_and_is_an_ordinary_zip(built_once):
    with zipfile.ZipFile(built_once.archive) as archive:
        assert archive.testzip() is None
        assert archive.read("index.json") == (built_once.out / "index.json").read_bytes()
        manifest = json.loads(archive.read("manifest.json"))
        for name, facts in manifest["members"].items():
            data = archive.read(name)
            assert (len(data), hashlib.sha256(data).hexdigest()) == (facts["size"], facts["sha256"]), name


def test_links_duplicates_and_folders_are_relations(built_once):
    index = built_once.index
    ids = {d["path"]: d["id"] for d in index["documents"]}

    def targets(path):
        (document,) = [d for d in index["documents"] if d["path"] == path]
        return {r["dst"] for r in document["references"]}

    assert targets("index.md") == {"policies/retention.md", "data/prices.xlsx"}
    assert targets("policies/retention.md") == {"policies/a note.txt"}
    (note,) = [d for d in index["documents"] if d["path"] == "policies/a note.txt"]
    assert [r["src"] for r in note["referenced_by"]] == ["policies/retention.md"]
    kinds = {r["type"] for r in index["relations"]}
    assert kinds >= {"sibling", "parent", "references", "duplicate-of"}
    (twin,) = [r for r in index["relations"] if r["type"] == "duplicate-of"]
    named = {twin["src"], twin["dst"]}
    twins = ["policies/a note.txt", "policies/copy of note.txt"]
    assert all(ids[path] in named or path in named for path in twins)


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("how long is enterprise data retained", "policies/retention.md"),
        ("東京", "data/people.csv"),
        ("lodz", "data/people.csv"),
        ("price of an anvil", "data/prices.xlsx"),
        ("walnuts", "office/contract.docx"),
        ("badgers", "scans/report.pdf"),
        ("gyoza", "mail/hello.eml!/menu.docx"),
        ("topaz treasure", "old/archive.zip!/inner/deep.md"),
    ],
)
def test_questions_find_their_page(built_once, indx, question, path):
    answer = indx("query", built_once.archive, question, "--json")
    assert answer.json["hits"][0]["source"]["path"] == path
    assert answer.json["mode"] == "hybrid"


def test_a_hit_says_where_it_stands_and_what_stands_beside_it(built_once, indx):
    hit = indx("query", built_once.out, "badgers", "--json").json["hits"][0]
    assert hit["page"] == 2
    text = indx("query", built_once.out, "badgers")
    assert "scans/report.pdf, page 2" in text.out
    assert "hybrid" in text.err


def test_inspect_prints_the_stats_of_the_index(built_once, indx):
    assert indx("inspect", built_once.archive, "--json").json == built_once.index["stats"]
    shown = indx("inspect", built_once.archive, "--verify")
    assert shown.code == 0
    assert "scans/broken.pdf" in shown.out


def test_the_archive_needs_neither_its_sources_nor_its_folder(built_once, tmp_path):
    alone = tmp_path / "alone.indx"
    shutil.copy(built_once.archive, alone)
    with KnowledgeSpace.load(alone) as space:
        assert space.search("walnuts", k=1)[0].source.path == "office/contract.docx"


def test_the_walk_through_of_the_documentation_runs(built_once):
    space = KnowledgeSpace.load(built_once.archive)
    doc: Document = next(d for d in space.documents() if d.path == "policies/retention.md")
    assert doc.lineage == ["policies"]
    chunks = [c for c in space.chunks if c.id in doc.chunk_ids]
    first: Chunk = chunks[0]
    assert isinstance(first.neighbors, list)
    source: Source = first.source
    assert source.path == doc.path
    for relation in first.relations:
        assert isinstance(relation, Relation)
    assert len(first.embedding) == 256
    space.close()


def test_a_zip_is_built_like_the_folder_it_holds(indx, tmp_path):
    archive = tmp_path / "docs.zip"
    with zipfile.ZipFile(archive, "w") as out:
        out.writestr("a/one.md", "# One\n\nAbout yaks.\n")
        out.writestr("two.md", "# Two\n\nSee [one](a/one.md).\n")
    done = indx(archive, "--out", tmp_path / "out", "--json")
    assert done.code == 0, done.err
    index = json.loads((tmp_path / "out" / "index.json").read_bytes())
    assert index["root"] == str(archive)
    assert sorted(d["path"] for d in index["documents"]) == ["a/one.md", "two.md"]


def test_a_space_can_be_copied_by_unzip(built_once, tmp_path):
    target = tmp_path / "unpacked"
    subprocess.run(["python3", "-m", "zipfile", "-e", str(built_once.archive), str(target)], check=True)
    assert (target / "index.json").read_bytes() == (built_once.out / "index.json").read_bytes()
