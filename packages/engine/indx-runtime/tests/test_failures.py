"""What fails beside the reading is told in the trace: a lane that was down is not one without an opinion."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts import EncodeRequest, EncodeResult, InlineSource, PlanRequest
from indx_core.deadline import Deadline
from indx_core.discovery import Candidate, Registry
from indx_core.errors import PlanConflict, TimedOut, Unavailable, UnsupportedMediaType
from indx_core.ports import (
    Answers,
    CapabilityDeclaration,
    EmbedderDeclaration,
    LaneDeclaration,
    LaneError,
    LanguageDetectorDeclaration,
    PageReading,
    Scored,
    SnifferDeclaration,
    Space,
)
from indx_runtime import Engine, Workers
from indx_runtime.failures import Failures, left_out
from indx_runtime.progress import LeftOut, Progress

TYPE = "text/x-fake"
SECRET = "key-0123456789"


def source(text):
    return InlineSource(data=text.encode(), media_type=TYPE)


def request(text, **more):
    more.setdefault("granularities", ["DOCUMENT", "PAGE", "CHUNK"])
    return EncodeRequest(source=source(text), **more)


class Panic(BaseException):
    """What an engine in another language raises: no exception of a usual class."""


class Lane:
    """Fails as its texts say; otherwise answers nothing, or one label."""

    port_version = 1

    def __init__(self, id_, unit="page", says=None, raises=RuntimeError, before=lambda: None):
        self.declaration = LaneDeclaration(id_, unit)
        self.says, self.raises, self.before, self.batches = says, raises, before, []

    def availability(self):
        return None

    def classify(self, texts, context=None):
        self.batches.append(list(texts))
        self.before()
        if any("down" in text for text in texts):
            raise self.raises(f"the server refused {SECRET}")
        return Answers([LaneError(f"{t}: {SECRET}\n") if "bad" in t else self.says for t in texts])

    extract = enrich = classify


class Detector(Lane):
    def __init__(self, id_, **more):
        super().__init__(id_, **more)
        self.declaration = LanguageDetectorDeclaration(id_)

    def detect(self, texts):
        return self.classify(texts)


class Embedder:
    port_version = 1
    declaration = EmbedderDeclaration("vectors", Space("s", 2, "cosine", True), ("document",), ("text",))

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        import numpy as np

        from indx_core.ports import Embedded

        failed = {n: f"too odd, {SECRET}" for n, text in enumerate(batch) if text in ("bad", "---")}
        return Embedded(np.ones((len(batch), 2), np.float32), failed)


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("INDX_FAKE_API_KEY", SECRET)


@pytest.fixture
def encode(registry_of, parts):
    def run(text, *entries, deadline=None, **more):
        made = [("indx.capabilities", parts.reader()), ("indx.chunkers", parts.chunker()), *entries]
        result = Engine(registry_of(*made)).encode(request(text, **more), deadline=deadline)
        written = result.model_dump_json()
        assert EncodeResult.model_validate_json(written) == result
        assert SECRET not in written
        return result

    return run


def told(result):
    return [f.model_dump(mode="json") for f in result.trace.failures or ()]


def pages(*texts):
    return "\n".join(texts)


LANES = [
    ("indx.classifiers", "classification", "classifier"),
    ("indx.extractors", "extraction", "extractor"),
    ("indx.enrichers", "enrichment", "enricher"),
]


@pytest.mark.parametrize(("group", "field", "role"), LANES)
def test_a_lane_with_no_opinion_and_one_that_was_down_are_told_apart(encode, group, field, role):
    named = {field: {"page_ids": ["lane"]}}
    silent = encode(pages("one", "two"), (group, Lane("lane")), **named)
    assert silent.trace.failures is None
    assert "failures" not in silent.trace.model_dump(mode="json")
    down = encode(pages("one down", "two"), (group, Lane("lane")), **named)
    assert [b.metadata for b in down.blocks] == [b.metadata for b in silent.blocks]
    assert told(down) == [
        {
            "role": role,
            "id": "lane",
            "unit": "page",
            "asked": 2,
            "failed": 1,
            "reason": "RuntimeError: the server refused ***",
            "block_ids": ["p1"],
        }
    ]


@pytest.mark.parametrize("unit", ["document", "page", "chunk"])
def test_a_text_that_fails_alone_is_named_by_its_block(encode, unit):
    lane = Lane("lane", unit, says={"f": [Scored("a", 1.0)]})
    text = "bad" if unit == "document" else pages("one", "bad", "two")
    result = encode(text, ("indx.classifiers", lane), classification={f"{unit}_ids": ["lane"]})
    (failure,) = told(result)
    block = {"document": "doc", "page": "p2", "chunk": "p2.c0"}[unit]
    assert (failure["asked"], failure["failed"]) == (1 if unit == "document" else 3, 1)
    assert failure["block_ids"] == [block]
    assert failure["reason"] == "bad: ***"


@pytest.mark.parametrize("raises", [RuntimeError, SystemExit, Panic, MemoryError])
def test_whatever_a_lane_raises_is_its_failure(encode, raises):
    lane = Lane("lane", raises=raises)
    (failure,) = told(encode("down", ("indx.classifiers", lane), classification={"page_ids": ["lane"]}))
    assert failure["reason"]


def test_an_interrupt_during_a_lane_ends_the_work(encode):
    lane = Lane("lane", raises=KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        encode("down", ("indx.classifiers", lane), classification={"page_ids": ["lane"]})


def test_a_language_detector_that_fails_is_told(encode):
    (failure,) = told(encode(pages("one", "bad"), ("indx.language_detectors", Detector("tongues"))))
    assert (failure["role"], failure["id"], failure["unit"]) == ("language_detector", "tongues", "page")
    assert (failure["asked"], failure["failed"], failure["block_ids"]) == (2, 1, ["p2"])


def test_a_chunk_without_its_vector_is_told_unless_there_was_nothing_to_embed(encode):
    more = {"embedding_space_ids": ["s"]}
    assert encode(pages("one", "---"), ("indx.embedders", Embedder()), **more).trace.failures is None
    (failure,) = told(encode(pages("one", "bad", "---"), ("indx.embedders", Embedder()), **more))
    assert failure == {
        "role": "embedder",
        "id": "vectors",
        "unit": "chunk",
        "asked": 3,
        "failed": 1,
        "reason": "too odd, ***",
        "block_ids": ["p2.c0"],
    }


def test_a_chunker_that_is_left_out_is_told_with_its_version(encode, parts):
    bad = parts.Chunker("bad", 3, rank=1, raises=RuntimeError(SECRET))
    result = encode(pages("one", "two"), ("indx.chunkers", bad))
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["one", "two"]
    assert told(result) == [
        {
            "role": "chunker",
            "id": "bad",
            "version": 3,
            "unit": "document",
            "asked": 1,
            "failed": 1,
            "reason": "RuntimeError: ***",
            "block_ids": ["doc"],
        }
    ]


def test_a_chunker_that_ended_its_worker_is_told(installed):
    with Workers(1) as pool:
        result = Engine(installed, workers=pool).encode(request("one\nkill-chunker"))
    (failure,) = told(result)
    assert (failure["role"], failure["id"], failure["version"]) == ("chunker", "dying", 1)
    assert failure["reason"]


def test_what_a_worker_says_of_a_chunker_is_bounded_fit_for_the_wire_and_holds_no_secret():
    progress = Progress()
    progress.apply(LeftOut("x\ud800\n" * 5_000 + "@1", f"\ud800 {SECRET} " * 5_000))
    (failure,) = left_out(progress)
    written = failure.model_dump_json()
    assert (len(failure.id), len(failure.reason)) == (500, 500)
    assert SECRET not in written


@pytest.mark.parametrize("spelled", ["", "@", "x@", "@1", "x@y", "x@0", "x@" + "9" * 5000, "x@²"])
def test_a_worker_may_name_a_chunker_in_any_way(spelled):
    progress = Progress()
    progress.apply(LeftOut(spelled, "why"))
    progress.apply(LeftOut(spelled, "why again"))
    (failure,) = left_out(progress)
    assert (failure.id, failure.version, failure.reason) == (spelled[:500], None, "why")


class Parser:
    port_version = 1
    declaration = CapabilityDeclaration("known-parser", "parser", (TYPE,))

    def availability(self):
        return None

    down = True

    def recognise(self, observation, session):
        if self.down:
            raise ValueError(f"no {SECRET}")
        return []

    def read(self, session, pages, *, deadline):
        yield from (PageReading(page, "") for page in pages)


def test_a_parser_that_fails_is_a_reason_of_the_plan(registry_of, parts):
    made = (("indx.capabilities", Parser()), ("indx.capabilities", parts.reader()))
    engine = Engine(registry_of(*made))
    plan = engine.plan(PlanRequest(source=source("one"), signature_detection=True)).plan
    (reason,) = [r for r in plan.reasons if r.code == "parser_failed"]
    assert reason.message == "known-parser failed: ValueError: no ***"
    assert not [r for r in engine.plan(PlanRequest(source=source("one"))).plan.reasons if "parser" in r.code]


# What failed before the plan


class Sniffer:
    port_version = 1

    def __init__(self, down=True):
        self.declaration = SnifferDeclaration("nose", (TYPE,))
        self.down = down

    def sniff(self, head, *, filename, declared):
        if self.down:
            raise ValueError(f"no {SECRET}\ud800\n\x1b")


NOSE = "nose failed: ValueError: no ***\ufffd"


def test_a_sniffer_that_fails_is_a_reason_of_the_plan(registry_of, parts):
    made = (("indx.sniffers", Sniffer()), ("indx.capabilities", parts.reader()))
    engine = Engine(registry_of(*made))
    for plan in (
        engine.plan(PlanRequest(source=source("one"))).plan,
        engine.encode(request("one")).plan,
    ):
        assert [r.message for r in plan.reasons if r.code == "sniffer_failed"] == [NOSE]


def test_a_sniffer_that_fails_is_told_of_a_document_that_a_worker_has(installed):
    nose = Candidate("indx.sniffers", "nose", "x:x", "dist-nose", "1.0", lambda: Sniffer)
    with Workers(1) as pool:
        plan = Engine(Registry([*installed.candidates, nose]), workers=pool).encode(request("one")).plan
    assert [r.message for r in plan.reasons if r.code == "sniffer_failed"] == [NOSE]


def test_a_type_that_nothing_reads_is_refused_with_the_sniffer_that_may_have_known_better(registry_of, parts):
    made = (("indx.sniffers", Sniffer()), ("indx.capabilities", parts.reader()))
    with pytest.raises(UnsupportedMediaType) as refused:
        Engine(registry_of(*made)).plan(PlanRequest(source=InlineSource(data=b"\0", media_type="a/b")))
    assert refused.value.message.endswith(f"; {NOSE}")


def test_a_plan_for_another_type_is_refused_with_the_sniffer_that_failed(registry_of, parts):
    nose = Sniffer()
    engine = Engine(registry_of(("indx.sniffers", nose), ("indx.capabilities", parts.reader())))
    plan = engine.plan(PlanRequest(source=source("one"))).plan
    other = plan.model_copy(update={"media_type": "text/other"})
    other = other.model_copy(update={"plan_id": other.content_id()})
    with pytest.raises(PlanConflict) as refused:
        engine.encode(request("one", plan=other))
    assert (refused.value.param, refused.value.message.endswith(f"; {NOSE}")) == ("plan.media_type", True)


@pytest.mark.parametrize("down", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("who", ["parser", "sniffer"])
def test_a_plan_is_carried_out_whoever_was_down_when_it_was_made_or_is_down_now(
    registry_of, parts, who, down
):
    part = Sniffer() if who == "sniffer" else Parser()
    group = "indx.sniffers" if who == "sniffer" else "indx.capabilities"
    engine = Engine(registry_of((group, part), ("indx.capabilities", parts.reader())))
    more = {"signature_detection": True}
    part.down = down[0]
    plan = engine.plan(PlanRequest(source=source("one"), **more)).plan
    part.down = down[1]
    result = engine.encode(request("one", plan=plan, **more))
    assert result.plan == plan
    assert [r.code for r in plan.reasons if "failed" in r.code] == [f"{who}_failed"] * down[0]
    assert result.blocks[1].text == "one"
    fresh = engine.plan(PlanRequest(source=source("one"), **more)).plan
    assert (fresh.plan_id == plan.plan_id) == (down[0] == down[1])


@pytest.mark.parametrize("raises", [Panic("gone"), SystemExit(3), MemoryError()])
def test_chunkers_parsers_and_embedders_fail_by_whatever_they_raise(registry_of, parts, raises):
    class Raising(Embedder):
        def embed(self, batch, *, role, deadline):
            raise raises

    class Lost(Parser):
        def recognise(self, observation, session):
            raise raises

    made = [("indx.capabilities", parts.reader()), ("indx.capabilities", Lost())]
    made += [("indx.chunkers", parts.chunker()), ("indx.embedders", Raising())]
    made += [("indx.chunkers", parts.Chunker("bad", rank=1, raises=raises))]
    engine = Engine(registry_of(*made))
    result = engine.encode(request("one", signature_detection=True))
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["one"]
    assert [f.id for f in result.trace.failures] == ["bad"]
    assert "parser_failed" in [r.code for r in result.plan.reasons]
    with pytest.raises(Unavailable) as caught:
        engine.encode(request("one", embedding_space_ids=["s"]))
    assert caught.value.code == "embedder_unavailable"


def test_failures_stand_in_the_order_asked_and_the_same_each_time(encode, parts):
    entries = (
        ("indx.classifiers", Lane("b", "page")),
        ("indx.classifiers", Lane("a", "page")),
        ("indx.extractors", Lane("c", "chunk")),
        ("indx.language_detectors", Detector("d")),
        ("indx.embedders", Embedder()),
        ("indx.chunkers", parts.Chunker("bad", rank=1, raises=RuntimeError("x"))),
    )
    more = {
        "classification": {"page_ids": ["b", "a"]},
        "extraction": {"chunk_ids": ["c"]},
        "embedding_space_ids": ["s"],
    }
    first, again = (encode(pages("one", "bad"), *entries, **more) for _ in range(2))
    assert [f["id"] for f in told(first)] == ["bad", "b", "a", "c", "d", "vectors"]
    assert told(first) == told(again)


# Counting


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["classifier", "embedder"]),
            st.sampled_from(["a", "b"]),
            st.dictionaries(st.text(max_size=3), st.none() | st.text(min_size=1, max_size=5), max_size=150),
        ),
        max_size=6,
    )
)
def test_failures_add_up_over_every_time_of_asking(times):
    failures = Failures()
    for role, name, units in times:
        failures.count(role, name, "page", tuple(units), {i: why for i, why in units.items() if why})
    for failure in failures.told():
        own = [units for role, name, units in times if (role, name) == (failure.role, failure.id)]
        lost = [(i, why) for units in own for i, why in units.items() if why]
        assert failure.asked == len({i for units in own for i in units})
        assert failure.reason == lost[0][1]
        assert failure.failed == len({i for i, _ in lost})
        assert failure.block_ids == tuple(dict.fromkeys(i for i, _ in lost))[:100]
    assert {(f.role, f.id) for f in failures.told()} == {
        (role, name) for role, name, units in times if any(units.values())
    }


def test_of_many_blocks_the_first_hundred_are_named_and_all_counted():
    blocks = [f"p{n}" for n in range(1, 151)]
    failures = Failures()
    failures.count("classifier", "a", "page", blocks, dict.fromkeys(blocks, "down"))
    (failure,) = failures.told()
    assert (failure.asked, failure.failed, failure.block_ids) == (150, 150, tuple(blocks[:100]))


# Deadlines


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def pass_(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


def test_the_deadline_is_checked_before_each_batch_of_a_lane(encode, clock):
    lane = Lane("lane", "page", before=lambda: clock.pass_(60))
    with pytest.raises(TimedOut) as caught:
        encode(
            pages(*"abcdefghijklmnopqrstuvwxyz"),
            ("indx.classifiers", lane),
            deadline=Deadline(100, clock=clock),
            classification={"page_ids": ["lane"]},
        )
    assert caught.value.code == "deadline_exceeded"
    assert clock.now == 120, "the batch under way is the last"


def test_lanes_that_each_run_into_their_own_time_out_end_with_the_request(encode, clock):
    lanes = [Lane(f"l{n}", "document", before=lambda: clock.pass_(60)) for n in range(5)]
    with pytest.raises(TimedOut):
        encode(
            "down",
            *[("indx.classifiers", lane) for lane in lanes],
            deadline=Deadline(100, clock=clock),
            classification={"document_ids": [lane.declaration.id for lane in lanes]},
        )
    assert [len(lane.batches) for lane in lanes] == [1, 1, 0, 0, 0]


def test_the_deadline_is_checked_before_languages_are_detected(encode, clock):
    lane = Lane("lane", "document", before=lambda: clock.pass_(60))
    detector = Detector("d")
    with pytest.raises(TimedOut):
        encode(
            "one",
            ("indx.classifiers", lane),
            ("indx.language_detectors", detector),
            deadline=Deadline(50, clock=clock),
            classification={"document_ids": ["lane"]},
        )
    assert detector.batches == []


def test_a_lane_that_fails_on_many_texts_in_a_row_is_not_asked_on_and_that_is_told(encode):
    lane = Lane("lane", "page")
    result = encode(
        pages(*(f"down {n}" for n in range(40))),
        ("indx.classifiers", lane),
        classification={"page_ids": ["lane"]},
    )
    assert {text for batch in lane.batches for text in batch} == {f"down {n}" for n in range(16)}
    (failure,) = told(result)
    assert (failure["asked"], failure["failed"]) == (40, 40)
    assert failure["reason"].startswith("RuntimeError")


@pytest.mark.parametrize("raises", [ValueError, Panic])
def test_a_text_over_which_a_lane_raises_costs_the_others_of_its_batch_nothing(encode, raises):
    lane = Lane("lane", "page", says={"f": [Scored("a", 1.0)]}, raises=raises)
    texts = ["down" if n % 8 == 3 else f"fine {n}" for n in range(40)]
    result = encode(pages(*texts), ("indx.classifiers", lane), classification={"page_ids": ["lane"]})
    answered = [b.id for b in result.blocks if "classification" in (b.metadata or {})]
    assert answered == [f"p{n}" for n, text in enumerate(texts, 1) if text != "down"]
    (failure,) = told(result)
    assert failure["block_ids"] == [f"p{n}" for n, text in enumerate(texts, 1) if text == "down"]


def test_the_deadline_is_checked_before_each_text_that_is_asked_about_alone(encode, clock):
    lane = Lane("lane", "page", before=lambda: clock.pass_(60))
    with pytest.raises(TimedOut):
        encode(
            pages(*(f"down {n}" for n in range(8))),
            ("indx.classifiers", lane),
            deadline=Deadline(100, clock=clock),
            classification={"page_ids": ["lane"]},
        )
    assert list(map(len, lane.batches)) == [8, 1]


def test_one_answer_among_failures_keeps_a_lane_asked(encode):
    lane = Lane("lane", "page")
    texts = ["fine" if n % 10 == 9 else "bad" for n in range(40)]
    (failure,) = told(
        encode(pages(*texts), ("indx.classifiers", lane), classification={"page_ids": ["lane"]})
    )
    assert [text for batch in lane.batches for text in batch] == texts
    assert failure["failed"] == 36


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_batches_change_neither_the_answers_nor_their_order(wells):
    from types import SimpleNamespace

    from indx_core.ports import LaneContext
    from indx_runtime.lanes import LaneChoice, ask_lane

    class Echo(Lane):
        def classify(self, texts, context=None):
            return Answers([{"f": [Scored(t, 1.0)]} if t[0] == "w" else None for t in texts], 1.0)

    texts = [f"{'w' if well else 'n'}{n}" for n, well in enumerate(wells)]
    choice = LaneChoice("classification", "page", SimpleNamespace(item=Echo("e")))
    for size in (1, 8, 100):
        batches = list(ask_lane(choice, texts, LaneContext(TYPE), deadline=Deadline(), batch=size))
        said = [item and item["f"][0].label for items, _ in batches for item in items]
        assert said == [text if text[0] == "w" else None for text in texts]
        assert sum(cost for _, cost in batches) == -(-len(texts) // size)
