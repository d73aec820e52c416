"""The ledger of a build: of each document what other documents depend on, and what the output looked like."""

from __future__ import annotations

import os
import sys
import zlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

from indx_core.canonical import content_id
from indx_space.archive.members import (
    CHUNK_FOLDER,
    EMBEDDING_MANIFEST,
    INDEX,
    VECTORS,
    chunk_file,
    zip_moment,
)
from indx_space.cache import cache_key
from indx_space.pipeline.components import NONE
from indx_space.pipeline.embed import Embed
from indx_space.pipeline.versions import code_of
from indx_space.relating.likeness import PERMUTATIONS, algorithm
from indx_space.relating.stage import titles_in
from indx_space.walking.listing import stamp_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.contracts.space import Relation
    from indx_space.context import SpaceContext
    from indx_space.pipeline.build import Build

__all__ = ["OF_TEXT", "STAMP_BYTES", "Ledger", "Row", "chunk_stamps", "different", "identity", "record"]

STAMP_BYTES: Final = 32
"""Of one file: four numbers."""

_FORMAT: Final = 1
_SIGNATURE: Final = 4 * PERMUTATIONS
OF_TEXT: Final = "nothing_to_embed"
"""The one failure that a text alone decides, so that it is there again where the text is."""

_LANES: Final = ("classifiers", "extractors", "enrichers")


@dataclass(slots=True)
class Row:
    """One document.

    Attributes:
        path: Where it is.
        digest: Of its bytes.
        size: How many.
        title: What it calls itself.
        doc_type: Its type.
        chunks: How many it has.
        bare: Places of its chunks that have no vector.
        references: What it refers to, and how surely.
        titled: Documents it mentions by their title, once a chunk.
        duplicate: What it is a copy of, and how much.
        relations: How many lines of relations it has.
        edges: How many of them are different ones.
        signed: Whether it has a signature.
        failures: What `metadata.errors` says of its vectors.
    """

    path: str
    digest: str
    size: int
    title: str | None
    doc_type: str | None
    chunks: int
    bare: list[int]
    references: list[tuple[str, float]]
    titled: list[str]
    duplicate: tuple[str, float] | None
    relations: int
    edges: int
    signed: bool
    failures: list[dict[str, Any]]


@dataclass(slots=True)
class Ledger:
    """What is known of the last build of one input into one output.

    Attributes:
        identity: Everything but the input that decides what is written.
        files: Of the files of the walk: path, digest, media type, size.
        rows: The documents, in order.
        problems: What `metadata.errors` says of the reading.
        skipped: What was left out while reading, by reason.
        phrases: Documents whose titles are phrases.
        parts: Of the packed index: lines and packed bytes of each part.
        stamps: Of the files written, by name.
        chunk_stamps: Of the files of chunks, in their order.
        signatures: Of the documents that have one, one after another.
    """

    identity: str
    files: list[tuple[str, str, str, int]]
    rows: list[Row]
    problems: list[dict[str, Any]]
    skipped: dict[str, int]
    phrases: list[str]
    parts: list[tuple[int, int]]
    stamps: dict[str, list[int]]
    chunk_stamps: bytes
    signatures: bytes

    @classmethod
    def load(cls, build: Build) -> Self | None:
        """The ledger of the last build, if this one would write the same for the same input."""
        key = _key(build)
        stored = build.cache.get((key, cache_key(key, "stamps"), cache_key(key, "signatures")))
        try:
            told = orjson.loads(stored[key])
            if told["format"] != _FORMAT or told["identity"] != build.notes.identity:
                return None
            return cls(
                told["identity"],
                [(path, digest, media_type, size) for path, digest, media_type, size in told["files"]],
                [Row(*row) for row in told["rows"]],
                told["problems"],
                told["skipped"],
                told["phrases"],
                told["parts"],
                told["stamps"],
                stored[cache_key(key, "stamps")],
                stored[cache_key(key, "signatures")],
            )
        except (KeyError, TypeError, ValueError):
            return None

    def keep(self, build: Build, chunks: bytes | None = None) -> None:
        """Keep it for the next build, with the stamps of what was just written."""
        folder = str(build.out)
        places = range(sum(row.chunks for row in self.rows))
        self.chunk_stamps = chunk_stamps(folder, places) if chunks is None else chunks
        names = (INDEX, f"{build.config.output.name}.indx", VECTORS, EMBEDDING_MANIFEST)
        self.stamps = file_stamps(folder, names)
        key = _key(build)
        told = {
            "format": _FORMAT,
            "identity": self.identity,
            "files": self.files,
            "problems": self.problems,
            "skipped": self.skipped,
            "rows": [[getattr(row, one.name) for one in fields(Row)] for row in self.rows],
            "phrases": self.phrases,
            "parts": self.parts,
            "stamps": self.stamps,
        }
        build.cache.put(
            {
                key: orjson.dumps(told),
                cache_key(key, "stamps"): self.chunk_stamps,
                cache_key(key, "signatures"): self.signatures,
            }
        )
        build.cache.flush()

    def signature(self, number: int) -> npt.NDArray[np.uint32]:
        """The signature with a number, counted among those there are."""
        import numpy as np

        place = number * _SIGNATURE
        return np.frombuffer(self.signatures[place : place + _SIGNATURE], dtype="<u4")

    def fits(self, build: Build) -> bool:
        """Whether the output is as the last build left it."""
        folder = str(build.out)
        chunks = range(sum(row.chunks for row in self.rows))
        return self.stamps == file_stamps(folder, self.stamps) and self.chunk_stamps == chunk_stamps(
            folder, chunks
        )


