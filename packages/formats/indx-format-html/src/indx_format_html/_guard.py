"""Markup that would make the parser work more than in proportion to its length, made ordinary first.

The HTML standard's parser looks through all open elements at many tags, repeats open formatting elements
in every block and compares each attribute with those before it. Browsers cap the depth; lexbor does not.
Here start tags beyond the caps are taken out, their text stays. Small documents pass untouched.
"""

from __future__ import annotations

import re
from collections import Counter

from indx_core.errors import InputTooLarge
from indx_format_html._tags import FORMATTING, RAW_TEXT, SCOPE, SCOPED, SPECIAL, TABLE_PARTS, VOID

__all__ = ["MAX_DEPTH", "MAX_TAGS", "bounded"]

MAX_TAGS = 3_000_000
MAX_DEPTH = 256
MAX_FORMATTING = 8
MAX_ATTRIBUTES = 256

_SHORT = 32_768
_FEW = 500
_LONG_TAG = 1024

_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# What a drawing or a formula holds of the page's own language stands in one of these.
_FOREIGN = {
    "svg": frozenset({"desc", "foreignobject", "title"}),
    "math": frozenset({"mi", "mn", "mo", "ms", "mtext"}),
}
_POINTS = _FOREIGN["svg"] | _FOREIGN["math"]
_UNCLEAR = "annotation-xml"  # by its attributes it may hold either
# Tags of the page's own language that end a drawing or a formula; a font only with one of its attributes.
_BREAKOUT = FORMATTING | {
    *("blockquote", "body", "br", "center", "dd", "div", "dl", "dt", "embed", "h", "head", "hr", "img"),
    *("li", "listing", "menu", "meta", "ol", "p", "pre", "ruby", "span", "sub", "sup", "table", "ul", "var"),
}
_FONT = re.compile(r"[\t\n\f\r /\"'](?:color|face|size)(?![^\t\n\f\r />=])", re.IGNORECASE)
_OPENERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!?/")
# Never on the stack of a page, or never more than a few times; formatting is counted apart.
_UNSTACKED = VOID | {"html", "head", "body", "a"}
# A start tag of the key ends the open elements of the value that belong to the same list or table.
_ENDS = {
    "li": {"li"},
    "dt": {"dt", "dd"},
    "dd": {"dt", "dd"},
    "td": {"td", "th"},
    "th": {"td", "th"},
    "tr": {"td", "th", "tr"},
    "tbody": {"td", "th", "tr", "tbody", "thead", "tfoot"},
}
_ENDS["thead"] = _ENDS["tfoot"] = _ENDS["tbody"]
_ENDS_P = (SPECIAL - SCOPE - {"tbody", "tfoot", "thead", "tr"}) | {"table"}
_PARTS = TABLE_PARTS - {"table"}
_STOPS_ITEMS = SPECIAL - {"address", "div", "p"}

_SPACE = r"[\t\n\f\r ]"
_ATTRIBUTE = (
    rf"""(?:[\t\n\f\r /]++|[^\t\n\f\r />][^\t\n\f\r />=]*+"""
    rf"""(?:{_SPACE}*+={_SPACE}*+(?:"[^"]*+"|'[^']*+'|(?!["'>])[^\t\n\f\r >]++)?+)?+)"""
)
_TOKEN = re.compile(
    rf"<(/?)([a-zA-Z][^\t\n\f\r />]*+)({_ATTRIBUTE}*+)>"
    r"|<!--(?:>|->|.*?(?:--!?>|\Z))|<[!?/][^>]*+>",
    re.DOTALL,
)
_ONE_ATTRIBUTE = re.compile(_ATTRIBUTE)
_FORMATTING_TAG = re.compile(rf"<(?:{'|'.join(sorted(FORMATTING))})\b", re.IGNORECASE)


def bounded(html: str) -> str:
    """`html` with no deeper nesting, no more open formatting and no more attributes than the caps.

    Raises:
        InputTooLarge: It has more tags than a document may have.
    """
    tags = html.count("<")
    if tags > MAX_TAGS:
        raise InputTooLarge(f"the page has {tags:,} tags, at most {MAX_TAGS:,} are read; split it")
    if len(html) <= _SHORT and len(_FORMATTING_TAG.findall(html)) <= _FEW:
        return html
    return _Guard(html).run()


