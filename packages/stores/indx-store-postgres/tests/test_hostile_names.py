"""Names that callers give are values and never part of a statement."""

from datetime import timedelta

import numpy as np
import pytest

from indx_core.ports import IndexedChunk
from indx_store_postgres import provider
from indx_testkit.kept import NOW, cell, digest_of, document_type, experiment, label, router, stored_document

SOON = NOW + timedelta(hours=1)
HOSTILE = [
    "a') OR 1=1 --",
    "'; DROP TABLE documents; --",
    '"; DELETE FROM chunks; --',
    "%",
    "_",
    "\\' OR 'a' = 'a",
    "a$$b$1:name?",
    "metadata->>'x'",
]


@pytest.fixture
def opened():
    """Open stores by their port, to be closed after the test."""
    stores = []

    def open_stores(*ports):
        made = [getattr(provider, port)() for port in ports]
        for store in made:
            store.open()
        stores.extend(made)
        return made

    yield open_stores
    for store in stores:
        store.close()


@pytest.mark.parametrize("name", HOSTILE)
def test_an_owner_sees_its_own_and_harms_nobody_elses(opened, name):
    documents, vectors = opened("documents", "vectors")
    row = np.ones(2, dtype=np.float32)
    for owner, text in (("other", "theirs"), (name, "mine")):
        with documents.transaction():
            documents.put(owner, stored_document("d", text=text), expires_at=SOON)
            chunk = IndexedChunk("c", text, 1, (), None, {name: row, "s": row})
            vectors.put(owner, digest_of("d"), [chunk], expires_at=SOON)
    assert [one.result.blocks[1].text for one in documents.list(name, now=NOW)] == ["mine"]
    assert len(vectors.search_text(name, ["mine"], limit=9, now=NOW)) == 1
    assert not vectors.search_text(name, ["theirs"], limit=9, now=NOW)
    assert not vectors.search_text("other", [name], limit=9, now=NOW)
    assert len(vectors.search_vector("other", name, row, limit=9, now=NOW)) == 1
    assert not vectors.search_vector("other", f"{name}x", row, limit=9, now=NOW)
    documents.delete(name, digest_of("d"))
    vectors.delete(name, digest_of("d"))
    assert not documents.list(name, now=NOW)
    assert len(documents.list("other", now=NOW)) == len(vectors.list("other")) == 1


@pytest.mark.parametrize("name", HOSTILE)
def test_a_key_is_that_key_and_no_pattern(opened, name):
    types, labels, routers, experiments = opened("types", "labels", "routers", "experiments")
    for key in ("plain", name):
        types.put(key, document_type("t", title=key))
        routers.put(key, router("r", 1))
        experiments.put(key, experiment("e", title=key))
        experiments.put_cell(key, digest_of("d"), key, cell(digest_of("d"), key, right=1))
    mark = label("d", name, type_id="plain")
    labels.put(mark.id, mark)
    assert [types.get(key).label for key in ("plain", name)] == ["plain", name]
    assert labels.list_for(digest=None, type_id="plain") == [mark]
    assert not labels.list_for(digest=None, type_id=name)
    assert not labels.list_for(digest=name, type_id=None)
    for store in (types, routers, experiments):
        store.delete(name)
        assert store.get(name) is None
        assert store.get("plain") is not None
    assert len(experiments.cells("plain")) == 1
