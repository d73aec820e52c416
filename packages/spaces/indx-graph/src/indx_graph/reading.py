"""Reads chunks: the names in each, the title it bears, and what it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from indx_graph.chunks import GraphChunk
from indx_graph.terms import CaseCounts, Titles, names_in, title_key, words_of

__all__ = ["citation_terms", "citations_in", "entity_terms", "title_of"]

_NUMBERS: Final = re.compile(r"\[(\d{1,4}(?:\s*[,;–—-]\s*\d{1,4})*)\]")
_AUTHOR: Final = re.compile(
    r"[(（;]\s*([^\W\d_][\w'’.\-]{1,40}(?:\s(?:and|&|et|al\.?|[^\W\d_][\w'’.\-]{1,40})){0,4}),?\s"
    r"((?:1[5-9]|20)\d\d[a-z]?)(?=[);）])"
)
_DOI: Final = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+")
_URL: Final = re.compile(r"https?://[^\s<>\"'）」]+")
_TAIL: Final = ".,;:)]}>*_'\""
_RANGE: Final = 50
_OWN_TITLE: Final = 2.0


def title_of(chunk: GraphChunk) -> str:
    """The title a chunk bears: its nearest heading; empty where it has none."""
    return chunk.section[-1] if chunk.section else ""


def entity_terms(chunks: Sequence[GraphChunk], *, mentions: bool = True) -> list[dict[str, float]]:
    """The names in each chunk, in order and its own title first, with how much each belongs to it.

    Args:
        chunks: All chunks; what is a name is learned from them together.
        mentions: Whether titles of other chunks are looked for.
    """
    case = CaseCounts.of(chunk.text for chunk in chunks)
    titles = [title_of(chunk) for chunk in chunks]
    index = Titles(titles) if mentions else None
    found = []
    for chunk, title in zip(chunks, titles, strict=True):
        mine = words_of(chunk.text)  # made anew: those of all chunks together would fill the memory
        terms: dict[str, float] = {}
        own = title_key(title)
        if own:
            terms[" ".join(own)] = _OWN_TITLE
        for name in [*names_in(title, words_of(title), case), *names_in(chunk.text, mine, case)]:
            terms.setdefault(name, 1.0)
        if index is not None:
            for key in index.mentioned(mine):
                if len(key) > 1 or not case.mostly_small(key[0]):  # `Use` begins many a sentence
                    terms.setdefault(" ".join(key), 1.0)
        found.append(terms)
    return found


def citations_in(text: str) -> list[str]:
    """What a text cites, in order, each once: `ref:3`, `ref:smith 2019`, `doi:…`, `url:…`."""
    found: dict[str, None] = {}
    for numbers in _NUMBERS.findall(text):
        found.update(dict.fromkeys(f"ref:{number}" for number in _expanded(numbers)))
    for name, year in _AUTHOR.findall(text):
        if name[0].isupper():
            found[f"ref:{' '.join(name.lower().split())} {year}"] = None
    for doi in _DOI.findall(text):
        found[f"doi:{doi.rstrip(_TAIL).lower()}"] = None
    for url in _URL.findall(text):
        found[f"url:{url.rstrip(_TAIL)}"] = None
    return list(found)


def _expanded(numbers: str) -> list[int]:
    """The numbers of a list such as `3, 7-9`; a range too long to be one is its two ends."""
    found: list[int] = []
    for part in re.split(r"[,;]", numbers):
        ends = [int(end) for end in re.split(r"[–—-]", part) if end.strip()]
        low, high = ends[0], ends[-1]
        found += range(low, high + 1) if 0 <= high - low <= _RANGE else ends
    return found


def citation_terms(chunks: Sequence[GraphChunk], *, scope: str) -> list[dict[str, float]]:
    """What chunks cite, as terms they may share.

    Args:
        chunks: The chunks.
        scope: `document`: the same number in two documents is not the same reference; `corpus`: it is.
    """
    found = []
    for chunk in chunks:
        terms = {}
        for key in chunk.references:
            local = scope == "document" and key.startswith("ref:")
            terms[f"{chunk.doc_id}\n{key}" if local else key] = 1.0
        found.append(terms)
    return found