class _Guard:
    """Follows the open elements from above: what the parser has open is among what is open here."""

    def __init__(self, html: str) -> None:
        self.html = html
        self.open: list[str] = []
        self.formatting: Counter[str] = Counter()
        self.foreign = 0
        self.kept: list[str] = []
        self.done = 0

    def run(self) -> str:
        html, match, position = self.html, _TOKEN.match, 0
        while (position := html.find("<", position)) >= 0:
            token = match(html, position)
            if token is None:
                if html[position + 1 : position + 2] in _OPENERS:
                    break  # a tag that never ends: the parser drops what follows
                position += 1
                continue
            start, position = token.span()
            closing, name = token.group(1, 2)
            if name is None:
                if self.foreign and html.startswith("<![CDATA[", start):
                    position = self._after_cdata(start)
                continue
            name = name.lower()
            if name in _HEADINGS:
                name = "h"
            if closing:
                self._end(name)
            else:
                if position - start > _LONG_TAG:
                    self._trim_attributes(token)
                foreign = self._is_foreign() if self.foreign else False
                deep = name == "title" and len(self.open) >= MAX_DEPTH  # of a drawing that was taken out
                if foreign is False and name in RAW_TEXT and not deep:
                    position = self._after_raw(name, position)
                else:
                    self._start(name, token, foreign)
        if not self.kept:
            return html
        self.kept.append(html[self.done :])
        return "".join(self.kept)

    def _cut(self, start: int, end: int) -> None:
        self.kept.append(self.html[self.done : start])
        self.done = end

    def _after_cdata(self, start: int) -> int:
        end = self.html.find("]]>", start)
        return len(self.html) if end < 0 else end

    def _after_raw(self, name: str, position: int) -> int:
        """Where the text of a script, a style or the like ends; nothing in it is a tag."""
        end = re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE).search(self.html, position)
        return len(self.html) if end is None or name == "plaintext" else end.start()

    def _start(self, name: str, token: re.Match[str], foreign: bool | None) -> None:
        if name in FORMATTING and self.formatting.total() >= MAX_FORMATTING:
            self._cut(*token.span())
            return
        if foreign and name in _BREAKOUT and (name != "font" or _FONT.search(token[3])):
            self._end_foreign()
            foreign = False
        if name in FORMATTING:
            self.formatting[name] += 1
            return
        if token[3].endswith("/") and (foreign or name in _FOREIGN):
            return
        if foreign is False:
            if name in _UNSTACKED:
                return
            if name in _PARTS and not ("table" in self.open or "template" in self.open):
                return  # passed over by the parser
            self._end_before(name)
        if len(self.open) >= MAX_DEPTH:
            self._cut(*token.span())
            return
        self.foreign += name in _FOREIGN
        self.open.append(name)

    def _is_foreign(self) -> bool | None:
        """Whether what comes is part of a drawing or a formula, where no tag ends another; None: unclear."""
        inner: set[str] = set()
        for name in reversed(self.open):
            if name in _FOREIGN:
                if not inner.isdisjoint(_FOREIGN[name]):
                    return False
                return None if _UNCLEAR in inner else True
            inner.add(name)
        return False

    def _end_foreign(self) -> None:
        while self._is_foreign():
            self._pop_to(len(self.open) - 1)

    def _end_before(self, name: str) -> None:
        """End what a start tag of `name` ends."""
        top = self.open[-1] if self.open else ""
        if (top == "p" and name in _ENDS_P) or (top == "option" and name in ("option", "optgroup")):
            self._pop_to(len(self.open) - 1)
        if name in _ENDS:
            self._end_siblings(name, _ENDS[name])

    def _trim_attributes(self, token: re.Match[str]) -> None:
        attributes = _ONE_ATTRIBUTE.finditer(self.html, token.start(3), token.end(3))
        for count, attribute in enumerate(attributes):
            # The white space between two attributes is a match of its own.
            if count == 2 * MAX_ATTRIBUTES:
                self._cut(attribute.start(), token.end(3))
                return

    def _end_siblings(self, name: str, ended: set[str]) -> None:
        if ended.isdisjoint(self.open):
            return
        lowest = None
        for index in range(len(self.open) - 1, -1, -1):
            held = self.open[index]
            if held in ended:
                lowest = index
            elif self._stops(held, name) if name in TABLE_PARTS else held in _STOPS_ITEMS:
                break
        if lowest is not None:
            self._pop_to(lowest)

    def _end(self, name: str) -> None:
        if name in FORMATTING:
            self.formatting[name] -= self.formatting[name] > 0
            return
        if self.foreign and name in ("br", "p"):
            self._end_foreign()
        if name not in self.open:
            return
        if self.open[-1] == name != "form":
            self._pop_to(len(self.open) - 1)
            return
        if name in _POINTS:
            return  # what it holds is of the page, and no end tag reaches out of that
        for index in range(len(self.open) - 1, -1, -1):
            held = self.open[index]
            if held == name:
                if name == "form":  # ends alone, what it holds stays open
                    del self.open[index]
                else:
                    self._pop_to(index)
                return
            if self._stops(held, name):
                return

    def _stops(self, held: str, name: str) -> bool:
        """Whether a tag of `name` ends nothing below an open `held`."""
        if name in TABLE_PARTS:
            return held == "template" or (held == "table" and name != "table")
        if name == "li":
            return held in SCOPE or held in ("ol", "ul")
        return held in (SCOPE if name in SCOPED else SPECIAL)

    def _pop_to(self, length: int) -> None:
        if self.foreign:
            self.foreign -= sum(name in _FOREIGN for name in self.open[length:])
        del self.open[length:]
