"""What Parse leaves of one document for the later stages: drafts, links, headings and facts, without IDs.

Pages and offsets are those of the page texts the drafts were cut from: pages count from 1, offsets are
characters of a page's text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeAlias

from pydantic import ConfigDict, Field

from indx_core.contracts.space import Source, SpaceModel

if TYPE_CHECKING:
    from indx_core.ports import ChunkDraft

    Draft: TypeAlias = tuple[int, ChunkDraft]
else:
    # A draft is a port's frozen dataclass: it is carried as it is and never validated or dumped.
    Draft = Annotated[Any, "(page, ChunkDraft)"]

__all__ = ["Draft", "ParsedDoc", "ParsedHeading", "ParsedLink"]


class ParsedLink(NamedTuple):
    """A link as written, before any resolution.

    Attributes:
        page: The page it stands on.
        start: Where the text it stands on starts.
        end: Where that text ends.
        target: Its target as written.
        draft: The place in `drafts` of the chunk that carries it, where one does.
    """

    page: int
    start: int
    end: int
    target: str
    draft: int | None = None


class ParsedHeading(NamedTuple):
    """A heading: where it stands, its level from 1, and its text."""

    page: int
    start: int
    end: int
    level: int
    text: str


class ParsedDoc(SpaceModel):
    """One document as parsed.

    Attributes:
        source: Where it comes from.
        doc_id: The ID of the document.
        digest: `sha256:` and the digest of its bytes.
        media_type: What the bytes are.
        size_bytes: How many they are.
        pages: How many pages it has.
        title: Its title, where it states one.
        drafts: Page and draft of each chunk to come, in reading order.
        links: Its links, in reading order.
        headings: Its headings, in reading order.
        metadata: Facts its readers gave of it, by page where they belong to one.
        members: Names of the documents inside it.
        errors: What could not be read of it, one sentence each.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, defer_build=True)

    source: Source
    doc_id: str
    digest: str
    media_type: str
    size_bytes: int = Field(default=0, ge=0)
    pages: int = Field(default=1, ge=0)
    title: str | None = None
    drafts: list[Draft] = Field(default_factory=list, exclude=True, repr=False)
    links: list[ParsedLink] = Field(default_factory=list)
    headings: list[ParsedHeading] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)
    members: list[str] = Field(default_factory=list)
    errors: list[str] = Field(default_factory=list)
