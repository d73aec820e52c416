"""Engine: what is refused and when, what is read by whom, and how the answer is put together."""

import base64
import json
import logging
from dataclasses import replace

import numpy as np
import pytest

from indx_core.contracts import EmbedRequest, EncodeRequest, InlineSource, PlanRequest, UriSource
from indx_core.discovery import Registry
from indx_core.errors import (
    ConfigurationError,
    InputTooLarge,
    InvalidChunker,
    InvalidEmbeddingSpace,
    InvalidLane,
    InvalidRequest,
    NotFound,
    PlanConflict,
    SourceError,
    StoreDisabled,
    TimedOut,
    Unavailable,
    UnsupportedMediaType,
)
from indx_core.ports import (
    Answers,
    Cell,
    ChunkDraft,
    ChunkerDeclaration,
    ChunkLayout,
    Embedded,
    EmbedderDeclaration,
    Enrichment,
    EntitySpan,
    LaneDeclaration,
    LaneError,
    LanguageDetectorDeclaration,
    Loaded,
    LoaderDeclaration,
    ObserverDeclaration,
    Raster,
    Scored,
    SourceContent,
    Space,
    Table,
    Unavailability,
)
from indx_runtime import Engine

TYPE = "text/x-fake"


def inline(text, media_type=TYPE, **more):
    return InlineSource(data=text.encode(), media_type=media_type, **more)


def request(text, **more):
    more.setdefault("granularities", ["DOCUMENT", "PAGE", "CHUNK"])
    return EncodeRequest(source=inline(text), **more)


class Loader:
    """Counts its loads, so that a test sees whether a refusal came before the fetch."""

    port_version = 1
    declaration = LoaderDeclaration("counted", ("counted",))

    def __init__(self, data=b"one"):
        self.data, self.loads = data, 0

    def availability(self):
        return None

    def load(self, uri, *, limit, deadline):
        self.loads += 1
        return Loaded(SourceContent.of_bytes(self.data, media_type=TYPE))


class Lane:
    """A lane of any kind, answering by a function of one text."""

    port_version = 1

    def __init__(self, id_, unit, answer, *, device="cpu", cost=0.0):
        self.declaration = LaneDeclaration(id_, unit, device)
        self.answer, self.cost, self.seen = answer, cost, []

    def availability(self):
        return None

    def classify(self, texts, context):
        self.seen += texts
        return Answers([self.answer(text) for text in texts], self.cost)

    def extract(self, texts):
        return self.classify(texts, None)

    def enrich(self, texts):
        return self.classify(texts, None)


class Detector:
    port_version = 1
    declaration = LanguageDetectorDeclaration("fake")

    def availability(self):
        return None

    def detect(self, texts):
        return Answers(
            [[Scored("en", 0.9), Scored("ja", 0.1)] if "en" in t else [Scored("ja", 1.0)] for t in texts]
        )


class Embedder:
    port_version = 1

    def __init__(
        self, id_="e", space="s", modalities=("text",), roles=("document", "query"), device="cpu", lack=None
    ):
        self.declaration = EmbedderDeclaration(
            id_, Space(space, 2, "cosine", True), roles, modalities, device
        )
        self.lack = lack

    def availability(self):
        return self.lack

    def embed(self, batch, *, role, deadline):
        values = np.zeros((len(batch), 2), np.float32)
        values[:, 0] = 1
        errors = {n: "nothing to embed" for n, item in enumerate(batch) if item == "blank!"}
        return Embedded(values, errors, cost_usd=0.25)


# Reading


def test_pages_go_down_the_ladder_and_every_attempt_is_in_the_trace(installed):
    result = Engine(installed).encode(request("one\nscan two\nfail three"))
    assert [(e.capability_id, e.outcome, e.scope, e.pages, e.reason) for e in result.trace.events] == [
        ("fake-reader", "read", "DOCUMENT", (1,), None),
        ("fake-reader", "failed", "DOCUMENT", (3,), "ValueError: cannot read this line"),
        ("fake-ocr", "read", "PAGE", (2,), None),
        ("fake-ocr", "read", "DOCUMENT", (3,), None),
    ]
    assert [b.text for b in result.blocks if b.scope == "PAGE"] == ["one", "scan two", "fail three"]


