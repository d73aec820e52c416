"""Makes hits of ranked chunks, and tells which chunks may be offered on resemblance alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from indx_core.contracts.space import SearchHit
from indx_core.text import query_terms

if TYPE_CHECKING:
    from indx_core.contracts.space import Chunk, Space

__all__ = ["make_hits", "says_something"]

_PAGE_WORDS: Final = frozenset(
    {
        "page",
        "pages",
        "p",
        "pp",
        "pg",
        "of",
        "seite",
        "seiten",
        "von",
        "sur",
        "de",
        "pagina",
        "頁",
        "页",
        "ペ",
        "ペー",
        "ージ",
    }
)


def says_something(text: str) -> bool:
    """Whether a text has a word that is no number and does not merely count pages.

    Rules, ornaments and page marks such as `-- 5 of 121 --` resemble everything short; they are found by
    the words they hold and in no other way.
    """
    return any(not term.isdecimal() and term not in _PAGE_WORDS for term in query_terms(text))


def make_hits(
    space: Space, ranked: Iterable[tuple[int, float, dict[str, float]]], mode: str
) -> list[SearchHit]:
    """Hits of chunks given by their place, with score and further scores, in order."""
    return [
        SearchHit(
            chunk=chunk,
            score=score,
            source=chunk.source,
            neighbors=_neighbors(space, chunk),
            mode=mode,
            **further,
        )
        for chunk, score, further in ((space.chunks[place], score, more) for place, score, more in ranked)
    ]


def _neighbors(space: Space, chunk: Chunk) -> list[Chunk]:
    """The chunks before and after, as far as the space has them."""
    found: list[Any] = []
    for identity in chunk.neighbors:
        try:
            found.append(space.chunk(identity))
        except KeyError:
            continue
    return found
