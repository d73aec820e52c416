"""A chunk of the graph, as `chunks.json` holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from indx_graph.errors import IndexError_

__all__ = ["MODES", "GraphChunk", "chunk_of"]

MODES: Final = ("structural", "semantic")
"""How a chunk was cut: along the structure of its document, or where its meaning changes."""


@dataclass(slots=True)
class GraphChunk:
    """A node of the graph.

    Attributes:
        id: Unique in the index.
        doc_id: Its document.
        position: Its place in its document, from 0.
        section: The headings above it, outermost first.
        mode: `structural` or `semantic`.
        text: What it says.
        tokens: How many tokens the text has, by the tokenizer of the settings.
        entities: Names and titles in it, folded, the title it bears first.
        references: What it cites, as `ref:…`, `doi:…`, `url:…`, `doc:…`.
        utility_questions: Questions it answers.
        cluster: The group it belongs to, from 0; -1 before there are any.
    """

    id: str
    doc_id: str
    position: int
    text: str
    section: list[str] = field(default_factory=list)
    mode: str = "structural"
    tokens: int = 0
    entities: list[str] = field(default_factory=list)
    references: list[str] = field(default_factory=list)
    utility_questions: list[str] = field(default_factory=list)
    cluster: int = -1

    def written(self) -> dict[str, Any]:
        """The record of `chunks.json`."""
        return {name: getattr(self, name) for name in _FIELDS}


_FIELDS: Final = (
    "id",
    "doc_id",
    "position",
    "section",
    "mode",
    "text",
    "tokens",
    "entities",
    "references",
    "utility_questions",
    "cluster",
)
_TEXTS: Final = ("section", "entities", "references", "utility_questions")


def chunk_of(record: Any, place: int) -> GraphChunk:
    """A chunk from its record; keys that a later release may have added are passed over.

    Raises:
        IndexError_: `archive_corrupt`: the record is not one.
    """
    if not isinstance(record, Mapping):
        raise IndexError_(f"chunks.json: entry {place} is no object; build the index again")
    values = {name: record[name] for name in _FIELDS if name in record}
    texts = [values.get(name) for name in ("id", "doc_id", "text")]
    numbers = [values.get("position"), values.get("tokens", 0), values.get("cluster", -1)]
    if (
        not all(isinstance(one, str) for one in texts)
        or not all(isinstance(one, int) and not isinstance(one, bool) for one in numbers)
        or values.get("mode", "structural") not in MODES
        or not all(_is_texts(values.get(name, [])) for name in _TEXTS)
    ):
        raise IndexError_(f"chunks.json: entry {place} has a field of another kind; build the index again")
    return GraphChunk(**values)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)