def test_a_page_nothing_read_stays_in_the_tree_with_its_status_and_reason(installed):
    result = Engine(installed).encode(request("one\nscan unreadable\nfail unreadable"))
    pages = [(b.status, b.reason) for b in result.blocks if b.scope == "PAGE"]
    assert pages == [("ok", None), ("unreadable", "no_text_layer"), ("unreadable", "nothing_recognised")]
    assert [e.pages for e in result.trace.events if e.outcome == "manual"] == [(2,), (3,)]
    assert result.trace.status == "ok"


def test_a_document_nothing_read_is_unreadable_as_a_whole(installed):
    result = Engine(installed).encode(request("scan unreadable"))
    assert (result.blocks[0].status, result.blocks[0].reason) == ("unreadable", "no_text_layer")


def test_a_failed_page_says_failed_when_its_last_real_attempt_failed(installed):
    constraints = {"capability_ids": ["fake-reader"]}
    result = Engine(installed).encode(request("one\nfail", constraints=constraints))
    assert [(b.status, b.reason) for b in result.blocks if b.scope == "PAGE"][1] == (
        "failed",
        "ValueError: cannot read this line",
    )


def test_a_route_whose_every_capability_failed_is_exhausted(installed):
    constraints = {"capability_ids": ["fake-reader"], "fallbacks_allowed": False}
    with pytest.raises(Unavailable) as caught:
        Engine(installed).encode(request("fail", constraints=constraints))
    assert caught.value.code == "route_exhausted"
    assert caught.value.status == 503


def test_an_unsatisfiable_plan_is_an_answer_with_a_failed_document_and_trace(installed):
    result = Engine(installed).encode(request("one", constraints={"capability_ids": ["nope"]}))
    assert result.plan.status == "unsatisfied"
    assert [b.status for b in result.blocks] == ["failed", "unreadable"]
    assert all(b.reason.startswith("capability_ids:") for b in result.blocks)
    assert result.trace.status == "failed"
    assert result.trace.events == ()


def test_a_reading_below_the_floor_is_unread_with_its_measured_quality_and_the_floor_stays_private(
    installed, monkeypatch
):
    monkeypatch.setenv("INDX_VALIDATION_MIN_CONFIDENCE", "0.75")
    result = Engine(installed).encode(request("scan one", constraints={"capability_ids": ["fake-ocr"]}))
    (event, _) = result.trace.events
    assert (event.outcome, event.reason, event.quality) == ("unread", "below_minimum_confidence", 0.5)
    assert "0.75" not in result.model_dump_json()


def test_a_reading_without_a_score_passes_any_floor(installed, monkeypatch):
    monkeypatch.setenv("INDX_VALIDATION_MIN_CONFIDENCE", "1.0")
    result = Engine(installed).encode(request("one"))
    assert result.trace.actuals.quality is None
    assert result.blocks[1].status == "ok"


# Binding


def test_a_supplied_plan_is_executed_without_observing(installed, monkeypatch, parts):
    engine = Engine(installed)
    plan = engine.plan(PlanRequest(source=inline("one\nscan"), granularities=["CHUNK"])).plan
    monkeypatch.setattr(parts.Session, "observe", lambda self: pytest.fail("observed"))
    assert engine.encode(request("one\nscan", granularities=["CHUNK"], plan=plan)).plan == plan


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("source_digest", "sha256:" + "0" * 64),
        ("media_type", "text/x-other"),
        ("snapshot_id", "sha256:" + "0" * 64),
    ],
)
def test_a_plan_for_other_bytes_type_or_installation_is_a_conflict(installed, member, value):
    engine = Engine(installed)
    plan = engine.plan(PlanRequest(source=inline("one"))).plan.model_copy(update={member: value})
    with pytest.raises(PlanConflict) as caught:
        engine.encode(request("one", plan=plan))
    assert caught.value.param == f"plan.{member}"


def test_a_tampered_plan_is_a_conflict(installed):
    engine = Engine(installed)
    plan = engine.plan(PlanRequest(source=inline("one"))).plan
    route = plan.default.model_copy(update={"capability_id": "fake-ocr"})
    with pytest.raises(PlanConflict):
        engine.encode(request("one", plan=plan.model_copy(update={"default": route})))


def test_a_request_for_another_snapshot_is_a_conflict(installed):
    with pytest.raises(PlanConflict) as caught:
        Engine(installed).plan(PlanRequest(source=inline("one"), snapshot_id="sha256:" + "0" * 64))
    assert caught.value.param == "snapshot_id"


