"""Workbooks built by the tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PageReading, SourceContent
from indx_reader_sheets.provider import MEDIA_TYPES, observer, reader
from indx_testkit.checks import assert_reading

OPEN = "http://schemas.openxmlformats.org"
OFFICE = f"{OPEN}/officeDocument/2006/relationships"
PACKAGE = f"{OPEN}/package/2006"
NAMESPACES = f'xmlns="{OPEN}/spreadsheetml/2006/main" xmlns:r="{OFFICE}"'


def relations(entries: Sequence[tuple[str, ...]]) -> str:
    made = "".join(
        f'<Relationship Id="{key}" Type="{OFFICE}/{kind}" Target="{target}"'
        + (' TargetMode="External"/>' if mode else "/>")
        for key, kind, target, *mode in entries
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{made}</Relationships>'


@pytest.fixture
def xlsx() -> Callable[..., bytes]:
    """A workbook of worksheets given by their rows.

    `around` puts XML before and after a sheet's rows, `rels` and `states` are by sheet number, `formats` are
    format codes of the cell styles from 0 on, `shared` are string items, `raw` parts as they are.
    """

    def make(
        *sheets: str,
        names: Sequence[str] = (),
        around: Mapping[int, tuple[str, str]] | None = None,
        rels: Mapping[int, Sequence[tuple[str, ...]]] | None = None,
        states: Mapping[int, str] | None = None,
        kinds: Mapping[int, str] | None = None,
        formats: Sequence[str | int] = (),
        shared: Sequence[str] | None = None,
        properties: str = "",
        raw: Mapping[str, str | bytes] | None = None,
        strict: bool = False,
    ) -> bytes:
        numbers = range(1, len(sheets) + 1)
        listed = "".join(
            f'<sheet name="{names[n - 1] if names else f"Sheet{n}"}" sheetId="{n}" r:id="s{n}" '
            f'state="{(states or {}).get(n, "visible")}"/>'
            for n in numbers
        )
        entries = [(f"s{n}", (kinds or {}).get(n, "worksheet"), f"worksheets/sheet{n}.xml") for n in numbers]
        parts: dict[str, str | bytes] = {
            "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
            f'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
            f'ContentType="{MEDIA_TYPES[0]}.main+xml"/></Types>',
            "_rels/.rels": relations([("r1", "officeDocument", "xl/workbook.xml")]),
            "xl/workbook.xml": f"<workbook {NAMESPACES}>{properties}<sheets>{listed}</sheets></workbook>",
        }
        if shared is not None:
            items = "".join(f"<si>{item}</si>" for item in shared)
            parts["xl/sharedStrings.xml"] = f"<sst {NAMESPACES}>{items}</sst>"
            entries.append(("ss", "sharedStrings", "sharedStrings.xml"))
        if formats:
            codes = [(200 + at, code) for at, code in enumerate(formats) if isinstance(code, str)]
            stated = "".join(f'<numFmt numFmtId="{key}" formatCode="{code}"/>' for key, code in codes)
            keys = [code if isinstance(code, int) else 200 + at for at, code in enumerate(formats)]
            styles = "".join(f'<xf numFmtId="{key}"/>' for key in keys)
            parts["xl/styles.xml"] = (
                f"<styleSheet {NAMESPACES}><numFmts>{stated}</numFmts>"
                f"<cellXfs>{styles}</cellXfs></styleSheet>"
            )
            entries.append(("st", "styles", "styles.xml"))
        parts["xl/_rels/workbook.xml.rels"] = relations(entries)
        for number, rows in enumerate(sheets, start=1):
            before, after = (around or {}).get(number, ("", ""))
            parts[f"xl/worksheets/sheet{number}.xml"] = (
                f"<worksheet {NAMESPACES}>{before}<sheetData>{rows}</sheetData>{after}</worksheet>"
            )
            parts[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = relations((rels or {}).get(number, ()))
        parts.update(raw or {})
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                if strict and isinstance(text, str):
                    for kind in ("spreadsheetml", "officeDocument"):
                        text = text.replace(f"{OPEN}/{kind}/2006/", f"http://purl.oclc.org/ooxml/{kind}/")
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
        return file.getvalue()

    return make


@pytest.fixture
def read(xlsx: Callable[..., bytes]) -> Callable[..., list[PageReading]]:
    """The readings of a workbook made by `xlsx`, held to every rule of readings."""

    def make(*sheets: str, **options: object) -> list[PageReading]:
        source = SourceContent.of_bytes(xlsx(*sheets, **options), media_type=MEDIA_TYPES[0])
        with closing(observer().open(source)) as session:
            pages = list(reader().read(session, range(1, session.page_count + 1), deadline=Deadline()))
        for page in pages:
            assert_reading(page)
        return pages

    return make
