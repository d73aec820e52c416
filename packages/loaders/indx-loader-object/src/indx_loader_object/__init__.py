"""What the loaders of object storages share: URIs and permissions, one bounded fetch, packed objects."""

from indx_loader_object._fetching import Fetched
from indx_loader_object._objects import StoredObject
from indx_loader_object._packing import unpacked
from indx_loader_object._storage import Storage

__all__ = ["Fetched", "Storage", "StoredObject", "unpacked"]
