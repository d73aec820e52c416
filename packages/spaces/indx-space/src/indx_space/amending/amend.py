"""Decides whether a build may amend the last one, and runs the stages for what changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from indx_core.contracts.space import RelationType, StageErrorRecord, chunk_id, document_id
from indx_core.errors import IndxError
from indx_space.amending.ledger import OF_TEXT, different
from indx_space.amending.lines import Mismatch
from indx_space.amending.writing import Amended
from indx_space.context import SpaceContext
from indx_space.knowledge import KnowledgeSpace
from indx_space.making import make_relation
from indx_space.pipeline.build import Notes
from indx_space.pipeline.chunk import Chunk
from indx_space.pipeline.components import NONE
from indx_space.pipeline.embed import Embed
from indx_space.pipeline.enrich import Enrich
from indx_space.pipeline.known import KnownFiles
from indx_space.pipeline.parse import Parse
from indx_space.pipeline.report import BuildReport
from indx_space.pipeline.walk import document_at
from indx_space.relating.mentions import common_titles
from indx_space.relating.sequences import numbered_parts
from indx_space.relating.stage import (
    continue_chunks,
    duplicate_edge,
    duplicates,
    edges_of,
    leave,
    parent_edges,
    sibling_edges,
    titles_in,
)
from indx_space.relating.targets import Targets
from indx_space.relating.texts import TextFacts, read_texts
from indx_space.walking.names import Taken

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk as SpaceChunk
    from indx_core.contracts.space import Document, Relation
    from indx_space.amending.ledger import Ledger, Row
    from indx_space.pipeline.build import Build
    from indx_space.relating.stage import DuplicateRow

__all__ = ["amend"]

_MOST: Final = 0.1
"""The share of documents that may have changed: with more, a build of everything costs little more."""


def amend(build: Build, ctx: SpaceContext, ledger: Ledger) -> bool:
    """Amend the last output, after the walk; the ledger fits it.

    Returns:
        False where everything has to be built; nothing was changed then.
    """
    if [entry.path for entry in build.entries.values()] != [file[0] for file in ledger.files]:
        return False
    try:
        _Amending(build, ctx, ledger).run()
    except Mismatch:
        return False
    return True


class _Amending:
    def __init__(self, build: Build, ctx: SpaceContext, ledger: Ledger) -> None:
        self._build, self._ctx, self._ledger = build, ctx, ledger
        self._kinds = set(build.config.relate.types)
        self._old = {row.path: row for row in ledger.rows}
        self._copied: dict[str, Row] = {}
        self._documents = {document.path: document for document in ctx.space.documents_}

    def run(self) -> None:
        changed = self._changed()
        if len(changed) > max(1, int(_MOST * len(self._old))):
            raise Mismatch
        small = self._small(changed)
        build = self._part
        Parse(build).run(small)
        self._remember()
        found = [document.path for document in small.space.documents_]
        if found != changed or small.errors or build.notes.unsettled:
            raise Mismatch
        Chunk(build).run(small)
        rows = {path: self._row(small, path) for path in changed}
        self._relations(small, rows)
        Enrich(build).run(small)
        Embed(build).run(small)
        self._finish(small, rows)

    def _changed(self) -> list[str]:
        """The documents whose bytes are not those of the last build; the others are known from now on."""
        build = self._build
        self._known = KnownFiles(build.cache, str(build.root), build.environment())
        changed = []
        for entry, (path, digest, media_type, size) in zip(
            build.entries.values(), self._ledger.files, strict=True
        ):
            known = self._known.find(path, entry.stamp)
            if known is None and entry.size == size:
                try:
                    content, stamp = entry.source.fetch(size)
                except (IndxError, FileNotFoundError):
                    raise Mismatch from None
                if content.digest == digest:
                    self._known.learn(path, stamp, digest, media_type)
                    continue
            if known is None or (known.digest, known.media_type) != (digest, media_type):
                changed.append(path)
        problems = {problem["path"].partition("!/")[0] for problem in self._ledger.problems}
        if not problems.isdisjoint(changed) or any(path not in self._old for path in changed):
            raise Mismatch
        return changed

    def _small(self, changed: list[str]) -> SpaceContext:
        """A context of the changed documents alone, and a build for it."""
        wanted = set(changed)
        entries = {i: e for i, e in self._build.entries.items() if e.path in wanted}
        self._part = replace(
            self._build, entries=entries, taken=Taken(), enriched=set(), report=BuildReport(), notes=Notes()
        )
        self._build.reader = None  # the part has it
        small = SpaceContext(
            root=self._ctx.root, seed=self._ctx.seed, space=KnowledgeSpace(root=self._ctx.space.root)
        )
        small.space.documents_[:] = [self._documents[path] for path in changed]
        return small

    def _remember(self) -> None:
        """Keep what is known of files, the parsed ones included: the stage knows of its own only."""
        build = self._build
        self._known.join(KnownFiles(build.cache, str(build.root), build.environment()))
        self._known.save()

    def _row(self, small: SpaceContext, path: str) -> Row:
        """What the ledger will say of a changed document, as far as it is read; it must be cut as before."""
        old, document = self._old[path], self._documents[path]
        reading = small.parsed[document.id]
        if reading.title != old.title or len(document.chunk_ids) != old.chunks or reading.members:
            raise Mismatch
        return replace(old, digest=reading.digest, size=reading.size_bytes)

    def _relations(self, small: SpaceContext, rows: dict[str, Row]) -> None:
        """Relate the changed documents with all the others."""
        kinds = self._kinds
        chunks: dict[str, list[SpaceChunk]] = {path: [] for path in rows}
        for chunk in small.space.chunks:
            chunks[chunk.source.path].append(chunk)
        self._chunks = chunks
        facts = self._facts(chunks, kinds)
        self._copies(rows, facts, kinds)
        for path, fact in facts.items():
            rows[path].titled = titles_in(fact.mentions)
        self._keep_phrases(rows)
        paths = list(self._old)
        targets = Targets(paths)
        folders: dict[str, list[str]] = {}
        for path in paths:
            folders.setdefault(path.rpartition("/")[0], []).append(path)
        following = dict(numbered_parts(paths)) if "continues" in kinds else {}
        for path, row in rows.items():
            document = self._documents[path]
            top = self._folder_edges(document, folders)
            document.references, document.referenced_by = [], []
            if "continues" in kinds:
                continue_chunks(chunks[path])
                self._lead_on(path, following.get(path))
            if "references" in kinds:
                reading = small.parsed[document.id]
                mentions = facts[path].mentions
                leave(
                    document,
                    chunks[path],
                    edges_of(document, reading, mentions, targets, self._ledger.phrases),
                )
                top += document.references
            if row.duplicate is not None:
                top.append(duplicate_edge(document, row.duplicate))
            row.references = [(edge.dst, edge.score) for edge in document.references]
            edges = [*top, *(edge for chunk in chunks[path] for edge in chunk.relations)]
            row.relations = len(edges)
            row.edges = different(edges)
            self._part.notes.edges[path] = edges

        self._copy_edges = {
            path: (
                len(self._folder_edges(self._document(path), folders)) + len(row.references),
                None if row.duplicate is None else duplicate_edge(self._document(path), row.duplicate),
            )
            for path, row in self._copied.items()
        }

    def _document(self, path: str) -> Document:
        """A document by its path; one inside a container is no file of the walk."""
        return self._documents.get(path) or document_at(path, 0)

    def _folder_edges(self, document: Document, folders: dict[str, list[str]]) -> list[Relation]:
        """What a document has in common with others by where it stands."""
        top = parent_edges(document) if RelationType.PARENT in self._kinds else []
        if RelationType.SIBLING in self._kinds:
            siblings = folders[document.folder]
            top += sibling_edges(document, siblings, siblings.index(document.path))
        return top

    def _lead_on(self, path: str, following: str | None) -> None:
        """Lead from the last chunk of a numbered part to the first of the next."""
        if following is not None and self._chunks[path] and self._old[following].chunks:
            last = self._chunks[path][-1]
            first = chunk_id(document_id(following), 0)
            last.relations.append(make_relation(last.id, first, RelationType.CONTINUES))

    def _facts(self, chunks: dict[str, list[SpaceChunk]], kinds: set[str]) -> dict[str, TextFacts]:
        return read_texts(
            {path: [chunk.text for chunk in own] for path, own in chunks.items()},
            {row.path: row.title for row in self._ledger.rows if row.title},
            self._build.cache,
            table=self._build.terms,
            seed=self._ctx.seed,
            likeness=self._build.config.relate.near_duplicate < 1.0 and RelationType.DUPLICATE_OF in kinds,
            mentions=RelationType.REFERENCES in kinds,
            paths=list(self._old),
        )

    def _copies(self, rows: dict[str, Row], facts: dict[str, TextFacts], kinds: set[str]) -> None:
        """Look for copies anew: an unchanged document may be a copy of a changed one."""
        all_rows: list[DuplicateRow] = []
        signatures: list[bytes] = []
        number = 0
        for old in self._ledger.rows:
            new = rows.get(old.path)
            signature = self._ledger.signature(number) if old.signed else None
            number += old.signed
            if new is not None:
                signature = facts[old.path].signature
                new.signed = signature is not None
            if signature is not None:
                signatures.append(signature.astype("<u4").tobytes())
            now = new or old
            all_rows.append((now.path, now.digest, now.size, signature))
        self._signatures = b"".join(signatures)
        found = (
            duplicates(all_rows, self._build.config.relate.near_duplicate)
            if RelationType.DUPLICATE_OF in kinds
            else {}
        )
        for old in self._ledger.rows:
            copy = found.get(old.path)
            if old.path in rows:
                rows[old.path].duplicate = copy
            elif copy != (None if old.duplicate is None else tuple(old.duplicate)):
                more = (copy is not None) - (old.duplicate is not None)
                self._copied[old.path] = replace(
                    old, duplicate=copy, relations=old.relations + more, edges=old.edges + more
                )

    def _keep_phrases(self, rows: dict[str, Row]) -> None:
        """Titles that are phrases must be the same ones: what unchanged documents hold depends on them."""
        mentioned: dict[str, list[str]] = {}
        for old in self._ledger.rows:
            for other in rows.get(old.path, old).titled:
                mentioned.setdefault(other, []).append(old.path)
        if common_titles(mentioned, len(self._old)) != set(self._ledger.phrases):
            raise Mismatch

    def _finish(self, small: SpaceContext, rows: dict[str, Row]) -> None:
        """Write the output and the account."""
        failures: dict[str, list[dict[str, Any]]] = {}
        for error in small.errors:
            if error.stage != Embed.name or error.code != OF_TEXT:
                raise Mismatch
            failures.setdefault(error.path, []).append(error.model_dump())
        embeds = self._build.config.embed.space != NONE
        for path, row in rows.items():
            row.failures = failures.get(path, [])
            row.doc_type = self._documents[path].doc_type
            bare = [c.position for c in self._chunks[path] if embeds and c.embedding is None]
            if bare != row.bare:
                raise Mismatch
        ledger, build = self._ledger, self._build
        new_rows = [rows.get(old.path) or self._copied.get(old.path, old) for old in ledger.rows]
        files = [
            (file[0], *self._part.notes.files[file[0]]) if file[0] in rows else file for file in ledger.files
        ]
        told = [*ledger.problems, *(failure for row in new_rows for failure in row.failures)]
        errors = [*self._ctx.errors, *(StageErrorRecord(**one) for one in told)]
        amended = Amended(
            build,
            ledger,
            new_rows,
            self._documents,
            self._chunks,
            self._part.notes.edges,
            self._copy_edges,
            small.space,
            [error.model_dump() for error in errors],
            Counter(build.report.skipped) + Counter(ledger.skipped),
        )
        parts, stamps = amended.write()
        new = replace(ledger, files=files, rows=new_rows, parts=parts, signatures=self._signatures)
        new.keep(build, stamps)
        self._ctx.errors[:] = errors
        self._account(new_rows)

    def _account(self, rows: list[Row]) -> None:
        """Bring the account to what a build of everything would say."""
        report, part = self._build.report, self._part.report
        report.skipped.update(self._ledger.skipped)
        report.errors = list(self._ctx.errors)
        report.documents, report.chunks = len(rows), sum(row.chunks for row in rows)
        report.relations = sum(row.relations for row in rows)
        report.parsed, report.cached = part.parsed, len(rows) - part.parsed
        report.enriched, report.embedded = len(self._part.enriched), part.embedded
        if self._build.config.embed.space != NONE:
            report.embeddings = report.chunks - sum(len(row.bare) for row in rows)
        report.cost_usd += part.cost_usd
