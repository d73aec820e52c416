"""Which lanes and chunkers to ask: the parts that requests, plans and routers share."""

from __future__ import annotations

from pydantic import Field

from indx_core.contracts._base import Name, Names, Ordinal, RequestModel


class LaneSelection(RequestModel):
    """Classifiers or enrichers by the unit they answer for, asked in the order given."""

    document_ids: Names | None = Field(default=None, description="Lanes asked about the document.")
    page_ids: Names | None = Field(default=None, description="Lanes asked about each page.")
    chunk_ids: Names | None = Field(default=None, description="Lanes asked about each chunk.")


class ExtractionSelection(RequestModel):
    """Entity extractors by the unit they answer for, asked in the order given."""

    page_ids: Names | None = Field(default=None, description="Lanes asked about each page.")
    chunk_ids: Names | None = Field(default=None, description="Lanes asked about each chunk.")


class ChunkerRef(RequestModel):
    """A chunker to ask; without a version, the one this installation asks by default."""

    id: Name = Field(description="The chunker.")
    version: Ordinal | None = Field(default=None, description="Its version; without one, its default.")


class Chunking(RequestModel):
    """Chunkers to ask first, in order. The installation's own order serves the pages they leave."""

    chunkers: tuple[ChunkerRef, ...] = Field(
        default=(), description="Those asked first, in this order; the installed ones follow."
    )


class Recognizer(RequestModel):
    """The classifier and the facet whose top label tells a page's document type."""

    classifier_id: Name = Field(description="The classifier of pages that tells the type.")
    facet: Name = Field(description="The facet whose top label is the type.")
