"""The rules of the four lanes bite."""

import itertools
import re
from dataclasses import replace

import pytest

from indx_core.ports import (
    Answers,
    Enrichment,
    EntitySpan,
    LaneDeclaration,
    LaneError,
    LanguageDetectorDeclaration,
    Scored,
)
from indx_testkit import ClassifierKit, EnricherKit, ExtractorKit, LanguageDetectorKit

counter = itertools.count()


def nowhere(self):
    """No other process asks these providers: test_other_processes.py has its own."""


class Lane:
    port_version = 1
    declaration = LaneDeclaration("lane", "document")

    def availability(self):
        return None

    def answer(self, texts, context=None):
        return Answers([self.one(text) for text in texts])

    detect = classify = extract = enrich = lambda self, texts, context=None: self.answer(texts, context)


class Detector(Lane):
    declaration = LanguageDetectorDeclaration("latin")

    def one(self, text):
        return [Scored("en", 0.9), Scored("de", 0.1)] if "the" in text else None


class Sorter(Lane):
    def one(self, text):
        return {"document_type": [Scored("report", 0.8), Scored("letter", 0.2)]} if "report" in text else None


class Finder(Lane):
    def one(self, text):
        return [
            EntitySpan("NUMBER", m.group(), m.start(), m.end(), 1.0) for m in re.finditer(r"[0-9]+", text)
        ]


class Summer(Lane):
    def one(self, text):
        words = text.encode("utf-8", "replace").decode().replace("\0", "").split()
        return Enrichment(summary=words[0], tags=[Scored("tag", 1.0)], topics=words[:1]) if words else None


class DetectorKit(LanguageDetectorKit):
    factory = staticmethod(Detector)
    importable_factory = nowhere
    module = "indx_core.ports"
    texts = ("the first", "second", "the third")


class SorterKit(ClassifierKit):
    factory = staticmethod(Sorter)
    importable_factory = nowhere
    module = "indx_core.ports"
    texts = ("a report", "a letter")


class FinderKit(ExtractorKit):
    factory = staticmethod(Finder)
    importable_factory = nowhere
    module = "indx_core.ports"
    texts = ("1 and 22", "none", "333")


class SummerKit(EnricherKit):
    factory = staticmethod(Summer)
    importable_factory = nowhere
    module = "indx_core.ports"
    texts = ("first words", "other words")


class TestDetector(DetectorKit):
    pass


class TestSorter(SorterKit):
    pass


class TestFinder(FinderKit):
    pass


class TestSummer(SummerKit):
    pass


def kit(base, **changes):
    provider = type("Changed", (base.factory,), changes)
    return type("Kit", (base,), {"factory": staticmethod(provider)})


ORDER, HAS = "test_it_keeps_the_order_of_its_texts", "test_it_has_answers"
ALIKE, BAD = "test_it_answers_alike_each_time", "test_one_bad_text_fails_alone"


def batch_dependent(self, texts, context=None):
    return Answers([{"document_type": [Scored(f"report{len(texts)}", 0.8)]} for _ in texts])


def all_fail(self, texts, context=None):
    if "" in texts:
        return Answers([LaneError("empty text in the batch") for _ in texts])
    return Lane.answer(self, texts)


def raises(self, texts, context=None):
    for text in texts:
        text.encode()
    return Lane.answer(self, texts)


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"answer": lambda self, texts, context=None: [None] * len(texts)}, HAS, "in place of Answers"),
        ({"answer": lambda self, texts, context=None: Answers([])}, HAS, "0 items for 2"),
        ({"answer": lambda self, texts, context=None: Answers([None] * len(texts), -1.0)}, HAS, "cost"),
        ({"one": lambda self, text: None}, HAS, "no text was answered"),
        ({"one": lambda self, text: LaneError(" ")}, HAS, "without a message"),
        ({"one": lambda self, text: {"": [Scored("a", 1.0)]}}, HAS, "empty facet"),
        ({"one": lambda self, text: {"f": [Scored("a", 0.1), Scored("b", 0.9)]}}, HAS, "highest first"),
        ({"one": lambda self, text: {"f": [Scored("a", 1.1)]}}, HAS, "confidence"),
        ({"answer": batch_dependent}, ORDER, "asked alone"),
        ({"one": lambda self, text: {"f": [Scored(f"n{next(counter)}", 1.0)]}}, ALIKE, ""),
        ({"answer": all_fail}, BAD, "answered otherwise"),
        ({"answer": raises}, BAD, "UnicodeEncodeError"),
        ({"answer": raises}, "test_generated_texts_hold_every_rule", ""),
        ({"declaration": LaneDeclaration("lane", "book")}, "test_its_unit_and_device_are_known", "book"),
        (
            {"declaration": LaneDeclaration("lane", "page", "moon")},
            "test_its_unit_and_device_are_known",
            "moon",
        ),
    ],
)
def test_a_bad_lane_is_refused(changes, rule, reason, refuted, verdict):
    if rule == "test_generated_texts_hold_every_rule":
        changes = {"one": lambda self, text: {"f": [Scored("", 1.0)]}}
        reason = "empty label"
    refuted(kit(SorterKit, **changes), rule, reason)


def test_a_lane_that_turns_its_answers_round_is_refused(refuted):
    def backwards(self, texts, context=None):
        return Answers(sorted(Lane.answer(self, texts).items, key=repr))

    refuted(kit(SorterKit, answer=backwards), ORDER, "turned round")


@pytest.mark.parametrize("label", ["eng", "EN", "e", ""])
def test_a_language_is_a_code_of_two_letters(label, refuted):
    refuted(kit(DetectorKit, one=lambda self, text: [Scored(label, 1.0)]), HAS, "")


def spans(*made):
    return lambda self, text: list(made)


GOOD = EntitySpan("N", "1", 0, 1, 1.0)


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (spans(replace(GOOD, end=99)), "leaves"),
        (spans(replace(GOOD, surface="2")), "'1' is there"),
        (spans(EntitySpan("N", " ", 1, 2, 1.0)), "white space"),
        (spans(EntitySpan("N", "22", 6, 8, 1.0), GOOD), "before the entity before it"),
        (spans(replace(GOOD, confidence=-1)), "confidence"),
        (spans(replace(GOOD, label="")), "empty label"),
    ],
)
def test_a_bad_entity_is_refused(one, reason, refuted):
    made = kit(FinderKit, one=one)
    made.texts = ("1 and 22",)
    refuted(made, HAS, reason)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("a summary", "in place of an Enrichment"),
        (Enrichment(summary=""), "empty summary"),
        (Enrichment(summary="\ud800"), "ud800"),
        (Enrichment(tags=[Scored("a", 0.1), Scored("b", 0.2)]), "highest first"),
        (Enrichment(topics="topic"), "is a string"),
        (Enrichment(topics=["a", ""]), "empty string"),
        (Enrichment(questions=["why?", "why?"]), "repeat"),
    ],
)
def test_a_bad_enrichment_is_refused(answer, reason, refuted):
    refuted(kit(SummerKit, one=lambda self, text: answer), HAS, reason)


def test_a_lane_kit_needs_texts(refuted):
    made = kit(SorterKit)
    made.texts = ()
    refuted(made, HAS, "declare texts")
