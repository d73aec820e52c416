"""What a walk finds: files to read, files left out by reason, and what went wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from indx_core.ports import SourceContent

__all__ = ["Entry", "Fetched", "Listing", "Node", "Problem", "Source", "Stamp", "Tree", "stamp_of"]

Stamp: TypeAlias = "tuple[int, int, int, int]"
"""Size, modification time, inode and change time of a file: equal stamps, equal bytes, but see the cache."""


def stamp_of(status: os.stat_result) -> Stamp:
    """The stamp of a file."""
    return status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns


Kind: TypeAlias = Literal["file", "folder", "link", "special"]


class Fetched(NamedTuple):
    """A file's bytes, and its stamp while they were read (None where there is no file of its own)."""

    content: SourceContent
    stamp: Stamp | None


class Source(Protocol):
    """Where the bytes of an entry are."""

    def fetch(self, limit: int) -> Fetched:
        """Read the bytes.

        Raises:
            SourceError: They cannot be read, or change while they are.
            InputTooLarge: There are more than `limit`.
            FileNotFoundError: The file is gone.
        """
        ...

    def unchanged(self, stamp: Stamp | None) -> bool:
        """Whether the file is still as it was under `stamp`."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A file to read.

    Attributes:
        path: Its path in the space: relative, `/` between parts, unique after NFC, fit for JSON.
        name: Its own name, for hints.
        size: Its bytes, as listed.
        stamp: Its stamp, as listed.
        source: Where the bytes are.
    """

    path: str
    name: str
    size: int
    stamp: Stamp | None
    source: Source


class Problem(NamedTuple):
    """One thing of the input that is not in the space, and why."""

    path: str
    code: str
    message: str


@dataclass(slots=True)
class Listing:
    """Everything a walk found, files in the byte order of their NFC paths."""

    entries: list[Entry] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    problems: list[Problem] = field(default_factory=list)


class Node(NamedTuple):
    """One name in a folder; `handle` is the tree's own."""

    name: str
    kind: Kind
    handle: Any


class Tree(Protocol):
    """Folders with names in them: a folder of the disk, or an archive.

    Attributes:
        problems: What already went wrong when it was opened.
    """

    problems: list[Problem]

    def close(self) -> None:
        """Let go of what is open; entries cannot be fetched any more."""
        ...

    def children(self, folder: str) -> Sequence[Node]:
        """The names in a folder, in no particular order; the root is ``""``.

        Raises:
            OSError: The folder cannot be listed.
        """
        ...

    def rules(self, folder: str, node: Node) -> bytes:
        """The content of a file of ignore rules, cut to a bounded length.

        Raises:
            OSError: It cannot be read.
        """
        ...

    def entry(self, path: str, folder: str, node: Node) -> Entry:
        """The file `node` of `folder` as an entry at `path`.

        Raises:
            OSError: It is gone or may not be looked at.
        """
        ...

    def target(self, folder: str, node: Node, *, follow: bool) -> Node | str:
        """What a link leads to, or the reason why it is left out (`dangling` is a problem, not a reason).

        Raises:
            OSError: It cannot be told.
        """
        ...

    def identity(self, folder: str, node: Node | None) -> Any:
        """What tells a file or folder apart whatever the path it is reached by; None is the root."""
        ...
