"""Providers for the pipeline's tests: small, real, and installed so that worker processes find them too."""

import sys
import textwrap
import zipfile
from io import BytesIO

import pytest

from indx_core.discovery import Registry, scan
from indx_runtime import Engine
from indx_space.config import resolve
from indx_space.pipeline.directory import DirectoryPipeline

FAKES = r'''
"""Providers that tests steer by what stands in the files."""
import os, re
from indx_core.errors import SourceError
from indx_core.ports import *

PLAIN = ("text/markdown", "text/plain")
HOSTILE = "text/x-hostile"
BOX = "text/x-box"
CALLS = []

class Session:
    def __init__(self, source):
        self.source, self.media_type = source, source.media_type
        text = source.read().decode("utf-8", "replace")
        self.texts = text.split("\f")
        self.page_count = len(self.texts)
    def observe(self):
        pages = [
            PageEvidence(n, 0, 1.0, 1) if "PICTURE" in t else PageEvidence(n, len(t))
            for n, t in enumerate(self.texts, 1)
        ]
        return Observation(self.media_type, pages)
    def render(self, page, *, dpi, max_pixels, pixels=True): return None
    def members(self):
        ended = re.search(r"ENDED ONCE (\S+)", self.texts[0])
        if ended and not os.path.exists(ended[1]):
            open(ended[1], "x").close()
            os._exit(3)
        if self.media_type in (BOX, HOSTILE):
            for line in self.texts[0].splitlines():
                if line.startswith("member "):
                    name, _, data = line[7:].partition("|")
                    if data == "locked":
                        yield Member(name, None, b"", "it is locked")
                    elif data.startswith("hex:"):
                        yield Member(name, None, bytes.fromhex(data[4:]))
                    else:
                        yield Member(name, None, data.replace("\\n", "\n").encode())
    def close(self): pass

class Observer:
    port_version = 1
    def __init__(self, id_, types, hostile):
        self.declaration = ObserverDeclaration(id_, types, hostile)
    def open(self, source):
        CALLS.append(("open", source.filename))
        data = source.read()
        if b"UNOPENABLE" in data: raise SourceError("this is not a document")
        if b"LOCKED" in data: raise SourceError("a password is needed", code="source_encrypted")
        if b"DIE" in data and self.declaration.hostile: os._exit(3)
        if b"RAISE" in data: raise ZeroDivisionError("an unforeseen one")
        return Session(source)

class Reader:
    port_version = 1
    def __init__(self, id_, types, hostile):
        self.declaration = CapabilityDeclaration(id_, "native", types, hostile=hostile)
    def availability(self): return None
    def read(self, session, pages, *, deadline):
        for page in pages:
            text = session.texts[page - 1]
            if "SCAN" in text:
                yield PageReading(page, reason="no_text_layer"); continue
            if "BREAK" in text: raise ValueError("a broken page")
            starts, ends = line_columns(text)
            found = re.finditer(r"\[([^\]]*)\]\(([^)]*)\)", text)
            links = [Link(m.start(1), m.end(1), m[2]) for m in found]
            found = re.finditer(r"(?m)^(#+) (.*)$", text)
            headings = [Heading(m.start(2), m.end(2), len(m[1])) for m in found]
            meta = {"title": "Stated Title"} if "STATED" in text else None
            yield PageReading(
                page, text, starts, ends, links=links, headings=headings, metadata=meta)

class Chunker:
    port_version = 1
    def __init__(self, id_="paragraphs", version=1, rank=50):
        self.declaration = ChunkerDeclaration(id_, version, True, (), "paragraphs", rank)
    def chunk(self, document, session, pages):
        return {p: self.cut(document.pages[p].text) for p in pages if document.pages[p].reason is None}
    def cut(self, text):
        drafts, section = [], []
        for m in re.finditer(r"[^\n]+(?:\n[^\n]+)*", text):
            if m[0].startswith("#"):
                section = [m[0].splitlines()[0].lstrip("# ")]
            if "IMAGE" in m[0]:
                drafts.append(ChunkDraft(None, Raster(1, 1, bytes(3), 72), box_reason="no_geometry"))
                continue
            box = (0.1, 0.2, 0.3, 0.4) if "BOXED" in m[0] else None
            layout = None
            if "TABLE" in m[0]:
                layout = ChunkLayout("table", Table(m.start(), m.end(), 3, 2, 1, ()))
            drafts.append(ChunkDraft(m[0], spans=[(m.start(), m.end())], box=box,
                box_reason=None if box else "hidden" if "HIDDEN" in m[0] else "no_geometry",
                section=section, layout=layout))
        return drafts

class Whole(Chunker):
    def cut(self, text):
        return [ChunkDraft(text, spans=[(0, len(text))], box_reason="no_geometry")] if text.strip() else []

class Sniffer:
    port_version = 1
    declaration = SnifferDeclaration("marks", (HOSTILE, BOX))
    def sniff(self, head, *, filename, declared):
        marks = {b"HOSTILE": HOSTILE, b"BOX----": BOX}
        found = marks.get(bytes(head[:7]))
        return Sniffed(found, "strong") if found else None

class Sorter:
    port_version = 1
    def __init__(self, id_, unit): self.declaration = LaneDeclaration(id_, unit)
    def availability(self): return None
    def classify(self, texts, context):
        CALLS.append(("classify", len(texts)))
        found = [re.findall(r"TYPE:(\w+)", t) for t in texts]
        return Answers([{"document_type": [Scored(f[0], 0.8)]} if f else None for f in found])

class Adder:
    port_version = 1
    def __init__(self, id_, unit, parts): self.declaration, self.parts = LaneDeclaration(id_, unit), parts
    def availability(self): return None
    def enrich(self, texts):
        CALLS.append((self.declaration.id, len(texts)))
        items = []
        for text in texts:
            if "LANEFAIL" in text: items.append(LaneError("no words"))
            elif "LANEDOWN" in text: raise RuntimeError("lane down")
            else: items.append(Enrichment(**{k: v(text) for k, v in self.parts.items()}))
        return Answers(items, 0.5)

class Finder:
    port_version = 1
    def __init__(self, id_, unit): self.declaration = LaneDeclaration(id_, unit)
    def availability(self): return None
    def extract(self, texts):
        names = [re.finditer("Alice", t) for t in texts]
        return Answers([[EntitySpan("NAME", m[0], m.start(), m.end(), 1.0) for m in ms] for ms in names])

class Embedder:
    port_version = 1
    def __init__(self, id_, space):
        self.declaration = EmbedderDeclaration(
            id_, Space(space, 4, "cosine", False), ("document", "query"), ("text",), fingerprint=id_ + "-1")
    def availability(self): return None
    def embed(self, batch, *, role, deadline):
        import numpy as np
        CALLS.append(("embed", len(batch)))
        values = np.array([[len(t), sum(map(ord, t)) % 97, t.count("e"), 1] for t in batch], dtype=np.float32)
        errors = {n: "no" for n, t in enumerate(batch) if "UNEMBEDDABLE" in t or t == "***"}
        for n in errors: values[n] = 0
        return Embedded(values, errors, 0.25)

class Writer:
    port_version = 1
    declaration = WriterDeclaration("lines", "chunks.txt")
    def write(self, space, target): target.write_text("\n".join(c.id for c in space.chunks))

class Watcher:
    pass

def plain_observer(): return Observer("plain", PLAIN, False)
def plain_reader(): return Reader("plain-reader", PLAIN, False)
def hostile_observer(): return Observer("hostile", (HOSTILE,), True)
def hostile_reader(): return Reader("hostile-reader", (HOSTILE,), True)
def box_observer(): return Observer("box", (BOX,), False)
def box_reader(): return Reader("box-reader", (BOX,), False)
def sniffer(): return Sniffer()
def chunker(): return Chunker()
def whole(): return Whole("whole", rank=90)
def words(): return Sorter("words", "document")
def words_chunk(): return Sorter("words-chunk", "chunk")
def extractive(): return Adder(
    "extractive", "document", {"summary": lambda t: "In short: " + t.split()[0]})
def keywords(): return Adder("keywords", "document", {
    "topics": lambda t: sorted(set(re.findall(r"topic\w+", t))),
    "tags": lambda t: [Scored(w, 0.5) for w in sorted(set(re.findall(r"tag\w+", t)))]})
def keywords_chunk(): return Adder("keywords-chunk", "chunk", {"topics": lambda t: [t.split()[0]]})
def names(): return Finder("names", "page")
def names_chunk(): return Finder("names-chunk", "chunk")
def words_page(): return Sorter("words-page", "page")
def lone_page(): return Adder("lone-page", "page", {})
def embedder(): return Embedder("plain-embedder", "default-text")
def other(): return Embedder("other-embedder", "other-space")
def writer(): return Writer()
'''

