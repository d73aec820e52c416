"""What a worker may say: frames whole, and nothing else, whatever its bytes are."""

import logging
import os
import struct
import sys
import tracemalloc
from array import array
from contextlib import suppress
from dataclasses import replace
from math import copysign, isnan, nan
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.contracts import EncodeRequestPart, InlineSource, PlanRequest
from indx_core.ports import (
    Cell,
    ChunkDraft,
    ChunkLayout,
    Heading,
    Link,
    Member,
    PageReading,
    Raster,
    RoleSpan,
    SourceContent,
    Table,
)
from indx_runtime import Engine
from indx_runtime.assembling import MAX_CELLS
from indx_runtime.celling import with_cells
from indx_runtime.incoming import accept
from indx_runtime.messages import Garbled, Inbox, Mailbox, pack, pack_job, pack_word
from indx_runtime.packing import CELL
from indx_runtime.progress import (
    Attempt,
    Attempted,
    Cut,
    Found,
    InFlight,
    LeftOut,
    MemberFound,
    Opened,
    ParserFailed,
    Pictured,
    Planned,
    Progress,
)
from indx_runtime.settings import WORKER_MEMORY
from indx_runtime.worker import _LogRecords

TYPE = "text/x-fake"
TABLE = Table(0, 3, 1, 1, 0, (Cell(1, 1, 1, 1, "abc", 0, 3, (0.0, 0.0, 1.0, 1.0)),), "caption")
READING = PageReading(
    1, "abc", array("q", [0]), array("q", [3]), array("d", [0, 0, 1, 1]), tables=[TABLE],
    links=[Link(0, 3, "x")], headings=[Heading(0, 3, 1)], roles=[RoleSpan(0, 3, "title")],
    hidden=[(0, 1)], metadata={"a": [1, None, {"b": "c"}]}, confidence=0.5,
)  # fmt: skip
DRAFT = ChunkDraft(
    "abc", spans=[(0, 3)], box=(0.0, 0.0, 1.0, 1.0), layout=ChunkLayout("table", TABLE), section=["a"]
)
READ = Attempt("r", 1, "read", None, 0.5, 1.0, 0.0)
FRAMES = [
    InFlight("read", "r", 1),
    Opened(1, "dist"),
    Opened(1, "dist", shared=True),
    ParserFailed("p", "why"),
    Pictured(Raster(1, 1, b"rgb", 96)),
    Pictured(None),
    Attempted(READ, READING),
    Attempted(Attempt("r", 1, "failed", "why", None, 1.0, 0.0)),
    Cut("dist", "c", 1, {1: (DRAFT,)}),
    LeftOut("c@1", "why"),
    MemberFound(Member("a", None, b"x")),
]


def arrive(packed, limit=1_000_000):
    inbox = Inbox(limit)
    inbox.feed(packed)
    return inbox.take()


def said(text, behind=b""):
    """A message of JSON that no worker of ours wrote."""
    return struct.pack("<QQ", len(text), len(behind)) + text + behind


def known():
    return Progress(page_count=1, readings={1: READING})


@pytest.fixture
def job(installed):
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"one", media_type=TYPE)
    return engine.job(content, EncodeRequestPart(), engine.capabilities())


@pytest.fixture
def plan(installed):
    return Engine(installed).plan(PlanRequest(source=InlineSource(data=b"one", media_type=TYPE))).plan


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__name__)
def test_a_frame_travels_whole_and_is_accepted_as_it_is(job, frame):
    assert arrive(pack(3, "frame", frame)) == (3, "frame", frame)
    assert accept(frame, job, known()) == frame


def test_a_plan_travels_whole(job, plan):
    arrived = arrive(pack(1, "frame", Planned(plan)))[2]
    assert arrived == Planned(plan)
    assert accept(arrived, job, known()) == arrived


class Text(str):
    __slots__ = ()


ODD = [float("inf"), float("-inf"), 2**70, -(2**70), "\ud800", "\udfff x" * 500, True, 1.0, 0, "", b"", ()]


@pytest.mark.parametrize("value", ODD, ids=ascii)
def test_what_little_else_can_say_travels_as_it_is(value):
    arrived = arrive(pack(1, "frame", Heading(0, 3, [value, {"a": value}])))[2].level
    assert arrived == [value, {"a": value}]
    assert type(arrived[0]) is type(value)


