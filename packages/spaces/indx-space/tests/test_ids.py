"""IDs come from paths and positions: they outlive a rebuild, and readable names follow the order."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.space import Chunk, Source, chunk_id, document_id
from indx_space import KnowledgeSpace


def ids(space: KnowledgeSpace) -> dict[str, list[str]]:
    return {document.path: [document.id, *document.chunk_ids] for document in space.documents}


def test_an_id_is_kept_while_its_path_and_position_are(making) -> None:
    before = making.space()
    edited = {path: [text.upper() for text in texts] for path, texts in making.guide.items()}
    after = making.space({"added/first.md": ["new"], **edited})
    assert {path: one for path, one in ids(after).items() if path != "added/first.md"} == ids(before)
    assert after.root == before.root


def test_readable_names_follow_the_order_and_ids_do_not(making) -> None:
    before = making.space()
    after = making.space({"added/first.md": ["new"], **making.guide})
    assert before.document("doc_0000").path == "guide/install.md"
    assert after.document("doc_0001").path == "guide/install.md"
    assert before.chunk("chunk_0000").id == after.chunk("chunk_0001").id


def test_nothing_that_is_written_holds_a_readable_name(making) -> None:
    text = (making.pack().parent / "index.json").read_text("utf-8")
    assert "doc_0" not in text
    assert "chunk_0" not in text


def test_equal_files_in_two_folders_are_two_documents(making) -> None:
    space = making.space({"a/x.md": ["same"], "b/x.md": ["same"]})
    assert len({document.id for document in space.documents}) == 2
    assert len({chunk.id for chunk in space.chunks}) == 2


def test_ids_are_read_as_they_were_written(making) -> None:
    space = making.space()
    opened = KnowledgeSpace.load(making.pack(space))
    assert ids(opened) == ids(space)
    for chunk in opened.chunks:
        assert chunk.id == chunk_id(chunk.doc_id, chunk.position)
        assert chunk.doc_id == document_id(chunk.source.path)
        assert opened.chunk(chunk.ordinal_id) is opened.chunk(chunk.id) is chunk


@given(st.text(min_size=1), st.integers(0, 10**6))
def test_one_rule_makes_every_id(path: str, position: int) -> None:
    document = document_id(path)
    assert document == document_id(unicodedata.normalize("NFD", unicodedata.normalize("NFC", path)))
    made = Chunk.trusted(doc_id=document, position=position, text="", source=Source(path=path))
    assert made.id == chunk_id(document, position)
    assert len(made.id) == 16
    assert set(made.id) <= set("0123456789abcdef")
