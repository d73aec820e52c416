"""Links of Markdown: inline, reference, image, wiki and automatic ones, and those of HTML tags in it."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from indx_core.ports import Link, Span

__all__ = ["find_links", "plain_label"]

_TARGET: Final = re.compile(
    r"""
    \]\( [ \t\n]{0,200}
    (?: < (?P<angled> (?: [^<>\n\\] | \\. )* ) > | (?P<bare> (?: [^\s()<\\] | \\. | \( [^\s()]* \) )
                                                    (?: [^\s()\\] | \\. | \( [^\s()]* \) )* ) )
    (?: [ \t\n]{1,200} (?: "[^"]{0,1000}" | '[^']{0,1000}' | \( [^()]{0,1000} \) ) )?
    [ \t\n]{0,200} \)
    """,
    re.VERBOSE,
)
_TAG: Final = re.compile(
    r"<(?:([a-z][a-z0-9+.-]{1,31}:[^\s<>]*)>|(a|area|audio|embed|iframe|img|link|source|video)\b([^<>]*)>)",
    re.IGNORECASE,
)
_ATTRIBUTE: Final = re.compile(
    r"""(?:^|[\s"'])(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+))""", re.IGNORECASE
)
_WIKI: Final = re.compile(r"\[\[(?!\s)([^\[\]\n|]{1,500})(?:\|([^\[\]\n]{0,500}))?\]\](?!\()")
_REFERENCE: Final = re.compile(
    r"(?<!\\)\[((?:[^\[\]\\]|\\.){1,500})\](?:\[((?:[^\[\]\\]|\\.){0,500})\]|(?![(\[]))"
)
_TICKS: Final = re.compile(r"(?<!\\)`+")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_REACH: Final = 1000  # characters that the text of a link may take
_MARGIN: Final = 20  # characters that may stand before a label that is defined
_NESTING: Final = 8  # brackets inside the text of a link


def plain_label(label: str) -> str:
    """A reference's label as it is compared: case folded, white space collapsed."""
    return " ".join(label.split()).casefold()


def find_links(text: str, opaque: Sequence[Span], definitions: Mapping[str, str], shift: int) -> list[Link]:
    """The links of `text` outside the `opaque` stretches and code, their offsets moved by `shift`.

    Args:
        text: Markdown.
        opaque: Stretches that hold no links, in order: code blocks, comments.
        definitions: Targets of references by `plain_label`.
        shift: What is added to every offset.
    """
    starts = [start for start, _ in opaque]
    code = _Code(text)
    found: list[tuple[int, int, str]] = []
    for start, end, target, at in _candidates(text, definitions):
        index = bisect_right(starts, at) - 1
        if index >= 0 and at < opaque[index][1]:
            continue
        if target and not code.holds(at) and not code.holds(start - 1):
            found.append((start, end, target))
    found.sort()
    return [Link(start + shift, end + shift, target) for start, end, target in found]


def _candidates(text: str, definitions: Mapping[str, str]) -> Iterator[tuple[int, int, str, int]]:
    """Start and end of a link's text, its target, and a place by which to tell whether it is in code."""
    yield from _inline(text)
    for tag in _TAG.finditer(text):
        if tag[1]:
            yield tag.start(1), tag.end(1), _literal(tag[1]), tag.start()
        elif attribute := _ATTRIBUTE.search(tag[3]):
            group = attribute.lastindex or 1
            start = tag.start(3) + attribute.start(group)
            end = tag.start(3) + attribute.end(group)
            if tag[2] in ("a", "A"):
                start, end = _anchor_text(text, tag.end()) or (start, end)
            yield start, end, _literal(attribute[group]).strip(), tag.start()
    if "[[" in text:
        for wiki in _WIKI.finditer(text):
            group = 2 if (wiki[2] or "").strip() else 1
            yield wiki.start(group), wiki.end(group), wiki[1].strip(), wiki.start()
    if definitions:
        targets = {label: _literal(target.strip("<>")) for label, target in definitions.items()}
        for reference in _REFERENCE.finditer(text):
            target = targets.get(plain_label(reference[2] or reference[1]))
            if target is not None and not _defines(text, reference):
                yield reference.start(1), reference.end(1), target, reference.start()


def _defines(text: str, reference: re.Match[str]) -> bool:
    """Whether a label stands where it is given its target."""
    if reference[2] is not None:
        return False
    before = "\n" + text[max(0, reference.start() - _MARGIN) : reference.start()]
    return text.startswith(":", reference.end()) and not before.rpartition("\n")[2].strip(" \t>")


def _inline(text: str) -> Iterator[tuple[int, int, str, int]]:
    closer = text.find("](")
    while closer >= 0:
        found = _TARGET.match(text, closer)
        opener = _opener(text, closer) if found else -1
        if found and opener >= 0:
            group = "bare" if found["bare"] is not None else "angled"
            target = _literal(found[group])
            start, end = opener + 1, closer
            if not text[start:end].strip():
                start, end = found.span(group)
            yield start, end, target, closer
        closer = text.find("](", closer + 2)


def _opener(text: str, closer: int) -> int:
    """The bracket that `closer` closes, or -1."""
    if _escaped(text, closer):
        return -1
    low = max(0, closer - _REACH)
    opener = closer
    for _ in range(_NESTING):
        opener = text.rfind("[", low, opener)
        if opener < 0:
            return -1
        if text.count("]", opener, closer) <= text.count("[", opener + 1, closer) and not _escaped(
            text, opener
        ):
            return -1 if "\n\n" in text[opener:closer] else opener
    return -1


def _escaped(text: str, position: int) -> bool:
    return text[position - 1 : position] == "\\" and text[position - 2 : position - 1] != "\\"


class _Code:
    """Code between backticks, found a line at a time: a run of them closes at the next run as long."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._line = range(0)
        self._starts: list[int] = []
        self._ends: list[int] = []

    def holds(self, position: int) -> bool:
        """Whether `position` stands in code."""
        if position not in self._line:
            self._read(position)
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._ends[index]

    def _read(self, position: int) -> None:
        start = self._text.rfind("\n", 0, position) + 1
        end = self._text.find("\n", position)
        self._line = range(start, len(self._text) + 1 if end < 0 else end + 1)
        self._starts, self._ends = [], []
        if self._text.find("`", start, self._line.stop) < 0:
            return
        runs = [found.span() for found in _TICKS.finditer(self._text, start, self._line.stop)]
        closers: dict[int, list[int]] = {}
        for number in range(len(runs) - 1, -1, -1):
            closers.setdefault(runs[number][1] - runs[number][0], []).append(number)
        number = 0
        while number < len(runs):
            first, last = runs[number]
            later = closers[last - first]
            while later and later[-1] <= number:
                later.pop()
            if later:
                self._starts.append(first)
                number = later.pop()
                self._ends.append(runs[number][1])
            number += 1


def _anchor_text(text: str, start: int) -> Span | None:
    end = text.find("</", start, start + _REACH)
    return (start, end) if end > start and text[start:end].strip() else None


def _literal(target: str) -> str:
    """A target without backslash escapes and character references."""
    if "\\" in target:
        target = _ESCAPE.sub(r"\1", target)
    if "&" in target:
        target = _ENTITY.sub(lambda entity: html.unescape(entity[0]), target)
    return target
