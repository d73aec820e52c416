"""A stand-in for LibreOffice: a program that takes its arguments and behaves as the test says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from indx_reader_libreoffice.settings import SETTINGS

PROGRAM = """#!{python} -IS
import os, sys

folder = os.path.dirname(os.path.abspath(__file__))
options = sys.argv[1:]
source, out = options[-1], options[options.index("--outdir") + 1]
with open(os.path.join(folder, "calls"), "a") as calls:
    calls.write(repr(options) + "\\n")

def text():
    return open(source, "rb").read()[16:]

def write(data):
    with open(os.path.join(out, "document.pdf"), "wb") as file:
        file.write(data)

def pdf(pages):
    objects = ["<</Type/Catalog/Pages 2 0 R>>"]
    kids = " ".join("%d 0 R" % (4 + 2 * n) for n in range(len(pages)))
    objects.append("<</Type/Pages/Kids[" + kids + "]/Count %d>>" % len(pages))
    objects.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>")
    for number, page in enumerate(pages):
        drawn = "BT /F1 12 Tf 72 760 Td 16 TL "
        for line in page.split("\\n"):
            for sign in "\\\\()":
                line = line.replace(sign, "\\\\" + sign)
            drawn += "(" + line + ") Tj T* "
        drawn += "ET"
        objects.append("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]"
                       "/Resources<</Font<</F1 3 0 R>>>>/Contents %d 0 R>>" % (5 + 2 * number))
        objects.append("<</Length %d>>\\nstream\\n%s\\nendstream" % (len(drawn), drawn))
    data, places = "%PDF-1.4\\n", []
    for number, written in enumerate(objects, start=1):
        places.append(len(data))
        data += "%d 0 obj\\n%s\\nendobj\\n" % (number, written)
    start = len(data)
    data += "xref\\n0 %d\\n0000000000 65535 f \\n" % (len(objects) + 1)
    data += "".join("%010d 00000 n \\n" % place for place in places)
    data += "trailer<</Size %d/Root 1 0 R>>\\nstartxref\\n%d\\n%%%%EOF" % (len(objects) + 1, start)
    return data.encode("latin-1", "replace")

def convert():
    said = "".join(chr(sign) for sign in text() if sign in (10, 12) or 32 <= sign < 127)
    write(pdf(said.split("\\x0c")))

"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Makes the stand-in do what it is told in Python, and says where it is."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    folder = tmp_path / "stand-in"
    folder.mkdir()

    def make(behaviour: str = "convert()") -> Path:
        place = folder / "soffice"
        place.write_text(PROGRAM.replace("{python}", sys.executable) + behaviour + "\n")
        place.chmod(0o755)
        monkeypatch.setenv("INDX_LIBREOFFICE_COMMAND", str(place))
        return place

    return make


@pytest.fixture
def calls(program: Callable[[str], Path], tmp_path: Path) -> Callable[[], list[list[str]]]:
    """What the stand-in was called with, each time."""
    import ast

    def told() -> list[list[str]]:
        record = tmp_path / "stand-in" / "calls"
        return [ast.literal_eval(line) for line in record.read_text().splitlines()] if record.exists() else []

    return told


@pytest.fixture
def document() -> Callable[[str], bytes]:
    """A WordPerfect document of a text; a form feed begins a page."""
    head = b"\xffWPC\x10\0\0\0\x01\x0a\0\x01\0\0\0\0"
    return lambda text: head + text.encode("latin-1")
