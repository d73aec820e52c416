"""Walk: every file of the input that becomes a document, in a fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_space.making import make_document
from indx_space.walking import walk

if TYPE_CHECKING:
    from indx_core.contracts.space import Document
    from indx_space.context import SpaceContext
    from indx_space.pipeline.build import Build

__all__ = ["Walk", "document_at", "lineage"]


class Walk:
    """Lists the input and fills `space.documents_` with documents that are still to be read."""

    name = "Walk"

    def __init__(self, build: Build) -> None:
        self._build = build

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Fill the documents; what is left out is counted, what went wrong recorded."""
        build = self._build
        assert build.tree is not None, "the pipeline opens the input before its stages run"
        listing = walk(build.tree, build.config.walk, taken=build.taken)
        build.report.skipped.update(listing.skipped)
        for problem in listing.problems:
            build.error(ctx, self.name, *problem)
        documents = [document_at(entry.path, entry.size) for entry in listing.entries]
        build.entries = {d.id: e for d, e in zip(documents, listing.entries, strict=True)}
        ctx.space.documents_[:] = documents
        build.progress(self.name, len(documents), len(documents))
        return ctx


def document_at(path: str, size: int) -> Document:
    """The document at `path`, with nothing in it yet."""
    return make_document(path, lineage(path), size)


def lineage(path: str) -> list[str]:
    """The folders above a path, outermost first, each as a path of its own."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]
