"""What the engine owes its surroundings: settings checked at the start, hooks told, pictures made apart."""

import base64
import gc

import numpy as np
import pytest

from indx_core.contracts import EmbedRequest, EncodeRequest, InlineSource, PlanRequest
from indx_core.deadline import Deadline
from indx_core.discovery import Candidate, Registry
from indx_core.errors import ConfigurationError, InvalidLane, SourceError, TimedOut
from indx_core.hooks import Hooks, hookimpl
from indx_core.ports import (
    Answers,
    ChunkDraft,
    Embedded,
    EmbedderDeclaration,
    LaneDeclaration,
    Loaded,
    LoaderDeclaration,
    Raster,
    Scored,
    SourceContent,
    Space,
    Unavailability,
)
from indx_runtime import Engine, Progress, Workers

TYPE = "text/x-fake"


def inline(text):
    return InlineSource(data=text.encode(), media_type=TYPE)


def request(text, **more):
    return EncodeRequest(source=inline(text), **more)


# Settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("INDX_REQUEST_TIMEOUT_SECONDS", "soon"),
        ("INDX_REQUEST_TIMEOUT_SECONDS", "-1"),
        ("INDX_VALIDATION_MIN_CONFIDENCE", "1.1"),
        ("INDX_VALIDATION_MIN_CONFIDENCE", "nan"),
        ("INDX_WORKERS", "0"),
        ("INDX_WORKERS", "two"),
        ("INDX_WORKER_MEMORY_BYTES", "1"),
        ("INDX_WORKER_TIMEOUT_SECONDS", "0"),
        ("INDX_MAX_INPUT_BYTES", "1e9"),
        ("INDX_MAX_PAGES", "0"),
        ("INDX_SOURCE_PASSWORDS", "hunter2"),
        ("INDX_ROUTING_ECONOMICS", "/no/such/file"),
    ],
)
def test_a_wrong_setting_keeps_the_engine_from_starting_and_is_named(installed, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(ConfigurationError, match=name) as caught:
        Engine(installed)
    assert "hunter2" not in caught.value.message


@pytest.mark.parametrize("value", ["9223372036854775807", "67108864000000"])
def test_workers_take_any_bound_of_memory_and_time(installed, monkeypatch, value):
    monkeypatch.setenv("INDX_WORKER_MEMORY_BYTES", value)
    monkeypatch.setenv("INDX_WORKER_TIMEOUT_SECONDS", "1e300")
    with Workers(1) as pool:
        assert Engine(installed, workers=pool).encode(request("one")).blocks[1].text == "one"


@pytest.mark.parametrize("broken", [b"\xff", b'{"native": {"price": 1}}', None])
def test_prices_that_broke_after_the_start_are_said_in_the_log_and_those_before_stay(
    installed, monkeypatch, tmp_path, caplog, broken
):
    file = tmp_path / "prices.json"
    file.write_text('{"native": {"cost_usd_per_page": 2}}')
    monkeypatch.setenv("INDX_ROUTING_ECONOMICS", str(file))
    engine = Engine(installed)

    def cost():
        return engine.plan(PlanRequest(source=inline("one"))).plan.estimates.cost_usd

    assert cost() == 2
    file.unlink() if broken is None else file.write_bytes(broken)
    assert cost() == 2
    assert any("INDX_ROUTING_ECONOMICS" in record.message for record in caplog.records)
    file.write_text('{"native": {"cost_usd_per_page": 3}}')
    assert cost() == 3


# Hooks


def test_every_attempt_is_told_to_the_hooks_and_a_raising_one_changes_nothing(installed):
    class Watcher:
        def __init__(self):
            self.seen = []

        @hookimpl
        def indx_capability_attempted(self, capability_id, pages, outcome, reason, latency_ms):
            assert latency_ms >= 0
            self.seen.append((capability_id, pages, outcome, reason))

    class Raiser:
        @hookimpl
        def indx_capability_attempted(self):
            raise RuntimeError("boom")

    watcher = Watcher()
    hooks = [
        Candidate("indx.hooks", n, "x:x", f"d-{n}", "1", lambda item=item: item)
        for n, item in (("a", Raiser()), ("b", watcher))
    ]
    engine = Engine(Registry([*installed.candidates, *hooks]))
    engine.encode(request("one\nscan two\nfail unreadable"))
    assert watcher.seen == [
        ("fake-reader", (1,), "read", None),
        ("fake-reader", (3,), "failed", "ValueError: cannot read this line"),
        ("fake-ocr", (2,), "read", None),
        ("fake-ocr", (3,), "unread", "nothing_recognised"),
        ("manual-review", (3,), "manual", None),
    ]


def test_what_was_attempted_before_the_work_was_given_up_is_told_too(installed):
    told, progress = [], Progress()

    class Watcher:
        @hookimpl
        def indx_capability_attempted(self, capability_id, pages, outcome):
            told.append((capability_id, pages, outcome))

    class Limit(Deadline):
        def check(self):
            if len(progress.attempts) > 1:
                raise TimedOut("past the deadline")

    hooks = Hooks()
    hooks.register(Watcher())
    engine = Engine(installed, hooks=hooks)
    asked = request("one\nfail unreadable\nthree")
    job = engine.job(SourceContent.of_bytes(asked.source.data, media_type=TYPE), asked, engine.capabilities())
    with pytest.raises(TimedOut):
        engine.work(job, Limit(), progress)
    assert told == [("fake-reader", (1,), "read"), ("fake-reader", (2,), "failed")]


# Lanes


class Lane:
    port_version = 1

    def __init__(self, id_, clock=None, lack=None):
        self.declaration = LaneDeclaration(id_, "page")
        self.clock, self.lack, self.asked = clock, lack, 0

    def availability(self):
        return self.lack

    def classify(self, texts, context):
        self.asked += 1
        if self.clock is not None:
            self.clock.now += 10
        return Answers([{"f": [Scored("a", 1.0)]}] * len(texts))


def test_a_lane_that_cannot_run_is_no_lane_to_name_and_the_message_says_what_it_lacks(registry_of, parts):
    lacking = Lane("lacking", lack=Unavailability("no model", "set INDX_MODEL"))
    registry = registry_of(("indx.capabilities", parts.reader()), ("indx.classifiers", lacking))
    with pytest.raises(InvalidLane, match=r"no model; set INDX_MODEL.*those that can: none") as caught:
        Engine(registry).encode(request("one", classification={"page_ids": ["lacking"]}))
    assert caught.value.code == "unknown_classifier"
    assert lacking.asked == 0


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def test_the_deadline_is_checked_before_each_lane(registry_of, parts, monkeypatch):
    monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "5")
    clock = Clock()
    slow, late = Lane("slow", clock), Lane("late", clock)
    registry = registry_of(
        ("indx.capabilities", parts.reader()), ("indx.classifiers", slow), ("indx.classifiers", late)
    )
    with pytest.raises(TimedOut):
        Engine(registry, clock=clock).encode(request("one", classification={"page_ids": ["slow", "late"]}))
    assert (slow.asked, late.asked) == (1, 0)


