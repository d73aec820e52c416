"""A presentation made here, of shapes in every position, each with one word that no other has."""

from __future__ import annotations

import io
import zipfile

__all__ = ["CHART_PAGE", "make_deck"]

_OPEN = "http://schemas.openxmlformats.org"
_OFFICE = f"{_OPEN}/officeDocument/2006/relationships"
_NAMES = (
    f'xmlns:p="{_OPEN}/presentationml/2006/main" xmlns:a="{_OPEN}/drawingml/2006/main" xmlns:r="{_OFFICE}"'
)
_MAIN = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"
_UNIT = 12_192  # a thousandth of the slide's width
_HEIGHT = 562
CHART_PAGE = 6


def _place(box: tuple[int, ...], turned: str = "", inside: tuple[int, int] | None = None) -> str:
    x, y, cx, cy = (_UNIT * value for value in box)
    inner = ""
    if inside is not None:
        width, height = (_UNIT * value for value in inside)
        inner = f'<a:chOff x="0" y="0"/><a:chExt cx="{width}" cy="{height}"/>'
    return f'<a:xfrm {turned}><a:off x="{x}" y="{y}"/><a:ext cx="{cx}" cy="{cy}"/>{inner}</a:xfrm>'


def _body(word: str, how: str = "") -> str:
    return (
        f'<a:bodyPr wrap="square" {how}/><a:lstStyle/>'
        f'<a:p><a:r><a:rPr lang="en-US" sz="1200"/><a:t>{word}</a:t></a:r></a:p>'
    )


def _shape(
    word: str,
    box: tuple[int, ...] | None,
    turned: str = "",
    *,
    how: str = "",
    mark: str = "",
    outline: str = "rect",
    number: int = 2,
) -> str:
    where = (
        "" if box is None else f'{_place(box, turned)}<a:prstGeom prst="{outline}"><a:avLst/></a:prstGeom>'
    )
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="s"/><p:cNvSpPr/><p:nvPr>{mark}</p:nvPr></p:nvSpPr>'
        f"<p:spPr>{where}</p:spPr><p:txBody>{_body(word, how)}</p:txBody></p:sp>"
    )


def _group(box: tuple[int, ...], inside: tuple[int, int], *shapes: str, turned: str = "") -> str:
    return (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="80" name="g"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr>{_place(box, turned, inside)}</p:grpSpPr>{''.join(shapes)}</p:grpSp>"
    )


def _table(box: tuple[int, ...], widths: tuple[int, ...], height: int, *rows: tuple[str, ...]) -> str:
    columns = "".join(f'<a:gridCol w="{_UNIT * width}"/>' for width in widths)
    made = "".join(
        f'<a:tr h="{_UNIT * height}">'
        + "".join(f"<a:tc><a:txBody>{_body(word)}</a:txBody><a:tcPr/></a:tc>" for word in row)
        + "</a:tr>"
        for row in rows
    )
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="t"/><p:cNvGraphicFramePr/><p:nvPr/>'
        f"</p:nvGraphicFramePr>{_place(box).replace('a:xfrm', 'p:xfrm')}<a:graphic>"
        f'<a:graphicData uri="{_OPEN}/drawingml/2006/table"><a:tbl><a:tblPr/><a:tblGrid>{columns}</a:tblGrid>'
        f"{made}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    )


def _connector(number: int, ends: tuple[str, str], box: tuple[int, ...], turned: str = "") -> str:
    """A line between two sites, each written `shape:site`."""
    start, end = (f'id="{one.split(":")[0]}" idx="{one.split(":")[1]}"' for one in ends)
    return (
        f'<p:cxnSp><p:nvCxnSpPr><p:cNvPr id="{number}" name="c"/><p:cNvCxnSpPr>'
        f"<a:stCxn {start}/><a:endCxn {end}/></p:cNvCxnSpPr><p:nvPr/></p:nvCxnSpPr>"
        f'<p:spPr>{_place(box, turned)}<a:prstGeom prst="line"><a:avLst/></a:prstGeom><a:ln w="19050">'
        '<a:solidFill><a:srgbClr val="000000"/></a:solidFill><a:tailEnd type="triangle"/></a:ln></p:spPr>'
        "</p:cxnSp>"
    )


