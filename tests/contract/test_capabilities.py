"""The snapshot of a standard installation: what it lists, what its identity covers, what it keeps back."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx import Indx
from indx_core.contracts import Snapshot
from indx_core.discovery import Registry, scan

SNAPSHOT = "from indx import Indx; print(Indx().capabilities().model_dump_json())"


@pytest.fixture
def snapshot():
    return json.loads(Indx().capabilities().model_dump_json())


def ids(entries):
    return [entry["id"] for entry in entries]


def test_a_snapshot_has_what_is_installed_and_the_policy_it_belongs_to(snapshot):
    assert set(snapshot) == {
        "snapshot_id", "policy_version", "capabilities", "embedding_spaces", "limits", "resolvable",
        "chunkers", "classifiers", "extractors", "enrichers", "language_detectors",
    }  # fmt: skip
    assert {"text-reader", "html-reader", "pdf-reader", "manual-review"} <= set(ids(snapshot["capabilities"]))
    assert {"default-text"} <= set(ids(snapshot["embedding_spaces"]))


def test_an_equal_inventory_has_an_equal_identity_in_every_process(snapshot, program):
    one, two = program(SNAPSHOT, PYTHONHASHSEED="1"), program(SNAPSHOT, PYTHONHASHSEED="2", TZ="Asia/Tokyo")
    assert one == two == snapshot


@given(order=st.randoms(use_true_random=False))
@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_the_order_in_which_parts_are_found_changes_nothing(snapshot, plan, inline, order):
    found = list(scan())
    order.shuffle(found)
    indx = Indx(registry=Registry(found))
    assert json.loads(indx.capabilities().model_dump_json()) == snapshot
    for name in ("paper.pdf", "slides.pptx"):
        asked = {"source": inline(name), "signature_detection": True}
        planned = json.loads(indx.plan(asked).model_dump_json())
        assert planned == plan(inline(name), signature_detection=True)


def test_the_identity_covers_what_routing_decides_by_and_nothing_else(snapshot, monkeypatch):
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "12345")
    monkeypatch.setenv("INDX_URI_SCHEMES", "none")
    raised = json.loads(Indx().capabilities().model_dump_json())
    assert raised["limits"] == {"max_input_bytes": 12345}
    assert raised["resolvable"]["schemes"] == []
    assert raised["snapshot_id"] == snapshot["snapshot_id"]
    fewer = {**snapshot, "chunkers": [], "classifiers": [], "enrichers": []}
    assert Snapshot.model_validate(fewer).content_id() == snapshot["snapshot_id"]
    other = {**snapshot, "capabilities": snapshot["capabilities"][1:]}
    assert Snapshot.model_validate(other).content_id() != snapshot["snapshot_id"]


def test_installing_less_is_another_inventory(snapshot, program):
    fewer = program(SNAPSHOT, INDX_PLUGINS="indx-reader-text,indx-runtime")
    assert fewer["snapshot_id"] != snapshot["snapshot_id"]
    assert ids(fewer["capabilities"]) == ["manual-review", "text-reader"]
    assert fewer["embedding_spaces"] == fewer["chunkers"] == fewer["resolvable"]["schemes"] == []


def test_a_retained_identity_is_answered_and_another_is_not_found(alike, snapshot):
    assert Indx().capabilities(snapshot["snapshot_id"]).snapshot_id == snapshot["snapshot_id"]
    with pytest.raises(Exception, match="retained") as caught:
        Indx().capabilities("sha256:" + "0" * 64)
    assert (caught.value.status, caught.value.code) == (404, "snapshot_not_found")


def test_the_four_shipped_schemes_are_resolvable_and_the_setting_narrows_them(snapshot, program):
    assert set(snapshot["resolvable"]["schemes"]) >= {"data", "file", "http", "https"}
    narrowed = program(SNAPSHOT, INDX_URI_SCHEMES="FILE, gopher")
    assert narrowed["resolvable"]["schemes"] == ["file"]


def test_the_types_that_can_be_read_and_those_that_can_be_looked_at_are_listed(snapshot):
    readable = {name for c in snapshot["capabilities"] for name in c["media_types"]}
    observable = set(snapshot["resolvable"]["observable_media_types"])
    assert {"application/pdf", "text/plain", "text/html", "text/csv"} <= readable & observable


def test_each_chunker_says_its_version_whether_it_runs_unasked_and_what_it_cuts(snapshot):
    chunkers = {(c["id"], c["version"]): c for c in snapshot["chunkers"]}
    for entry in chunkers.values():
        assert set(entry) == {"id", "version", "default", "media_types", "summary", "distribution"}
        assert entry["summary"]
    assert chunkers["page", 1]["media_types"] == []
    assert chunkers["pdf", 1]["distribution"] == "indx-chunker-pdf"
    assert chunkers["pdf", 1]["default"]
    assert len(chunkers) == len(snapshot["chunkers"])


def test_lane_ids_are_one_namespace_and_say_their_unit(snapshot):
    lanes = [lane for kind in ("classifiers", "extractors", "enrichers") for lane in snapshot[kind]]
    assert len(set(ids(lanes))) == len(lanes)
    units = {lane["id"]: lane["unit"] for lane in lanes}
    assert (units["words"], units["words-page"], units["words-chunk"]) == ("document", "page", "chunk")


def test_each_space_declares_how_its_vectors_are_compared_and_who_makes_them(snapshot):
    (space,) = [s for s in snapshot["embedding_spaces"] if s["id"] == "default-text"]
    assert (space["dimension"], space["metric"], space["normalized"]) == (256, "cosine", True)
    (embedder,) = space["embedders"]
    assert set(embedder["roles"]) == {"document", "query"}
    assert embedder["modalities"] == ["text"]


def test_nothing_private_is_on_a_snapshot(program, tmp_path):
    prices = tmp_path / "prices.json"
    prices.write_text('{"native": {"cost_usd_per_page": 0.123456}}')
    wire = json.dumps(
        program(
            SNAPSHOT,
            INDX_ROUTING_ECONOMICS=str(prices),
            INDX_VALIDATION_MIN_CONFIDENCE="0.4321",
            INDX_SOURCE_PASSWORDS='["hunter2"]',
        )
    )
    for private in ("0.123456", "0.4321", "hunter2", "quality", "cost", str(tmp_path)):
        assert private not in wire


def test_a_provider_that_fails_to_load_is_left_out_and_the_others_answer(snapshot, program, tmp_path):
    info = tmp_path / "broken_parts-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-parts\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[indx.capabilities]\nbroken = no_such_module:reader\n")
    assert program(SNAPSHOT, PYTHONPATH=str(tmp_path)) == snapshot
