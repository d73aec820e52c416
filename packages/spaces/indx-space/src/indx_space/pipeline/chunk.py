"""Chunk: drafts become chunks with IDs, neighbours and provenance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from indx_space.making import chunk_ids, make_chunk

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk as SpaceChunk
    from indx_core.contracts.space import Document
    from indx_core.ports import ChunkDraft
    from indx_space.context import SpaceContext
    from indx_space.parsed import ParsedDoc
    from indx_space.pipeline.build import Build

__all__ = ["Chunk"]


class Chunk:
    """Fills `space.chunks` and each document's `chunk_ids`; drafts of images are left out."""

    name = "Chunk"

    def __init__(self, build: Build) -> None:
        self._build = build

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Number and link the chunks of every document in order."""
        documents = list(ctx.space.documents_)
        chunks: list[SpaceChunk] = []
        for done, document in enumerate(documents, 1):
            parsed = ctx.parsed.get(document.id)
            if parsed is not None:
                made = _chunks(document, parsed, len(chunks))
                document.chunk_ids = [chunk.id for chunk in made]
                chunks += made
            self._build.progress(self.name, done, len(documents), document.path)
        ctx.space.chunks[:] = chunks
        return ctx


def _chunks(document: Document, parsed: ParsedDoc, first: int) -> list[SpaceChunk]:
    drafts: list[tuple[str, int, ChunkDraft]] = []
    page_before, number = 0, 0
    for page, draft in parsed.drafts:
        number = number + 1 if page == page_before else 0
        page_before = page
        if draft.text is not None:
            drafts.append((f"p{page}.c{number}", page, draft))
    ids = chunk_ids(document.id, len(drafts))
    source = document.source
    return [
        make_chunk(
            document.id,
            ids,
            position,
            draft.text or "",
            source,
            _metadata(block_id, page, draft),
            first + position,
        )
        for position, (block_id, page, draft) in enumerate(drafts)
    ]


def _metadata(block_id: str, page: int, draft: ChunkDraft) -> dict[str, Any]:
    """Where a chunk stands in its document, as far as that is known."""
    metadata: dict[str, Any] = {"block_id": block_id, "page": page}
    if draft.box is not None:
        metadata["bbox"] = list(draft.box)
    if draft.box_reason == "hidden":
        metadata["hidden"] = True
    if draft.section:
        metadata["section"] = list(draft.section)
    if draft.layout is not None:
        layout: dict[str, Any] = {"role": draft.layout.role}
        if (table := draft.layout.table) is not None:
            layout |= {"rows": table.rows, "columns": table.columns, "header_rows": table.header_rows}
        metadata["layout"] = layout
    return metadata
