"""Declares the loader of `gs:` URIs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.errors import ConfigurationError, SourceError
from indx_core.installed import is_installed
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.sources import Loaded, LoaderDeclaration
from indx_loader_gs.settings import BUCKETS, SETTINGS, TIMEOUT_SECONDS
from indx_loader_object import Storage

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["STORAGE", "GsLoader", "loader"]

STORAGE: Final = Storage(
    scheme="gs",
    container="bucket",
    thing="object",
    version="generation",
    containers=r"[a-z0-9][a-z0-9._-]{1,221}",
    allowed=BUCKETS,
    timeout=TIMEOUT_SECONDS,
)


class GsLoader:
    """Loads the current generation of single objects."""

    port_version = PORT_VERSION
    declaration = LoaderDeclaration("gs", ("gs",))

    def availability(self) -> Unavailability | None:
        """Why a load would fail now: the client is not installed, or a setting cannot be used."""
        if not is_installed("google-cloud-storage"):  # looking for the module would import its namespace
            return Unavailability("google-cloud-storage is not installed", 'pip install "indx-loader-gs[gs]"')
        for setting in SETTINGS:
            try:
                setting.get()
            except ConfigurationError as error:
                return Unavailability(error.message, f"correct or unset {setting.name}")
        return None

    def load(self, uri: str, *, limit: int, deadline: Deadline) -> Loaded:
        """Load the object at `uri`, under the rules of the port."""
        lack = self.availability()
        if lack is not None:
            raise SourceError(f"gs: cannot be loaded: {lack.reason}; {lack.fix}")
        wanted = STORAGE.permitted(uri)
        from indx_loader_gs._fetch import fetch

        return STORAGE.load(wanted, lambda attempt: fetch(wanted, limit, attempt), limit, deadline)


def loader() -> GsLoader:
    """The loader of `gs:` URIs; its scheme is known even where the client is not installed."""
    return GsLoader()
