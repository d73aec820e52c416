"""One object through boto3: bounded in time as a whole, and in size as it arrives."""

from __future__ import annotations

import logging
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import boto3
import botocore.loaders
import botocore.session
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, PartialCredentialsError

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.leaving import done_within
from indx_core.media import split_media_type
from indx_core.ports.sources import Loaded, SourceContent
from indx_loader_s3.settings import (
    ACCESS_KEY_ID,
    ENDPOINT_URL,
    REGION,
    SECRET_ACCESS_KEY,
    SESSION_TOKEN,
    TIMEOUT_SECONDS,
)

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_loader_s3._object import S3Object

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.s3")
_STEP: Final = 1 << 16
_UNDECLARED: Final = frozenset({"binary/octet-stream"})  # what S3 says where nobody named a type
_ABSENT: Final = frozenset({"NoSuchKey", "NoSuchBucket", "404"})


def fetch(wanted: S3Object, limit: int, deadline: Deadline) -> Loaded:
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
        name="indx-loader-s3",
    )


def _load(wanted: S3Object, limit: int, seconds: float, own: Deadline) -> Loaded:
    try:
        with closing(_client(seconds)) as client:
            answer = client.get_object(Bucket=wanted.bucket, Key=wanted.key)
            with closing(answer["Body"]) as body:
                data = _read(body, answer.get("ContentLength", 0), limit, own)
        if own.passed:
            raise _too_slow(wanted, seconds)
    except (NoCredentialsError, PartialCredentialsError):
        raise _unreadable(
            wanted,
            f"there are no credentials; set {ACCESS_KEY_ID.name} and {SECRET_ACCESS_KEY.name}, "
            "or give boto3's own chain some",
        ) from None
    except ClientError as error:
        raise _refusal(wanted, error) from None
    except (BotoCoreError, OSError, ValueError) as error:
        _log.info("%s failed: %s", wanted.shown, type(error).__name__, exc_info=error)
        raise _unreadable(
            wanted, f"the request failed ({type(error).__name__}); check the endpoint and the region"
        ) from None
    if data is None:
        raise InputTooLarge(f"{wanted.shown} has more than {limit} bytes; raise INDX_MAX_INPUT_BYTES")
    kind, charset = split_media_type(str(answer.get("ContentType", "")))
    name = clean_text(wanted.key).rpartition("/")[2] or None
    media_type = "" if kind in _UNDECLARED else kind
    return Loaded(SourceContent.of_bytes(data, media_type=media_type, filename=name, charset=charset))


@cache
def _models() -> Any:
    """The description of the service, some 10 MB: read once, while credentials are found anew each time."""
    return botocore.loaders.create_loader()


def _client(seconds: float) -> Any:
    endpoint, key, secret = ENDPOINT_URL.get(), ACCESS_KEY_ID.get(), SECRET_ACCESS_KEY.get()
    keys: dict[str, str | None] = {}
    if key or secret:
        if not (key and secret):
            raise NoCredentialsError
        keys = {"aws_access_key_id": key, "aws_secret_access_key": secret}
        keys["aws_session_token"] = SESSION_TOKEN.get()
    session = botocore.session.Session()
    session.register_component("data_loader", _models())
    return boto3.session.Session(botocore_session=session, region_name=REGION.get(), **keys).client(
        "s3",
        endpoint_url=endpoint,
        config=Config(
            connect_timeout=seconds,
            read_timeout=seconds,
            retries={"total_max_attempts": 2, "mode": "standard"},
            s3={"addressing_style": "path" if endpoint else "auto"},
        ),
    )


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


def _refusal(wanted: S3Object, error: ClientError) -> SourceError:
    """What the server's answer means; its own words go to nobody, they may tell of what is inside."""
    answer: Any = error.response
    code = str(answer.get("Error", {}).get("Code", ""))
    status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode")
    said = str(answer.get("Error", {}).get("Message", ""))
    _log.info("%s failed: status %s, %s", wanted.shown, status, code)
    if code in _ABSENT or status == 404:
        return _unreadable(
            wanted, "there is no such object; check its bucket and key (a % in a key is written %25)"
        )
    if code == "InvalidRequest" and "ncrypt" in said:
        return SourceError(
            f"{wanted.shown} is encrypted with a key of its owner; store it without one to load it",
            code="source_encrypted",
        )
    if code == "InvalidObjectState":
        return _unreadable(wanted, "it is archived; restore it first")
    if status in (401, 403):
        return _unreadable(
            wanted, "the storage refuses these credentials; check that they are valid and may read it"
        )
    return _unreadable(wanted, f"the storage answered with status {status}")


def _too_slow(wanted: S3Object, seconds: float) -> SourceError:
    return _unreadable(
        wanted, f"it took longer than {seconds:g} s; raise {TIMEOUT_SECONDS.name} or try later"
    )


def _unreadable(wanted: S3Object, why: str) -> SourceError:
    return SourceError(f"{wanted.shown} cannot be loaded: {why}")
