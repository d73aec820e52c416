"""Cuts tables of worksheets and CSV into runs of rows with their header repeated."""

from indx_chunker_grid.provider import chunker

__all__ = ["chunker"]
