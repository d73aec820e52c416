"""Finds the entities of a text: those of the gazetteer, and beside them those of the patterns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from indx_core.ports.lanes import EntitySpan
from indx_ner_patterns import _addresses, _amounts, _identifiers, _moments
from indx_ner_patterns._gazetteer import Gazetteer
from indx_ner_patterns._pattern import narrow
from indx_ner_patterns._places import Places

__all__ = ["PATTERNS", "extract", "shipped"]

PATTERNS: Final = (
    *_addresses.WEB,
    *_identifiers.PATTERNS,
    *_moments.PATTERNS,
    *_amounts.PATTERNS,
    *_addresses.PLACES,
)
"""The shipped patterns, in the order in which they claim their place in a text."""


def extract(text: str, gazetteer: Gazetteer | None = None) -> list[EntitySpan]:
    """The entities of `text`, in order.

    Spans of one label never overlap; where a name of the gazetteer and a pattern give the same label, the
    name wins.
    """
    named = gazetteer.find(text) if gazetteer else []
    spans = named + _beside(shipped(text), named, len(text))
    return sorted(spans, key=lambda span: (span.start, span.end, span.label))


def _beside(found: list[EntitySpan], named: Sequence[EntitySpan], length: int) -> list[EntitySpan]:
    """Those of `found` that overlap none of `named` with the same label."""
    labels = {span.label for span in found}
    taken: dict[str, Places] = {}
    for span in named:
        if span.label in labels:
            taken.setdefault(span.label, Places(length)).take(span.start, span.end)
    return [span for span in found if span.label not in taken or taken[span.label].take(span.start, span.end)]


def shipped(text: str) -> list[EntitySpan]:
    """What the shipped patterns find; no two overlap."""
    plain = narrow(text)
    present = frozenset(plain)
    places = Places(len(text))
    spans = []
    for pattern in PATTERNS:
        if present.isdisjoint(pattern.needs):
            continue
        for match in pattern.expression.finditer(plain if pattern.narrowed else text):
            place = pattern.accept(match)
            if place and places.take(*place):
                start, end = place
                spans.append(EntitySpan(pattern.label, text[start:end], start, end, pattern.confidence))
    return spans
