"""One object through boto3, bounded in size as it arrives."""

from __future__ import annotations

import logging
import threading
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import boto3
import botocore.loaders
import botocore.session
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConfigNotFound,
    ConfigParseError,
    CredentialRetrievalError,
    InvalidConfigError,
    MetadataRetrievalError,
    NoCredentialsError,
    PartialCredentialsError,
    ProfileNotFound,
    SSOError,
    TokenRetrievalError,
)
from urllib3.exceptions import HTTPError

from indx_loader_object import Fetched
from indx_loader_s3.settings import ACCESS_KEY_ID, ENDPOINT_URL, REGION, SECRET_ACCESS_KEY, SESSION_TOKEN

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.errors import SourceError
    from indx_loader_object import Attempt, Connections, StoredObject

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.s3")
_STEP: Final = 1 << 16
_MOST_REQUESTS: Final = 8
"""For one object: to another region and once again; a server may send its client round and round."""
_ABSENT: Final = frozenset({"NoSuchKey", "NoSuchBucket", "404"})
_REFUSED: Final = frozenset({"ExpiredToken", "InvalidToken", "TokenRefreshRequired"})
_ELSEWHERE: Final = frozenset({"PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed"})
_OF_CREDENTIALS: Final = (
    *(ConfigNotFound, ConfigParseError, CredentialRetrievalError, InvalidConfigError),
    *(MetadataRetrievalError, ProfileNotFound, SSOError, TokenRetrievalError),
)


def fetch(wanted: StoredObject, limit: int, attempt: Attempt) -> Fetched:
    """The object as it is stored.

    Raises:
        SourceError: `source_unreadable`, or `source_encrypted`.
    """
    try:
        with closing(_client(wanted, attempt)) as client:
            answer = client.get_object(Bucket=wanted.container, Key=wanted.name)
            status = answer["ResponseMetadata"]["HTTPStatusCode"]
            with closing(answer["Body"]) as body:
                if status == 206:
                    raise wanted.partial()
                if status != 200:
                    raise wanted.unreadable(f"the storage answered with status {status}")
                data = _read(body, answer.get("ContentLength", 0), limit, attempt.own)
    except (NoCredentialsError, PartialCredentialsError):
        raise wanted.unreadable(
            f"there are no credentials; set {ACCESS_KEY_ID.name} and {SECRET_ACCESS_KEY.name}, "
            "or give boto3's own chain some"
        ) from None
    except _OF_CREDENTIALS as error:
        raise wanted.unreadable(
            f"boto3's own chain brought no credentials ({_named(wanted, error)}); correct its configuration, "
            f"or set {ACCESS_KEY_ID.name} and {SECRET_ACCESS_KEY.name}"
        ) from None
    except ClientError as error:
        raise _refusal(wanted, error) from None
    except (BotoCoreError, HTTPError, OSError, ValueError) as error:
        raise wanted.unreadable(
            f"the request failed ({_named(wanted, error)}); check {ENDPOINT_URL.name} and {REGION.name}, "
            "or try again later"
        ) from None
    return Fetched(data, str(answer.get("ContentType", "")), str(answer.get("ContentEncoding", "")))


def _named(wanted: StoredObject, error: Exception) -> str:
    """What failed by its kind alone, for the log too: its text may hold an address, a key or a token."""
    _log.info("%s failed: %s", wanted.shown, type(error).__name__)
    return type(error).__name__


def _without_trace(record: logging.LogRecord) -> bool:
    """Keep what botocore says of credentials that a load lacks, less the traceback of how it failed to.

    What the application asks of botocore itself is logged as ever.
    """
    if threading.current_thread().name == "indx-loader-s3":
        record.exc_info = None
    return True


logging.getLogger("botocore.credentials").addFilter(_without_trace)


@cache
def _models() -> Any:
    """The description of the service, some 10 MB: read once, while credentials are found anew each time."""
    return botocore.loaders.create_loader()


class _Session(botocore.session.Session):  # type: ignore[misc]
    """A session whose clients connect under one attempt, those too that bring the credentials."""

    def __init__(self, connections: Connections) -> None:
        super().__init__()
        self._connections = connections

    def create_client(self, *args: Any, **options: Any) -> Any:
        client = super().create_client(*args, **options)
        # botocore offers no other way to what it connects with.
        pools = client._endpoint.http_session._pool_classes_by_scheme  # noqa: SLF001
        pools.update(self._connections.watched_pools(pools))
        return client


def _client(wanted: StoredObject, attempt: Attempt) -> Any:
    endpoint, key, secret = ENDPOINT_URL.get(), ACCESS_KEY_ID.get(), SECRET_ACCESS_KEY.get()
    keys: dict[str, str | None] = {}
    if key or secret:
        if not (key and secret):
            raise NoCredentialsError
        keys = {"aws_access_key_id": key, "aws_secret_access_key": secret}
        keys["aws_session_token"] = SESSION_TOKEN.get()
    session = _Session(attempt.connections)
    session.register_component("data_loader", _models())
    # It holds too for the services that credentials come from.
    session.set_default_client_config(
        Config(
            connect_timeout=attempt.seconds,
            read_timeout=attempt.seconds,
            retries={"total_max_attempts": 2, "mode": "standard"},
        )
    )
    client = boto3.session.Session(botocore_session=session, region_name=REGION.get(), **keys).client(
        "s3", endpoint_url=endpoint, config=Config(s3={"addressing_style": "path" if endpoint else "auto"})
    )
    asked: list[None] = []

    def count(**_: Any) -> None:
        asked.append(None)
        if len(asked) > _MOST_REQUESTS:
            raise _elsewhere(wanted)

    client.meta.events.register("before-send.s3", count)
    return client


def _read(body: Any, announced: int, limit: int, own: Deadline) -> bytes | None:
    """All bytes, or None when there are more than `limit`, whatever was announced."""
    if announced > limit:
        return None
    parts: list[bytes] = []
    size = 0
    while not own.passed and (part := body.read(min(_STEP, limit - size + 1))):
        size += len(part)
        if size > limit:
            return None
        parts.append(part)
    return b"".join(parts)


def _refusal(wanted: StoredObject, error: ClientError) -> SourceError:
    """What the server's answer means; its own words go to nobody, they may tell of what is inside."""
    answer: Any = error.response
    code = str(answer.get("Error", {}).get("Code", ""))
    status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode")
    said = str(answer.get("Error", {}).get("Message", ""))
    _log.info("%s failed: status %s, %s", wanted.shown, status, code)
    if code in _ABSENT or status == 404:
        return wanted.absent()
    if code == "InvalidRequest" and "ncrypt" in said:
        return wanted.encrypted()
    if code == "InvalidObjectState":
        return wanted.unreadable("it is archived; restore it first")
    if code in _ELSEWHERE or status in (301, 302, 307):
        return _elsewhere(wanted)
    if code in _REFUSED or status in (401, 403):
        return wanted.refused()
    return wanted.unreadable(f"the storage answered with status {status}")


def _elsewhere(wanted: StoredObject) -> SourceError:
    return wanted.unreadable(f"its bucket is elsewhere, says the storage; set {REGION.name} to its region")
