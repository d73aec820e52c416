"""Providers that break the rules of their ports: the answer is still an answer, and says what failed."""

import json
import logging
from array import array
from itertools import count

import numpy as np
import pytest

from indx_core.contracts import EmbedRequest, EncodeRequest, EncodeResult, InlineSource
from indx_core.errors import InputTooLarge, InvalidRequest, SourceError, Unavailable
from indx_core.ports import (
    Answers,
    Cell,
    ChunkDraft,
    ChunkLayout,
    Embedded,
    EmbedderDeclaration,
    Enrichment,
    EntitySpan,
    Heading,
    LaneDeclaration,
    LanguageDetectorDeclaration,
    Link,
    Member,
    Observation,
    PageEvidence,
    PageReading,
    Raster,
    RoleSpan,
    Scored,
    Signature,
    Space,
    Table,
    line_columns,
)
from indx_runtime import Engine

TYPE = "text/x-fake"


def request(text, **more):
    more.setdefault("granularities", ["DOCUMENT", "PAGE", "CHUNK"])
    return EncodeRequest(source=InlineSource(data=text.encode(), media_type=TYPE), **more)


def wire(result):
    """The answer as it travels; it must be UTF-8 JSON that reads back as the same answer."""
    text = result.model_dump_json().encode("utf-8")
    assert EncodeResult.model_validate_json(text) == result
    return json.loads(text)


def read(text="text", **facts):
    starts, ends = line_columns(text)
    facts.setdefault("line_starts", starts)
    facts.setdefault("line_ends", ends)
    return PageReading(1, text, **facts)


class Reader:
    """Answers whatever it was told to, then with what is right for the pages after."""

    port_version = 1

    def __init__(self, parts, answer):
        self.declaration = parts.reader().declaration
        self.answer = answer

    def availability(self):
        return None

    def read(self, session, pages, *, deadline):
        if pages[0] == 1:
            yield self.answer() if callable(self.answer) else self.answer
        for page in pages:
            starts, ends = line_columns("fine")
            yield PageReading(page, "fine", starts, ends)


def cells(**facts):
    sound = {"row": 1, "column": 1, "row_span": 1, "column_span": 1, "text": "t", "start": 0, "end": 1}
    return {"tables": [Table(0, 1, 1, 1, 0, [Cell(**sound | facts)])]}


