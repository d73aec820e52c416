"""What people keep and judge: documents, search, types, labels, datasets, routers, experiments."""

from __future__ import annotations

from indx_workspace.stores import unshared
from indx_workspace.workspace import Workspace

__all__ = ["Workspace", "unshared"]
