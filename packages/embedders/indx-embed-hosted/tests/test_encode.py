"""An engine finds the space, fills it at the price reported, and keeps data at home where that is asked."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from indx import Indx
from indx_core.discovery import Registry
from indx_testkit.serving import ModelServer

SOURCE = {
    "type": "inline",
    "data": base64.b64encode(b"# One\n\nFirst text.\n\n# Two\n\nSecond text.").decode(),
    "filename": "a.md",
}
REQUEST: dict[str, Any] = {
    "source": SOURCE,
    "granularities": ["CHUNK"],
    "embedding_space_ids": ["hosted-text"],
    "constraints": {"data_residency": False},
}


def engine() -> Indx:
    """An engine that looks at what is installed and set now."""
    return Indx(registry=Registry())


def test_chunks_get_vectors_and_the_charge_is_in_the_usage(server: ModelServer) -> None:
    result = engine().encode(REQUEST)
    chunks = [block for block in result.blocks if block.scope == "CHUNK"]
    assert chunks
    assert all(len(chunk.vectors[0].values) == 8 for chunk in chunks if chunk.vectors)
    assert result.usage.vectors == len(chunks)
    assert result.usage.cost_usd == pytest.approx(0.25)


def test_a_request_whose_data_stays_at_home_is_refused_a_model_elsewhere(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_home = {**REQUEST, "constraints": {"data_residency": True}}
    assert engine().plan(at_home).plan.status == "ready"
    monkeypatch.setenv("INDX_EMBED_API_BASE", "https://models.example.test/v1")
    plan = engine().plan(at_home).plan
    assert plan.status == "unsatisfied"
    assert any("hosted-text" in line for line in plan.unsatisfied)
    assert engine().plan(REQUEST).plan.status == "ready"
    assert server.requests == []
