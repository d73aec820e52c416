"""Relate: fills the edges of the graph, on chunks, on documents and on the space."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from indx_core.contracts.space import RelationType
from indx_space.making import make_relation
from indx_space.relating.likeness import near_duplicates
from indx_space.relating.mentions import TITLE_SCORE, common_titles
from indx_space.relating.sequences import continues, numbered_parts
from indx_space.relating.targets import Targets
from indx_space.relating.texts import TextFacts, read_texts

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.contracts.space import Chunk, Document, Relation
    from indx_space.context import SpaceContext
    from indx_space.parsed import ParsedDoc
    from indx_space.pipeline.build import Build

__all__ = ["Relate"]

_SIBLINGS = 8
_REFERENCES = RelationType.REFERENCES

DuplicateRow: TypeAlias = "tuple[str, str, int, npt.NDArray[np.uint32] | None]"


@dataclass(slots=True)
class Edges:
    """What one document refers to: by document, and by chunk where that is known."""

    documents: dict[str, float] = field(default_factory=dict)
    chunks: dict[tuple[int, str], float] = field(default_factory=dict)

    def add(self, path: str, score: float, place: int | None) -> None:
        self.documents[path] = max(score, self.documents.get(path, 0.0))
        if place is not None:
            self.chunks[place, path] = max(score, self.chunks.get((place, path), 0.0))


class Relate:
    """Finds the relations that the configuration asks for; what was found before is found anew."""

    name = "Relate"

    def __init__(self, build: Build) -> None:
        self._build = build

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Fill chunk relations, document references in both directions, and the edges of the space."""
        documents = list(ctx.space.documents_)
        by_document: dict[str, list[Chunk]] = {document.id: [] for document in documents}
        for document in documents:
            document.references, document.referenced_by = [], []
        for chunk in ctx.space.chunks:
            chunk.relations = []
            by_document.setdefault(chunk.doc_id, []).append(chunk)
        kinds, notes = set(self._build.config.relate.types), self._build.notes
        top: dict[str, list[Relation]] = {document.id: [] for document in documents}
        facts = self._texts(ctx, documents, by_document, kinds)
        if RelationType.PARENT in kinds:
            _parents(documents, top)
        if RelationType.SIBLING in kinds:
            _siblings(documents, top)
        if RelationType.CONTINUES in kinds:
            _sequences(documents, by_document)
        notes.facts, notes.phrases = facts, phrases_of(facts, len(documents))
        if RelationType.REFERENCES in kinds:
            references = _references(documents, ctx.parsed, facts, notes.phrases)
            _refer(documents, by_document, references, top)
        if RelationType.DUPLICATE_OF in kinds:
            rows = [
                (document.path, reading.digest, reading.size_bytes, facts[document.path].signature)
                for document in documents
                if (reading := ctx.parsed.get(document.id)) is not None
            ]
            notes.duplicates = duplicates(rows, self._build.config.relate.near_duplicate)
            for document in documents:
                if document.path in notes.duplicates:
                    top[document.id].append(duplicate_edge(document, notes.duplicates[document.path]))
        edges: list[Relation] = []
        for document in documents:
            own = top[document.id]
            for chunk in by_document[document.id]:
                own = own + chunk.relations if chunk.relations else own
            notes.edges[document.path] = own
            edges += own
        ctx.space.relations[:] = edges
        self._build.progress(self.name, len(documents), len(documents))
        return ctx

    def _texts(
        self,
        ctx: SpaceContext,
        documents: Sequence[Document],
        by_document: Mapping[str, Sequence[Chunk]],
        kinds: set[str],
    ) -> dict[str, TextFacts]:
        near = self._build.config.relate.near_duplicate < 1.0 and RelationType.DUPLICATE_OF in kinds
        titles = {
            document.path: parsed.title
            for document in documents
            if (parsed := ctx.parsed.get(document.id)) is not None and parsed.title
        }
        texts = {document.path: [c.text for c in by_document[document.id]] for document in documents}
        return read_texts(
            texts,
            titles,
            self._build.cache,
            table=self._build.terms,
            seed=ctx.seed,
            likeness=near,
            mentions=RelationType.REFERENCES in kinds,
        )


def duplicates(rows: Iterable[DuplicateRow], threshold: float) -> dict[str, tuple[str, float]]:
    """The later copy to the earliest; the later near copy to the earlier it is most like.

    Args:
        rows: Path, digest, size and signature of each document, in order.
        threshold: From which likeness on texts are near copies; 1 for none.

    Returns:
        By path of the later, the path of the earlier and the likeness.
    """
    first: dict[str, str] = {}
    found: dict[str, tuple[str, float]] = {}
    paths, signatures = [], []
    for path, digest, size, signature in rows:
        if size == 0:
            continue
        original = first.setdefault(digest, path)
        if original != path:
            found[path] = (original, 1.0)
        else:
            paths.append(path)
            signatures.append(signature)
    if threshold < 1.0:
        for later, earlier, likeness in near_duplicates(signatures, threshold):
            found[paths[later]] = (paths[earlier], likeness)
    return found


