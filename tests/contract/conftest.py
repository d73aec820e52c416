"""Documents of every installed kind, built here from bytes, and one request asked on three surfaces."""

import asyncio
import base64
import io
import json
import os
import subprocess
import sys
import zipfile
from email.message import EmailMessage

import httpx
import pytest

from indx import Indx
from indx.cli.main import run
from indx_core.errors import IndxError
from indx_server.app import create_app
from indx_server.service import Service

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = "application/vnd.openxmlformats-officedocument"


def relationships(*targets):
    rows = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{rows}</Relationships>'


def package(main, kind, parts):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        types = (
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/{main}" ContentType="{MAIN}.{kind}.main+xml"/></Types>'
        )
        for name, text in {
            "[Content_Types].xml": types,
            "_rels/.rels": relationships(("officeDocument", main)),
            **parts,
        }.items():
            out.writestr(zipfile.ZipInfo(name), text)
    return buffer.getvalue()


def docx(*paragraphs):
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    document = f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
    return package("word/document.xml", "wordprocessingml.document", {"word/document.xml": document})


def xlsx(rows):
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

    def cell(value):
        return (
            f"<c><v>{value}</v></c>"
            if isinstance(value, int)
            else f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        )

    cells = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    return package(
        "xl/workbook.xml",
        "spreadsheetml.sheet",
        {
            "xl/workbook.xml": f'<workbook xmlns="{space}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="Prices" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relationships(("worksheet", "worksheets/sheet1.xml")),
            "xl/worksheets/sheet1.xml": (
                f'<worksheet xmlns="{space}"><sheetData>{cells}</sheetData></worksheet>'
            ),
        },
    )


def shape(number, text, *, place='<a:off x="914400" y="685800"/><a:ext cx="4572000" cy="1371600"/>', more=""):
    frame = f"<a:xfrm>{place}</a:xfrm>" if place else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Box {number}"{more}/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        f"<p:spPr>{frame}</p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def pptx(*shapes):
    draw = "http://schemas.openxmlformats.org/drawingml/2006/main"
    space = "http://schemas.openxmlformats.org/presentationml/2006/main"
    tree = f"<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{''.join(shapes)}</p:spTree></p:cSld>"
    return package(
        "ppt/presentation.xml",
        "presentationml.presentation",
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{space}" xmlns:r="{OFFICE}"><p:sldIdLst>'
            '<p:sldId id="256" r:id="r1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": relationships(("slide", "slides/slide1.xml")),
            "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{space}" xmlns:a="{draw}">{tree}</p:sld>',
        },
    )


def pdf(*pages):
    """A PDF of pages that each show lines of text or, for None, one grey picture."""
    first = 6
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    grey = "80" * 4
    size = "/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/ASCIIHexDecode/Length 9"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        f"<</Type/XObject/Subtype/Image {size}>>\nstream\n{grey}>\nendstream",
        "<<>>",
    ]
    for n, lines in enumerate(pages):
        if lines is None:
            stream = "q 612 0 0 792 0 0 cm /I1 Do Q"
        else:
            stream = "BT /F1 14 Tf 72 700 Td 40 TL " + " ".join(f"({line}) Tj T*" for line in lines) + " ET"
        objects.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]"
            f"/Resources<</Font<</F1 3 0 R>>/XObject<</I1 4 0 R>>>>/Contents {first + 2 * n + 1} 0 R>>"
        )
        objects.append(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream")
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    out += f"trailer\n<</Size {len(places) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def mail():
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.org", "bob@example.org", "Minutes"
    message["Message-ID"] = "<1@example.org>"
    message.set_content("The meeting is moved to Monday.\n")
    message.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="table.csv")
    message.set_boundary("=-boundary-=")
    return message.as_bytes()


