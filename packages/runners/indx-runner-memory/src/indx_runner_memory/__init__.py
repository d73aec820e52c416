"""Background jobs on one thread of this process."""

__all__: list[str] = []
