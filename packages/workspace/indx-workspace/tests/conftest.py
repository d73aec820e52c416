"""A workspace over each store that needs no server, with providers the tests steer by what documents say."""

import os
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from indx_core.contracts import EncodeRequest, InlineSource
from indx_core.discovery import Candidate, Registry, scan
from indx_core.errors import Unavailable
from indx_core.ports import (
    Answers,
    CapabilityDeclaration,
    ChunkDraft,
    ChunkerDeclaration,
    Embedded,
    EmbedderDeclaration,
    EntitySpan,
    LaneDeclaration,
    PageReading,
    Scored,
    Signature,
    Space,
    StoreDeclaration,
    line_columns,
)
from indx_runtime import Engine
from indx_workspace import Workspace

BASE = (
    "indx-runtime",
    "indx-reader-text",
    "indx-parser-invoice",
    "indx-store-memory",
    "indx-store-sqlite",
    "indx-runner-memory",
)
STORES = (
    "INDX_DOCUMENT_STORE",
    "INDX_VECTOR_INDEX",
    "INDX_SOURCE_STORE",
    "INDX_SCHEMA_STORE",
    "INDX_LABEL_STORE",
    "INDX_DATASET_STORE",
    "INDX_ROUTER_STORE",
    "INDX_EXPERIMENT_STORE",
)
INSTALLED = tuple(candidate for candidate in scan() if candidate.distribution in BASE)
TAGGED = re.compile(r"([A-Z]+):(\S+)")


class Reader:
    """Reads text; a document that says `break` breaks it, unless it is the patient one."""

    port_version = 1

    def __init__(self, id_, kind="native"):
        self.declaration = CapabilityDeclaration(id_, kind, ("text/plain",))
        self.texts = []
        self.then = lambda text: None

    def availability(self):
        return None

    def read(self, session, pages, *, deadline):
        for page in pages:
            text = session.source.read().decode()
            self.texts.append(text)
            self.then(text)
            if "break" in text and self.declaration.id != "patient-reader":
                raise ValueError("a document that breaks readers")
            yield PageReading(page, text, *line_columns(text))


class Parser(Reader):
    """Knows documents that begin with FORM."""

    def recognise(self, observation, session):
        known = session.source.read().startswith(b"FORM")
        return [Signature("form", "DOCUMENT", (), ("it says FORM",), 1.0)] if known else []


class Lines:
    """One chunk a line."""

    port_version = 1

    def __init__(self, id_="lines", default=True):
        self.declaration = ChunkerDeclaration(id_, 1, default, (), "a line", 50)

    def chunk(self, document, session, pages):
        return {
            page: [
                ChunkDraft(line, spans=[(0, len(line))], box_reason="no_geometry", section=("Top",))
                for line in document.pages[page].text.split("\n")
                if line
            ]
            for page in pages
            if document.pages[page].reason is None
        }


class Lane:
    port_version = 1

    def __init__(self, id_, unit, **how):
        self.declaration = LaneDeclaration(id_, unit, "cpu")
        self.how = how

    def availability(self):
        return None


class Kinds(Lane):
    """The facet `kind`: what `KIND:` says, and `other` behind it."""

    def classify(self, texts, context):
        return Answers([self.one(text) for text in texts], 0.01)

    def one(self, text):
        found = [surface for label, surface in TAGGED.findall(text) if label == "KIND"]
        return {"kind": [*(Scored(name, 0.9) for name in found), Scored("other", 0.1)]}


class Tags(Lane):
    """Entities as the text writes them, `LABEL:surface`; a deaf one hears only `NAME`."""

    def extract(self, texts):
        return Answers([list(self.one(text)) for text in texts], 0.0)

    def one(self, text):
        for found in TAGGED.finditer(text):
            if found[1] == "NAME" or not self.how.get("deaf"):
                yield EntitySpan(found[1], found[2], found.start(2), found.end(2), 1.0)


class Sense:
    """Vectors by what a text is about: cats, dogs, or nothing."""

    port_version = 1

    def __init__(self, space="sense", metric="cosine", roles=("document", "query")):
        self.declaration = EmbedderDeclaration(
            f"{space}-embedder", Space(space, 3, metric, False), roles, ("text",), "cpu"
        )

    def embed(self, batch, *, role, deadline):
        return Embedded(np.array([self.one(text) for text in batch], dtype="<f4"), {}, 0.0)

    @staticmethod
    def one(text):
        cats, dogs = (
            sum(text.lower().count(word) for word in words)
            for words in (("cat", "feline", "---"), ("dog", "hound"))
        )
        return (cats, dogs, 0.1)


