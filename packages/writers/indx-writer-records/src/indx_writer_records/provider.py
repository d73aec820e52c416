"""Declares the writer `jsonl`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.ports.declarations import PORT_VERSION
from indx_core.ports.spaces import WriterDeclaration

if TYPE_CHECKING:
    from pathlib import Path

    from indx_core.contracts.space import Space

__all__ = ["JsonLinesWriter", "jsonl_writer"]


class JsonLinesWriter:
    """Writes every chunk of a space as one line of JSON, its document's path in `source.path`."""

    port_version = PORT_VERSION
    declaration = WriterDeclaration("jsonl", "chunks.jsonl")

    def write(self, space: Space, target: Path) -> None:
        """Write the chunks of `space` to the new file `target`, in traversal order.

        Raises:
            OSError: The file exists or cannot be written.
            BuildError: `build_failed`, when a chunk holds what JSON cannot.
        """
        from indx_writer_records._jsonl import lines

        with target.open("xb") as file:
            file.writelines(lines(space))


def jsonl_writer() -> JsonLinesWriter:
    """The writer of JSON Lines."""
    return JsonLinesWriter()