def test_snapshots_are_retained_for_every_process_and_others_are_not_found(installed):
    current = Engine(installed).capabilities()
    smaller = Registry([c for c in installed.candidates if c.name != "fake-ocr"])
    other = Engine(smaller).capabilities()
    assert other.snapshot_id != current.snapshot_id
    assert Engine(smaller).capabilities(current.snapshot_id) == current
    with pytest.raises(NotFound) as caught:
        Engine(installed).capabilities("sha256:" + "0" * 64)
    assert caught.value.code == "snapshot_not_found"


def test_only_the_last_snapshots_are_retained(installed, tmp_path):
    first = Engine(installed).capabilities()
    shelf = Engine(installed)._shelf
    for number in range(12):
        shelf.keep(first.create(**{**_members(first), "policy_version": f"x{number}"}))
    assert len(list((tmp_path / "cache" / "snapshots").glob("*.json"))) == 9


def _members(snapshot):
    return {name: getattr(snapshot, name) for name in type(snapshot).model_fields if name != "snapshot_id"}


def test_the_limit_and_what_is_resolvable_stay_outside_the_snapshot_id(registry_of, parts, monkeypatch):
    reader = ("indx.capabilities", parts.reader())
    one = Engine(registry_of(reader)).capabilities()
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "5")
    other = parts.observer()
    other.declaration = ObserverDeclaration("other", ("text/x-other",))
    more = [
        ("indx.loaders", Loader()),
        ("indx.observers", other),
        ("indx.chunkers", parts.chunker()),
        ("indx.classifiers", Lane("l", "document", lambda t: None)),
    ]
    two = Engine(registry_of(reader, *more)).capabilities()
    assert (one.snapshot_id, two.limits.max_input_bytes) == (two.snapshot_id, 5)
    assert two.resolvable.schemes == ("counted",)
    assert two.resolvable.observable_media_types == (TYPE, "text/x-other")
    assert [lane.id for lane in two.classifiers] == ["l"]


def test_the_snapshot_says_of_a_reader_that_it_has_documents_converted_and_of_no_other(registry_of, parts):
    plain, converter = parts.reader(), parts.reader()
    converter.declaration = replace(converter.declaration, id="converter", converts=True)
    entries = [("indx.capabilities", one) for one in (plain, converter)]
    told = Engine(registry_of(*entries)).capabilities().model_dump(mode="json")["capabilities"]
    assert [one["id"] for one in told if one.get("converts")] == ["converter"]
    assert all("converts" not in one for one in told if one["id"] != "converter")


# Refusals, before any fetch

RESIDENT = {"constraints": {"data_residency": True}}
NO_CHUNKS = {"granularities": ["PAGE"]}
NO_PAGES = {"granularities": ["DOCUMENT"]}


def chunked(name, **more):
    return {"chunking": {"chunkers": [{"id": name, **more}]}}


@pytest.mark.parametrize(
    ("code", "error", "more"),
    [
        ("unknown_classifier", InvalidLane, {"classification": {"document_ids": ["nope"]}}),
        ("unknown_extractor", InvalidLane, {"extraction": {"page_ids": ["nope"]}}),
        ("unknown_enricher", InvalidLane, {"enrichment": {"document_ids": ["nope"]}}),
        ("unknown_classifier", InvalidLane, {"classification": {"page_ids": ["local"]}}),
        ("data_residency", InvalidLane, {"enrichment": {"document_ids": ["far"]}, **RESIDENT}),
        ("granularity_required", InvalidLane, {"classification": {"chunk_ids": ["local"]}, **NO_CHUNKS}),
        ("granularity_required", InvalidLane, {"classification": {"page_ids": ["local"]}, **NO_PAGES}),
        ("granularity_required", InvalidLane, {"enrichment": {"page_ids": ["far"]}, **NO_PAGES}),
        ("unknown_chunker", InvalidChunker, chunked("nope")),
        ("unknown_chunker_version", InvalidChunker, chunked("lines", version=9)),
        ("granularity_required", InvalidChunker, {**chunked("lines"), **NO_CHUNKS}),
        ("unknown_embedding_space", InvalidEmbeddingSpace, {"embedding_space_ids": ["nope"]}),
        ("granularity_required", InvalidEmbeddingSpace, {"embedding_space_ids": ["s"], **NO_CHUNKS}),
        ("unsupported_granularity", InvalidRequest, {"granularities": ["REGION"]}),
        ("store_disabled", StoreDisabled, {"router": {"id": "r"}}),
    ],
)
def test_a_request_that_cannot_be_served_is_refused_before_the_fetch(registry_of, parts, code, error, more):
    loader = Loader()
    registry = registry_of(
        ("indx.loaders", loader),
        ("indx.capabilities", parts.reader()),
        ("indx.chunkers", parts.chunker()),
        ("indx.classifiers", Lane("local", "document", lambda t: None)),
        ("indx.enrichers", Lane("far", "document", lambda t: None, device="external")),
        ("indx.embedders", Embedder()),
    )
    asked = {"granularities": ["CHUNK"], **more}
    with pytest.raises(error) as caught:
        Engine(registry).encode(EncodeRequest(source=UriSource(uri="counted:x"), **asked))
    assert caught.value.code == code
    assert loader.loads == 0


