"""A process chart, and what speaks for it being one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

__all__ = ["Chart"]

_SIGNALS: Final = 4


@dataclass(frozen=True)
class Chart:
    """What a slide draws.

    Attributes:
        title: The slide's title, empty when it has none.
        nodes: Nodes as they are written, in the order in which they are drawn.
        edges: Edges as they are written, connections before what containers hold.
    """

    title: str
    nodes: Sequence[dict[str, Any]]
    edges: Sequence[dict[str, Any]]

    @cached_property
    def symbols(self) -> int:
        """How many symbols there are."""
        return sum(node["kind"] == "symbol" for node in self.nodes)

    @cached_property
    def kinds(self) -> int:
        """Of how many kinds they are."""
        return len({node["symbol"] for node in self.nodes if node["kind"] == "symbol"})

    @cached_property
    def labelled(self) -> int:
        """How many of them carry a label."""
        return sum(node["kind"] == "symbol" and "label" in node for node in self.nodes)

    @cached_property
    def connections(self) -> int:
        """How many connectors join two symbols."""
        return sum(edge["kind"] == "connection" for edge in self.edges)

    @cached_property
    def arrows(self) -> int:
        """How many of them carry an arrow."""
        return sum(edge.get("arrow", False) for edge in self.edges)

    @property
    def recognised(self) -> bool:
        """Whether it is a process chart: symbols of more than one kind, and connectors that join symbols."""
        return self.kinds > 1 and self.connections > 0

    @property
    def confidence(self) -> float:
        """The share of four signals: symbols, connectors, arrows and, in proportion, labels."""
        labels = self.labelled / self.symbols if self.symbols else 0.0
        return round(((self.kinds > 1) + (self.connections > 0) + (self.arrows > 0) + labels) / _SIGNALS, 6)

    def evidence(self) -> list[str]:
        """The signals found."""
        lines = [
            f"symbols: {self.symbols}, of {self.kinds} kinds",
            f"connectors that join two symbols: {self.connections}",
        ]
        if self.arrows:
            lines.append(f"connectors that carry an arrow: {self.arrows} of {self.connections}")
        if self.labelled:
            lines.append(f"symbols that carry a label: {self.labelled} of {self.symbols}")
        return lines

    def as_json(self) -> dict[str, Any]:
        """The chart in the shape of the contract."""
        from indx_core.contracts.process_chart import ProcessChart

        facts = {"title": self.title or None, "nodes": self.nodes, "edges": self.edges}
        return ProcessChart.model_validate(facts).model_dump(mode="json")
