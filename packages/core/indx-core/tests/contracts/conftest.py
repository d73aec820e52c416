"""Small valid models that the tests of the contracts start from."""

from __future__ import annotations

from typing import Any

import pytest

from indx_core.contracts import Block, EncodeResult, Plan, Provenance, Route

A = "sha256:" + "a" * 64
B = "sha256:" + "b" * 64


@pytest.fixture
def digest_a() -> str:
    return A


@pytest.fixture
def plan_members() -> dict[str, Any]:
    return {
        "status": "ready",
        "source_digest": A,
        "media_type": "text/plain",
        "snapshot_id": B,
        "policy_version": "1",
        "granularities": ("DOCUMENT", "PAGE"),
        "default": Route(capability_id="text-reader", fallbacks=("manual-review",)),
    }


@pytest.fixture
def plan(plan_members: dict[str, Any]) -> Plan:
    return Plan.create(**plan_members)


@pytest.fixture
def provenance() -> Provenance:
    return Provenance(plan_id=A, source_digest=A, snapshot_id=B)


@pytest.fixture
def encode_result(plan: Plan, provenance: Provenance) -> EncodeResult:
    return EncodeResult.model_validate(
        {
            "plan": plan,
            "blocks": [
                Block(id="doc", scope="DOCUMENT", provenance=provenance),
                Block(id="p1", parent_id="doc", scope="PAGE", page=1, text="One", provenance=provenance),
                {
                    "id": "p1.c0",
                    "parent_id": "p1",
                    "scope": "CHUNK",
                    "page": 1,
                    "text": "One",
                    "bbox": [0.1, 0.1, 0.5, 0.2],
                    "provenance": provenance,
                    "vectors": [
                        {
                            "embedding_space_id": "default-text",
                            "embedder_id": "hash",
                            "modality": "text",
                            "values": [0.25, -1.0],
                        }
                    ],
                },
            ],
            "trace": {
                "status": "ok",
                "events": [
                    {
                        "capability_id": "text-reader",
                        "scope": "DOCUMENT",
                        "pages": [1],
                        "outcome": "read",
                        "latency_ms": 3,
                    }
                ],
                "actuals": {"cost_usd": 0, "latency_ms": 3},
            },
            "usage": {"pages": 1, "chunks": 1, "vectors": 1, "cost_usd": 0, "latency_ms": 3},
        }
    )