ENTRY_POINTS = """
[indx.observers]
plain = space_fakes:plain_observer
hostile = space_fakes:hostile_observer
box = space_fakes:box_observer
[indx.sniffers]
marks = space_fakes:sniffer
[indx.capabilities]
plain = space_fakes:plain_reader
hostile = space_fakes:hostile_reader
box = space_fakes:box_reader
[indx.chunkers]
paragraphs = space_fakes:chunker
whole = space_fakes:whole
[indx.classifiers]
words = space_fakes:words
words-chunk = space_fakes:words_chunk
words-page = space_fakes:words_page
[indx.extractors]
names = space_fakes:names
names-chunk = space_fakes:names_chunk
[indx.enrichers]
extractive = space_fakes:extractive
keywords = space_fakes:keywords
keywords-chunk = space_fakes:keywords_chunk
lone-page = space_fakes:lone_page
[indx.embedders]
plain = space_fakes:embedder
other = space_fakes:other
[indx.writers]
lines = space_fakes:writer
"""
BOTH = "space-fakes,indx-runtime"


@pytest.fixture(scope="module")
def fakes(tmp_path_factory):
    """The module of fake providers, installed on the path with its metadata as long as a module needs it."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "space_fakes.py").write_text(textwrap.dedent(FAKES))
    info = folder / "space_fakes-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: space-fakes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    sys.path.insert(0, str(folder))
    import space_fakes

    yield space_fakes
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def candidates(fakes):
    """The entry points a build of these tests finds."""
    return [c for c in scan() if c.distribution in BOTH.split(",")]


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """A cache of the test's own, and only the fake providers, of which no later test is to know."""
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("INDX_PLUGINS", BOTH)
    monkeypatch.setattr("indx_core.discovery._default", None)


