"""The plan: for each page a ladder of capabilities, chosen by rules that can be read here.

The ladder of a page, before constraints: parsers nominated for it, the surest first; then native readers;
then recognition (`ocr`) and vision where an image may hold what no text layer does; manual review last,
always. A page with no plausible text layer, or one that a picture covers and whose text is but a stamp in its
margins or a few characters, puts recognition first. Within a kind, the better, then the cheaper, then the
one whose ID sorts first. Constraints remove rungs; a page they leave without a reader
makes the plan unsatisfied, with a line for each constraint that removed the last ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from indx_core.contracts import (
    CapabilityInfo,
    Plan,
    PlanRequestPart,
    Reason,
    ResolvedRouter,
    SignatureMatch,
    Snapshot,
)
from indx_core.ports import Observation, PageEvidence, Signature
from indx_routing.branching import decide_by_branch
from indx_routing.deciding import Case, decide
from indx_routing.economics import Economics
from indx_routing.laddering import RECOGNISERS, estimate, is_scan

__all__ = ["POLICY_VERSION", "Nomination", "plan"]

POLICY_VERSION = "2"
"""Changes whenever an equal snapshot, observation and request may get another plan."""

_FURTHER: Final = {"attachments": "; a build of a folder reads each as a document of its own"}
"""What is to be known of a fact of the document beside it, by its code: a plan is of one document alone."""


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
    routing: ResolvedRouter | None = None,
) -> Plan:
    """Decide how each page is read.

    Args:
        request: What was asked; its source is not looked at.
        snapshot: What is installed.
        observation: What is on the pages.
        source_digest: The digest of the bytes observed.
        economics: What a page costs under each capability.
        nominations: What parsers recognised; empty when they were not asked.
        routing: The router that was named, resolved; its branches then say who reads and what follows.

    Returns:
        A plan, ready or unsatisfied. Equal arguments give an equal plan with an equal `plan_id`.
    """
    by_id = {c.id: c for c in snapshot.capabilities if c.available}
    matches = tuple(_match(n, by_id, observation.media_type) for n in sorted(nominations, key=_surest_first))
    # A document without pages still has the route it would take.
    pages = observation.pages or (PageEvidence(1, 0),)
    case = Case(request, snapshot, observation.media_type, pages, economics, matches, by_id)
    decided = decide(case) if routing is None else decide_by_branch(case, routing, source_digest)
    members = {
        "request_id": request.request_id,
        "source_digest": source_digest,
        "media_type": observation.media_type,
        "snapshot_id": snapshot.snapshot_id,
        "policy_version": snapshot.policy_version,
        "granularities": request.granularities,
        "embedding_space_ids": request.embedding_space_ids,
        "signature_matches": matches,
        **decided,
        "reasons": (*_reasons(observation, snapshot), *decided.get("reasons", ())),
    }
    if "estimates" in members and not observation.pages:
        members["estimates"] = estimate({}, by_id, economics)
    return Plan.create(**members)


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


def _reasons(observation: Observation, snapshot: Snapshot) -> tuple[Reason, ...]:
    """Public reasons: what was seen, never the private numbers behind it."""
    pages = observation.pages
    scans = tuple(p.page for p in pages if p.plausible and is_scan(p))
    groups = (
        ("text_layer", "the page has text that can be read natively", _text_pages(pages)),
        ("no_text_layer", "the page shows images and has no text", _image_pages(pages)),
        ("scan", "a picture covers the page, and its text is a stamp or a few characters", scans),
        ("drawing", "the page shows lines and shapes and has no text", _drawn_pages(pages)),
        ("implausible_text", "the page's text layer is not plausible text", _implausible_pages(pages)),
        ("blank", "the page shows nothing", _blank_pages(pages)),
        ("unseen", "the page could not be looked at", tuple(p.page for p in pages if not p.seen)),
        ("hidden", "the document hides the page", tuple(p.page for p in pages if p.hidden)),
    )
    reasons = [
        Reason(code=code, message=message, pages=None if len(found) == len(pages) else found)
        for code, message, found in groups
        if found
    ]
    reasons += [
        Reason(code=code, message=text + _FURTHER.get(code, ""))
        for code, text in sorted(observation.facts.items())
    ]
    wanting = _image_pages(pages) or _drawn_pages(pages) or _implausible_pages(pages) or scans
    if wanting and (message := _no_recognition(snapshot, observation.media_type)):
        reasons.append(Reason(code="no_recognition", message=message))
    return tuple(reasons)


def _no_recognition(snapshot: Snapshot, media_type: str) -> str | None:
    """Why nothing here can look at a picture of a page, where something made for the type could."""
    known = [c for c in snapshot.capabilities if c.kind in RECOGNISERS]
    able = [c for c in known if media_type in c.media_types]
    if any(c.available for c in able):
        return None
    if able:
        nearest = min(able, key=lambda c: (RECOGNISERS.index(c.kind), c.id))
        return f"{nearest.id} cannot be asked here: {nearest.reason}"
    if known:
        return None
    return 'no recognition is installed for pages without readable text; pip install "indx[ocr]"'


def _text_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if p.plausible and p.text_characters and not is_scan(p))


def _image_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if not p.text_characters and p.images)


def _drawn_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if not p.text_characters and not p.images and p.drawings)


def _implausible_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if p.text_characters and not p.plausible)


def _blank_pages(pages: Sequence[PageEvidence]) -> tuple[int, ...]:
    return tuple(p.page for p in pages if p.seen and not (p.text_characters or p.images or p.drawings))
