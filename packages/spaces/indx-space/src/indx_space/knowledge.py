"""`KnowledgeSpace`: the result of a build, and what an archive opens as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar, overload

from pydantic import ConfigDict, Field, PrivateAttr, computed_field

from indx_core.contracts.space import (
    SPACE_VERSION,
    Chunk,
    Document,
    Relation,
    SpaceModel,
    SpaceStats,
    VectorTable,
)
from indx_core.paths import named
from indx_space.lazy import Items
from indx_space.vectors import CollectedVectors, MappedVectors, VectorFacts, collect

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    import numpy.typing as npt

    from indx_core.contracts.space import SearchHit
    from indx_space.archive.reading import Archive
    from indx_space.search.bm25 import LexicalIndex
    from indx_space.terms import TermTable

__all__ = ["Documents", "KnowledgeSpace"]

D = TypeVar("D")
N = TypeVar("N", Document, Chunk)
_LONGEST_ORDINAL: Final = 19


class Documents(Sequence[Document]):
    """The documents of a space: a sequence, and a filter when called."""

    def __init__(self, items: Items[Document]) -> None:
        """Show `items`."""
        self._items = items

    def __call__(self, type: str | None = None) -> list[Document]:  # noqa: A002  the published name
        """Every document, or those of one type.

        Args:
            type: The document type to keep; None keeps all.
        """
        if type is None:
            return list(self._items)
        kinds = self._items.column("doc_type")
        return [self._items[place] for place, kind in enumerate(kinds) if kind == type]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Document]:
        return iter(self._items)

    @overload
    def __getitem__(self, index: int) -> Document: ...
    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...
    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        return self._items[index]

    def __eq__(self, other: object) -> bool:
        return self._items == (other._items if isinstance(other, Documents) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self)} documents>"


class KnowledgeSpace(SpaceModel):
    """Documents, chunks and relations of one directory, with their vectors and how they were made.

    A space in the making is filled in place. One opened with `load` reads documents, chunks and vectors
    when they are touched; close it, or use it in a `with` statement, to let its file go.

    Attributes:
        version: The version of the format.
        root: The absolute path of the walked directory or ZIP.
        metadata: `tool_version`, `created_at`, `embedder`, `config`, `errors`.
        documents_: The documents; `documents` is the same as a sequence that can be called.
        chunks: Every chunk, in traversal order.
        relations: The edges of the graph.
    """

    model_config = ConfigDict(
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        validate_assignment=True,
        defer_build=True,
    )

    version: str = SPACE_VERSION
    root: str
    metadata: dict[str, Any] = Field(default_factory=dict)
    documents_: Items[Document] = Field(default_factory=Items, alias="documents")
    chunks: Items[Chunk] = Field(default_factory=Items)
    relations: Items[Relation] = Field(default_factory=Items)

    _archive: Archive | None = PrivateAttr(default=None)
    _mapped: MappedVectors | None = PrivateAttr(default=None)
    _collected: CollectedVectors | None = PrivateAttr(default=None)
    _facts: VectorFacts | None = PrivateAttr(default=None)
    _loaded: object = PrivateAttr(default=None)
    _derived: dict[str, tuple[tuple[object, ...], Any]] = PrivateAttr(default_factory=dict)
    _further_stats: dict[str, Any] = PrivateAttr(default_factory=dict)

    def model_post_init(self, _: Any, /) -> None:
        """Take the written stats for what they are: computed, save what a later version added."""
        written = (self.__pydantic_extra__ or {}).pop("stats", None)
        if isinstance(written, Mapping):
            self._further_stats = {k: v for k, v in written.items() if k not in SpaceStats.model_fields}

    @property
    def documents(self) -> Documents:
        """Every document: a sequence, and called with `type=` a filter that returns a list."""
        return Documents(self.documents_)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def stats(self) -> SpaceStats:
        """Counts over the space, as it is now."""
        from indx_space.counting import count

        vectors, dim = self._count_vectors()
        stats = count(self.documents_, self.chunks, self.relations, embeddings=vectors, embed_dim=dim)
        stats.__pydantic_extra__ = {**self._further_stats}
        return stats

    def document(self, key: str) -> Document:
        """The document with an ID, or with a readable name such as `doc_0007`.

        Raises:
            KeyError: There is none.
        """
        return _find(self.documents_, key, Document.ORDINAL_PREFIX)

    def chunk(self, key: str) -> Chunk:
        """The chunk with an ID, or with a readable name such as `chunk_0481`.

        Raises:
            KeyError: There is none.
        """
        return _find(self.chunks, key, Chunk.ORDINAL_PREFIX)

    def vectors(self) -> VectorTable | None:
        """All vectors: the map of the archive while nothing changed, else what the chunks hold."""
        mapped = self._as_loaded()
        if mapped is not None:
            return mapped.table()
        self._collected = collect(self.chunks, self._collected)
        return None if self._collected is None else self._collected.table

    @property
    def vector_facts(self) -> VectorFacts | None:
        """Which embedder made the vectors; None where there are none, or nobody said."""
        return self._facts

    def attach_vectors(
        self, values: npt.NDArray[np.float32], facts: VectorFacts, *, ids: Sequence[str] | None = None
    ) -> None:
        """Give chunks their vectors: each gets a row of `values`, and `metadata.embedder` names the space.

        Args:
            values: float32, one row for each of `ids`.
            facts: Which embedder made them.
            ids: The chunks that have one, in the order of the rows; None for all, in order.

        Raises:
            ValueError: There are not as many rows as IDs, or an ID stands twice or is no chunk's.
        """
        known = self.chunks.column("id")
        rows = dict(zip(known if ids is None else ids, values, strict=True))
        if len(rows) != len(values) or not rows.keys() <= set(known):
            raise ValueError("vectors were given for a chunk twice, or for one that the space has not")
        held = []
        for chunk in self.chunks:
            chunk.embedding = rows.get(chunk.id)
            held.append(chunk.embedding)
        self._facts = facts
        self.metadata["embedder"] = {"name": facts.space, "dim": facts.dim}
        self._collected = CollectedVectors(held, VectorTable(list(rows), values))

    def search(self, query: str, k: int = 5, mode: str = "semantic") -> list[SearchHit]:
        """Search the chunks. Any text is literal text.

        Args:
            query: What to look for.
            k: How many hits at most.
            mode: `semantic`, `lexical`, `hybrid` (words first, then meaning), or an installed other one.

        Returns:
            Hits, best first. The score is a cosine (semantic), a BM25 sum (lexical), or an order only
            (hybrid: above 1 where the words were found).

        Raises:
            InvalidRequest: `k` is below 1, no such mode is installed, or the space has no vectors to compare.
            ArchiveError: `embedder_mismatch`: the vectors were made by an embedder that is not installed.
            Unavailable: `embedder_unavailable`: it is installed and cannot run.
        """
        from indx_space.search.modes import search

        return search(self, query, k, mode)

    def lexical_index(self, table: TermTable | None = None) -> LexicalIndex:
        """The words of the chunks: mapped from the archive, or made when first asked for.

        It is made again when chunks are put in or taken out, not when the text of one is changed.

        Args:
            table: Texts that were cut into terms before.
        """
        from indx_space.search.bm25 import LexicalIndex

        def make() -> LexicalIndex:
            stored = None
            if self._archive is not None and self.chunks.state is self._loaded:
                stored = LexicalIndex.of_archive(self._archive, len(self.chunks))
            return stored or LexicalIndex.of_texts(self.chunks.column("text"), table)

        return self.derived("lexical", (self.chunks.state,), make)

    def derived(self, name: str, basis: tuple[object, ...], make: Callable[[], D]) -> D:
        """What a search mode derived from the space, kept as long as its basis is the same objects.

        Args:
            name: What is derived.
            basis: The objects it was derived from.
            make: Derives it.
        """
        known = self._derived.get(name)
        if known is None or len(known[0]) != len(basis) or not all(map(is_, known[0], basis)):
            known = self._derived[name] = (basis, make())
        made: D = known[1]
        return made

    @classmethod
    def load(cls, path: str | Path, *, verify: bool = False) -> Self:
        """Open an archive.

        What is read is checked against its SHA-256; vectors and postings, which are mapped and read in
        parts, are checked for size and bounds.

        Args:
            path: An archive, or an output directory: its only archive, of several the one that the
                `index.json` beside them belongs to, else `handbook.indx`.
            verify: Whether to check every member first, mapped ones too.

        Raises:
            ArchiveError: It is missing, foreign, damaged, or of another major version.
            UsageError: The path is empty.
        """
        from indx_space.loading import load

        return load(cls, named(path), verify=verify)

    def save(self, path: str | Path) -> None:
        """Write the space as an archive, replacing what is at `path` when it is whole.

        Raises:
            BuildError: `output_unwritable`, `disk_full`.
            UsageError: The path is empty.
        """
        from indx_space.packing import save

        save(self, named(path))

    def adopt(self, archive: Archive, mapped: MappedVectors, extra: Mapping[str, Any]) -> None:
        """Take over an open archive, its mapped vectors and the members of its index this class has not."""
        self._archive, self._mapped, self._facts = archive, mapped, mapped.facts
        self._loaded = self.chunks.state
        self.__pydantic_extra__ = dict(extra)
        self.model_post_init(None)

    def close(self) -> None:
        """Let the archive's file go. Vectors touched before stay; no others can be read."""
        self._derived.clear()
        if self._mapped is not None:
            self._mapped.close()
        if self._archive is not None:
            self._archive.close()
            self._archive = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[Any, Any]:
        state = super().__getstate__()
        open_files = dict.fromkeys(("_archive", "_mapped", "_collected", "_loaded")) | {"_derived": {}}
        return {**state, "__pydantic_private__": {**(state["__pydantic_private__"] or {}), **open_files}}

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        twin = type(self).__new__(type(self))
        twin.__setstate__(deepcopy(self.__getstate__(), memo))
        return twin

    def __eq__(self, other: object) -> bool:
        """Compare all that is written; vectors and open files take no part."""
        if not isinstance(other, KnowledgeSpace):
            return NotImplemented
        extras = (self.__pydantic_extra__ or {}, other.__pydantic_extra__ or {})
        return self.__dict__ == other.__dict__ and extras[0] == extras[1]

    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        yield from (("root", self.root), ("documents", len(self.documents_)), ("chunks", len(self.chunks)))

    def _as_loaded(self) -> MappedVectors | None:
        """The map, while the chunks and their vectors are those of the archive; else None."""
        mapped = self._mapped
        same = mapped is not None and not mapped.overridden and self.chunks.state is self._loaded
        return mapped if same else None

    def _count_vectors(self) -> tuple[int, int | None]:
        mapped = self._as_loaded()
        if mapped is not None:
            return len(mapped.ids), mapped.facts.dim if mapped.facts else None
        widths = [len(chunk.embedding) for chunk in self.chunks if chunk.embedding is not None]
        return len(widths), widths[0] if widths else None


def _find(items: Items[N], key: str, prefix: str) -> N:
    place = items.place(key)
    if place is not None and items[place].id == key:
        return items[place]
    kind, _, digits = key.rpartition("_")
    if kind == prefix and digits.isascii() and digits.isdecimal() and len(digits) < _LONGEST_ORDINAL:
        place = int(digits)
        if place < len(items) and key == f"{prefix}_{place:04d}":
            return items[place]
    raise KeyError(key)
