"""What every archive as a tree shares: bounds on what it adds up to, and its names in folders."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge
from indx_space.walking.listing import Node, Problem
from indx_space.walking.names import refusal

if TYPE_CHECKING:
    from indx_space.walking.listing import Kind

__all__ = ["ANOTHER", "REPACK", "SPLIT", "UNPACK", "Budget", "PackedTree"]

ANOTHER: Final = "take another copy of the archive"
REPACK: Final = "pack it again under a plain name"
SPLIT: Final = "split it, or unpack it and build again"
UNPACK: Final = "unpack it and build again"
"""What helps where an archive, or an entry of one, is not taken."""


class Budget:
    """What an archive and the archives inside it may add up to."""

    def __init__(self, entries: int = 10_000, inflated: int = 4_294_967_296) -> None:
        self.entries = entries
        self._inflated = self._in_vain = inflated

    def spend(self, size: int) -> None:
        """Count inflated bytes.

        Raises:
            InputTooLarge: There are more than allowed.
        """
        self._inflated -= size
        if self._inflated < 0:
            raise InputTooLarge(f"the archive inflates to more than is taken from one archive; {SPLIT}")

    def take_back(self, size: int) -> None:
        """Count inflated bytes that a wrong password gave apart from those that are of the archive.

        Raises:
            InputTooLarge: There are more than allowed.
        """
        self._inflated += size
        self._in_vain -= size
        if self._in_vain < 0:
            raise InputTooLarge(f"wrong passwords opened more than is tried of one archive; {UNPACK}")


class PackedTree:
    """The names in an archive, arranged in folders; each of a name that comes again is kept."""

    def __init__(self, budget: Budget) -> None:
        self.problems: list[Problem] = []
        self._budget = budget
        self._folders: dict[str, dict[str, Node]] = {"": {}}
        self._repeated: Counter[str] = Counter()

    def _place(self, name: str, kind: Kind, handle: Any) -> None:
        """Put an entry where its name says; one whose name leads elsewhere is a problem."""
        path = name.removesuffix("/")
        if not path:
            if kind == "file":
                message = f"an entry is left out: it has no name; {REPACK}"
                self.problems.append(Problem("", "member_refused", message))
            return
        if reason := refusal(path):
            message = f"the entry is left out: {reason}; {REPACK}"
            self.problems.append(Problem(clean_text(path), "member_refused", message))
        elif kind == "folder":
            self._folder(path)
        else:
            self._repeated[path] += 1
            parent, _, own = path.rpartition("/")
            key = own if self._repeated[path] == 1 else f"{own}\0{self._repeated[path]}"
            self._folder(parent)[key] = Node(own, kind, handle)

    def _folder(self, path: str) -> dict[str, Node]:
        missing: list[str] = []
        while path not in self._folders:
            missing.append(path)
            path = path.rpartition("/")[0]
        for folder in reversed(missing):
            parent, _, own = folder.rpartition("/")
            self._folders[parent].setdefault(f"{own}/", Node(own, "folder", None))
            self._folders[folder] = {}
        return self._folders[missing[0] if missing else path]

    def children(self, folder: str) -> list[Node]:
        """The names in a folder."""
        return list(self._folders.get(folder, {}).values())

    def target(self, folder: str, node: Node, *, follow: bool) -> Node | str:  # noqa: ARG002
        """Links inside an archive are never followed."""
        return "symlink"

    def identity(self, folder: str, node: Node | None) -> Any:
        """The path: an archive has no loops."""
        return folder, node and node.name, node and id(node.handle)