def test_a_type_nothing_reads_is_unsupported_and_one_nothing_opens_is_unreadable(registry_of, parts):
    with pytest.raises(UnsupportedMediaType) as caught:
        Engine(registry_of()).plan(PlanRequest(source=inline("x", "text/x-unknown")))
    assert caught.value.code == "unsupported_media_type"
    reader = parts.reader()
    reader.declaration = reader.declaration.__class__("r", "native", ("text/x-unopened",))
    with pytest.raises(SourceError) as refused:
        Engine(registry_of(("indx.capabilities", reader))).plan(
            PlanRequest(source=inline("x", "text/x-unopened"))
        )
    assert refused.value.code == "source_unreadable"


def test_the_readers_of_usual_formats_are_named_where_not_even_plain_text_is_read(registry_of, parts):
    reader = parts.reader()
    reader.declaration = reader.declaration.__class__("r", "native", ("text/plain",))
    for entries, named in ((), True), ([("indx.capabilities", reader)], False):
        with pytest.raises(UnsupportedMediaType, match="nothing installed reads application/x-odd") as caught:
            Engine(registry_of(*entries)).plan(PlanRequest(source=inline("x", "application/x-odd")))
        assert ('pip install "indx[standard]"' in caught.value.message) is named


def test_a_type_that_is_only_opened_here_is_unsupported_and_not_left_to_a_person(registry_of):
    with pytest.raises(UnsupportedMediaType, match="can be opened") as caught:
        Engine(registry_of()).encode(request("one"))  # the observer of the type is there, no reader is
    assert (caught.value.status, caught.value.code) == (415, "unsupported_media_type")


def test_a_type_whose_only_reader_cannot_run_now_goes_to_a_person(registry_of, parts):
    reader = parts.ocr()
    reader.availability = lambda: Unavailability("no engine", "install it")
    result = Engine(registry_of(("indx.capabilities", reader))).encode(request("one"))
    assert result.plan.default.capability_id == "manual-review"
    for block in result.blocks:
        assert block.status == "unreadable"
        assert block.reason == "the plan names no reader that can run, and leaves it to a person"


def test_too_many_pages_are_too_large(installed, monkeypatch):
    monkeypatch.setenv("INDX_MAX_PAGES", "2")
    with pytest.raises(InputTooLarge, match="3 pages, and 2 are taken; INDX_MAX_PAGES raises that"):
        Engine(installed).encode(request("a\nb\nc"))


# Chunks


def chunked_by(result):
    return [(c.id, c.version, c.pages) for c in result.trace.components if c.role == "chunker"]


def chunkers(registry_of, parts, *made, **more):
    registry = registry_of(("indx.capabilities", parts.reader()), *[("indx.chunkers", c) for c in made])
    return Engine(registry).encode(request("one\ntwo", **more))


class TableChunker:
    """Makes one table of all pages, a cell a page."""

    port_version = 1
    declaration = ChunkerDeclaration("tables", 1, True, (), "tables")

    def chunk(self, document, session, pages):
        table = Table(0, 1, 1, 1, 0, [Cell(1, 1, 1, 1, "x", 0, 1)])
        layout = ChunkLayout("table", table)
        return {n: [ChunkDraft("x", spans=[(0, 1)], box_reason="no_geometry", layout=layout)] for n in pages}


