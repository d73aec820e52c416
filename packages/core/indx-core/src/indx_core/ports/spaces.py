"""Ports around a knowledge space: writers and search modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from indx_core.contracts.space import SearchHit, Space

__all__ = ["OutputWriter", "SearchMode", "SearchModeDeclaration", "WriterDeclaration"]


@dataclass(frozen=True, slots=True)
class WriterDeclaration:
    """A writer's facts: its ID, and the name of what it writes beside the archive (`chunks.jsonl`)."""

    id: str
    output: str


class OutputWriter(Protocol):
    """Writes a knowledge space in another form."""

    port_version: int
    declaration: WriterDeclaration

    def write(self, space: Space, target: Path) -> None:
        """Write `space` to `target`, a path that does not exist yet and that nothing else reads.

        Raises:
            OSError: The target cannot be written.
        """
        ...


@dataclass(frozen=True, slots=True)
class SearchModeDeclaration:
    """A search mode's facts: the ID that `mode=` names."""

    id: str


class SearchMode(Protocol):
    """Ranks the chunks of a space for a query."""

    port_version: int
    declaration: SearchModeDeclaration

    def search(self, space: Space, query: str, k: int) -> Sequence[SearchHit]:
        """At most `k` hits, best first, ties by chunk order; any text is literal text."""
        ...
