"""The plan: for each page a ladder of capabilities, chosen by rules that can be read here.

The ladder of a page, before constraints: parsers nominated for it, the surest first; then native readers;
then recognition (`ocr`) and vision where an image may hold what no text layer does; manual review last,
always. A page with no plausible text layer puts recognition first. Within a kind, the better, then the
cheaper, then the one whose ID sorts first. Constraints remove rungs; a page they leave without a reader
makes the plan unsatisfied, with a line for each constraint that removed the last ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from indx_core.contracts import (
    CapabilityInfo,
    Constraints,
    Estimates,
    PageRoute,
    Plan,
    PlanRequestPart,
    Reason,
    Route,
    SignatureMatch,
    Snapshot,
)
from indx_core.ports import Observation, PageEvidence, Signature
from indx_routing.constraining import Ladders, constrain
from indx_routing.economics import Economics
from indx_routing.spaces import unservable_spaces

__all__ = ["POLICY_VERSION", "Nomination", "plan"]

POLICY_VERSION = "1"
"""Changes whenever an equal snapshot, observation and request may get another plan."""

_RECOGNISERS = ("ocr", "vision")


@dataclass(frozen=True, slots=True)
class Nomination:
    """A parser's signature with the capability it nominates."""

    capability_id: str
    signature: Signature


def plan(
    request: PlanRequestPart,
    *,
    snapshot: Snapshot,
    observation: Observation,
    source_digest: str,
    economics: Economics,
    nominations: Sequence[Nomination] = (),
) -> Plan:
    """Decide how each page is read.

    Args:
        request: What was asked; its source is not looked at.
        snapshot: What is installed.
        observation: What is on the pages.
        source_digest: The digest of the bytes observed.
        economics: What a page costs under each capability.
        nominations: What parsers recognised; empty when they were not asked.

    Returns:
        A plan, ready or unsatisfied. Equal arguments give an equal plan with an equal `plan_id`.
    """
    media_type = observation.media_type
    constraints = request.constraints or Constraints()
    by_id = {c.id: c for c in snapshot.capabilities if c.available}
    matches = tuple(_match(n, by_id, media_type) for n in sorted(nominations, key=_surest_first))
    # A document without pages still has the route it would take.
    pages = observation.pages or (PageEvidence(1, 0),)
    ladders = _ladders(pages, by_id, media_type, economics, matches)
    unsatisfied = list(unservable_spaces(request, snapshot, constraints))
    unsatisfied += _unreadable(ladders, by_id, media_type, signatures_asked=request.signature_detection)
    if not unsatisfied:
        ladders, refused = constrain(ladders, by_id, snapshot, constraints, economics)
        unsatisfied += refused
    common = {
        "request_id": request.request_id,
        "source_digest": source_digest,
        "media_type": media_type,
        "snapshot_id": snapshot.snapshot_id,
        "policy_version": snapshot.policy_version,
        "granularities": request.granularities,
        "embedding_space_ids": request.embedding_space_ids,
        "reasons": _reasons(observation, by_id, media_type),
        "signature_matches": matches,
    }
    if unsatisfied:
        return Plan.create(status="unsatisfied", unsatisfied=tuple(unsatisfied), **common)
    default, own = _routes(ladders, constraints)
    estimates = _estimates(ladders if observation.pages else {}, by_id, economics)
    return Plan.create(status="ready", default=default, pages=own, estimates=estimates, **common)


def _surest_first(nomination: Nomination) -> tuple[float, str, str]:
    signature = nomination.signature
    return (-signature.confidence, nomination.capability_id, signature.signature)


def _match(nomination: Nomination, by_id: Mapping[str, CapabilityInfo], media_type: str) -> SignatureMatch:
    signature = nomination.signature
    capability = by_id.get(nomination.capability_id)
    return SignatureMatch(
        signature=signature.signature,
        scope=signature.scope,
        pages=tuple(signature.pages),
        evidence=tuple(signature.evidence),
        confidence=signature.confidence,
        capability_id=nomination.capability_id,
        installed=capability is not None and media_type in capability.media_types,
    )


def _ladders(
    pages: Sequence[PageEvidence],
    by_id: Mapping[str, CapabilityInfo],
    media_type: str,
    economics: Economics,
    matches: Sequence[SignatureMatch],
) -> Ladders:
    def rank(capability: CapabilityInfo) -> tuple[float, float, str]:
        price = economics.price(capability.id, capability.kind)
        return (-price.quality, price.cost_usd, capability.id)

    readers = sorted((c for c in by_id.values() if media_type in c.media_types), key=rank)
    natives = [c.id for c in readers if c.kind == "native"]
    recognisers = [c.id for kind in _RECOGNISERS for c in readers if c.kind == kind]
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


def _needs_recognition(evidence: PageEvidence) -> bool:
    return not evidence.plausible or (evidence.text_characters == 0 and evidence.images > 0)


def _unreadable(
    ladders: Ladders, by_id: Mapping[str, CapabilityInfo], media_type: str, *, signatures_asked: bool
) -> Iterator[str]:
    """Why a type has no reader whatever the constraints; one that only parsers read needs the flag."""
    readers = [c for c in by_id.values() if media_type in c.media_types]
    parsers = ", ".join(sorted(c.id for c in readers if c.kind == "parser"))
    if parsers and not signatures_asked and all(c.kind in ("parser", "manual") for c in readers):
        yield f"signature_detection: {media_type} is read by {parsers} only; set it to ask them"
    if not all(ladders.values()):
        yield f"media_type: nothing installed reads {media_type}, and no person can be asked"


def _routes(ladders: Ladders, constraints: Constraints) -> tuple[Route, tuple[PageRoute, ...]]:
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


def _estimates(ladders: Ladders, by_id: Mapping[str, CapabilityInfo], economics: Economics) -> Estimates:
    prices = [economics.price(ladder[0], by_id[ladder[0]].kind) for ladder in ladders.values()]
    return Estimates(
        cost_usd=round(sum(p.cost_usd for p in prices), 6),
        latency_ms=sum(p.latency_ms for p in prices),
        quality=round(sum(p.quality for p in prices) / len(prices), 6) if prices else 0.0,
    )


def _reasons(
    observation: Observation, by_id: Mapping[str, CapabilityInfo], media_type: str
) -> tuple[Reason, ...]:
    """Public reasons: what was seen, never the private numbers behind it."""
    pages = observation.pages
    groups = (
        ("text_layer", "the page has text that can be read natively", _text_pages(pages)),
        ("no_text_layer", "the page shows images and has no text", _image_pages(pages)),
        ("implausible_text", "the page's text layer is not plausible text", _implausible_pages(pages)),
        ("blank", "the page shows nothing", _blank_pages(pages)),
        ("hidden", "the document hides the page", tuple(p.page for p in pages if p.hidden)),
    )
    reasons = [
        Reason(code=code, message=message, pages=None if len(found) == len(pages) else found)
        for code, message, found in groups
        if found
    ]
    reasons += [Reason(code=code, message=text) for code, text in sorted(observation.facts.items())]
    wanting = _image_pages(pages) or _implausible_pages(pages)
    if wanting and not any(c.kind in _RECOGNISERS and media_type in c.media_types for c in by_id.values()):
        message = "no recognition is installed for pages without readable text; install indx[ocr]"
        reasons.append(Reason(code="no_recognition", message=message))
    return tuple(reasons)


def _text_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if p.plausible and p.text_characters)


def _image_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if not p.text_characters and p.images)


def _implausible_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if p.text_characters and not p.plausible)


def _blank_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if not p.text_characters and not p.images)
