"""Routers at work: each page follows its branch, and the recognizer chooses among what was planned."""

import numpy as np
import pytest

from indx_core.contracts import (
    ChunkerRef,
    Constraints,
    EncodeRequest,
    ExtractionSelection,
    InlineSource,
    LaneSelection,
    Plan,
    PlanRequest,
    Recognizer,
    ResolvedRouter,
    RouterBranch,
    RouterRef,
)
from indx_core.discovery import Candidate, Registry
from indx_core.errors import InvalidLane, InvalidRequest, PlanConflict, StoreDisabled
from indx_core.ports import (
    Answers,
    Embedded,
    EmbedderDeclaration,
    Enrichment,
    EntitySpan,
    LaneDeclaration,
    LaneError,
    Scored,
    Signature,
    SourceContent,
    Space,
)
from indx_runtime import Engine, Workers
from indx_runtime.routers import about

TYPE = "text/x-fake"
FACET = "kind"


class Lane:
    port_version = 1

    def __init__(self, id_, unit, device="cpu"):
        self.declaration = LaneDeclaration(id_, unit, device)
        self.asked = []


class Classifier(Lane):
    """Says of a text what its first word is."""

    def classify(self, texts, context):
        self.asked += texts
        return Answers([{FACET: [Scored(text.split()[0], 0.9)]} for text in texts], 0.25)


class Extractor(Lane):
    def extract(self, texts):
        self.asked += texts
        return Answers([[EntitySpan("WORD", t.split()[0], 0, len(t.split()[0]), 1.0)] for t in texts], 0.0)


class Enricher(Lane):
    def enrich(self, texts):
        self.asked += texts
        return Answers([Enrichment("short", None) for _ in texts], 0.0)


class Embedder:
    port_version = 1

    def __init__(self, space):
        self.declaration = EmbedderDeclaration(
            f"e-{space}", Space(space, 2, "cosine", False), ("document", "query"), ("text",), "cpu"
        )

    def embed(self, batch, *, role, deadline):
        return Embedded(np.ones((len(batch), 2), dtype="<f4"), {}, 0.0)


class Knowing:
    """A parser that knows pages which say so."""

    port_version = 1

    def __init__(self, reader):
        self.declaration, self.read = reader.declaration, reader.read

    def availability(self):
        return None

    def recognise(self, observation, session):
        found = tuple(n for n, line in enumerate(session.lines, 1) if "signed" in line)
        return [Signature("signed", "PAGE", found, ("it is signed",), 0.8)] if found else []


@pytest.fixture
def lanes():
    return {
        "by-page": Classifier("by-page", "page"),
        "by-document": Classifier("by-document", "document"),
        "far": Classifier("far", "page", device="external"),
        "words": Extractor("words", "page"),
        "words-chunk": Extractor("words-chunk", "chunk"),
        "sums": Enricher("sums", "document"),
    }


@pytest.fixture
def engine(registry_of, parts, lanes):
    groups = {Classifier: "indx.classifiers", Extractor: "indx.extractors", Enricher: "indx.enrichers"}
    return Engine(
        registry_of(
            ("indx.capabilities", parts.Reader("fake-reader")),
            ("indx.capabilities", parts.Reader("fake-ocr", "ocr", confidence=0.5)),
            ("indx.capabilities", Knowing(parts.Reader("fake-parser", "parser"))),
            ("indx.chunkers", parts.Chunker("lines")),
            ("indx.chunkers", parts.Chunker("other", default=False)),
            ("indx.embedders", Embedder("a")),
            ("indx.embedders", Embedder("b")),
            *((groups[type(lane)], lane) for lane in lanes.values()),
        )
    )


def request(text, kind=EncodeRequest, **more):
    more.setdefault("granularities", ["DOCUMENT", "PAGE", "CHUNK"])
    more.setdefault("router", RouterRef(id="r"))
    return kind(source=InlineSource(data=text.encode(), media_type=TYPE), **more)


