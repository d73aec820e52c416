"""Ports of the lanes that annotate text: language detectors, classifiers, extractors, enrichers.

A lane is handed the full text of each unit and bounds what it looks at itself. It answers a batch with
one item for each text: an answer, None for no opinion, or a `LaneError` for that text alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from indx_core.ports.declarations import Device, Unavailability, Unit

__all__ = [
    "Answers",
    "Classification",
    "Classifier",
    "Enricher",
    "Enrichment",
    "EntitySpan",
    "Extractor",
    "LaneContext",
    "LaneDeclaration",
    "LaneError",
    "LanguageDetector",
    "LanguageDetectorDeclaration",
    "Scored",
]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LaneError:
    """Why one text got no answer."""

    message: str


@dataclass(frozen=True, slots=True)
class Answers(Generic[T]):
    """One item for each text, in order, and what the batch was charged."""

    items: Sequence[T | LaneError | None]
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class LaneDeclaration:
    """A lane's facts. IDs are one namespace over classifiers, extractors and enrichers of every unit.

    The bare ID serves documents (`words`), `-page` and `-chunk` the other units; an extractor serves pages
    by its bare ID (`patterns`).
    """

    id: str
    unit: Unit
    device: Device = "cpu"
    settings_key: str = ""
    """What of its settings changes its answers, for cache keys; empty when nothing does."""
    text_alone: bool = False
    """Whether a classifier looks at no context, and may be asked about texts of several files at once."""


@dataclass(frozen=True, slots=True)
class LaneContext:
    """What a classifier may know beside the text."""

    media_type: str
    filename: str | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """A label and how sure its lane is, 0..1."""

    label: str
    confidence: float


@dataclass(frozen=True, slots=True)
class LanguageDetectorDeclaration:
    """A language detector's facts."""

    id: str


class LanguageDetector(Protocol):
    """Names the languages of texts by ISO 639-1 codes, highest confidence first."""

    port_version: int
    declaration: LanguageDetectorDeclaration

    def availability(self) -> Unavailability | None:
        """Why it cannot run now; None when it can."""
        ...

    def detect(self, texts: Sequence[str]) -> Answers[Sequence[Scored]]:
        """Languages of each text."""
        ...


Classification = Mapping[str, Sequence[Scored]]
"""Labels by facet (`document_type`), highest confidence first."""


class Classifier(Protocol):
    """Sorts texts under labels, by facets of its own."""

    port_version: int
    declaration: LaneDeclaration

    def availability(self) -> Unavailability | None:
        """Why it cannot run now; None when it can."""
        ...

    def classify(self, texts: Sequence[str], context: LaneContext) -> Answers[Classification]:
        """Labels of each text."""
        ...


@dataclass(frozen=True, slots=True)
class EntitySpan:
    """An entity: `surface == text[start:end]`, offsets in characters."""

    label: str
    surface: str
    start: int
    end: int
    confidence: float


class Extractor(Protocol):
    """Finds entities in texts."""

    port_version: int
    declaration: LaneDeclaration

    def availability(self) -> Unavailability | None:
        """Why it cannot run now; None when it can."""
        ...

    def extract(self, texts: Sequence[str]) -> Answers[Sequence[EntitySpan]]:
        """Entities of each text, in order of their start."""
        ...


@dataclass(frozen=True, slots=True)
class Enrichment:
    """What an enricher adds to a text; a part it has no opinion on is None."""

    summary: str | None = None
    tags: Sequence[Scored] | None = None
    topics: Sequence[str] | None = None
    questions: Sequence[str] | None = None


class Enricher(Protocol):
    """Adds summaries, tags, topics or questions to texts."""

    port_version: int
    declaration: LaneDeclaration

    def availability(self) -> Unavailability | None:
        """Why it cannot run now; None when it can."""
        ...

    def enrich(self, texts: Sequence[str]) -> Answers[Enrichment]:
        """What it adds to each text."""
        ...