def duplicate_edge(document: Document, found: tuple[str, float]) -> Relation:
    """The edge from a copy to what it is a copy of."""
    return make_relation(document.id, found[0], RelationType.DUPLICATE_OF, found[1])


def _parents(documents: Sequence[Document], top: dict[str, list[Relation]]) -> None:
    for document in documents:
        top[document.id] += parent_edges(document)


def parent_edges(document: Document) -> list[Relation]:
    """The edge from a document to its folder, where it stands in one."""
    return [make_relation(document.id, folder, RelationType.PARENT)] if (folder := document.folder) else []


def _siblings(documents: Sequence[Document], top: dict[str, list[Relation]]) -> None:
    folders: dict[str, list[str]] = {}
    for document in documents:
        folders.setdefault(document.folder, []).append(document.path)
    places = {path: place for paths in folders.values() for place, path in enumerate(paths)}
    for document in documents:
        top[document.id] += sibling_edges(document, folders[document.folder], places[document.path])


def sibling_edges(document: Document, paths: Sequence[str], place: int) -> list[Relation]:
    """The edges to the next few documents of a folder: a long one grows by a line, not by a square."""
    following = paths[place + 1 : place + 1 + _SIBLINGS]
    return [make_relation(document.id, path, RelationType.SIBLING) for path in following]


def _sequences(documents: Sequence[Document], by_document: Mapping[str, Sequence[Chunk]]) -> None:
    for document in documents:
        continue_chunks(by_document[document.id])
    at = {document.path: by_document[document.id] for document in documents}
    for part, following in numbered_parts(list(at)):
        if at[part] and at[following]:
            last, first = at[part][-1], at[following][0]
            last.relations.append(make_relation(last.id, first.id, RelationType.CONTINUES))


def continue_chunks(chunks: Sequence[Chunk]) -> None:
    """Lead from each chunk of one document to the next one of its unit."""
    for before, after in pairwise(chunks):
        if continues(before, after):
            before.relations.append(make_relation(before.id, after.id, RelationType.CONTINUES))


def phrases_of(facts: Mapping[str, TextFacts], documents: int) -> set[str]:
    """The documents whose titles so many texts use that they mean nothing."""
    mentioned: dict[str, list[str]] = {}
    for path, fact in facts.items():
        for other in titles_in(fact.mentions):
            mentioned.setdefault(other, []).append(path)
    return common_titles(mentioned, documents)


def titles_in(mentions: Iterable[tuple[int, str, float]]) -> list[str]:
    """The documents that mentions name by title."""
    return [other for _, other, score in mentions if score == TITLE_SCORE]


def _references(
    documents: Sequence[Document],
    parsed: Mapping[str, ParsedDoc],
    facts: Mapping[str, TextFacts],
    phrases: Collection[str],
) -> dict[str, Edges]:
    """What every document refers to, by links and by mentions."""
    targets = Targets(document.path for document in documents)
    return {
        document.id: edges_of(
            document, parsed.get(document.id), facts[document.path].mentions, targets, phrases
        )
        for document in documents
    }


def edges_of(
    document: Document,
    reading: ParsedDoc | None,
    mentions: Iterable[tuple[int, str, float]],
    targets: Targets,
    phrases: Collection[str],
) -> Edges:
    """What one document refers to."""
    edges = Edges()
    if reading is not None and reading.links:
        places = _chunk_places(reading)
        for link in reading.links:
            target = targets.find(document.path, link.target)
            if target is not None:
                edges.add(target, 1.0, None if link.draft is None else places[link.draft])
    for place, path, score in mentions:
        if score != TITLE_SCORE or path not in phrases:
            edges.add(path, score, place)
    return edges


def _chunk_places(reading: ParsedDoc) -> list[int | None]:
    """The position of the chunk of each draft; drafts of images have none."""
    places: list[int | None] = []
    position = 0
    for _, draft in reading.drafts:
        places.append(None if draft.text is None else position)
        position += draft.text is not None
    return places


def _refer(
    documents: Sequence[Document],
    by_document: Mapping[str, Sequence[Chunk]],
    references: Mapping[str, Edges],
    top: dict[str, list[Relation]],
) -> None:
    """Write references where they leave and where they arrive, in the order of documents."""
    at = {document.path: document for document in documents}
    for document in documents:
        edges = references[document.id]
        leave(document, by_document[document.id], edges)
        top[document.id] += document.references
        for path, score in edges.documents.items():
            at[path].referenced_by.append(make_relation(document.path, at[path].id, _REFERENCES, score))


def leave(document: Document, chunks: Sequence[Chunk], edges: Edges) -> None:
    """Write the references of one document where they leave: on it and on its chunks."""
    document.references = [
        make_relation(document.id, path, _REFERENCES, score) for path, score in edges.documents.items()
    ]
    for (place, path), score in sorted(edges.chunks.items()):
        if place < len(chunks):
            chunk = chunks[place]
            chunk.relations.append(make_relation(chunk.id, path, _REFERENCES, score))
