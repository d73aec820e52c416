"""Which lanes and chunkers to ask: the parts that requests, plans and routers share."""

from __future__ import annotations

from pydantic import Field

from indx_core.contracts._base import Name, Names, Ordinal, RequestModel


class LaneSelection(RequestModel):
    """Classifiers or enrichers by the unit they answer for, asked in the order given."""

    document_ids: Names | None = None
    page_ids: Names | None = None
    chunk_ids: Names | None = None


class ExtractionSelection(RequestModel):
    """Entity extractors by the unit they answer for, asked in the order given."""

    page_ids: Names | None = None
    chunk_ids: Names | None = None


class ChunkerRef(RequestModel):
    """A chunker to ask; without a version, the one this installation asks by default."""

    id: Name
    version: Ordinal | None = None


class Chunking(RequestModel):
    """Chunkers to ask first, in order. The installation's own order serves the pages they leave."""

    chunkers: tuple[ChunkerRef, ...] = Field(default=())


class Recognizer(RequestModel):
    """The classifier and the facet whose top label tells a page's document type."""

    classifier_id: Name
    facet: Name
