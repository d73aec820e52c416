"""Presentations built by the tests, out of shapes given by their outline and place."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from types import SimpleNamespace
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_parser_process_chart.provider import MEDIA_TYPES, parser
from indx_testkit.checks import assert_reading
from indx_testkit.samples import StubSession

OPEN = "http://schemas.openxmlformats.org"
OFFICE = f"{OPEN}/officeDocument/2006/relationships"
PACKAGE = f"{OPEN}/package/2006"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "p": f"{OPEN}/presentationml/2006/main",
        "a": f"{OPEN}/drawingml/2006/main",
        "r": OFFICE,
        "mc": f"{OPEN}/markup-compatibility/2006",
    }.items()
)
Box = tuple[int, int, int, int]


def xfrm(box: Box | None, attributes: str = "", inside: Box | None = None) -> str:
    if box is None:
        return ""
    x, y, width, height = box
    child = (
        ""
        if inside is None
        else (f'<a:chOff x="{inside[0]}" y="{inside[1]}"/><a:chExt cx="{inside[2]}" cy="{inside[3]}"/>')
    )
    return f'<a:xfrm {attributes}><a:off x="{x}" y="{y}"/><a:ext cx="{width}" cy="{height}"/>{child}</a:xfrm>'


def paragraphs(text: str) -> str:
    lines = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("\n"))
    return f"<p:txBody><a:bodyPr/>{lines}</p:txBody>" if text else ""


def shape(
    number: int | str,
    outline: str,
    box: Box | None,
    text: str = "",
    *,
    turned: str = "",
    marks: str = "",
    text_box: bool = False,
    hidden: bool = False,
) -> str:
    """A shape; `turned` are attributes of its transform, `marks` what its placeholder says."""
    gone = ' hidden="1"' if hidden else ""
    words = ' txBox="1"' if text_box else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="n"{gone}/><p:cNvSpPr{words}/>'
        f"<p:nvPr>{marks}</p:nvPr></p:nvSpPr><p:spPr>{xfrm(box, turned)}"
        f'<a:prstGeom prst="{outline}"><a:avLst/></a:prstGeom></p:spPr>{paragraphs(text)}</p:sp>'
    )


def title(text: str, number: int = 90) -> str:
    return shape(number, "rect", (0, 0, 1000, 50), text, marks='<p:ph type="title"/>')


def picture(number: int, box: Box, description: str = "") -> str:
    return (
        f'<p:pic><p:nvPicPr><p:cNvPr id="{number}" name="n" descr="{description}"/><p:cNvPicPr/><p:nvPr/>'
        f"</p:nvPicPr><p:spPr>{xfrm(box)}</p:spPr></p:pic>"
    )


def connector(
    number: int,
    start: int | None,
    end: int | None,
    box: Box = (100, 100, 50, 0),
    *,
    head: str = "",
    tail: str = "triangle",
    turned: str = "",
) -> str:
    """A connector; `head` is the arrowhead at its start, `tail` the one at its end."""
    glued = "".join(
        f'<a:{name} id="{at}" idx="0"/>' for name, at in (("stCxn", start), ("endCxn", end)) if at is not None
    )
    ends = "".join(
        f'<a:{name} type="{kind}"/>' for name, kind in (("headEnd", head), ("tailEnd", tail)) if kind
    )
    return (
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{number}" name="n"/><p:cNvCxnSpPr>{glued}</p:cNvCxnSpPr>'
        f"<p:nvPr/></p:nvCxnSpPr><p:spPr>{xfrm(box, turned)}"
        f'<a:prstGeom prst="line"/><a:ln>{ends}</a:ln></p:spPr></p:cxnSp>'
    )


def group(
    *shapes: str, box: Box | None = None, inside: Box | None = None, turned: str = "", number: int = 80
) -> str:
    return (
        f'<p:grpSp><p:nvGrpSpPr><p:cNvPr id="{number}" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr>{xfrm(box, turned, inside)}</p:grpSpPr>{''.join(shapes)}</p:grpSp>"
    )


def relations(entries: Sequence[tuple[str, ...]]) -> str:
    made = "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if mode else "/>")
        for key, kind, target, *mode in entries
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{made}</Relationships>'


def tree(root: str, shapes: str, attributes: str = "") -> str:
    return f"<p:{root} {NAMESPACES} {attributes}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{root}>"


def presentation(
    *slides: str,
    notes: Mapping[int, str] | None = None,
    related: Mapping[int, Sequence[tuple[str, ...]]] | None = None,
    raw: Mapping[str, str] | None = None,
    attributes: str = "",
    size: tuple[int, int] = (1000, 500),
) -> bytes:
    """A presentation of slides; `related` and `notes` are by their numbers, `raw` are parts as they are."""
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + number}" r:id="s{number}"/>' for number in numbers)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" '
        f'ContentType="{MEDIA_TYPES[0]}.main+xml"/></Types>',
        "_rels/.rels": relations([("r1", "officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": f"<p:presentation {NAMESPACES}><p:sldIdLst>{listed}</p:sldIdLst>"
        f'<p:sldSz cx="{size[0]}" cy="{size[1]}"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(
            [(f"s{n}", "slide", f"slides/slide{n}.xml") for n in numbers]
        ),
    }
    for number, shapes in enumerate(slides, start=1):
        parts[f"ppt/slides/slide{number}.xml"] = tree("sld", shapes, attributes)
        entries = list((related or {}).get(number, ()))
        if number in (notes or {}):
            entries.append(("not", "notesSlide", f"../notesSlides/notes{number}.xml"))
            spoken = shape(1, "rect", None, (notes or {})[number])
            parts[f"ppt/notesSlides/notes{number}.xml"] = tree("notes", spoken)
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(entries)
    parts.update(raw or {})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return file.getvalue()


CHART = (
    title("Bread"),
    shape(2, "triangle", (100, 100, 100, 50), "Flour"),
    shape(3, "ellipse", (300, 100, 100, 50), "Knead"),
    shape(4, "diamond", (500, 100, 100, 50)),
    connector(5, 2, 3, (200, 125, 100, 0)),
    connector(6, 3, 4, (400, 125, 100, 0), tail=""),
)


@pytest.fixture
def draw() -> SimpleNamespace:
    """What draws shapes, and the shapes of a small chart."""
    return SimpleNamespace(
        shape=shape,
        title=title,
        picture=picture,
        connector=connector,
        group=group,
        chart="".join(CHART),
        text=shape(7, "rect", (0, 400, 300, 50), "Only words", text_box=True),
    )


@pytest.fixture
def pptx() -> Callable[..., bytes]:
    """Makes presentations."""
    return presentation


@pytest.fixture
def read() -> Callable[..., list[PageReading]]:
    """The readings of slides, by the session of somebody else, held to every rule of readings."""

    def make(*slides: str, **options: Any) -> list[PageReading]:
        source = SourceContent.of_bytes(presentation(*slides, **options), media_type=MEDIA_TYPES[0])
        pages = range(1, len(slides) + 1)
        with closing(StubSession(source, len(slides))) as session:
            readings = list(parser().read(session, pages, deadline=Deadline()))
        for reading in readings:
            assert_reading(reading)
        return readings

    return make


@pytest.fixture
def chart(read: Callable[..., list[PageReading]]) -> Callable[..., dict[str, Any]]:
    """The chart on a slide of the given shapes."""

    def make(*shapes: str, **options: Any) -> dict[str, Any]:
        (reading,) = read("".join(shapes), **options)
        assert reading.metadata is not None, reading.reason
        found = reading.metadata["process_chart"]
        assert isinstance(found, dict)
        return found

    return make