def router(*branches, default=None, recognizer=None, version=1, **members):
    return ResolvedRouter(
        id="r",
        version=version,
        branches=branches,
        default=default or RouterBranch(),
        recognizer=recognizer and Recognizer(classifier_id=recognizer, facet=FACET),
        **members,
    )


def took(result):
    return [(entry.page, entry.type_id) for entry in result.trace.branches]


def read_by(result):
    return {b.page: b.provenance.capability_id for b in result.blocks if b.scope == "PAGE"}


def attempts(result):
    return [(e.capability_id, e.pages, e.outcome) for e in result.trace.events]


INVOICE = RouterBranch(type_id="invoice", reader="fake-ocr")


def test_a_request_that_names_a_router_nobody_resolved_is_refused(engine):
    for asked in (request("one", PlanRequest), request("one")):
        with pytest.raises(StoreDisabled):
            (engine.plan if type(asked) is PlanRequest else engine.encode)(asked)


@pytest.mark.parametrize(
    "own",
    [
        {"embedding_space_ids": ["a"]},
        {"classification": {"page_ids": ["by-page"]}},
        {"extraction": {"page_ids": ["words"]}},
        {"enrichment": {"document_ids": ["sums"]}},
        {"chunking": {"chunkers": [{"id": "lines"}]}},
    ],
    ids=lambda own: next(iter(own)),
)
def test_a_request_that_names_a_router_and_choices_of_its_own_is_refused(engine, own):
    with pytest.raises(InvalidRequest) as refused:
        engine.encode(request("one", **own), routing=router())
    assert (refused.value.code, refused.value.param) == ("router_conflict", next(iter(own)))
    if "embedding_space_ids" in own:
        with pytest.raises(InvalidRequest) as refused:
            engine.plan(request("one", PlanRequest, **own), routing=router())
        assert refused.value.code == "router_conflict"


def test_a_selection_that_names_nothing_is_no_choice(engine):
    assert engine.encode(request("one", classification={}, chunking={}), routing=router()).plan.router


def test_a_router_that_names_what_is_no_longer_installed_is_refused_before_the_fetch(engine):
    gone = RouterBranch(classification=LaneSelection(page_ids=("gone",)))
    with pytest.raises(InvalidLane) as refused:
        engine.encode(request("unopenable"), routing=router(default=gone))
    assert (refused.value.code, refused.value.param) == ("unknown_classifier", "router")
    with pytest.raises(InvalidLane):
        engine.encode(request("unopenable"), routing=router(recognizer="gone"))


def test_a_router_that_would_send_text_away_is_refused_under_data_residency(engine):
    held = request("one", constraints=Constraints(data_residency=True))
    with pytest.raises(InvalidLane) as refused:
        engine.encode(held, routing=router(recognizer="far"))
    assert refused.value.code == "data_residency"


def test_pages_of_known_types_are_read_by_their_branches_at_once(engine):
    routing = router(INVOICE, parsers={"invoice": "fake-parser"})
    result = engine.encode(request("plain\nsigned"), routing=routing)
    assert took(result) == [(1, None), (2, "invoice")]
    assert read_by(result) == {1: "fake-reader", 2: "fake-ocr"}
    assert attempts(result) == [("fake-reader", (1,), "read"), ("fake-ocr", (2,), "read")]


def test_only_the_parsers_of_the_routers_types_are_asked(engine):
    assert engine.encode(request("signed"), routing=router()).plan.signature_matches == ()
    everyone = request("signed", signature_detection=True)
    assert engine.encode(everyone, routing=router()).plan.signature_matches != ()


def test_a_document_that_a_person_approved_follows_the_branch_of_its_type(engine):
    digest = SourceContent.of_bytes(b"plain").digest
    result = engine.encode(request("plain"), routing=router(INVOICE, approved={digest: "invoice"}))
    assert [(t.page, t.by) for t in result.plan.typed_pages] == [(1, "approved")]
    assert read_by(result) == {1: "fake-ocr"}
    other = engine.encode(request("plainer"), routing=router(INVOICE, approved={digest: "invoice"}))
    assert read_by(other) == {1: "fake-reader"}


