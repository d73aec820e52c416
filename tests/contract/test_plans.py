"""Plans of real documents: deterministic, explained, bound to what they were made for, and estimated."""

import json

import pytest


def test_planning_reads_nothing(plan, inline, monkeypatch):
    monkeypatch.setattr("indx_runtime.work.read_pages", lambda *_, **__: pytest.fail("read"))
    assert plan(inline("paper.pdf"), granularities=["CHUNK"])["plan"]["status"] == "ready"


def test_a_plan_is_a_function_of_the_document_the_installation_and_the_request(plan, inline):
    one = plan(inline("paper.pdf"), request_id="a")["plan"]
    two = plan(inline("paper.pdf"), request_id="b")["plan"]
    assert (one["request_id"], two["request_id"]) == ("a", "b")
    assert one["plan_id"] == two["plan_id"]
    for change in (
        {"granularities": ["CHUNK"]},
        {"constraints": {"fallbacks_allowed": False}},
        {"constraints": {"capability_ids": ["pdf-reader"], "fallbacks_allowed": False}},
    ):
        assert plan(inline("paper.pdf"), **change)["plan"]["plan_id"] != one["plan_id"]
    assert plan(inline("note.md"))["plan"]["plan_id"] != one["plan_id"]


def test_labels_are_no_part_of_a_plan(plan, encode, refused, inline):
    source = inline("note.md")
    assert refused(source, operation="plan", metadata={"a": 1})["param"] == "metadata"
    ids = {encode(source, metadata={"tenant": t})["plan"]["plan_id"] for t in ("a", "b")}
    assert ids == {plan(source)["plan"]["plan_id"]}


def test_a_plan_says_what_was_seen_and_what_is_missing_without_private_numbers(plan, inline):
    made = plan(inline("paper.pdf"))["plan"]
    reasons = {reason["code"]: reason for reason in made["reasons"]}
    assert reasons["text_layer"]["pages"] == [1, 3]
    assert reasons["no_text_layer"]["pages"] == [2]
    recognised = any("ocr" in entry["route"]["fallbacks"] for entry in made["pages"])
    assert ("no_recognition" in reasons) is not recognised
    for private in ("text_characters", "image_share", "plausible"):
        assert private not in json.dumps(made)


def test_every_route_ends_in_manual_review_unless_fallbacks_are_off(plan, inline):
    made = plan(inline("paper.pdf"))["plan"]
    for route in (made["default"], *(page["route"] for page in made["pages"])):
        assert route["fallbacks"][-1] == "manual-review"
    pinned = plan(
        inline("paper.pdf"), constraints={"fallbacks_allowed": False, "capability_ids": ["pdf-reader"]}
    )["plan"]
    assert pinned["default"] == {"capability_id": "pdf-reader", "fallbacks": []}
    assert pinned["pages"] == []


def test_estimates_are_those_of_the_kind_and_of_the_operators_file(plan, inline, monkeypatch, tmp_path):
    assert plan(inline("paper.pdf"))["plan"]["estimates"] == {
        "cost_usd": 0.0, "latency_ms": 15, "quality": 0.95,
    }  # fmt: skip
    prices = tmp_path / "prices.json"
    prices.write_text(
        json.dumps({"native": {"cost_usd_per_page": 1}, "pdf-reader": {"cost_usd_per_page": 0.25}})
    )
    monkeypatch.setenv("INDX_ROUTING_ECONOMICS", str(prices))
    assert plan(inline("paper.pdf"))["plan"]["estimates"]["cost_usd"] == 0.75
    limited = plan(inline("paper.pdf"), constraints={"maximum_cost_usd": 0.5})["plan"]
    assert limited["status"] == "unsatisfied"
    assert limited["unsatisfied"][0].startswith("maximum_cost_usd:")


@pytest.mark.parametrize("names", [["html-reader"], ["no-such-reader"], []])
def test_an_allowlist_that_reads_nothing_is_an_answer_that_says_so(alike, inline, names):
    body = {"source": inline("note.md"), "constraints": {"capability_ids": names}}
    made = alike("plan", body)["plan"]
    assert (made["status"], "default" in made, "estimates" in made) == ("unsatisfied", False, False)
    assert made["unsatisfied"][0].startswith("capability_ids:")
    answer = alike("encode", body)
    assert (answer["blocks"][0]["status"], answer["trace"]["status"]) == ("failed", "failed")
    assert answer["trace"]["events"] == []
    assert answer["blocks"][0]["reason"].startswith("capability_ids:")


def test_only_the_plan_is_handed_back(plan, encode, refused, inline):
    result = plan(inline("note.md"))
    assert refused(inline("note.md"), plan=result)["param"].startswith("plan.")
    assert encode(inline("note.md"), plan=result["plan"])["plan"]["plan_id"] == result["plan"]["plan_id"]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("source_digest", "sha256:" + "0" * 64),
        ("snapshot_id", "sha256:" + "0" * 64),
        ("media_type", "text/html"),
        ("plan_id", "sha256:" + "0" * 64),
        ("reasons", []),
    ],
)
def test_a_plan_for_something_else_is_a_conflict(alike, plan, inline, member, value):
    made = {**plan(inline("note.md"))["plan"], member: value}
    envelope = alike("encode", {"source": inline("note.md"), "plan": made})
    assert (envelope["type"], envelope["code"]) == ("plan_conflict", "plan_conflict")
    assert envelope["param"] == f"plan.{'plan_id' if member == 'reasons' else member}"


def test_a_supplied_plan_is_executed_as_it_is_without_looking_again(plan, encode, inline, monkeypatch):
    made = plan(inline("paper.pdf"), granularities=["CHUNK"])["plan"]
    monkeypatch.setattr("indx_runtime.work.check_observation", lambda *_: pytest.fail("observed"))
    answer = encode(inline("paper.pdf"), plan=made)
    attempted = {event["capability_id"] for event in answer["trace"]["events"]}
    ladder = {made["default"]["capability_id"], *made["default"]["fallbacks"]}
    assert attempted <= ladder | {r["route"]["capability_id"] for r in made["pages"]}


def test_a_route_that_is_used_up_is_unavailable_where_no_person_may_be_asked(alike, make, inline):
    pinned = {"capability_ids": ["pdf-reader"], "fallbacks_allowed": False}
    source = inline("scan.pdf", make.pdf(None))
    envelope = alike("encode", {"source": source, "constraints": pinned})
    assert (envelope["type"], envelope["code"]) == ("unavailable", "route_exhausted")


def test_observers_stand_in_a_plans_components_and_never_in_a_trace(plan, encode, inline):
    assert "observer" in [c["role"] for c in plan(inline("note.md"))["components"]]
    assert "observer" not in [c["role"] for c in encode(inline("note.md"))["trace"]["components"]]
