"""One object through boto3, bounded in size as it arrives."""

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

from indx_loader_object import Fetched
from indx_loader_s3.settings import ACCESS_KEY_ID, ENDPOINT_URL, REGION, SECRET_ACCESS_KEY, SESSION_TOKEN

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.errors import SourceError
    from indx_loader_object import StoredObject

__all__ = ["fetch"]

_log: Final = logging.getLogger("indx.loader.s3")
_STEP: Final = 1 << 16
_ABSENT: Final = frozenset({"NoSuchKey", "NoSuchBucket", "404"})


def fetch(wanted: StoredObject, limit: int, seconds: float, own: Deadline) -> Fetched:
    """The object as it is stored.

    Raises:
        SourceError: `source_unreadable`, or `source_encrypted`.
    """
    try:
        with closing(_client(seconds)) as client:
            answer = client.get_object(Bucket=wanted.container, Key=wanted.name)
            with closing(answer["Body"]) as body:
                data = _read(body, answer.get("ContentLength", 0), limit, own)
    except (NoCredentialsError, PartialCredentialsError):
        raise wanted.unreadable(
            f"there are no credentials; set {ACCESS_KEY_ID.name} and {SECRET_ACCESS_KEY.name}, "
            "or give boto3's own chain some"
        ) from None
    except ClientError as error:
        raise _refusal(wanted, error) from None
    except (BotoCoreError, OSError, ValueError) as error:
        _log.info("%s failed: %s", wanted.shown, type(error).__name__, exc_info=error)
        raise wanted.unreadable(
            f"the request failed ({type(error).__name__}); check the endpoint and the region"
        ) from None
    return Fetched(data, str(answer.get("ContentType", "")), str(answer.get("ContentEncoding", "")))


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
    if status in (401, 403):
        return wanted.refused()
    return wanted.unreadable(f"the storage answered with status {status}")
