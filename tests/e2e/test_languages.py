"""What an encoded document says of its languages, by the engine that `scripts/test install` brings."""

import io
import zipfile

import pytest

from indx import Indx

ENGLISH = (
    "Records of every purchase are kept for ninety days and are then removed from the archive, unless the "
    "owner of the record has asked for them to be kept longer. Nobody reads them in the meantime."
)
JAPANESE = (
    "購入の記録は九十日間保存され、その後は会社の書庫から削除されます。持ち主が求めた場合はこの限りでない。"
)
TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def related(*targets):
    rows = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{RELATIONS}">{rows}</Relationships>'


def workbook(*texts):
    """A workbook with a sheet for each text, in one cell."""
    numbers = range(1, len(texts) + 1)
    sheets = "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r{n}"/>' for n in numbers)
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="{TYPES}.worksheet+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{TYPES}.sheet.main+xml"/></Types>',
        "_rels/.rels": related(("officeDocument", "xl/workbook.xml")),
        "xl/workbook.xml": f'<workbook xmlns="{SPACE}" xmlns:r="{OFFICE}">'
        f"<sheets>{sheets}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": related(*(("worksheet", f"worksheets/{n}.xml") for n in numbers)),
    }
    for n, text in zip(numbers, texts, strict=True):
        row = f'<row><c t="inlineStr"><is><t>{text}</t></is></c></row>'
        parts[f"xl/worksheets/{n}.xml"] = (
            f'<worksheet xmlns="{SPACE}"><sheetData>{row}</sheetData></worksheet>'
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        for name, content in parts.items():
            out.writestr(name, content)
    return buffer.getvalue()


@pytest.fixture(autouse=True)
def plain_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    for part in ("CANDIDATES", "MINIMUM_CONFIDENCE", "LOW_ACCURACY"):
        monkeypatch.delenv(f"INDX_LANGUAGE_{part}", raising=False)


def test_each_page_says_its_language_and_the_document_their_mean_by_length(tmp_path):
    (tmp_path / "two.xlsx").write_bytes(workbook(ENGLISH, JAPANESE))
    result = Indx().encode(str(tmp_path / "two.xlsx"))
    blocks = {block.id: block for block in result.blocks}
    pages = [blocks["p1"], blocks["p2"]]
    found = [
        {entry["language"]: entry["confidence"] for entry in page.metadata["languages"]} for page in pages
    ]
    assert found[0]["en"] > 0.9
    assert found[1]["ja"] > 0.9
    assert len(found[0]) + len(found[1]) < 6
    lengths = [len(page.text) for page in pages]
    means = {
        language: sum(scores.get(language, 0) * length for scores, length in zip(found, lengths, strict=True))
        / sum(lengths)
        for language in {**found[0], **found[1]}
    }
    whole = blocks["doc"].metadata["languages"]
    assert {entry["language"]: entry["confidence"] for entry in whole} == pytest.approx(means, abs=1e-5)
    assert [entry["language"] for entry in whole][:2] == ["en", "ja"]
    (component,) = [part for part in result.trace.components if part.role == "language_detector"]
    assert (component.distribution, component.pages) == ("indx-language-lingua", (1, 2))


def test_the_snapshot_names_the_detector():
    assert [lane.id for lane in Indx().capabilities().language_detectors] == ["lingua"]