def _key(build: Build) -> bytes:
    return cache_key("ledger", str(build.root), str(build.out), build.config.output.name)


def identity(build: Build, seed: int) -> str:
    """Everything but the input that decides what a build writes."""
    registry = build.engine.registry
    lanes = []
    for kind in _LANES:
        for name in getattr(build.config.enrich, kind):
            lane = registry.find(f"indx.{kind}", name)
            if lane is not None:
                code = (lane.distribution, lane.candidate.version, code_of(lane.distribution))
                lanes.append([*code, name, lane.item.declaration.settings_key])
    return content_id(
        {
            "format": _FORMAT,
            "reading": build.environment(),
            "limits": build.limits(),
            "config": build.config.content(),
            "lanes": lanes,
            "embedder": Embed.identity(build),
            "space": code_of("indx-space"),
            "signatures": algorithm(seed),
            "zlib": zlib.ZLIB_RUNTIME_VERSION,
            "order": sys.byteorder,
            "made_by": build.made_by or "",
            "moment": list(zip_moment()),
            "root": str(build.root),
        }
    )


def file_stamps(folder: str, names: Iterable[str]) -> dict[str, list[int]]:
    """Stamps of the files of an output by name; of one that is not there an empty one."""
    found: dict[str, list[int]] = {}
    for name in names:
        try:
            found[name] = list(stamp_of(os.stat(f"{folder}/{name}")))  # noqa: PTH116
        except OSError:
            found[name] = []
    return found


def chunk_stamps(folder: str, places: Iterable[int]) -> bytes:
    """Stamps of files of chunks, one after another; empty where one is missing."""
    place = f"{folder}/{CHUNK_FOLDER}/"
    rows: list[int] = []
    try:
        for ordinal in places:
            rows += stamp_of(os.stat(place + chunk_file(ordinal)))  # noqa: PTH116
    except OSError:
        return b""
    return array("q", rows).tobytes()


def record(build: Build, ctx: SpaceContext) -> None:
    """Keep a ledger of a build of everything, if the next one may amend it."""
    notes, space = build.notes, ctx.space
    read = all(entry.path in notes.files for entry in build.entries.values())
    if notes.parts is None or notes.unsettled or not read or not space.chunks or not space.relations:
        return
    problems: list[dict[str, Any]] = []
    failures: dict[str, list[dict[str, Any]]] = {}
    for error in ctx.errors:
        if error.stage == Embed.name and error.code == OF_TEXT:
            failures.setdefault(error.path, []).append(error.model_dump())
        elif error.stage == "Parse":
            problems.append(error.model_dump())
        elif error.stage != "Walk":
            return
    rows, signatures = _rows(build, ctx, failures)
    files = [(entry.path, *notes.files[entry.path]) for entry in build.entries.values()]
    ledger = Ledger(
        notes.identity,
        files,
        rows,
        problems,
        notes.skipped,
        sorted(notes.phrases),
        notes.parts,
        {},
        b"",
        signatures,
    )
    if notes.relations == sum(row.edges for row in rows):
        ledger.keep(build)


def _rows(
    build: Build, ctx: SpaceContext, failures: dict[str, list[dict[str, Any]]]
) -> tuple[list[Row], bytes]:
    """The rows of all documents, and their signatures."""
    notes, space = build.notes, ctx.space
    bare: dict[str, list[int]] = {}
    for chunk in space.chunks:
        if chunk.embedding is None and build.config.embed.space != NONE:
            bare.setdefault(chunk.doc_id, []).append(chunk.position)
    rows, signatures = [], []
    for document in space.documents_:
        reading, facts = ctx.parsed[document.id], notes.facts[document.path]
        edges = notes.edges[document.path]
        if facts.signature is not None:
            signatures.append(facts.signature.astype("<u4").tobytes())
        row = Row(
            document.path,
            reading.digest,
            reading.size_bytes,
            reading.title,
            document.doc_type,
            len(document.chunk_ids),
            bare.get(document.id, []),
            [(edge.dst, edge.score) for edge in document.references],
            titles_in(facts.mentions),
            notes.duplicates.get(document.path),
            len(edges),
            different(edges),
            facts.signature is not None,
            failures.get(document.path, []),
        )
        rows.append(row)
    return rows, b"".join(signatures)


def different(edges: Iterable[Relation]) -> int:
    """How many of the edges that one document and its chunks begin are different ones."""
    return len({(edge.src, edge.dst, edge.type) for edge in edges})