def test_more_cells_than_an_answer_holds_are_too_large_where_chunks_are_asked_for(
    registry_of, parts, monkeypatch
):
    assert chunkers(registry_of, parts, TableChunker()).blocks[-1].layout.cells[0].text == "x"
    monkeypatch.setattr("indx_runtime.assembling.MAX_CELLS", 1)
    with pytest.raises(InputTooLarge, match="2 cells"):
        chunkers(registry_of, parts, TableChunker())
    assert len(chunkers(registry_of, parts, TableChunker(), granularities=["PAGE"]).blocks) == 3


def test_the_first_chunker_to_answer_a_page_wins_in_the_installed_order(registry_of, parts):
    result = chunkers(
        registry_of, parts, parts.Chunker("late", rank=90), parts.Chunker("early", rank=10, only=(2,))
    )
    assert chunked_by(result) == [("early", 1, (2,)), ("late", 1, (1,))]


def test_named_chunkers_lead_and_the_installed_order_serves_the_rest(registry_of, parts):
    made = (parts.Chunker("a", rank=10), parts.Chunker("b", rank=90, only=(1,)))
    result = chunkers(registry_of, parts, *made, chunking={"chunkers": [{"id": "b"}]})
    assert chunked_by(result) == [("b", 1, (1,)), ("a", 1, (2,))]


def test_a_version_that_is_not_the_default_runs_only_when_named(registry_of, parts):
    made = (parts.Chunker("a", 1), parts.Chunker("a", 2, default=False))
    assert chunked_by(chunkers(registry_of, parts, *made)) == [("a", 1, (1, 2))]
    named = chunkers(registry_of, parts, *made, chunking={"chunkers": [{"id": "a", "version": 2}]})
    assert chunked_by(named) == [("a", 2, (1, 2))]


def test_without_a_default_an_id_means_the_newest(registry_of, parts):
    made = (parts.Chunker("a", 1, default=False), parts.Chunker("a", 2, default=False))
    assert chunked_by(chunkers(registry_of, parts, *made)) == []
    named = chunkers(registry_of, parts, *made, chunking={"chunkers": [{"id": "a"}]})
    assert chunked_by(named) == [("a", 2, (1, 2))]


def test_a_chunker_that_raises_is_left_out_with_a_warning(registry_of, parts, caplog):
    made = (
        parts.Chunker("bad", rank=1, raises=ConfigurationError("INDX_CHUNK_DPI: 'abc' is not")),
        parts.Chunker("ok"),
    )
    with caplog.at_level(logging.WARNING, "indx.chunking"):
        result = chunkers(registry_of, parts, *made)
    assert chunked_by(result) == [("ok", 1, (1, 2))]
    assert "INDX_CHUNK_DPI" in caplog.text


def test_the_deployments_chunkers_follow_the_requests_and_are_read_at_each_call(
    registry_of, parts, monkeypatch
):
    made = [("indx.chunkers", parts.Chunker(n, rank=r)) for n, r in (("a", 1), ("b", 2), ("c", 3))]
    engine = Engine(registry_of(("indx.capabilities", parts.reader()), *made))
    monkeypatch.setenv("INDX_CHUNKERS", "c")
    assert chunked_by(engine.encode(request("one"))) == [("c", 1, (1,))]
    named = request("one", chunking={"chunkers": [{"id": "b"}]})
    assert chunked_by(engine.encode(named)) == [("b", 1, (1,))]
    monkeypatch.setenv("INDX_CHUNKERS", "nope")
    assert chunked_by(engine.encode(request("one"))) == [("a", 1, (1,))]


@pytest.mark.parametrize("value", ["nope", "lines@9", "lines@x", "@2"])
def test_an_engine_does_not_start_with_chunkers_nothing_serves(installed, monkeypatch, value):
    monkeypatch.setenv("INDX_CHUNKERS", value)
    with pytest.raises(ConfigurationError, match="INDX_CHUNKERS") as caught:
        Engine(installed)
    assert caught.value.code == "invalid_chunkers"


def test_without_a_chunker_there_are_no_chunk_blocks_and_no_vectors(registry_of, parts):
    registry = registry_of(("indx.capabilities", parts.reader()), ("indx.embedders", Embedder()))
    result = Engine(registry).encode(request("one", embedding_space_ids=["s"]))
    assert [b.scope for b in result.blocks] == ["DOCUMENT", "PAGE"]
    assert result.usage.vectors == 0


