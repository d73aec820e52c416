"""The steps on one document, in order: open, observe, plan, read, cut, list members. Nothing else runs here.

The same generator runs in this process and in a worker; whoever drives it applies each frame to the
`Progress` it was given before asking for the next.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final

from indx_core.discovery import State
from indx_core.errors import IndxError, InputTooLarge, SourceError, UnsupportedMediaType, explain
from indx_core.lapses import Lapse, heavier, lapse_of
from indx_core.ports import DocumentReading, Member, PageEvidence
from indx_core.settings import MAX_PAGES
from indx_routing import Nomination, plan
from indx_runtime.checking import check_member, check_observation, check_raster, check_signature
from indx_runtime.chunking import chunk_pages
from indx_runtime.failures import beside, could_not, if_built, in_one_line, what_helps
from indx_runtime.progress import (
    DocumentJob,
    Frame,
    InFlight,
    MemberFound,
    Opened,
    ParserFailed,
    Pictured,
    Planned,
    Progress,
)
from indx_runtime.reading import read_pages
from indx_runtime.sharing import look_at_pages, look_for_others, shared, take_over

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import Observation, Parser, Raster, Session
    from indx_runtime.sharing import Words

__all__ = ["is_hostile", "is_large", "is_read", "observers_for", "require_reader", "work_on"]

_LARGE: Final = 4 << 20  # bytes of a document that is read within the bounds of a worker

_log = logging.getLogger("indx.work")
_parsers = logging.getLogger("indx.parsers")

_PICTURE_DPI: Final = 96
_PICTURE_PIXELS: Final = 178_956_970
_MOST_MEMBERS: Final = 10_000
_MOST_SIGNATURES: Final = 1_000


def observers_for(media_type: str, registry: Registry) -> list[Provider]:
    """The observers that open a media type, by rank, then distribution.

    Raises:
        SourceError: `source_unreadable`, no installed observer opens it.
        UnsupportedMediaType: `unsupported_media_type`, the one that would cannot run.
    """
    known = [p for p in registry.advertised("indx.observers") if media_type in p.item.declaration.media_types]
    if able := [provider for provider in known if provider.state is State.AVAILABLE]:
        return sorted(able, key=lambda p: (p.item.declaration.rank, p.distribution))
    if known:
        raise UnsupportedMediaType(f"{media_type[:200]} is not read here: {known[0].reason}; {known[0].fix}")
    raise SourceError(
        f"no installed observer opens {media_type[:200]}; install a reader for it (see `indx doctor`)"
    )


def is_read(media_type: str, registry: Registry) -> bool:
    """Whether a capability of the installation claims a media type, even one that cannot run now."""
    return _claimed(media_type, "indx.capabilities", registry)


def require_reader(
    media_type: str, registry: Registry, *, pictured: bool = False, facts: Mapping[str, str] | None = None
) -> None:
    """Refuse a media type that no installed capability reads.

    Args:
        media_type: What the bytes are.
        registry: What is installed.
        pictured: Whether only a picture is wanted, for which opening it is enough.
        facts: What else is known of the document.

    Raises:
        UnsupportedMediaType: `unsupported_media_type`.
    """
    opened = _claimed(media_type, "indx.observers", registry)
    if is_read(media_type, registry) or (pictured and opened):
        return
    usual = is_read("text/plain", registry)
    hint = what_helps(media_type, registry, opened=opened, usual=usual)
    raise UnsupportedMediaType(f"nothing installed reads {media_type[:200]}{hint}" + beside(facts or {}))


def _claimed(media_type: str, group: str, registry: Registry) -> bool:
    return any(media_type in p.item.declaration.media_types for p in registry.advertised(group))


def is_large(size: int) -> bool:
    """Whether a document of so many bytes is for a worker process: reading it takes many times its size."""
    return size > _LARGE


def is_hostile(media_type: str, registry: Registry) -> bool:
    """Whether anything that may touch a document of this type asks to run in a worker process."""
    return any(
        p.item.declaration.hostile and media_type in p.item.declaration.media_types
        for group in ("indx.observers", "indx.capabilities")
        for p in registry.usable(group)
    )


def work_on(
    job: DocumentJob,
    progress: Progress,
    registry: Registry,
    deadline: Deadline,
    words: Words | None = None,
) -> Iterator[Frame]:
    """Work on a document from wherever `progress` stands.

    Args:
        job: What to do.
        progress: What is known so far; the caller applies every frame to it before the next.
        registry: Where the providers are.
        deadline: The request's.
        words: Word of what other workers do for the document, where there are any.

    Raises:
        SourceError: The document cannot be opened or observed.
        InputTooLarge: It has too many pages.
        TimedOut: The deadline passed between attempts.
    """
    observers = observers_for(job.content.media_type, registry)
    try:
        provider, session, page_count, lapse = yield from _opened_by_one(observers, job, words)
        try:
            common = None if words is None else shared(session)
            yield Opened(page_count, provider.distribution, common is not None, lapse)
            if common is not None:
                for page in progress.lost:
                    common.pass_over(page)  # whatever is done with the document now
            if job.helps:
                if common is not None and words is not None:
                    yield from look_for_others(common, words)
            elif job.picture:
                yield InFlight("render")
                yield Pictured(_picture(session))
            else:
                yield from _gone_through(session, job, progress, registry, deadline, words)
        finally:
            _close(session, provider)
    except IndxError as error:
        error.lapse = lapse_of(error)  # what it was raised from stays here
        raise


def _gone_through(
    session: Session,
    job: DocumentJob,
    progress: Progress,
    registry: Registry,
    deadline: Deadline,
    words: Words | None,
) -> Iterator[Frame]:
    """Plan, read and cut an open document, and list what is inside."""
    yield from _planned(job, progress, session, registry, words)
    assert progress.plan is not None
    if not job.execute or progress.plan.status == "unsatisfied":
        return
    deadline.check()
    before = _taking_over(session, words) if job.plan is not None else _nothing
    yield from read_pages(session, job, progress, registry, deadline=deadline, before=before)
    if job.chunkers is not None:
        document = DocumentReading(job.content.media_type, job.content.filename, progress.document_pages())
        yield from chunk_pages(session, document, job, progress, registry, deadline=deadline)
    if job.members:
        yield from _members(session, words)


def _nothing() -> None:
    """What comes before an attempt where nobody helps."""


def _taking_over(session: Session, words: Words | None) -> Callable[[], object]:
    """What comes before an attempt on a page that was not looked at: whoever helps may have done so."""
    common = shared(session)
    return _nothing if common is None or words is None else partial(take_over, common, words)


def _opened_by_one(
    providers: Sequence[Provider], job: DocumentJob, words: Words | None
) -> Generator[Frame, None, tuple[Provider, Session, int, Lapse | None]]:
    """The first observer that does not refuse the bytes as unreadable, its session, the number of pages.

    Behind them, what it owes to the moment that none before opened it. Where all refuse, the refusal of the
    first stands: it is the one that was made for the type. What another owes to the moment is told with it.
    """
    refusals: list[SourceError] = []
    lapse: Lapse | None = None
    for provider in providers:
        yield InFlight("open", provider.item.declaration.id)
        try:
            return provider, *_opened(provider, job, words), lapse
        except SourceError as error:
            if not refusals and error.code != "source_unreadable":
                raise
            if (own := lapse_of(error)) or not refusals:
                refusals.append(error)
            lapse = heavier(lapse, own)
    told = "; ".join(filter(None, (*(refusal.message for refusal in refusals[:2]), if_built(job.content))))
    raise SourceError(told, code=refusals[0].code, param=refusals[0].param, lapse=lapse) from refusals[0]


def _opened(provider: Provider, job: DocumentJob, words: Words | None) -> tuple[Session, int]:
    """The session and its number of pages, if that is one that is taken; closed, if it is not."""
    session: Session | None = None
    try:
        session = provider.item.open(job.content)
        return session, _counted(session.page_count, job.page_limit)
    except BaseException as error:  # an observer may fail in any way
        if session is not None:
            _close(session, provider)
        untyped = isinstance(error, Exception | SystemExit) and not isinstance(error, IndxError)
        if not untyped or _is_of_the_process(error, words):
            raise
        raise SourceError(could_not("open", explain(error))) from error


def _is_of_the_process(error: BaseException, words: Words | None) -> bool:
    """Whether an error tells less of the document than of a worker, whose memory has a bound."""
    return isinstance(error, MemoryError) and words is not None


def _counted(count: int, limit: int) -> int:
    """A number of pages that is taken."""
    if type(count) is int and count > limit:
        raise InputTooLarge(
            f"the document has {count:,} pages, and {limit:,} are taken; {MAX_PAGES.name} raises that"
        )
    if type(count) is not int or count < 0:
        raise SourceError(could_not("open", f"it claims to have {str(count)[:40]!r} pages"))
    return count


def _close(session: Session, provider: Provider) -> None:
    """Close a document; what was learned of it, or why it is given up, stands even where that fails."""
    try:
        session.close()
    except (Exception, SystemExit) as error:
        _log.warning("%s did not close its document: %s", provider.distribution, explain(error))


def _picture(session: Session) -> Raster | None:
    try:
        raster = session.render(1, dpi=_PICTURE_DPI, max_pixels=_PICTURE_PIXELS)
        return None if raster is None else check_raster(raster)
    except IndxError:
        raise
    except (Exception, SystemExit) as error:
        raise SourceError(could_not("render", explain(error))) from error


def _planned(
    job: DocumentJob, progress: Progress, session: Session, registry: Registry, words: Words | None
) -> Iterator[Frame]:
    """The plan that was given or made before, or one made now."""
    if progress.plan is not None:
        return
    if job.plan is not None:
        yield Planned(job.plan)
        return
    observation = yield from _observed(job, progress, session, words)
    nominations: list[Nomination] = []
    if parsers := _parsers_to_ask(job, registry):
        nominations = yield from _recognised(parsers, observation, progress, session)
    observation = _with_failures(observation, job, progress)
    decided = plan(
        job.request,
        snapshot=job.snapshot,
        observation=observation,
        source_digest=job.content.digest,
        economics=job.economics,
        nominations=nominations,
        routing=job.routing,
    )
    yield Planned(decided)


def _observed(
    job: DocumentJob, progress: Progress, session: Session, words: Words | None
) -> Generator[Frame, None, Observation]:
    """What stands on the pages; nothing is known of those that nobody could look at."""
    looked_at = 0
    try:
        if words is not None and (common := shared(session)) is not None:
            yield from look_at_pages(common, words, progress)
            looked_at = progress.page_count  # whoever helps can stop
        yield InFlight("plan", page=looked_at)
        seen = check_observation(session.observe(), progress.page_count, job.content.media_type)
    except IndxError:
        raise
    except (Exception, SystemExit) as error:
        if _is_of_the_process(error, words):
            raise  # the next one goes around the page
        raise SourceError(could_not("look", explain(error))) from error
    if not progress.lost:
        return seen
    pages = tuple(PageEvidence(p.page, 0, seen=False) if p.page in progress.lost else p for p in seen.pages)
    return replace(seen, pages=pages, facts={**seen.facts, "lost": _said_of(progress.lost)})


def _said_of(lost: Mapping[int, str]) -> str:
    """What is said of pages that nobody could look at."""
    first = min(lost)
    return f"pages that could not be looked at: {len(lost)}; page {first}: {lost[first]}"


def _parsers_to_ask(job: DocumentJob, registry: Registry) -> list[Provider]:
    """The parsers of the document's type: all where signatures are asked for, else those of the router."""
    routed = set(job.routing.parsers.values()) if job.routing else set()
    return [
        provider
        for provider in registry.advertised("indx.capabilities")
        if provider.item.declaration.kind == "parser"
        and job.content.media_type in provider.item.declaration.media_types
        and (job.request.signature_detection or provider.item.declaration.id in routed)
    ]


