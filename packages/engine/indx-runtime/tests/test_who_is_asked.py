"""Who is asked, in which order, and who is not: parsers, lanes, embedders; what a snapshot says of them."""

import base64
import gzip
import tarfile

import numpy as np
import pytest

from indx_core.contracts import EmbedRequest, EncodeRequest, InlineSource, PlanRequest
from indx_core.discovery import Registry
from indx_core.errors import (
    InputTooLarge,
    InvalidChunker,
    InvalidLane,
    SourceError,
    Unavailable,
    UnsupportedMediaType,
)
from indx_core.ports import (
    Answers,
    CapabilityDeclaration,
    ChunkDraft,
    Embedded,
    EmbedderDeclaration,
    Enrichment,
    LaneDeclaration,
    Loaded,
    LoaderDeclaration,
    ObserverDeclaration,
    PageReading,
    Scored,
    Signature,
    SourceContent,
    Space,
    Unavailability,
)
from indx_runtime import Engine

TYPE = "text/x-fake"


def request(text, **more):
    more.setdefault("granularities", ["DOCUMENT", "PAGE", "CHUNK"])
    return EncodeRequest(source=InlineSource(data=text.encode(), media_type=TYPE), **more)


# What a snapshot says


def snapshot_of(registry_of, capability):
    return Engine(registry_of(("indx.capabilities", capability))).capabilities()


class Far:
    port_version = 1

    def __init__(self, device="external", lack=None):
        self.declaration = CapabilityDeclaration("vlm", "vision", (TYPE,), device)
        self.lack = lack

    def availability(self):
        return self.lack


def test_what_an_installation_lacks_is_listed_with_the_reason_and_in_no_route(registry_of, parts):
    lacking = Far(lack=Unavailability("no model is configured", "set INDX_VLM_MODEL"))
    registry = registry_of(("indx.capabilities", lacking), ("indx.capabilities", parts.reader()))
    engine = Engine(registry)
    (vlm,) = [c for c in engine.capabilities().capabilities if c.id == "vlm"]
    assert (vlm.available, vlm.reason) == (False, "no model is configured; set INDX_VLM_MODEL")
    plan = engine.plan(PlanRequest(source=InlineSource(data=b"scan", media_type=TYPE))).plan
    assert "vlm" not in (plan.default.capability_id, *plan.default.fallbacks)


def test_where_a_capability_runs_and_whether_it_can_are_part_of_the_identity(registry_of):
    kinds = [Far("external"), Far("gpu"), Far("gpu", Unavailability("x", "y"))]
    assert len({snapshot_of(registry_of, kind).snapshot_id for kind in kinds}) == 3


def test_a_plan_names_the_snapshot_the_policy_and_the_bytes_it_was_made_for(installed):
    engine = Engine(installed)
    current = engine.capabilities()
    content = SourceContent.of_bytes(b"one")
    plan = engine.plan(PlanRequest(source=InlineSource(data=b"one", media_type=TYPE))).plan
    assert plan.snapshot_id == current.snapshot_id
    assert plan.policy_version == current.policy_version
    assert plan.source_digest == content.digest


# Observers


class Opening:
    """An observer that opens what the fake one does, or refuses it."""

    port_version = 1

    def __init__(self, parts, rank, refusal=None, lack=None):
        self.declaration = ObserverDeclaration(f"rank-{rank}", (TYPE,), hostile=False, rank=rank)
        self.parts, self.refusal, self.lack, self.asked = parts, refusal, lack, 0

    def availability(self):
        return self.lack

    def open(self, source):
        self.asked += 1
        if self.refusal is not None:
            raise self.refusal
        return self.parts.observer().open(source)


def observed(registry_of, parts, *observers):
    """Who opens a document where these are installed beside the fake observer, of rank 100."""
    registry = registry_of(
        *(("indx.observers", one) for one in observers), ("indx.capabilities", parts.reader())
    )
    planned = Engine(registry).plan(PlanRequest(source=InlineSource(data=b"one", media_type=TYPE)))
    return next(part.distribution for part in planned.components if part.role == "observer")


