"""What people keep and judge: documents, search, types, labels, datasets, routers, experiments.

Names resolve when they are first used, so that finding its commands costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_workspace.places import keep_in
    from indx_workspace.resolving import resolve
    from indx_workspace.stores import unshared
    from indx_workspace.workspace import Workspace

__all__ = ["Workspace", "keep_in", "resolve", "unshared"]

_HOME: Final = {
    "Workspace": ".workspace",
    "keep_in": ".places",
    "resolve": ".resolving",
    "unshared": ".stores",
}

__getattr__, __dir__ = lazily(__name__, _HOME)