def deep(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return {"deep": value}


@pytest.mark.parametrize(
    ("answer", "rule"),
    [
        (None, "NoneType came in place of a page reading"),
        ({"page": 1}, "dict came in place"),
        (PageReading(2, "x"), "answered page 2 when page 1 was due"),
        (PageReading("1", "x"), "answered page '1'"),
        (PageReading(1, b"bytes"), "text is a bytes"),
        (read(line_starts=[0], line_ends=[4]), "line_starts is no array"),
        (read(line_starts=array("q", [0, 2]), line_ends=array("q", [4])), "2 lines start and 1 end"),
        (read(line_ends=array("q", [5])), "leaves the 4 characters"),
        (read(line_starts=array("q", [-1])), "leaves the 4 characters"),
        (read(line_starts=array("q", [2, 0]), line_ends=array("q", [4, 2])), "overlaps"),
        (read(boxes=array("d", [0, 0, 1])), "3 box numbers for 1 lines"),
        (read(boxes=array("d", [0, 0, 1, float("inf")])), "infinite"),
        (read(boxes=[0, 0, 1, 1]), "boxes is no array"),
        (read(confidence=1.5), "confidence is 1.5"),
        (read(confidence=float("nan")), "confidence is 'nan'"),
        (read(confidence="high"), "confidence is a str"),
        (read(cost_usd=-1), "cost_usd is -1"),
        (read(cost_usd=float("inf")), "cost_usd is 'inf'"),
        (read(links=[Link(0, 9, "x")]), "links: [0, 9) leaves"),
        (read(links=count()), "links is a count"),
        (read(headings=[Heading(0, 4, 0)]), "a level is out of range"),
        (read(roles=[RoleSpan(0, 4, "boss")]), "'boss' is not known"),
        (read(hidden=[(3, 1)]), "hidden: [3, 1)"),
        (read(**cells(row=0)), "row 0, column 1"),
        (read(**cells(end=9)), "a cell: [0, 9) leaves"),
        (read(**cells(text=None)), "a cell's text is a NoneType"),
        (read(**cells(box=(0, 0, float("nan"), 1))), "side of a box is 'nan'"),
        (read(metadata={"a": float("nan")}), "metadata is 'nan', not a finite number"),
        (read(metadata={"a": b"bytes"}), "metadata holds a bytes"),
        (read(metadata={"a": {1, 2}}), "metadata holds a set"),
        (read(part_starts=[0]), "part_starts is no array"),
        (read(part_starts=array("q", [0]), part_ends=array("q", [99])), "the part [0, 99) overlaps"),
        (read(part_starts=array("q", [0]), part_ends=array("q", [1])), "0 box numbers for 1 parts"),
        (read(metadata={1: 2}), "a key of metadata is a int"),
        (read(metadata={"a": 10**30}), "metadata is out of range"),
        (read(metadata=["a"]), "metadata is no JSON object"),
        (read(metadata=deep(2000)), "deeper than 64 levels"),
    ],
)
def test_a_reading_that_breaks_a_rule_fails_its_page_alone_and_says_which(registry_of, parts, answer, rule):
    registry = registry_of(("indx.capabilities", Reader(parts, answer)))
    result = Engine(registry).encode(request("one\ntwo"))
    first, second = [b for b in result.blocks if b.scope == "PAGE"]
    assert first.status == "failed"
    assert rule in first.reason
    assert (second.status, second.text) == ("ok", "fine")
    wire(result)


def test_a_reader_that_never_stops_is_heard_as_long_as_pages_are_due(registry_of, parts):
    class Endless(Reader):
        def read(self, session, pages, *, deadline):
            for number in count():
                page = pages[number % len(pages)]
                starts, ends = line_columns("again")
                yield PageReading(page, "again", starts, ends)

    result = Engine(registry_of(("indx.capabilities", Endless(parts, None)))).encode(request("one\ntwo"))
    assert [b.text for b in result.blocks if b.scope == "PAGE"] == ["again", "again"]


def test_text_that_is_not_fit_for_utf8_is_replaced_where_it_stands(registry_of, parts):
    bad, good = "a\x00b\ud800c", "a\ufffdb\ufffdc"
    reading = read(bad, metadata={bad: [bad]}, links=[Link(0, 5, bad)], **cells(text=bad))
    registry = registry_of(("indx.capabilities", Reader(parts, reading)), ("indx.chunkers", parts.chunker()))
    blocks = {b.id: b for b in Engine(registry).encode(request("one")).blocks}
    assert blocks["p1"].text == blocks["p1.c0"].text == good
    assert blocks["p1"].metadata == {good: [good]}


@pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "\ud800", "x" * 9000])
def test_an_odd_reason_is_one_short_line(registry_of, parts, reason):
    registry = registry_of(("indx.capabilities", Reader(parts, PageReading(1, reason=reason))))
    page = Engine(registry).encode(request("one")).blocks[1]
    assert page.status == "unreadable"
    assert 0 < len(page.reason) <= 500
    assert "\n" not in page.reason


def test_huge_metadata_is_carried_whole(registry_of, parts):
    metadata = {f"key {n}": ["x" * 50] for n in range(20_000)}
    registry = registry_of(("indx.capabilities", Reader(parts, read(metadata=metadata))))
    assert wire(Engine(registry).encode(request("one")))["blocks"][1]["metadata"] == metadata


# Observers


def observing(parts, **replaced):
    class Session(parts.Session):
        pass

    for name, value in replaced.items():
        setattr(Session, name, value)

    class Observer(parts.Observer):
        def open(self, source):
            return Session(source)

    return Observer()