def _slides() -> list[str]:
    """Turned and flipped; groups scaled and turned; groups flipped; tables; placeholders; a process chart."""
    turned = [
        _shape("plain", (50, 50, 150, 60)),
        _shape("quarter", (300, 200, 200, 60), 'rot="5400000"'),
        _shape("eighth", (500, 100, 200, 60), 'rot="2700000"'),
        _shape("upside", (750, 50, 200, 60), 'flipV="1"'),
        _shape("mirrored", (50, 300, 200, 60), 'flipH="1"'),
        _shape("half", (300, 400, 200, 60), 'rot="10800000"'),
        _shape("downwards", (600, 300, 60, 200), how='vert="vert"'),
        _shape("upwards", (700, 300, 60, 200), how='vert="vert270"'),
    ]
    scaled = [
        _group(
            (50, 50, 400, 200),
            (800, 400),
            _shape("outer", (0, 0, 300, 100)),
            _group((400, 200, 400, 200), (200, 100), _shape("inner", (100, 50, 100, 50))),
        ),
        _group(
            (550, 100, 300, 200),
            (600, 400),
            _shape("first", (0, 0, 300, 150)),
            _shape("second", (300, 200, 300, 150), 'rot="5400000"'),
            turned='rot="5400000"',
        ),
    ]
    flipped = [
        _group(
            (50, 50, 300, 150),
            (300, 150),
            _shape("left", (0, 0, 120, 60)),
            _shape("tilted", (150, 60, 140, 60), 'rot="1800000"'),
            turned='flipH="1"',
        ),
        _group((450, 50, 300, 150), (300, 150), _shape("above", (0, 0, 120, 60)), turned='flipV="1"'),
        _group(
            (50, 300, 400, 100),
            (200, 200),
            _shape("wide", (0, 0, 90, 90)),
            _shape("tall", (60, 70, 100, 60), 'rot="5400000"'),
        ),
        _group(
            (550, 300, 400, 150),
            (200, 200),
            _shape("both", (0, 0, 100, 100)),
            turned='rot="1800000" flipH="1"',
        ),
    ]
    tables = [
        _table((50, 50, 246, 246), (150, 150, 150), 40, ("one", "two", "three"), ("four", "five", "six")),
        _table((550, 50, 300, 80), (200, 100), 40, ("seven", "eight"), ("nine", "ten")),
    ]
    inherited = [
        _shape("headline", None, mark='<p:ph type="title"/>'),
        _shape("indexed", None, mark='<p:ph idx="7"/>'),
        _shape("typed", None, mark='<p:ph type="body" idx="1"/>'),
    ]
    chart = [
        _shape("flour", (100, 100, 160, 90), outline="ellipse", number=2),
        _shape("knead", (400, 100, 160, 90), outline="ellipse", number=3),
        _shape("ready", (700, 100, 160, 90), outline="diamond", number=4),
        _connector(5, ("2:6", "3:2"), (260, 145, 140, 0)),
        _connector(6, ("3:6", "4:1"), (560, 145, 140, 0)),
        _group(
            (100, 300, 400, 200),
            (800, 400),
            _shape("proof", (0, 0, 320, 180), outline="ellipse", number=7),
            _shape("bake", (480, 220, 320, 180), outline="diamond", number=8),
            _connector(9, ("7:6", "8:1"), (320, 90, 160, 220)),
            _connector(10, ("8:1", "7:6"), (320, 90, 160, 220), 'rot="10800000"'),
        ),
    ]
    return ["".join(shapes) for shapes in (turned, scaled, flipped, tables, inherited, chart)]


def _tree(root: str, shapes: str) -> str:
    group = "<p:nvGrpSpPr><p:cNvPr id='1' name=''/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>"
    return f"<p:{root} {_NAMES}><p:cSld><p:spTree>{group}{shapes}</p:spTree></p:cSld></p:{root}>"


def _relations(*entries: tuple[str, str, str]) -> str:
    made = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{to}"/>' for key, kind, to in entries
    )
    return f'<Relationships xmlns="{_OPEN}/package/2006/relationships">{made}</Relationships>'


def make_deck() -> bytes:
    """The presentation."""
    slides = _slides()
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="s{n}"/>' for n in numbers)
    master = _shape("", (50, 20, 900, 80), mark='<p:ph type="title"/>') + _shape(
        "", (50, 350, 400, 150), mark='<p:ph type="body" idx="1"/>'
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_OPEN}/package/2006/content-types"><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" '
        f'ContentType="{_MAIN}"/></Types>',
        "_rels/.rels": _relations(("r1", "officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'<p:presentation {_NAMES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" '
        f'r:id="m"/></p:sldMasterIdLst><p:sldIdLst>{listed}</p:sldIdLst>'
        f'<p:sldSz cx="{1000 * _UNIT}" cy="{_HEIGHT * _UNIT}"/></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _relations(
            ("m", "slideMaster", "slideMasters/master1.xml"),
            *((f"s{n}", "slide", f"slides/slide{n}.xml") for n in numbers),
        ),
        "ppt/slideLayouts/layout1.xml": _tree(
            "sldLayout",
            _shape("", (550, 200, 300, 100), mark='<p:ph type="body" idx="7"/>')
            + _shape("", None, mark='<p:ph type="body" idx="1"/>'),
        ),
        "ppt/slideLayouts/_rels/layout1.xml.rels": _relations(
            ("m", "slideMaster", "../slideMasters/master1.xml")
        ),
        "ppt/slideMasters/master1.xml": _tree("sldMaster", master),
        "ppt/slideMasters/_rels/master1.xml.rels": _relations(
            ("l", "slideLayout", "../slideLayouts/layout1.xml")
        ),
    }
    for number, shapes in enumerate(slides, start=1):
        parts[f"ppt/slides/slide{number}.xml"] = _tree("sld", shapes)
        parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = _relations(
            ("l", "slideLayout", "../slideLayouts/layout1.xml")
        )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()
