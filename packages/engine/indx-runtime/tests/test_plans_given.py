"""Plans that callers bring: executed as they are, or refused when nothing here makes plans like that."""

import numpy as np
import pytest

from indx_core.contracts import Chunking, EncodeRequest, InlineSource, Plan, PlanRequest, Route, UriSource
from indx_core.errors import InvalidEmbeddingSpace, InvalidLane, InvalidRequest, PlanConflict
from indx_core.ports import Embedded, EmbedderDeclaration, LoaderDeclaration, Space
from indx_runtime import Engine

TYPE = "text/x-fake"


def source(text):
    return InlineSource(data=text.encode(), media_type=TYPE)


def planned(engine, text, **more):
    return engine.plan(PlanRequest(source=source(text), **more)).plan


def altered(plan, **members):
    """The plan with other members, under the ID that they have."""
    facts = {name: getattr(plan, name) for name in Plan.model_fields if name != "plan_id"}
    return Plan.create(**facts | members)


def route(*rungs):
    return Route(capability_id=rungs[0], fallbacks=rungs[1:])


def page_route(page, *rungs):
    return {"page": page, "route": route(*rungs)}


def execute(engine, text, plan, **more):
    return engine.encode(EncodeRequest(source=source(text), plan=plan, **more))


def test_the_plan_decides_which_blocks_there_are_whatever_the_request_leaves_out(installed):
    engine = Engine(installed)
    result = execute(engine, "one", planned(engine, "one", granularities=["CHUNK"]))
    assert [b.scope for b in result.blocks] == ["DOCUMENT", "PAGE", "CHUNK"]
    plain = execute(engine, "one", planned(engine, "one"), granularities=["CHUNK"])
    assert [b.scope for b in plain.blocks] == ["DOCUMENT", "PAGE"]
    assert [c.role for c in plain.trace.components] == []


def test_what_needs_chunks_is_refused_under_a_plan_without_chunks(installed):
    engine = Engine(installed)
    plan = planned(engine, "one")
    with pytest.raises(InvalidLane, match="CHUNK"):
        execute(engine, "one", plan, granularities=["CHUNK"], classification={"chunk_ids": ["x"]})
    with pytest.raises(InvalidRequest) as caught:
        execute(engine, "one", plan, granularities=["CHUNK"], chunking=Chunking(chunkers=[{"id": "lines"}]))
    assert caught.value.code == "granularity_required"


@pytest.mark.parametrize(
    ("members", "param", "said"),
    [
        ({"default": route("no-such-reader")}, "plan", "a route"),
        ({"default": route("fake-reader", "no-such-reader")}, "plan", "a route"),
        ({"default": route("fake-reader", "fake-ocr", "fake-reader")}, "plan", "a route"),
        ({"pages": (page_route(1, "no-such-reader"),)}, "plan", "a route"),
        ({"pages": (page_route(1, "fake-ocr"), page_route(1, "fake-reader"))}, "plan.pages", "page 1 twice"),
        ({"router": {"id": "r", "version": 1}}, "plan.router", "under the router r, .*; name it, or"),
        ({"branches": ({"default": route("fake-ocr")},)}, "plan.router", "under a router, .*; name it, or"),
    ],
)
def test_a_plan_no_planning_makes_is_a_conflict(installed, members, param, said):
    engine = Engine(installed)
    plan = altered(planned(engine, "one"), **members)
    with pytest.raises(PlanConflict, match=f"{said}.* plan again$") as caught:
        execute(engine, "one", plan)
    assert caught.value.param == param


def test_a_ladder_of_a_million_rungs_is_a_conflict_not_a_million_attempts(installed):
    engine = Engine(installed)
    rungs = ("fake-reader", *[f"x{n}" for n in range(1_000_000)])
    with pytest.raises(PlanConflict):
        execute(engine, "one", altered(planned(engine, "one"), default=route(*rungs)))