def test_of_several_observers_the_one_of_the_lowest_rank_is_asked(registry_of, parts):
    late, early = Opening(parts, 900), Opening(parts, 5)
    assert observed(registry_of, parts, late, early) == "dist-4"
    assert (early.asked, late.asked) == (1, 0)
    assert observed(registry_of, parts, late) == "dist-0"


def test_what_one_observer_finds_unreadable_is_given_to_the_next(registry_of, parts):
    refusing = Opening(parts, 5, SourceError("not mine"))
    assert observed(registry_of, parts, refusing) == "dist-0"
    assert refusing.asked == 1


def test_where_every_observer_refuses_the_first_one_is_heard(registry_of, parts):
    first = Opening(parts, 5, SourceError("made for the type"))
    others = Opening(parts, 6, SourceError("locked", code="source_encrypted"))
    rest = Opening(parts, 200, SourceError("not mine either"))

    made = [
        ("indx.observers", first), ("indx.observers", others), ("indx.observers", rest),
        ("indx.capabilities", parts.reader()),
    ]  # fmt: skip
    registry = Registry(
        [c for c in registry_of(*made).candidates if c.name != "n0"]  # without the fake one, which opens it
    )
    with pytest.raises(SourceError, match="made for the type"):
        Engine(registry).plan(PlanRequest(source=InlineSource(data=b"one", media_type=TYPE)))
    assert (first.asked, others.asked, rest.asked) == (1, 1, 1)


def test_a_locked_or_too_large_document_is_refused_by_the_first_that_says_so(registry_of, parts):
    for refusal in (SourceError("locked", code="source_encrypted"), InputTooLarge("too many pages")):
        with pytest.raises(type(refusal), match=refusal.message):
            observed(registry_of, parts, Opening(parts, 5, refusal))


def test_a_type_whose_only_observer_cannot_run_is_refused_with_what_would_change_that(registry_of, parts):
    lacking = Opening(parts, 5, lack=Unavailability("no engine", "install the engine"))
    registry = Registry(
        [
            c
            for c in registry_of(
                ("indx.observers", lacking), ("indx.capabilities", parts.reader())
            ).candidates
            if c.name != "n0"
        ]
    )
    with pytest.raises(UnsupportedMediaType, match=f"{TYPE} is not read here: no engine; install the engine"):
        Engine(registry).plan(PlanRequest(source=InlineSource(data=b"one", media_type=TYPE)))
    assert observed(registry_of, parts, lacking) == "dist-0"


@pytest.mark.parametrize(
    "source", [{"filename": "minutes.WPD"}, {"media_type": "application/vnd.wordperfect"}]
)
def test_an_office_format_nobody_reads_here_names_what_would(registry_of, source):
    with pytest.raises(UnsupportedMediaType, match=r'wordperfect.*pip install "indx\[libreoffice\]"'):
        Engine(registry_of()).encode(EncodeRequest(source=InlineSource(data=b"\xff\xff", **source)))
    with pytest.raises(UnsupportedMediaType) as caught:
        Engine(registry_of()).encode(EncodeRequest(source=InlineSource(data=b"\xff\xff", filename="a.bin")))
    assert "libreoffice" not in caught.value.message


TAR = tarfile.TarInfo("a.md").tobuf(tarfile.USTAR_FORMAT)


@pytest.mark.parametrize(
    "source",
    [
        {"data": b"PK\3\4"},
        {"data": TAR},
        {"data": gzip.compress(TAR), "filename": "docs.tar.gz"},
        {"data": b"PK\3\4", "media_type": "application/zip"},
    ],
)
def test_an_archive_is_said_to_be_built_whoever_asks(registry_of, source):
    with pytest.raises(UnsupportedMediaType) as caught:
        Engine(registry_of()).plan(PlanRequest(source=InlineSource(**source)))
    assert caught.value.message.endswith("; a ZIP or TAR is read when a knowledge space is built of it")
    assert not {"`", "--", "pip"} & set(caught.value.message.split())


