"""Says why a chunk was chosen: what of the question it matches, and what connects it with the seeds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from indx_graph.asking import Answer, Asker

__all__ = ["Link", "Reason", "reason_of"]

_LINKS: Final = 3
_SHARED: Final = 4
_NAMES: Final = {
    "meaning": "near in meaning",
    "words": "shares words",
    "title": "named in the question",
    "question": "answers a like question",
}


@dataclass(frozen=True, slots=True)
class Link:
    """An edge to a seed of the walk, and what makes it.

    Attributes:
        chunk: The ID of the seed.
        weight: The weight of the edge.
        signals: The signals that tie the two.
        shared: Names or references that both have.
    """

    chunk: str
    weight: float
    signals: list[str]
    shared: list[str]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a chunk was chosen.

    Attributes:
        relevance: How well it matches by itself, 0 to 1.
        connection: How well the graph connects it with the seeds, 0 to 1.
        ranks: Its rank, from 1, in each list it is in: `meaning`, `words`, `title`, `question`.
        title: Its title, where the question names it.
        seed: Its share of the walk's beginning; 0 where the walk came to it.
        links: Its strongest edges to seeds.
        covers: Words of the question that it was the first to bring.
    """

    relevance: float
    connection: float
    ranks: dict[str, int] = field(default_factory=dict)
    title: str | None = None
    seed: float = 0.0
    links: list[Link] = field(default_factory=list)
    covers: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The same in one line."""
        said = [
            f"{_NAMES[name]} (rank {rank})" if name != "title" else f"{_NAMES[name]}: {self.title}"
            for name, rank in self.ranks.items()
        ]
        for link in self.links:
            by = ", ".join(link.shared) or ", ".join(link.signals)
            said.append(f"connected with {link.chunk} by {by}")
        if not said:
            said.append("reached over several edges" if self.connection else "matches a little")
        return "; ".join(said)


def reason_of(asker: Asker, answer: Answer, place: int, covers: list[str]) -> Reason:
    """Why a chunk was chosen."""
    ranks = {}
    for name, found in answer.lists.items():
        at = np.flatnonzero(found == place)
        if len(at):
            ranks[name] = int(at[0]) + 1
    return Reason(
        relevance=round(float(answer.relevance[place]), 6),
        connection=round(float(answer.connection[place]), 6),
        ranks=ranks,
        title=answer.named.get(place),
        seed=answer.seeds.get(place, 0.0),
        links=_links(asker, answer, place),
        covers=covers,
    )


def _links(asker: Asker, answer: Answer, place: int) -> list[Link]:
    """The strongest edges to seeds."""
    graph = asker.adjacency
    span = slice(int(graph.starts[place]), int(graph.starts[place + 1]))
    found = [
        (float(weight), other)
        for other, weight in zip(graph.neighbors[span].tolist(), graph.weights[span].tolist(), strict=True)
        if other in answer.seeds
    ]
    found.sort(key=lambda one: (-one[0], one[1]))
    return [_link(asker, place, other, weight) for weight, other in found[:_LINKS]]


def _link(asker: Asker, place: int, other: int, weight: float) -> Link:
    """What ties two chunks, read from the chunks themselves."""
    mine, theirs = asker.graph.chunks[place], asker.graph.chunks[other]
    names = [one for one in mine.entities if one in set(theirs.entities)]
    cited = [one for one in mine.references if one in set(theirs.references)]
    same = mine.doc_id == theirs.doc_id
    signals = {
        "entity": bool(names),
        "citation": bool(cited),
        "adjacency": same and abs(mine.position - theirs.position) == 1,
        "section": same and bool(mine.section) and mine.section[:1] == theirs.section[:1],
    }
    ties = [name for name, there in signals.items() if there] or ["semantic"]
    shared = sorted(names, key=lambda name: (-len(name), name))[:_SHARED] + cited[:_SHARED]
    return Link(theirs.id, round(weight, 6), ties, shared)
