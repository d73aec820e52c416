"""Declares the loader of `az:` URIs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.errors import ConfigurationError, SourceError
from indx_core.installed import is_installed
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.sources import Loaded, LoaderDeclaration
from indx_loader_az.settings import ACCOUNT, CONNECTION_STRING, CONTAINERS, SETTINGS, TIMEOUT_SECONDS
from indx_loader_object import Storage

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["STORAGE", "AzLoader", "loader"]

STORAGE: Final = Storage(
    scheme="az",
    container="container",
    thing="blob",
    version="snapshot or version",
    containers=r"\$?[a-z0-9][a-z0-9-]{1,62}",
    allowed=CONTAINERS,
    timeout=TIMEOUT_SECONDS,
)


class AzLoader:
    """Loads the current version of single blobs of the configured storage account."""

    port_version = PORT_VERSION
    declaration = LoaderDeclaration("az", ("az",))

    def availability(self) -> Unavailability | None:
        """Why a load would fail now: a client is not installed, or no account is configured."""
        for client in ("azure-storage-blob", "azure-identity"):
            if not is_installed(client):  # looking for the module would import its namespace
                return Unavailability(f"{client} is not installed", 'pip install "indx-loader-az[az]"')
        for setting in SETTINGS:
            try:
                setting.get()
            except ConfigurationError as error:
                return Unavailability(error.message, f"correct or unset {setting.name}")
        if CONNECTION_STRING.get() is None and ACCOUNT.get() is None:
            return Unavailability(
                "no storage account is configured", f"set {CONNECTION_STRING.name} or {ACCOUNT.name}"
            )
        return None

    def load(self, uri: str, *, limit: int, deadline: Deadline) -> Loaded:
        """Load the blob at `uri`, under the rules of the port."""
        lack = self.availability()
        if lack is not None:
            raise SourceError(f"az: cannot be loaded: {lack.reason}; {lack.fix}")
        wanted = STORAGE.permitted(uri)
        from indx_loader_az._fetch import fetch

        return STORAGE.load(wanted, lambda attempt: fetch(wanted, limit, attempt), limit, deadline)


def loader() -> AzLoader:
    """The loader of `az:` URIs; its scheme is known even where the client is not installed."""
    return AzLoader()
