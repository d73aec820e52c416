"""One place for everything that is kept: what `--store` of a command says."""

from __future__ import annotations

import os
from typing import Final

from indx_core.errors import ConfigurationError, UsageError
from indx_workspace.stores import STORES

__all__ = ["keep_in"]

_PLACES: Final = {"memory": None, "sqlite": "INDX_STORE_SQLITE_PATH", "postgres": "INDX_STORE_POSTGRES_URL"}


def keep_in(store: str, *, processes: int = 1, makes: bool = True) -> None:
    """Name one place for everything that is kept, in the settings of this process and those it starts.

    A job runner that the settings name stays; without one, jobs run in this process where it is alone.

    Args:
        store: The place.
        processes: How many processes will work there.
        makes: Whether a file that is not there is made.

    Raises:
        UsageError: It is no place.
        ConfigurationError: `store_not_configured`: the file is not there, and is not to be made.
    """
    kind, _, where = store.partition(":")
    if kind not in _PLACES or (kind == "memory" and where):
        raise UsageError(  # without what follows, which may hold a password
            f"--store {kind!r} is no place to keep things: write memory, sqlite:PATH or postgres[:URL]"
        )
    if kind == "sqlite" and where and not makes:
        _require(where)
    variable = _PLACES[kind]
    if variable is not None and where:
        os.environ[variable] = where
    for role, (setting, _) in STORES.items():
        if role != "runner":
            os.environ[setting.name] = kind
        elif processes == 1:
            os.environ.setdefault(setting.name, "memory")


def _require(file: str) -> None:
    """Refuse a file that is not there: what only reads would find nothing in it, and leave it behind."""
    if not os.path.exists(os.path.expanduser(file)):  # noqa: PTH110, PTH111  (a Path raises at odd names)
        raise ConfigurationError(
            f"--store: {file[:1000]!r} does not exist, or may not be looked at; check its path, or make the "
            "store by putting the first record into it: indx types put KEY --spec FILE --store sqlite:PATH",
            code="store_not_configured",
        )
