"""Tests choose among a few languages, so that the engine loads little; one test asks it for all of them."""

from __future__ import annotations

import pytest

from indx_language_lingua.settings import CANDIDATES, SETTINGS


@pytest.fixture(autouse=True)
def few_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.setenv(CANDIDATES.name, "en,de,ja,ru,zh")
