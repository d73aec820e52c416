"""From the parsed tree to text: the walk, and what is common to all elements.

The walk keeps its own stack, so that depth costs no recursion. What single elements do is in `_elements`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from indx_core.ports import Heading, Link, Role, RoleSpan, Span, Table
from indx_format_html._elements import HANDLERS, OpenTable, between_cells, template_content
from indx_format_html._frames import framed
from indx_format_html._lists import ListMarks
from indx_format_html._ruby import Ruby
from indx_format_html._styles import Styles
from indx_format_html._tables import Layouts
from indx_format_html._tags import (
    APART,
    BLOCKS,
    CONTENT,
    HIDDEN,
    PARAGRAPHS,
    PREFORMATTED,
    SKIPPED,
    TABLE_PARTS,
)
from indx_format_html._text import Stretch, TextBuilder

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["Attributes", "Exit", "Linked", "Walker"]

Attributes: TypeAlias = "dict[str, str | None]"
Exit: TypeAlias = "Callable[[], None]"
Linked: TypeAlias = "Callable[[str], str | None]"
"""The style sheet at an address, as the page names it; None where there is none."""

_ROLES: dict[str, Role] = {
    "pre": "code",
    "listing": "code",
    "xmp": "code",
    "blockquote": "quote",
    "del": "deleted",
    "figcaption": "caption",
    "math": "formula",
}
# Elements and landmark roles that frame a page, unless they stand inside its content.
_FRAMES: dict[str, Role] = {
    "header": "header",
    "nav": "header",
    "footer": "footer",
    "banner": "header",
    "navigation": "header",
    "contentinfo": "footer",
}
_LEVELS = frozenset("123456")
_LONGEST_INITIAL = 2  # a quotation mark may stand before it
_KEEPS_LINES = re.compile(r"(?:^|;)\s*white-space\s*:\s*(?:pre|break-spaces)", re.IGNORECASE)


class Walker:
    """Reads one page; its attributes are the state that the elements share."""

    def __init__(self, page: LexborHTMLParser, *, base: str | None, linked: Linked | None = None) -> None:
        """Prepare to read `page`; targets are joined to `base`, `linked` gives the style sheets it names."""
        self.base = base
        self.out = TextBuilder()
        self.links: list[Link] = []
        self.headings: list[Heading] = []
        self.roles: list[RoleSpan] = []
        self.hidden: list[Span] = []
        self.tables: list[Table] = []
        self.images = 0
        self.layouts = Layouts(page)
        self.ruby = Ruby()
        self._flexes: set[int] = set()  # elements whose children are boxes side by side
        self._styles = Styles.of(_sheets(page, linked))
        self.open_tables: list[OpenTable | None] = []  # None: a table that only arranges the page
        self.lists: list[ListMarks] = []
        self.in_line = 0  # elements that become one line: cells, captions, headings
        self.foreign = 0
        self.frames = 0
        self.frames_left = 0
        self._held: list[LexborHTMLParser] = []  # pages inside the page that are being read
        self.link_end = -1
        self._keeping_lines = 0
        self._hiding = 0
        self._in_content = 0
        self._framed = False

    def hold(self, page: LexborHTMLParser) -> Exit:
        """Keep a page inside the page while the walk is in it; what ends that."""
        around = self.layouts, self._flexes
        self._held.append(page)
        self.layouts, self._flexes = Layouts(page), set()

        def leave() -> None:
            self._held.pop()
            self.layouts, self._flexes = around

        return leave

    def walk(self, root: LexborNode) -> None:
        """Read `root` and everything in it."""
        stack: list[tuple[LexborNode | None, Exit | None]] = []
        node: LexborNode | None = root
        while node is not None:
            child, leave = None, None
            if node.is_text_node:
                self._text(node.text_content or "")
            elif node.is_element_node:
                child, leave = self._enter(node)
            following = node.next if stack else None
            if child is not None:
                stack.append((following, leave))
                node = child
                continue
            if leave is not None:
                leave()
            node = following
            while node is None and stack:
                node, leave = stack.pop()
                if leave is not None:
                    leave()

    def _text(self, text: str) -> None:
        if not self._keeping_lines:
            self.out.text(text)
        elif not (between_cells(self) and text.isspace()):
            self.out.preformatted(text)

    def _enter(self, node: LexborNode) -> tuple[LexborNode | None, Exit | None]:
        """Begin an element: where to go on inside it, and what to do when it ends."""
        tag = node.tag or ""
        if tag in SKIPPED or (tag == "title" and not self.foreign):
            return None, None
        attributes = node.attributes
        if "aria-hidden" in attributes and _is_drawn_again(node, tag, attributes):
            return None, None
        exits: list[Exit] = []
        if _is_hidden(tag, attributes):
            exits.append(self.hiding())
        if self._flexes and node.parent is not None and node.parent.mem_id in self._flexes:
            self.out.space()
            exits.append(self.out.space)
        if "style" in attributes or self._styles.concern(tag, attributes):
            self._style(node, tag, attributes, exits)
        if tag in _FRAMES or "role" in attributes:
            self._role(node, tag, attributes, exits)
        if tag in CONTENT:
            self._in_content += 1
            exits.append(self._leave_content)
        self._spacing(tag, exits)
        if tag in _ROLES:
            exits.append(self.marking(_ROLES[tag]))
        if tag in PREFORMATTED:
            self._keep_lines(exits)
        child = node.first_child
        if tag in HANDLERS and not HANDLERS[tag](self, node, attributes, exits):
            child = None
        elif tag == "template":
            child = template_content(self, node)
        elif tag == "iframe":
            child = framed(self, attributes, exits)
        return child, _in_turn(exits)

    def hides(self, tag: str, attributes: Attributes) -> bool:
        """Whether an element is one that a browser would not show."""
        return _is_hidden(tag, attributes) or self._styles.display(tag, attributes) == "none"

    def _style(self, node: LexborNode, tag: str, attributes: Attributes, exits: list[Exit]) -> None:
        display = self._styles.display(tag, attributes)
        if display == "none":
            exits.append(self.hiding())
        elif (
            display in ("block", "flex")
            and tag not in PARAGRAPHS
            and tag not in TABLE_PARTS
            and not _is_initial(node)
        ):
            self.out.block(1)
            exits.append(self.end_block)
        if display in ("flex", "inline-flex"):
            self._flexes.add(node.mem_id)
        if _KEEPS_LINES.search(attributes.get("style") or ""):
            self._keep_lines(exits)

    def _role(self, node: LexborNode, tag: str, attributes: Attributes, exits: list[Exit]) -> None:
        role = (attributes.get("role") or "").strip().lower()
        if frame := _FRAMES.get(role) or _FRAMES.get(tag):
            self._frame(node, frame, exits)
        if role == "heading" and tag not in TABLE_PARTS:
            level = attributes.get("aria-level") or ""
            self.heading(int(level) if level in _LEVELS else 2, exits)

    def _keep_lines(self, exits: list[Exit]) -> None:
        self._keeping_lines += 1
        exits.append(self._leave_kept_lines)

    def _spacing(self, tag: str, exits: list[Exit]) -> None:
        if tag in BLOCKS:
            self.out.block(1)
            exits.append(self.end_block)
        elif tag in PARAGRAPHS:
            self.out.block(2)
            exits.append(self._end_paragraph)
        elif tag in APART:
            self.out.space()
            exits.append(self.out.space)

    def end_block(self) -> None:
        """What follows begins a line."""
        self.out.block(1)

    def _end_paragraph(self) -> None:
        self.out.block(2)

    def _leave_content(self) -> None:
        self._in_content -= 1

    def _leave_kept_lines(self) -> None:
        self._keeping_lines -= 1

    def leave_table(self) -> None:
        """End the innermost table."""
        self.open_tables.pop()

    def mark(self, stretch: Stretch, role: Role) -> None:
        """Close a stretch and give it a role, if it holds anything."""
        if self.out.close(stretch):
            self.roles.append(RoleSpan(stretch.start, stretch.end, role))

    def marking(self, role: Role) -> Exit:
        """Open a stretch of that role; what ends it."""
        stretch = self.out.open()
        return lambda: self.mark(stretch, role)

    def heading(self, level: int, exits: list[Exit]) -> None:
        """Open a heading, except in a table of data, whose cells are not sections."""
        if self.in_line:
            return
        self.in_line += 1
        stretch = self.out.open()

        def leave() -> None:
            self.in_line -= 1
            if self.out.close(stretch) and self.out.one_line(stretch).strip():
                self.headings.append(Heading(stretch.start, stretch.end, level))

        exits.append(leave)

    def hiding(self) -> Exit:
        """Open a stretch that a browser would not show, apart from the words around it; what ends it."""
        self.out.space()
        stretch = self.out.open()
        self._hiding += 1

        def leave() -> None:
            self._hiding -= 1
            if self.out.close(stretch) and not self._hiding:
                self.hidden.append((stretch.start, stretch.end))
            self.out.space()

        return leave

    def _frame(self, node: LexborNode, role: Role, exits: list[Exit]) -> None:
        """Mark what frames the page; a header that holds the page's main heading is content."""
        if self._framed or self._in_content or node.css_first("h1") is not None:
            return
        self._framed = True
        mark = self.marking(role)

        def leave() -> None:
            self._framed = False
            mark()

        exits.append(leave)