def _recognised(
    parsers: Sequence[Provider], observation: Observation, progress: Progress, session: Session
) -> Generator[Frame, None, list[Nomination]]:
    """Ask each parser whether it knows the document; one that fails nominates nothing."""
    nominations: list[Nomination] = []
    for provider in parsers:
        facts = provider.item.declaration
        if facts.id in progress.failed_parsers:
            continue
        yield InFlight("recognise", facts.id)
        parser: Parser = provider.item
        try:
            answer = list(islice(parser.recognise(observation, session), _MOST_SIGNATURES))
            found = [check_signature(signature, progress.page_count) for signature in answer]
        except (KeyboardInterrupt, GeneratorExit):
            raise
        except BaseException as error:  # a parser may fail in any way, even by what is no Exception
            reason = explain(error)
            _parsers.warning("parser %s was not asked on: %s", facts.id, reason)
            yield ParserFailed(facts.id, reason, lapse_of(error))
            continue
        nominations += [Nomination(facts.id, signature) for signature in found]
    return nominations


def _with_failures(observation: Observation, job: DocumentJob, progress: Progress) -> Observation:
    """What was seen, and which sniffers and parsers had no say: the plan gives all of it as reasons."""
    facts = {**observation.facts, **job.facts}
    if progress.failed_parsers:
        facts["parser_failed"] = in_one_line(progress.failed_parsers)
    return replace(observation, facts=facts)


def _members(session: Session, words: Words | None) -> Iterator[Frame]:
    """The documents inside, a bounded number of them; what cannot be listed is said."""
    found = 0
    yield InFlight("members")
    try:
        for member in session.members():
            if found >= _MOST_MEMBERS:
                raise InputTooLarge(
                    f"it holds more than {_MOST_MEMBERS} documents; split it to have the others"
                )
            found += 1
            yield MemberFound(check_member(member))
            yield InFlight("members")
    except (Exception, SystemExit) as error:
        if _is_of_the_process(error, words):
            raise
        lost = Member("", None, b"", reason=could_not("members", explain(error)))
        yield MemberFound(lost, lapse_of(error))
