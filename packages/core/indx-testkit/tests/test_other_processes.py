"""Answers that depend on a hash seed are refused, by processes that have other ones."""

import importlib

import pytest

from indx_testkit import CapabilityKit, ChunkerKit, ClassifierKit, DocumentSample
from indx_testkit.samples import document, reading

SOURCE = """
from indx_core.ports import Answers, ChunkDraft, PageReading, Scored

NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]

class Steady:
    names = staticmethod(sorted)

    def classify(self, texts, context):
        return Answers([{"facet": [Scored(name, 1.0) for name in self.names(NAMES)]} for _ in texts])

    def chunk(self, document, session, pages):
        whole = document.pages[1].text
        section = list(self.names(NAMES))
        return {1: [ChunkDraft(whole, spans=((0, len(whole)),), box_reason="hidden", section=section)]}

    def read(self, session, pages, *, deadline):
        for page in pages:
            yield PageReading(page, metadata={"n": list(self.names(NAMES))})

class Salted(Steady):
    names = staticmethod(set)
"""


class Lane(ClassifierKit):
    texts = ("a",)
    rule = "test_it_answers_alike_in_every_process"


class Chunker(ChunkerKit):
    samples = (document(reading("a b")),)
    rule = "test_it_cuts_alike_in_every_process"


class Reader(CapabilityKit):
    documents = (DocumentSample(b"text", "text/plain"),)
    rule = "test_it_reads_alike_in_every_process"


@pytest.fixture
def module(tmp_path, monkeypatch):
    tmp_path.joinpath("seeded_providers.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module("seeded_providers")


@pytest.mark.parametrize("kit", [Lane, Chunker, Reader])
def test_the_order_of_a_set_in_an_answer_is_refused(kit, module, verdict, refuted):
    steady = type("Kit", (kit,), {"factory": staticmethod(module.Steady)})
    assert verdict(steady, kit.rule) is None
    salted = type("Kit", (kit,), {"factory": staticmethod(module.Salted)})
    refuted(salted, kit.rule, "another hash seed")


def test_a_factory_may_be_named_by_hand(module, refuted):
    salted = type("Kit", (Lane,), {"factory": staticmethod(lambda: None), "at": "seeded_providers:Salted"})
    refuted(salted, Lane.rule, "another hash seed")
