"""The reading side of Parse: what reads here, under which key its answers are kept, and doing it."""

from __future__ import annotations

import os
import platform
from concurrent.futures import Future
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from indx_core.canonical import content_id
from indx_core.contracts import Chunking, Constraints, EncodeRequestPart
from indx_core.errors import UnsupportedMediaType
from indx_runtime.ceilings import told_limits
from indx_runtime.chunking import parse_chunkers
from indx_runtime.settings import (
    CACHE_DIR,
    REQUEST_TIMEOUT,
    WORKER_HELP_PAGES,
    WORKER_MEMORY,
    WORKER_TIMEOUT,
    WORKERS,
)
from indx_runtime.work import is_hostile, is_large, is_read, require_reader
from indx_source import recognise
from indx_source.archives import ARCHIVES, archive_type, asks_too_much
from indx_source.settings import MAX_INPUT_BYTES
from indx_space.cache import cache_key
from indx_space.pipeline.records import RECORD_VERSION
from indx_space.pipeline.versions import code_of
from indx_space.settings import CACHE_BYTES

if TYPE_CHECKING:
    from indx_core.ports import SourceContent
    from indx_runtime import DocumentJob, Engine, Progress, Workers
    from indx_space.config import Config

__all__ = ["ARCHIVE", "Reader"]

ARCHIVE: Final = "application/zip"
_MISNAMED: Final = (
    "the file is named as an archive and does not begin as one: it is cut short, damaged or something else; "
    "take another copy of it, or name it as what it is"
)
_READING: Final = ("indx.sniffers", "indx.observers", "indx.capabilities", "indx.chunkers")
_PREFIX: Final = "INDX" + "_"
_OPERATION: Final = frozenset(
    setting.name
    for setting in (
        *(CACHE_DIR, CACHE_BYTES, REQUEST_TIMEOUT),
        *(WORKERS, WORKER_HELP_PAGES, WORKER_MEMORY, WORKER_TIMEOUT),
    )
)
"""Settings that say how to work and change nothing of what comes out; every other one is part of the key."""


class Reader:
    """Reads documents of any type with what is installed.

    Args:
        engine: Does the steps.
        config: What to ask it for.
        jobs: How many worker processes; None is the installation's own number.
    """

    def __init__(self, engine: Engine, config: Config, jobs: int | None) -> None:
        self._engine = engine
        self._registry = engine.registry
        self._workers = engine.workers
        self._own: Workers | None = None
        self._jobs = jobs
        self._snapshot = engine.capabilities()
        self._request = EncodeRequestPart(
            granularities=("DOCUMENT", "PAGE", "CHUNK"),
            signature_detection=config.parse.signature_detection,
            constraints=Constraints(capability_ids=config.parse.readers) if config.parse.readers else None,
            chunking=Chunking(chunkers=parse_chunkers(config.chunk.chunkers)),
        )
        self._template: DocumentJob | None = None
        self._readable: dict[str, bool] = {}
        self._hostile: dict[str, bool] = {}
        self.limit = MAX_INPUT_BYTES.get()
        self.environment = _environment(engine, config)
        self.limits = _limits(engine)

    def key(self, digest: str, media_type: str, name: str) -> bytes:
        """Under what the record of a document is kept: its bytes, type and name, and all that reads it."""
        return cache_key("record", self.environment, digest, media_type, name)

    def media_type(self, content: SourceContent) -> str:
        """The media type of `content`; `ARCHIVE` of a ZIP or TAR that is nothing else, or may not be seen."""
        media_type, _ = recognise(content, None, self._registry)
        if media_type not in ARCHIVES:
            return media_type
        with content.buffer() as head:
            is_one = archive_type(head) or asks_too_much(head) or not (content.size or self.reads(media_type))
        return ARCHIVE if is_one else media_type

    def reads(self, media_type: str) -> bool:
        """Whether anything installed claims to read a type."""
        if media_type not in self._readable:
            self._readable[media_type] = is_read(media_type, self._registry)
        return self._readable[media_type]

    def refusal(self, media_type: str | None) -> str:
        """Why a document is left out that nothing installed reads, and what would read it.

        Args:
            media_type: Its type; None for a format that is only known to be packed as a ZIP.
        """
        if media_type in ARCHIVES:  # those are built; it has the type by its name
            return _MISNAMED
        try:
            require_reader(media_type or "this format, which is packed as a ZIP", self._registry)
        except UnsupportedMediaType as error:
            return error.message
        return self.refusal(None)  # the type is that of its name, and its bytes are something else

    def isolates(self, content: SourceContent) -> bool:
        """Whether a document is read in a worker process."""
        media_type = content.media_type
        if media_type not in self._hostile:
            self._hostile[media_type] = is_hostile(media_type, self._registry)
        return self._hostile[media_type] or is_large(content.size)

    def read(self, content: SourceContent) -> Progress:
        """Read and cut a document in this process.

        Raises:
            IndxError: It cannot be opened.
        """
        return self._engine.work(self._job(content))

    def submit(self, content: SourceContent) -> Future[Progress]:
        """Read and cut a document in a worker process."""
        return self._pool().submit(self._job(content))

    def result(self, future: Future[Progress]) -> Progress:
        """What was submitted, once it is done; whoever watches is told of it here, in the caller's thread.

        Raises:
            IndxError: It cannot be opened.
        """
        progress = future.result()
        self._engine.watched(progress)
        return progress

    @property
    def window(self) -> int:
        """How many documents may be under way in workers: one being read and one waiting for each."""
        return 2 * self._pool().count

    def _pool(self) -> Workers:
        if self._workers is None:
            from indx_runtime import Workers

            self._workers = self._own = Workers(self._jobs)
        return self._workers

    def _job(self, content: SourceContent) -> DocumentJob:
        if self._template is None:
            self._template = self._engine.job(
                content, self._request, self._snapshot, render=False, members=True
            )
        return replace(self._template, content=content)

    def close(self, *, cancel: bool = False) -> None:
        """End the worker processes that were started here."""
        if self._own is not None:
            self._own.close(cancel=cancel)
            self._own = self._workers = None


def _limits(engine: Engine) -> str:
    """What a worker is held to, which decides no more than whether a document ends it."""
    if engine.workers is not None:
        return engine.workers.limits
    return told_limits(WORKER_TIMEOUT.get(), WORKER_MEMORY.get())


def _environment(engine: Engine, config: Config) -> str:
    """Everything but the document that decides how it is read."""
    registry = engine.registry
    providers = [
        [
            *(p.candidate.group, p.distribution, p.candidate.version, code_of(p.distribution)),
            *(*p.identities, p.state.value),
        ]
        for group in _READING
        for p in registry.providers(group)
    ]
    settings = {
        name: value
        for name, value in os.environ.items()
        if name.startswith(_PREFIX) and name not in _OPERATION and value.strip()
    }
    content = config.content()
    return content_id(
        {
            "record": RECORD_VERSION,
            "python": platform.python_version(),
            "providers": providers,
            "prices": engine.economics().corrections,
            "settings": {
                name: content_id(value.encode("utf-8", "replace").decode())
                for name, value in settings.items()
            },
            "config": [content["parse"], content["chunk"]],
        }
    )