def engine_over(parts, observer, *more):
    from indx_core.discovery import Candidate, Registry
    from indx_runtime.provider import manual_review

    made = [("indx.observers", observer), ("indx.capabilities", manual_review()),
            ("indx.capabilities", parts.reader()), *more]  # fmt: skip
    found = [
        Candidate(g, f"n{n}", "x:x", f"d{n}", "1", lambda item=item: lambda: item)
        for n, (g, item) in enumerate(made)
    ]
    return Engine(Registry(found))


def pages_of(*numbers):
    return lambda self: Observation(TYPE, tuple(PageEvidence(n, 1) for n in numbers))


@pytest.mark.parametrize("numbers", [(), (1,), (1, 2, 3, 4), (2, 2, 1), (0, -1, 7)])
def test_an_observation_of_other_pages_than_the_session_has_is_one_of_its_pages(parts, numbers):
    result = engine_over(parts, observing(parts, observe=pages_of(*numbers))).encode(request("one\ntwo"))
    assert [b.text for b in result.blocks if b.scope == "PAGE"] == ["one", "two"]
    assert all(page in (1, 2) for reason in result.plan.reasons for page in reason.pages or ())


def test_an_observation_of_another_type_does_not_change_what_the_source_is(parts):
    other = observing(parts, observe=lambda self: Observation("text/x-other", (PageEvidence(1, 1),)))
    engine = engine_over(parts, other)
    result = engine.encode(request("one"))
    assert result.plan.media_type == TYPE
    assert engine.encode(request("one", plan=result.plan)).blocks[1].text == "one"


def test_an_endless_observation_ends(parts):
    endless = observing(parts, observe=lambda self: Observation(TYPE, (PageEvidence(n, 1) for n in count(1))))
    assert engine_over(parts, endless).encode(request("one")).blocks[1].text == "one"


def test_facts_of_an_observer_are_short_clean_lines(parts):
    facts = {"code\n": "x" * 9000 + "\ud800"}
    odd = observing(parts, observe=lambda self: Observation(TYPE, (PageEvidence(1, 1),), facts))
    result = engine_over(parts, odd).encode(request("one"))
    (reason,) = [r for r in result.plan.reasons if r.code == "code"]
    assert len(reason.message) == 500
    wire(result)


@pytest.mark.parametrize("observation", [None, [], 5])
def test_an_observer_that_observes_nothing_is_a_source_that_cannot_be_read(parts, observation):
    with pytest.raises(SourceError, match="could not be observed"):
        engine_over(parts, observing(parts, observe=lambda self: observation)).encode(request("one"))


@pytest.mark.parametrize("claim", [-1, "3", 2.5, None, True])
def test_a_number_of_pages_that_is_none_is_a_source_that_cannot_be_read(parts, claim):
    class Observer(parts.Observer):
        def open(self, source):
            session = parts.Session(source)
            session.page_count = claim
            return session

    with pytest.raises(SourceError, match="pages"):
        engine_over(parts, Observer()).encode(request("one"))


def test_more_pages_than_are_taken_are_too_large_before_any_is_looked_at(parts):
    class Observer(parts.Observer):
        def open(self, source):
            session = parts.Session(source)
            session.page_count = 10**12
            return session

    with pytest.raises(InputTooLarge, match=r"1,000,000,000,000 pages.*20,000.*INDX_MAX_PAGES raises that"):
        engine_over(parts, Observer()).encode(request("one"))


@pytest.mark.parametrize(
    ("count", "error", "said"),
    [(10**12, InputTooLarge, "pages"), (-1, SourceError, "'-1' pages"), (None, SourceError, "OSError: lost")],
)
@pytest.mark.parametrize("closes", [True, False])
def test_a_session_that_is_not_taken_is_closed_and_what_was_wrong_with_it_is_told(
    parts, count, error, said, closes, caplog
):
    closed = []

    class Session(parts.Session):
        @property
        def page_count(self):
            if count is None:
                raise OSError("lost")
            return count

        @page_count.setter
        def page_count(self, _):
            pass

        def close(self):
            closed.append(self)
            if not closes:
                raise RuntimeError("it does not close")

    class Observer(parts.Observer):
        def open(self, source):
            return Session(source)

    with pytest.raises(error, match=said):
        engine_over(parts, Observer()).encode(request("one"))
    assert len(closed) == 1
    assert ("did not close its document: RuntimeError: it does not close" in caplog.text) is not closes


