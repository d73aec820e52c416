"""Declares the loader of `s3:` URIs."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING, Final

from indx_core.errors import ConfigurationError, SourceError
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.sources import Loaded, LoaderDeclaration
from indx_loader_object import Storage
from indx_loader_s3.settings import BUCKETS, SETTINGS, TIMEOUT_SECONDS

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["STORAGE", "S3Loader", "loader"]

STORAGE: Final = Storage(
    scheme="s3",
    container="bucket",
    thing="object",
    version="version",
    containers=r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}",
    allowed=BUCKETS,
    timeout=TIMEOUT_SECONDS,
    undeclared=frozenset({"binary/octet-stream"}),  # what S3 says where nobody named a type
)


class S3Loader:
    """Loads the current version of single objects."""

    port_version = PORT_VERSION
    declaration = LoaderDeclaration("s3", ("s3",))

    def availability(self) -> Unavailability | None:
        """Why a load would fail now: boto3 is not installed, or a setting cannot be used."""
        if importlib.util.find_spec("boto3") is None:
            return Unavailability("boto3 is not installed", 'pip install "indx-loader-s3[s3]"')
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
            raise SourceError(f"s3: cannot be loaded: {lack.reason}; {lack.fix}")
        wanted = STORAGE.permitted(uri)
        from indx_loader_s3._fetch import fetch

        return STORAGE.load(wanted, lambda attempt: fetch(wanted, limit, attempt), limit, deadline)


def loader() -> S3Loader:
    """The loader of `s3:` URIs; its scheme is known even where boto3 is not installed."""
    return S3Loader()
