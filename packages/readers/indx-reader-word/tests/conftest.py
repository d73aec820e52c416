"""Word documents built by the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_reader_word.provider import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

OPEN = "http://schemas.openxmlformats.org"
OFFICE = f"{OPEN}/officeDocument/2006/relationships"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{name}"'
    for prefix, name in {
        "w": f"{OPEN}/wordprocessingml/2006/main",
        "r": OFFICE,
        "m": f"{OPEN}/officeDocument/2006/math",
        "a": f"{OPEN}/drawingml/2006/main",
        "c": f"{OPEN}/drawingml/2006/chart",
        "dgm": f"{OPEN}/drawingml/2006/diagram",
        "pic": f"{OPEN}/drawingml/2006/picture",
        "wp": f"{OPEN}/drawingml/2006/wordprocessingDrawing",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "mc": f"{OPEN}/markup-compatibility/2006",
        "v": "urn:schemas-microsoft-com:vml",
    }.items()
)
ROOTS = {
    "footnotes": "footnotes",
    "endnotes": "endnotes",
    "comments": "comments",
    "header1": "hdr",
    "header2": "hdr",
    "footer1": "ftr",
    "styles": "styles",
    "numbering": "numbering",
    "settings": "settings",
}
KINDS = {"header1": "header", "header2": "header", "footer1": "footer"}


def part(root: str, inner: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?><w:{root} {NAMESPACES}>{inner}</w:{root}>'


@pytest.fixture
def docx() -> Callable[..., bytes]:
    """A document: the inside of its body, of parts by name (`styles`, …), relationships, raw parts."""

    def make(
        body: str,
        *,
        rels: Sequence[tuple[str, ...]] = (),
        raw: Mapping[str, str | bytes] | None = None,
        strict: bool = False,
        **parts: str,
    ) -> bytes:
        whole: dict[str, str | bytes] = {"word/document.xml": part("document", f"<w:body>{body}</w:body>")}
        relations = list(rels)
        for name, inner in parts.items():
            whole[f"word/{name}.xml"] = part(ROOTS[name], inner)
            relations.append((f"id-{name}", KINDS.get(name, name), f"{name}.xml"))
        made = "".join(
            f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"'
            + (' TargetMode="External"/>' if mode else "/>")
            for key, kind, target, *mode in relations
        )
        package = f"{OPEN}/package/2006"
        whole["word/_rels/document.xml.rels"] = (
            f'<Relationships xmlns="{package}/relationships">{made}</Relationships>'
        )
        whole["_rels/.rels"] = (
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
            f'Type="{OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>'
        )
        whole["[Content_Types].xml"] = (
            f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/word/document.xml" ContentType="{MEDIA_TYPES[0]}.main+xml"/></Types>'
        )
        whole.update(raw or {})
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in whole.items():
                if strict and isinstance(text, str):
                    for kind in ("wordprocessingml", "officeDocument", "drawingml"):
                        text = text.replace(f"{OPEN}/{kind}/2006/", f"http://purl.oclc.org/ooxml/{kind}/")
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
        return file.getvalue()

    return make


@pytest.fixture
def read(docx: Callable[..., bytes]) -> Callable[..., PageReading]:
    """The reading of a document made by `docx`, held to every rule of readings."""

    def make(body: str, **parts: object) -> PageReading:
        source = SourceContent.of_bytes(docx(body, **parts), media_type=MEDIA_TYPES[0])
        with closing(observer().open(source)) as session:
            (page,) = reader().read(session, [1], deadline=Deadline())
        assert_reading(page)
        return page

    return make
