"""What is advertised of the vision lane before anything is asked of it."""

from __future__ import annotations

import importlib.util

import pytest

from indx_core.contracts import PlanRequest, Snapshot
from indx_core.discovery import Registry, State, scan
from indx_core.ports import Observation, PageEvidence
from indx_reader_vlm.provider import reader
from indx_routing import DEFAULT_ECONOMICS, plan
from indx_runtime import Engine
from indx_runtime.inventory import take_snapshot


@pytest.fixture
def litellm(monkeypatch):
    """An environment in which LiteLLM is found, or not."""
    real = importlib.util.find_spec

    def set_to(found):
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name, *rest: (object() if found else None) if name == "litellm" else real(name, *rest),
        )

    return set_to


def advertised() -> tuple[State, object]:
    candidates = [c for c in scan() if c.distribution == "indx-reader-vlm"]
    (provider,) = Registry(candidates).providers("indx.capabilities")
    return provider.state, provider


def snapshot() -> Snapshot:
    names = ("indx-reader-vlm", "indx-reader-pdf", "indx-runtime")
    return take_snapshot(Registry([c for c in scan() if c.distribution in names]))


def planned(**constraints):
    request = PlanRequest.model_validate(
        {"source": {"type": "inline", "data": ""}, "constraints": constraints or None}
    )
    return plan(
        request,
        snapshot=snapshot(),
        observation=Observation("application/pdf", (PageEvidence(1, 0, 1.0, 1),)),
        source_digest="sha256:" + "0" * 64,
        economics=DEFAULT_ECONOMICS,
    )


def test_without_its_extra_it_is_advertised_as_unavailable_with_the_line_that_fixes_it(unset, litellm):
    litellm(False)
    state, provider = advertised()
    assert state is State.UNAVAILABLE
    assert provider.item is not None
    assert provider.fix == 'pip install "indx-reader-vlm[vlm]"'


def test_without_a_model_it_is_unavailable_elsewhere_and_names_the_variable(unset, litellm):
    litellm(True)
    (info,) = [c for c in snapshot().capabilities if c.id == "vlm"]
    assert (info.kind, info.available, info.device) == ("vision", False, "external")
    assert "INDX_VLM_MODEL" in info.reason


@pytest.mark.parametrize(
    ("variable", "value"), [("INDX_VLM_DPI", "0"), ("INDX_VLM_MAX_PIXELS", "-1"), ("INDX_VLM_RETRIES", "x")]
)
def test_a_variable_that_cannot_be_used_is_named(unset, litellm, variable, value):
    litellm(True)
    unset.setenv("INDX_VLM_MODEL", "ollama/llava")
    unset.setenv(variable, value)
    lack = reader().availability()
    assert variable in lack.reason
    assert variable in lack.fix


def test_the_model_decides_the_device_and_with_it_the_snapshot(unset, litellm):
    litellm(True)
    unset.setenv("INDX_VLM_MODEL", "ollama/llava")
    local = snapshot()
    unset.setenv("INDX_VLM_MODEL", "openai/gpt-4o")
    hosted = snapshot()
    unset.setenv("INDX_VLM_API_BASE", "http://127.0.0.1:8000/v1")
    near = snapshot()
    devices = [next(c.device for c in one.capabilities if c.id == "vlm") for one in (local, hosted, near)]
    assert devices == ["gpu", "external", "gpu"]
    assert local.snapshot_id != hosted.snapshot_id
    assert near.snapshot_id == local.snapshot_id


def test_key_and_address_stand_on_no_descriptor(unset, litellm):
    litellm(True)
    unset.setenv("INDX_VLM_MODEL", "openai/gpt-4o")
    unset.setenv("INDX_VLM_API_KEY", "very-secret")
    unset.setenv("INDX_VLM_API_BASE", "https://private.example.com/v1")
    written = snapshot().model_dump_json()
    assert "very-secret" not in written
    assert "private.example.com" not in written


def test_a_page_of_images_is_sent_to_the_model_and_to_nobody_under_residency(unset, litellm):
    litellm(True)
    unset.setenv("INDX_VLM_MODEL", "openai/gpt-4o")
    assert planned().default.capability_id == "vlm"
    assert planned().estimates.cost_usd == 0.01
    kept = planned(data_residency=True)
    rungs = (kept.default.capability_id, *kept.default.fallbacks)
    assert "vlm" not in rungs
    unset.setenv("INDX_VLM_MODEL", "ollama/llava")
    assert planned(data_residency=True).default.capability_id == "vlm"


def test_pinned_under_residency_nobody_is_left_and_the_plan_says_why(unset, litellm):
    litellm(True)
    unset.setenv("INDX_VLM_MODEL", "openai/gpt-4o")
    refused = planned(data_residency=True, capability_ids=["vlm"], fallbacks_allowed=False)
    assert refused.status == "unsatisfied"
    assert any(line.startswith("data_residency:") for line in refused.unsatisfied)


def test_unavailable_it_is_on_no_route(unset, litellm):
    litellm(False)
    unset.setenv("INDX_VLM_MODEL", "openai/gpt-4o")
    found = planned()
    assert "vlm" not in (found.default.capability_id, *found.default.fallbacks)


def test_a_model_that_is_moved_elsewhere_is_declared_elsewhere_at_once(unset, litellm):
    litellm(True)
    unset.setenv("INDX_VLM_MODEL", "ollama/llava")
    engine = Engine(Registry([c for c in scan() if c.distribution in ("indx-reader-vlm", "indx-runtime")]))

    def device():
        return next(c.device for c in engine.capabilities().capabilities if c.id == "vlm")

    assert device() == "gpu"
    unset.setenv("INDX_VLM_API_BASE", "https://models.example.com")
    assert device() == "external", "data_residency would be kept by the model that was here before"