def test_a_recognised_page_is_read_again_by_the_reader_of_its_branch(engine):
    result = engine.encode(request("invoice 7\nletter\nplain"), routing=router(INVOICE, recognizer="by-page"))
    assert took(result) == [(1, "invoice"), (2, None), (3, None)]
    assert read_by(result) == {1: "fake-ocr", 2: "fake-reader", 3: "fake-reader"}
    assert attempts(result) == [("fake-reader", (1, 2, 3), "read"), ("fake-ocr", (1,), "read")]
    assert result.plan.default.capability_id == "fake-reader"
    assert result.plan.plan_id == result.plan.content_id()


def test_a_recognised_page_that_its_branch_would_read_alike_is_not_read_again(engine):
    branch = RouterBranch(type_id="invoice", classification=LaneSelection(page_ids=("by-page",)))
    result = engine.encode(request("invoice 7"), routing=router(branch, recognizer="by-page"))
    assert took(result) == [(1, "invoice")]
    assert attempts(result) == [("fake-reader", (1,), "read")]


def test_a_reader_that_has_tried_a_page_is_not_asked_for_it_again(engine):
    branch = RouterBranch(type_id="invoice", reader="fake-reader")
    default = RouterBranch(reader="fake-reader")
    result = engine.encode(
        request("invoice scan"), routing=router(branch, default=default, recognizer="by-page")
    )
    assert took(result) == [(1, "invoice")]
    assert attempts(result) == [("fake-reader", (1,), "unread"), ("fake-ocr", (1,), "read")]


def test_the_first_reading_stands_where_no_other_reader_of_the_branch_reads_the_page(engine):
    result = engine.encode(request("invoice unreadable"), routing=router(INVOICE, recognizer="by-page"))
    assert took(result) == [(1, "invoice")]
    assert attempts(result) == [("fake-reader", (1,), "read"), ("fake-ocr", (1,), "unread")]
    (page,) = [b for b in result.blocks if b.scope == "PAGE"]
    assert (page.status, page.text, page.provenance.capability_id) == (
        "ok",
        "invoice unreadable",
        "fake-reader",
    )


def test_the_first_reader_of_a_branch_that_reads_the_page_is_the_last_one_asked(engine):
    branch = RouterBranch(type_id="invoice", reader="fake-parser")
    routing = router(branch, default=RouterBranch(reader="fake-ocr"), recognizer="by-page")
    result = engine.encode(request("invoice 7"), routing=routing)
    assert attempts(result) == [("fake-ocr", (1,), "read"), ("fake-parser", (1,), "read")]


def test_what_people_said_of_other_documents_does_not_travel():
    digests = [SourceContent.of_bytes(data).digest for data in (b"a", b"b")]
    routing = router(approved=dict.fromkeys(digests, "invoice"))
    assert about(routing, digests[0]).approved == {digests[0]: "invoice"}
    assert about(routing, SourceContent.of_bytes(b"c").digest).approved == {}


def test_a_recognizer_of_documents_chooses_for_every_page_of_no_known_type(engine, lanes):
    routing = router(INVOICE, recognizer="by-document")
    result = engine.encode(request("invoice\nplain"), routing=routing)
    assert took(result) == [(1, "invoice"), (2, "invoice")]
    assert lanes["by-document"].asked == ["invoice\n\nplain"]


def test_the_recognizer_is_not_asked_about_pages_whose_type_is_known(engine, lanes):
    routing = router(INVOICE, recognizer="by-page", parsers={"invoice": "fake-parser"})
    engine.encode(request("letter signed\nplain"), routing=routing)
    assert lanes["by-page"].asked == ["plain"]


def test_what_the_recognizer_said_is_on_the_block_and_on_the_bill(engine, lanes):
    result = engine.encode(request("invoice 7"), routing=router(INVOICE, recognizer="by-page"))
    (page,) = [b for b in result.blocks if b.scope == "PAGE"]
    assert page.metadata["classification"] == {FACET: [{"label": "invoice", "confidence": 0.9}]}
    assert page.metadata["lanes"]["by-page"]["classification"][FACET][0]["label"] == "invoice"
    assert result.usage.cost_usd == 0.25
    assert [c.id for c in result.trace.components if c.role == "classifier"] == ["by-page"]