@pytest.mark.parametrize("operation", ["plan", "encode", "embed"])
def test_a_fetch_is_waited_for_and_past_the_deadline_nothing_is_done_with_it(
    registry_of, parts, monkeypatch, operation
):
    monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "5")
    clock, done = Clock(), []

    class Slow:
        port_version = 1
        declaration = LoaderDeclaration("slow", ("slow",))

        def availability(self):
            return None

        def load(self, uri, *, limit, deadline):
            clock.now += 6
            done.append("loaded")
            return Loaded(SourceContent.of_bytes(b"one", media_type=TYPE))

    monkeypatch.setattr(parts.Observer, "open", lambda self, source: done.append("opened"))
    registry = registry_of(
        ("indx.loaders", Slow()), ("indx.capabilities", parts.reader()), ("indx.embedders", Embedder())
    )
    source = {"type": "uri", "uri": "slow:x"}
    asked = {
        "plan": lambda: PlanRequest(source=source),
        "encode": lambda: EncodeRequest(source=source),
        "embed": lambda: EmbedRequest(embedding_space_id="s", input=source),
    }
    with pytest.raises(TimedOut) as caught:
        getattr(Engine(registry, clock=clock), operation)(asked[operation]())
    assert (caught.value.status, caught.value.code) == (504, "deadline_exceeded")
    assert done == ["loaded"]


