"""One blob through azure-storage-blob, bounded in size as it arrives."""

from __future__ import annotations

import logging
import re
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from azure.core.exceptions import AzureError, ClientAuthenticationError, HttpResponseError
from azure.core.pipeline.transport import RequestsTransport
from azure.identity import DefaultAzureCredential
from azure.storage.blob import BlobServiceClient

from indx_loader_az.settings import ACCOUNT, CONNECTION_STRING
from indx_loader_object import Fetched

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.errors import SourceError
    from indx_loader_object import Attempt, StoredObject

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.az")
_FIRST: Final = 1 << 19
_STEP: Final = 4 << 20
_PLACE: Final = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18})")
_WISH: Final = re.compile(r"bytes=(\d{1,18})-(\d{1,18})")
_REMEDY: Final = "check the account that {} names, or try again later"
_OWN_KEY: Final = "BlobUsesCustomerSpecifiedEncryption"


class _Partial(ValueError):
    """What is sent is not what was asked for."""


def fetch(wanted: StoredObject, limit: int, attempt: Attempt) -> Fetched:
    """The blob as it is stored.

    Raises:
        SourceError: `source_unreadable`, or `source_encrypted`.
    """
    try:
        with ExitStack() as opened:
            blob = _client(wanted, attempt, opened).get_blob_client(wanted.container, wanted.name)
            answer = blob.download_blob(raw_response_hook=_check, decompress=False)
            settings = answer.properties.content_settings
            data = _read(answer, limit, attempt.own)
    except ClientAuthenticationError as error:
        _named(wanted, error)
        if error.response is not None:
            raise wanted.refused() from None
        raise wanted.unreadable(
            f"there are no credentials that serve; set {CONNECTION_STRING.name}, "
            "or give the process an Azure identity"
        ) from None
    except _Partial:
        raise wanted.partial() from None
    except HttpResponseError as error:
        raise _refusal(wanted, error) from None
    except (AzureError, OSError, ValueError) as error:
        raise wanted.unreadable(
            f"the request failed ({_named(wanted, error)}); {_REMEDY.format(_in_force())}"
        ) from None
    return Fetched(data, str(settings.content_type or ""), str(settings.content_encoding or ""))


def _in_force() -> str:
    """The setting that says which account is asked, and where."""
    return CONNECTION_STRING.name if CONNECTION_STRING.is_set() else ACCOUNT.name


def _named(wanted: StoredObject, error: Exception) -> str:
    """What failed by its kind alone, for the log too: its text may hold an address, a key or a token."""
    _log.info("%s failed: %s", wanted.shown, type(error).__name__)
    return type(error).__name__


def _is_of_others(_: logging.LogRecord) -> bool:
    """Leave out what the client warns of when none of its identities serves a load.

    It quotes the services that it asked. What each identity met is logged apart, for whoever asks for it.
    """
    return threading.current_thread().name != "indx-loader-az"


logging.getLogger("azure.identity._credentials.chained").addFilter(_is_of_others)


def _client(wanted: StoredObject, attempt: Attempt, opened: ExitStack) -> BlobServiceClient:
    times = {"connection_timeout": attempt.seconds, "read_timeout": attempt.seconds}
    transport = opened.enter_context(RequestsTransport(**times))
    attempt.connections.watch_session(transport.session)
    shared = RequestsTransport(session=transport.session, session_owner=False, **times)
    options: dict[str, Any] = {
        "transport": shared,
        "retry_total": 0,  # the time is what was asked for, not a multiple of it
    }
    sizes = {"max_single_get_size": _FIRST, "max_chunk_get_size": _STEP}
    connection = CONNECTION_STRING.get()
    if connection is not None:
        try:
            client = BlobServiceClient.from_connection_string(connection, **options, **sizes)
        except (ValueError, AzureError):  # whose words may hold a part of it
            raise wanted.unreadable(
                f"{CONNECTION_STRING.name} is no connection string; copy it from the account's keys"
            ) from None
        return opened.enter_context(client)
    credential = opened.enter_context(DefaultAzureCredential(**options))
    address = f"https://{ACCOUNT.get()}.blob.core.windows.net"
    return opened.enter_context(BlobServiceClient(address, credential=credential, **options, **sizes))


def _check(response: Any) -> None:
    """Refuse an answer that is not the part which was asked for: the client would take it, and read it whole.

    Raises:
        _Partial: It is another part, or longer than it may be, or does not say.
    """
    answer, asked = response.http_response, response.http_request.headers
    if answer.status_code >= 300:
        return
    length = _number(answer.headers.get("content-length"))
    wish = _WISH.fullmatch(str(asked.get("x-ms-range") or asked.get("Range")))
    fits = length is not None and length <= _STEP
    if answer.status_code == 200:
        fits = fits and (wish is None or int(wish[1]) == 0)
    else:
        place = _PLACE.fullmatch(str(answer.headers.get("content-range")))
        fits = fits and place is not None and wish is not None
        if place is not None and wish is not None:
            first, last, total = map(int, place.groups())
            fits = first == int(wish[1]) and last == min(int(wish[2]), total - 1)
            fits = fits and length == last - first + 1
    if not fits:
        answer.close()
        raise _Partial


def _number(text: object) -> int | None:
    return int(str(text)) if re.fullmatch(r"[0-9]{1,18}", str(text)) else None


def _read(answer: Any, limit: int, own: Deadline) -> bytes | None:
    """All bytes, or None when there are more than `limit`, or no time for them."""
    if answer.size > limit:
        return None
    parts: list[bytes] = []
    size = 0
    for part in answer.chunks():
        size += len(part)
        if size > limit or own.passed:
            return None
        parts.append(part)
    if size != answer.size:
        raise _Partial
    return b"".join(parts)


def _refusal(wanted: StoredObject, error: HttpResponseError) -> SourceError:
    """What the server's answer means; its own words go to nobody, they may tell of what is inside."""
    status, code = error.status_code, str(getattr(error, "error_code", None))
    _log.info("%s failed: status %s, %s", wanted.shown, status, code)
    if status == 404:
        return wanted.absent()
    if code == _OWN_KEY:
        return wanted.encrypted()
    if code == "BlobArchived":
        return wanted.unreadable("it is archived; bring it back to an online tier first")
    if status in (401, 403):
        return wanted.refused()
    if status == 412:
        return wanted.unreadable("it changed while it was read; try again")
    if status is None or status < 300:  # what failed is the way, not the storage
        return wanted.unreadable(f"the request failed; {_REMEDY.format(_in_force())}")
    return wanted.unreadable(f"the storage answered with status {status}")
