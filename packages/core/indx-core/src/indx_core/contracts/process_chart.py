"""A process chart on a slide: its nodes and edges, on the metadata of the page that shows it."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from indx_core.contracts._base import BBox, Fraction, WireModel

Point = tuple[Fraction, Fraction]
"""`[x, y]` in 0..1 of the page as displayed, origin top left."""


class ChartNode(WireModel):
    """One shape. Its ID is `shape:` and the number the file gives the shape."""

    id: str = Field(description="Its ID in the chart.")
    kind: Literal["symbol", "picture", "container", "text"] = Field(description="What the node is.")
    symbol: Literal["triangle", "ellipse", "diamond", "double_triangle"] | None = Field(
        default=None, description="The shape it is drawn as."
    )
    role: Literal["material", "operation", "inspection", "assembly"] | None = Field(
        default=None, description="Its part in the process."
    )
    label: str | None = Field(default=None, description="Its text.")
    bbox: BBox | None = Field(default=None, description="Its place on the page.")


class ChartEdge(WireModel):
    """A connector between two symbols, or a container and a node whose centre it encloses."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)

    id: str = Field(description="Its ID in the chart.")
    kind: Literal["connection", "contains"] = Field(description="What the line says.")
    from_: str = Field(alias="from", description="The ID of the node it starts at.")
    to: str = Field(description="The ID of the node it ends at.")
    arrow: bool | None = Field(default=None, description="A connection's: whether the file drew an arrow.")
    path: tuple[Point, Point] | None = Field(default=None, description="A connection's two ends.")


class ProcessChart(WireModel):
    """A process chart as the slide draws it."""

    title: str | None = Field(default=None, description="The chart's title.")
    nodes: tuple[ChartNode, ...] = Field(default=(), description="Its nodes, in order.")
    edges: tuple[ChartEdge, ...] = Field(default=(), description="Its lines, in order.")
