"""What single elements do: links, images, lists, tables, headings, ruby.

A handler begins its element, appends what ends it, and says whether the walk goes inside.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urljoin

from indx_core.ports import Cell, Link, Table
from indx_format_html._lists import ListMarks, is_task
from indx_format_html._tables import Grid, Place, grid_of
from indx_format_html.mathml import MAX_DEPTH, Part, linear

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from indx_format_html._walk import Attributes, Exit, Walker

__all__ = ["HANDLERS", "OpenTable", "between_cells", "template_content"]

Handler: TypeAlias = "Callable[[Walker, LexborNode, Attributes, list[Exit]], bool]"

_NOTE_MARK = re.compile(r"\w{1,3}")
_RAISED_NUMBER = re.compile(r"[-+−]?\d")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(slots=True)
class OpenTable:
    """A table being read; without a grid it stands inside a cell or the like and becomes part of its text."""

    grid: Grid | None
    start: int = -1
    end: int = -1
    cells: list[Cell] = field(default_factory=list)
    caption: str | None = None
    column: int = 0  # of the row being read
    in_part: bool = False  # in a cell or the caption
    after: list[tuple[str, bool]] = field(default_factory=list)  # texts that belong to no cell; hidden or not


def _break(walker: Walker, _node: LexborNode, _attributes: Attributes, _exits: list[Exit]) -> bool:
    walker.out.line()
    return False


def _heading(walker: Walker, node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    walker.heading(int((node.tag or "h6")[1]), exits)
    return True


def _link(walker: Walker, node: LexborNode, attributes: Attributes, exits: list[Exit]) -> bool:
    written = attributes.get("href", attributes.get("xlink:href"))
    if node.tag == "frame":
        written = attributes.get("src")
    if written is None:
        return True
    if walker.out.ends_in_word() and (walker.link_end == walker.out.length or _is_note_mark(node, written)):
        walker.out.space()  # two links side by side, as in a menu, are two words; so is a note's mark
    stretch = walker.out.open()

    def leave() -> None:
        walker.out.close(stretch)
        walker.link_end = walker.out.length
        walker.links.append(Link(stretch.start, stretch.end, _target(written, walker.base)))

    exits.append(leave)
    return True


def _is_note_mark(node: LexborNode, target: str) -> bool:
    """Whether a link is the raised number of a note."""
    if "#" not in target:
        return False
    if "noteref" in f"{node.attributes.get('epub:type')} {node.attributes.get('role')}":
        return True
    raised = (node.parent is not None and node.parent.tag == "sup") or node.css_first("sup") is not None
    return raised and _NOTE_MARK.fullmatch(node.text(deep=True).strip()) is not None


def _target(written: str, base: str | None) -> str:
    """The target as written, or joined to the page's own base."""
    target = written.strip()
    if base is None or _SCHEME.match(target):
        return target
    if not (_SCHEME.match(base) or base.startswith("/")):
        # A relative base stays relative to the file; the library would take its `..` away.
        return target if target.startswith("/") else base[: base.rfind("/") + 1] + target
    try:
        return urljoin(base, target)
    except ValueError:
        return target


def _area(walker: Walker, node: LexborNode, attributes: Attributes, exits: list[Exit]) -> bool:
    _link(walker, node, attributes, exits)
    return _image(walker, node, attributes, exits)


def _image(walker: Walker, node: LexborNode, attributes: Attributes, _exits: list[Exit]) -> bool:
    walker.images += node.tag == "img"
    _caption_text(walker, attributes.get("alt") or "")
    return False


def _input(walker: Walker, node: LexborNode, attributes: Attributes, exits: list[Exit]) -> bool:
    """A picture to press, or the box of an item in a list of tasks; what else is entered is no text."""
    if walker.lists and is_task(node, attributes, walker.hides):
        walker.out.text("[x]" if "checked" in attributes else "[ ]")
        walker.out.go_on()
        return False
    return _image(walker, node, attributes, exits)


def _svg_title(walker: Walker, node: LexborNode, _attributes: Attributes, _exits: list[Exit]) -> bool:
    _caption_text(walker, node.text(deep=True))
    return False


