"""What helps where a document's type is refused: building an archive, or letting an installed reader in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from indx_core.contracts import InlineSource
from indx_core.errors import SourceError, UnsupportedMediaType

if TYPE_CHECKING:
    from indx_core.errors import IndxError
    from indx_core.ports import SourceContent

__all__ = ["with_what_helps"]

_REFUSED: Final = ("unsupported_media_type", "source_unreadable")


@contextmanager
def with_what_helps(asked: Mapping[str, Any]) -> Iterator[None]:
    """A block in which the refusal of a given file's type says what to do about it.

    Args:
        asked: The request; of a source that is an address nothing more is said, its bytes are not here.

    Raises:
        IndxError: As refused, with what helps.
    """
    try:
        yield
    except (UnsupportedMediaType, SourceError) as error:
        source = asked.get("source")
        if not isinstance(source, InlineSource) or error.code not in _REFUSED:
            raise
        told = _told(source, error)
        raise type(error)(told, code=error.code, param=error.param, request_id=error.request_id) from None


def _told(source: InlineSource, error: IndxError) -> str:
    from indx_core.discovery import default_registry
    from indx_core.ports import SourceContent
    from indx_space.pipeline.reading import is_archive

    content = SourceContent.of_bytes(source.data, filename=source.filename)
    unread = isinstance(error, UnsupportedMediaType)
    if unread and (left_out := _left_out(content, source.media_type)) is not None:
        return left_out
    if is_archive(content, default_registry()):
        return f"{error.message}; an archive is read by a build: indx ARCHIVE --out OUT"
    return error.message


def _left_out(content: SourceContent, declared: str | None) -> str | None:
    """That INDX_PLUGINS leaves out what reads a document, where it does."""
    from indx_core.discovery import PLUGINS, Registry, scan
    from indx_source import recognise

    plugins = PLUGINS.get()
    if plugins is None:
        return None
    everything = Registry(scan())
    media_type, _ = recognise(content, declared, everything)
    readers = [
        p.distribution
        for p in everything.usable("indx.capabilities")
        if p.item.declaration.kind == "native" and media_type in p.item.declaration.media_types
    ]
    if not readers:
        return None
    return (
        f"{media_type[:200]} is not read here: {PLUGINS.name}={','.join(plugins)[:200]!r} leaves out "
        f"{readers[0]}, which is installed and reads it; name it there too, or unset {PLUGINS.name}"
    )
