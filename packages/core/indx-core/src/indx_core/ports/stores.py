"""Ports that keep things: documents, vectors, sources, and the records of a workspace; and job runners.

Where records belong to an owner, the owner is the first argument of every call and every query is made
inside it. `transaction()` groups calls of one backend: all of them take effect, or none. The stores that one
distribution offers share one backend in a process, so that a transaction spans them.

Any string is data: a store keeps it whole and takes none for syntax, NUL and lone surrogates included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

    from indx_core.contracts.datasets import DatasetRecord  # noqa: F401  (named in a string below)
    from indx_core.contracts.documents import DocumentSummary, StoredDocument
    from indx_core.contracts.labels import Label
    from indx_core.contracts.routers import Router
    from indx_core.contracts.types import DocumentType  # noqa: F401  (named in a string below)
    from indx_core.ports.embedding import Metric

__all__ = [
    "DatasetStore",
    "DocumentStore",
    "ExperimentStore",
    "IndexedChunk",
    "JobRunner",
    "LabelStore",
    "RecordStore",
    "RouterStore",
    "SchemaStore",
    "SourceStore",
    "StoreDeclaration",
    "StoredSource",
    "VectorHit",
    "VectorIndex",
]

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class StoreDeclaration:
    """A store's facts: the name that settings choose it by, and whether several processes may share it."""

    id: str
    shared: bool


