"""Ladders: who could read each page, best first, and the routes and estimates that come of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from indx_core.contracts import CapabilityInfo, Constraints, Estimates, PageRoute, Route, SignatureMatch
from indx_core.ports import PageEvidence
from indx_routing.constraining import Ladders
from indx_routing.economics import Economics

__all__ = ["RECOGNISERS", "build_ladders", "estimate", "is_scan", "led_by", "routes_of", "unreadable"]

RECOGNISERS: Final = ("ocr", "vision")
"""Kinds of readers that look at a picture of a page."""

_COVERED: Final = 0.8  # of the page: what is beside a picture of this size is the margin of a scan
_FEW_CHARACTERS: Final = 40  # a page's number, a date; a heading over a picture has more


def build_ladders(
    pages: Sequence[PageEvidence],
    by_id: Mapping[str, CapabilityInfo],
    media_type: str,
    economics: Economics,
    matches: Sequence[SignatureMatch],
) -> Ladders:
    """Who could read each page, best first: nominated parsers, then the generic readers, a person last."""

    def rank(capability: CapabilityInfo) -> tuple[float, float, str]:
        price = economics.price(capability)
        return (-price.quality, price.cost_usd, capability.id)

    readers = sorted((c for c in by_id.values() if media_type in c.media_types), key=rank)
    natives = [c.id for c in readers if c.kind == "native"]
    recognisers = [c.id for kind in RECOGNISERS for c in readers if c.kind == kind]
    manual = sorted(c.id for c in by_id.values() if c.kind == "manual")
    leads: dict[int, list[str]] = {}
    for match in matches:
        if match.installed:
            whole = match.scope == "DOCUMENT" and not match.pages
            for page in [evidence.page for evidence in pages] if whole else match.pages:
                leads.setdefault(page, []).append(match.capability_id)
    ladders: Ladders = {}
    for evidence in pages:
        generic = recognisers + natives if _needs_recognition(evidence) else natives + recognisers
        ladder = [*leads.get(evidence.page, ()), *generic, *manual]
        ladders[evidence.page] = tuple(dict.fromkeys(ladder))
    return ladders


def is_scan(evidence: PageEvidence) -> bool:
    """Whether a picture covers a page whose text is but a stamp in its margins, or a few characters."""
    covered = evidence.image_share >= _COVERED and evidence.images > 0
    body = evidence.text_characters if evidence.body_characters is None else evidence.body_characters
    return covered and evidence.text_characters > 0 and body < _FEW_CHARACTERS


def _needs_recognition(evidence: PageEvidence) -> bool:
    if not evidence.plausible or is_scan(evidence):
        return True
    return evidence.text_characters == 0 and (evidence.images > 0 or evidence.drawings > 0)


def unreadable(
    ladders: Ladders, by_id: Mapping[str, CapabilityInfo], media_type: str, *, signatures_asked: bool
) -> Iterator[str]:
    """Why a type has no reader whatever the constraints; one that only parsers read needs the flag."""
    readers = [c for c in by_id.values() if media_type in c.media_types]
    parsers = ", ".join(sorted(c.id for c in readers if c.kind == "parser"))
    if parsers and not signatures_asked and all(c.kind in ("parser", "manual") for c in readers):
        yield f"signature_detection: {media_type} is read by {parsers} only; set it to ask them"
    if not all(ladders.values()):
        yield (
            f"media_type: nothing installed reads {media_type}, and no person can be asked; "
            "the capabilities of this installation list what it reads"
        )


def routes_of(ladders: Ladders, constraints: Constraints) -> tuple[Route, tuple[PageRoute, ...]]:
    """The commonest route as the default (of equals, the one met first), and the pages that differ."""
    counts: dict[tuple[str, ...], int] = {}
    for ladder in ladders.values():
        counts[ladder] = counts.get(ladder, 0) + 1
    common = max(counts, key=counts.__getitem__)

    def route(ladder: tuple[str, ...]) -> Route:
        rest = ladder[1:] if constraints.fallbacks_allowed else ()
        return Route(capability_id=ladder[0], fallbacks=rest)

    routes = {ladder: route(ladder) for ladder in counts}
    pages = tuple(
        PageRoute(page=page, route=routes[ladder]) for page, ladder in ladders.items() if ladder != common
    )
    return routes[common], pages


def estimate(ladders: Ladders, by_id: Mapping[str, CapabilityInfo], economics: Economics) -> Estimates:
    """What the selected reader of each page is expected to cost, take and yield."""
    prices = [economics.price(by_id[ladder[0]]) for ladder in ladders.values()]
    return Estimates(
        cost_usd=round(sum(p.cost_usd for p in prices), 6),
        latency_ms=sum(p.latency_ms for p in prices),
        quality=round(sum(p.quality for p in prices) / len(prices), 6) if prices else 0.0,
    )


def led_by(ladders: Ladders, reader: CapabilityInfo) -> Ladders:
    """The ladders with `reader` first; a person who is asked first is the only one who is."""
    if reader.kind == "manual":
        return dict.fromkeys(ladders, (reader.id,))
    return {page: tuple(dict.fromkeys((reader.id, *ladder))) for page, ladder in ladders.items()}
