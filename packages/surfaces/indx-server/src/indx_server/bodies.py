"""Bodies of requests: JSON, or a file beside JSON, spooled as they come and bounded while they come."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO, Final, TypeVar, cast

from fastapi import Request
from pydantic import BaseModel
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect

from indx_core.canonical import clean_text
from indx_core.contracts.parsing import parse_json
from indx_core.errors import InputTooLarge, InvalidRequest, TimedOut, UnsupportedMediaType
from indx_source.settings import MAX_INPUT_BYTES

__all__ = ["RECORD_BYTES", "Body", "Upload", "read_json", "receive"]

M = TypeVar("M", bound=BaseModel)
P = TypeVar("P", bound=BaseModel)

RECORD_BYTES: Final = 8 * 1024 * 1024
"""The most a body may have beside its source: a plan of many pages is the largest thing anyone sends."""

_SPOOL: Final = 1024 * 1024  # bytes of a body that are held in memory; what is beyond goes to a file
_SILENCE: Final = 60.0  # seconds a sender may say nothing
_PACE: Final = 8192  # bytes a second that keep a sender who is slower from holding a place for hours
_JSON: Final = "application/json"
_FORM: Final = "multipart/form-data"


@dataclass(frozen=True, slots=True)
class Upload:
    """The file of a multipart body."""

    data: bytes
    media_type: str | None
    filename: str | None

    def described(self, *, named: bool = True) -> dict[str, Any]:
        """The members of an inline source, or input, that this file is."""
        told = {"data": self.data, "media_type": self.media_type}
        return told | {"filename": self.filename} if named else told


@dataclass(slots=True)
class Body:
    """What was received, not yet read: the JSON, and the file where there is one."""

    text: IO[bytes]
    file: UploadFile | None = None

    def read(self, whole: type[M], part: type[P], join: Callable[[P, Upload], M]) -> M:
        """The request, of a JSON body or of a file and its part. Not for the event loop.

        Raises:
            InvalidRequest: It does not fit the model.
        """
        text = self.text.read()
        if self.file is None:
            return parse_json(whole, text)
        given = parse_json(part, text)
        data = self.file.file.read()
        name = self.file.filename
        return join(given, Upload(data, self.file.content_type, clean_text(name) if name else None))

    @property
    def filename(self) -> str | None:
        """The file name a multipart body gives."""
        return clean_text(self.file.filename) if self.file is not None and self.file.filename else None


@asynccontextmanager
async def receive(request: Request) -> AsyncGenerator[Body]:
    """Receive a body of JSON or of a file with its JSON part; what was spooled is gone after the block.

    Raises:
        UnsupportedMediaType: `unsupported_content_type`.
        InputTooLarge: There is more than a request may bring; the rest is not read.
        InvalidRequest: The multipart body is none, or has the wrong parts.
        TimedOut: The sender left, fell silent, or is too slow.
    """
    kind = _content_type(request, _JSON, _FORM)
    limit = MAX_INPUT_BYTES.get()
    if kind == _JSON:
        with SpooledTemporaryFile(max_size=_SPOOL) as spool:
            async for chunk in _arriving(request, -(-limit // 3) * 4 + RECORD_BYTES):
                spool.write(chunk)
            spool.seek(0)
            yield Body(spool)
        return
    parts = _Parts(request, limit)
    try:
        body = await parts.received()
        yield body
    finally:
        parts.close()


async def read_json(request: Request, model: type[M]) -> M:
    """Receive a record as JSON.

    Raises:
        UnsupportedMediaType: `unsupported_content_type`.
        InputTooLarge: It is larger than any record.
        InvalidRequest: It does not fit the model.
        TimedOut: The sender left, fell silent, or is too slow.
    """
    _content_type(request, _JSON)
    text = bytearray()
    async for chunk in _arriving(request, RECORD_BYTES):
        text += chunk
    return parse_json(model, bytes(text))


def _content_type(request: Request, *taken: str) -> str:
    """The kind of body that comes, of those that are taken."""
    said = request.headers.get("content-type", "")
    kind, _, parameters = said.partition(";")
    kind = kind.strip().lower()
    kind = _JSON if kind.startswith("application/") and kind.endswith("+json") else kind
    charset = parameters.lower().partition("charset=")[2].partition(";")[0].strip().strip('"')
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    if kind not in taken or (kind == _JSON and charset not in ("", "utf-8", "utf8")):
        raise UnsupportedMediaType(
            f"the body's content type is {said[:200]!r}; send {' or '.join(taken)}, in UTF-8",
            code="unsupported_content_type",
        )
    if encoding not in ("", "identity"):
        raise UnsupportedMediaType(
            f"the body is encoded as {encoding[:200]!r}; send it as it is", code="unsupported_content_type"
        )
    return kind


async def _arriving(request: Request, most: int) -> AsyncGenerator[bytes]:
    """The body as it comes; more than `most` bytes, silence, or a trickle end it."""
    declared = request.headers.get("content-length", "0")
    seen = int(declared) if declared.isascii() and declared.isdigit() and len(declared) < 20 else 0
    if seen > most:
        raise _too_large(most)
    seen, stream, began = 0, request.stream(), time.monotonic()
    while True:
        left = began + _SILENCE + seen / _PACE - time.monotonic()
        try:
            chunk = await asyncio.wait_for(anext(stream), min(left, _SILENCE))
        except StopAsyncIteration:
            return
        except ClientDisconnect:
            message = "the caller left before the body was whole"
            raise TimedOut(message, code="client_disconnected") from None
        except TimeoutError:
            message = f"the body stood still for {_SILENCE:g} seconds, or came below {_PACE} bytes a second"
            raise TimedOut(message, code="client_disconnected") from None
        seen += len(chunk)
        if seen > most:
            raise _too_large(most)
        yield chunk


def _too_large(most: int) -> InputTooLarge:
    hint = "" if most == RECORD_BYTES else f", or have {MAX_INPUT_BYTES.name} raised"
    return InputTooLarge(
        f"the body has more than {most} bytes, the most a request may bring here; send less{hint}"
    )


class _Parts(MultiPartParser):
    """A multipart body of `file` and `request`, bounded part by part while it comes."""

    spool_max_size = _SPOOL

    def __init__(self, request: Request, limit: int) -> None:
        arriving = _arriving(request, limit + 2 * RECORD_BYTES)
        super().__init__(request.headers, arriving, max_files=2, max_fields=2, max_part_size=RECORD_BYTES)
        self._limit = limit
        self._size = 0

    def on_part_begin(self) -> None:
        """Count anew."""
        self._size = 0
        super().on_part_begin()

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        """Take in some of a part, if it may have as much."""
        self._size += end - start
        is_source = self._current_part.file is not None and self._current_part.field_name == "file"
        most = self._limit if is_source else self.max_part_size
        if self._size > most:
            hint = f"; {MAX_INPUT_BYTES.name} raises that" if is_source else "; send less"
            raise InputTooLarge(
                f"the part {self._current_part.field_name[:100]!r} has more than {most} bytes{hint}",
                param=self._current_part.field_name[:100],
            )
        super().on_part_data(data, start, end)

    def on_part_end(self) -> None:
        """Keep a field as the bytes it came as."""
        if self._current_part.file is None:
            data = bytes(self._current_part.data)
            upload = UploadFile(self._spooled(data), size=len(data))
            self.items.append((self._current_part.field_name, upload))
        else:
            super().on_part_end()

    async def received(self) -> Body:
        """The parts, each once and none beside them."""
        try:
            form = await self.parse()
        except MultiPartException as error:
            message = f"the multipart body cannot be read: {error.message}; send it as multipart/form-data"
            raise InvalidRequest(message, param="body") from None
        except ValueError:  # of the codec that the caller named as the charset
            message = "the multipart body cannot be read: a name is not in the charset it states; use UTF-8"
            raise InvalidRequest(message, param="body") from None
        given: dict[str, UploadFile] = {}
        for name, value in form.multi_items():
            assert isinstance(value, UploadFile)
            if name in given or name not in ("file", "request"):
                message = f"the part {name[:100]!r} is one too many: send one `file` and one `request`"
                raise InvalidRequest(message, param=clean_text(name[:100]))
            given[name] = value
        if "file" not in given:
            raise InvalidRequest("the part `file` is missing: send the document in it", param="file")
        text = given["request"].file if "request" in given else self._spooled(b"{}")
        return Body(text, given["file"])

    def _spooled(self, data: bytes) -> BinaryIO:
        spool = SpooledTemporaryFile(max_size=_SPOOL)  # noqa: SIM115  (closed with the others)
        spool.write(data)
        spool.seek(0)
        self._files_to_close_on_error.append(spool)
        return cast("BinaryIO", spool)

    def close(self) -> None:
        """Drop what was spooled."""
        for file in self._files_to_close_on_error:
            file.close()
