"""A small corpus, a function that embeds it, and a disk that fails where a test says."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from indx_core.text import query_terms
from indx_graph import GraphSettings, SpectRAGIngestion, SpectRAGRetrieval
from indx_space.disk import Disk

# LiteLLM is too large for everybody's environment. `scripts/test install` (tests/install/test_engines.py)
# runs this file with it; where it is absent it is not collected.
collect_ignore = [] if importlib.util.find_spec("litellm") else ["test_hosted.py"]

TEXTS = [
    {
        "id": "township",
        "title": "Van Hook Township",
        "text": "Van Hook Township\nVan Hook Township lies in Mountrail County. It had 51 people.",
    },
    {
        "id": "county",
        "title": "Mountrail County",
        "text": "Mountrail County\nMountrail County has its seat in Stanley. It was made in 1909.",
    },
    {
        "id": "stanley",
        "title": "Stanley",
        "text": "Stanley\nStanley is a small town with a courthouse, built by Buechner & Orth [1].",
    },
    {
        "id": "orth",
        "title": "Buechner & Orth",
        "text": "Buechner & Orth\nThe architects Buechner & Orth of Saint Paul. See doi 10.1000/orth.7.",
    },
    {
        "id": "river",
        "title": "Little Muddy River",
        "text": "Little Muddy River\nA river of the plains; it floods in spring and dries in autumn.",
    },
    {
        "id": "seat",
        "title": "County seats",
        "text": "County seats\nA seat is where a district is governed from, says 10.1000/ORTH.7.",
    },
]
GUIDE = [
    {"doc_id": "guide", "section": ["Guide", "Install"], "text": "Install the tool with pip [1]."},
    {"doc_id": "guide", "section": ["Guide", "Install"], "text": "Then set INDX_PLUGINS to none."},
    {"doc_id": "guide", "section": ["Guide", "Use"], "text": "Use it from Python or the shell [1]."},
    {"doc_id": "other", "section": ["Guide", "Use"], "text": "Another paper says so too [1]."},
]


class Toy:
    """Embeds by the words of a text, 24 numbers; counts what it was asked for."""

    def __init__(self, size: int = 24, salt: str = "") -> None:
        self.size, self.salt = size, salt
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return np.array([self.row(text) for text in texts]).reshape(len(texts), self.size)

    def row(self, text: str) -> Any:
        row = np.zeros(self.size)
        for term in query_terms(text):
            digest = hashlib.sha256((self.salt + term).encode("utf-8", "replace")).digest()
            row[digest[0] % self.size] += 1 + digest[1] / 255
        return row


def toy(texts: Sequence[str]) -> Any:
    """The same as a function."""
    return Toy()(texts)


class Killed(BaseException):
    """The process was killed."""


class FaultyDisk(Disk):
    """Fails at one step, counted from 0 over every file opened, byte string written, rename and removal.

    Args:
        at: The step that fails; None only counts.
        error: What it raises there; `Killed` ends every later step too.
    """

    def __init__(self, at: int | None = None, error: BaseException | None = None) -> None:
        self.at, self.error = at, error or Killed()
        self.steps: list[str] = []
        self.dead = False

    def step(self, name: str) -> None:
        if self.dead:
            raise self.error
        if len(self.steps) == self.at:
            self.dead = isinstance(self.error, Killed)
            self.steps.append(name)
            raise self.error
        self.steps.append(name)

    @contextmanager
    def create(self, path: Path, *, sync: bool = True) -> Iterator[Any]:
        self.step(f"create {path.name}")
        with path.open("wb") as file:
            yield Counted(file, lambda: self.step(f"write {path.name}"))

    def replace(self, source: Path, target: Path) -> None:
        self.step(f"rename {source.name} {target.name}")
        super().replace(source, target)

    def remove_tree(self, path: Path) -> None:
        self.step(f"remove {path.name}")
        super().remove_tree(path)

    def remove_folder(self, path: Path) -> None:
        self.step(f"remove empty {path.name}")
        super().remove_folder(path)


class Counted:
    """A file whose writes are counted; the first half of one that fails is written."""

    def __init__(self, file: Any, step: Any) -> None:
        self._file, self._step = file, step

    def write(self, data: Any) -> int:
        try:
            self._step()
        except BaseException:
            self._file.write(memoryview(data).cast("B")[: memoryview(data).nbytes // 2])
            raise
        return self._file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class Making:
    """Makes indexes."""

    texts, guide = TEXTS, GUIDE
    Toy, Disk, Killed = Toy, FaultyDisk, Killed
    toy = staticmethod(toy)

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "index"

    def ingest(
        self, texts: Any = TEXTS, *, folder: Path | None = None, embed_fn: Any = toy, **settings: Any
    ) -> Any:
        """Index texts; the account."""
        ingestion = SpectRAGIngestion(
            folder or self.folder,
            GraphSettings().replaced(tokenizer="estimate", **settings),
            embed_fn=embed_fn,
            disk=FaultyDisk(),
        )
        return ingestion.ingest_texts(texts)

    def open(self, folder: Path | None = None, **more: Any) -> SpectRAGRetrieval:
        """Open the index."""
        return SpectRAGRetrieval(folder or self.folder, **{"embed_fn": toy, **more})

    def numbered(self, count: int, word: str = "alpha") -> list[dict[str, Any]]:
        """Texts of which each shares a name with the next."""
        return [
            {"id": f"{word}{n}", "text": f"{word} text {n} of Town{n} Road and Town{n + 1} Road."}
            for n in range(count)
        ]


@pytest.fixture
def making(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Making:
    # Waiting for the disk proves nothing here and takes most of the time.
    monkeypatch.setattr("os.fsync", lambda handle: None)
    return Making(tmp_path)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def files() -> Any:
    """Reads a whole tree."""
    return tree
