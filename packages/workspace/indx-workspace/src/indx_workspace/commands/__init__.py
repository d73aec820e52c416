"""`indx types`, `labels`, `datasets`, `routers`, `experiments` and `runner`: JSON on standard output.

Each works on the stores the settings name, on those of `--store`, or through a running server (`--server`).
"""

__all__: list[str] = []
