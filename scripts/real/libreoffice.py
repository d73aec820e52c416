#!/usr/bin/env -S .venv/bin/python
"""The reader of old office formats with the real LibreOffice: what it reads, refuses, fetches, leaves behind.

Documents are those of the shared corpus whose types it declares, whole and damaged, and some of a few lines
that are made here. Without LibreOffice nothing is tried, which is said. Exits 1 where something is not as it
should be.
"""

from __future__ import annotations

import io
import json
import struct
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from real.corpus import DATA, plain

from indx_core.deadline import Deadline
from indx_core.errors import IndxError
from indx_core.ports import SourceContent
from indx_reader_libreoffice import MEDIA_TYPES, observer, reader, sniffer

SXW = """<?xml version="1.0" encoding="UTF-8"?>
{doctype}<office:document-content xmlns:office="http://openoffice.org/2000/office"
 xmlns:text="http://openoffice.org/2000/text" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:draw="http://openoffice.org/2000/drawing" xmlns:svg="http://www.w3.org/2000/svg"
 xmlns:script="http://openoffice.org/2000/script" office:class="text" office:version="1.0">
<office:body>{body}</office:body></office:document-content>"""
LEADING_OUT = """<text:p>Inside</text:p>
<text:section text:name="a"><text:section-source xlink:href="{file}" xlink:type="simple"/>
<text:p>kept</text:p></text:section>
<text:section text:name="b"><text:section-source xlink:href="{http}/section" xlink:type="simple"/>
<text:p>kept too</text:p></text:section>
<text:p><draw:image draw:name="c" svg:width="3cm" svg:height="3cm" text:anchor-type="as-char"
 xlink:href="{http}/picture.png" xlink:type="simple" xlink:actuate="onLoad"/></text:p>"""


def sxw(body: str, doctype: str = "") -> bytes:
    """A document of OpenOffice 1."""
    manifest = (
        '<?xml version="1.0"?><manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">'
        '<manifest:file-entry manifest:media-type="application/vnd.sun.xml.writer" manifest:full-path="/"/>'
        '<manifest:file-entry manifest:media-type="text/xml" manifest:full-path="content.xml"/>'
        "</manifest:manifest>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.sun.xml.writer")
        archive.writestr("content.xml", SXW.format(body=body, doctype=doctype))
        archive.writestr("META-INF/manifest.xml", manifest)
    return file.getvalue()


def lotus(*rows: str) -> bytes:
    """A worksheet of 1-2-3, one label a row."""
    records = [struct.pack("<3H", 0, 2, 0x0406), struct.pack("<6H", 6, 8, 0, 0, 0, len(rows) - 1)]
    for number, label in enumerate(rows):
        text = b"'" + label.encode("latin-1") + b"\0"
        records.append(struct.pack("<2HB2H", 15, 5 + len(text), 0xFF, 0, number) + text)
    return b"".join(records) + struct.pack("<2H", 1, 0)


MADE = [
    (
        "WordPerfect 5",
        b"\xffWPC\x10\0\0\0\x01\x0a\0\x01\0\0\0\0First line\nSecond line\n",
        ["First line", "Second"],
    ),
    ("1-2-3", lotus("Harbour dues", "Lighthouse"), ["Harbour dues", "Lighthouse"]),
    ("SYLK", b'ID;PWXL;N;E\r\nC;Y1;X1;K"Harbour"\r\nC;Y2;X1;K"Dues"\r\nE\r\n', ["Harbour", "Dues"]),
    (
        "DIF",
        (
            b'TABLE\r\n0,1\r\n"x"\r\nVECTORS\r\n0,1\r\n""\r\nTUPLES\r\n0,1\r\n""\r\nDATA\r\n0,0\r\n""\r\n'
            b'-1,0\r\nBOT\r\n1,0\r\n"Harbour"\r\n-1,0\r\nEOD\r\n'
        ),
        ["Harbour"],
    ),
    (
        "AbiWord",
        '<?xml version="1.0"?>\n<abiword xmlns="http://www.abisource.com/awml.dtd" version="1">'
        "<section><p>Leuchttürme der Nordsee</p></section></abiword>".encode(),
        ["Leuchttürme der Nordsee"],
    ),
    ("T602", b"@CT 1\r\n@LM 1\r\n@RM 60\r\nHarbour dues\r\n", ["Harbour dues"]),
    (
        "FictionBook",
        '<?xml version="1.0" encoding="UTF-8"?><FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0">'
        "<description><title-info><book-title>B</book-title></title-info></description>"
        "<body><section><p>Маяки Севера</p></section></body></FictionBook>".encode(),
        ["Маяки Севера"],
    ),
    ("OpenOffice 1", sxw("<text:p>Harbour dues</text:p><text:p>灯台</text:p>"), ["Harbour dues", "灯台"]),
]


