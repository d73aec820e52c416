"""What lanes and parsers of a build fail on is told in `metadata.errors`, whatever the failure is."""

import pytest

from indx_core.discovery import Candidate, Registry
from indx_core.ports import (
    Answers,
    CapabilityDeclaration,
    Embedded,
    EmbedderDeclaration,
    Enrichment,
    EntitySpan,
    LaneDeclaration,
    LaneError,
    Scored,
    Space,
)
from indx_runtime import Engine
from indx_space.config import resolve
from indx_space.pipeline.directory import DirectoryPipeline

SECRET = "key-0123456789"


class Lane:
    """A lane of any kind that answers, or raises, what it was told to; `seen` counts the texts."""

    port_version = 1

    def __init__(self, unit, answer, *, text_alone=False):
        self.declaration = LaneDeclaration("odd", unit, text_alone=text_alone)
        self.answer, self.seen = answer, 0

    def availability(self):
        return None

    def classify(self, texts, context=None):
        self.seen += len(texts)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer(texts) if callable(self.answer) else self.answer

    extract = enrich = classify


@pytest.fixture(autouse=True)
def secret(monkeypatch):
    monkeypatch.setenv("INDX_FAKE_API_KEY", SECRET)


@pytest.fixture
def build_with(candidates):
    """Build with one more provider: the errors of `metadata`, and the space."""

    def run(root, group, item, **layer):
        extra = Candidate(group, "odd", "x:x", "odd-parts", "1.0", lambda: lambda: item)
        engine = Engine(Registry([*candidates, extra]))
        config = resolve(code=layer, folder=root)
        space = DirectoryPipeline(root, config=config, engine=engine, cache=None).run()
        assert SECRET not in str(space.metadata["errors"])
        return space

    return run


def only(kind):
    return {"classifiers": [], "extractors": [], "enrichers": [], kind: ["odd"]}


LABEL = Scored("a", 0.5)


@pytest.mark.parametrize(
    ("kind", "unit", "answer"),
    [
        ("classifiers", "document", None),
        ("classifiers", "document", Answers([])),
        ("classifiers", "document", Answers(["invoice"])),
        ("classifiers", "document", Answers([{"document_type": [Scored("a", 7)]}])),
        ("classifiers", "document", Answers([{"document_type": [LABEL]}], float("nan"))),
        ("classifiers", "document", SystemExit(3)),
        ("classifiers", "document", RuntimeError(f"no {SECRET}")),
        ("classifiers", "document", Answers([LaneError(f"no {SECRET}")])),
        ("classifiers", "chunk", Answers([{"f": [Scored(None, 0.5)]}])),
        ("extractors", "chunk", Answers([[EntitySpan("x", "zzz", 0, 3, 0.5)]])),
        ("enrichers", "document", Answers([Enrichment(topics=[5])])),
        ("enrichers", "document", Answers(["a summary"])),
    ],
)
def test_a_lane_that_fails_in_any_way_is_an_entry_and_the_space_is_built(
    tree, build_with, kind, unit, answer
):
    space = build_with(tree({"a.md": "words"}), f"indx.{kind}", Lane(unit, answer), enrich=only(kind))
    assert [d.path for d in space.documents_] == ["a.md"]
    (error,) = space.metadata["errors"]
    assert (error["stage"], error["path"], error["code"]) == ("Enrich", "a.md", "lane_failed")
    assert error["message"].startswith("the lane odd had no answer: ")


def test_no_opinion_is_no_entry(tree, build_with):
    lane = Lane("document", lambda texts: Answers([None] * len(texts)))
    space = build_with(tree({"a.md": "words"}), "indx.classifiers", lane, enrich=only("classifiers"))
    assert lane.seen == 1
    assert space.metadata["errors"] == []


def test_the_surest_label_is_the_type_whatever_order_labels_come_in(tree, build_with):
    labels = {"document_type": [Scored("low", 0.1), Scored("high", 0.9)]}
    lane = Lane("document", Answers([labels]))
    space = build_with(tree({"a.md": "words"}), "indx.classifiers", lane, enrich=only("classifiers"))
    assert space.documents_[0].doc_type == "high"


def test_a_lane_that_fails_on_document_after_document_is_spared_and_each_document_told(tree, build_with):
    lane = Lane("document", RuntimeError("down"))
    root = tree({f"{n:02}.md": f"text {n}" for n in range(40)})
    space = build_with(root, "indx.classifiers", lane, enrich=only("classifiers"))
    assert lane.seen == 16
    messages = {e["path"]: e["message"] for e in space.metadata["errors"]}
    assert len(messages) == 40
    assert messages["00.md"] == "the lane odd had no answer: RuntimeError: down"
    assert messages["39.md"].endswith("not asked, since it failed on the 16 texts before: RuntimeError: down")


