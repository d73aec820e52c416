"""The steps on one document, in order: open, observe, plan, read, cut, list members. Nothing else runs here.

The same generator runs in this process and in a worker; whoever drives it applies each frame to the
`Progress` it was given before asking for the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from indx_core.errors import InputTooLarge, SourceError, UnsupportedMediaType
from indx_core.ports import DocumentReading
from indx_routing import Nomination, plan
from indx_runtime.chunking import chunk_pages
from indx_runtime.progress import DocumentJob, Frame, InFlight, MemberFound, Opened, Planned, Progress
from indx_runtime.reading import read_pages

if TYPE_CHECKING:
    from indx_core.contracts import Plan
    from indx_core.deadline import Deadline
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import Observation, Parser, Session

__all__ = ["is_hostile", "observer_for", "require_reader", "work_on"]


def observer_for(media_type: str, registry: Registry) -> Provider:
    """The observer that opens a media type; of several, the one whose distribution sorts first.

    Raises:
        SourceError: `source_unreadable`, no installed observer opens it.
    """
    for provider in registry.usable("indx.observers"):
        if media_type in provider.item.declaration.media_types:
            return provider
    raise SourceError(
        f"no installed observer opens {media_type}; install a reader for it (see `indx doctor`)"
    )


def require_reader(media_type: str, registry: Registry) -> None:
    """Refuse a media type that nothing installed claims to read or open.

    Raises:
        UnsupportedMediaType: `unsupported_media_type`.
    """
    groups = ("indx.capabilities", "indx.observers")
    if not any(media_type in p.item.declaration.media_types for g in groups for p in registry.advertised(g)):
        raise UnsupportedMediaType(
            f"nothing installed reads {media_type}; `indx capabilities` lists what is read here"
        )


def is_hostile(media_type: str, registry: Registry) -> bool:
    """Whether anything that may touch a document of this type asks to run in a worker process."""
    return any(
        p.item.declaration.hostile and media_type in p.item.declaration.media_types
        for group in ("indx.observers", "indx.capabilities")
        for p in registry.usable(group)
    )


def work_on(job: DocumentJob, progress: Progress, registry: Registry, deadline: Deadline) -> Iterator[Frame]:
    """Work on a document from wherever `progress` stands.

    Raises:
        SourceError: The document cannot be opened.
        InputTooLarge: It has too many pages.
        TimedOut: The deadline passed between attempts.
    """
    provider = observer_for(job.content.media_type, registry)
    yield InFlight("open", provider.item.declaration.id)
    session: Session = provider.item.open(job.content)
    try:
        if session.page_count > job.page_limit:
            raise InputTooLarge(
                f"the document has {session.page_count} pages; this installation takes {job.page_limit} "
                "(INDX_MAX_PAGES)"
            )
        yield Opened(session.page_count, provider.distribution)
        decided = job.plan or progress.plan
        if decided is None:
            yield InFlight("plan")
            decided = _plan(job, session, registry)
        if progress.plan is None:
            yield Planned(decided)
        if not job.execute or decided.status == "unsatisfied":
            return
        yield from read_pages(session, decided, progress, registry, floor=job.floor, deadline=deadline)
        if job.chunkers is not None:
            deadline.check()
            document = DocumentReading(
                job.content.media_type, job.content.filename, progress.document_pages()
            )
            rendering = session if job.render else None
            yield from chunk_pages(rendering, document, job.chunkers, progress, registry)
        if job.members:
            yield InFlight("members")
            for member in session.members():
                yield MemberFound(member)
                yield InFlight("members")
    finally:
        session.close()


def _plan(job: DocumentJob, session: Session, registry: Registry) -> Plan:
    observation = session.observe()
    nominations = _nominations(observation, session, registry) if job.request.signature_detection else ()
    return plan(
        job.request,
        snapshot=job.snapshot,
        observation=observation,
        source_digest=job.content.digest,
        economics=job.economics,
        nominations=tuple(nominations),
    )


def _nominations(observation: Observation, session: Session, registry: Registry) -> Iterator[Nomination]:
    for provider in registry.advertised("indx.capabilities"):
        declaration = provider.item.declaration
        if declaration.kind == "parser" and observation.media_type in declaration.media_types:
            parser: Parser = provider.item
            for signature in parser.recognise(observation, session):
                yield Nomination(declaration.id, signature)