def test_an_archive_that_was_opened_in_vain_is_said_to_be_built(registry_of, parts):
    for data, built in ((gzip.compress(TAR), True), (gzip.compress(b"words"), False)):
        opening = Opening(parts, 5, OwnError(1, "not a text"))
        opening.declaration = ObserverDeclaration("opening", ("application/gzip",), rank=5)
        reader = parts.reader()
        reader.declaration = CapabilityDeclaration("r", "native", ("application/gzip",))
        engine = Engine(registry_of(("indx.observers", opening), ("indx.capabilities", reader)))
        source = InlineSource(data=data, media_type="application/gzip")
        with pytest.raises(SourceError, match="not a text") as caught:
            engine.plan(PlanRequest(source=source))
        assert ("a knowledge space is built of it" in caught.value.message) is built


class OwnError(SourceError):
    """Made in another way than its kind."""

    def __init__(self, _, message):
        super().__init__(message)


@pytest.fixture
def aside(tmp_path, monkeypatch):
    """A distribution with a reader, which says where it is loaded."""
    info = tmp_path / "aside" / "aside_odd-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aside-odd\nVersion: 1.0\n")
    points = "[indx.observers]\nodd = aside_odd:made\n[indx.capabilities]\nodd = aside_odd:made\n"
    (info / "entry_points.txt").write_text(points)
    (tmp_path / "aside" / "aside_odd.py").write_text(f"open({str(tmp_path / 'loaded')!r}, 'w').close()\n")
    monkeypatch.syspath_prepend(tmp_path / "aside")
    return tmp_path / "loaded"


def test_readers_that_a_setting_leaves_out_are_named_and_not_loaded(aside, parts, monkeypatch):
    def refused():
        with pytest.raises(UnsupportedMediaType) as caught:
            Engine(Registry()).plan(PlanRequest(source=InlineSource(data=b"\0", media_type="text/x-odd")))
        return caught.value.message

    # That of the type's own name comes first, whatever else is installed.
    assert (
        "INDX_PLUGINS='fake-parts,indx-runtime' leaves out readers that are installed (aside-odd" in refused()
    )
    assert not aside.exists()
    monkeypatch.delenv("INDX_PLUGINS")
    assert "INDX_PLUGINS" not in refused()
    assert aside.exists()


# Parsers


class Parser:
    port_version = 1
    declaration = CapabilityDeclaration("known-parser", "parser", (TYPE,))

    def __init__(self, fails=False):
        self.asked, self.fails = 0, fails

    def availability(self):
        return None

    def recognise(self, observation, session):
        self.asked += 1
        return [Signature("known", "PAGE", (2,), ("a word",), 0.5)]

    def read(self, session, pages, *, deadline):
        if self.fails:
            raise ValueError("not mine after all")
        yield from (PageReading(page, metadata={"invoice": {"number": "7"}}) for page in pages)


def recognised(registry_of, parts, parser, **more):
    registry = registry_of(("indx.capabilities", parser), ("indx.capabilities", parts.reader()))
    return Engine(registry).encode(request("one\ntwo", **more))


def test_a_parser_is_asked_only_when_signatures_are_wanted(registry_of, parts):
    parser = Parser()
    assert recognised(registry_of, parts, parser).plan.signature_matches == ()
    assert parser.asked == 0
    (match,) = recognised(registry_of, parts, parser, signature_detection=True).plan.signature_matches
    assert (match.capability_id, match.pages, match.installed) == ("known-parser", (2,), True)


def test_what_a_parser_read_stands_on_the_very_page_and_the_others_keep_their_reader(registry_of, parts):
    result = recognised(registry_of, parts, Parser(), signature_detection=True)
    blocks = {b.id: b for b in result.blocks}
    assert blocks["p2"].metadata == {"invoice": {"number": "7"}}
    assert [blocks[p].provenance.capability_id for p in ("p1", "p2")] == ["fake-reader", "known-parser"]
    assert "doc" not in [b.id for b in result.blocks if b.metadata]