def test_the_economics_file_is_read_and_a_missing_one_refused(installed, monkeypatch, tmp_path):
    file = tmp_path / "prices.json"
    monkeypatch.setenv("INDX_ROUTING_ECONOMICS", str(file))
    with pytest.raises(ConfigurationError, match="INDX_ROUTING_ECONOMICS"):
        Engine(installed)
    file.write_text(json.dumps({"native": {"latency_ms_per_page": 7}}))
    plan = Engine(installed).plan(PlanRequest(source=inline("one\ntwo"))).plan
    assert plan.estimates.latency_ms == 14


# Lanes


def lanes(registry_of, parts, *entries, text="en one\ntwo", **more):
    registry = registry_of(
        ("indx.capabilities", parts.reader()), ("indx.chunkers", parts.chunker()), *entries
    )
    return Engine(registry).encode(request(text, **more))


def kind(label, confidence=0.5, facet="document_type"):
    return lambda text: {facet: [Scored(label, confidence)]}


def test_the_first_lane_with_an_opinion_wins_a_facet_and_every_answer_is_kept_and_billed(registry_of, parts):
    mute, first, second = (
        Lane("mute", "document", lambda t: None, cost=1.0),
        Lane("first", "document", kind("invoice"), cost=2.0),
        Lane("second", "document", kind("letter", 0.9), cost=4.0),
    )
    entries = [("indx.classifiers", lane) for lane in (mute, first, second)]
    ids = ["mute", "first", "second"]
    result = lanes(registry_of, parts, *entries, classification={"document_ids": ids})
    metadata = result.blocks[0].metadata
    assert metadata["classification"] == {"document_type": [{"label": "invoice", "confidence": 0.5}]}
    assert sorted(metadata["lanes"]) == ["first", "second"]
    assert result.usage.cost_usd == 7.0
    assert first.seen == ["en one\n\ntwo"]
    (component,) = [c for c in result.trace.components if c.role == "classifier"]
    assert (component.id, component.facets) == ("first", ("document_type",))


def test_page_and_chunk_lanes_write_where_they_belong(registry_of, parts):
    entries = [
        ("indx.classifiers", Lane("p", "page", kind("x"))),
        ("indx.classifiers", Lane("c", "chunk", kind("y"))),
        ("indx.enrichers", Lane("e", "chunk", lambda t: Enrichment(summary=t, topics=["kept at home"]))),
    ]
    result = lanes(
        registry_of, parts, *entries,
        classification={"page_ids": ["p"], "chunk_ids": ["c"]}, enrichment={"chunk_ids": ["e"]},
    )  # fmt: skip
    blocks = {b.id: b for b in result.blocks}
    assert blocks["p1"].metadata["classification"]["document_type"][0]["label"] == "x"
    assert blocks["p1"].metadata["lanes"]["p"]
    assert set(blocks["doc"].metadata["chunk_classification"]) == {"p1.c0", "p2.c0"}
    assert blocks["doc"].metadata["chunk_enrichment"]["p2.c0"] == {"summary": "two"}
    assert all(b.metadata is None for b in result.blocks if b.scope == "CHUNK")


def test_entities_slice_their_blocks_text_and_are_counted_by_folded_form(registry_of, parts):
    def find(text):
        return [EntitySpan("word", text[0:2], 0, 2, 0.5)] if len(text) > 1 else []

    other = Lane("other", "page", lambda t: [EntitySpan("all", t, 0, len(t), 1.0)])
    entries = [("indx.extractors", Lane("found", "page", find)), ("indx.extractors", other)]
    result = lanes(
        registry_of, parts, *entries, text="ＡＢ one\nAB two", extraction={"page_ids": ["found", "other"]}
    )
    blocks = {b.id: b for b in result.blocks}
    entities = blocks["doc"].metadata["entities"]
    for block_id, spans in entities["spans"].items():
        for span in spans:
            assert blocks[block_id].text[slice(*span["range"])] == span["surface"]
    (word,) = [c for c in entities["counts"] if c["label"] == "word"]
    assert word == {"label": "word", "form": "AB", "count": 2, "surfaces": ["AB", "ＡＢ"]}
    counts = blocks["doc"].metadata["lanes"]["found"]["entities"]["counts"]
    assert [c["label"] for c in counts] == ["word"]