def test_routes_of_pages_the_document_does_not_have_route_nothing(installed):
    engine = Engine(installed)
    plan = altered(planned(engine, "one"), pages=(page_route(99, "fake-ocr"),))
    assert [e.capability_id for e in execute(engine, "one", plan).trace.events] == ["fake-reader"]


def test_blocks_and_spaces_that_do_not_exist_are_refused_in_a_plan_too(installed):
    engine = Engine(installed)
    plan = planned(engine, "one")
    with pytest.raises(InvalidRequest) as caught:
        execute(engine, "one", altered(plan, granularities=("REGION",)))
    assert caught.value.code == "unsupported_granularity"
    with pytest.raises(InvalidEmbeddingSpace) as refused:
        execute(engine, "one", altered(plan, granularities=("CHUNK",), embedding_space_ids=("nope",)))
    assert refused.value.code == "unknown_embedding_space"


def test_a_capability_that_does_not_read_the_type_is_not_asked(registry_of, parts):
    other = parts.Reader("other-reader")
    other.declaration = type(other.declaration)("other-reader", "native", ("text/x-other",))
    engine = Engine(registry_of(("indx.capabilities", parts.reader()), ("indx.capabilities", other)))
    plan = altered(planned(engine, "one"), default=route("other-reader", "fake-reader"))
    events = execute(engine, "one", plan).trace.events
    assert [(e.capability_id, e.outcome) for e in events] == [
        ("other-reader", "failed"), ("fake-reader", "read"),
    ]  # fmt: skip
    assert "does not read" in events[0].reason


class Loader:
    port_version = 1
    declaration = LoaderDeclaration("never", ("never",))

    def load(self, uri, *, limit, deadline):
        pytest.fail("fetched")


class Embedder:
    port_version = 1

    def __init__(self, device):
        self.declaration = EmbedderDeclaration(
            "e", Space("s", 2, "cosine", True), ("document",), ("text",), device
        )

    def embed(self, batch, *, role, deadline):
        return Embedded(np.array([[1.0, 0.0]] * len(batch), np.float32))


def far(parts):
    reader = parts.Reader("far-reader")
    reader.declaration = type(reader.declaration)("far-reader", "vision", (TYPE,), device="external")
    return reader


@pytest.mark.parametrize("what", ["reader", "fallback", "space"])
def test_a_plan_that_leaves_the_machine_is_refused_before_the_fetch_when_nothing_may(
    registry_of, parts, what
):
    registry = registry_of(
        ("indx.loaders", Loader()),
        ("indx.capabilities", parts.reader()),
        ("indx.capabilities", far(parts)),
        ("indx.chunkers", parts.chunker()),
        ("indx.embedders", Embedder("external")),
    )
    engine = Engine(registry)
    near = {"capability_ids": ["fake-reader"]}
    spaces = ["s"] if what == "space" else []
    plan = planned(engine, "one", granularities=["CHUNK"], embedding_space_ids=spaces, constraints=near)
    if what == "reader":
        plan = altered(plan, default=route("far-reader"))
    if what == "fallback":
        plan = altered(plan, default=route("fake-reader", "far-reader"))
    request = EncodeRequest(source=UriSource(uri="never:x"), plan=plan, constraints={"data_residency": True})
    with pytest.raises(PlanConflict, match="outside this machine") as caught:
        engine.encode(request)
    assert caught.value.param == "constraints.data_residency"


def test_an_unsatisfied_plan_is_answered_as_unsatisfied(installed):
    engine = Engine(installed)
    plan = planned(engine, "one", constraints={"capability_ids": ["nope"]})
    result = execute(engine, "one", plan)
    assert (result.blocks[0].status, result.trace.status) == ("failed", "failed")


def test_many_pages_with_routes_of_their_own_cost_no_more_than_pages(installed):
    engine = Engine(installed)
    text = "\n".join(["one", "scan two"] * 2000)
    result = execute(engine, text, planned(engine, text))
    assert len(result.plan.pages) == 2000
    assert all(b.status == "ok" for b in result.blocks)
