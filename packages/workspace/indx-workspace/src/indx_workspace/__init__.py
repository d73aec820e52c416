"""What people keep and judge: documents, search, types, labels, datasets, routers, experiments.

Names resolve when they are first used, so that finding its commands costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from indx_workspace.places import keep_in
    from indx_workspace.resolving import resolve
    from indx_workspace.stores import unshared
    from indx_workspace.workspace import Workspace

__all__ = ["Workspace", "keep_in", "resolve", "unshared"]

_HOME: Final = {
    "Workspace": "workspace",
    "keep_in": "places",
    "resolve": "resolving",
    "unshared": "stores",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
