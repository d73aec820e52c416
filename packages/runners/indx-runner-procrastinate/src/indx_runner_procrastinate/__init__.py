"""Background jobs in Postgres, run by any number of processes."""

__all__: list[str] = []
