"""One kind of storage: what its URIs name, what of it may be read, and how long that may take."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from indx_core.errors import SourceError
from indx_core.settings import Setting

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.ports.sources import Loaded
    from indx_loader_object._fetching import Attempt, Fetched
    from indx_loader_object._objects import StoredObject

__all__ = ["Storage"]

_BROKEN_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class Storage:
    """One kind of storage.

    Attributes:
        scheme: Of its URIs, `scheme://container/name`.
        container: What it calls what holds objects, such as `bucket`.
        thing: What it calls an object.
        version: What it calls an earlier state of one, which cannot be asked for.
        containers: A pattern of the names that containers have.
        allowed: The setting that lists the containers that may be read.
        timeout: The setting of the seconds that one load may take.
        undeclared: Media types that the storage gives to what nobody gave one.
    """

    scheme: str
    container: str
    thing: str
    version: str
    containers: str
    allowed: Setting[tuple[str, ...] | None]
    timeout: Setting[float]
    undeclared: frozenset[str] = frozenset()

    @property
    def log(self) -> logging.Logger:
        """The loader's log."""
        return logging.getLogger(f"indx.loader.{self.scheme}")

    def parse(self, uri: str) -> StoredObject:
        """The object `uri` names; its name is percent-decoded, as in every URI.

        Raises:
            SourceError: `source_unreadable`: it names no object, or one state of an object.
        """
        from indx_loader_object._objects import StoredObject

        shown = repr(uri if len(uri) <= _SHOWN else uri[:_SHOWN] + "…")
        scheme, separator, path = uri.partition("://")
        found = re.fullmatch(rf"({self.containers})/([^?#]+)(.*)", path, re.DOTALL)
        if not separator or scheme.lower() != self.scheme or found is None:
            form = f"{self.scheme}://{self.container}/{self.thing}"
            raise SourceError(f"{shown} names no {self.thing}; write {form}")
        container, name, rest = found.groups()
        if rest.startswith("?"):
            raise SourceError(
                f"{shown} has a query: no {self.version} can be asked for, only the current {self.thing} is "
                "loaded; leave the query out, or write %3F for a question mark in its name"
            )
        if rest:
            raise SourceError(f"{shown} has a fragment; write %23 for a number sign in its name")
        if _BROKEN_ESCAPE.search(name):
            raise SourceError(
                f"{shown} has a % without two hex digits; write %25 for a percent sign in its name"
            )
        try:
            decoded = unquote_to_bytes(name).decode("utf-8")
        except UnicodeError:
            raise SourceError(
                f"{shown} has a name that is not UTF-8; write the bytes of its UTF-8 form after %"
            ) from None
        # On the way such segments may be taken for steps in a path, and lead out of the container.
        if not {".", ".."}.isdisjoint(re.split(r"[/\\]", decoded)):
            raise SourceError(
                f"{shown} has a segment of dots alone, which is no part of a name here; store the "
                f"{self.thing} under another name"
            )
        return StoredObject(self, container, decoded, shown)

    def permitted(self, uri: str) -> StoredObject:
        """The object `uri` names, in a container that may be read.

        Raises:
            SourceError: `source_unreadable` as for `parse`, or `source_forbidden`, naming the setting.
        """
        wanted = self.parse(uri)
        allowed = self.allowed.get()
        if allowed is not None and wanted.container not in allowed:
            listed = ", ".join(allowed) or "none"
            self.log.warning("%s is refused: %s lists %s", wanted.shown, self.allowed.name, listed)
            raise SourceError(
                f"the {self.container} {wanted.container!r} may not be read; "
                f"{self.allowed.name} names those that may",
                code="source_forbidden",
            )
        return wanted

    def load(
        self,
        wanted: StoredObject,
        fetch: Callable[[Attempt], Fetched],
        limit: int,
        deadline: Deadline,
    ) -> Loaded:
        """The object, in a thread of its own: no setting of a client ends what only drips.

        Args:
            wanted: The object.
            fetch: Brings it.
            limit: The most bytes it may have, as stored and as unpacked.
            deadline: The caller's.

        Raises:
            SourceError: `source_unreadable`, or what `fetch` raises.
            InputTooLarge: It has more than `limit` bytes.
            TimedOut: The caller's deadline passed, or nobody waits any longer.
        """
        from indx_loader_object._loading import load

        return load(self, wanted, fetch, limit, deadline)