def _sheets(page: LexborHTMLParser, linked: Linked | None) -> Iterator[str]:
    """The style sheets of a page that hold on a screen where scripts run, those it links to among them."""
    for node in page.css("style, link[rel]" if linked else "style"):
        attributes = node.attributes
        if node.parent is not None and node.parent.tag == "noscript":
            continue
        if (attributes.get("media") or "all").strip().lower() not in ("all", "screen"):
            continue
        if node.tag == "style":
            yield node.text(deep=True)
        elif linked is not None and (attributes.get("rel") or "").lower().split() == ["stylesheet"]:
            yield linked((attributes.get("href") or "").strip()) or ""


def _is_hidden(tag: str, attributes: Attributes) -> bool:
    if tag in HIDDEN:
        return not (tag == "template" and "shadowrootmode" in attributes)  # what is in it is shown
    if "hidden" in attributes:
        return (attributes["hidden"] or "").lower() != "until-found"  # there to be opened, as by a search
    return tag == "dialog" and "open" not in attributes


def _is_initial(node: LexborNode) -> bool:
    """Whether an element is the large first letter of the word that goes on behind it."""
    behind = node.next
    if behind is None or not behind.is_text_node or not (behind.text_content or "")[:1].islower():
        return False
    letter = node.text(deep=True)
    return len(letter) <= _LONGEST_INITIAL and letter[-1:].isupper()


def _is_drawn_again(node: LexborNode, tag: str, attributes: Attributes) -> bool:
    """Whether an element draws the formula that stands beside it as MathML, as KaTeX and MathJax write it."""
    beside, wanted = None, ""
    if tag == "span" and attributes.get("class") == "katex-html":
        beside, wanted = node.prev, "katex-mathml"
    elif tag == "nobr":
        beside, wanted = node.next, "MJX_Assistive_MathML"
    return beside is not None and beside.is_element_node and beside.attributes.get("class") == wanted


def _in_turn(exits: list[Exit]) -> Exit | None:
    """One call for all of `exits`, the last one first."""
    if len(exits) < 2:
        return exits[0] if exits else None

    def leave() -> None:
        for each in reversed(exits):
            each()

    return leave
