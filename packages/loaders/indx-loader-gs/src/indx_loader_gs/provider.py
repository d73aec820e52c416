"""Declares the loader of `gs:` URIs."""

from __future__ import annotations

import importlib.metadata
from typing import TYPE_CHECKING

from indx_core.errors import ConfigurationError, SourceError
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.sources import Loaded, LoaderDeclaration
from indx_loader_gs._object import parse, permit
from indx_loader_gs.settings import SETTINGS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["GsLoader", "loader"]


class GsLoader:
    """Loads the current generation of single objects."""

    port_version = PORT_VERSION
    declaration = LoaderDeclaration("gs", ("gs",))

    def availability(self) -> Unavailability | None:
        """Why a load would fail now: the client is not installed, or a setting cannot be used."""
        try:  # looking for the module would import its namespace
            importlib.metadata.distribution("google-cloud-storage")
        except importlib.metadata.PackageNotFoundError:
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
        wanted = parse(uri)
        permit(wanted)
        from indx_loader_gs._fetch import fetch

        return fetch(wanted, limit, deadline)


def loader() -> GsLoader:
    """The loader of `gs:` URIs; its scheme is known even where the client is not installed."""
    return GsLoader()
