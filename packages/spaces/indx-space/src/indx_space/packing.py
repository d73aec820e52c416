"""Pack: writes a finished space as an output directory, or as an archive alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import orjson

from indx_core.errors import BuildError
from indx_core.installed import version
from indx_core.paths import named
from indx_space.archive.members import (
    CHUNK_FOLDER,
    EMBEDDING_FOLDER,
    EMBEDDING_MANIFEST,
    INDEX,
    LEXICAL_FOLDER,
    VECTORS,
    source_date,
)
from indx_space.archive.reading import Archive
from indx_space.archive.writing import ArchiveWriter
from indx_space.disk import atomic_write, build_errors
from indx_space.output import OutputTransaction
from indx_space.records import Recorder, chunk_files, index_lines, parts
from indx_space.vectors import DTYPE, VectorFacts

if TYPE_CHECKING:
    from indx_core.contracts.space import SpaceStats, VectorTable
    from indx_core.ports import OutputWriter
    from indx_space.knowledge import KnowledgeSpace
    from indx_space.search.bm25 import LexicalIndex

__all__ = ["made", "pack", "save", "tool_version", "write_lexical"]

_READABLE: Final = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
_STAGE: Final = "Pack"


def tool_version() -> str:
    """What a build says it was made by: `indx 0.1.0`."""
    return f"indx {version('indx-space')}"


def now() -> datetime:
    """The moment a build states: SOURCE_DATE_EPOCH where it is set, else the clock's."""
    seconds = source_date()
    return datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)


def made(made_by: str, clock: Callable[[], datetime] = now) -> dict[str, str]:
    """What the metadata say of the making."""
    moment = clock().astimezone(UTC).replace(microsecond=0, tzinfo=None)
    return {"tool_version": made_by, "created_at": f"{moment.isoformat()}Z"}


def pack(
    space: KnowledgeSpace,
    output: str | Path | OutputTransaction,
    *,
    name: str = "handbook",
    embeddings: bool = True,
    lexical: bool = True,
    writers: Sequence[OutputWriter] = (),
    made_by: str | None = None,
    clock: Callable[[], datetime] = now,
    told: Callable[[list[tuple[int, int]], int], object] | None = None,
) -> Path:
    """Write a space: the archive, `index.json`, `chunks/`, `embeddings/`, and what writers add.

    Args:
        space: The finished space. `tool_version` and `created_at` of its metadata are set.
        output: The directory, or a transaction on it that the caller has entered.
        name: The base name of the archive; a transaction knows its own.
        embeddings: Whether to write the vectors.
        lexical: Whether the archive carries an index of its words.
        writers: Writers of further forms of the space.
        made_by: What `tool_version` says.
        clock: Gives the moment of `created_at`.
        told: Told how the index was packed, lines and packed bytes of each part, and how many relations are
            different ones. Not called where texts had to be replaced.

    Returns:
        The path of the archive.

    Raises:
        BuildError: The output cannot be written, is in use, or the space contradicts itself.
        ArchiveError: Something that is not a space of this release stands in the way.
    """
    made_by = made_by or tool_version()
    space.metadata |= made(made_by, clock)
    content = _Content(space, embeddings=embeddings, lexical=lexical)
    entered = isinstance(output, OutputTransaction)
    transaction = output if isinstance(output, OutputTransaction) else OutputTransaction(named(output), name)
    outputs = _outputs(writers, transaction)
    with nullcontext(transaction) if entered else transaction, build_errors(transaction.output):
        _stage(content, transaction, made_by)
        for place, writer in outputs.items():
            writer.write(space, transaction.stage(place))
        transaction.commit(chunks=len(space.chunks), embeddings=content.vectors is not None)
        if told is not None and not content.replaced:
            told(content.parts, content.relations)
    return transaction.archive


def _stage(content: _Content, transaction: OutputTransaction, made_by: str) -> None:
    """Write everything of ours beside its place."""
    with (
        transaction.create(transaction.archive_name) as archive_file,
        transaction.create(INDEX) as index_file,
    ):
        archive = ArchiveWriter(archive_file, tool_version=made_by)
        with Archive(transaction.archive) if transaction.known else nullcontext() as before:
            content.write(archive, index_file.write, transaction.stage_chunk, before)
        archive.close()
    if content.vectors is not None:
        with transaction.create(VECTORS) as file:
            file.write(_bytes(content.vectors))
        with transaction.create(EMBEDDING_MANIFEST) as file:
            file.write(content.embedding_manifest())


def _outputs(writers: Sequence[OutputWriter], transaction: OutputTransaction) -> dict[str, OutputWriter]:
    """The writers by the name of what they write, which must be a name of its own."""
    outputs: dict[str, OutputWriter] = {}
    taken = {INDEX, CHUNK_FOLDER, EMBEDDING_FOLDER, transaction.archive_name}
    for writer in writers:
        name = writer.declaration.output
        if name in taken or name in outputs or name[:1] in ("", ".") or Path(name).name != name:
            raise BuildError(
                f"the writer {writer.declaration.id!r} would write {name!r}, which is taken or no file name: "
                "leave it out of the writers",
                code="build_failed",
            )
        outputs[name] = writer
    return outputs


