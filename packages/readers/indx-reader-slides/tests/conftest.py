"""Presentations built by the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_reader_slides.provider import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

OPEN = "http://schemas.openxmlformats.org"
OFFICE = f"{OPEN}/officeDocument/2006/relationships"
PACKAGE = f"{OPEN}/package/2006"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "p": f"{OPEN}/presentationml/2006/main",
        "a": f"{OPEN}/drawingml/2006/main",
        "r": OFFICE,
        "c": f"{OPEN}/drawingml/2006/chart",
        "dgm": f"{OPEN}/drawingml/2006/diagram",
        "mc": f"{OPEN}/markup-compatibility/2006",
    }.items()
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


@pytest.fixture
def pptx() -> Callable[..., bytes]:
    """A presentation of slides given by their shapes.

    `notes`, `rels` and `attributes` are by slide number; `layout` and `master` are shapes of those; `raw`
    are parts as they are; `order` names the slides in the order of the presentation; `extra` is what else the
    presentation says.
    """

    def make(
        *slides: str,
        notes: Mapping[int, str] | None = None,
        rels: Mapping[int, Sequence[tuple[str, ...]]] | None = None,
        attributes: Mapping[int, str] | None = None,
        layout: str = "",
        master: str = "",
        raw: Mapping[str, str | bytes] | None = None,
        order: Sequence[int] = (),
        size: tuple[int, int] = (1000, 500),
        strict: bool = False,
        extra: str = "",
    ) -> bytes:
        numbers = order or range(1, len(slides) + 1)
        listed = "".join(f'<p:sldId id="{255 + number}" r:id="s{number}"/>' for number in numbers)
        parts: dict[str, str | bytes] = {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
            f'ContentType="application/xml"/><Override PartName="/ppt/presentation.xml" '
            f'ContentType="{MEDIA_TYPES[0]}.main+xml"/></Types>',
            "_rels/.rels": relations([("r1", "officeDocument", "ppt/presentation.xml")]),
            "ppt/presentation.xml": f"<p:presentation {NAMESPACES}><p:sldIdLst>{listed}</p:sldIdLst>"
            f'<p:sldSz cx="{size[0]}" cy="{size[1]}"/>{extra}</p:presentation>',
            "ppt/_rels/presentation.xml.rels": relations(
                [(f"s{n}", "slide", f"slides/slide{n}.xml") for n in range(1, len(slides) + 1)]
            ),
            "ppt/slideLayouts/layout1.xml": tree("sldLayout", layout),
            "ppt/slideLayouts/_rels/layout1.xml.rels": relations(
                [("m", "slideMaster", "../slideMasters/master1.xml")]
            ),
            "ppt/slideMasters/master1.xml": tree("sldMaster", master),
        }
        for number, shapes in enumerate(slides, start=1):
            parts[f"ppt/slides/slide{number}.xml"] = tree("sld", shapes, (attributes or {}).get(number, ""))
            entries = [("lay", "slideLayout", "../slideLayouts/layout1.xml"), *(rels or {}).get(number, ())]
            if number in (notes or {}):
                entries.append(("not", "notesSlide", f"../notesSlides/notes{number}.xml"))
                parts[f"ppt/notesSlides/notes{number}.xml"] = tree("notes", (notes or {})[number])
            parts[f"ppt/slides/_rels/slide{number}.xml.rels"] = relations(entries)
        parts.update(raw or {})
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                if strict and isinstance(text, str):
                    for kind in ("presentationml", "officeDocument", "drawingml"):
                        text = text.replace(f"{OPEN}/{kind}/2006/", f"http://purl.oclc.org/ooxml/{kind}/")
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
        return file.getvalue()

    return make


@pytest.fixture
def read(pptx: Callable[..., bytes]) -> Callable[..., list[PageReading]]:
    """The readings of a presentation made by `pptx`, held to every rule of readings."""

    def make(*slides: str, **options: object) -> list[PageReading]:
        source = SourceContent.of_bytes(pptx(*slides, **options), media_type=MEDIA_TYPES[0])
        with closing(observer().open(source)) as session:
            pages = list(reader().read(session, range(1, session.page_count + 1), deadline=Deadline()))
        for page in pages:
            assert_reading(page)
        return pages

    return make
