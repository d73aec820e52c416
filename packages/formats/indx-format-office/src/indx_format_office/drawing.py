"""Text that DrawingML holds in Word, slides and worksheets alike: paragraphs, SmartArt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from indx_format_office.automatic import Counting, Kinds, kind_of, kinds_of
from indx_format_office.formula import linear
from indx_format_office.names import DGM, MC, A, M, R
from indx_format_office.values import description, whole
from indx_format_office.writer import TextWriter

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["alt_text", "chosen", "diagram_texts", "plain_text", "write_paragraphs"]

_PARAGRAPH, _RUN, _TEXT, _FIELD, _BREAK = A + "p", A + "r", A + "t", A + "fld", A + "br"
_PROPERTIES, _CLICK, _ID = A + "rPr", A + "hlinkClick", R + "id"
_MATH: Final = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_ALTERNATIVES: Final = MC + "AlternateContent"


def chosen(alternatives: Element) -> Element | None:
    """The alternative that counts: the first choice, else the fallback; they say the same thing twice."""
    choice = alternatives.find(MC + "Choice")
    return alternatives.find(MC + "Fallback") if choice is None else choice


def write_paragraphs(
    body: Element,
    writer: TextWriter,
    target: Callable[[str], str],
    styles: Sequence[Kinds] = (),
    *,
    slide: str = "",
    set_in: bool = True,
) -> None:
    """Write the paragraphs of a text body, each on lines of its own, empty ones left out.

    Each begins with its number.

    Args:
        body: An `a:txBody` by whatever name it goes where it stands.
        writer: Where to write.
        target: Where the relationship with an ID leads, empty for nowhere.
        styles: How its paragraphs are numbered where neither they nor the body itself say it, nearest first.
        slide: The number of the slide it is on, for which some programs write a sign.
        set_in: Whether paragraphs are set in by their level.
    """
    numbers = Counting()
    styles = (kinds_of(body.find(A + "lstStyle")), *styles)
    for paragraph in body.iterchildren(_PARAGRAPH):
        before = writer.mark()
        writer.start_line()
        if "".join(paragraph.itertext()).strip():
            level, kind = kind_of(paragraph, styles)
            writer.write("  " * (level * set_in) + numbers.label(level, kind))
        mark = writer.mark()
        for child in paragraph:
            if slide and child.get("type") == "slidenum" and "#" in (child.findtext(_TEXT) or ""):
                writer.write(slide)
            else:
                _write_run(child, writer, target)
        if not writer.since(mark).strip():
            writer.discard(before)


def _write_run(child: Element, writer: TextWriter, target: Callable[[str], str]) -> None:
    tag = child.tag
    if tag in (_RUN, _FIELD):
        start = writer.length
        properties = child.find(_PROPERTIES)
        raised = properties is not None and whole(properties.get("baseline")) > 0
        (writer.write_raised if raised else writer.write)(child.findtext(_TEXT) or "")
        click = None if properties is None else properties.find(_CLICK)
        if click is not None:
            writer.link(start, target(click.get(_ID, "")))
    elif tag == _BREAK:
        writer.write("\n")
    elif tag in (_ALTERNATIVES, _MATH):
        choice = chosen(child) if tag == _ALTERNATIVES else child
        for formula in () if choice is None else choice.iter(M + "oMath"):
            start = writer.length
            writer.write(linear(formula))
            writer.role(start, "formula")


def plain_text(body: Element) -> str:
    """The text of a text body alone, its paragraphs on lines."""
    writer = TextWriter()
    write_paragraphs(body, writer, lambda _: "")
    return writer.text()


def alt_text(properties: Element) -> str:
    """What `properties` (`cNvPr`, `docPr`) says a picture shows."""
    return description(properties.get("descr", ""))


def diagram_texts(root: Element) -> Iterator[str]:
    """The texts of a SmartArt's data part, each node before those below it."""
    texts: dict[str, str] = {}
    top: list[str] = []
    for point in root.iter(DGM + "pt"):
        key = point.get("modelId", "")
        body = point.find(DGM + "t")
        texts[key] = "" if body is None else plain_text(body).strip()
        if point.get("type") == "doc":
            top.append(key)
    below: dict[str, list[tuple[int, str]]] = {}
    for connection in root.iter(DGM + "cxn"):
        if connection.get("type", "parOf") == "parOf":
            place = whole(connection.get("srcOrd"))
            below.setdefault(connection.get("srcId", ""), []).append((place, connection.get("destId", "")))
    waiting = top[::-1]
    while waiting:
        key = waiting.pop()
        text = texts.pop(key, None)
        if text is None:
            continue
        if text:
            yield text
        waiting += [child for _, child in sorted(below.get(key, ()), reverse=True)]
    yield from filter(None, texts.values())