def test_entities_of_pages_stand_on_the_document_without_page_blocks_too(registry_of, parts):
    whole = Lane("whole", "page", lambda t: [EntitySpan("all", t, 0, len(t), 1.0)])
    result = Engine(registry_of(("indx.capabilities", parts.reader()), ("indx.extractors", whole))).encode(
        request("one", granularities=["DOCUMENT"], extraction={"page_ids": ["whole"]})
    )
    (document,) = result.blocks
    assert document.metadata["entities"]["spans"]["p1"][0]["surface"] == "one"


def test_a_lane_that_fails_or_errs_on_one_text_takes_nothing_else_with_it(registry_of, parts, caplog):
    def broken(text):
        raise RuntimeError("boom")

    one_bad = Lane("one-bad", "page", lambda t: LaneError("too long") if "two" in t else kind("x")(t))
    entries = [("indx.classifiers", Lane("broken", "page", broken)), ("indx.classifiers", one_bad)]
    with caplog.at_level(logging.WARNING, "indx.lanes"):
        result = lanes(registry_of, parts, *entries, classification={"page_ids": ["broken", "one-bad"]})
    blocks = {b.id: b for b in result.blocks}
    assert blocks["p1"].metadata["classification"]
    assert blocks["p2"].metadata is None
    assert "boom" in caplog.text
    assert "too long" in caplog.text


def test_nothing_is_annotated_unless_asked_and_a_document_nothing_read_carries_no_class(registry_of, parts):
    lane = Lane("l", "document", kind("x"))
    result = lanes(registry_of, parts, ("indx.classifiers", lane))
    assert result.blocks[0].metadata is None
    blank = lanes(
        registry_of, parts, ("indx.classifiers", lane), text="scan", classification={"document_ids": ["l"]}
    )
    assert blank.blocks[0].metadata is None
    assert lane.seen == []


def test_languages_are_detected_by_page_and_averaged_by_length(registry_of, parts):
    result = lanes(registry_of, parts, ("indx.language_detectors", Detector()), text="en 4567890\nnihongo de")
    blocks = {b.id: b for b in result.blocks}
    assert blocks["p1"].metadata["languages"][0] == {"language": "en", "confidence": 0.9}
    assert blocks["doc"].metadata["languages"] == [
        {"language": "ja", "confidence": 0.55},
        {"language": "en", "confidence": 0.45},
    ]
    (component,) = [c for c in result.trace.components if c.role == "language_detector"]
    assert component.pages == (1, 2)


def test_the_callers_labels_come_back_unchanged(installed):
    labels = {"tenant": "a", "nested": {"x": [1, None, "é"]}}
    assert Engine(installed).encode(request("one", metadata=labels)).blocks[0].metadata == labels


# Vectors


def test_each_chunk_has_one_vector_for_each_space_and_no_other_block_has_any(registry_of, parts):
    entries = [("indx.embedders", Embedder()), ("indx.embedders", Embedder("e2", "s2"))]
    result = lanes(registry_of, parts, *entries, embedding_space_ids=["s2", "s"])
    for block in result.blocks:
        spaces = [v.embedding_space_id for v in block.vectors or ()]
        assert spaces == (["s2", "s"] if block.scope == "CHUNK" else [])
    assert {s.id for s in result.embedding_spaces} == {"s", "s2"}
    assert (result.usage.vectors, result.usage.cost_usd) == (4, 0.5)


def test_one_bad_text_has_no_vector_and_the_others_do(registry_of, parts):
    result = lanes(
        registry_of, parts, ("indx.embedders", Embedder()), text="a\nblank!", embedding_space_ids=["s"]
    )
    assert [bool(b.vectors) for b in result.blocks if b.scope == "CHUNK"] == [True, False]


def test_an_advertised_embedder_that_cannot_run_is_unavailable(registry_of, parts):
    embedder = Embedder(lack=Unavailability("no weights", "install them"))
    with pytest.raises(Unavailable, match="no weights") as caught:
        lanes(registry_of, parts, ("indx.embedders", embedder), embedding_space_ids=["s"])
    assert caught.value.code == "embedder_unavailable"


