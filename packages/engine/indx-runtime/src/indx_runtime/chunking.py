"""Which chunker cuts which page: a request's own, then the deployment's, then the installed order."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indx_core.contracts import ChunkerRef
from indx_core.errors import ConfigurationError, InvalidChunker
from indx_core.ports import DocumentReading
from indx_runtime.inventory import default_chunkers, ordered_chunkers
from indx_runtime.progress import Cut, Frame, InFlight, LeftOut, Progress
from indx_runtime.reading import explain
from indx_runtime.settings import CHUNKERS

if TYPE_CHECKING:
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import Chunker, Session

__all__ = ["chunk_pages", "deployment_chunkers", "parse_chunkers", "requested_chunkers"]

_log = logging.getLogger("indx.chunking")


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
        if ref.version is not None and registry.find("indx.chunkers", f"{ref.id}@{ref.version}") is None:
            versions = sorted(
                p.item.declaration.version
                for p in registry.usable("indx.chunkers")
                if p.item.declaration.id == ref.id
            )
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
    named = [
        registry.find("indx.chunkers", f"{ref.id}@{ref.version or newest.get(ref.id, 0)}") for ref in wanted
    ]
    return list({id(p): p for p in [*named, *ordered_chunkers(registry)] if p is not None}.values())


def chunk_pages(
    session: Session | None,
    document: DocumentReading,
    wanted: Sequence[ChunkerRef],
    progress: Progress,
    registry: Registry,
) -> Iterator[Frame]:
    """Ask chunkers in order for the pages none before has answered.

    A chunker that raises is left out for this document, and the log says why. The caller applies every
    frame to `progress` before the next.
    """
    skipped = {left.chunker for left in progress.left_out}
    for provider in _order(wanted, registry):
        chunker: Chunker = provider.item
        facts = chunker.declaration
        name = f"{facts.id}@{facts.version}"
        done = {page for cut in progress.cuts for page in cut.drafts}
        pages = [page for page in document.pages if page not in done]
        if not pages:
            return
        if name in skipped or (facts.media_types and document.media_type not in facts.media_types):
            continue
        yield InFlight("chunk", name)
        try:
            answer = chunker.chunk(document, session, pages)
        except Exception as error:
            _log.warning("chunker %s left out of this document: %s", name, explain(error))
            yield LeftOut(name, explain(error))
            continue
        drafts = {page: tuple(answer[page]) for page in pages if page in answer}
        if drafts:
            yield Cut(provider.distribution, facts.id, facts.version, drafts)
