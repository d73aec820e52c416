"""Tests choose among a few languages, so that the engine loads little; one test asks it for all of them."""

from __future__ import annotations

import importlib.util

import pytest

from indx_language_lingua.settings import CANDIDATES, SETTINGS

# The engine is too large for everybody's environment. `scripts/test install` (tests/install/test_engines.py)
# runs these files with it; where it is absent they are not collected.
collect_ignore = (
    []
    if importlib.util.find_spec("lingua")
    else ["test_conformance.py", "test_detection.py", "test_engine.py"]
)


@pytest.fixture(autouse=True)
def few_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.setenv(CANDIDATES.name, "en,de,ja,ru,zh")
