"""One place for everything that is kept: what `--store` of a command says."""

from __future__ import annotations

import os
from typing import Final

from indx_core.errors import UsageError
from indx_workspace.stores import STORES

__all__ = ["keep_in"]

_PLACES: Final = {"memory": None, "sqlite": "INDX_STORE_SQLITE_PATH", "postgres": "INDX_STORE_POSTGRES_URL"}


def keep_in(store: str, *, processes: int = 1) -> None:
    """Name one place for everything that is kept, in the settings of this process and those it starts.

    A job runner that the settings name stays; without one, jobs run in this process where it is alone.

    Raises:
        UsageError: It is no place.
    """
    kind, _, where = store.partition(":")
    if kind not in _PLACES or (kind == "memory" and where):
        raise UsageError(  # without what follows, which may hold a password
            f"--store {kind!r} is no place to keep things: write memory, sqlite:PATH or postgres[:URL]"
        )
    variable = _PLACES[kind]
    if variable is not None and where:
        os.environ[variable] = where
    for role, (setting, _) in STORES.items():
        if role != "runner":
            os.environ[setting.name] = kind
        elif processes == 1:
            os.environ.setdefault(setting.name, "memory")
