"""What a page is expected to cost, take and yield: by kind of capability, corrected by the operator."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from indx_core.errors import ConfigurationError

if TYPE_CHECKING:
    from indx_core.contracts import CapabilityInfo

__all__ = ["DEFAULT_ECONOMICS", "Economics", "Price", "parse_economics"]


@dataclass(frozen=True, slots=True)
class Price:
    """One page: quality 0..1, US dollars, whole milliseconds."""

    quality: float
    cost_usd: float
    latency_ms: int


_KINDS: Mapping[str, Price] = {
    "native": Price(0.95, 0.0, 5),
    "parser": Price(0.9, 0.0, 20),
    "ocr": Price(0.8, 0.0005, 2000),
    "vision": Price(0.9, 0.01, 4000),
    "manual": Price(0.0, 0.0, 0),
}
_CONVERTED = Price(0.9, 0.0, 500)
"""Of a reader of any kind that has another program convert the document first."""

_MOST = 1e12
"""Dollars or milliseconds a page: what is above is a mistake, and sums of it are no numbers."""

_FIELDS = {"quality": "quality", "cost_usd_per_page": "cost_usd", "latency_ms_per_page": "latency_ms"}


@dataclass(frozen=True, slots=True)
class Economics:
    """Prices by capability. An entry under an ID wins over one under its kind, field by field."""

    corrections: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def price(self, capability: CapabilityInfo) -> Price:
        """The price of a page under a capability."""
        base = _CONVERTED if capability.converts else _KINDS[capability.kind]
        facts = {"quality": base.quality, "cost_usd": base.cost_usd, "latency_ms": base.latency_ms}
        facts |= self.corrections.get(capability.kind, {})
        facts |= self.corrections.get(capability.id, {})
        return Price(facts["quality"], facts["cost_usd"], int(facts["latency_ms"]))


DEFAULT_ECONOMICS = Economics()


def parse_economics(text: str, *, origin: str) -> Economics:
    """Read an operator's corrections: a JSON object by capability ID or kind.

    Args:
        text: The JSON.
        origin: The setting and file, for messages.

    Raises:
        ConfigurationError: `invalid_economics`, for anything but known fields with values in bounds.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refuse(origin, f"is not JSON ({error})") from None
    if not isinstance(value, dict):
        raise _refuse(origin, "is not a JSON object keyed by capability ID or kind")
    return Economics({key: _entry(origin, key, entry) for key, entry in value.items()})


def _entry(origin: str, key: str, entry: Any) -> dict[str, float]:
    if not isinstance(entry, dict):
        raise _refuse(origin, f"{key!r} is not an object")
    result: dict[str, float] = {}
    for name, number in entry.items():
        if name not in _FIELDS:
            raise _refuse(origin, f"{key!r} has the unknown field {name!r}; known: {', '.join(_FIELDS)}")
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise _refuse(origin, f"{key}.{name} is not a number")
        if not 0 <= number <= (1 if name == "quality" else _MOST):  # NaN is in no bounds
            raise _refuse(origin, f"{key}.{name} is out of bounds")
        if name == "latency_ms_per_page" and not isinstance(number, int):
            raise _refuse(origin, f"{key}.{name} is {number!r}, not a whole number of milliseconds")
        result[_FIELDS[name]] = number
    return result


def _refuse(origin: str, what: str) -> ConfigurationError:
    return ConfigurationError(f"{origin}: {what}", code="invalid_economics")