def save(space: KnowledgeSpace, path: Path) -> None:
    """Write a space as an archive alone; see `KnowledgeSpace.save`."""
    made_by = space.metadata.get("tool_version")
    content = _Content(space, embeddings=True, lexical=True)

    def write(file: BinaryIO) -> None:
        archive = ArchiveWriter(file, tool_version=made_by if isinstance(made_by, str) else tool_version())
        content.write(archive)
        archive.close()

    atomic_write(path, write)


def write_lexical(archive: ArchiveWriter, words: LexicalIndex) -> None:
    """Write the members of an index of words."""
    archive.add(f"{LEXICAL_FOLDER}/manifest.json", orjson.dumps(words.manifest(), option=_READABLE))
    for name, column in words.members():
        archive.map(f"{LEXICAL_FOLDER}/{name}", [column])


class _Content:
    """What is written of a space, checked before anything is."""

    def __init__(self, space: KnowledgeSpace, *, embeddings: bool, lexical: bool) -> None:
        self.space = space
        self.vectors: VectorTable | None = space.vectors() if embeddings else None
        self.facts = _facts(space, self.vectors) if self.vectors is not None else None
        self._lexical = lexical
        self.replaced: dict[str, None] = {}
        self.parts: list[tuple[int, int]] = []  # of the index: lines, and bytes packed
        self.relations = 0
        _check(space)

    def write(
        self,
        archive: ArchiveWriter,
        index: Callable[[bytes], object] = len,
        chunk: Callable[[str, bytes], object] | None = None,
        before: Archive | None = None,
    ) -> None:
        """Write the members.

        Args:
            archive: Where to.
            index: Takes the index as well.
            chunk: Takes name and content of the file of each chunk as well, unless `before` has the same.
            before: The last archive, if the files beside it are known to be as they were.
        """
        recorder = Recorder(lambda name: self.replaced.setdefault(name))
        lines = index_lines(self.space, recorder, self._stats(), self._metadata)
        with archive.parts(INDEX) as member:
            for part in parts(lines):
                block = b"".join(part)
                self.parts.append((len(part), member.write_part(block)))
                index(block)
        for name, data in chunk_files(self.space, recorder):
            copied = archive.add(f"{CHUNK_FOLDER}/{name}", data, before)
            if chunk is not None and not copied:
                chunk(name, data)
        if self.vectors is not None:
            archive.add(EMBEDDING_MANIFEST, self.embedding_manifest())
            archive.map(VECTORS, [_bytes(self.vectors)])
        if self._lexical:
            write_lexical(archive, self.space.lexical_index())

    def embedding_manifest(self) -> bytes:
        """`embeddings/manifest.json`: which row is whose, and what made them."""
        if self.vectors is None or self.facts is None:
            return b"{}"
        return orjson.dumps(
            {
                "model": self.facts.model,
                "space": self.facts.space,
                "dim": self.facts.dim,
                "count": len(self.vectors.ids),
                "dtype": DTYPE,
                "backend": self.facts.backend,
                "fingerprint": self.facts.fingerprint,
                "ids": list(self.vectors.ids),
            },
            option=_READABLE,
        )

    def _stats(self) -> SpaceStats:
        stats = self.space.stats
        if self.vectors is None:
            stats.embeddings, stats.embed_dim = 0, None
        self.relations = stats.relations
        return stats

    def _metadata(self) -> dict[str, Any]:
        """The metadata as written: the embedder of the vectors there are, and texts that were replaced."""
        metadata = {key: value for key, value in self.space.metadata.items() if key != "embedder"}
        if self.facts is not None:
            metadata["embedder"] = {"name": self.facts.space, "dim": self.facts.dim}
        if self.replaced:
            errors = metadata.get("errors")
            message = "characters that UTF-8 cannot hold were replaced"
            metadata["errors"] = [
                *(errors if isinstance(errors, list) else ()),
                *(
                    {"stage": _STAGE, "path": name, "code": "text_replaced", "message": message}
                    for name in self.replaced
                ),
            ]
        return metadata


def _facts(space: KnowledgeSpace, vectors: VectorTable) -> VectorFacts:
    """Where the vectors come from; for those that a program put in by hand, the space it named."""
    dim = int(vectors.values.shape[1])
    if space.vector_facts is not None and space.vector_facts.dim == dim:
        return space.vector_facts
    embedder = space.metadata.get("embedder")
    named = embedder.get("name") if isinstance(embedder, dict) else None
    return VectorFacts(named if isinstance(named, str) else "unnamed", dim)


def _bytes(vectors: VectorTable) -> memoryview:
    import numpy as np

    rows = np.ascontiguousarray(vectors.values, dtype=DTYPE)
    return rows.reshape(-1).view(np.uint8).data


def _check(space: KnowledgeSpace) -> None:
    """Refuse a space that could be written but not opened again."""
    for what, ids in (("documents", space.documents_.column("id")), ("chunks", space.chunks.column("id"))):
        if len(set(ids)) != len(ids):
            twice = next(one for one in ids if ids.count(one) > 1)
            raise BuildError(f"two {what} of the space have the id {twice!r}: each needs its own")
