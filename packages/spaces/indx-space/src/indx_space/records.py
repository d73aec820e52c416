"""The written form of a space: one JSON record a line, keys sorted, the same bytes for the same content.

A record equals the JSON dump of its model. It is put together here because pydantic's dump, for thousands
of chunks, costs more than everything else that packing does.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import orjson

from indx_core.canonical import clean_text
from indx_core.contracts.space import Chunk, Document, Relation, Source, SpaceStats
from indx_core.errors import BuildError
from indx_space.archive.members import chunk_file
from indx_space.stored import StoredChunk

if TYPE_CHECKING:
    from pydantic import BaseModel

    from indx_space.knowledge import KnowledgeSpace

__all__ = ["Recorder", "chunk_record", "document_record", "index_lines", "relation_record"]

_SORTED: Final = orjson.OPT_SORT_KEYS
_READABLE: Final = orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
_CHUNKS: Final = (Chunk, StoredChunk)


def _with_extra(model: BaseModel, record: dict[str, Any]) -> dict[str, Any]:
    return {**model.__pydantic_extra__, **record} if model.__pydantic_extra__ else record


def source_record(source: Source) -> dict[str, Any]:
    """A source as written."""
    if type(source) is not Source:
        return source.model_dump(mode="json")
    return _with_extra(source, {"path": source.path, "folder": source.folder, "type": source.type})


def relation_record(relation: Relation) -> dict[str, Any]:
    """An edge as written."""
    if type(relation) is not Relation:
        return relation.model_dump(mode="json")
    record = {"src": relation.src, "dst": relation.dst, "type": relation.type, "score": relation.score}
    return _with_extra(relation, record)


def document_record(document: Document) -> dict[str, Any]:
    """A document as written."""
    if type(document) is not Document:
        return document.model_dump(mode="json")
    record = {
        "id": document.id,
        "path": document.path,
        "lineage": document.lineage,
        "size_bytes": document.size_bytes,
        "doc_type": document.doc_type,
        "topics": document.topics,
        "tags": document.tags,
        "chunk_ids": document.chunk_ids,
        "references": [relation_record(edge) for edge in document.references],
        "referenced_by": [relation_record(edge) for edge in document.referenced_by],
    }
    if document.summary is not None:
        record["summary"] = document.summary
    return _with_extra(document, record)


def chunk_record(chunk: Chunk) -> dict[str, Any]:
    """A chunk as written, without its vector."""
    if type(chunk) not in _CHUNKS:
        return chunk.model_dump(mode="json")
    metadata = chunk.metadata
    if metadata.get("summary", metadata) is None:
        metadata = {key: value for key, value in metadata.items() if key != "summary"}
    record = {
        "id": chunk.id,
        "doc_id": chunk.doc_id,
        "position": chunk.position,
        "text": chunk.text,
        "prev_id": chunk.prev_id,
        "next_id": chunk.next_id,
        "source": source_record(chunk.source),
        "metadata": metadata,
        "relations": [relation_record(edge) for edge in chunk.relations],
    }
    return _with_extra(chunk, record)


class Recorder:
    """Writes records as JSON. Text that UTF-8 cannot hold is replaced, and `replaced` is told where.

    Args:
        replaced: Called with the name of each record whose text was replaced.
    """

    def __init__(self, replaced: Callable[[str], None]) -> None:
        """Write nothing yet."""
        self._replaced = replaced

    def line(self, record: dict[str, Any], name: str) -> bytes:
        """One record on one line."""
        return self._write(record, name, _SORTED)

    def file(self, record: dict[str, Any], name: str) -> bytes:
        """One record as a file that people read."""
        return self._write(record, name, _READABLE)

    def _write(self, record: dict[str, Any], name: str, option: int) -> bytes:
        try:
            return orjson.dumps(record, option=option)
        except orjson.JSONEncodeError:
            pass  # once more, with its texts cleaned
        try:
            data = orjson.dumps(_cleaned(record), option=option)
        except (orjson.JSONEncodeError, RecursionError) as error:
            raise BuildError(
                f"{clean_text(name)!r} holds what JSON cannot: {error}", code="build_failed"
            ) from None
        self._replaced(clean_text(name))
        return data


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(str(value))
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item) for item in value]
    return value


def index_lines(
    space: KnowledgeSpace, recorder: Recorder, stats: SpaceStats, metadata: Callable[[], dict[str, Any]]
) -> Iterator[bytes]:
    """The text of `index.json`, line by line.

    Args:
        space: What to write.
        recorder: Writes the records.
        stats: The counts to state.
        metadata: Asked for the metadata once documents and chunks are written.
    """

    def records(
        items: Iterable[Any], record: Callable[[Any], dict[str, Any]]
    ) -> Callable[[bytes, bytes], Iterator[bytes]]:
        def lines(name: bytes, end: bytes) -> Iterator[bytes]:
            held = b""
            for item in items:
                made = record(item)
                line = recorder.line(made, _name(made))
                yield held + b",\n" if held else name + b"[\n"
                held = line
            if held:
                yield held + b"\n"
            yield b"]" + end if held else name + b"[]" + end

        return lines

    def value(data: Callable[[], Any], key: str) -> Callable[[bytes, bytes], Iterator[bytes]]:
        def line(name: bytes, end: bytes) -> Iterator[bytes]:
            yield name + recorder.line(data(), key) + end

        return line

    extra = space.__pydantic_extra__ or {}
    members = {key: value(partial(extra.get, key), key) for key in extra} | {
        "chunks": records(space.chunks, chunk_record),
        "documents": records(space.documents_, document_record),
        "metadata": value(metadata, "metadata"),
        "relations": records(space.relations, relation_record),
        "root": value(lambda: space.root, "root"),
        "stats": value(lambda: stats.model_dump(mode="json"), "stats"),
        "version": value(lambda: space.version, "version"),
    }
    yield b"{\n"
    keys = sorted(members)
    for key in keys:
        name = orjson.dumps(clean_text(key)) + b":"
        yield from members[key](name, b",\n" if key != keys[-1] else b"\n")
    yield b"}\n"


def ends_part(line: bytes) -> bool:
    """Whether a part of the index ends with this line, which the line alone decides: one in 64 does.

    An edit then changes the parts it falls into, and moves the others.
    """
    return not zlib.crc32(line) & 63


def parts(lines: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Lines in parts."""
    held: list[bytes] = []
    for line in lines:
        held.append(line)
        if ends_part(line):
            yield held
            held = []
    if held:
        yield held