def _caption_text(walker: Walker, text: str) -> None:
    """Words that stand for a picture: of the text around them, but not part of its words."""
    if not text.strip():
        return
    walker.out.space()
    leave = walker.marking("caption")
    walker.out.text(text)
    leave()
    walker.out.space()


def _foreign(walker: Walker, _node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    walker.foreign += 1

    def leave() -> None:
        walker.foreign -= 1

    exits.append(leave)
    return True


def _formula(walker: Walker, node: LexborNode, attributes: Attributes, _exits: list[Exit]) -> bool:
    """A formula on one line; one that shows nothing itself is what is said in its place."""
    walker.out.text(linear(_part_of(node, 0)) or attributes.get("alttext") or "")
    for source in node.css("annotation"):
        leave = walker.hiding()  # how it was typed, which no browser shows
        walker.out.text(source.text(deep=True))
        leave()
    return False


def _part_of(node: LexborNode, depth: int) -> Part:
    """A part of a formula; text between elements is a part of its own."""
    if node.is_text_node:
        return Part("mtext", node.text_content or "")
    part = Part((node.tag or "").rpartition(":")[2])
    part.attributes = {name: value or "" for name, value in node.attributes.items()}
    held = [child for child in node.iter(include_text=True) if not _is_blank(child)]
    if depth < MAX_DEPTH and any(child.is_element_node for child in held):
        part.parts = [_part_of(child, depth + 1) for child in held]
    else:
        part.text = node.text(deep=True)
    return part


def _is_blank(node: LexborNode) -> bool:
    """Whether a node is no element and no text, or only the white space between elements."""
    return not node.is_element_node and not (node.is_text_node and (node.text_content or "").strip())


def _labelled(walker: Walker, node: LexborNode, attributes: Attributes, _exits: list[Exit]) -> bool:
    """A choice, or several under one label; the label of a choice stands for its text."""
    label = attributes.get("label") or ""
    if node.tag == "optgroup" or not node.text(deep=True).strip():
        walker.out.text(label)
        walker.out.block(1)
    return True


def _quote(walker: Walker, _node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    walker.out.text("“")
    exits.append(lambda: walker.out.text("”"))
    return True


def _ruby(walker: Walker, _node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    """The base text whole; its reading is kept apart, so that a word stays a word."""
    stretch = walker.out.open()
    walker.ruby.begin()

    def leave() -> None:
        walker.out.close(stretch)
        walker.ruby.end(walker.out.written(stretch))

    exits.append(leave)
    return True


def _raised(walker: Walker, node: LexborNode, _attributes: Attributes, _exits: list[Exit]) -> bool:
    """A number raised behind a number is set off: 10 with 6 above it is not 106."""
    if walker.out.ends_in_digit() and _RAISED_NUMBER.match(node.text(deep=True)) and _names_no_note(node):
        walker.out.text("^")
    return True


def _names_no_note(node: LexborNode) -> bool:
    around = node.parent
    return node.css_first("a") is None and (around is None or around.tag != "a")


def _reading(walker: Walker, node: LexborNode, _attributes: Attributes, _exits: list[Exit]) -> bool:
    return not walker.ruby.read(node.text(deep=True))


def _list(walker: Walker, node: LexborNode, attributes: Attributes, exits: list[Exit]) -> bool:
    breaks = 1 if walker.lists else 2
    walker.out.block(breaks)
    count = sum(child.tag == "li" for child in node.iter()) if "reversed" in attributes else 0
    walker.lists.append(ListMarks(node.tag or "ul", attributes, len(walker.lists), count))

    def leave() -> None:
        walker.lists.pop()
        walker.out.block(breaks)

    exits.append(leave)
    return True


def _item(walker: Walker, _node: LexborNode, attributes: Attributes, exits: list[Exit]) -> bool:
    walker.out.block(1)
    walker.out.prefix(walker.lists[-1].mark(attributes) if walker.lists else "- ")

    def leave() -> None:
        walker.out.prefix("")
        walker.out.block(1)

    exits.append(leave)
    return True


def _table(walker: Walker, node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    if walker.in_line:
        walker.open_tables.append(OpenTable(None))
        exits.append(walker.leave_table)
        return True
    grid = grid_of(node, len(walker.tables))
    table = None if walker.layouts.arranges(node, grid) else OpenTable(grid)
    walker.open_tables.append(table)

    def leave() -> None:
        walker.leave_table()
        if table is not None:
            _finish_table(walker, table, grid)

    exits.append(leave)
    return True


def _finish_table(walker: Walker, table: OpenTable, grid: Grid) -> None:
    shape = (grid.rows, grid.columns, grid.header_rows)
    walker.tables.append(Table(table.start, table.end, *shape, tuple(table.cells), table.caption))
    for text, hidden in table.after:
        walker.out.block(1)
        leave = walker.hiding() if hidden else walker.marking("caption")
        walker.out.text(text)
        leave()


def _row(walker: Walker, node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    table = walker.open_tables[-1] if walker.open_tables else None
    if table is None or table.grid is None:
        walker.out.block(1)
        if table is not None:
            table.column = 0
    elif node.mem_id in table.grid.own_rows:
        if table.start < 0:
            walker.out.first_row()
            table.start = walker.out.length
        else:
            walker.out.next_row()
        table.column = 1

        def leave() -> None:
            table.end = walker.out.length

        exits.append(leave)
    return True


def _cell(walker: Walker, node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    table = walker.open_tables[-1] if walker.open_tables else None
    if table is None:
        walker.out.block(1)
        exits.append(walker.end_block)
    elif table.grid is None:
        if table.column:
            walker.out.tab()
        table.column += 1
    elif place := table.grid.places.get(node.mem_id):
        walker.out.tab(place.column - table.column)
        table.column = place.column
        exits.append(_begin_cell(walker, table, place))
    return True


def _begin_cell(walker: Walker, table: OpenTable, place: Place) -> Exit:
    walker.in_line += 1
    table.in_part = True
    lists, walker.lists = walker.lists, []
    cell = walker.out.cell()
    stretch = cell[0]

    def leave() -> None:
        walker.in_line -= 1
        table.in_part = False
        walker.lists = lists
        text = walker.out.end_cell(cell)
        spans = (place.row, place.column, place.row_span, place.column_span)
        table.cells.append(Cell(*spans, text, stretch.start, stretch.end))

    return leave


def _caption(walker: Walker, node: LexborNode, _attributes: Attributes, exits: list[Exit]) -> bool:
    table = walker.open_tables[-1] if walker.open_tables else None
    if table is not None and table.start >= 0:
        table.after.append((node.text(deep=True), False))
        return False
    walker.out.block(1)
    walker.in_line += 1
    stretch = walker.out.open()
    if table is not None:
        table.in_part = True

    def leave() -> None:
        walker.in_line -= 1
        walker.mark(stretch, "caption")
        text = walker.out.one_line(stretch)
        if table is not None:
            table.in_part = False
            table.caption = text or None
        walker.out.block(1)

    exits.append(leave)
    return True


def template_content(walker: Walker, node: LexborNode) -> LexborNode | None:
    """Where the walk goes on in a template: its content is no part of the tree."""
    fragments = node.template_fragments()
    if not fragments:
        return None
    if between_cells(walker) and (table := walker.open_tables[-1]):
        table.after.append((fragments[0].text(deep=True, separator=" "), True))
        return None
    return fragments[0].first_child


def between_cells(walker: Walker) -> bool:
    """Whether the walk is in a table of data, but in none of its cells."""
    table = walker.open_tables[-1] if walker.open_tables else None
    return table is not None and table.grid is not None and not table.in_part


HANDLERS: dict[str, Handler] = {
    "a": _link,
    "area": _area,
    "br": _break,
    "caption": _caption,
    "desc": _svg_title,
    "frame": _link,
    "dir": _list,
    "img": _image,
    "input": _input,
    "li": _item,
    "math": _formula,
    "menu": _list,
    "ol": _list,
    "optgroup": _labelled,
    "option": _labelled,
    "q": _quote,
    "rt": _reading,
    "rtc": _reading,
    "ruby": _ruby,
    "sup": _raised,
    "svg": _foreign,
    "table": _table,
    "td": _cell,
    "th": _cell,
    "title": _svg_title,
    "tr": _row,
    "ul": _list,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
}