class _Backend(Protocol):
    port_version: int
    declaration: StoreDeclaration

    def open(self) -> None:
        """Connect and bring tables up to date; called once, at start.

        Raises:
            ConfigurationError: `store_not_configured`, naming the missing setting.
        """
        ...

    def close(self) -> None:
        """Release connections."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """A block whose calls take effect together or not at all, seen by nobody before it ends.

        Calls of the thread that opened it belong to it, those of the backend's other stores too. Blocks
        that touch the same owner, or that both touch what is the installation's, run one after another:
        what a block has read stays true until it ends. A block inside another is a part of it, and one
        that raises takes back its own calls alone.
        """
        ...


class DocumentStore(_Backend, Protocol):
    """Keeps encoded documents, each owner's apart, until they expire."""

    def put(self, owner: str, document: StoredDocument, *, expires_at: datetime) -> None:
        """Keep `document`, replacing what the owner kept under its digest."""
        ...

    def get(self, owner: str, digest: str, *, now: datetime) -> StoredDocument | None:
        """The owner's document, or None when there is none or it has expired."""
        ...

    def delete(self, owner: str, digest: str) -> None:
        """Forget it; nothing happens when there is none."""
        ...

    def list(self, owner: str, *, now: datetime) -> Sequence[StoredDocument]:
        """The owner's documents, latest update first, then by digest."""
        ...

    def summaries(self, owner: str, *, now: datetime) -> Sequence[DocumentSummary]:
        """The summaries of `list`, in its order, without reading the results."""
        ...

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of documents past their time, at most `limit`."""
        ...


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk as a vector index holds it: its text, where it stands, and its vectors by space."""

    block_id: str
    text: str
    page: int | None
    section: Sequence[str]
    box: Sequence[float] | None
    vectors: Mapping[str, npt.NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A chunk found by one leg, with that leg's own score, rounded to six places."""

    digest: str
    block_id: str
    score: float


class VectorIndex(_Backend, Protocol):
    """Searches the chunks an owner kept, by words and by vectors, exactly."""

    def put(self, owner: str, digest: str, chunks: Sequence[IndexedChunk], *, expires_at: datetime) -> None:
        """Index `chunks` of a document, replacing those it had."""
        ...

    def get(self, owner: str, digest: str) -> Sequence[IndexedChunk]:
        """The chunks of a document in their order."""
        ...

    def chunks(self, owner: str, places: Sequence[tuple[str, str]]) -> Sequence[IndexedChunk | None]:
        """The chunks at each digest and block ID, without their vectors; None for one that is not there."""
        ...

    def delete(self, owner: str, digest: str) -> None:
        """Drop a document's chunks."""
        ...

    def list(self, owner: str) -> Sequence[str]:
        """Digests with chunks, in order."""
        ...

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of documents whose chunks are past their time, at most `limit`."""
        ...

    def search_text(
        self, owner: str, terms: Sequence[str], *, limit: int, now: datetime
    ) -> Sequence[VectorHit]:
        """BM25 (k1 1.2, b 0.75) over the owner's chunks, as `indx_core.ranking` computes it.

        Scores are rounded to six places and then ranked; ties by digest and block ID. What has expired counts
        for nothing, in no statistic either.
        """
        ...

    def search_vector(
        self,
        owner: str,
        space_id: str,
        vector: npt.NDArray[np.float32],
        *,
        limit: int,
        now: datetime,
        metric: Metric = "cosine",
    ) -> Sequence[VectorHit]:
        """The nearest chunks by the space's metric, exactly; ties by digest and block ID.

        A higher score is nearer: the cosine (0 where a vector is all zeros), the dot product, or the
        distance with its sign turned.

        Raises:
            InvalidEmbeddingSpace: Chunks kept in this space have vectors of another length.
        """
        ...


@dataclass(frozen=True, slots=True)
class StoredSource:
    """The bytes a document was read from, under the media type and name they came with."""

    digest: str
    media_type: str
    filename: str | None
    data: bytes


class SourceStore(_Backend, Protocol):
    """Keeps what documents were read from; `owner` None is the installation, where nothing expires."""

    def put(self, owner: str | None, source: StoredSource, *, expires_at: datetime | None) -> None:
        """Keep `source`, replacing what was under its digest."""
        ...

    def get(self, owner: str | None, digest: str, *, now: datetime) -> StoredSource | None:
        """The source, or None."""
        ...

    def delete(self, owner: str | None, digest: str) -> None:
        """Drop it; nothing happens when there is none."""
        ...

    def list(self, owner: str | None, *, now: datetime) -> Sequence[str]:
        """Digests kept, in order."""
        ...

    def expired(self, *, now: datetime, limit: int) -> Sequence[tuple[str, str]]:
        """Owner and digest of sources past their time, at most `limit`; the installation's have none."""
        ...


class RecordStore(_Backend, Protocol, Generic[R]):
    """Keeps an installation's records of one noun by key."""

    def put(self, key: str, record: R) -> None:
        """Create or replace."""
        ...

    def get(self, key: str) -> R | None:
        """The record, or None."""
        ...

    def delete(self, key: str) -> None:
        """Drop it; nothing happens when there is none."""
        ...

    def list(self) -> Sequence[R]:
        """All records by key."""
        ...


class SchemaStore(RecordStore["DocumentType"], Protocol):
    """Keeps document types."""


class LabelStore(RecordStore["Label"], Protocol):
    """Keeps labels, by label ID."""

    def list_for(self, *, digest: str | None, type_id: str | None) -> Sequence[Label]:
        """Labels by digest, then ID, narrowed by what is given."""
        ...


class DatasetStore(RecordStore["DatasetRecord"], Protocol):
    """Keeps datasets."""


class RouterStore(_Backend, Protocol):
    """Keeps router versions, which never change once put."""

    def put(self, key: str, router: Router) -> None:
        """Publish the next version; a version already there is a conflict that raises ValueError."""
        ...

    def get(self, key: str, version: int | None = None) -> Router | None:
        """A version, the latest when none is given."""
        ...

    def delete(self, key: str) -> None:
        """Drop every version."""
        ...

    def list(self) -> Sequence[Router]:
        """The latest version of each router, by key."""
        ...

    def versions(self, key: str) -> Sequence[Router]:
        """One router's versions, oldest first."""
        ...


class ExperimentStore(_Backend, Protocol):
    """Keeps experiments, which never change, and their cells, each computed once."""

    def put(self, key: str, experiment: Mapping[str, Any]) -> bool:
        """Create; False when the key is taken."""
        ...

    def get(self, key: str) -> Mapping[str, Any] | None:
        """The experiment as put, or None."""
        ...

    def delete(self, key: str) -> None:
        """Drop it and its cells."""
        ...

    def list(self) -> Sequence[str]:
        """Keys in order."""
        ...

    def put_cell(self, key: str, digest: str, candidate: str, cell: Mapping[str, Any]) -> bool:
        """Keep a cell; False when it was there already."""
        ...

    def cells(self, key: str) -> Sequence[Mapping[str, Any]]:
        """All cells, by digest and candidate."""
        ...


class JobRunner(Protocol):
    """Runs jobs in the background, each in a process that registered its name.

    A runner that processes share takes submissions from those that registered nothing too.
    """

    port_version: int
    declaration: StoreDeclaration

    def register(self, job: str, work: Callable[[str, Mapping[str, Any], Callable[[], bool]], None]) -> None:
        """Say what `job` does: a function of key, payload, and a question whether it was cancelled.

        A function that raises `Unavailable` could not go on now: a shared runner has it tried again.
        """
        ...

    def submit(self, job: str, key: str, payload: Mapping[str, Any]) -> None:
        """Start the job under `key`; a job already running under it goes on alone."""
        ...

    def cancel(self, key: str) -> None:
        """Ask the job to stop at its next step."""
        ...

    def running(self, key: str) -> bool:
        """Whether a job runs or waits under `key`."""
        ...

    def close(self) -> None:
        """Stop taking jobs and wait for the one in hand to reach its next step."""
        ...