def _name(record: dict[str, Any]) -> str:
    """The path of the document that a record is of, as far as it is of one."""
    source = record.get("source") or {}
    return str(record.get("path") or source.get("path") or record.get("id") or "a relation")


def chunk_files(space: KnowledgeSpace, recorder: Recorder) -> Iterator[tuple[str, bytes]]:
    """Name and content of the file of each chunk: its record, and where it stands."""
    files = {identity: chunk_file(place) for place, identity in enumerate(space.chunks.column("id"))}
    paths = dict(zip(space.documents_.column("id"), space.documents_.column("path"), strict=True))
    for place, chunk in enumerate(space.chunks):
        path = paths.get(chunk.doc_id, chunk.source.path)
        yield chunk_file(place), recorder.file(file_record(chunk, path, files), chunk.source.path)


def file_record(chunk: Chunk, path: str, files: Mapping[str, str]) -> dict[str, Any]:
    """A chunk as its file holds it.

    Args:
        chunk: The chunk.
        path: The path of its document.
        files: The names of the files of its neighbours by ID.
    """
    context: dict[str, Any] = {"document": {"id": chunk.doc_id, "path": path}}
    for side, identity in (("prev", chunk.prev_id), ("next", chunk.next_id)):
        if identity is not None and identity in files:
            context[side] = {"id": identity, "file": files[identity]}
    record = chunk_record(chunk)
    record["context"] = context
    return record
