"""No gazetteer but the one that a test names."""

from __future__ import annotations

import pytest

from indx_ner_patterns.settings import GAZETTEER


@pytest.fixture(autouse=True)
def no_gazetteer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(GAZETTEER.name, raising=False)
