"""A kit for the stores of one backend together: names that callers give are values, and nothing else.

class TestNames(HostileNamesKit):
    provider = provider     # the module whose factories are named `documents`, `vectors`, `types` …
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, ClassVar, Final

import numpy as np
import pytest

from indx_core.ports import IndexedChunk
from indx_testkit.kept import NOW, cell, digest_of, document_type, experiment, label, router, stored_document
from indx_testkit.stores import SOON

__all__ = ["HostileNamesKit"]

_NAMES: Final = (
    "a') OR 1=1 --",
    "'; DROP TABLE documents; --",
    '"; DELETE FROM chunks; --',
    "%",
    "_",
    "\\' OR 'a' = 'a",
    "a$$b$1:name?",
    "metadata->>'x'",
)


class HostileNamesKit:
    """Rules of stores that put names into statements, patterns or paths: each name means itself.

    The stores must be empty at the start of each test.

    Attributes:
        provider: What has the zero-argument factories of the stores under the names of what they keep.
    """

    provider: ClassVar[Any]

    @contextmanager
    def opened(self, *kept: str) -> Iterator[list[Any]]:
        """Stores, open for the length of a `with` block."""
        with ExitStack() as held:
            stores = [getattr(type(self).provider, name)() for name in kept]
            for store in stores:
                store.open()
                held.callback(store.close)
            yield stores

    @pytest.mark.parametrize("name", _NAMES)
    def test_an_owner_sees_its_own_and_harms_nobody_elses(self, name: str) -> None:
        """Neither what is asked for nor what is deleted is more than what has the name."""
        row = np.ones(2, dtype=np.float32)
        with self.opened("documents", "vectors") as (documents, vectors):
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

    @pytest.mark.parametrize("name", _NAMES)
    def test_a_key_is_that_key_and_no_pattern(self, name: str) -> None:
        """A record under another key is another's."""
        with self.opened("types", "labels", "routers", "experiments") as stores:
            types, labels, routers, experiments = stores
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