def test_a_branch_that_names_the_recognizer_too_does_not_ask_it_twice(engine, lanes):
    both = LaneSelection(page_ids=("by-page",), document_ids=("by-document",))
    for name in ("by-page", "by-document"):
        routing = router(INVOICE, default=RouterBranch(classification=both), recognizer=name)
        before = len(lanes[name].asked)
        engine.encode(request("plain\nletter"), routing=routing)
        assert len(lanes[name].asked) - before == (2 if name == "by-page" else 1)


@pytest.mark.parametrize(("name", "count"), [("by-page", 2), ("by-document", 1)])
def test_a_recognizer_that_is_down_is_not_asked_twice_either_nor_counted_twice(engine, lanes, name, count):
    both = LaneSelection(page_ids=("by-page",), document_ids=("by-document",))
    down = lanes[name]
    down.classify = lambda texts, context: (
        down.asked.extend(texts) or Answers([LaneError("down")] * len(texts))
    )
    routing = router(INVOICE, default=RouterBranch(classification=both), recognizer=name)
    (failure,) = engine.encode(request("plain\nletter"), routing=routing).trace.failures
    assert (failure.id, failure.asked, failure.failed) == (name, count, count)
    assert len(down.asked) == count


def test_each_branch_annotates_its_own_pages_and_chunks(engine, lanes):
    branch = RouterBranch(
        type_id="invoice",
        extraction=ExtractionSelection(page_ids=("words",), chunk_ids=("words-chunk",)),
    )
    result = engine.encode(
        request("signed one\nplain"), routing=router(branch, parsers={"invoice": "fake-parser"})
    )
    (document,) = [b for b in result.blocks if b.scope == "DOCUMENT"]
    assert sorted(document.metadata["entities"]["spans"]) == ["p1", "p1.c0"]
    assert lanes["words"].asked == ["signed one"]


def test_a_lane_of_documents_is_asked_once_about_the_whole_however_many_branches_name_it(engine, lanes):
    sums = LaneSelection(document_ids=("sums",))
    routing = router(
        RouterBranch(type_id="invoice", enrichment=sums),
        default=RouterBranch(enrichment=sums),
        parsers={"invoice": "fake-parser"},
    )
    engine.encode(request("signed\nplain"), routing=routing)
    assert lanes["sums"].asked == ["signed\n\nplain"]


def test_a_branch_no_page_took_asks_nobody(engine, lanes):
    branch = RouterBranch(type_id="invoice", enrichment=LaneSelection(document_ids=("sums",)))
    engine.encode(request("plain"), routing=router(branch))
    assert lanes["sums"].asked == []


def test_lanes_of_pages_are_not_asked_where_no_page_blocks_are_wanted_and_the_plan_says_so(engine, lanes):
    routing = router(default=RouterBranch(classification=LaneSelection(page_ids=("by-page",))))
    result = engine.encode(request("plain", granularities=["DOCUMENT"]), routing=routing)
    assert lanes["by-page"].asked == []
    assert [r.code for r in result.plan.reasons if r.code.endswith("not_asked")] == ["pages_not_asked"]
    result = engine.encode(request("plain", granularities=["PAGE"]), routing=routing)
    assert lanes["by-page"].asked == ["plain"]
    assert "pages_not_asked" not in [r.code for r in result.plan.reasons]


@pytest.mark.parametrize("recognizer", [None, "by-page"])
def test_each_branch_cuts_its_own_pages(engine, recognizer):
    branch = RouterBranch(type_id="invoice", chunkers=(ChunkerRef(id="other"),))
    routing = router(branch, recognizer=recognizer, parsers={} if recognizer else {"invoice": "fake-parser"})
    result = engine.encode(request("invoice signed\nplain\ninvoice signed"), routing=routing)
    cut = {c.id: c.pages for c in result.trace.components if c.role == "chunker"}
    assert cut == {"other": (1, 3), "lines": (2,)}
    assert result.usage.chunks == 3