def read(data: bytes, name: str) -> tuple[str, int, float]:
    """The text, the pages and the seconds that took; what is refused is raised."""
    found = sniffer().sniff(data, filename=name, declared=None)
    source = SourceContent.of_bytes(data, media_type=found.media_type if found else "", filename=name)
    began = time.perf_counter()
    with closing(observer().open(source)) as session:
        pages = range(1, session.page_count + 1)
        text = "\n".join(page.text for page in reader().read(session, pages, deadline=Deadline()))
        return text, len(pages), time.perf_counter() - began


def corpus() -> Iterator[tuple[str, bytes, list[str]]]:
    """Files of the corpus that the reader declares."""
    if not DATA.exists():
        print("no shared corpus: only what is made here was read")
        return
    for line in (DATA / "manifest.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["media_type"] in MEDIA_TYPES and row["outcome"] == "read":
            yield row["path"], (DATA / row["path"]).read_bytes(), row.get("contains", [])


def whole(documents: list[tuple[str, bytes, list[str]]]) -> int:
    """Read each; how many lack something."""
    short = 0
    print("| document | pages | seconds | strings found |\n|---|---|---|---|")
    for name, data, expected in documents:
        try:
            text, pages, seconds = read(data, name)
        except IndxError as error:
            print(f"| {name} **refused** | | | {error.message} |")
            short += 1
            continue
        found = [string for string in expected if plain(string) in plain(text)]
        lost = set(expected) - set(found)
        short += bool(lost)
        print(f"| {name} | {pages} | {seconds:.1f} | {len(found)} of {len(expected)} {sorted(lost) or ''} |")
    return short


def damaged(documents: list[tuple[str, bytes, list[str]]]) -> int:
    """Read each cut short and with bytes changed; how many did neither read nor refuse as they should."""
    wrong = refused = tried = 0
    for name, data, _ in documents:
        flipped = bytearray(data)
        for place in range(1024, len(data), max(997, len(data) // 40)):
            flipped[place] ^= 0x5A
        for variant in (data[: len(data) // 2], data[: len(data) * 9 // 10], bytes(flipped)):
            tried += 1
            try:
                read(variant, name)
            except IndxError:
                refused += 1
            except Exception as error:
                print(f"{name}: {error!r}")
                wrong += 1
    print(f"damaged: {tried} tried, {refused} refused, {tried - refused - wrong} read, {wrong} otherwise")
    return wrong


class Requests(BaseHTTPRequestHandler):
    """Remembers what is asked of it."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"FETCHED")

    do_HEAD = do_OPTIONS = do_PROPFIND = do_GET  # noqa: N815  the names that the library calls

    def log_message(self, *_: object) -> None:
        return


def leading_out(folder: Path) -> int:
    """Read documents that lead to a file and to the network; how many were followed."""
    secret = folder / "secret.txt"
    secret.write_text("SECRETWORD")
    server = HTTPServer(("127.0.0.1", 0), Requests)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    entity = f'<!DOCTYPE x [<!ENTITY leak SYSTEM "{secret.as_uri()}">]>\n'
    followed = 0
    for name, data in (
        ("links", sxw(LEADING_OUT.format(file=secret.as_uri(), http=address))),
        ("entity", sxw("<text:p>Inside &leak;</text:p>", entity)),
    ):
        try:
            text = read(data, f"{name}.sxw")[0]
        except IndxError as error:
            text = error.message
        leaked = "SECRETWORD" in text or "FETCHED" in text or Requests.asked != []
        followed += leaked
        print(f"leading out by {name}: {'FOLLOWED' if leaked else 'not followed'}; read {text[:60]!r}")
    server.shutdown()
    return followed


def left_behind() -> int:
    """How many processes of a conversion are still there."""
    found = 0
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += b"/indx-libreoffice-" in place.read_bytes()
        except OSError:
            continue
    print(f"processes left behind: {found}")
    return found


def main() -> int:
    lack = reader().availability()
    if lack is not None:
        print(f"{lack.reason}: nothing was converted; {lack.fix}")
        return 0
    real = list(corpus())
    wrong = whole([*real, *MADE])
    wrong += damaged([*real, *MADE[:2]])
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        wrong += leading_out(Path(folder))
    wrong += left_behind()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
