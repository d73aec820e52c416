"""Cuts tables of worksheets and CSV into runs of rows with their header repeated."""

__all__: list[str] = []
