"""A page that ends whoever looks at it costs its own reading: the others are planned for and read."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from indx_core.contracts import EncodeRequest, EncodeRequestPart, InlineSource, PlanRequest
from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_core.ports import ChunkDraft, ChunkerDeclaration, DocumentReading, SourceContent
from indx_runtime import Engine, Workers
from indx_runtime.chunking import chunk_pages
from indx_runtime.helping import Help
from indx_runtime.losses import give_up
from indx_runtime.messages import pack
from indx_runtime.progress import Attempt, Attempted, Cut, DocumentJob, InFlight, Opened, Planned, Progress
from indx_runtime.reading import routes_of
from indx_runtime.sharing import Words, look_at_pages, shared, take_over
from indx_runtime.work import work_on
from indx_runtime.workers import WorkerLost

ONLY_READER = {"capability_ids": ["fake-reader"]}
MOST = 8  # workers that looking at one document may end


@pytest.fixture
def pool():
    with Workers(1, timeout=2.0, memory=300_000_000) as workers:
        yield workers


def source(*lines):
    return InlineSource(data="\n".join(("shared", *lines)).encode(), media_type="text/x-fake")


def encode(installed, pool, *lines, **more):
    asked = EncodeRequest(source=source(*lines), granularities=["PAGE", "CHUNK"], **more)
    return Engine(installed, workers=pool).encode(asked)


def pages(result):
    return [(b.status, b.text) for b in result.blocks if b.scope == "PAGE"]


def reasons(result):
    return {reason.code: reason for reason in result.plan.reasons}


@pytest.fixture
def started(pool, monkeypatch):
    """The reasons for which workers of the pool ended, as they do."""
    ended = []
    visit = pool._visit

    def visited(*what):
        ended.append(visit(*what))
        return ended[-1]

    monkeypatch.setattr(pool, "_visit", visited)
    return ended


@pytest.mark.parametrize(
    ("poison", "reason"),
    [
        ("segfault", "signal 11"),
        ("hang", "INDX_WORKER_TIMEOUT_SECONDS"),
        ("ask-for-everything", "out of memory"),
    ],
)
def test_a_page_that_ends_whoever_looks_at_it_fails_and_the_others_are_read(
    installed, pool, started, poison, reason
):
    result = encode(installed, pool, "two", poison, "four", constraints=ONLY_READER)
    assert pages(result) == [("ok", "shared"), ("ok", "two"), ("failed", None), ("ok", "four")]
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["shared", "two", "four"]
    (failed,) = [e for e in result.trace.events if e.outcome == "failed"]
    assert (failed.capability_id, failed.pages) == ("fake-reader", (3,))
    assert reason in failed.reason
    assert reasons(result)["unseen"].pages == (3,)
    assert reasons(result)["lost"].message.startswith("pages that could not be looked at: 1; page 3: ")
    assert "blank" not in reasons(result)
    assert [end is None for end in started] == [False, False, True]  # the second knew the page
    assert pages(encode(installed, pool, "next")) == [("ok", "shared"), ("ok", "next")]


def test_the_next_rung_is_asked_for_a_page_that_nobody_could_look_at(installed, pool):
    result = encode(installed, pool, "segfault", "three")
    assert [(e.capability_id, e.outcome, e.pages) for e in result.trace.events] == [
        ("fake-reader", "failed", (2,)),
        ("fake-reader", "read", (1, 3)),
        ("fake-ocr", "read", (2,)),
    ]
    assert pages(result)[1] == ("ok", "passed over")


def test_a_document_with_many_such_pages_ends_a_bounded_number_of_workers(installed, pool, started):
    lines = ["good", *["segfault"] * MOST, "never looked at", "segfault", "nor this"]
    result = encode(installed, pool, *lines, constraints=ONLY_READER)
    assert [status for status, _ in pages(result)] == ["ok", "ok", *["failed"] * (MOST + 3)]
    told = [e.reason for e in result.trace.events if e.outcome == "failed"]
    assert sum("signal 11" in reason for reason in told) == 1  # one event for pages of one reason
    assert told[-1] == f"not looked at: looking ended {MOST} workers on this document"
    assert [e.pages for e in result.trace.events if e.outcome == "failed"][-1] == (11, 12, 13)
    assert [end is None for end in started] == [False] * (MOST + 1) + [True]
    assert reasons(result)["lost"].message.startswith(f"pages that could not be looked at: {MOST + 3}; ")


def ends_while_it_looks_at(page):
    """Stands for a worker that ends so."""

    def visit(job, progress, deadline):
        progress.apply(InFlight("look", page=page))
        return "the worker was ended by signal 11"

    return visit


def test_a_document_that_ends_workers_wherever_they_look_is_refused(installed, pool, parts):
    engine = Engine(installed, workers=pool)
    content = SourceContent.of_bytes(b"shared\nsegfault", media_type=parts.TYPE)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities())
    for spoilt, page in ({}, 0), ({"_ended_looking": MOST}, 1):
        progress = Progress(observer="fake", page_count=2, tells=True, **spoilt)
        pool._visit = ends_while_it_looks_at(page)
        with pytest.raises(SourceError, match=r"could not be observed.*signal 11"):
            engine.work(job, progress=progress)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        ("open", "the document could not be opened"),
        ("look", "the document could not be observed"),
        ("plan", "the document could not be observed"),
        ("render", "the picture could not be made"),
        (None, "the work on the document could not go on"),
    ],
)
def test_what_ended_a_worker_is_told_by_the_step_it_was_in(installed, pool, parts, step, sentence):
    engine = Engine(installed, workers=pool)
    content = SourceContent.of_bytes(b"one", media_type=parts.TYPE)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities())

    def visit(job, progress, deadline):
        progress.apply(InFlight(step) if step else Opened(1, "fake"))
        return "the worker was ended by signal 11"

    pool._visit = visit
    with pytest.raises(WorkerLost, match=f"^{sentence}: the worker was ended by signal 11$"):
        engine.work(job, progress=Progress(observer="fake", page_count=1, tells=True))


def visits(frames, then):
    """Stands for workers of which the first reads something, and all end at the same step."""
    rest = list(frames)

    def visit(job, progress, deadline):
        for frame in rest:
            progress.apply(frame)
        rest.clear()
        progress.in_flight = then
        return "the worker was ended by signal 11"

    return visit


def one_page_read(engine, content, asked):
    """What a worker says until it has read the first page."""
    progress, wanted = Progress(), engine.job(content, asked, engine.capabilities())
    for frame in work_on(wanted, progress, engine.registry, Deadline()):
        progress.apply(frame)
        yield frame
        if progress.readings:
            return


@pytest.mark.parametrize(
    ("then", "why"),
    [
        (InFlight("recognise", "fake-parser"), "it ended 5 workers"),
        (None, "the worker was ended by signal 11"),
    ],
)
def test_what_was_read_stands_where_the_work_is_given_up_and_the_rest_has_its_reason(
    installed, pool, monkeypatch, then, why
):
    engine = Engine(installed, workers=pool)
    content = SourceContent.of_bytes(b"shared\ntwo\nthree", media_type="text/x-fake")
    frames = one_page_read(engine, content, EncodeRequestPart(constraints=ONLY_READER))
    monkeypatch.setattr("indx_runtime.workers._MOST_VISITS", 5)
    monkeypatch.setattr(pool, "_visit", visits(frames, then))
    result = encode(installed, pool, "two", "three", constraints=ONLY_READER)
    assert pages(result) == [("ok", "shared"), ("failed", None), ("failed", None)]
    told = [(e.pages, e.reason) for e in result.trace.events if e.outcome == "failed"]
    assert told == [((2, 3), why)]
    (left,) = result.trace.failures
    assert (left.role, left.reason) == ("chunker", f"the work on the document could not go on: {why}")


def test_the_documents_inside_are_said_to_be_unlisted_where_the_work_is_given_up(installed, pool, parts):
    engine = Engine(installed, workers=pool)
    content = SourceContent.of_bytes(b"shared\ntwo", media_type=parts.TYPE)
    pool._visit = visits(one_page_read(engine, content, EncodeRequestPart()), None)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities(), members=True)
    progress = engine.work(job)
    assert progress.lapse == "ended"  # another time they may be listed
    (member,) = progress.members
    assert member.reason == "the work on the document could not go on: the worker was ended by signal 11"


def test_only_pages_that_have_a_rung_left_are_given_up_each_for_its_own_reason(installed, parts):
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"shared\ntwo\nthree\nfour", media_type=parts.TYPE)
    progress = Progress()
    for frame in one_page_read(engine, content, EncodeRequestPart()):
        progress.apply(frame)
    progress.read_again([1])
    progress.lost[3] = "the worker was ended by signal 9"
    for rung in routes_of(progress.plan, 4)[4]:
        progress.apply(Attempted(Attempt(rung, 4, "failed", "before", None, 0.0, 0.0)))
    told = len(progress.attempts)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities())
    give_up(replace(job, again={1: ("fake-ocr",)}), progress, "it ended 100 workers")
    assert [(a.page, a.capability_id, a.reason) for a in progress.attempts[told:]] == [
        (1, "fake-ocr", "it ended 100 workers"),
        (2, "fake-reader", "it ended 100 workers"),
        (3, "fake-reader", "the worker was ended by signal 9"),
    ]
    assert progress.readings[1].text == "shared"


def test_a_document_of_which_nothing_was_read_is_refused_when_it_is_given_up(installed, pool, parts):
    engine = Engine(installed, workers=pool)
    content = SourceContent.of_bytes(b"shared\ntwo", media_type=parts.TYPE)
    frames = [f for f in one_page_read(engine, content, EncodeRequestPart()) if not isinstance(f, Attempted)]
    pool._visit = visits(frames, None)
    with pytest.raises(WorkerLost, match=r"could not go on: the worker was ended by signal 11"):
        engine.work(engine.job(content, EncodeRequestPart(), engine.capabilities()))


@pytest.mark.parametrize("missing", ["look", "found", "take_over", "pass_over"])
def test_a_session_that_is_not_wholly_a_shared_one_goes_on_by_itself_and_a_lost_page_does_no_harm(
    parts, registry_of, monkeypatch, missing
):
    monkeypatch.setattr(parts.SharedSession, missing, None)
    monkeypatch.setattr(parts.SharedSession, "observe", parts.Session.observe)
    registry = registry_of(("indx.capabilities", parts.reader()))
    content = SourceContent.of_bytes(b"shared\ntwo", media_type=parts.TYPE)
    assert shared(parts.SharedSession(content)) is None
    engine = Engine(registry)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities(), execute=False)
    progress = Progress(lost={2: "the worker was ended by signal 11"})
    frames = []
    for frame in work_on(job, progress, registry, Deadline(), Words(lambda **_: (), 1 << 20)):
        progress.apply(frame)
        frames.append(frame)
    assert [frame.shared for frame in frames if isinstance(frame, Opened)] == [False]
    assert isinstance(frames[-1], Planned)


def test_what_others_found_is_bounded_by_what_this_worker_may_hold(session, monkeypatch, caplog):
    monkeypatch.setenv("INDX_WORKER_MEMORY_BYTES", "not asked for")
    packed = pack(0, "frame", {"line": "x" * 2_000})
    words = Words(lambda: [(2, packed)], 8 * len(packed))
    assert take_over(session, words) == {2}
    assert take_over(session, replace(words, limit=len(packed) - 16)) == {2}
    assert take_over(session, replace(words, limit=len(packed) - 17)) == set()
    assert "page 2 is not taken over" in caplog.text


def test_a_plan_is_made_around_the_page(installed, pool):
    engine = Engine(installed, workers=pool)
    plan = engine.plan(PlanRequest(source=source("two", "segfault"), granularities=["PAGE"])).plan
    again = engine.plan(PlanRequest(source=source("two", "segfault"), granularities=["PAGE"])).plan
    assert plan == again
    assert plan.status == "ready"
    assert [reason.pages for reason in plan.reasons if reason.code == "unseen"] == [(3,)]


def test_nobody_who_helps_is_asked_for_a_page_that_is_lost(installed):
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"shared", media_type="text/x-fake")
    job = engine.job(content, EncodeRequestPart(), engine.capabilities())
    assert isinstance(job, DocumentJob)
    progress = Progress(page_count=9, lost={1: "x", 2: "x", 5: "x", 9: "x"})

    class Lead:
        number = 1

    help_ = Help(Lead(), job, progress, lambda: False)
    asked = []
    while page := help_._next():
        asked.append(page)
    assert asked == [8, 7, 6, 4, 3]
    assert not help_.wanted


@pytest.fixture
def session(parts):
    text = "\n".join(["shared", "two", "three", "four"]).encode()
    return parts.SharedSession(SourceContent.of_bytes(text, media_type=parts.TYPE))


def told(session, progress, monkeypatch, clock=(0.0,) * 99):
    ticks = iter(clock)
    monkeypatch.setattr("indx_runtime.sharing.time.monotonic", lambda: next(ticks))
    return [frame.page for frame in look_at_pages(session, Words(lambda: (), 1 << 20), progress)]


def test_no_word_is_given_of_each_page_until_a_worker_was_lost(session, monkeypatch):
    assert told(session, Progress(page_count=4), monkeypatch) == [0]
    assert told(session, Progress(page_count=4, tells=True), monkeypatch) == [0, 1, 2, 3, 4]
    assert told(session, Progress(page_count=4, tells=True, lost={3: "x"}), monkeypatch) == [0, 1, 2, 4]


def test_long_looking_gives_signs_of_life_that_name_no_page(session, monkeypatch):
    assert told(session, Progress(page_count=4), monkeypatch, (0, 0.5, 1.5, 1.5, 2.0, 2.6, 2.6)) == [0, 0, 0]


class Drawing:
    """A chunker that draws every page it is asked about."""

    port_version = 1
    declaration = ChunkerDeclaration("drawing", 1, True, (), "pictures", 1)

    def chunk(self, document, session, pages):
        draft = ChunkDraft("drawn", spans=[], box_reason="no_geometry")
        return {page: [draft] for page in pages if session.render(page, dpi=9, max_pixels=9)}


@pytest.fixture
def drawing(monkeypatch):
    provider = SimpleNamespace(item=Drawing(), distribution="fake")
    monkeypatch.setattr("indx_runtime.chunking._order", lambda *_: [provider])


@pytest.mark.usefixtures("drawing")
def test_what_cannot_be_drawn_of_a_lost_page_costs_no_other_page_its_picture(session, monkeypatch, installed):
    def render(page, **_):
        if page == 2:
            raise MemoryError
        return True

    monkeypatch.setattr(session, "render", render, raising=False)
    engine = Engine(installed)
    job = replace(engine.job(session.source, EncodeRequestPart(), engine.capabilities()), chunkers=())
    progress = Progress(page_count=4, lost={2: "the worker was ended by signal 11"})
    document = DocumentReading(session.media_type, None, progress.document_pages())
    cut = []
    for frame in chunk_pages(session, document, job, progress, installed, deadline=Deadline()):
        progress.apply(frame)
        cut += frame.drafts if isinstance(frame, Cut) else ()
    assert cut == [1, 3, 4]
    assert [left.chunker for left in progress.left_out] == ["drawing@1"]