def test_chunks_are_embedded_into_the_spaces_of_their_branch(engine):
    routing = router(
        RouterBranch(type_id="invoice", embedding_space_ids=("b",)),
        default=RouterBranch(embedding_space_ids=("a",)),
        parsers={"invoice": "fake-parser"},
    )
    result = engine.encode(request("signed\nplain"), routing=routing)
    found = {b.id: [v.embedding_space_id for v in b.vectors] for b in result.blocks if b.scope == "CHUNK"}
    assert found == {"p1.c0": ["b"], "p2.c0": ["a"]}
    assert [space.id for space in result.embedding_spaces] == ["a", "b"]


def test_a_document_nothing_may_read_says_so_under_a_router_too(engine):
    held = request("one", constraints=Constraints(capability_ids=("none",)))
    result = engine.encode(held, routing=router(INVOICE, recognizer="by-page"))
    assert (result.trace.status, result.plan.router.version) == ("failed", 1)


# Plans supplied


def test_a_plan_made_under_a_router_is_executed_as_it_was_made(engine):
    routing = router(INVOICE, recognizer="by-page", parsers={"invoice": "fake-parser"})
    plan = engine.plan(request("plain\nsigned\ninvoice", PlanRequest), routing=routing).plan
    result = engine.encode(request("plain\nsigned\ninvoice", plan=plan), routing=routing)
    assert result.plan == plan
    assert took(result) == [(1, None), (2, "invoice"), (3, "invoice")]


def test_a_plan_made_under_another_version_router_or_none_is_a_conflict(engine):
    made = engine.plan(request("one", PlanRequest), routing=router()).plan
    plain = engine.plan(request("one", PlanRequest, router=None)).plan
    cases = [
        (request("one", plan=made), router(version=2)),
        (request("one", plan=made, router=None), None),
        (request("one", plan=plain), router()),
    ]
    for asked, routing in cases:
        with pytest.raises(PlanConflict) as refused:
            engine.encode(asked, routing=routing)
        assert refused.value.param == "plan.router"


def test_a_plan_whose_branches_are_not_the_routers_is_a_conflict(engine):
    routing = router(INVOICE)
    made = engine.plan(request("one", PlanRequest), routing=routing).plan
    smuggled = made.branches[-1].model_copy(update={"classification": LaneSelection(page_ids=("by-page",))})
    members = {**{n: getattr(made, n) for n in Plan.model_fields if n != "plan_id"}}
    forged = Plan.create(**{**members, "branches": (made.branches[0], smuggled)})
    with pytest.raises(PlanConflict) as refused:
        engine.encode(request("one", plan=forged), routing=routing)
    assert refused.value.param == "plan.router"


# In workers


def test_in_a_worker_a_document_is_read_recognised_and_read_again_alike(
    installed, parts, monkeypatch, registry_of
):
    lane = Classifier("by-page", "page")
    entry = Candidate("indx.classifiers", "c", "x:x", "here", "1.0", lambda: lambda: lane)
    registry = Registry([*installed.candidates, entry])
    routing = router(INVOICE, recognizer="by-page")
    asked = request("invoice 7\nplain\nsegfault")
    with Workers(1) as pool:
        result = Engine(registry, workers=pool).encode(asked, routing=routing)
    assert took(result) == [(1, "invoice"), (2, None), (3, None)]
    assert read_by(result)[1] == "fake-ocr"
    assert [b.id for b in result.blocks if b.scope == "CHUNK"] == ["p1.c0", "p2.c0", "p3.c0"]


def test_watchers_are_told_each_attempt_once(engine, monkeypatch):
    told = []
    monkeypatch.setattr(
        type(engine._watchers),
        "attempted",
        lambda self, progress, *, since=0: told.extend(progress.attempts[since:]),
    )
    engine.encode(request("invoice 7"), routing=router(INVOICE, recognizer="by-page"))
    assert [attempt.capability_id for attempt in told] == ["fake-reader", "fake-ocr"]