def test_a_false_match_costs_one_attempt_and_the_page_is_read(registry_of, parts):
    result = recognised(registry_of, parts, Parser(fails=True), signature_detection=True)
    assert [b.text for b in result.blocks if b.scope == "PAGE"] == ["one", "two"]
    attempts = {(e.capability_id, e.outcome, e.pages) for e in result.trace.events}
    assert attempts == {
        ("known-parser", "failed", (2,)), ("fake-reader", "read", (1,)), ("fake-reader", "read", (2,)),
    }  # fmt: skip


# Lanes


class Lane:
    port_version = 1

    def __init__(self, id_, unit, log, answer):
        self.declaration = LaneDeclaration(id_, unit)
        self.log, self.answer = log, answer

    def availability(self):
        return None

    def classify(self, texts, context=None):
        self.log.append(self.declaration.id)
        return Answers([self.answer] * len(texts))

    enrich = classify


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
def test_lanes_are_asked_in_the_order_given_and_the_first_wins(registry_of, parts, order):
    log = []
    lanes = [
        ("indx.classifiers", Lane(name, "document", log, {"kind": [Scored(name, 0.5)]})) for name in "ab"
    ]
    registry = registry_of(("indx.capabilities", parts.reader()), *lanes)
    result = Engine(registry).encode(request("one", classification={"document_ids": order}))
    assert log == order
    metadata = result.blocks[0].metadata
    assert metadata["classification"]["kind"][0]["label"] == order[0]
    assert set(metadata["lanes"]) == {"a", "b"}


def test_each_part_of_an_enrichment_is_won_by_the_first_that_has_it(registry_of, parts):
    log = []
    lanes = [
        ("indx.enrichers", Lane("tagger", "document", log, Enrichment(tags=[Scored("t", 1.0)]))),
        ("indx.enrichers", Lane("teller", "document", log, Enrichment("long", [Scored("u", 1.0)]))),
    ]
    registry = registry_of(("indx.capabilities", parts.reader()), *lanes)
    result = Engine(registry).encode(request("one", enrichment={"document_ids": ["tagger", "teller"]}))
    won = result.blocks[0].metadata["enrichment"]
    assert won == {"summary": "long", "tags": [{"label": "t", "confidence": 1.0}]}
    assert "summary" not in result.blocks[0].metadata["lanes"]["tagger"]["enrichment"]


def test_refusals_name_what_there_is(registry_of, parts):
    registry = registry_of(
        ("indx.capabilities", parts.reader()),
        ("indx.chunkers", parts.Chunker("lines", 1)),
        ("indx.chunkers", parts.Chunker("lines", 3, default=False)),
        ("indx.classifiers", Lane("sorter", "document", [], None)),
    )
    engine = Engine(registry)
    with pytest.raises(InvalidLane, match="sorter"):
        engine.encode(request("one", classification={"document_ids": ["nope"]}))
    with pytest.raises(InvalidChunker, match="installed: lines"):
        engine.encode(request("one", chunking={"chunkers": [{"id": "nope"}]}))
    with pytest.raises(InvalidChunker, match="installed: 1, 3"):
        engine.encode(request("one", chunking={"chunkers": [{"id": "lines", "version": 2}]}))


# Embedders


class Embedder:
    port_version = 1

    def __init__(self, id_, modality, roles=("document", "query"), fails=False, device="cpu"):
        space = Space("s", 2, "cosine", True)
        self.declaration = EmbedderDeclaration(id_, space, roles, (modality,), device)
        self.fails, self.seen = fails, []

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        if self.fails:
            raise RuntimeError("out of order")
        self.seen += batch
        return Embedded(np.array([[1.0, 0.0]] * len(batch), np.float32))


def texts_and_pictures(parts):
    class Both(parts.Chunker):
        def chunk(self, document, session, pages):
            drafts = super().chunk(document, session, pages)
            drawn = {
                page: [ChunkDraft(None, session.render(page, dpi=9, max_pixels=9), box_reason="no_geometry")]
                for page in pages
                if document.pages[page].reason is not None
            }
            return {**drafts, **drawn}

    return Both("both")


