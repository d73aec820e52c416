"""Run the command in this process, with a cache of the test's own."""

import json
import os
import sys
from types import SimpleNamespace

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path, tmp_path_factory, monkeypatch):
    """A cache of the test's own, and what is really installed: nothing that tests before it had put there."""
    for name in [name for name in os.environ if name.startswith("INDX_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    made = str(tmp_path_factory.getbasetemp())
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if not entry.startswith(made)])
    monkeypatch.setattr("indx_core.discovery._default", None)


@pytest.fixture
def command(capfd):
    """`command("plan", path)` gives `code`, `out`, `err` and, where the output is JSON, `json`."""
    from indx.cli.main import run

    def call(*arguments):
        code = run([str(a) for a in arguments])
        out, err = capfd.readouterr()
        try:
            value = json.loads(out)
        except ValueError:
            value = None
        return SimpleNamespace(code=code, out=out, err=err, json=value)

    return call


@pytest.fixture
def note(tmp_path):
    file = tmp_path / "note.md"
    file.write_text(
        "# Retention\n\nData is kept for 90 days.\n\n## Backups\n\nBackups are kept for a year.\n", "utf-8"
    )
    return file
