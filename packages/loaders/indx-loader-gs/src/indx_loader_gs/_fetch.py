"""One object through google-cloud-storage: bounded in time as a whole, and in size as it arrives."""

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

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.leaving import done_within
from indx_core.media import split_media_type
from indx_core.ports.sources import Loaded, SourceContent
from indx_loader_gs.settings import CREDENTIALS_JSON, ENDPOINT_URL, TIMEOUT_SECONDS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_loader_gs._object import GsObject

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.gs")
_OWN_KEY: Final = "ResourceIsEncryptedWithCustomerEncryptionKey"


def fetch(wanted: GsObject, limit: int, deadline: Deadline) -> Loaded:
    """The object, in a thread of its own: no setting of the client ends a body that only drips.

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
        name="indx-loader-gs",
    )


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
        """Begin anew, which the client does when a packed object is sent again."""
        assert position == 0
        self.parts.clear()
        self._left = self._limit


def _load(wanted: GsObject, limit: int, seconds: float, own: Deadline) -> Loaded:
    sink = _Sink(limit, own)
    try:
        client = _client()
        try:
            blob = client.bucket(wanted.bucket).blob(wanted.name)
            blob.download_to_file(sink, timeout=seconds, retry=DEFAULT_RETRY.with_timeout(seconds))
        finally:
            client.close()
    except _Full:
        raise InputTooLarge(
            f"{wanted.shown} has more than {limit} bytes; raise INDX_MAX_INPUT_BYTES"
        ) from None
    except _Late:
        raise _too_slow(wanted, seconds) from None
    except InvalidOperation:  # an anonymous caller was told to come with a token
        raise _refused(wanted) from None
    except DefaultCredentialsError:
        raise _unreadable(
            wanted,
            f"there are no credentials; set {CREDENTIALS_JSON.name}, or give the process "
            "Application Default Credentials",
        ) from None
    except (GoogleAPICallError, InvalidResponse) as error:
        raise _refusal(wanted, error) from None
    except RetryError:
        raise _unreadable(
            wanted, f"it failed again and again; try later, or raise {TIMEOUT_SECONDS.name}"
        ) from None
    except GoogleAuthError as error:
        _log.info("%s: its credentials failed: %s", wanted.shown, type(error).__name__)
        raise _refused(wanted) from None
    except (DataCorruption, OSError, ValueError) as error:
        _log.info("%s failed: %s", wanted.shown, type(error).__name__, exc_info=error)
        raise _unreadable(wanted, f"the request failed ({type(error).__name__}); try again later") from None
    data = b"".join(sink.parts)
    media_type, charset = split_media_type(blob.content_type)
    name = clean_text(wanted.name).rpartition("/")[2] or None
    return Loaded(SourceContent.of_bytes(data, media_type=media_type, filename=name, charset=charset))


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


def _refusal(wanted: GsObject, error: GoogleAPICallError | InvalidResponse) -> SourceError:
    """What the server's answer means; its own words go to nobody, they may tell of what is inside."""
    if error.response is not None:
        error.response.close()
    status = error.code if isinstance(error, GoogleAPICallError) else error.response.status_code
    _log.info("%s failed: status %s, %s", wanted.shown, status, type(error).__name__)
    if isinstance(error, NotFound):
        return _unreadable(
            wanted, "there is no such object; check its bucket and name (a % in a name is written %25)"
        )
    if _OWN_KEY in str(error):
        return SourceError(
            f"{wanted.shown} is encrypted with a key of its owner; store it without one to load it",
            code="source_encrypted",
        )
    if isinstance(error, Unauthorized | Forbidden):
        return _refused(wanted)
    return _unreadable(wanted, f"the storage answered with status {int(status or 0)}")


def _refused(wanted: GsObject) -> SourceError:
    return _unreadable(
        wanted, "the storage refuses these credentials; check that they are valid and may read it"
    )


def _too_slow(wanted: GsObject, seconds: float) -> SourceError:
    return _unreadable(wanted, f"it took over {seconds:g} s; raise {TIMEOUT_SECONDS.name}, or try later")


def _unreadable(wanted: GsObject, why: str) -> SourceError:
    return SourceError(f"{wanted.shown} cannot be loaded: {why}")