def spaces(registry_of, parts, *embedders, text="one\nscan", **more):
    registry = registry_of(
        ("indx.capabilities", parts.reader()),
        ("indx.chunkers", texts_and_pictures(parts)),
        *[("indx.embedders", embedder) for embedder in embedders],
    )
    engine = Engine(registry)
    return engine, engine.encode(request(text, embedding_space_ids=["s"], **more))


def modalities(result):
    return [[v.modality for v in b.vectors or ()] for b in result.blocks if b.scope == "CHUNK"]


def test_one_space_holds_vectors_of_texts_and_of_pictures(registry_of, parts):
    _, result = spaces(registry_of, parts, Embedder("words", "text"), Embedder("pixels", "image"))
    assert modalities(result) == [["text"], ["image"]]


def test_a_space_of_pictures_answers_for_pages_that_were_drawn_and_for_queries_in_words(registry_of, parts):
    words = Embedder("words", "text", roles=("query",))
    engine, result = spaces(registry_of, parts, words, Embedder("pixels", "image"))
    assert modalities(result) == [[], ["image"]]
    answer = engine.embed(EmbedRequest(embedding_space_id="s", input={"type": "text", "text": "q"}))
    assert answer.embedder.id == "words"


def test_an_embedder_that_fails_is_not_stood_in_for(registry_of, parts):
    first, second = Embedder("a", "text", fails=True), Embedder("b", "text")
    with pytest.raises(Unavailable) as caught:
        spaces(registry_of, parts, first, second)
    assert caught.value.code == "embedder_unavailable"
    assert second.seen == []


RESIDENT = {"constraints": {"data_residency": True}}


@pytest.mark.parametrize(("far", "near", "block"), [("image", "text", "p2.c0"), ("text", "image", "p1.c0")])
def test_chunks_whose_only_embedder_is_outside_are_told_under_data_residency(
    registry_of, parts, far, near, block
):
    away, here = Embedder("away", far, device="external"), Embedder("here", near)
    _, result = spaces(registry_of, parts, away, here, text="one\nscan\n---", **RESIDENT)
    assert (away.seen, len(here.seen) > 0) == ([], True)
    assert next(b.id for b in result.blocks if b.scope == "CHUNK" and not b.vectors) == block
    (failure,) = [f.model_dump(mode="json") for f in result.trace.failures]
    assert failure == {
        "role": "embedder",
        "id": "away",
        "unit": "chunk",
        "asked": 2 if far == "text" else 1,
        "failed": 1,  # in a chunk of dashes there is nothing to embed
        "reason": "away was not asked: it embeds outside this machine, which data_residency forbids",
        "block_ids": [block],
    }


def test_where_data_may_leave_or_nothing_would_leave_nothing_is_told(registry_of, parts):
    away, here = Embedder("away", "image", device="external"), Embedder("here", "text")
    _, free = spaces(registry_of, parts, away, here)
    assert (modalities(free), free.trace.failures) == ([["text"], ["image"]], None)
    _, kept = spaces(registry_of, parts, away, here, text="one", **RESIDENT)
    assert (modalities(kept), kept.trace.failures) == ([["text"]], None)


class Loader:
    port_version = 1
    declaration = LoaderDeclaration("mem", ("mem",))

    def load(self, uri, *, limit, deadline):
        return Loaded(SourceContent.of_bytes(b"FAKE", media_type=TYPE))


@pytest.mark.parametrize("kind", ["inline", "uri"])
def test_a_query_image_comes_inline_or_by_a_uri(registry_of, parts, kind):
    pixels = Embedder("pixels", "image")
    registry = registry_of(("indx.loaders", Loader()), ("indx.embedders", pixels))
    data = base64.b64encode(b"FAKE").decode()
    given = {"inline": {"data": data, "media_type": TYPE}, "uri": {"uri": "mem:x"}}[kind]
    answer = Engine(registry).embed(EmbedRequest(embedding_space_id="s", input={"type": kind, **given}))
    assert answer.vectors[0].modality == "image"
    assert pixels.seen[0].width == 1
