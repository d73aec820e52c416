"""What this distribution offers: a loader of `file:` URIs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.ports import PORT_VERSION, Loaded, LoaderDeclaration, Unavailability

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

__all__ = ["FileLoader", "file_loader"]


class FileLoader:
    """Reads files of this machine."""

    port_version = PORT_VERSION
    declaration = LoaderDeclaration("file", ("file",))

    def availability(self) -> Unavailability | None:
        """Always ready."""
        return None

    def load(self, uri: str, *, limit: int, deadline: Deadline) -> Loaded:
        """Read the file at `uri`, under the rules of the port."""
        from indx_loader_file._read import load

        return load(uri, limit, deadline)


def file_loader() -> FileLoader:
    """The loader of `file:` URIs."""
    return FileLoader()
