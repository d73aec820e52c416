"""Enrich: types, topics, tags and summaries, first of documents, then of their chunks.

The type is found first, because what else is done depends on it: out of a form or an invoice no sentences
are picked as a summary, for it has fields and figures and no sentences.

Chunk lanes are asked where the configuration names them. Where none is, a chunk takes those topics and tags
of its document that stand in its text (all of them, when none does) and its first sentence: asking the
standard lanes about every chunk costs more than reading, cutting and embedding together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from indx_core.ports import LaneContext
from indx_core.text import grapheme_floor
from indx_space.cache import cache_key
from indx_space.pipeline.lanes import Question, ask

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk, Document
    from indx_core.discovery import Provider
    from indx_space.context import SpaceContext
    from indx_space.pipeline.build import Build

__all__ = ["FIELDS_AND_FIGURES", "Enrich", "first_sentence"]

FIELDS_AND_FIGURES: Final = frozenset(
    {
        "invoice",
        "receipt",
        "quotation",
        "purchase_order",
        "delivery_note",
        "form",
        "financial_statement",
    }
)
"""Document types that have no running text to summarise."""

_TYPE_FACET: Final = "document_type"
_PICKS_SENTENCES: Final = frozenset({"extractive", "extractive-chunk"})
_SUMMARY: Final = 300
_SENTENCE: Final = re.compile(r"[.!?](?=[\s\"')\]]|$)[\"')\]]*|[。！？]")


class Enrich:
    """Fills type, topics, tags and summary of documents, and the metadata of chunks."""

    name = "Enrich"

    def __init__(self, build: Build) -> None:
        self._build = build

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Ask the lanes of the configuration."""
        documents = list(ctx.space.documents_)
        chunks: dict[str, list[Chunk]] = {document.id: [] for document in documents}
        for chunk in ctx.space.chunks:
            chunks.setdefault(chunk.doc_id, []).append(chunk)
        questions = {d.id: _question(d, chunks[d.id], ctx) for d in documents}
        self._classify(ctx, documents, questions)
        self._enrich(ctx, documents, questions)
        for document in documents:
            _describe_chunks(document, chunks[document.id])
            parsed = ctx.parsed.get(document.id)
            if parsed is not None:
                parsed.source.type = document.doc_type
        self._ask_chunks(ctx, documents, chunks, questions)
        return ctx

    def _lanes(self, kind: str, unit: str) -> list[Provider]:
        """The lanes named for a unit, in order."""
        names: Sequence[str] = getattr(self._build.config.enrich, kind)
        found = [self._build.engine.registry.find(f"indx.{kind}", name) for name in names]
        return [p for p in found if p is not None and p.item.declaration.unit == unit]

    def _ask(self, ctx: SpaceContext, provider: Provider, questions: Sequence[Question]) -> list[Any]:
        asked = ask(provider, questions, self._build.cache)
        for path, message in dict.fromkeys(asked.errors):
            self._build.error(ctx, self.name, path, "lane_failed", message)
        self._build.report.cost_usd += asked.cost_usd
        self._build.enriched |= asked.fresh
        self._build.progress(self.name, len(questions), len(questions), provider.item.declaration.id)
        return asked.answers

    def _classify(
        self, ctx: SpaceContext, documents: Sequence[Document], questions: Mapping[str, Question]
    ) -> None:
        """The first classifier with an opinion on the type wins."""
        for document in documents:
            document.doc_type = None
        for provider in self._lanes("classifiers", "document"):
            open_ = [document for document in documents if document.doc_type is None]
            answers = self._ask(ctx, provider, [questions[d.id] for d in open_])
            for document, answer in zip(open_, answers, strict=True):
                labels = (answer or {}).get(_TYPE_FACET)
                if labels:
                    document.doc_type = labels[0][0]

    def _enrich(
        self, ctx: SpaceContext, documents: Sequence[Document], questions: Mapping[str, Question]
    ) -> None:
        """The first enricher with an opinion on a part wins it."""
        merged: dict[str, dict[str, Any]] = {document.id: {} for document in documents}
        for provider in self._lanes("enrichers", "document"):
            name = provider.item.declaration.id
            shown = [d for d in documents if _fits(name, d.doc_type)]
            answers = self._ask(ctx, provider, [questions[d.id] for d in shown])
            for document, answer in zip(shown, answers, strict=True):
                for part, value in (answer or {}).items():
                    merged[document.id].setdefault(part, value)
        for document in documents:
            parts = merged[document.id]
            document.topics = list(parts.get("topics", ()))
            document.tags = list(parts.get("tags", ()))
            document.summary = parts.get("summary")
            parsed = ctx.parsed.get(document.id)
            if document.summary is None and document.doc_type in FIELDS_AND_FIGURES and parsed is not None:
                document.summary = parsed.title

    def _ask_chunks(
        self,
        ctx: SpaceContext,
        documents: Sequence[Document],
        chunks: Mapping[str, Sequence[Chunk]],
        of: Mapping[str, Question],
    ) -> None:
        """What lanes of chunks say stands in place of what a chunk has of its document."""
        for kind in ("classifiers", "extractors", "enrichers"):
            for provider in self._lanes(kind, "chunk"):
                name = provider.item.declaration.id
                shown = [chunk for d in documents if _fits(name, d.doc_type) for chunk in chunks[d.id]]
                questions = [
                    Question(c.text, cache_key(c.text), c.source.path, of[c.doc_id].context) for c in shown
                ]
                for chunk, answer in zip(shown, self._ask(ctx, provider, questions), strict=True):
                    if answer:
                        chunk.metadata |= _chunk_parts(kind, answer)