class Hosted(Lane):
    """A classifier whose server is gone: of each batch it tries two texts, and spares itself the rest."""

    tried = 0

    def __init__(self, unit):
        super().__init__(unit, self._gone, text_alone=True)

    def _gone(self, texts):
        self.tried += min(2, len(texts))
        return Answers([LaneError("gone")] * len(texts))


@pytest.mark.parametrize("unit", ["document", "chunk"])
def test_a_classifier_of_the_text_alone_meets_a_server_that_is_gone_once(tree, build_with, unit):
    lane = Hosted(unit)
    root = tree({f"{n:03}.{'md' if n % 2 else 'txt'}": f"text {n}" for n in range(100)})
    space = build_with(root, "indx.classifiers", lane, enrich=only("classifiers"))
    assert (lane.tried, lane.seen) == (2, 64)
    assert len({error["path"] for error in space.metadata["errors"]}) == 100


@pytest.mark.parametrize(
    ("alone", "contexts"),
    [(True, {("", None)}), (False, {("text/markdown", "a.md"), ("text/plain", "b.txt")})],
)
def test_only_a_classifier_that_looks_beside_the_text_is_told_of_each_file(tree, build_with, alone, contexts):
    told = set()

    class Told(Lane):
        def classify(self, texts, context):
            told.add((context.media_type, context.filename))
            return Answers([None] * len(texts))

    root = tree({"a.md": "one", "b.txt": "two"})
    build_with(root, "indx.classifiers", Told("document", None, text_alone=alone), enrich=only("classifiers"))
    assert told == contexts


@pytest.mark.parametrize("raises", [True, False])
def test_a_document_that_a_lane_cannot_bear_costs_the_others_nothing(tree, build_with, raises):
    def answer(texts):
        if raises and any("odd" in text for text in texts):
            raise ValueError("cannot bear it")
        return Answers([LaneError("cannot bear it") if "odd" in text else [] for text in texts])

    lane = Lane("chunk", answer)
    root = tree({"a.md": "\n\n".join(f"# {n}\n\nodd {n}" for n in range(60)), "b.md": "# fine\n\nfine"})
    space = build_with(root, "indx.extractors", lane, enrich=only("extractors"))
    assert sum(chunk.source.path == "a.md" for chunk in space.chunks) > 16
    assert {error["path"] for error in space.metadata["errors"]} == {"a.md"}


def test_a_lane_that_fails_on_all_of_several_documents_is_not_asked_about_the_others(tree, build_with):
    lane = Lane("chunk", RuntimeError("down"))
    text = "\n\n".join(f"# {n}\n\ntext {n}" for n in range(30))
    root = tree({f"{n}.md": f"{text} {n}" for n in range(20)})
    space = build_with(root, "indx.extractors", lane, enrich=only("extractors"))
    assert len(space.chunks) > 500
    assert lane.seen < 150
    assert {error["path"] for error in space.metadata["errors"]} == {f"{n}.md" for n in range(20)}


class Parser:
    port_version = 1
    declaration = CapabilityDeclaration("odd-parser", "parser", ("text/markdown",), hostile=False)

    def availability(self):
        return None

    def recognise(self, observation, session):
        raise ValueError(f"no {SECRET}")

    def read(self, session, pages, *, deadline):
        yield from ()


def test_a_parser_that_could_not_be_asked_is_an_entry(tree, build_with):
    root = tree({"a.md": "words"})
    space = build_with(root, "indx.capabilities", Parser(), parse={"signature_detection": True})
    (error,) = space.metadata["errors"]
    assert (error["stage"], error["path"], error["code"]) == ("Parse", "a.md", "parser_failed")
    assert error["message"] == "the parser odd-parser was not asked on: ValueError: no ***"
    assert [c.text for c in space.chunks] == ["words"]
    assert build_with(root, "indx.capabilities", Parser()).metadata["errors"] == []


class Embedder:
    port_version = 1
    declaration = EmbedderDeclaration("odd", Space("odd", 2, "cosine", True), ("document",), ("text",))

    def availability(self):
        return None

    def embed(self, batch, *, role, deadline):
        import numpy as np

        return Embedded(np.ones((len(batch), 2), np.float32), {0: f"no {SECRET}"})


def test_a_chunk_without_its_vector_is_an_entry(tree, build_with):
    space = build_with(tree({"a.md": "words"}), "indx.embedders", Embedder(), embed={"space": "odd"})
    (error,) = space.metadata["errors"]
    assert (error["stage"], error["code"]) == ("Embed", "not_embedded")
    assert error["message"] == "none of its chunks has a vector: no ***"