def test_what_is_no_number_travels_as_no_number():
    start, level = (
        getattr(arrive(pack(1, "frame", Heading(nan, 3, -0.0)))[2], at) for at in ("start", "level")
    )
    assert isnan(start)
    assert copysign(1, level) == -1


def test_what_is_a_kind_of_plain_data_travels_as_plain_data():
    arrived = arrive(pack(1, "frame", Heading(0, 3, Text("x"))))[2]
    assert type(arrived.level) is str


CELLS = [
    Cell(1, 1, 1, 2, "", 0, 0),
    Cell(2, 1, 1, 1, "\ud800é\n", 0, 3, (0.0, 0.25, 0.5, 1.0)),
    Cell(2, 2, 3, 1, "x" * 2000, 3, 2003, (0.5, 0.25, 1.0, 1.0)),
]
ODD = [Cell(2**70, 1, 1, 1, "too large", 0, 3), Cell(1, 1, 1, 1, "a list", 0, 3, [0.0, 0.0, 1.0, 1.0])]


@pytest.mark.parametrize("kind", [list, tuple])
@pytest.mark.parametrize("cells", [[], CELLS, CELLS * 50, CELLS + ODD, [*CELLS, "no cell"]])
def test_cells_of_a_table_travel_whole_few_or_many(cells, kind):
    table = Table(0, 3, 9, 9, 1, kind(cells), "caption")
    arrived = arrive(pack(1, "frame", table))[2]
    assert arrived == table
    assert type(arrived.cells) is kind


def test_a_box_that_is_none_travels_to_be_refused():
    nowhere = Cell(1, 1, 1, 1, "x", 0, 1, (float("nan"), 0.0, 1.0, 1.0))
    arrived = arrive(pack(1, "frame", Table(0, 1, 1, 1, 0, (nowhere,))))[2]
    assert str(arrived.cells[0].box) == "(nan, 0.0, 1.0, 1.0)"


def column(numbers, typecode="q"):
    return array(typecode, numbers).tobytes()


def ruled(numbers, text, boxes, *, table='["Table", 0, 3, 1, 1, 0, ["tuple"], null]'):
    """A message of a table with its cells in columns, as somebody made it up."""
    behind = [column(numbers), text.encode(), column(boxes, "d")]
    sizes = [len(data) for data in behind]
    made = f'["Ruled", {table}, ["array", 0, "q"], ["text", 1], ["array", 2, "d"]]'
    return said(f'[1, "frame", {made}, {sizes}]'.encode(), b"".join(behind))


def test_columns_that_fit_each_other_are_a_table():
    arrived = arrive(ruled([1, 1, 1, 1, 0, 3, 3], "abc", [0, 0, 1, 1]))[2]
    assert arrived.cells == (Cell(1, 1, 1, 1, "abc", 0, 3, (0.0, 0.0, 1.0, 1.0)),)


@pytest.mark.parametrize(
    "message",
    [
        ruled([1, 1, 1, 1, 0, 3, 2], "abc", [0, 0, 1, 1]),
        ruled([1, 1, 1, 1, 0, 3, 3], "abc", [0, 0, 1]),
        ruled([1, 1, 1, 1, 0, 3, 3, 1], "abc", [0, 0, 1, 1]),
        ruled([1, 1, 1, 1, 0, 3, 4, 1, 2, 1, 1, 0, 3, -1], "abc", [0, 0, 1, 1] * 2),
        ruled([1, 1, 1, 1, 0, 3, 3], "abc", [0, 0, 1, 1], table='["list"]'),
        ruled([1, 1, 1, 1, 0, 3, 3], "abc", [0, 0, 1, 1], table='["Table", 0, 3, 1, 1, 0, "abc", null]'),
        ruled(
            [1, 1, 1, 1, 0, 0, 0] * 4000, "", [0, 0, 1, 1] * 4000
        ),  # more than a message may make of itself
    ],
)
def test_columns_that_fit_nothing_are_garbled(message):
    with pytest.raises(Garbled):
        arrive(message)


def grid(count):
    return Table(0, 3, count, 1, 0, tuple(Cell(row, 1, 1, 1, "ab", 0, 2) for row in range(1, count + 1)))


