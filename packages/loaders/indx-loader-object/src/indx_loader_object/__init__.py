"""What loaders that fetch share: URIs of objects, a fetch bounded in time and size, packed bodies."""

from indx_loader_object._connections import Connections
from indx_loader_object._fetching import Attempt, Fetched
from indx_loader_object._objects import StoredObject
from indx_loader_object._packing import PackingError, unpacked
from indx_loader_object._storage import Storage

__all__ = ["Attempt", "Connections", "Fetched", "PackingError", "Storage", "StoredObject", "unpacked"]