def test_a_session_that_does_not_close_takes_nothing_back(parts, caplog):
    def refuse(self):
        raise OSError("still busy")

    with caplog.at_level(logging.WARNING, "indx.work"):
        result = engine_over(parts, observing(parts, close=refuse)).encode(request("one"))
    assert result.blocks[1].text == "one"
    assert "did not close" in caplog.text


def members_of(parts, members):
    from indx_core.contracts import EncodeRequestPart
    from indx_core.ports import SourceContent

    engine = engine_over(parts, observing(parts, members=members))
    content = SourceContent.of_bytes(b"one", media_type=TYPE)
    job = engine.job(content, EncodeRequestPart(), engine.capabilities(), members=True)
    return engine.work(job).members


def test_members_without_end_are_cut_off_and_the_rest_is_said(parts):
    members = members_of(parts, lambda self: (Member(str(n), None, b"") for n in count()))
    assert len(members) == 10_001
    assert "more than 10000 documents; split it" in members[-1].reason


def test_members_that_are_none_end_the_list_and_say_so(parts):
    members = members_of(parts, lambda self: iter([Member("a\ud800", None, b"x"), Member("b", None, "text")]))
    assert members[0].name == "a\ufffd"
    assert "could not be listed" in members[1].reason


# Parsers


class Parser(Reader):
    def __init__(self, parts, found):
        super().__init__(parts, None)
        self.declaration = type(self.declaration)("odd-parser", "parser", (TYPE,))
        self.found = found

    def recognise(self, observation, session):
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


def signature(**facts):
    sound = {"signature": "s", "scope": "PAGE", "pages": (1,), "evidence": ("e",), "confidence": 0.5}
    return [Signature(**sound | facts)]


@pytest.mark.parametrize(
    "found",
    [
        ValueError("boom"),
        None,
        ["s"],
        signature(scope="REGION"),
        signature(pages=(0,)),
        signature(pages=(2,)),
        signature(confidence=float("nan")),
        signature(confidence=2),
        signature(evidence=(5,)),
    ],
)
def test_a_parser_that_lies_nominates_nothing_and_the_document_is_read(registry_of, parts, found, caplog):
    registry = registry_of(("indx.capabilities", parts.reader()), ("indx.capabilities", Parser(parts, found)))
    with caplog.at_level(logging.WARNING, "indx.work"):
        result = Engine(registry).encode(request("one", signature_detection=True))
    assert result.plan.signature_matches == ()
    assert result.blocks[1].text == "one"
    assert "odd-parser" in caplog.text


# Chunkers


class Chunker:
    port_version = 1

    def __init__(self, parts, answer):
        self.declaration = type(parts.chunker().declaration)("liar", 1, True, (), "lies", 1)
        self.answer = answer

    def chunk(self, document, session, pages):
        return self.answer


def draft(**facts):
    return {1: [ChunkDraft(**{"text": "t", "box_reason": "no_geometry"} | facts)]}


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [1, 2],
        {1: "text"},
        {1: count()},
        {1: ["text"]},
        draft(text=None),
        draft(image=Raster(1, 1, bytes(3), 1)),
        draft(box_reason=None),
        draft(box=(0, 0, 1, 1)),
        draft(box_reason="lost"),
        draft(box_reason=None, box=(0.0, 0.0, float("nan"), 1.0)),
        draft(box_reason=None, box=(0.0, 0.0, 1.0)),
        draft(box_reason=None, box=(0.0, float("inf"), 1.0, 1.0)),
        draft(spans=[(0, 99)]),
        draft(spans=[(-1, 1)]),
        draft(spans=count()),
        draft(section="abc"),
        draft(section=[None]),
        draft(layout=ChunkLayout("page")),
        draft(layout=ChunkLayout("table", Table(0, 1, -1, 1, 0, []))),
        draft(text=None, image=Raster(2, 2, bytes(3), 1)),
        draft(text=None, image=Raster(0, 0, b"", 1)),
    ],
)
def test_a_chunker_that_answers_no_drafts_is_left_out_and_the_next_one_cuts(
    registry_of, parts, answer, caplog
):
    registry = registry_of(
        ("indx.capabilities", parts.reader()),
        ("indx.chunkers", Chunker(parts, answer)),
        ("indx.chunkers", parts.chunker()),
    )
    with caplog.at_level(logging.WARNING, "indx.chunking"):
        result = Engine(registry).encode(request("one"))
    assert [b.text for b in result.blocks if b.scope == "CHUNK"] == ["one"]
    assert "liar@1" in caplog.text
    wire(result)


