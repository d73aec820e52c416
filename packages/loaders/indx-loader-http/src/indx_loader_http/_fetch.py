"""One fetch: redirects followed by hand, the body bounded as it arrives and as it unpacks."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from email.message import Message
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

import httpcore
import httpx

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.media import split_media_type
from indx_core.ports import Loaded, SourceContent
from indx_loader_http._connect import Budget, GuardedBackend, Lookup
from indx_loader_http.settings import TIMEOUT_SECONDS
from indx_loader_object import PackingError, unpacked

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["MAX_REDIRECTS", "Fetch"]

MAX_REDIRECTS: Final = 10

_log: Final = logging.getLogger("indx.loader.http")
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_SCHEMES: Final = frozenset({"http", "https"})
_HOST: Final = re.compile(rb"[0-9A-Za-z_.:-]{1,253}")
_NOT_IN_NAMES: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_LONGEST_NAME: Final = 255
_SHOWN: Final = 200
_HEADERS: Final = [
    (b"Accept", b"*/*"),
    # Packed bodies are unpacked all the same; asking for none saves most servers the work.
    (b"Accept-Encoding", b"identity"),
    (b"User-Agent", b"indx-loader-http"),
]


class Fetch:
    """Fetches one URI. Nothing of the environment plays a part: no proxy, no cookie, no stored login."""

    def __init__(
        self,
        uri: str,
        limit: int,
        deadline: Deadline,
        lookup: Lookup | None,
        clock: Callable[[], float],
    ) -> None:
        """Prepare to fetch `uri`; its time starts now."""
        self._limit = limit
        self._shown = repr(uri if len(uri) <= _SHOWN else uri[:_SHOWN] + "…")
        self._url = self._checked(uri)
        self._budget = Budget(deadline, TIMEOUT_SECONDS.get(), clock)
        self._backend = GuardedBackend(lookup, self._budget)

    def run(self) -> Loaded:
        """The source at the end of all redirects.

        Raises:
            SourceError: `source_unreadable`, or `source_forbidden`.
            InputTooLarge: There are more bytes than the limit, as sent or unpacked.
            TimedOut: The caller's deadline passed.
        """
        try:
            with httpcore.ConnectionPool(network_backend=self._backend, retries=0) as pool:
                return self._follow(pool)
        except httpcore.TimeoutException:
            self._budget.left()
            raise self._budget.used_up() from None
        except (
            httpcore.NetworkError,
            httpcore.ProtocolError,
            httpcore.UnsupportedProtocol,
            OSError,
        ) as error:
            _log.info("%s failed: %r", self._shown, error)
            raise self._unreadable("the connection failed; check the address, or try again later") from None

    def _follow(self, pool: httpcore.ConnectionPool) -> Loaded:
        for _ in range(MAX_REDIRECTS + 1):
            with pool.stream("GET", _core_url(self._url), headers=_HEADERS) as response:
                target = _header(response, b"location")
                if response.status not in _REDIRECTS or not target:
                    return self._loaded(response)
            self._url = self._redirected(target)
        raise self._unreadable(
            f"it redirects more than {MAX_REDIRECTS} times; write the address it should end at"
        )

    def _redirected(self, target: str) -> httpx.URL:
        try:
            url = self._url.join(target)
        except (httpx.InvalidURL, ValueError):
            raise self._unreadable("it redirects to what is no address") from None
        if url.scheme not in _SCHEMES:
            _log.warning("%s redirects to %r: another scheme, refused", self._shown, target)
            raise SourceError(
                f"{self._shown} redirects to another scheme; only http and https are followed",
                code="source_forbidden",
            )
        return self._checked(str(url))

    def _checked(self, uri: str) -> httpx.URL:
        try:
            url = httpx.URL(uri)
            url.port  # noqa: B018  parsed on access
        except (httpx.InvalidURL, ValueError):
            raise self._unreadable("it is malformed; write https://host/path") from None
        if url.scheme not in _SCHEMES or not _HOST.fullmatch(url.raw_host):
            raise self._unreadable("it names no host; write https://host/path")
        if url.userinfo:
            raise self._unreadable("it holds a user name; addresses that need a login are not fetched")
        if url.port is not None and not 0 < url.port < 65536:
            raise self._unreadable("its port is not one of 1 to 65535")
        return url

    def _loaded(self, response: httpcore.Response) -> Loaded:
        if response.status == 206:
            raise self._unreadable("the server sent a part of it, which nobody asked for; try again later")
        if not 200 <= response.status < 300:
            raise self._unreadable(f"the server answered with status {response.status}")
        announced = _header(response, b"content-length")
        if announced.isdecimal() and int(announced) > self._limit:
            raise self._too_large()
        data = self._unpacked(response.iter_stream(), _header(response, b"content-encoding"))
        media_type, charset = split_media_type(_header(response, b"content-type"))
        name = _disposition_name(response) or _safe_name(unquote(self._url.path, errors="replace"))
        return Loaded(
            SourceContent.of_bytes(data, media_type=media_type, filename=name or None, charset=charset)
        )

    def _unpacked(self, body: Iterator[bytes], encoding: str) -> bytes:
        """The body as it was before it was packed for the way."""
        try:
            return b"".join(self._bounded(unpacked(self._bounded(body), encoding, self._limit)))
        except PackingError as error:
            raise self._unreadable(
                f"{error}; try again, or fetch it by other means and send the file"
            ) from None

    def _bounded(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """The parts, as long as there are no more bytes than the limit, and time."""
        size = 0
        for part in parts:
            self._budget.left()
            size += len(part)
            if size > self._limit:
                raise self._too_large()
            yield part

    def _unreadable(self, why: str) -> SourceError:
        return SourceError(f"{self._shown} cannot be fetched: {why}")

    def _too_large(self) -> InputTooLarge:
        return InputTooLarge(f"{self._shown} has more than {self._limit} bytes; raise INDX_MAX_INPUT_BYTES")


def _core_url(url: httpx.URL) -> httpcore.URL:
    return httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)


def _header(response: httpcore.Response, name: bytes) -> str:
    """The first field of that name; servers write UTF-8 where they may not, and Latin-1 where they may."""
    value = next((value for key, value in response.headers if key.lower() == name), b"")
    try:
        return value.decode("utf-8").strip()
    except UnicodeDecodeError:
        return value.decode("latin-1").strip()


def _disposition_name(response: httpcore.Response) -> str:
    value = _header(response, b"content-disposition")[:2048]
    if not value:
        return ""
    message = Message()
    message["content-disposition"] = value
    return _safe_name(message.get_filename() or "")


def _safe_name(name: str) -> str:
    """The last segment of `name` without control and direction marks: a name, never a path."""
    last = _NOT_IN_NAMES.sub("", clean_text(name)).replace("\\", "/").rpartition("/")[2].strip()
    return "" if not last.strip(".") else last[-_LONGEST_NAME:]