class ByHand:
    """A job runner whose jobs run when the test says so."""

    port_version = 1
    declaration = StoreDeclaration("by-hand", shared=False)

    def __init__(self):
        self.work, self.waiting, self.cancelled = {}, {}, set()

    def register(self, job, work):
        self.work[job] = work

    def submit(self, job, key, payload):
        self.cancelled.discard(key)
        self.waiting.setdefault(key, (job, dict(payload)))

    def cancel(self, key):
        self.cancelled.add(key)

    def running(self, key):
        return key in self.waiting

    def go(self):
        for key, (job, payload) in list(self.waiting.items()):
            with suppress(Unavailable):  # it cannot go on now
                self.work[job](key, payload, lambda key=key: key in self.cancelled)
            del self.waiting[key]

    def close(self):
        self.waiting.clear()


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self):
        self.now = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)

    def __call__(self):
        return self.now

    def on(self, seconds):
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def providers():
    """Fakes by group and name; a test may add or replace some before it opens a workspace."""
    return {
        ("indx.capabilities", "plain-reader"): Reader("plain-reader"),
        ("indx.capabilities", "patient-reader"): Reader("patient-reader"),
        ("indx.capabilities", "form-parser"): Parser("form-parser", "parser"),
        ("indx.chunkers", "lines"): Lines(),
        ("indx.classifiers", "kinds"): Kinds("kinds", "document"),
        ("indx.classifiers", "kinds-page"): Kinds("kinds-page", "page"),
        ("indx.classifiers", "kinds-chunk"): Kinds("kinds-chunk", "chunk"),
        ("indx.extractors", "tags"): Tags("tags", "page"),
        ("indx.extractors", "tags-chunk"): Tags("tags-chunk", "chunk"),
        ("indx.extractors", "deaf"): Tags("deaf", "page", deaf=True),
        ("indx.embedders", "sense"): Sense(),
        ("indx.embedders", "apart"): Sense("apart", "euclidean"),
        ("indx.embedders", "mute"): Sense("mute", roles=("document",)),
        ("indx.job_runners", "by-hand"): ByHand(),
    }


@pytest.fixture(params=["memory", "sqlite"])
def backend(request):
    return request.param


@pytest.fixture(autouse=True)
def settings(tmp_path, monkeypatch):
    """A cache of the test's own, and no store chosen; what a command sets is gone after it."""
    before = dict(os.environ)
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    for name in (*STORES, "INDX_JOB_RUNNER", "INDX_WORKSPACE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def engine(providers):
    """Make an engine over the fakes as they are now, with a registry of its own."""

    def make():
        fakes = [
            Candidate(group, name, "x:x", "fakes", "1.0", lambda item=item: lambda: item)
            for (group, name), item in providers.items()
        ]
        real = [
            c for c in INSTALLED if c.name != "text-reader" and c.value != "indx_reader_text.provider:reader"
        ]
        return Engine(Registry([*real, *fakes]))

    return make


@pytest.fixture
def choose(tmp_path, monkeypatch):
    """Choose stores by setting: `choose("memory", *names)`; all of them and the runner by default."""

    def chosen(backend, *names):
        monkeypatch.setenv("INDX_STORE_SQLITE_PATH", str(tmp_path / "indx.db"))
        for name in names or STORES:
            monkeypatch.setenv(name, backend)
        if not names:
            monkeypatch.setenv("INDX_JOB_RUNNER", "memory")

    return chosen


@pytest.fixture
def open_workspace(engine, clock):
    """Open a workspace by the settings as they are; closed after the test."""
    opened = []

    def make():
        opened.append(Workspace.open(engine(), clock=clock))
        return opened[-1]

    yield make
    for workspace in opened:
        workspace.close()


@pytest.fixture
def workspace(backend, choose, open_workspace):
    """A workspace with everything, over one backend."""
    choose(backend)
    return open_workspace()


@pytest.fixture
def keep(workspace):
    """Encode a text and keep it: `keep(owner, text, …fields of the request)`."""

    def kept(owner, text, *, name=None, filename=None, **fields):
        source = InlineSource(data=text.encode(), media_type="text/plain", filename=filename)
        fields.setdefault("granularities", ["DOCUMENT", "PAGE", "CHUNK"])
        result = workspace.engine.encode(EncodeRequest(source=source, **fields))
        return workspace.documents.keep(owner, result, source=source, name=name)

    return kept
