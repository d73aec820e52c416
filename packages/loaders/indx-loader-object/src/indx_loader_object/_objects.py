"""One object of a storage, and the errors that tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from indx_core.errors import InputTooLarge, SourceError

if TYPE_CHECKING:
    from indx_loader_object._storage import Storage

__all__ = ["StoredObject"]


@dataclass(frozen=True, slots=True)
class StoredObject:
    """One object.

    Attributes:
        storage: Where it is.
        container: The bucket or container that holds it.
        name: Its key or name there.
        shown: Its URI, short enough for a message.
    """

    storage: Storage
    container: str
    name: str
    shown: str

    def unreadable(self, why: str) -> SourceError:
        """It cannot be loaded, and why."""
        return SourceError(f"{self.shown} cannot be loaded: {why}")

    def absent(self) -> SourceError:
        """There is no such object."""
        container, thing = self.storage.container, self.storage.thing
        return self.unreadable(
            f"there is no such {thing}; check its {container} and name (a % in a name is written %25)"
        )

    def refused(self) -> SourceError:
        """The credentials do not serve."""
        return self.unreadable(
            "the storage refuses these credentials; check that they are valid, not expired, and may read it"
        )

    def partial(self) -> SourceError:
        """Something else came than all of it."""
        return self.unreadable("the storage sent a part, or other parts than were asked for; try again")

    def encrypted(self) -> SourceError:
        """Only its owner's key opens it."""
        return SourceError(
            f"{self.shown} is encrypted with a key of its owner; store it without one to load it",
            code="source_encrypted",
        )

    def too_large(self, limit: int) -> InputTooLarge:
        """It has more bytes than may be loaded."""
        return InputTooLarge(f"{self.shown} has more than {limit} bytes; raise INDX_MAX_INPUT_BYTES")

    def too_slow(self, seconds: float) -> SourceError:
        """It was not here in time."""
        return self.unreadable(f"it took over {seconds:g} s; raise {self.storage.timeout.name}, or try later")
