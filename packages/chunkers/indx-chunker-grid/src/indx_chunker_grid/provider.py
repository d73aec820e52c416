"""The grid chunker: tables in runs of rows, for pages that are tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from indx_chunker_grid.settings import MAX_ROWS
from indx_core.ports import PORT_VERSION, ChunkDraft, ChunkerDeclaration, DocumentReading, Session

__all__ = ["GridChunker", "chunker"]


class GridChunker:
    """Cuts pages that hold tables and hardly anything else: worksheets, CSV files."""

    port_version = PORT_VERSION
    declaration = ChunkerDeclaration(
        id="grid",
        version=1,
        default=True,
        media_types=(),
        summary="a run of rows of a table, headed by its header",
        rank=30,
    )

    def chunk(
        self,
        document: DocumentReading,
        session: Session | None,  # noqa: ARG002  nothing is rendered
        pages: Sequence[int],
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Cut those of `pages` that are tables.

        Raises:
            ConfigurationError: INDX_CHUNK_GRID_MAX_ROWS is not a positive whole number.
        """
        from indx_chunker_grid._v1 import cut, is_grid

        max_rows = MAX_ROWS.get()
        readings = ((page, document.pages[page]) for page in pages)
        return {page: cut(reading, max_rows) for page, reading in readings if is_grid(reading)}


def chunker() -> GridChunker:
    """The grid chunker, version 1."""
    return GridChunker()