def _question(document: Document, chunks: Iterable[Chunk], ctx: SpaceContext) -> Question:
    parsed = ctx.parsed.get(document.id)
    media_type = parsed.media_type if parsed is not None else ""
    text = "\n\n".join(chunk.text for chunk in chunks)
    context = LaneContext(media_type, document.path.rpartition("/")[2])
    return Question(text, cache_key(text), document.path, context)


def _fits(lane: str, doc_type: str | None) -> bool:
    """Whether a lane is asked about a document of a type."""
    return lane not in _PICKS_SENTENCES or doc_type not in FIELDS_AND_FIGURES


def _chunk_parts(kind: str, answer: Any) -> dict[str, Any]:
    if kind == "classifiers":
        shaped = {
            facet: [{"label": label, "confidence": confidence} for label, confidence in labels]
            for facet, labels in answer.items()
        }
        return {"classification": shaped}
    return {"entities": answer} if kind == "extractors" else answer


def _describe_chunks(document: Document, chunks: Sequence[Chunk]) -> None:
    """Give chunks what follows from their document and their own first words."""
    prose = document.doc_type not in FIELDS_AND_FIGURES
    forms = {label: label.casefold() for label in (*document.topics, *document.tags)}
    for chunk in chunks:
        metadata = chunk.metadata
        folded = chunk.text.casefold()
        there = {label for label, form in forms.items() if form in folded}
        metadata["topics"] = [topic for topic in document.topics if topic in there] or list(document.topics)
        metadata["tags"] = [tag for tag in document.tags if tag in there] or list(document.tags)
        summary = first_sentence(chunk.text, metadata.get("section", ())) if prose else None
        if summary:
            metadata["summary"] = summary
        else:
            metadata.pop("summary", None)
        if chunk.source.type != document.doc_type:
            chunk.source.type = document.doc_type


def first_sentence(text: str, headings: Sequence[str] = ()) -> str | None:
    """The first sentence of a text below its headings, at most a few hundred characters of it."""
    for line in text[: 4 * _SUMMARY].split("\n"):
        plain = line.strip()
        if not plain or plain.lstrip("# ").rstrip("# ") in headings or not any(map(str.isalnum, plain)):
            continue
        if plain.startswith(("```", "~~~")):  # the fence of a block of code says nothing
            continue
        found = _SENTENCE.search(plain)
        sentence = plain[: found.end()] if found else plain
        if len(sentence) > _SUMMARY:
            sentence = sentence[: grapheme_floor(sentence, _SUMMARY - 1)].rstrip() + "…"
        return sentence
    return None
