"""One blob through azure-storage-blob, bounded in size as it arrives."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

from azure.core.exceptions import AzureError, ClientAuthenticationError, HttpResponseError
from azure.identity import CredentialUnavailableError, DefaultAzureCredential
from azure.storage.blob import BlobServiceClient

from indx_loader_az.settings import ACCOUNT, CONNECTION_STRING
from indx_loader_object import Fetched

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.errors import SourceError
    from indx_loader_object import StoredObject

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.az")
_FIRST: Final = 1 << 19
_STEP: Final = 4 << 20
_OWN_KEY: Final = "BlobUsesCustomerSpecifiedEncryption"


def fetch(wanted: StoredObject, limit: int, seconds: float, own: Deadline) -> Fetched:
    """The blob as it is stored.

    Raises:
        SourceError: `source_unreadable`, or `source_encrypted`.
    """
    try:
        with ExitStack() as opened:
            blob = _client(wanted, seconds, opened).get_blob_client(wanted.container, wanted.name)
            answer = blob.download_blob(raw_response_hook=_check_length, decompress=False)
            settings = answer.properties.content_settings
            data = _read(answer, limit, own)
    except CredentialUnavailableError:
        raise wanted.unreadable(
            f"there are no credentials; set {CONNECTION_STRING.name}, or give the process an Azure identity"
        ) from None
    except ClientAuthenticationError as error:
        _log.info("%s: its credentials failed: %s", wanted.shown, type(error).__name__)
        raise wanted.refused() from None
    except HttpResponseError as error:
        raise _refusal(wanted, error) from None
    except (AzureError, OSError, ValueError) as error:
        _log.info("%s failed: %s", wanted.shown, type(error).__name__)
        raise wanted.unreadable(
            f"the request failed ({type(error).__name__}); check the account, or try again later"
        ) from None
    return Fetched(data, str(settings.content_type or ""), str(settings.content_encoding or ""))


def _client(wanted: StoredObject, seconds: float, opened: ExitStack) -> BlobServiceClient:
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
            raise wanted.unreadable(
                f"{CONNECTION_STRING.name} is no connection string; copy it from the account's keys"
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
    if status is None or status < 300:  # what failed is the way, not the storage
        return wanted.unreadable("the request failed; try again later")
    return wanted.unreadable(f"the storage answered with status {status}")
