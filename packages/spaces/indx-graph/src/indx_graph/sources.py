"""Where chunks come from: a knowledge space or its archive, a folder through the engine, or plain texts."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from indx_core.canonical import clean_text
from indx_core.contracts.space import RelationType, chunk_id, document_id
from indx_core.errors import UsageError
from indx_core.paths import named
from indx_graph.chunks import MODES, GraphChunk

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk, Relation, Space
    from indx_core.discovery import Registry

__all__ = ["Gathered", "from_folder", "from_space", "from_texts", "gather"]

Rows = npt.NDArray[np.float32]

_DEEPEST: Final = 3
"""So many headings are kept, the nearest."""
_KEYS: Final = frozenset({"id", "doc_id", "position", "section", "title", "mode", "text", "references"})


@dataclass(slots=True)
class Gathered:
    """Chunks before there is a graph.

    Attributes:
        chunks: In document order.
        source: What they were read from, for the account.
        space: The embedding space of `rows`, where the source brought vectors.
        fingerprint: What identifies them.
        rows: One a chunk; NaN where the source has none.
    """

    chunks: list[GraphChunk]
    source: str
    space: str | None = None
    fingerprint: str = ""
    rows: Rows = field(default_factory=lambda: np.zeros((0, 0), np.float32))


def gather(source: Any, registry: Registry | None = None, *, out: Path | None = None) -> Gathered:
    """Chunks of an archive or output directory, a folder or ZIP of documents, a space, or texts.

    Args:
        source: Any of these.
        registry: What is installed; this process's own by default.
        out: Where the index will be; not within a folder of documents.

    Raises:
        UsageError: `input_missing`, or it is none of these.
        ArchiveError: It is a damaged space.
    """
    if isinstance(source, str | Path):
        path = named(source)
        if not os.path.exists(path):  # noqa: PTH110  (a Path raises where nobody may look)
            raise UsageError(
                f"{str(path)!r} does not exist, or may not be looked at: name an archive or a folder",
                code="input_missing",
            )
        if path.suffix == ".indx" or (path.is_dir() and any(path.glob("*.indx"))):
            from indx_space import KnowledgeSpace

            with KnowledgeSpace.load(path) as space:
                return from_space(space)
        return from_folder(path, registry, out=out)
    if hasattr(source, "chunks") and hasattr(source, "vectors"):
        return from_space(source)
    return from_texts(source)


def from_folder(path: str | Path, registry: Registry | None = None, *, out: Path | None = None) -> Gathered:
    """Chunks of documents in a folder or ZIP, read and cut by the engine. Vectors are made later.

    Args:
        path: What to read.
        registry: What is installed; this process's own by default.
        out: Where the index will be; not among what is read.

    Raises:
        UsageError: There is nothing to read, or `output_inside_input`.
        ConfigurationError: Nothing is installed that reads.
    """
    from indx_space import DirectoryPipeline
    from indx_space.config import resolve

    root = named(path)
    if out is not None and root.is_dir() and out.resolve().is_relative_to(root.resolve()):
        raise UsageError(
            f"the index {str(out)!r} lies inside {str(root)!r} and would be read as a document of it; "
            "write it elsewhere",
            code="output_inside_input",
        )
    config = resolve(flags={"embed": {"space": "none"}}, folder=root if root.is_dir() else None)
    engine = None
    if registry is not None:
        from indx_runtime import Engine

        engine = Engine(registry)
    return from_space(DirectoryPipeline(root, config=config, engine=engine).run())


def from_space(space: Space) -> Gathered:
    """Chunks of a knowledge space, with its vectors. Links between documents become citations."""
    documents = {name: one.id for one in space.documents for name in (one.id, one.path)}
    first = {one.chunk_ids[0] for one in space.documents if one.chunk_ids}
    chunks = [_of_space(chunk, documents, first) for chunk in space.chunks]
    _number(chunks)
    table = space.vectors()
    root = Path(space.root).name
    if table is None or not chunks:
        return Gathered(chunks, root)
    order = {chunk.id: place for place, chunk in enumerate(chunks)}
    rows = np.full((len(chunks), table.values.shape[1]), np.nan, np.float32)
    rows[[order[one] for one in table.ids]] = table.values
    facts = getattr(space, "vector_facts", None)
    embedder = space.metadata.get("embedder")
    named = embedder.get("name") if isinstance(embedder, Mapping) else None
    name = facts.space if facts is not None else named
    return Gathered(chunks, root, name, facts.fingerprint if facts is not None else "", rows)


def _of_space(chunk: Chunk, documents: Mapping[str, str], first: Collection[str]) -> GraphChunk:
    """A node of a chunk; a link to a document is a key that the document's first chunk bears too."""
    headings = chunk.metadata.get("section")
    linked = [documents[edge.dst] for edge in chunk.relations if _links(edge) and edge.dst in documents]
    keys = [*([chunk.doc_id] if chunk.id in first else []), *linked]
    return GraphChunk(
        id=chunk.id,
        doc_id=chunk.doc_id,
        position=chunk.position,
        section=_section(headings if isinstance(headings, list) else []),
        text=clean_text(chunk.text),
        references=list(dict.fromkeys(f"doc:{key}" for key in keys)),
    )


