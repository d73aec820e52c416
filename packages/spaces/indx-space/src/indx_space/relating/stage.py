"""Relate: fills the edges of the graph, on chunks, on documents and on the space."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from indx_core.contracts.space import RelationType
from indx_space.making import make_relation
from indx_space.relating.likeness import near_duplicates
from indx_space.relating.mentions import TITLE_SCORE, common_titles
from indx_space.relating.sequences import continues, numbered_parts
from indx_space.relating.targets import Targets
from indx_space.relating.texts import TextFacts, read_texts

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk, Document, Relation
    from indx_space.context import SpaceContext
    from indx_space.parsed import ParsedDoc
    from indx_space.pipeline.build import Build

__all__ = ["Relate"]

_SIBLINGS = 8


@dataclass(slots=True)
class _Edges:
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
        for chunk in ctx.space.chunks:
            chunk.relations = []
            by_document.setdefault(chunk.doc_id, []).append(chunk)
        kinds = set(self._build.config.relate.types)
        top: dict[str, list[Relation]] = {document.id: [] for document in documents}
        facts = self._texts(ctx, documents, by_document, kinds)
        if RelationType.PARENT in kinds:
            _parents(documents, top)
        if RelationType.SIBLING in kinds:
            _siblings(documents, top)
        if RelationType.CONTINUES in kinds:
            _sequences(documents, by_document)
        references = _references(documents, ctx.parsed, facts) if RelationType.REFERENCES in kinds else {}
        _refer(documents, by_document, references, top)
        if RelationType.DUPLICATE_OF in kinds:
            self._duplicates(documents, ctx.parsed, facts, top)
        edges: list[Relation] = []
        for document in documents:
            edges += top[document.id]
            for chunk in by_document[document.id]:
                edges += chunk.relations
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
            seed=ctx.seed,
            likeness=near,
            mentions=RelationType.REFERENCES in kinds,
        )

    def _duplicates(
        self,
        documents: Sequence[Document],
        parsed: Mapping[str, ParsedDoc],
        facts: Mapping[str, TextFacts],
        top: dict[str, list[Relation]],
    ) -> None:
        """The later copy to the earliest; the later near copy to the earlier it is most like."""
        first: dict[str, Document] = {}
        singles: list[Document] = []
        for document in documents:
            reading = parsed.get(document.id)
            if reading is None or reading.size_bytes == 0:
                continue
            original = first.setdefault(reading.digest, document)
            if original is document:
                singles.append(document)
            else:
                top[document.id].append(make_relation(document.id, original.path, RelationType.DUPLICATE_OF))
        threshold = self._build.config.relate.near_duplicate
        if threshold < 1.0:
            signatures = [facts[document.path].signature for document in singles]
            for later, earlier, likeness in near_duplicates(signatures, threshold):
                edge = make_relation(
                    singles[later].id, singles[earlier].path, RelationType.DUPLICATE_OF, likeness
                )
                top[singles[later].id].append(edge)


def _parents(documents: Sequence[Document], top: dict[str, list[Relation]]) -> None:
    for document in documents:
        if folder := document.folder:
            top[document.id].append(make_relation(document.id, folder, RelationType.PARENT))


def _siblings(documents: Sequence[Document], top: dict[str, list[Relation]]) -> None:
    """Each document to the next few of its folder: a long folder grows by a line, not by a square."""
    folders: dict[str, list[Document]] = {}
    for document in documents:
        folders.setdefault(document.folder, []).append(document)
    for members in folders.values():
        for place, document in enumerate(members):
            for other in members[place + 1 : place + 1 + _SIBLINGS]:
                top[document.id].append(make_relation(document.id, other.path, RelationType.SIBLING))


def _sequences(documents: Sequence[Document], by_document: Mapping[str, Sequence[Chunk]]) -> None:
    for document in documents:
        for before, after in pairwise(by_document[document.id]):
            if continues(before, after):
                before.relations.append(make_relation(before.id, after.id, RelationType.CONTINUES))
    at = {document.path: by_document[document.id] for document in documents}
    for part, following in numbered_parts(list(at)):
        if at[part] and at[following]:
            last, first = at[part][-1], at[following][0]
            last.relations.append(make_relation(last.id, first.id, RelationType.CONTINUES))


def _references(
    documents: Sequence[Document], parsed: Mapping[str, ParsedDoc], facts: Mapping[str, TextFacts]
) -> dict[str, _Edges]:
    """What every document refers to, by links and by mentions."""
    targets = Targets(document.path for document in documents)
    mentioned: dict[str, list[str]] = {}
    for path, fact in facts.items():
        for _, other, score in fact.mentions:
            if score == TITLE_SCORE:
                mentioned.setdefault(other, []).append(path)
    phrases = common_titles(mentioned, len(documents))
    found: dict[str, _Edges] = {}
    for document in documents:
        edges = found[document.id] = _Edges()
        reading = parsed.get(document.id)
        if reading is not None and reading.links:
            places = _chunk_places(reading)
            for link in reading.links:
                target = targets.find(document.path, link.target)
                if target is not None:
                    edges.add(target, 1.0, None if link.draft is None else places[link.draft])
        for place, path, score in facts[document.path].mentions:
            if score != TITLE_SCORE or path not in phrases:
                edges.add(path, score, place)
    return found


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
    references: Mapping[str, _Edges],
    top: dict[str, list[Relation]],
) -> None:
    """Write references where they leave and where they arrive, in the order of documents."""
    at = {document.path: document for document in documents}
    for document in documents:
        document.references, document.referenced_by = [], []
    for document in documents:
        edges = references.get(document.id)
        if edges is None:
            continue
        for path, score in edges.documents.items():
            document.references.append(make_relation(document.id, path, RelationType.REFERENCES, score))
            back = make_relation(document.path, at[path].id, RelationType.REFERENCES, score)
            at[path].referenced_by.append(back)
        top[document.id] += document.references
        chunks = by_document[document.id]
        for (place, path), score in sorted(edges.chunks.items()):
            if place < len(chunks):
                chunk = chunks[place]
                chunk.relations.append(make_relation(chunk.id, path, RelationType.REFERENCES, score))
