"""The vectors of a space: facts about them, the rows mapped from an archive, and the table of all.

numpy is imported when a row is first asked for, so that opening a space and searching it by words do
without it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import is_
from typing import TYPE_CHECKING, Any, Final, Self

from indx_core.contracts.space import VectorTable
from indx_core.errors import ArchiveError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from indx_core.contracts.space import Chunk
    from indx_core.ports.embedding import EmbedderDeclaration

__all__ = ["DTYPE", "CollectedVectors", "MappedVectors", "VectorFacts", "collect"]

DTYPE: Final = "<f4"
"""How a number of a vector is written: little-endian float32."""


@dataclass(frozen=True, slots=True)
class VectorFacts:
    """Where vectors come from, which decides whether a query can be compared with them.

    Attributes:
        space: The ID of their embedding space.
        dim: Numbers a vector.
        model: The public name of the model, where there is one.
        backend: What made them: the ID of the embedder.
        fingerprint: What identifies them, as the embedder declares it; empty where nobody knows.
    """

    space: str
    dim: int
    model: str | None = None
    backend: str = "unknown"
    fingerprint: str = ""

    @classmethod
    def of(cls, declaration: EmbedderDeclaration) -> Self:
        """The facts of what an embedder makes."""
        space = declaration.space
        return cls(space.id, space.dimension, declaration.model, declaration.id, declaration.fingerprint)


class MappedVectors:
    """The rows of a vector member, read where they lie.

    Attributes:
        ids: The chunk of each row.
        facts: Where the vectors come from; None in an archive without vectors.
        overridden: Whether a chunk was given a vector of its own since.
    """

    def __init__(self, ids: Sequence[str] = (), facts: VectorFacts | None = None, buffer: Any = b"") -> None:
        """Keep the bytes of the rows; read nothing."""
        self.ids = ids
        self.facts = facts
        self.overridden = False
        self._buffer: memoryview | None = memoryview(buffer)

    @cached_property
    def values(self) -> npt.NDArray[np.float32]:
        """All rows, read-only, in the order of `ids`."""
        import numpy as np

        if self._buffer is None:
            raise ValueError("the knowledge space is closed: open it again to read its vectors")
        shape = (len(self.ids), self.facts.dim if self.facts else 0)
        if not self._buffer.nbytes:
            return np.zeros(shape, dtype=np.float32)
        rows = np.frombuffer(self._buffer, dtype=DTYPE).reshape(shape)
        return rows if sys.byteorder == "little" else rows.astype(np.float32)

    @cached_property
    def places(self) -> dict[str, int]:
        """The row of each chunk."""
        return {identity: row for row, identity in enumerate(self.ids)}

    def row(self, identity: str) -> npt.NDArray[np.float32] | None:
        """The vector of a chunk, a view into the map; None where it has none."""
        place = self.places.get(identity)
        return None if place is None else self.values[place]

    def table(self) -> VectorTable | None:
        """All of them; None in an archive without vectors."""
        return VectorTable(self.ids, self.values) if self.facts else None

    def close(self) -> None:
        """Let the buffer go; rows handed out keep it alive for themselves."""
        self.__dict__.pop("values", None)
        if self._buffer is not None:
            buffer, self._buffer = self._buffer, None
            try:
                buffer.release()
            except BufferError:
                return  # rows handed out are views of it

    def __deepcopy__(self, memo: Any) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class CollectedVectors:
    """A table made of the vectors that chunks hold, and the objects it was made of."""

    held: Sequence[Any]
    table: VectorTable

    def is_of(self, held: Sequence[Any]) -> bool:
        """Whether the chunks still hold the same objects."""
        return len(held) == len(self.held) and all(map(is_, held, self.held))


def collect(chunks: Iterable[Chunk], known: CollectedVectors | None) -> CollectedVectors | None:
    """Gather what the chunks hold; `known` is used again while it is true. None where no chunk has a vector.

    Raises:
        ArchiveError: `embedder_mismatch`: chunks hold vectors of different lengths.
    """
    chunks = list(chunks)
    held = [chunk.embedding for chunk in chunks]
    if known is not None and known.is_of(held):
        return known
    pairs = [(chunk.id, vector) for chunk, vector in zip(chunks, held, strict=True) if vector is not None]
    if not pairs:
        return None
    import numpy as np

    widths = sorted({len(vector) for _, vector in pairs})
    if len(widths) > 1:
        raise ArchiveError(
            f"the chunks hold vectors of {widths[0]} and of {widths[1]} numbers: embed all in one space",
            code="embedder_mismatch",
        )
    values = np.array([vector for _, vector in pairs], dtype=np.float32)
    return CollectedVectors(held, VectorTable([identity for identity, _ in pairs], values))