def test_cells_are_counted_by_what_they_take_over_all_tables_of_a_message():
    limit = 100 * CELL
    assert len(arrive(pack(1, "frame", grid(100)), limit)[2].cells) == 100
    assert len(arrive(pack(1, "frame", (grid(40), grid(60))), limit)[2]) == 2
    for tables in (grid(101), (grid(41), grid(60))):
        with pytest.raises(Garbled):
            arrive(pack(1, "frame", tables), limit)


@pytest.mark.parametrize("kind", ["tuple", "list"])
def test_no_cell_takes_more_than_is_counted_for_it(kind):
    count = 5_000
    numbers, boxes = array("q", [2**62] * 6 + [2]) * count, array("d", [0.1, 0.2, 0.3, 0.4]) * count
    table = Table(0, 3, 1, 1, 0, () if kind == "tuple" else [])
    text = "é语" * count
    tracemalloc.start()
    try:
        cells = with_cells(table, numbers, text, boxes).cells
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    texts = sum(sys.getsizeof(cell.text) for cell in cells)
    assert 0.8 * CELL * count < peak - texts < CELL * count


SMALL = 10_000  # times smaller than what is allowed


@pytest.mark.parametrize("most", [MAX_CELLS, 3_000_000], ids=["of an answer", "of an office document"])
def test_as_many_cells_as_are_read_fit_the_memory_a_worker_has_by_default(most):
    arrived = arrive(pack(1, "frame", grid(most // SMALL)), WORKER_MEMORY.default // SMALL)
    assert len(arrived[2].cells) == most // SMALL


@pytest.mark.parametrize("part", ['["array", 0, "d"]', '["text", 0]', '["bytes", 0]'])
def test_what_stands_behind_a_message_is_used_once(part):
    behind = bytes(800)
    once, twice = (f'[1, "frame", ["list", {", ".join([part] * n)}], [{len(behind)}]]' for n in (1, 2))
    assert len(arrive(said(once.encode(), behind))[2]) == 1
    with pytest.raises(Garbled):
        arrive(said(twice.encode(), behind))


KINDS = [
    READING,
    PageReading(2, reason="no_text_layer"),
    PageReading(1, "ab", array("q", [0]), array("q", [2]), None, part_starts=array("q", [0, 1]),
                part_ends=array("q", [1, 2]), part_boxes=array("d", [nan] * 8), cost_usd=0.5),
    PageReading(1, "ab", array("q", [0]), array("q", [2]), array("d"), tables=(TABLE,), links=[], headings=(),
                roles=[], hidden=((0, 1), (1, 2)), metadata={}, confidence=1.0),
    DRAFT,
    ChunkDraft(None, Raster(1, 1, b"rgb", 96), box_reason="no_geometry"),
    ChunkDraft("x" * 2000, spans=((0, 3), (4, 2**70)), box_reason="hidden", section=("a", "\ud800")),
    ChunkDraft("", spans=[(0, 0)], box=(0.25, 0.0, 1.0, 1.0), section=["b" * 2000]),
]  # fmt: skip


@pytest.mark.parametrize("one", KINDS, ids=lambda one: f"{type(one).__name__} {one.text!r:.9}")
def test_readings_and_chunks_travel_whole_whatever_is_empty_in_them(one):
    arrived = arrive(pack(1, "frame", one))[2]
    assert repr(arrived) == repr(one)  # no number is equal to none


@pytest.mark.parametrize(
    "made",
    [
        '["Page", -1, 1, -1, -1, -1, -1, -1, 1, "x", null, null, null, 0.0, 0, 0, 0, 0, 0]',
        '["Page", 0, -1, -1, -1, -1, -1, -1, 1, "x", null, null, null, 0.0, 0, 0, 0, 0, 0]',
        '["Page", 0, 2, 0, 0, 0, 0, -1, 1, "x", null, null, null, 0.0, 0, 0, 0, 0, 0]',
        '["Page", 0, 1, 0, 0, 0, 0, -1, 1, "x", null, null, null, 0.0, 0, 0, 0, 0, 2]',
        '["Page", 0, 1, 0, 0, 0, 0, -1, 1, "x", null, null, null, 0.0, 0, 0, 0, 0]',
        '["Page", 0, 1, 0, 0, 0, 0, -1, 1, "x", null, null, null, 0.0, 0, 0, 0, 0, 0, 0]',
        '["Page"]',
        '["Draft", "x", null, null, null, null, 0, 0, [], 1]',
        '["Draft", "x", null, null, null, null, 2, 0, []]',
        '["Draft", "x", null, null, null, null, 0, 0, null]',
        '["Draft", "x", null, null, null, 1, 0, 0, []]',
        '["Draft", "x"]',
    ],
)
def test_readings_and_chunks_that_do_not_fit_themselves_are_garbled(made):
    with pytest.raises(Garbled):
        arrive(said(f'[1, "frame", {made}, [8]]'.encode(), bytes(8)))


def test_texts_and_metadata_of_any_size_and_kind_travel_whole():
    metadata = {"list": ["Cell", 1], "long": "é\ud800" * 5000, "": {}, "n": [None, True, 1.5, 2**70]}
    frame = Attempted(READ, PageReading(1, "語" * 100_000, metadata=metadata))
    assert arrive(pack(1, "frame", frame))[2] == frame


@pytest.mark.parametrize("odd", [object(), {1, 2}, Path(), Progress, 1j])
def test_what_no_message_holds_is_not_packed(odd):
    with pytest.raises(TypeError, match="no message holds"):
        pack(1, "frame", Heading(0, 1, odd))


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{}",
        b"[1]",
        b'[1, "frame", ["os.system", "true"], []]',
        b'[1, "frame", ["Progress"], []]',
        b'[1, "frame", ["Cell", 1], []]',
        b'[1, "frame", [], []]',
        b'[1, "frame", [["list"]], []]',
        b'[1, "frame", ["bytes", 0], []]',
        b'[1, "frame", ["bytes", "x"], []]',
        b'[1, "frame", ["array", 0, "u"], [0]]',
        b'[1, "frame", ["array", 0, "q"], [3]]',
        b'[1, "frame", ["dict", ["list"], 1], []]',
        b'[1, "frame", ["dict", 1], []]',
        b'[1, "frame", ["Planned", "{}"], []]',
        b'[1, "frame", ["text", 0], [4]]',
        b"[" * 100_000,
        b'[1, "frame", ' + b'["list", ' * 5000 + b"1" + b"]" * 5000 + b", []]",
        b"\xff\xfe",
    ],
    ids=lambda text: text[:40],
)
def test_nothing_else_is_made_from_a_message(text):
    with pytest.raises(Garbled):
        arrive(said(text, b"\xff\xff\xff\xff"))


@given(st.binary(max_size=200))
@settings(derandomize=True, deadline=None)
def test_any_bytes_are_a_message_or_garbled(data):
    with suppress(Garbled):
        arrive(data)
    with suppress(Garbled):
        arrive(said(data))


@given(st.sampled_from(FRAMES), st.integers(0, 1000), st.integers(0, 255))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_a_damaged_message_is_garbled_or_refused_and_nothing_worse(frame, position, value):
    data = bytearray(pack(1, "frame", frame))
    data[position % len(data)] = value
    with suppress(Garbled, ValueError, TypeError, AttributeError):
        if message := arrive(bytes(data)):
            accept(message[2], None, known())


def test_messages_come_out_of_an_inbox_whole_however_they_came_in():
    packed = b"".join(pack(1, "frame", frame) for frame in FRAMES)
    inbox, taken = Inbox(100_000), []
    for start in range(0, len(packed), 7):
        inbox.feed(packed[start : start + 7])
        while (message := inbox.take()) is not None:
            taken.append(message[2])
    assert taken == FRAMES
    assert len(inbox) == 0


def test_a_message_longer_than_allowed_is_garbled_before_it_has_come():
    for sizes in ((101, 0), (51, 350), (0, 401)):
        with pytest.raises(Garbled, match="bytes"):
            arrive(struct.pack("<QQ", *sizes), limit=400)
    assert arrive(struct.pack("<QQ", 50, 350), limit=400) is None


@pytest.mark.parametrize(
    "frame",
    [
        None,
        READING,
        InFlight("sleep"),
        InFlight("read", "r", 2),
        InFlight("read", 5, 1),
        Opened(10**9, "d"),
        Opened(-1, "d"),
        Opened(True, "d"),
        Opened(1, None),
        Found(1, b"only who helps sends this"),
        Planned(None),
        Pictured("pixels"),
        Pictured(Raster(5, 5, b"rgb", 96)),
        Attempted(READ),
        Attempted(replace(READ, outcome="failed"), READING),
        Attempted(replace(READ, outcome="lost")),
        Attempted(replace(READ, page=2), READING),
        Attempted(replace(READ, quality=7.0), READING),
        Attempted(replace(READ, latency_ms=float("nan")), READING),
        Attempted(replace(READ, cost_usd=-1.0), READING),
        Attempted(READ, PageReading(2, "abc")),
        Attempted(READ, PageReading(1, 5)),
        Attempted(READ, "text"),
        Attempted(None, READING),
        Cut("d", "c", 0, {}),
        Cut("d", "c", 1, {1: ["x"]}),
        Cut("d", 5, 1, {}),
        Cut("d", "c", 1, [1]),
        LeftOut(5, "x"),
        MemberFound("x"),
        MemberFound(Member("a", None, "text")),
    ],
    ids=str,
)
def test_a_frame_that_fits_nothing_is_refused(job, frame):
    with pytest.raises((ValueError, TypeError, AttributeError)):
        accept(frame, job, known())


@pytest.mark.parametrize("member", ["source_digest", "snapshot_id", "plan_id", "media_type", "status"])
def test_a_plan_for_something_else_is_refused(job, plan, member):
    other = "text/x-other" if member == "media_type" else "sha256:" + "0" * 64
    changed = plan.model_copy(update={member: "unsatisfied" if member == "status" else other})
    with pytest.raises(ValueError, match="something else"):
        accept(Planned(changed), job, known())


# What the pool sends


@pytest.fixture
def mail():
    """A mailbox, and what puts something into it; None ends it."""
    source, sink = os.pipe()

    def send(data):
        if data is None:
            os.close(sink)
        else:
            os.write(sink, data)

    yield Mailbox(source), send
    os.close(source)


def test_what_is_found_travels_from_worker_to_worker_unopened():
    found = {"text": "a" * 2000, "columns": array("d", [1.5, float("inf")]), "tables": (TABLE,), "none": None}
    frame = arrive(pack(5, "frame", Found(3, pack(0, "frame", found))))[2]
    assert arrive(frame.packed)[2] == found


def test_jobs_come_one_after_another_and_word_about_earlier_ones_is_passed_over(mail, job):
    box, send = mail
    send(pack_job(1, job, Progress(), 2.5) + pack_word(1, 7, b"late") + pack_job(2, job, Progress(), None))
    assert box.job() == (1, job, Progress(), 2.5)
    assert box.job() == (2, job, Progress(), None)
    send(pack_word(2, 9) + pack_job(3, job, Progress(), None)[:-1])
    send(None)
    assert box.job() is None


def test_word_that_has_come_is_told_and_nothing_is_waited_for(mail):
    box, send = mail
    assert list(box.words(4)) == []
    whole = pack_word(4, 1, b"one") + pack_word(3, 2, b"of an earlier job") + pack_word(4, 3)
    send(whole[:-1])
    assert list(box.words(4)) == [(1, b"one")]
    send(whole[-1:])
    assert list(box.words(4)) == [(3, b"")]
    send(None)
    assert list(box.words(4)) == []


def test_who_waits_for_word_waits_until_the_pool_is_gone(mail):
    box, send = mail
    send(pack_word(4, 1) + pack_word(4, 0))
    send(None)
    assert list(box.words(4, wait=True)) == [(1, b""), (0, b"")]


def test_a_log_record_that_a_worker_cuts_ends_in_no_part_of_a_secret(monkeypatch):
    monkeypatch.setenv("INDX_FAKE_API_KEY", "key-0123456789")
    sent = []
    stand_in = type("Outbox", (), {"send": lambda self, kind, payload: sent.append(payload)})()
    message = "x" * 1_990 + "key-0123456789"
    _LogRecords(stand_in).emit(logging.LogRecord("indx.x", logging.INFO, "", 0, message, None, None))
    assert sent == [("indx.x", logging.INFO, "x" * 1_990 + "***")]
