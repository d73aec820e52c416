"""`python -m indx` is the `indx` command."""

from __future__ import annotations

from indx.cli.main import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