def test_the_deadline_is_checked_between_pages_and_never_inside_one(registry_of, parts, monkeypatch):
    monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "5")
    clock, seen = Clock(), []

    class Slow(parts.Reader):
        def read(self, session, pages, *, deadline):
            for reading in super().read(session, pages, deadline=deadline):
                seen.append(reading.page)
                clock.now += 3
                yield reading

    engine = Engine(registry_of(("indx.capabilities", Slow("fake-reader"))), clock=clock)
    with pytest.raises(TimedOut):
        engine.encode(request("one\ntwo\nthree\nfour"))
    assert seen == [1, 2]
    clock.now, engine = 0.0, Engine(engine.registry, clock=clock)
    assert len(engine.encode(request("one\ntwo")).blocks) == 3  # nothing is left to stop


def test_a_readers_own_deadline_is_that_of_a_page(registry_of, parts):
    clock = Clock()

    class Slow(parts.Reader):
        def read(self, session, pages, *, deadline):
            deadline._clock = clock
            deadline.restart()
            for reading in super().read(session, pages, deadline=deadline):
                clock.now += 100  # of the 120 seconds a page may take
                deadline.check()
                yield reading

    result = Engine(registry_of(("indx.capabilities", Slow("fake-reader")))).encode(request("a\nb\nc\nd"))
    assert [b.status for b in result.blocks if b.scope == "PAGE"] == ["ok"] * 4


# Quality


def test_an_event_of_one_page_has_its_score_one_of_more_their_mean_and_the_document_that_of_all(
    registry_of, parts
):
    class Scoring(parts.Reader):
        def read(self, session, pages, *, deadline):
            for reading in super().read(session, pages, deadline=deadline):
                reading.confidence = float(reading.text.split()[-1])
                yield reading

    registry = registry_of(
        ("indx.capabilities", Scoring("fake-ocr", "ocr")), ("indx.capabilities", parts.reader())
    )
    result = Engine(registry).encode(request("scan 0.5\ntext\nscan 0.25\nscan 0.75"))
    events = {(e.capability_id, e.pages): (e.scope, e.quality) for e in result.trace.events}
    assert events == {
        ("fake-ocr", (1, 3, 4)): ("DOCUMENT", 0.5),
        ("fake-reader", (2,)): ("PAGE", None),
    }
    assert result.trace.actuals.quality == 0.5
    alone = Engine(registry).encode(request("text\nscan 0.25\ntext"))
    scored = [(e.scope, e.pages, e.quality) for e in alone.trace.events if e.quality is not None]
    assert scored == [("PAGE", (2,), 0.25)]


def test_what_parts_charged_adds_up_in_the_trace_and_the_usage(registry_of, parts):
    class Priced(parts.Reader):
        def read(self, session, pages, *, deadline):
            for reading in super().read(session, pages, deadline=deadline):
                reading.cost_usd = 0.125
                yield reading

    class PricedLane(Lane):
        def classify(self, texts, context):
            return Answers([None] * len(texts), cost_usd=2.0)

    registry = registry_of(
        ("indx.capabilities", Priced("fake-reader")), ("indx.classifiers", PricedLane("priced"))
    )
    result = Engine(registry).encode(request("one\ntwo", classification={"page_ids": ["priced"]}))
    assert result.trace.events[0].cost_usd == 0.25
    assert result.usage.cost_usd == result.trace.actuals.cost_usd == 2.25


# Pictures


class Pictures:
    """Draws every page that nothing read."""

    port_version = 1

    def __init__(self, parts):
        self.declaration = type(parts.chunker().declaration)("pictures", 1, True, (), "pictures", 1)
        self.asked = []

    def chunk(self, document, session, pages):
        self.asked.append(list(pages))
        return {
            page: [ChunkDraft(None, session.render(page, dpi=10, max_pixels=10), box_reason="no_geometry")]
            for page in pages
            if document.pages[page].reason is not None
        }


