"""One blob through azure-storage-blob: bounded in time as a whole, and in size as it arrives."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from azure.core.exceptions import AzureError, ClientAuthenticationError, HttpResponseError
from azure.identity import CredentialUnavailableError, DefaultAzureCredential
from azure.storage.blob import BlobServiceClient

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.leaving import done_within
from indx_core.media import split_media_type
from indx_core.ports.sources import Loaded, SourceContent
from indx_loader_az.settings import ACCOUNT, CONNECTION_STRING, TIMEOUT_SECONDS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_loader_az._object import AzBlob

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.az")
_FIRST: Final = 1 << 19
_STEP: Final = 4 << 20
_OWN_KEY: Final = "BlobUsesCustomerSpecifiedEncryption"


def fetch(wanted: AzBlob, limit: int, deadline: Deadline) -> Loaded:
    """The blob, in a thread of its own: no setting of the client ends a body that only drips.

    Raises:
        SourceError: `source_unreadable`, or `source_encrypted`.
        InputTooLarge: It has more than `limit` bytes.
        TimedOut: The caller's deadline passed, or nobody waits any longer.
    """
    seconds = TIMEOUT_SECONDS.get()
    return done_within(
        seconds,
        lambda own: _load(wanted, limit, seconds, own),
        deadline=deadline,
        late=lambda: _too_slow(wanted, seconds),
        name="indx-loader-az",
    )


def _load(wanted: AzBlob, limit: int, seconds: float, own: Deadline) -> Loaded:
    try:
        with ExitStack() as opened:
            blob = _client(wanted, seconds, opened).get_blob_client(wanted.container, wanted.name)
            answer = blob.download_blob(raw_response_hook=_check_length, decompress=False)
            kind = answer.properties.content_settings.content_type
            data = _read(answer, limit, own)
    except CredentialUnavailableError:
        raise _unreadable(
            wanted,
            f"there are no credentials; set {CONNECTION_STRING.name}, or give the process an Azure identity",
        ) from None
    except ClientAuthenticationError as error:
        _log.info("%s: its credentials failed: %s", wanted.shown, type(error).__name__)
        raise _refused(wanted) from None
    except HttpResponseError as error:
        raise _refusal(wanted, error) from None
    except (AzureError, OSError, ValueError) as error:
        _log.info("%s failed: %s", wanted.shown, type(error).__name__)
        raise _unreadable(
            wanted, f"the request failed ({type(error).__name__}); check the account, or try again later"
        ) from None
    if data is None:
        if own.passed:
            raise _too_slow(wanted, seconds)
        raise InputTooLarge(f"{wanted.shown} has more than {limit} bytes; raise INDX_MAX_INPUT_BYTES")
    name = clean_text(wanted.name).rpartition("/")[2] or None
    media_type, charset = split_media_type(str(kind or ""))
    return Loaded(SourceContent.of_bytes(data, media_type=media_type, filename=name, charset=charset))


def _client(wanted: AzBlob, seconds: float, opened: ExitStack) -> BlobServiceClient:
    options: dict[str, Any] = {
        "connection_timeout": seconds,
        "read_timeout": seconds,
        "retry_total": 0,  # the time is what was asked for, not a multiple of it
        "max_single_get_size": _FIRST,
        "max_chunk_get_size": _STEP,
    }
    connection = CONNECTION_STRING.get()
    if connection is not None:
        try:
            client = BlobServiceClient.from_connection_string(connection, **options)
        except (ValueError, AzureError):  # whose words may hold a part of it
            raise _unreadable(
                wanted, f"{CONNECTION_STRING.name} is no connection string; copy it from the account's keys"
            ) from None
        return opened.enter_context(client)
    credential = opened.enter_context(DefaultAzureCredential())
    address = f"https://{ACCOUNT.get()}.blob.core.windows.net"
    return opened.enter_context(BlobServiceClient(address, credential=credential, **options))


def _check_length(response: Any) -> None:
    """Refuse an answer longer than what was asked for: the client would read it whole.

    Raises:
        ValueError: It is longer, or does not say.
    """
    answer = response.http_response
    announced = str(answer.headers.get("content-length", ""))
    if answer.status_code < 300 and not (announced.isdecimal() and int(announced) <= _STEP):
        answer.close()
        raise ValueError("the answer is longer than the part that was asked for")


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
    return b"".join(parts)


def _refusal(wanted: AzBlob, error: HttpResponseError) -> SourceError:
    """What the server's answer means; its own words go to nobody, they may tell of what is inside."""
    status, code = error.status_code, str(getattr(error, "error_code", None))
    _log.info("%s failed: status %s, %s", wanted.shown, status, code)
    if status == 404:
        return _unreadable(
            wanted, "there is no such blob; check its container and name (a % in a name is written %25)"
        )
    if code == _OWN_KEY:
        return SourceError(
            f"{wanted.shown} is encrypted with a key of its owner; store it without one to load it",
            code="source_encrypted",
        )
    if code == "BlobArchived":
        return _unreadable(wanted, "it is archived; bring it back to an online tier first")
    if status in (401, 403):
        return _refused(wanted)
    if status is None or status < 300:  # what failed is the way, not the storage
        return _unreadable(wanted, "the request failed; try again later")
    return _unreadable(wanted, f"the storage answered with status {status}")


def _refused(wanted: AzBlob) -> SourceError:
    return _unreadable(
        wanted, "the storage refuses these credentials; check that they are valid and may read it"
    )


def _too_slow(wanted: AzBlob, seconds: float) -> SourceError:
    return _unreadable(wanted, f"it took over {seconds:g} s; raise {TIMEOUT_SECONDS.name}, or try later")


def _unreadable(wanted: AzBlob, why: str) -> SourceError:
    return SourceError(f"{wanted.shown} cannot be loaded: {why}")