def test_drafts_of_pages_nobody_asked_for_are_ignored(registry_of, parts):
    answer = {**draft(text="mine"), 7: draft()[1], "x": draft()[1]}
    registry = registry_of(("indx.capabilities", parts.reader()), ("indx.chunkers", Chunker(parts, answer)))
    result = Engine(registry).encode(request("one"))
    assert [b.id for b in result.blocks] == ["doc", "p1", "p1.c0"]


def test_a_page_of_very_many_chunks_is_carried_whole(registry_of, parts):
    number = 50_000
    answer = {1: [ChunkDraft("t", box_reason="no_geometry")] * number}
    registry = registry_of(("indx.capabilities", parts.reader()), ("indx.chunkers", Chunker(parts, answer)))
    result = Engine(registry).encode(request("one"))
    assert result.usage.chunks == number
    assert result.blocks[-1].id == f"p1.c{number - 1}"


# Lanes


class Lane:
    port_version = 1

    def __init__(self, id_, unit, answers):
        self.declaration = LaneDeclaration(id_, unit)
        self.answers = answers

    def availability(self):
        return None

    def classify(self, texts, context=None):
        return self.answers

    extract = enrich = classify


class Detector(Lane):
    def __init__(self, answers):
        self.declaration = LanguageDetectorDeclaration("liar")
        self.answers = answers

    def detect(self, texts):
        return self.answers


LABELS = [Scored("a", 0.5)]


def annotated(registry_of, parts, group, lane, field):
    registry = registry_of(("indx.capabilities", parts.reader()), (group, lane))
    more = {} if field is None else {field: {"page_ids": ["liar"]}}
    result = Engine(registry).encode(request("one", **more))
    wire(result)
    return result


@pytest.mark.parametrize(
    ("group", "field", "answers"),
    [
        ("indx.classifiers", "classification", None),
        ("indx.classifiers", "classification", Answers([])),
        ("indx.classifiers", "classification", Answers(count())),
        ("indx.classifiers", "classification", Answers([{"f": LABELS}], float("nan"))),
        ("indx.classifiers", "classification", Answers([{"f": LABELS}], -1)),
        ("indx.classifiers", "classification", Answers([{5: LABELS}])),
        ("indx.classifiers", "classification", Answers(["invoice"])),
        ("indx.classifiers", "classification", Answers([{"f": [Scored("a", 2)]}])),
        ("indx.classifiers", "classification", Answers([{"f": [Scored(None, 0.5)]}])),
        ("indx.classifiers", "classification", Answers([{"f": count()}])),
        ("indx.extractors", "extraction", Answers([[EntitySpan("x", "zzz", 0, 3, 0.5)]])),
        ("indx.extractors", "extraction", Answers([[EntitySpan("x", "one", 0, 99, 0.5)]])),
        ("indx.extractors", "extraction", Answers([[EntitySpan("x", "", 1, 1, 0.5)]])),
        ("indx.extractors", "extraction", Answers([[EntitySpan("x", "one", 0, 3, float("nan"))]])),
        ("indx.extractors", "extraction", Answers([[EntitySpan("x", "e", -1, 3, 0.5)]])),
        ("indx.enrichers", "enrichment", Answers([Enrichment(summary=5)])),
        ("indx.enrichers", "enrichment", Answers([Enrichment(tags=[Scored("a", -1)])])),
        ("indx.enrichers", "enrichment", Answers(["a summary"])),
    ],
)
def test_a_lane_that_lies_has_no_answer_and_the_log_says_so(
    registry_of, parts, group, field, answers, caplog
):
    with caplog.at_level(logging.WARNING, "indx.lanes"):
        result = annotated(registry_of, parts, group, Lane("liar", "page", answers), field)
    assert all(block.metadata is None for block in result.blocks)
    assert "liar" in caplog.text


