"""Ports that bring bytes in and name them: loaders, sniffers, and the source they speak of."""

from __future__ import annotations

import hashlib
import mmap
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal, Protocol, TypeAlias

from indx_core.ports.declarations import Unavailability

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indx_core.deadline import Deadline

__all__ = [
    "Buffer",
    "Loaded",
    "Loader",
    "LoaderDeclaration",
    "Sniffed",
    "Sniffer",
    "SnifferDeclaration",
    "SourceContent",
]

Buffer: TypeAlias = "bytes | mmap.mmap"
"""Bytes that can be sliced and searched: a bytes object, or a mapped file."""


@dataclass(frozen=True, slots=True)
class SourceContent:
    """The bytes of one source, in memory or in a file, with what is known of them.

    Exactly one of `data` and `path` is set. The bytes never change while the object lives.

    Attributes:
        data: The bytes, when they are in memory.
        path: The file that holds them, when they are not.
        size: Their number.
        digest: `sha256:` and 64 hex digits.
        media_type: What the engine takes them for; empty until it has been decided.
        filename: The name the source came with, for hints only; never a path to open.
        charset: The encoding declared beside the media type, as by `Content-Type`, in lower case; a reader of
            text tries it first, behind a byte-order mark. It may be wrong, or no encoding at all.
    """

    data: bytes | None
    path: Path | None
    size: int
    digest: str
    media_type: str = ""
    filename: str | None = None
    charset: str | None = None

    @classmethod
    def of_bytes(
        cls, data: bytes, *, media_type: str = "", filename: str | None = None, charset: str | None = None
    ) -> SourceContent:
        """A source held in memory."""
        digest = "sha256:" + hashlib.sha256(data).hexdigest()
        return cls(data, None, len(data), digest, media_type, filename, charset)

    @classmethod
    def of_file(cls, path: Path, *, media_type: str = "", filename: str | None = None) -> SourceContent:
        """A source held in a file that stays where it is; `filename` defaults to the file's own name.

        Raises:
            OSError: The file cannot be read.
        """
        with path.open("rb") as file:
            digest = "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        return cls(None, path, size, digest, media_type, path.name if filename is None else filename)

    def with_media_type(self, media_type: str) -> SourceContent:
        """The same source under a decided media type."""
        return replace(self, media_type=media_type)

    def read(self) -> bytes:
        """All the bytes, copied into memory when they are in a file."""
        if self.data is not None:
            return self.data
        assert self.path is not None
        return self.path.read_bytes()

    def open(self) -> BinaryIO:
        """A seekable reader over the bytes; the caller closes it."""
        if self.data is not None:
            return BytesIO(self.data)
        assert self.path is not None
        return self.path.open("rb")

    @contextmanager
    def buffer(self) -> Iterator[Buffer]:
        """The bytes as one buffer for the length of a `with` block: mapped, not copied, when in a file."""
        if self.data is not None or self.size == 0:
            yield self.data or b""
            return
        assert self.path is not None
        with self.path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            yield mapped


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a loader brought: the source, with the declared media type in `media_type` where one came."""

    content: SourceContent


@dataclass(frozen=True, slots=True)
class LoaderDeclaration:
    """A loader's facts: its ID and the URI schemes it resolves, in lower case."""

    id: str
    schemes: tuple[str, ...]


class Loader(Protocol):
    """Resolves a URI to bytes.

    A loader never returns more than `limit` bytes and stops reading as soon as it knows it would; it
    refuses what its settings forbid; it never says in an error what a name or path resolved to.
    """

    port_version: int
    declaration: LoaderDeclaration

    def availability(self) -> Unavailability | None:
        """Why a load would fail now; None when it can run. Imports nothing heavy."""
        ...

    def load(self, uri: str, *, limit: int, deadline: Deadline) -> Loaded:
        """Fetch `uri`.

        Args:
            uri: A URI of one of the declared schemes.
            limit: The most bytes to bring.
            deadline: The loader's own ceiling.

        Raises:
            SourceError: `source_unreadable` (not there, cut short, missing extra), or `source_forbidden`
                naming the setting that would permit it.
            InputTooLarge: There are more than `limit` bytes.
        """
        ...


@dataclass(frozen=True, slots=True)
class Sniffed:
    """A media type read off the bytes. `strong` beats what was declared, `weak` only fills a gap."""

    media_type: str
    strength: Literal["strong", "weak"]


@dataclass(frozen=True, slots=True)
class SnifferDeclaration:
    """A sniffer's facts: its ID and every media type it may answer."""

    id: str
    media_types: tuple[str, ...]


class Sniffer(Protocol):
    """Names a media type from bytes. It never raises on any bytes and looks at a bounded part of them."""

    port_version: int
    declaration: SnifferDeclaration

    def sniff(self, head: Buffer, *, filename: str | None, declared: str | None) -> Sniffed | None:
        """The media type, or None when the bytes say nothing to this sniffer.

        Args:
            head: The source from its first byte to its last (mapped, so reading a part costs a part).
            filename: The name it came with; it may support an answer, never give a strong one alone.
            declared: The media type it was declared as, without parameters, in lower case.
        """
        ...
