"""Writes the output of an amended build: what is unchanged is copied from the output of the last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indx_core.contracts.space import document_id
from indx_space.amending.ledger import STAMP_BYTES, chunk_stamps
from indx_space.amending.lines import Index, Mismatch
from indx_space.archive.members import (
    CHUNK_FOLDER,
    EMBEDDING_MANIFEST,
    INDEX,
    VECTORS,
    chunk_file,
)
from indx_space.archive.reading import Archive
from indx_space.archive.writing import ArchiveWriter
from indx_space.disk import build_errors
from indx_space.packing import made, tool_version, write_lexical
from indx_space.records import Recorder, chunk_record, document_record, file_record, relation_record
from indx_space.search.bm25 import LexicalIndex
from indx_space.vectors import DTYPE

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk, Document, Relation
    from indx_space.amending.ledger import Ledger, Row
    from indx_space.knowledge import KnowledgeSpace
    from indx_space.output import OutputTransaction
    from indx_space.pipeline.build import Build

__all__ = ["Amended"]


@dataclass(slots=True)
class Amended:
    """What an amended build writes.

    Attributes:
        build: The build.
        ledger: The last one's ledger.
        rows: All documents as they are now.
        documents: The changed documents by path.
        chunks: Their chunks.
        edges: The edges that they and their chunks begin.
        copies: Of unchanged documents that are copies of others than before: where among their relations
            that stands, and the relation, if there is one.
        space: The changed documents as a space.
        errors: What `metadata.errors` says.
        skipped: What `metadata.skipped` says.
    """

    build: Build
    ledger: Ledger
    rows: list[Row]
    documents: dict[str, Document]
    chunks: dict[str, list[Chunk]]
    edges: dict[str, list[Relation]]
    copies: dict[str, tuple[int, Relation | None]]
    space: KnowledgeSpace
    errors: list[dict[str, Any]]
    skipped: dict[str, int]

    def write(self) -> tuple[list[tuple[int, int]], bytes]:
        """Write the output.

        Returns:
            How the index was packed, and the stamps of all files of chunks.

        Raises:
            Mismatch: The last output is not what the ledger says; nothing was written.
            BuildError: The output cannot be written.
        """
        build, replaced = self.build, list[str]()
        transaction = build.transaction
        assert transaction is not None, "the pipeline holds the output"
        recorder = Recorder(replaced.append)
        files = dict(self._chunk_files(recorder))
        with build_errors(transaction.output):
            index = self._index(recorder)
            if replaced:
                raise Mismatch
            parts = self._stage(transaction, index, files)
            transaction.commit(chunks=index.chunks, embeddings=index.embeds)
        stamps = bytearray(self.ledger.chunk_stamps)
        for ordinal in files:
            place = ordinal * STAMP_BYTES
            stamps[place : place + STAMP_BYTES] = chunk_stamps(str(build.out), [ordinal])
        return parts, bytes(stamps)

    def _changed(self) -> Iterator[tuple[str, int, int]]:
        """Path, place of the first chunk and of the first vector of each changed document."""
        ordinal = row_of_vector = 0
        for row in self.rows:
            if row.path in self.chunks:
                yield row.path, ordinal, row_of_vector
            ordinal += row.chunks
            row_of_vector += row.chunks - len(row.bare)

    def _chunk_files(self, recorder: Recorder) -> Iterator[tuple[int, bytes]]:
        for path, first, _ in self._changed():
            own = self.chunks[path]
            names = {chunk.id: chunk_file(first + place) for place, chunk in enumerate(own)}
            for place, chunk in enumerate(own):
                yield first + place, recorder.file(file_record(chunk, path, names), path)

    def _index(self, recorder: Recorder) -> Index:
        """The text of the index with what changed replaced."""
        assert self.build.out is not None
        data = (self.build.out / INDEX).read_bytes()
        old = self.ledger.rows
        index = Index(data, [row.chunks for row in old], [row.relations for row in old])
        for path, first, _ in self._changed():
            for place, chunk in enumerate(self.chunks[path]):
                index.chunk(first + place, recorder.line(chunk_record(chunk), path))
        self._documents(index, recorder)
        for place, row in enumerate(self.rows):
            if row.path in self.edges:
                lines = [recorder.line(relation_record(edge), row.path) for edge in self.edges[row.path]]
                index.relations(place, lines)
            elif row.path in self.copies:
                at, edge = self.copies[row.path]
                lines = index.relation_records(place)
                before = int(old[place].duplicate is not None)
                if any(b'"duplicate-of"' not in line for line in lines[at : at + before]):
                    raise Mismatch
                now = [] if edge is None else [recorder.line(relation_record(edge), row.path)]
                lines[at : at + before] = now
                index.relations(place, lines)
        metadata = {
            **made(self.build.made_by or tool_version()),
            "config": self.build.config.content(),
            "errors": self.errors,
            "skipped": dict(sorted(self.skipped.items())),
        }
        if "embedder" in index.metadata:
            metadata["embedder"] = index.metadata["embedder"]
        kinds = Counter(row.doc_type for row in self.rows if row.doc_type is not None)
        stats = {
            **index.stats,
            "relations": sum(row.edges for row in self.rows),
            "types": dict(sorted(kinds.items())),
        }
        index.close(recorder.line(metadata, "metadata"), recorder.line(stats, "stats"))
        return index

    def _documents(self, index: Index, recorder: Recorder) -> None:
        """The changed documents, and those that they refer to otherwise than before."""
        touched = set(self.chunks)
        for old, new in zip(self.ledger.rows, self.rows, strict=True):
            if new.path in self.chunks:
                before, now = ({(path, score) for path, score in row.references} for row in (old, new))
                touched |= {path for path, _ in before ^ now}
        arriving: dict[str, list[dict[str, Any]]] = {path: [] for path in touched}
        for row in self.rows:
            for path, score in row.references:
                if path in touched:
                    edge = {"src": row.path, "dst": document_id(path), "type": "references", "score": score}
                    arriving[path].append(edge)
        for place, row in enumerate(self.rows):
            if row.path not in touched:
                continue
            changed = row.path in self.chunks
            record = document_record(self.documents[row.path]) if changed else index.document_record(place)
            record["referenced_by"] = arriving[row.path]
            index.document(place, recorder.line(record, row.path))

    def _stage(
        self, transaction: OutputTransaction, index: Index, files: dict[int, bytes]
    ) -> list[tuple[int, int]]:
        """Write everything beside its place."""
        with Archive(transaction.archive) as old, transaction.create(transaction.archive_name) as file:
            words = LexicalIndex.of_archive(old, index.chunks)
            if words is None:
                raise Mismatch
            archive = ArchiveWriter(file, tool_version=self.build.made_by or tool_version())
            with transaction.create(INDEX) as index_file, archive.parts(INDEX) as member:
                parts = []
                for lines, data, packed in index.parts(self.ledger.parts, old.packed(INDEX)):
                    parts.append((lines, member.write_part(data, packed)))
                    index_file.write(data)
            self._write_chunks(archive, old, index.chunks, files)
            for ordinal, data in files.items():
                transaction.stage_chunk(chunk_file(ordinal), data)
            if old.has(VECTORS):
                archive.copy(old, [EMBEDDING_MANIFEST])
                rows = self._vectors(old)
                archive.map(VECTORS, [rows])
                with transaction.create(VECTORS) as vectors:
                    vectors.write(rows)
            places = {
                first + place: chunk.text
                for path, first, _ in self._changed()
                for place, chunk in enumerate(self.chunks[path])
            }
            write_lexical(archive, words.amended(places))
            archive.close()
        return parts

    @staticmethod
    def _write_chunks(archive: ArchiveWriter, old: Archive, count: int, files: dict[int, bytes]) -> None:
        names = [f"{CHUNK_FOLDER}/{chunk_file(place)}" for place in range(count)]
        copied = 0
        for ordinal, data in sorted(files.items()):
            archive.copy(old, names[copied:ordinal])
            archive.add(names[ordinal], data)
            copied = ordinal + 1
        archive.copy(old, names[copied:])

    def _vectors(self, old: Archive) -> memoryview:
        """The vectors of the last build with those of the changed documents in their places."""
        import numpy as np

        rows = bytearray(old.mapped(VECTORS))
        table = self.space.vectors()
        if table is not None:
            own = np.ascontiguousarray(table.values, dtype=DTYPE)
            width, taken = own.shape[1] * own.itemsize, 0
            counts = {row.path: row.chunks - len(row.bare) for row in self.rows}
            for path, _, first in self._changed():
                part = own[taken : taken + counts[path]].tobytes()
                rows[first * width : first * width + len(part)] = part
                taken += counts[path]
        return memoryview(rows)
