"""Kits for writers and search modes, and the small knowledge space they work on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from indx_core.contracts.space import (
    Chunk,
    Document,
    Relation,
    RelationType,
    SearchHit,
    SpaceStats,
    VectorTable,
    chunk_id,
    document_id,
)
from indx_core.ports import SearchModeDeclaration, WriterDeclaration
from indx_testkit._base import ProviderKit, for_all
from indx_testkit.strategies import texts

__all__ = ["MemorySpace", "SearchModeKit", "WriterKit", "small_space"]


class MemorySpace:
    """A knowledge space held in memory, as far as writers and search modes ask of one."""

    def __init__(
        self, files: Mapping[str, Sequence[str]], *, dimension: int | None = 4, root: str = "/space"
    ) -> None:
        """Make a space.

        Args:
            files: The texts of the chunks, by the relative path of their document.
            dimension: Numbers a vector; None embeds nothing.
            root: The directory the space says it was made from.
        """
        self.root = root
        self.documents: list[Document] = []
        self.chunks: list[Chunk] = []
        self.relations: list[Relation] = []
        for number, (path, parts) in enumerate(files.items()):
            self._add(number, path, parts)
        embedder = {"name": "test-space", "dim": dimension} if dimension else None
        self.metadata: dict[str, Any] = {
            "tool_version": "0",
            "created_at": "2001-02-03T04:05:06Z",
            "config": {},
            "errors": [],
            **({"embedder": embedder} if embedder else {}),
        }
        self._dimension = dimension
        for row, chunk in zip(self._rows(), self.chunks, strict=False):
            chunk.embedding = row

    def _add(self, number: int, path: str, parts: Sequence[str]) -> None:
        identity = document_id(path)
        ids = [chunk_id(identity, position) for position in range(len(parts))]
        made = Document(
            id=identity,
            path=path,
            lineage=path.split("/")[:-1],
            size_bytes=sum(len(part.encode("utf-8", "replace")) for part in parts),
            doc_type="report" if number == 0 else None,
            tags=["first"] if number == 0 else [],
            summary=f"Summary of {path}" if number == 0 else None,
            chunk_ids=ids,
        )
        made.ordinal = number
        self.documents.append(made)
        for position, text in enumerate(parts):
            chunk = Chunk(
                id=ids[position],
                doc_id=identity,
                position=position,
                text=text,
                prev_id=ids[position - 1] if position else None,
                next_id=ids[position + 1] if position + 1 < len(ids) else None,
                source=made.source,
                metadata={"page": 1, "block_id": f"p1.c{position}", "section": ["Part"]},
            )
            chunk.ordinal = len(self.chunks)
            if chunk.prev_id:
                edge = Relation(src=chunk.prev_id, dst=chunk.id, type=RelationType.CONTINUES)
                self.relations.append(edge)
            self.chunks.append(chunk)

    def _rows(self) -> list[Any]:
        if self._dimension is None:
            return []
        made = []
        for chunk in self.chunks:
            digest = hashlib.shake_256(chunk.text.encode("utf-8", "replace")).digest(self._dimension)
            row = np.frombuffer(digest, dtype=np.uint8).astype(np.float32) + 1
            made.append(row / np.linalg.norm(row))
        return made

    @property
    def stats(self) -> SpaceStats:
        """Counts over the space."""
        return SpaceStats(
            documents=len(self.documents),
            chunks=len(self.chunks),
            relations=len(self.relations),
            embeddings=len(self.chunks) if self._dimension else 0,
            embed_dim=self._dimension,
            types={"report": 1} if self.documents else {},
        )

    def document(self, key: str) -> Document:
        """A document by ID or readable name."""
        found: Document = _named(self.documents, key)
        return found

    def chunk(self, key: str) -> Chunk:
        """A chunk by ID or readable name."""
        found: Chunk = _named(self.chunks, key)
        return found

    def vectors(self) -> VectorTable | None:
        """All vectors, or None."""
        rows = self._rows()
        if self._dimension is None:
            return None
        values = np.array(rows, dtype=np.float32).reshape(len(rows), self._dimension)
        return VectorTable([chunk.id for chunk in self.chunks], values)


def _named(items: Iterable[Any], key: str) -> Any:
    for item in items:
        if key in (item.id, item.ordinal_id):
            return item
    raise KeyError(key)


def small_space(*, dimension: int | None = 4) -> MemorySpace:
    """A space of three documents in two folders, several scripts, one document without a chunk."""
    return MemorySpace(
        {
            "guide/install.md": ["Install the tool first.", "Then configure the alpha setting."],
            "guide/日本語.txt": [
                "東京の天気は晴れです。",
                'Quotes " and \\ backslash\nsecond line',
                "e\u0301 👩\u200d👧",
            ],
            "empty.txt": [],
        },
        dimension=dimension,
    )


class WriterKit(ProviderKit):
    """Rules of `OutputWriter`. Override `check_output` to look into what was written."""

    declaration_type = WriterDeclaration

    def check_output(self, target: Path, space: MemorySpace) -> None:
        """Look into the output of `space`; by default it need only exist."""

    def test_its_output_is_a_plain_name(self) -> None:
        """The output stands beside the archive, so its name is no path."""
        output = self.declaration.output
        assert output, "no output name"
        assert output == Path(output).name, f"output {output!r} is a path"
        assert output not in (".", ".."), f"output {output!r}"

    def test_it_writes_its_target_and_nothing_else(self, tmp_path: Path) -> None:
        """The target exists afterwards, alone in its folder."""
        for number, space in enumerate(self._spaces()):
            folder = tmp_path / str(number)
            folder.mkdir()
            target = folder / self.declaration.output
            self.make().write(space, target)
            assert target.exists(), "the target was not written"
            assert [path.name for path in folder.iterdir()] == [target.name], (
                "other files were left beside it"
            )
            self.check_output(target, space)

    def test_it_writes_the_same_bytes_each_time(self, tmp_path: Path) -> None:
        """The same space gives the same bytes under any path."""
        for number, _ in enumerate(self._spaces()):
            written = []
            for attempt in ("one", "two"):
                target = tmp_path / f"{number}-{attempt}" / self.declaration.output
                target.parent.mkdir()
                self.make().write(self._spaces()[number], target)
                written.append(_contents(target))
            assert written[0] == written[1], "the same space was written otherwise the second time"

    def test_it_says_that_it_cannot_write(self, tmp_path: Path) -> None:
        """A target in a folder that is not there is an OSError."""
        target = tmp_path / "missing" / "folder" / self.declaration.output
        try:
            self.make().write(small_space(), target)
        except OSError:
            assert not target.exists()
        else:
            assert target.exists(), "neither an OSError nor an output"

    def _spaces(self) -> list[MemorySpace]:
        return [small_space(), small_space(dimension=None), MemorySpace({}, dimension=None)]


def _contents(target: Path) -> dict[str, bytes]:
    if target.is_file():
        return {"": target.read_bytes()}
    files = sorted(path for path in target.rglob("*") if path.is_file())
    return {path.relative_to(target).as_posix(): path.read_bytes() for path in files}


class SearchModeKit(ProviderKit):
    """Rules of `SearchMode`.

    Attributes:
        finds: Queries and the readable name of the chunk of `small_space` that must come first.
    """

    declaration_type = SearchModeDeclaration
    finds: ClassVar[Mapping[str, str]] = {}

    def space(self) -> Any:
        """The space that is searched; override it for a mode that needs a particular one."""
        return small_space()

    def search(self, mode: Any, space: Any, query: str, k: int) -> list[SearchHit]:
        """Search and hold the answer to every rule."""
        hits = list(mode.search(space, query, k))
        assert len(hits) <= k, f"{len(hits)} hits for k={k}"
        scores = [hit.score for hit in hits]
        assert scores == sorted(scores, reverse=True), f"scores {scores} are not best first"
        order = {chunk.id: place for place, chunk in enumerate(space.chunks)}
        keys = [(-hit.score, order[hit.chunk.id]) for hit in hits]
        assert keys == sorted(keys), f"ties are not in chunk order: {keys}"
        assert len({hit.chunk.id for hit in hits}) == len(hits), "a chunk was found twice"
        for hit in hits:
            assert hit.mode == mode.declaration.id, f"hit of mode {hit.mode!r}"
            assert np.isfinite(hit.score), f"score {hit.score!r}"
            assert hit.source.path == space.document(hit.chunk.doc_id).path
            neighbors = [one.id for one in hit.neighbors]
            assert neighbors == hit.chunk.neighbors, f"neighbors {neighbors}, not {hit.chunk.neighbors}"
        return hits

    def test_it_finds_what_it_should(self) -> None:
        """Each query of `finds` finds its chunk first."""
        assert self.finds, "declare finds = {query: 'chunk_0000'}"
        space = self.space()
        for query, name in self.finds.items():
            hits = self.search(self.make(), space, query, 5)
            assert hits, f"{query!r} found nothing"
            assert hits[0].chunk.id == space.chunk(name).id, f"{query!r} found {hits[0].chunk.text!r} first"

    def test_it_gives_at_most_k(self) -> None:
        """A shorter answer is the start of a longer one."""
        mode, space = self.make(), self.space()
        for query in self.finds:
            longest = self.search(mode, space, query, 100)
            for k in (1, 2, 3):
                found = self.search(mode, space, query, k)
                assert [hit.chunk.id for hit in found] == [hit.chunk.id for hit in longest[:k]]

    def test_any_text_is_literal(self) -> None:
        """No query is syntax: quotes, operators and control characters are searched or ignored."""
        mode, space = self.make(), self.space()
        for query in (
            "",
            "  ",
            '"',
            "AND OR NOT",
            "a* (b",
            "%_",
            "'; drop",
            "\\",
            "\x00",
            "\ud800",
            "x" * 5000,
        ):
            self.search(mode, space, query, 3)
        for_all(texts(), lambda query: self.search(mode, space, query, 3), examples=25)

    def test_it_searches_alike_each_time(self) -> None:
        """The same query finds the same, from a new mode too."""
        space = self.space()
        for query in self.finds:
            first = self.search(self.make(), space, query, 5)
            assert [(h.chunk.id, h.score) for h in self.search(self.make(), space, query, 5)] == [
                (h.chunk.id, h.score) for h in first
            ]

    def test_an_empty_space_has_no_hits(self) -> None:
        """Nothing is found in nothing."""
        assert self.search(self.make(), MemorySpace({}), "anything", 5) == []