class Embedder:
    port_version = 1

    def __init__(self, modality="image"):
        space = Space("s", 2, "cosine", True)
        self.declaration = EmbedderDeclaration("e", space, ("document", "query"), (modality,))
        self.seen = []

    def embed(self, batch, *, role, deadline):
        self.seen += batch
        return Embedded(np.array([[1.0, 0.0]] * len(batch), np.float32))


def drawn(registry_of, parts, embedder, pages=1):
    pictures = Pictures(parts)
    registry = registry_of(
        ("indx.capabilities", parts.reader()), ("indx.chunkers", pictures), ("indx.embedders", embedder)
    )
    text = "\n".join(["scan"] * pages)
    asked = request(text, granularities=["CHUNK"], embedding_space_ids=["s"])
    return pictures, Engine(registry).encode(asked)


def test_pixels_are_kept_for_an_embedder_of_pictures_and_for_nobody_else(registry_of, parts):
    looking, reading = Embedder(), Embedder("text")
    _, seen = drawn(registry_of, parts, looking)
    _, unseen = drawn(registry_of, parts, reading)
    assert looking.seen == [Raster(1, 1, bytes(3), 10)]
    assert [b.image for b in seen.blocks] == [b.image for b in unseen.blocks]
    assert seen.usage.vectors == 1
    assert (reading.seen, unseen.usage.vectors) == ([], 0)


def test_a_page_is_drawn_only_where_somebody_embeds_the_picture(registry_of, parts, monkeypatch):
    wanted = []
    session = parts.Session
    render = session.render

    def watched(self, page, *, dpi, max_pixels, pixels=True):
        wanted.append(pixels)
        return render(self, page, dpi=dpi, max_pixels=max_pixels, pixels=pixels)

    monkeypatch.setattr(session, "render", watched)
    drawn(registry_of, parts, Embedder("text"))
    assert wanted == [False]
    drawn(registry_of, parts, Embedder())
    assert wanted == [False, True]


def test_unread_pages_are_drawn_a_few_at_a_time_and_are_one_component(registry_of, parts):
    pictures, result = drawn(registry_of, parts, Embedder(), pages=40)
    assert [len(pages) for pages in pictures.asked] == [16, 16, 8]
    (component,) = [c for c in result.trace.components if c.role == "chunker"]
    assert component.pages == tuple(range(1, 41))
    assert result.usage.chunks == 40


def query(text):
    data = base64.b64encode(text.encode()).decode()
    return EmbedRequest(embedding_space_id="s", input={"type": "inline", "data": data, "media_type": TYPE})


def test_a_query_image_that_ends_its_process_ends_no_caller(installed):
    embedders = [Candidate("indx.embedders", "e", "x:x", "d", "1", lambda: Embedder)]
    registry = Registry([*installed.candidates, *embedders])
    with Workers(1, timeout=20) as pool:
        engine = Engine(registry, workers=pool)
        assert engine.embed(query("picture")).vectors[0].values == [1.0, 0.0]
        with pytest.raises(SourceError, match=r"picture could not be made: .*code 6"):
            engine.embed(query("kill-renderer"))
        with pytest.raises(SourceError, match="code 3"):
            engine.embed(query("die-on-open"))


# The collector


@pytest.mark.parametrize(("ask", "asked"), [(Engine.plan, PlanRequest), (Engine.encode, EncodeRequest)])
def test_garbage_is_looked_for_seldom_while_a_document_is_worked_on(installed, monkeypatch, ask, asked):
    seen = []
    before = gc.get_threshold()
    work = Engine.work
    monkeypatch.setattr(
        Engine, "work", lambda *a, **m: (seen.append(gc.get_threshold()[0]), work(*a, **m))[1]
    )
    gc.set_threshold(700, 10, 10)
    try:
        ask(Engine(installed), asked(source=inline("one")))
        assert gc.get_threshold() == (700, 10, 10)
    finally:
        gc.set_threshold(*before)
    assert seen
    assert min(seen) >= 100_000
