"""One object through google-cloud-storage, bounded in size as it arrives."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Final

from google.api_core.exceptions import Forbidden, GoogleAPICallError, NotFound, RetryError, Unauthorized
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError, InvalidOperation
from google.cloud.storage import Client
from google.cloud.storage.exceptions import DataCorruption, InvalidResponse
from google.cloud.storage.retry import DEFAULT_RETRY
from google.oauth2 import service_account

from indx_loader_gs.settings import CREDENTIALS_JSON, ENDPOINT_URL, TIMEOUT_SECONDS
from indx_loader_object import Fetched

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.errors import SourceError
    from indx_loader_object import StoredObject

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.gs")
_OWN_KEY: Final = "ResourceIsEncryptedWithCustomerEncryptionKey"


class _Full(Exception):
    """There is more than may be brought."""


class _Late(Exception):
    """There is no time for more."""


class _Sink:
    """Takes what arrives, no more of it than the limit."""

    def __init__(self, limit: int, own: Deadline) -> None:
        self.parts: list[bytes] = []
        self._left = limit
        self._limit = limit
        self._own = own

    def write(self, part: bytes) -> None:
        """Keep `part`."""
        if self._own.passed:
            raise _Late
        self._left -= len(part)
        if self._left < 0:
            raise _Full
        self.parts.append(part)

    def seek(self, position: int) -> None:
        """Begin anew, which the client does when an object is sent again."""
        assert position == 0
        self.parts.clear()
        self._left = self._limit


def fetch(wanted: StoredObject, limit: int, seconds: float, own: Deadline) -> Fetched:
    """The object as it is stored.

    Raises:
        SourceError: `source_unreadable`, or `source_encrypted`.
    """
    sink = _Sink(limit, own)
    try:
        client = _client()
        try:
            blob = client.bucket(wanted.container).blob(wanted.name)
            blob.download_to_file(
                sink, raw_download=True, timeout=seconds, retry=DEFAULT_RETRY.with_timeout(seconds)
            )
        finally:
            client.close()
    except _Full:
        return Fetched(None)
    except _Late:
        raise wanted.too_slow(seconds) from None
    except InvalidOperation:  # an anonymous caller was told to come with a token
        raise wanted.refused() from None
    except DefaultCredentialsError:
        raise wanted.unreadable(
            f"there are no credentials; set {CREDENTIALS_JSON.name}, or give the process "
            "Application Default Credentials"
        ) from None
    except (GoogleAPICallError, InvalidResponse) as error:
        raise _refusal(wanted, error) from None
    except RetryError:
        raise wanted.unreadable(
            f"it failed again and again; try later, or raise {TIMEOUT_SECONDS.name}"
        ) from None
    except GoogleAuthError as error:
        _log.info("%s: its credentials failed: %s", wanted.shown, type(error).__name__)
        raise wanted.refused() from None
    except (DataCorruption, OSError, ValueError) as error:
        _log.info("%s failed: %s", wanted.shown, type(error).__name__, exc_info=error)
        raise wanted.unreadable(f"the request failed ({type(error).__name__}); try again later") from None
    return Fetched(b"".join(sink.parts), blob.content_type or "", blob.content_encoding or "")


def _client() -> Client:
    # It would ask after the bucket too, for traces that nobody takes, with rights that nobody else needs.
    os.environ.setdefault("DISABLE_GCS_PYTHON_CLIENT_OTEL_BUCKET_METADATA", "true")
    key, endpoint = CREDENTIALS_JSON.get(), ENDPOINT_URL.get()
    of_key: Any = service_account.Credentials.from_service_account_info
    anonymous: Any = AnonymousCredentials
    credentials = None
    if key is not None:
        credentials = of_key(key)
    elif endpoint is not None:  # the token of this process is not for whoever answers there
        credentials = anonymous()
    options = {"api_endpoint": endpoint} if endpoint else None
    return Client(project=None, credentials=credentials, client_options=options)


def _refusal(wanted: StoredObject, error: GoogleAPICallError | InvalidResponse) -> SourceError:
    """What the server's answer means; its own words go to nobody, they may tell of what is inside."""
    if error.response is not None:
        error.response.close()
    status = error.code if isinstance(error, GoogleAPICallError) else error.response.status_code
    _log.info("%s failed: status %s, %s", wanted.shown, status, type(error).__name__)
    if isinstance(error, NotFound):
        return wanted.absent()
    if _OWN_KEY in str(error):
        return wanted.encrypted()
    if isinstance(error, Unauthorized | Forbidden):
        return wanted.refused()
    return wanted.unreadable(f"the storage answered with status {int(status or 0)}")
