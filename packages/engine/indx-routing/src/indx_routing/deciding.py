"""What is decided of one document when no router says otherwise: ladders, held to the constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from indx_core.contracts import CapabilityInfo, Constraints, PlanRequestPart, SignatureMatch, Snapshot
from indx_core.ports import PageEvidence
from indx_routing.constraining import Ladders, constrain
from indx_routing.economics import Economics
from indx_routing.laddering import build_ladders, estimate, routes_of, unreadable
from indx_routing.spaces import unservable_spaces

__all__ = ["Case", "decide"]


@dataclass(frozen=True, slots=True)
class Case:
    """Everything a decision is made from.

    Attributes:
        request: What was asked.
        snapshot: What is installed.
        media_type: The document's.
        pages: What is on them; at least one.
        economics: What a page costs.
        matches: What parsers recognised, the surest first.
        by_id: The capabilities that can run.
    """

    request: PlanRequestPart
    snapshot: Snapshot
    media_type: str
    pages: Sequence[PageEvidence]
    economics: Economics
    matches: Sequence[SignatureMatch]
    by_id: Mapping[str, CapabilityInfo]

    @property
    def constraints(self) -> Constraints:
        """What a route must respect."""
        return self.request.constraints or Constraints()

    def ladders(self, matches: Sequence[SignatureMatch]) -> Ladders:
        """The ladder of each page, led by the parsers that these matches nominate."""
        return build_ladders(self.pages, self.by_id, self.media_type, self.economics, matches)

    def constrained(self, ladders: Ladders) -> tuple[Ladders, list[str]]:
        """The ladders that the constraints leave, and a line for each page they leave without a reader."""
        return constrain(
            ladders, self.by_id, self.snapshot, self.constraints, self.economics, self.media_type
        )

    def hopeless(self, ladders: Ladders, space_ids: Sequence[str], *, signatures_asked: bool) -> list[str]:
        """Why nothing could satisfy the request whatever the constraints, line by line."""
        request = self.request.model_copy(update={"embedding_space_ids": tuple(space_ids)})
        lines = list(unservable_spaces(request, self.snapshot, self.constraints))
        lines += unreadable(ladders, self.by_id, self.media_type, signatures_asked=signatures_asked)
        return lines


def decide(case: Case) -> dict[str, Any]:
    """The members of a plan that say who reads which page, or why nobody can."""
    ladders = case.ladders(case.matches)
    lines = case.hopeless(
        ladders, case.request.embedding_space_ids, signatures_asked=case.request.signature_detection
    )
    if not lines:
        ladders, lines = case.constrained(ladders)
    if lines:
        return {"status": "unsatisfied", "unsatisfied": tuple(lines)}
    default, own = routes_of(ladders, case.constraints)
    return {
        "status": "ready",
        "default": default,
        "pages": own,
        "estimates": estimate(ladders, case.by_id, case.economics),
    }
