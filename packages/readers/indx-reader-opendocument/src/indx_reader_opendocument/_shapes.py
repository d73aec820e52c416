"""Frames and shapes: text boxes, pictures' descriptions, charts, formulas, each on lines of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.ports import Role
from indx_format_html.mathml import MAX_DEPTH, Part, linear
from indx_format_office import TextWriter
from indx_format_office.values import description
from indx_reader_opendocument._names import CHART, DRAW, LOEXT, MATH, OFFICE, SVG, TABLE, TEXT, XLINK
from indx_reader_opendocument._tables import read_table

if TYPE_CHECKING:
    from indx_format_office.container import Element
    from indx_reader_opendocument._story import Story

__all__ = ["SHAPES", "is_hidden", "write_content", "write_shape"]

SHAPES: Final = frozenset(
    DRAW + name
    for name in (
        "frame", "a", "g", "rect", "line", "polyline", "polygon", "regular-polygon", "path", "circle",
        "ellipse", "connector", "caption", "measure", "control", "custom-shape", "page-thumbnail",
    )
)  # fmt: skip
GROUPS: Final = frozenset((DRAW + "g", DRAW + "a"))
_OBJECTS: Final = frozenset((DRAW + "object", DRAW + "object-ole"))
_TEXTS: Final = (TEXT + "p", TEXT + "list")
_ROOTS: Final = frozenset((OFFICE + "document", MATH + "math"))
_SAID: Final = ("linethickness", "open", "close", "separators")
_MOST_SHAPES: Final = 100_000


def is_hidden(element: Element) -> bool:
    """Whether the document shows the shape nowhere."""
    return element.get(DRAW + "display") in ("none", "printer") or element.get(LOEXT + "hidden") == "true"


def write_shape(story: Story, element: Element, writer: TextWriter) -> Role | None:
    """Write a shape, or the shapes of a group, beside the text of a page; its role where it has one."""
    if element.tag in GROUPS:
        start = writer.length
        for child in element:
            if child.tag in SHAPES:
                write_shape(story.inner(), child, writer)
        if element.tag == DRAW + "a":
            writer.link(start, element.get(XLINK + "href", ""))
        return None
    with writer.block() as start:
        role = write_content(story, element, writer)
        writer.role(start, role or "text_box")
        if is_hidden(element):
            writer.hide(start)
    return role


def write_content(story: Story, element: Element, writer: TextWriter) -> Role | None:
    """Write what a shape says; its role where it is a description or a formula."""
    begin = writer.length
    role: Role | None = None
    drawn = False
    for child in element:
        if child.tag == DRAW + "text-box":
            story.inner().blocks(child, writer)
        elif child.tag == TABLE + "table":
            read_table(story, child, writer)
        elif child.tag == DRAW + "image":
            story.document.images += not drawn
            drawn = True
            if any("".join(each.itertext()).strip() for each in child.iterchildren(*_TEXTS)):
                story.inner().blocks(child, writer)  # words are written on the picture
        elif child.tag in _OBJECTS:
            drawn = True  # the picture beside it stands for it
            role = _object(story, child, writer)
    if any(child.tag in _TEXTS for child in element):
        story.inner().blocks(element, writer)
    if writer.length == begin:
        described = _description(element)
        if described:
            writer.start_line()
            writer.write(described)
            return "caption"
    return role


def _description(element: Element) -> str:
    """The title and the description that somebody gave a shape."""
    texts = (
        description(" ".join((element.findtext(SVG + name) or "").split())) for name in ("title", "desc")
    )
    return ": ".join(dict.fromkeys(filter(None, texts)))


def _object(story: Story, element: Element, writer: TextWriter) -> Role | None:
    """Write an embedded object of OpenDocument's own: a formula, a chart, a text, a drawing, worksheets."""
    for root in element:
        if root.tag in _ROOTS:  # a flat document holds its objects where they stand
            return _write_object(story, root, writer)
    with story.document.object(f"{story.document.package.target(element)}/content.xml") as root_of_part:
        return None if root_of_part is None else _write_object(story, root_of_part, writer)


def _write_object(story: Story, root: Element, writer: TextWriter) -> Role | None:
    if root.tag == MATH + "math":
        with writer.block():
            writer.write(_formula(root))
        return "formula"
    for chart in root.iter(CHART + "chart"):
        _chart(story, chart, writer)
        return None
    for text in root.iter(OFFICE + "text"):
        story.inner().blocks(text, writer)
        return None
    for page in root.iter(DRAW + "page"):
        for shape in page:
            if shape.tag in SHAPES:
                write_shape(story.inner(), shape, writer)
        return None
    for table in root.iter(TABLE + "table"):
        read_table(story, table, writer)
    return None


def _formula(root: Element) -> str:
    """A formula as it was typed, where that was kept; else on one line."""
    for annotation in root.iter(MATH + "annotation"):
        if text := " ".join((annotation.text or "").split()):
            return text
    return linear(_part(root, 0))


def _part(element: Element, depth: int) -> Part:
    attributes = {name: value for name in _SAID if (value := element.get(name)) is not None}
    part = Part(str(element.tag).rpartition("}")[2], attributes=attributes)
    if len(element) and depth < MAX_DEPTH:
        part.parts = [_part(child, depth + 1) for child in element]
    else:
        part.text = "".join(element.itertext())
    return part


def _chart(story: Story, chart: Element, writer: TextWriter) -> None:
    """Write a chart: its titles on lines, then its values as a table."""
    for title in chart.iter(CHART + "title", CHART + "subtitle"):
        story.inner().blocks(title, writer)
    for table in chart.iterchildren(TABLE + "table"):
        read_table(story, table, writer)
