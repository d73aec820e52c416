"""Providers for the engine's tests: small, real, and installable in a worker process."""

import shutil
import sys
from pathlib import Path

import pytest

from indx_core.discovery import Candidate, Registry, scan

ENTRY_POINTS = """
[indx.observers]
fake = fake_parts:observer
[indx.sniffers]
fake = fake_parts:sniffer
[indx.capabilities]
fake-reader = fake_parts:reader
fake-ocr = fake_parts:ocr
fake-parser = fake_parts:parser
[indx.chunkers]
lines = fake_parts:chunker
dying = fake_parts:dying
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """The module of fake providers, installed on the path with its metadata as long as a module needs it."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(Path(__file__).parent / "site" / "fake_parts.py", folder)
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