def test_image_chunks_go_to_image_embedders_of_the_same_space(registry_of, parts):
    class Pictures(parts.Chunker):
        def chunk(self, document, session, pages):
            from indx_core.ports import ChunkDraft

            image = session.render(1, dpi=10, max_pixels=10)
            return {p: [ChunkDraft(None, image, box_reason="no_geometry")] for p in pages}

    registry = registry_of(
        ("indx.capabilities", parts.reader()),
        ("indx.chunkers", Pictures("pictures")),
        ("indx.embedders", Embedder("words", "s")),
        ("indx.embedders", Embedder("pixels", "s", ("image",))),
    )
    result = Engine(registry).encode(request("one", embedding_space_ids=["s"]))
    (chunk,) = [b for b in result.blocks if b.scope == "CHUNK"]
    assert [(v.embedder_id, v.modality) for v in chunk.vectors] == [("pixels", "image")]
    assert chunk.image.width == 1


def test_a_query_is_embedded_by_the_query_embedder_of_its_modality(registry_of, parts):
    registry = registry_of(
        ("indx.embedders", Embedder()), ("indx.embedders", Embedder("d", "docs", roles=("document",)))
    )
    engine = Engine(registry)
    answer = engine.embed(EmbedRequest(embedding_space_id="s", input={"type": "text", "text": "q"}))
    assert answer.vectors[0].values == [1.0, 0.0]
    assert answer.embedder.id == "e"
    cases = [
        ("nope", "unknown_embedding_space", "text", "installed: docs, s"),
        ("docs", "no_query_embedder", "text", "for text input; ask in another space, or install an embedder"),
        ("s", "no_query_embedder", "image", "for image input; send text input, ask in another space, or"),
    ]
    for space, code, modality, said in cases:
        data = base64.b64encode(b"x").decode()
        item = {"type": "text", "text": "q"} if modality == "text" else {"type": "inline", "data": data}
        with pytest.raises(InvalidEmbeddingSpace) as caught:
            engine.embed(EmbedRequest(embedding_space_id=space, input=item))
        assert caught.value.code == code
        assert f"{space!r}" in caught.value.message
        assert said in caught.value.message


def test_a_query_whose_type_draws_nothing_is_told_what_does(registry_of, parts, monkeypatch):
    monkeypatch.setattr(parts.Session, "render", lambda *_, **__: None)
    item = {"type": "inline", "data": base64.b64encode(b"FAKE").decode(), "media_type": TYPE}
    engine = Engine(registry_of(("indx.embedders", Embedder("i", "s", ("image",)))))
    with pytest.raises(SourceError, match="text/x-fake shows no image to embed; send one as PNG or JPEG"):
        engine.embed(EmbedRequest(embedding_space_id="s", input=item))


def test_a_query_image_is_rendered_by_the_observer_of_its_type(registry_of, parts):
    seen = []

    class Looking(Embedder):
        def embed(self, batch, *, role, deadline):
            seen.extend(batch)
            return super().embed(batch, role=role, deadline=deadline)

    registry = registry_of(("indx.embedders", Looking("i", "s", ("image",))))
    item = {"type": "inline", "data": base64.b64encode(b"FAKE").decode(), "media_type": TYPE}
    Engine(registry).embed(EmbedRequest(embedding_space_id="s", input=item))
    assert isinstance(seen[0], Raster)


# Deadlines


def test_the_deadline_stops_work_between_attempts(installed, monkeypatch):
    monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "5")
    now = iter([0.0] * 4 + [100.0] * 50)
    with pytest.raises(TimedOut) as caught:
        Engine(installed, clock=lambda: next(now)).encode(request("one"))
    assert caught.value.status == 504


# Provenance


def test_an_inline_source_names_its_file_and_a_fetched_one_its_uri(registry_of, parts):
    engine = Engine(registry_of(("indx.loaders", Loader()), ("indx.capabilities", parts.reader())))
    named = engine.encode(EncodeRequest(source=inline("one", filename="a.fake")))
    provenance = named.blocks[0].provenance
    assert (provenance.filename, provenance.source_uri, provenance.media_type) == ("a.fake", None, TYPE)
    assert [c.role for c in named.trace.components] == []
    fetched = engine.encode(EncodeRequest(source=UriSource(uri="counted:x")))
    assert fetched.blocks[0].provenance.source_uri == "counted:x"
    assert [c.role for c in fetched.trace.components] == ["loader"]


def test_a_plan_names_its_observer_and_the_sniffer_whose_answer_counted(installed):
    result = Engine(installed).plan(PlanRequest(source=InlineSource(data=b"FAKE doc")))
    assert [(c.role, c.distribution) for c in result.components] == [
        ("sniffer", "fake-parts"),
        ("observer", "fake-parts"),
    ]