def _links(edge: Relation) -> bool:
    return edge.type == RelationType.REFERENCES


def from_texts(texts: Iterable[str | Mapping[str, Any]], source: str = "texts") -> Gathered:
    """Chunks of texts, each one chunk.

    Args:
        texts: Texts, or mappings with `text` and, as far as known, `id`, `doc_id`, `position`, `title`,
            `section`, `mode` and `references`. Texts without `doc_id` are documents of their own.
        source: What the account calls them.

    Raises:
        UsageError: An item is neither, has an unknown key, or an ID stands twice.
    """
    chunks = [_of_item(item, number) for number, item in enumerate(texts)]
    seen: set[str] = set()
    for chunk in chunks:
        if chunk.id in seen:
            raise UsageError(f"the chunk ID {chunk.id!r} stands twice: give every chunk its own")
        seen.add(chunk.id)
    _number(chunks)
    return Gathered(chunks, source)


def _of_item(item: Any, number: int) -> GraphChunk:
    given: Any = {"text": item} if isinstance(item, str) else item
    if not isinstance(given, Mapping) or not isinstance(given.get("text"), str):
        raise UsageError(f"item {number} is {str(item)[:80]!r}: give a text, or a mapping with a 'text'")
    unknown = sorted(given.keys() - _KEYS)
    if unknown:
        raise UsageError(f"item {number} has the key {unknown[0]!r}; there are {', '.join(sorted(_KEYS))}")
    mode = given.get("mode", MODES[0])
    if mode not in MODES:
        raise UsageError(f"item {number} has the mode {mode!r}; it is one of {', '.join(MODES)}")
    _check_members(given, number)
    document = str(given["doc_id"]) if "doc_id" in given else document_id(str(given.get("id", number)))
    position = given.get("position", -1)
    section = [*given.get("section", ()), *([given["title"]] if given.get("title") else [])]
    own = given.get("id")
    return GraphChunk(
        id=str(own) if own is not None else chunk_id(document, position if position >= 0 else number),
        doc_id=clean_text(document),
        position=position,
        section=_section(section),
        mode=mode,
        text=clean_text(given["text"]),
        references=[clean_text(str(one)) for one in given.get("references", ())],
    )


def _check_members(given: Mapping[str, Any], number: int) -> None:
    """Refuse a position that is no place, and a text where a list of texts is due: it would be taken apart.

    Raises:
        UsageError: A member is something else.
    """
    position = given.get("position", 0)
    if not isinstance(position, int) or isinstance(position, bool) or position < 0:
        raise UsageError(f"item {number} has the position {position!r}; it is a whole number from 0")
    for name in ("section", "references"):
        value = given.get(name, ())
        if not isinstance(value, list | tuple):
            raise UsageError(f"item {number} has the {name} {str(value)[:80]!r}; it is a list of texts")


def _section(headings: Iterable[Any]) -> list[str]:
    kept = [clean_text(str(one)) for one in headings if str(one).strip()]
    return kept[-_DEEPEST:]


def _number(chunks: list[GraphChunk]) -> None:
    """Bring documents together in the order they first appear, and give each chunk its place."""
    order: dict[str, int] = {}
    for chunk in chunks:
        order.setdefault(chunk.doc_id, len(order))
    chunks.sort(key=lambda chunk: (order[chunk.doc_id], chunk.position))
    following: dict[str, int] = {}
    for chunk in chunks:
        if chunk.position < 0:
            chunk.position = following.get(chunk.doc_id, 0)
        following[chunk.doc_id] = chunk.position + 1
