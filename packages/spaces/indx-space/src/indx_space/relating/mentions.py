"""Mentions: another document's file name or title in running text.

A file name counts with its suffix, if it is the only one of its kind, or with as much of its path as makes
it so. A title counts word for word, if it has several words, belongs to one document, and is no phrase that
many documents use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from indx_core.canonical import content_id
from indx_core.text import query_terms
from indx_space.terms import runs_on, words_of
from indx_space.walking.names import nfc

if TYPE_CHECKING:
    from indx_space.terms import TermTable, Words

__all__ = ["FILE_SCORE", "TITLE_SCORE", "Mentions", "common_titles"]

FILE_SCORE: Final = 0.9
TITLE_SCORE: Final = 0.7
_RULES: Final = 1
_GENERIC: Final = frozenset(
    {"readme", "index", "license", "licence", "changelog", "contributing", "notice", "todo", "main", "about"}
)
_STOPS: Final = frozenset(" \t\n\r\"'`<>()[]{}|,;*=“”‘’「」『』（）【】、。，；：")
_NAME: Final = 200
_RARE: Final = (3, 0.02)  # a title is a phrase when more documents, and more of all, use it


class _Title(NamedTuple):
    words: str
    path: str
    terms: frozenset[int]


class Mentions:
    """What of a text mentions which document.

    Args:
        titles: The title of each document by path, where it has one.
        paths: The paths of all documents.
        table: Where words have their numbers.
    """

    def __init__(self, paths: Sequence[str], titles: Mapping[str, str], table: TermTable) -> None:
        names: dict[str, list[str]] = {}
        for path in paths:
            names.setdefault(nfc(path.rpartition("/")[2]).casefold(), []).append(path)
        self._names = names
        self._last = _last_words(names)
        suffixes = sorted({name.rpartition(".")[2] for name in names if "." in name})
        self._suffix = (
            re.compile(rf"\.(?:{'|'.join(map(re.escape, suffixes))})(?![\w])", re.IGNORECASE)
            if suffixes
            else None
        )
        self._titles: dict[bool, dict[int, list[_Title]]] = {False: {}, True: {}}
        counted = Counter(_plain(title) for title in titles.values())
        for path, title in titles.items():
            words = _plain(title)
            if counted[words] > 1:
                continue
            for cut, terms in ((False, words_of(words, cut=runs_on(words))), (True, query_terms(words))):
                if _distinctive(words, terms):
                    longest = table.number(max(terms, key=lambda t: (len(t), t)))
                    made = _Title(words, path, frozenset(map(table.number, terms)))
                    self._titles[cut].setdefault(longest, []).append(made)
        self.digest = content_id([_RULES, sorted(paths), sorted(titles.items())])

    def of(self, texts: Sequence[str], words: Words, own: str) -> list[tuple[int, str, float]]:
        """Mentions in the chunks of a document: place of the chunk, path mentioned, score; each once a chunk.

        Args:
            texts: The chunks.
            words: The words of all of them.
            own: The path of the document itself, which does not mention itself.
        """
        found: dict[tuple[int, str], float] = {}
        titles = self._titled(texts, words, own)
        for place, text in enumerate(texts):
            for path in self._files(text):
                if path != own:
                    found[place, path] = FILE_SCORE
            if titles:
                plain = _plain(text)
                for title in titles:
                    if _stands_in(title.words, plain):
                        found.setdefault((place, title.path), TITLE_SCORE)
        return [(place, path, score) for (place, path), score in sorted(found.items())]

    def _titled(self, texts: Sequence[str], words: Words, own: str) -> list[_Title]:
        """The titles that may stand in a document: all their words do, and so do they in all its text."""
        known = self._titles[words.cut]
        numbers = set(words.numbers.tolist())
        titles = [
            title
            for key in known.keys() & numbers
            for title in known[key]
            if title.terms <= numbers and title.path != own
        ]
        if titles:
            plain = _plain("\n".join(texts))
            titles = [title for title in titles if title.words in plain]
        return titles

    def _files(self, text: str) -> Iterator[str]:
        if self._suffix is None:
            return
        for match in self._suffix.finditer(text):
            end = match.end()
            start = end
            floor = max(0, end - _NAME)
            while start > floor and text[start - 1] not in _STOPS:
                start -= 1
            path = self._file(nfc(text[start:end]).casefold(), nfc(text[floor:end]).casefold())
            if path is not None:
                yield path

    def _file(self, written: str, before: str) -> str | None:
        """The document that a run of characters names; `before` is the text up to its end."""
        if "://" in written or written.startswith(("www.", "@", "mailto:")):
            return None
        written = written.replace("\\", "/")
        while written.startswith(("./", "../")):
            written = written.partition("/")[2]
        folder, _, name = written.strip("/").rpartition("/")
        if folder:
            whole = f"{folder}/{name}"
            fitting = [p for p in self._names.get(name, ()) if _ends_with(p, whole)]
            return fitting[0] if len(fitting) == 1 else None
        for full in self._last.get(name, ()):
            if before.endswith(full) and not before[: -len(full)][-1:].isalnum():
                paths = self._names[full]
                generic = full.rpartition(".")[0] in _GENERIC or len(full) < 5
                return paths[0] if len(paths) == 1 and not generic else None
        return None


def _last_words(names: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Names by what stands behind their last stop character, the longest first."""
    found: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda n: (-len(n), n)):
        cut = max((place for place, c in enumerate(name) if c in _STOPS), default=-1)
        found.setdefault(name[cut + 1 :], []).append(name)
    return found


def _ends_with(path: str, whole: str) -> bool:
    folded = nfc(path).casefold()
    return folded == whole or folded.endswith("/" + whole)


def _distinctive(words: str, terms: Sequence[str]) -> bool:
    if runs_on(words):
        return len(words) >= 6
    return (len(terms) >= 3 and len(words) >= 12) or (len(terms) == 2 and len(words) >= 16)


def _plain(text: str) -> str:
    """A text on one line, as titles are."""
    return " ".join(nfc(text).split())


def _stands_in(words: str, text: str) -> bool:
    """Whether `words` stands in `text` and is not a part of longer words."""
    at = text.find(words)
    while at >= 0:
        end = at + len(words)
        inside = (at > 0 and text[at - 1].isalnum() and words[0].isalnum()) or (
            end < len(text) and text[end].isalnum() and words[-1].isalnum()
        )
        if not inside or runs_on(words):
            return True
        at = text.find(words, at + 1)
    return False


def common_titles(mentioned: Mapping[str, Sequence[str]], documents: int) -> set[str]:
    """The documents whose title so many others use that it is a phrase.

    Args:
        mentioned: Documents by the one whose title they mention.
        documents: How many there are.
    """
    most = max(_RARE[0], int(documents * _RARE[1]))
    return {path for path, sources in mentioned.items() if len(set(sources)) > most}