DOCUMENTS = {
    "note.md": b"# Retention\n\nData is kept for 90 days.\n\n## Backups\n\nBackups are kept for a year.\n",
    "plain.txt": "Ｄata ist für 90 Tage da.\nデータは90日間保存されます。\n𝔊 end\n".encode(),
    "table.csv": b"name,price\nwidget,3\ngadget,4\n",
    "page.html": b"<!doctype html><html><head><title>Rules</title></head><body><h1>Rules</h1>"
    b"<p>Be kind to <a href='note.md'>others</a>.</p></body></html>",
    "paper.pdf": pdf(["Retention of records", "Records are kept for ten years."], None, ["The end."]),
    "letter.docx": docx("Dear Sir,", "the records you asked for are enclosed."),
    "prices.xlsx": xlsx([["name", "price"], *[[f"widget {n}", n] for n in range(120)]]),
    "slides.pptx": pptx(
        shape(2, "Shown box"), shape(3, "Hidden box", more=' hidden="1"'), shape(4, "Lost box", place="")
    ),
    "mail.eml": mail(),
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, tmp_path_factory, monkeypatch):
    """A cache of the test's own, and what is really installed: nothing that tests before it had put there."""
    for name in [name for name in os.environ if name.startswith("INDX_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    made = str(tmp_path_factory.getbasetemp())
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if not entry.startswith(made)])
    monkeypatch.setattr("indx_core.discovery._default", None)


@pytest.fixture(scope="session")
def documents():
    """Small documents by file name."""
    return DOCUMENTS


@pytest.fixture(scope="session")
def make():
    """Builders of documents: `make.pdf(["line"], None)`."""
    return sys.modules[__name__]


@pytest.fixture(scope="session")
def inline():
    """The inline source of a document, as it is written in a request."""

    def source(name, data=None, **more):
        data = DOCUMENTS[name] if data is None else data
        return {"type": "inline", "data": base64.b64encode(data).decode(), "filename": name, **more}

    return source


@pytest.fixture
def encode():
    """The answer of Python to an encode request, as JSON."""
    indx = Indx()

    def answer(source, **fields):
        body = source if isinstance(source, dict) and "source" in source else {"source": source}
        return json.loads(indx.encode({**body, **fields}).model_dump_json())

    return answer


@pytest.fixture
def plan():
    """The answer of Python to a plan request, as JSON."""
    indx = Indx()
    return lambda source, **fields: json.loads(indx.plan({"source": source, **fields}).model_dump_json())


@pytest.fixture
def refused():
    """The envelope with which Python refuses an encode request, or another operation."""
    indx = Indx()

    def envelope(source, *, operation="encode", **fields):
        with pytest.raises(IndxError) as caught:
            getattr(indx, operation)({"source": source, **fields})
        return caught.value.envelope()

    return envelope


@pytest.fixture
def masked():
    """JSON without the fields that carry a clock."""

    def mask(value):
        if isinstance(value, dict):
            return {k: 0 if k == "latency_ms" else mask(v) for k, v in value.items()}
        return [mask(v) for v in value] if isinstance(value, list) else value

    return lambda answer: {**mask(answer), "plan": answer.get("plan")}


@pytest.fixture
def over_http():
    """The answer over HTTP to a request: its status and its JSON, from a server in this process."""
    service = Service()
    app = create_app(service)

    def ask(operation, body):
        async def call():
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url="https://server") as client:
                return await client.post(f"/v1/{operation}", json=body)

        answer = asyncio.run(call())
        return answer.status_code, answer.json()

    yield ask
    service.close()


@pytest.fixture
def alike(tmp_path, capfd, masked, over_http):
    """One request asked of Python, of the command and over HTTP; the answers are equal, and returned once."""

    def ask(operation, body):
        file = tmp_path / "request.json"
        file.write_text(json.dumps(body))
        code = run([operation, "--request", str(file)])
        out, err = capfd.readouterr()
        try:
            python, due, status = json.loads(getattr(Indx(), operation)(body).model_dump_json()), 0, 200
        except IndxError as error:
            python, due, status = error.envelope(), error.exit_code, error.status
        assert code == due, err
        assert out.count("\n") == 1
        command = json.loads(out)
        if " --" in command.get("message", ""):  # the command names its own option
            command["message"] = python["message"]
        assert masked(command) == masked(python)
        told, http = over_http(operation, body)
        assert told == status
        assert masked(http) == masked(python)
        return command

    return ask


@pytest.fixture
def program():
    """Python code in a process of its own, under other settings; what it prints, as JSON."""

    def call(code, **environment):
        import os

        done = subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return call
