"""From a request's source to bytes: scheme, loader, size, digest, media type, in that order of refusal."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from indx_core.canonical import clean_text
from indx_core.contracts import InlineSource, UriSource
from indx_core.deadline import Deadline
from indx_core.errors import IndxError, InputTooLarge, SourceError, UnsupportedMediaType, explain
from indx_core.media import split_media_type
from indx_core.ports import SourceContent
from indx_source.media import recognise
from indx_source.settings import MAX_INPUT_BYTES, URI_SCHEMES

if TYPE_CHECKING:
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import Loader

__all__ = ["Resolved", "enabled_schemes", "resolve"]

_log = logging.getLogger("indx.source")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,99}):")
_EXTRAS = {
    **dict.fromkeys(("file", "http", "https", "data"), "standard"),
    **{name: name for name in ("s3", "gs", "az")},
}
"""The extra of `indx` that brings the loader of a scheme."""
_LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Resolved:
    """A source as bytes, and the parts that brought and named them, where parts did.

    Attributes:
        content: The bytes under their media type.
        uri: Where they came from, where that is an address.
        loader: What brought them.
        sniffer: What named their media type.
        unheard: Why sniffers that failed had no say in that, by their IDs.
    """

    content: SourceContent
    uri: str | None
    loader: Provider | None
    sniffer: Provider | None
    unheard: Mapping[str, str] = field(default_factory=dict)


def enabled_schemes(registry: Registry) -> tuple[str, ...]:
    """The URI schemes that can be asked for now: installed, and not closed by INDX_URI_SCHEMES."""
    installed = {scheme for p in registry.advertised("indx.loaders") for scheme in p.item.declaration.schemes}
    allowed = URI_SCHEMES.get()
    if allowed is not None:
        installed &= {scheme.lower() for scheme in allowed}
    return tuple(sorted(installed))


def resolve(
    source: UriSource | InlineSource,
    registry: Registry,
    *,
    limit: int | None = None,
    deadline: Deadline | None = None,
) -> Resolved:
    """Bring the bytes of `source` and name their media type.

    Args:
        source: The source of a request.
        registry: What is installed.
        limit: The most bytes to hold; INDX_MAX_INPUT_BYTES by default.
        deadline: A ceiling for the loader; its own setting applies by default.

    Raises:
        UnsupportedMediaType: `unsupported_source`: no loader, or not enabled.
        InputTooLarge: More bytes than the limit.
        SourceError: The loader refused or failed, or the digest is not the expected one.
    """
    ceiling = MAX_INPUT_BYTES.get() if limit is None else limit
    unheard: dict[str, str] = {}
    if isinstance(source, InlineSource):
        if len(source.data) > ceiling:
            raise InputTooLarge(
                f"the source has {len(source.data)} bytes; this installation takes {ceiling}, and "
                f"{MAX_INPUT_BYTES.name} raises that",
                param="source.data",
            )
        _, charset = split_media_type(source.media_type)
        content = SourceContent.of_bytes(source.data, filename=source.filename, charset=charset)
        media_type, sniffer = recognise(content, source.media_type, registry, failed=unheard)
        return Resolved(content.with_media_type(media_type), None, None, sniffer, unheard)
    provider = _loader(source.uri, registry)
    loaded = _load(provider, source.uri, ceiling, deadline or Deadline(None))
    if loaded.size > ceiling:
        raise InputTooLarge(f"the source has more than {ceiling} bytes; {MAX_INPUT_BYTES.name} raises that")
    if source.sha256 is not None and loaded.digest != source.sha256:
        raise SourceError(
            f"the bytes have not the expected sha256, but {loaded.digest}: name another document, or that",
            param="source.uri.sha256",
        )
    named = _own_name(loaded.filename or _last_segment(source.uri))
    charset = loaded.charset or split_media_type(loaded.media_type)[1]
    content = replace(loaded, media_type="", filename=named, charset=charset)
    try:
        media_type, sniffer = recognise(content, loaded.media_type, registry, failed=unheard)
    except OSError as error:
        raise SourceError(f"what was loaded cannot be read: {explain(error)}", param="source.uri") from None
    return Resolved(content.with_media_type(media_type), source.uri, provider, sniffer, unheard)


def _load(provider: Provider, uri: str, limit: int, deadline: Deadline) -> SourceContent:
    """What the loader brings; a loader that fails says nothing of what it met, the log does."""
    loader: Loader = provider.item
    try:
        return loader.load(uri, limit=limit, deadline=deadline).content
    except IndxError:
        raise
    except Exception as error:  # a loader may fail in any way
        _log.warning("loader %s failed: %s", loader.declaration.id, error, exc_info=error)
        raise SourceError(
            f"the loader {loader.declaration.id!r} failed ({type(error).__name__}); the log says why",
            param="source.uri",
        ) from None


def _loader(uri: str, registry: Registry) -> Provider:
    match = _SCHEME.match(uri)
    scheme = match.group(1).lower() if match else ""
    enabled = enabled_schemes(registry)
    provider = registry.find("indx.loaders", f"{scheme}:") if scheme else None
    if provider is not None and scheme in enabled:
        return provider
    if provider is not None:
        message = f"the scheme {scheme!r} is not enabled; INDX_URI_SCHEMES lists those that are"
    elif scheme:
        known = ", ".join(enabled) or "none"
        install = f': pip install "indx[{_EXTRAS[scheme]}]"' if scheme in _EXTRAS else ""
        message = (
            f"no installed loader resolves {scheme!r}; enabled schemes: {known}; install a loader for "
            f"it{install}"
        )
    else:
        message = "the URI has no scheme; write one, or send the bytes inline"
    raise UnsupportedMediaType(message, code="unsupported_source", param="source.uri.uri")


def _last_segment(uri: str) -> str | None:
    if uri[:5].lower() == "data:":
        return None
    try:
        path = urlsplit(uri).path
    except ValueError:
        return None
    return unquote(PurePosixPath(path).name, errors="replace")


def _own_name(name: str | None) -> str | None:
    """A file's own name, without folders and fit for UTF-8, however it was written."""
    own = clean_text(name or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    return None if own in ("", ".", "..") else own[-_LONGEST_NAME:]