@pytest.fixture
def calls(fakes):
    """What the providers of this process were asked, in order."""
    fakes.CALLS.clear()
    return fakes.CALLS


@pytest.fixture
def registry(candidates):
    """What is installed."""
    return Registry(candidates)


@pytest.fixture
def tree(tmp_path):
    """Make files below `input`: `tree({"a/b.md": "text"})` returns the folder."""

    def make(files):
        root = tmp_path / "input"
        for path, content in files.items():
            target = root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        root.mkdir(exist_ok=True)
        return root

    return make


@pytest.fixture
def pipeline(registry):
    """Make a pipeline over the fake providers; `layer` is a configuration as code states it."""

    def make(root, out=None, *, layer=None, cache=None, **options):
        config = resolve(code=layer, folder=root if root.is_dir() else None)
        return DirectoryPipeline(root, out, config=config, engine=Engine(registry), cache=cache, **options)

    return make


@pytest.fixture
def build(pipeline):
    """Build a space in memory; the pipeline is `build.last`."""

    def run(root, out=None, **options):
        run.last = pipeline(root, out, **options)
        return run.last.run()

    return run


@pytest.fixture
def zipped():
    """The bytes of a ZIP with entries by name."""

    def make(entries, **options):
        buffer = BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, **options) as archive:
            for name, content in entries.items():
                archive.writestr(name, content)
        return buffer.getvalue()

    return make
