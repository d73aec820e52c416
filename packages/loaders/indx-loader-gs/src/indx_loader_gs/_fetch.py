"""One object through google-cloud-storage, bounded in size as it arrives."""

from __future__ import annotations

import logging
import os
import re
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import google.auth
from google.api_core.exceptions import Forbidden, GoogleAPICallError, NotFound, RetryError, Unauthorized
from google.auth.credentials import AnonymousCredentials
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError, InvalidOperation
from google.auth.transport.requests import AuthorizedSession, Request
from google.cloud.storage import Client
from google.cloud.storage.exceptions import DataCorruption, InvalidResponse
from google.cloud.storage.retry import DEFAULT_RETRY
from google.oauth2 import service_account

from indx_loader_gs.settings import CREDENTIALS_JSON, ENDPOINT_URL, TIMEOUT_SECONDS
from indx_loader_object import Fetched

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.errors import SourceError
    from indx_loader_object import Attempt, StoredObject

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.gs")
_PLACE: Final = re.compile(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18})")
_OWN_KEY: Final = "ResourceIsEncryptedWithCustomerEncryptionKey"


class _Full(Exception):
    """There is more than may be brought."""


class _Late(Exception):
    """There is no time for more."""


class _NoKey(Exception):
    """What is set as a key is none."""


class _Partial(Exception):
    """What is sent is not what was asked for."""


class _Sink:
    """Takes what arrives, no more of it than the limit, and no part twice or in another's place."""

    def __init__(self, limit: int, own: Deadline) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.total: int | None = None
        self._limit = limit
        self._own = own

    def write(self, part: bytes) -> None:
        """Keep `part`."""
        if self._own.passed:
            raise _Late
        self.size += len(part)
        if self.size > self._limit:
            raise _Full
        self.parts.append(part)

    def seek(self, position: int) -> None:
        """Begin anew, which the client does when an object is sent again."""
        assert position == 0
        self.parts.clear()
        self.size = 0

    def check(self, answer: Any, **_: Any) -> None:
        """Make sure that an answer goes on where the last one ended; the client takes it for granted."""
        if answer.status_code == 200 and self.size:
            raise _Partial
        if answer.status_code == 206:
            place = _PLACE.fullmatch(answer.headers.get("Content-Range", ""))
            if place is None or int(place[1]) != self.size:
                raise _Partial
            self.total = int(place[2])


def fetch(wanted: StoredObject, limit: int, attempt: Attempt) -> Fetched:
    """The object as it is stored.

    Raises:
        SourceError: `source_unreadable`, or `source_encrypted`.
    """
    sink = _Sink(limit, attempt.own)
    try:
        with closing(_client(attempt, sink)) as client:
            blob = client.bucket(wanted.container).blob(wanted.name)
            retry = DEFAULT_RETRY.with_timeout(attempt.seconds)
            blob.download_to_file(sink, raw_download=True, timeout=attempt.seconds, retry=retry)
        if sink.total not in (None, sink.size):
            raise _Partial
    except _Full:
        return Fetched(None)
    except _Late:
        raise wanted.too_slow(attempt.seconds) from None
    except _Partial:
        raise wanted.partial() from None
    except _NoKey:
        raise wanted.unreadable(
            f"{CREDENTIALS_JSON.name} is no usable key; create a key of the service account anew"
        ) from None
    except InvalidOperation:  # an anonymous caller was told to come with a token
        raise wanted.refused() from None
    except DefaultCredentialsError:
        raise wanted.unreadable(
            f"there are no credentials; set {CREDENTIALS_JSON.name}, or give the process "
            "Application Default Credentials"
        ) from None
    except (GoogleAPICallError, InvalidResponse) as error:
        raise _refusal(wanted, error) from None
    except RetryError as error:
        kind = type(error.cause).__name__
        raise wanted.unreadable(
            f"it failed again and again ({kind}); {_where()}try later, or raise {TIMEOUT_SECONDS.name}"
        ) from None
    except GoogleAuthError as error:
        _named(wanted, error)
        raise wanted.refused() from None
    except (DataCorruption, OSError, ValueError) as error:
        raise wanted.unreadable(
            f"the request failed ({_named(wanted, error)}); {_where()}try again later"
        ) from None
    return Fetched(b"".join(sink.parts), blob.content_type or "", blob.content_encoding or "")


def _where() -> str:
    """The setting to look at first, where one says who is asked."""
    return f"check {ENDPOINT_URL.name}, or " if ENDPOINT_URL.is_set() else ""


def _named(wanted: StoredObject, error: Exception) -> str:
    """What failed by its kind alone, for the log too: its text may hold an address, a key or a token."""
    _log.info("%s failed: %s", wanted.shown, type(error).__name__)
    return type(error).__name__


def _client(attempt: Attempt, sink: _Sink) -> Client:
    # It would ask after the bucket too, for traces that nobody takes, with rights that nobody else needs.
    os.environ.setdefault("DISABLE_GCS_PYTHON_CLIENT_OTEL_BUCKET_METADATA", "true")
    asking = Request()
    attempt.connections.watch_session(asking.session)
    credentials = _credentials(asking)
    session = AuthorizedSession(credentials, auth_request=asking)
    session.configure_mtls_channel()
    attempt.connections.watch_session(session)
    session.hooks["response"].append(sink.check)
    endpoint = ENDPOINT_URL.get()
    options = {"api_endpoint": endpoint} if endpoint else None
    return Client(project=None, credentials=credentials, client_options=options, _http=session)


def _credentials(asking: Request) -> Any:
    key = CREDENTIALS_JSON.get()
    if key is not None:
        of_key: Any = service_account.Credentials.from_service_account_info
        try:
            return of_key(key, scopes=Client.SCOPE)
        except (GoogleAuthError, ValueError, TypeError):  # whose words may hold a part of it
            raise _NoKey from None
    if ENDPOINT_URL.get() is not None:  # the token of this process is not for whoever answers there
        anonymous: Any = AnonymousCredentials
        return anonymous()
    default: Any = google.auth.default
    found, _ = default(scopes=Client.SCOPE, request=asking)
    return found


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
