"""The text of a slide in one chunk, its tables and its speaker's notes apart."""

__all__: list[str] = []