@pytest.mark.parametrize("answers", [None, Answers([[Scored("en", 7)]]), Answers([]), Answers([5])])
def test_a_language_detector_that_lies_detects_nothing(registry_of, parts, answers):
    result = annotated(registry_of, parts, "indx.language_detectors", Detector(answers), None)
    assert all(block.metadata is None for block in result.blocks)
    assert result.trace.components == ()


def test_answers_in_numpy_numbers_and_unclean_text_are_made_fit_for_json(registry_of, parts):
    span = EntitySpan("x\ud800", "one", np.int64(0), np.int64(3), np.float32(0.5))
    result = annotated(
        registry_of, parts, "indx.extractors", Lane("liar", "page", Answers([[span]])), "extraction"
    )
    (found,) = result.blocks[0].metadata["entities"]["spans"]["p1"]
    assert found == {"label": "x\ufffd", "surface": "one", "range": [0, 3], "confidence": 0.5}


def test_labels_are_highest_first_whatever_order_they_come_in(registry_of, parts):
    answer = Answers([{"f": [Scored("low", 0.1), Scored("high", 0.9)]}])
    lane = Lane("liar", "page", answer)
    result = annotated(registry_of, parts, "indx.classifiers", lane, "classification")
    assert [one["label"] for one in result.blocks[1].metadata["classification"]["f"]] == ["high", "low"]


# Embedders


class Embedder:
    port_version = 1

    def __init__(self, answer):
        self.declaration = EmbedderDeclaration(
            "liar", Space("s", 2, "cosine", True), ("document", "query"), ("text",)
        )
        self.answer = answer

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        return self.answer(len(batch))


@pytest.mark.parametrize(
    "answer",
    [
        lambda n: None,
        lambda n: Embedded("vectors"),
        lambda n: Embedded([[0.0, 1.0]] * n),
        lambda n: Embedded(np.zeros((n, 3), np.float32)),
        lambda n: Embedded(np.zeros((n + 1, 2), np.float32)),
        lambda n: Embedded(np.zeros((n, 2), np.float32), cost_usd=float("nan")),
        lambda n: Embedded(np.zeros((n, 2), np.float32), errors=["one"]),
        lambda n: [][1],
    ],
)
def test_an_embedder_that_answers_no_vectors_is_unavailable(registry_of, parts, answer):
    engine = Engine(registry_of(("indx.embedders", Embedder(answer))))
    with pytest.raises(Unavailable) as caught:
        engine.embed(EmbedRequest(embedding_space_id="s", input={"type": "text", "text": "q"}))
    assert caught.value.code == "embedder_unavailable"


def test_a_vector_that_is_not_finite_is_none_and_the_others_are_kept(registry_of, parts):
    def answer(n):
        values = np.ones((n, 2), np.float32)
        values[0, 1] = np.nan
        return Embedded(values)

    registry = registry_of(
        ("indx.capabilities", parts.reader()),
        ("indx.chunkers", parts.chunker()),
        ("indx.embedders", Embedder(answer)),
    )
    result = Engine(registry).encode(request("one\ntwo", embedding_space_ids=["s"]))
    assert [bool(b.vectors) for b in result.blocks if b.scope == "CHUNK"] == [False, True]
    wire(result)
    with pytest.raises(InvalidRequest, match="not finite"):
        Engine(registry).embed(EmbedRequest(embedding_space_id="s", input={"type": "text", "text": "q"}))
