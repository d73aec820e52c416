"""What loaders that fetch share: URIs of objects, a fetch bounded in time and size, packed bodies.

Names resolve when they are first used: a loader is declared in every process, and seldom asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_loader_object._connections import Connections
    from indx_loader_object._fetching import Attempt, Fetched
    from indx_loader_object._objects import StoredObject
    from indx_loader_object._packing import PackingError, unpacked
    from indx_loader_object._storage import Storage

__all__ = ["Attempt", "Connections", "Fetched", "PackingError", "Storage", "StoredObject", "unpacked"]

_HOME: Final = {
    "Attempt": "._fetching",
    "Connections": "._connections",
    "Fetched": "._fetching",
    "PackingError": "._packing",
    "Storage": "._storage",
    "StoredObject": "._objects",
    "unpacked": "._packing",
}
"""The module of each public name."""

__getattr__, __dir__ = lazily(__name__, _HOME)
