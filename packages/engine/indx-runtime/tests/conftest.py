"""Providers for the engine's tests: small, real, and installable in a worker process."""

import sys
import textwrap

import pytest

from indx_core.discovery import Candidate, Registry, scan

FAKES = '''
"""Providers that tests steer by what stands in the document: one line a page, words that say what to do."""
import os
from indx_core.errors import SourceError
from indx_core.ports import *

TYPE = "text/x-fake"

class Session:
    def __init__(self, source):
        self.source, self.media_type = source, source.media_type
        self.lines = source.read().decode().split("\\n")
        self.page_count = len(self.lines)
        self.closed = 0
    def observe(self):
        pages = [PageEvidence(n, 0, images=1) if "scan" in l else PageEvidence(n, len(l))
                 for n, l in enumerate(self.lines, 1)]
        return Observation(self.media_type, tuple(pages))
    def render(self, page, *, dpi, max_pixels):
        return Raster(1, 1, bytes(3), dpi)
    def members(self):
        for line in self.lines:
            if line.startswith("member"):
                if "die" in line: os._exit(9)
                yield Member(line, None, line.encode())
    def close(self):
        self.closed += 1

class Observer:
    port_version = 1
    declaration = ObserverDeclaration("fake", (TYPE,), hostile=True)
    def open(self, source):
        text = source.read()
        if b"unopenable" in text: raise SourceError("not a fake document")
        if b"die-on-open" in text: os._exit(3)
        return Session(source)

class Sniffer:
    port_version = 1
    declaration = SnifferDeclaration("fake", (TYPE,))
    def sniff(self, head, *, filename, declared):
        return Sniffed(TYPE, "strong") if bytes(head[:4]) == b"FAKE" else None

class Reader:
    port_version = 1
    def __init__(self, id_, kind="native", **how):
        self.declaration = CapabilityDeclaration(id_, kind, (TYPE,))
        self.how = how
    def availability(self): return None
    def read(self, session, pages, *, deadline):
        for page in pages:
            line = session.lines[page - 1]
            if self.declaration.kind == "native":
                if "fail" in line: raise ValueError("cannot read this line")
                if "scan" in line:
                    yield PageReading(page, reason="no_text_layer"); continue
                if "segfault" in line: os.kill(os.getpid(), 11)
                if "hang" in line:
                    while True: pass
                if "swell" in line:
                    hoard = []
                    while True: hoard.append(b'x' * (1 << 24))
                if "huge" in line: bytearray(1 << 40)
            elif "unreadable" in line:
                yield PageReading(page, reason="nothing_recognised"); continue
            starts, ends = line_columns(line)
            yield PageReading(page, line, starts, ends, confidence=self.how.get("confidence"))

class Chunker:
    port_version = 1
    def __init__(self, id_, version=1, default=True, rank=50, only=None, raises=None):
        self.declaration = ChunkerDeclaration(id_, version, default, (), "lines", rank)
        self.only, self.raises = only, raises
    def chunk(self, document, session, pages):
        if self.raises: raise self.raises
        return {p: [ChunkDraft(document.pages[p].text, spans=[(0, len(document.pages[p].text))],
                               box_reason="no_geometry")]
                for p in pages if document.pages[p].reason is None and (self.only is None or p in self.only)}

class DyingChunker(Chunker):
    def chunk(self, document, session, pages):
        if any("kill-chunker" in r.text for r in document.pages.values()): os._exit(4)
        return super().chunk(document, session, pages)

def observer(): return Observer()
def sniffer(): return Sniffer()
def reader(): return Reader("fake-reader")
def ocr(): return Reader("fake-ocr", "ocr", confidence=0.5)
def chunker(): return Chunker("lines")
def dying(): return DyingChunker("dying", rank=10, only=())
'''

ENTRY_POINTS = """
[indx.observers]
fake = fake_parts:observer
[indx.sniffers]
fake = fake_parts:sniffer
[indx.capabilities]
fake-reader = fake_parts:reader
fake-ocr = fake_parts:ocr
[indx.chunkers]
lines = fake_parts:chunker
dying = fake_parts:dying
"""


@pytest.fixture(scope="session")
def parts(tmp_path_factory):
    """The module of fake providers, installed on the path with its metadata."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "fake_parts.py").write_text(textwrap.dedent(FAKES))
    info = folder / "fake_parts-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fake-parts\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    sys.path.insert(0, str(folder))
    import fake_parts

    yield fake_parts
    sys.path.remove(str(folder))


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """A cache of the test's own, and only the fake providers with manual review."""
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("INDX_PLUGINS", "fake-parts,indx-runtime")


@pytest.fixture
def installed(parts):
    """A registry as a worker process would find it."""
    return Registry([c for c in scan() if c.distribution in ("fake-parts", "indx-runtime")])


@pytest.fixture
def registry_of(parts):
    """Make a registry of given providers: `registry_of(("indx.chunkers", provider), …)`."""

    def make(*entries):
        from indx_runtime.provider import manual_review

        base = [
            ("indx.observers", parts.observer()),
            ("indx.sniffers", parts.sniffer()),
            ("indx.capabilities", manual_review()),
        ]
        found = []
        for number, (group, item) in enumerate([*base, *entries]):
            found.append(
                Candidate(group, f"n{number}", "x:x", f"dist-{number}", "1.0", lambda item=item: lambda: item)
            )
        return Registry(found)

    return make
