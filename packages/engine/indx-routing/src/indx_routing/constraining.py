"""Constraints: which rungs of the ladders they remove, and what is said when none is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, TypeAlias

from indx_core.contracts import CapabilityInfo, Constraints, Snapshot
from indx_routing.economics import Economics

__all__ = ["Ladders", "constrain"]

Ladders: TypeAlias = "dict[int, tuple[str, ...]]"
"""The rungs of each page, best first."""

_SHOWN: Final = 10
_SHOWN_OF_NAME: Final = 100

Rule: TypeAlias = "tuple[str, Callable[[CapabilityInfo], bool]]"


def constrain(
    ladders: Ladders,
    by_id: Mapping[str, CapabilityInfo],
    snapshot: Snapshot,
    constraints: Constraints,
    economics: Economics,
    media_type: str,
) -> tuple[Ladders, list[str]]:
    """Remove what the constraints forbid.

    Returns:
        The ladders left, and one line for each constraint that left a page without a reader it had; with
        lines the ladders mean nothing.
    """
    lines: list[str] = []
    lines += _unknown_names(snapshot, constraints)
    for name, allowed in _rules(constraints, economics):
        ladders, lost = _remove(ladders, by_id, allowed)
        if lost and not (name == "capability_ids" and _names_a_person(by_id, constraints)):
            because = _allowed_in_vain(snapshot, constraints, media_type) if name == "capability_ids" else ""
            lines.append(_line(name, lost, constraints) + because)
    for name, limit, measure in _budgets(constraints, economics):
        ladders, lost = _fit(ladders, by_id, limit, measure)
        if lost:
            lines.append(_line(name, lost, constraints))
    return ladders, lines


def _unknown_names(snapshot: Snapshot, constraints: Constraints) -> list[str]:
    known = sorted(c.id for c in snapshot.capabilities)
    unknown = [name[:_SHOWN_OF_NAME] for name in constraints.capability_ids or () if name not in known]
    if not unknown:
        return []
    told = ", ".join(_with_nearest(name, known) for name in unknown[:_SHOWN])
    more = " …" if len(unknown) > _SHOWN else ""
    there = ", ".join(known) or "none"  # always, for what is near by its letters may be another thing
    return [f"capability_ids: no installed capability is called {told}{more}; there are {there}"]


def _with_nearest(name: str, known: Sequence[str]) -> str:
    nearest = get_close_matches(name, known, n=1)
    return f"{name!r} (did you mean {nearest[0]!r}?)" if nearest else repr(name)


def _allowed_in_vain(snapshot: Snapshot, constraints: Constraints, media_type: str) -> str:
    """Why readers that are allowed do not read this document, in brackets."""
    reasons = []
    for reader in snapshot.capabilities:
        if reader.id not in (constraints.capability_ids or ()):
            continue
        if media_type not in reader.media_types:
            reasons.append(f"{reader.id} does not read {media_type}")
        elif not reader.available:
            reasons.append(f"{reader.id} cannot run: {reader.reason}")
        elif reader.kind == "parser":
            reasons.append(f"{reader.id} reads only what it recognises, which signature_detection asks of it")
    return f" ({'; '.join(reasons)})" if reasons else ""


def _rules(constraints: Constraints, economics: Economics) -> Iterator[Rule]:
    if constraints.capability_ids is not None:
        allowlist = set(constraints.capability_ids)
        yield "capability_ids", lambda c: c.id in allowlist
    if constraints.data_residency:
        yield "data_residency", lambda c: c.device != "external"
    if (floor := constraints.minimum_quality) is not None:
        yield "minimum_quality", lambda c: economics.price(c).quality >= floor


def _budgets(
    constraints: Constraints, economics: Economics
) -> Iterator[tuple[str, float, Callable[[CapabilityInfo], float]]]:
    if constraints.maximum_cost_usd is not None:
        yield (
            "maximum_cost_usd",
            constraints.maximum_cost_usd,
            lambda c: economics.price(c).cost_usd,
        )
    if constraints.maximum_latency_ms is not None:
        yield (
            "maximum_latency_ms",
            constraints.maximum_latency_ms,
            lambda c: economics.price(c).latency_ms,
        )


def _is_reader(capability: CapabilityInfo) -> bool:
    return capability.kind != "manual"


def _names_a_person(by_id: Mapping[str, CapabilityInfo], constraints: Constraints) -> bool:
    """Whether the allowlist asks for manual review itself, so that a page left to it is no surprise."""
    return any(name in by_id and not _is_reader(by_id[name]) for name in constraints.capability_ids or ())


def _remove(
    ladders: Ladders, by_id: Mapping[str, CapabilityInfo], allowed: Callable[[CapabilityInfo], bool]
) -> tuple[Ladders, list[int]]:
    """Drop readers that are not allowed; manual review stays. Also the pages that lost their last reader."""
    left: Ladders = {}
    lost: list[int] = []
    for page, ladder in ladders.items():
        kept = tuple(i for i in ladder if not _is_reader(by_id[i]) or allowed(by_id[i]))
        had = any(_is_reader(by_id[i]) for i in ladder)
        if had and not any(_is_reader(by_id[i]) for i in kept):
            lost.append(page)
        left[page] = kept
    return left, lost


def _fit(
    ladders: Ladders,
    by_id: Mapping[str, CapabilityInfo],
    limit: float,
    measure: Callable[[CapabilityInfo], float],
) -> tuple[Ladders, list[int]]:
    """Drop the dearest selected reader until what is selected fits the limit.

    A reader that alone would pass the limit on a page where it is only a fallback is dropped too.
    """
    ladders, lost = _remove(ladders, by_id, lambda c: measure(c) <= limit)
    while not lost and sum(measure(by_id[ladder[0]]) for ladder in ladders.values()) - limit > 1e-12:
        dearest = max((by_id[ladder[0]] for ladder in ladders.values()), key=lambda c: (measure(c), c.id))
        ladders, lost = _remove(ladders, by_id, lambda c, banned=dearest.id: c.id != banned)  # type: ignore[misc]
    return ladders, lost


def _line(name: str, pages: list[int], constraints: Constraints) -> str:
    shown = ", ".join(map(str, pages[:_SHOWN])) + (" …" if len(pages) > _SHOWN else "")
    value = getattr(constraints, name)
    given = (", ".join(value) or "none") if isinstance(value, tuple) else value
    return f"{name}: {given} leaves page {shown} without a reader"
