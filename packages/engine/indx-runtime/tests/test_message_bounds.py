"""What a message may become in the memory of the pool, however a worker that was taken over makes it up."""

import json
import struct
import tracemalloc
from array import array
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.contracts import Plan
from indx_core.ports import (
    Cell,
    ChunkDraft,
    ChunkLayout,
    Heading,
    Link,
    PageReading,
    RoleSpan,
    Table,
)
from indx_runtime.checking import check_drafts, check_reading
from indx_runtime.incoming import accept
from indx_runtime.messages import Garbled, Inbox, pack
from indx_runtime.packing import VALUE
from indx_runtime.progress import Attempt, Attempted, Cut, Progress

LIMIT = 4_000_000


def arrive(text, behind=b"", limit=LIMIT):
    inbox = Inbox(limit)
    inbox.feed(struct.pack("<QQ", len(text), len(behind)) + text + behind)
    return inbox.take()


def peak_of(text, behind=b""):
    """The memory that a message takes while it is read, over what it is itself."""
    tracemalloc.start()
    try:
        arrive(text, behind)
        return tracemalloc.get_traced_memory()[1] - 2 * (len(text) + len(behind))
    finally:
        tracemalloc.stop()


def repeated(unit, around='["list",?]'):
    """As often as fits the JSON of a message, and about as often as its values may take."""
    values, size = 1 + sum(map(unit.count, ",[{")), len(unit.encode()) + 1
    counts = (LIMIT // 8 - 100) // size, LIMIT // (VALUE * values + 4 * size) - 10
    frames = (around.replace("?", ",".join([unit] * count)) for count in counts)
    return [f'[1,"frame",{frame},[]]'.encode() for frame in frames]


UNITS = {
    "list": '["list"]',
    "tuple": '["tuple",1]',
    "dict": '["dict"]',
    "array": '["array",-1,"q"]',
    "mark": '["Heading",1,1,1]',
    "reading": '["Page",-1,-1,-1,-1,-1,-1,-1,1,"",0,0,0,0,1,1,1,1,1]',
    "reading with empty columns": '["Page",-1,0,0,0,0,0,0,1,"",0,0,0,0,1,1,1,1,1]',
    "draft": '["Draft",1,1,1,1,"",1,1,[]]',
    "draft with spans": '["Draft",1,1,1,1,null,1,1,[]' + ",999,999" * 50 + "]",
}
PLAIN = {
    "object": "{}",
    "object of one": '{"":1}',
    "list": "[]",
    "list of one": "[1]",
    "number": "1e9",
    "text": '"éa"',
}


@pytest.mark.parametrize("unit", UNITS.values(), ids=UNITS)
def test_what_is_made_of_a_message_takes_no_more_than_is_allowed(unit):
    too_much, much = repeated(unit)
    assert 0.2 * LIMIT < peak_of(much) < LIMIT
    with pytest.raises(Garbled, match="ValueError"):
        arrive(too_much)


@pytest.mark.parametrize("unit", PLAIN.values(), ids=PLAIN)
def test_what_json_is_read_into_takes_no_more_than_is_allowed(unit):
    too_much, much = repeated(unit, around='["list",{"a":[?]}]')
    assert 0.2 * LIMIT < peak_of(much) < LIMIT
    with pytest.raises(Garbled, match="ValueError"):
        arrive(too_much)


def test_texts_of_many_commas_are_a_message_where_what_they_take_is_allowed():
    text = ",[{" * 300  # a thousand go behind the JSON
    message = pack(1, "frame", [text] * (LIMIT // 8 // 1_000))
    inbox = Inbox(200 * LIMIT)
    inbox.feed(message)
    assert inbox.take()[2][0] == text


def test_what_stands_in_texts_is_no_value():
    """A file of numbers and brackets is cut into texts that go within the JSON."""
    texts = ['[{,"\\' * 30, "x" * 30, ",[" * 100] * (LIMIT // 8 // 700)
    message = pack(1, "frame", texts)
    inbox = Inbox(LIMIT)
    inbox.feed(message)
    assert inbox.take()[2] == texts
    assert VALUE * message.count(b",") > LIMIT


@pytest.mark.parametrize("closing", ["", '"', '\\"', '\\\\"'])
def test_values_behind_a_text_are_values(closing):
    values = ",".join(["{}"] * (LIMIT // 8 // 4))
    for frame in (f'["a",{{"b{closing}":[{values}]}}]', f'["\\"",{{"b":["c{closing}",{values}]}}]'):
        with pytest.raises(Garbled):
            arrive(f'[1,"frame",{frame},[]]'.encode())


def test_letters_are_counted_beside_the_values_of_json():
    values = LIMIT * 7 // 10 // (2 * VALUE)
    frame = ",".join(["[]"] * values)
    letters = "\U0001f600" + "a" * (LIMIT // 8 - len(frame) - 100)
    for text, allowed in (("", True), (letters, False)):
        message = f'[1,"frame",["list",{{"a":[{frame}],"b":"{text}"}}],[]]'.encode()
        if allowed:
            assert arrive(message)
        else:
            with pytest.raises(Garbled, match="ValueError"):
                arrive(message)


def test_a_text_that_takes_too_much_is_not_made_first():
    text = "\U0001f600".encode() + b"a" * (LIMIT * 9 // 10)
    tracemalloc.start()
    try:
        with pytest.raises(Garbled):
            arrive(f'[1,"frame",["text",0],[{len(text)}]]'.encode(), text)
        assert tracemalloc.get_traced_memory()[1] < 4 * LIMIT  # it comes, and is taken out, twice as large
    finally:
        tracemalloc.stop()


def test_parts_are_counted_by_number_as_well():
    sizes = ",".join(["0"] * (LIMIT // 8 // 2 - 50))
    with pytest.raises(Garbled):
        arrive(f'[1,"frame",1,[{sizes}]]'.encode())
    few = ",".join(["0"] * 20_000)
    assert peak_of(f'[1,"frame",1,[{few}]]'.encode()) < LIMIT


@pytest.mark.parametrize(
    "sizes",
    [
        [8, -8, 8],
        [16, -8],
        [-8, 16],
        [8, 8],
        [4],
        [],
        [2**70, 8 - 2**70],
        [8.0],
        ["8"],
        [[8]],
        "8",
        {"8": 8},
        8,
        None,
    ],
    ids=repr,
)
def test_parts_that_are_not_what_stands_behind_one_after_another_are_garbled(sizes):
    """A size below nothing had bytes stand for several parts, of which each was made."""
    with pytest.raises(Garbled):
        arrive(f'[1,"frame",["bytes",0],{json.dumps(sizes)}]'.encode(), bytes(8))


@pytest.mark.parametrize("index", ["-1", "3", "true", "0.0", '"0"', "null", "[0]", "1" + "0" * 30])
@pytest.mark.parametrize("kind", ["bytes", "text"])
def test_a_part_that_there_is_none_of_is_garbled(kind, index):
    message = f'[1,"frame",["list",["{kind}",1],["{kind}",{index}]],[4,2,2]]'.encode()
    with pytest.raises(Garbled):
        arrive(message, bytes(8))


@pytest.mark.parametrize(
    ("texts", "allowed"),
    [
        (["a" * 900_000], True),
        (["é" * 200_000 + "a" * 500_000], True),
        (["\U00010300" + "a" * 240_000], True),
        (["\U00010300" + "a" * 260_000], False),
        (["\U00010300" + "a" * 130_000] * 2, False),
        (["語" * 10_000 + "a" * 300_000] * 2, False),
    ],
)
def test_texts_take_no_more_than_is_allowed_once_they_are_made(texts, allowed):
    inbox = Inbox(1_000_000)
    inbox.feed(pack(1, "frame", texts))
    if allowed:
        assert inbox.take()[2] == texts
    else:
        with pytest.raises(Garbled):
            inbox.take()


@pytest.mark.parametrize("entries", ["0", "{}", '{"page":1}'])
def test_a_plan_in_which_much_is_wrong_is_not_even_read(entries, monkeypatch):
    """What is told of each wrong value takes a thousand times its size."""
    plan = f'{{"pages":[{",".join([entries] * (LIMIT // 100))}]}}'.encode()
    assert len(plan) < LIMIT
    monkeypatch.setattr(Plan, "model_validate_json", lambda _: pytest.fail("it was read"))
    with pytest.raises(Garbled):
        arrive(f'[1,"frame",["Planned",["text",0]],[{len(plan)}]]'.encode(), plan)


@pytest.mark.parametrize("long_form", ['["PageReading",1]', '["ChunkDraft","x"]'])
def test_readings_and_chunks_have_one_form(long_form):
    with pytest.raises(Garbled, match="KeyError"):
        arrive(f'[1,"frame",{long_form},[]]'.encode())


# Any of what checks let through


text = st.text(max_size=12)
whole = st.integers(-3, 2**63)
number = st.floats(width=64) | st.integers(0, 3)
inside = st.tuples(st.integers(0, 4), st.integers(4, 8))
either = st.sampled_from([list, tuple])


def several(of, most=3):
    return st.builds(lambda kind, some: kind(some), either, st.lists(of, max_size=most))


boxes = st.none() | st.tuples(*[st.floats(-1, 2)] * 4)
cells = st.builds(Cell, *[st.integers(1, 2**64)] * 4, text, st.integers(0, 4), st.integers(4, 8), boxes)
tables = st.builds(
    Table, st.integers(0, 4), st.integers(4, 8), *[st.integers(0, 9)] * 3, several(cells), st.none() | text
)
facts = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(-1e9, 1e9) | text,
    lambda of: st.lists(of, max_size=3) | st.dictionaries(text, of, max_size=3),
    max_leaves=6,
)


def doubles(numbers):
    return array("d", numbers)


@st.composite
def readings(draw):
    count, parts = draw(st.integers(0, 3)), draw(st.integers(0, 2))
    words = draw(st.text(min_size=8, max_size=12) | st.just("語,[" * 400))
    sides = st.floats(-1, 2) | st.just(float("nan"))
    return PageReading(
        1, words, array("q", range(count)), array("q", range(1, count + 1)),
        draw(st.none() | st.lists(sides, min_size=4 * count, max_size=4 * count).map(doubles)),
        draw(several(tables)), draw(several(st.builds(lambda s, t: Link(*s, t), inside, text))),
        draw(several(st.builds(lambda s, n: Heading(*s, n), inside, st.integers(1, 9)))),
        draw(several(st.builds(lambda s, n: RoleSpan(*s, n), inside, st.sampled_from(["title", "caption"])))),
        draw(several(inside)), draw(st.none() | st.dictionaries(text, facts, max_size=3)),
        draw(st.none() | st.floats(0, 1) | st.integers(0, 1)), None, draw(st.floats(0, 9)),
        array("q", range(parts)), array("q", range(1, parts + 1)), array("d", [0.5] * 4 * parts),
    )  # fmt: skip


@st.composite
def drafts(draw):
    placed = draw(st.tuples(*[st.floats(-1, 2) | st.integers(0, 1)] * 4) | st.none())
    return ChunkDraft(
        draw(text | st.just("x" * 1_000)),
        None,
        draw(several(inside)),
        placed,
        None if placed else "no_geometry",
        draw(st.none() | st.builds(ChunkLayout, st.sampled_from(["table", "paragraph"]), st.none() | tables)),
        draw(several(text)),
    )


def travelled(frame):
    inbox = Inbox(LIMIT)
    inbox.feed(pack(7, "frame", frame))
    return inbox.take()[2]


@given(readings())
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_reading_that_is_let_through_travels_whole_and_is_let_through_again(reading):
    frame = Attempted(Attempt("r", 1, "read", None, None, 0.0, 0.0), check_reading(reading, 1))
    arrived = travelled(frame)
    assert repr(arrived) == repr(frame)
    assert repr(accept(arrived, None, Progress(page_count=1))) == repr(frame)
    assert repr(travelled(reading)) == repr(reading)  # as it is before that, too


@given(st.lists(drafts(), max_size=4))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_chunks_that_are_let_through_travel_whole_and_are_let_through_again(some):
    page = PageReading(1, "x" * 8)
    frame = Cut("d", "c", 1, check_drafts({1: some}, [1], {1: page}))
    arrived = travelled(frame)
    assert repr(arrived) == repr(frame)
    assert repr(accept(arrived, None, Progress(page_count=1, readings={1: page}))) == repr(frame)


SMALL = ["list", "tuple", "dict", "text", "bytes", "array", "float", "x"]
LARGE = ["Page", "Draft", "Ruled", "Table", "Cell", "Planned", "Member", "Raster"]
OUTER = ["Attempted", "Attempt", "Cut", "Opened", "InFlight", "MemberFound", "Pictured"]
names = st.sampled_from([*SMALL, *LARGE, *OUTER])
odd = st.none() | st.booleans() | st.integers(-2, 9) | st.integers() | st.floats(allow_nan=False) | text
made_up = st.recursive(
    odd,
    lambda of: (
        st.lists(of, max_size=20)
        | st.dictionaries(text, of, max_size=2)
        | st.builds(lambda name, rest: [name, *rest], names, st.lists(of, max_size=20))
    ),
    max_leaves=40,
)


@given(made_up, st.lists(st.integers(-8, 64), max_size=4) | odd, st.binary(max_size=64))
@settings(derandomize=True, deadline=None, max_examples=500)
def test_whatever_is_made_up_is_a_message_or_garbled(frame, sizes, behind):
    try:
        message = arrive(json.dumps([1, "frame", frame, sizes]).encode(), behind)
    except Garbled:
        return
    with suppress(ValueError, TypeError, AttributeError):  # any of which ends the worker
        accept(message[2], None, Progress(page_count=1))


@pytest.mark.parametrize("name", ["Page", "Draft", "list", "dict", "Ruled"])
@pytest.mark.parametrize("opening", ['["{}",', '{{"{}":['])
@pytest.mark.parametrize("odd", ["", " "], ids=["quick", "slow"])
def test_what_is_nested_too_deeply_is_garbled(name, opening, odd):
    start = opening.format(name)
    deep = (
        start * 20_000
        + "1"
        + "".join("]" if sign == "[" else "}" for sign in reversed(start) if sign in "[{") * 20_000
    )
    with pytest.raises(Garbled):
        arrive(f'{odd}[1,"frame",{deep},[]]'.encode(), limit=1_000 * LIMIT)
