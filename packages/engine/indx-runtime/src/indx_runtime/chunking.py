"""Which chunker cuts which page: a request's own, then the deployment's, then the installed order."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from indx_core.contracts import ChunkerRef
from indx_core.errors import ConfigurationError, InvalidChunker, explain
from indx_core.lapses import lapse_of
from indx_core.ports import DocumentReading
from indx_runtime.branches import chunkers_by_page
from indx_runtime.checking import check_drafts
from indx_runtime.inventory import default_chunkers, ordered_chunkers
from indx_runtime.progress import Cut, DocumentJob, Frame, InFlight, LeftOut, Progress
from indx_runtime.settings import CHUNKERS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import ChunkDraft, Chunker, ChunkerDeclaration, Raster, Session

__all__ = ["chunk_pages", "deployment_chunkers", "parse_chunkers", "requested_chunkers"]

_log = logging.getLogger("indx.chunking")

_DRAWN_TOGETHER: Final = 16

Drafts: TypeAlias = "Mapping[int, Sequence[ChunkDraft]]"


def parse_chunkers(names: Sequence[str]) -> tuple[ChunkerRef, ...]:
    """Chunkers in the spelling of the command: `pdf@2`, `page`.

    Raises:
        ValueError: An entry is not an ID with an optional version.
    """
    found = []
    for name in names:
        chunker, at, version = name.partition("@")
        if not chunker or (at and not (version.isascii() and version.isdigit() and int(version) >= 1)):
            raise ValueError(f"{name!r} is not a chunker; write ID or ID@VERSION, such as pdf@2")
        found.append(ChunkerRef(id=chunker, version=int(version) if at else None))
    return tuple(found)


def requested_chunkers(wanted: Sequence[ChunkerRef], registry: Registry) -> None:
    """Refuse a chunker or version that is not installed.

    Raises:
        InvalidChunker: `unknown_chunker` or `unknown_chunker_version`, naming what is installed.
    """
    newest = default_chunkers(registry)
    for ref in wanted:
        if ref.id not in newest:
            installed = ", ".join(newest) or "none"
            raise InvalidChunker(
                f"no chunker {ref.id!r} is installed; installed: {installed}",
                code="unknown_chunker",
                param="chunking.chunkers",
            )
        versions = sorted(
            p.item.declaration.version
            for p in registry.usable("indx.chunkers")
            if p.item.declaration.id == ref.id
        )
        if ref.version is not None and ref.version not in versions:
            raise InvalidChunker(
                f"{ref.id!r} has no version {ref.version}; installed: {', '.join(map(str, versions))}",
                code="unknown_chunker_version",
                param="chunking.chunkers",
            )


def deployment_chunkers(registry: Registry) -> tuple[ChunkerRef, ...]:
    """What INDX_CHUNKERS names, read now.

    Raises:
        ConfigurationError: `invalid_chunkers`, naming the variable.
    """
    try:
        wanted = parse_chunkers(CHUNKERS.get())
        requested_chunkers(wanted, registry)
    except (ValueError, InvalidChunker) as error:
        raise ConfigurationError(f"{CHUNKERS.name}: {error}", code="invalid_chunkers") from None
    return wanted


def _order(wanted: Sequence[ChunkerRef], registry: Registry) -> list[Provider]:
    newest = default_chunkers(registry)
    by_version = {p.identities[0]: p for p in registry.usable("indx.chunkers")}
    named = [by_version.get(f"{ref.id}@{ref.version or newest.get(ref.id, 0)}") for ref in wanted]
    return list({id(p): p for p in [*named, *ordered_chunkers(registry)] if p is not None}.values())


def chunk_pages(
    session: Session,
    document: DocumentReading,
    job: DocumentJob,
    progress: Progress,
    registry: Registry,
    *,
    deadline: Deadline,
) -> Iterator[Frame]:
    """Ask chunkers in order for the pages none before has answered.

    A chunker that raises, or answers what is no draft, is left out for this document, and the log says why.
    The caller applies every frame to `progress` before the next.

    Raises:
        TimedOut: The deadline passed before another chunker was asked.
    """
    for wanted, group in chunkers_by_page(job, progress, document.pages).items():
        skipped = {left.chunker for left in progress.left_out}
        for provider in _order(wanted, registry):
            facts = provider.item.declaration
            unfit = facts.media_types and document.media_type not in facts.media_types
            if unfit or _name(facts) in skipped:
                continue
            done = {page for cut in progress.cuts for page in cut.drafts}
            pages = [page for page in group if page not in done]
            if not pages:
                break
            deadline.check()
            parts = _parts(document, pages, progress.lost) if job.render else [pages]
            yield from _ask(provider, session, document, parts, job)


def _name(facts: ChunkerDeclaration) -> str:
    return f"{facts.id}@{facts.version}"


def _ask(
    provider: Provider,
    session: Session,
    document: DocumentReading,
    parts: Iterable[Sequence[int]],
    job: DocumentJob,
) -> Iterator[Frame]:
    chunker: Chunker = provider.item
    facts = chunker.declaration
    drawing = _drawing(session, job)
    for part in parts:
        yield InFlight("chunk", _name(facts))
        try:
            answer = chunker.chunk(document, drawing, part)
            drafts = check_drafts(answer, part, document.pages)
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # a chunker may fail in any way, even by what is no Exception
            _log.warning("chunker %s left out of this document: %s", _name(facts), explain(error))
            yield LeftOut(_name(facts), explain(error), lapse_of(error))
            return
        if drafts:
            yield Cut(provider.distribution, facts.id, facts.version, drafts if job.pixels else _bare(drafts))


def _drawing(session: Session, job: DocumentJob) -> Session | None:
    """The session as a chunker may use it: without drawing where nobody wants the pixels."""
    if not job.render:
        return None
    return session if job.pixels else cast("Session", _Undrawn(session))


class _Undrawn:
    """A session whose pictures have their size and no pixels; otherwise the session itself."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        return self._session.render(page, dpi=dpi, max_pixels=max_pixels, pixels=False)


def _parts(document: DocumentReading, pages: Sequence[int], lost: Collection[int]) -> Iterator[list[int]]:
    """The pages that were read together, then the unread in few at a time: their pictures are large.

    To draw a page that is lost may end the worker, and the chunker's part with it: each comes alone, last.
    """
    read = [page for page in pages if document.pages[page].reason is None]
    unread = [page for page in pages if document.pages[page].reason is not None and page not in lost]
    if read:
        yield read
    for start in range(0, len(unread), _DRAWN_TOGETHER):
        yield unread[start : start + _DRAWN_TOGETHER]
    for page in pages:
        if page in lost and document.pages[page].reason is not None:
            yield [page]


def _bare(drafts: Drafts) -> Drafts:
    """Drafts whose pictures have their size and no pixels, which nobody is going to embed."""
    return {
        page: [d if d.image is None else replace(d, image=replace(d.image, rgb=b"")) for d in found]
        for page, found in drafts.items()
    }
