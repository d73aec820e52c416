"""The provider is cheap to discover, with a model configured too."""

import pytest

from indx_classifier_llm.settings import MODEL
from indx_testkit.lazy import assert_light_factory, assert_light_import


def test_the_provider_imports_nothing_heavy() -> None:
    assert_light_import("indx_classifier_llm.provider")


@pytest.mark.parametrize("factory", ["documents", "pages", "chunks"])
def test_declaring_a_lane_loads_nothing_heavy(monkeypatch: pytest.MonkeyPatch, factory: str) -> None:
    monkeypatch.setenv(MODEL.model.name, "ollama/llama3.2")
    assert_light_factory("indx_classifier_llm.provider", factory)
