"""Kits for the lanes that annotate text: language detectors, classifiers, extractors, enrichers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final, get_args

from hypothesis import strategies as st

from indx_core.ports import (
    Answers,
    Device,
    Enrichment,
    LaneContext,
    LaneDeclaration,
    LaneError,
    LanguageDetectorDeclaration,
    Unit,
)
from indx_testkit._base import ProviderKit, for_all
from indx_testkit.checks import assert_clean, assert_scores, in_unit
from indx_testkit.strategies import texts as generated

__all__ = ["ClassifierKit", "EnricherKit", "ExtractorKit", "LanguageDetectorKit"]

_LANGUAGE: Final = re.compile("[a-z]{2}")
_HARD: Final = (
    "",
    " \n\t ",
    "x" * 20_000,
    "\x00 NUL \x00",
    "a \ud800 b",
    "👩\u200d👧" * 50,
    "<a>&amp;\\n'\"%s{}",
)


class LaneKit(ProviderKit):
    """What the four kinds of lane have in common. Declare `texts`, each of which should get an answer.

    Attributes:
        texts: Texts of the unit the lane serves.
        examples: How many generated texts to try; lower it for a lane that is slow.
    """

    has_availability = True
    texts: ClassVar[Sequence[str]]
    examples: ClassVar[int] = 25

    @property
    def call(self) -> tuple[str, *tuple[Any, ...]]:
        """The method that answers, and its arguments after the texts."""
        raise AssertionError("subclass one of the four lane kits")

    def ask(self, lane: Any, texts: Sequence[str]) -> Answers[Any]:
        """Hand `texts` to the lane."""
        method, *rest = self.call
        answer: Answers[Any] = getattr(lane, method)(texts, *rest)
        return answer

    def check(self, text: str, answer: Any) -> None:
        """Hold one answer to the rules of its port."""

    def answers(self, lane: Any, texts: Sequence[str]) -> list[Any]:
        """Ask, and hold the whole batch to the rules."""
        batch = self.ask(lane, texts)
        assert isinstance(batch, Answers), f"{batch!r} in place of Answers"
        items = list(batch.items)
        assert len(items) == len(texts), f"{len(items)} items for {len(texts)} texts"
        assert math.isfinite(batch.cost_usd), f"cost {batch.cost_usd!r}"
        assert batch.cost_usd >= 0, f"cost {batch.cost_usd!r}"
        for text, item in zip(texts, items, strict=True):
            if isinstance(item, LaneError):
                assert_clean(item.message, "LaneError: message")
                assert item.message.strip(), f"a LaneError without a message for {text[:40]!r}"
            elif item is not None:
                self.check(text, item)
        return items

    def test_its_unit_and_device_are_known(self) -> None:
        """What it is shown and where it works."""
        declaration = self.declaration
        if isinstance(declaration, LaneDeclaration):
            assert declaration.unit in get_args(Unit), f"unit {declaration.unit!r}"
            assert declaration.device in get_args(Device), f"device {declaration.device!r}"
            assert isinstance(declaration.settings_key, str)

    def test_it_has_answers(self) -> None:
        """At least one sample is answered, so that the other rules speak of something."""
        assert self.texts, "declare texts = [...], texts of the kind the lane serves"
        items = self.answers(self.make(), self.texts)
        given = [item for item in items if item is not None and not isinstance(item, LaneError)]
        assert any(given), f"no text was answered: {items!r}"

    def test_it_keeps_the_order_of_its_texts(self) -> None:
        """Each item answers the text at its place, whatever stands around it."""
        lane = self.make()
        items = self.answers(lane, self.texts)
        assert self.answers(lane, self.texts[::-1]) == items[::-1], "turned round, the answers differ"
        assert [self.answers(lane, [text])[0] for text in self.texts] == items, "asked alone, they differ"
        assert self.answers(lane, []) == []

    def test_it_answers_alike_each_time(self) -> None:
        """The same texts get the same answers, from a new lane too."""
        lane = self.make()
        items = self.answers(lane, self.texts)
        assert self.answers(lane, self.texts) == items
        assert self.answers(self.make(), self.texts) == items

    def test_it_answers_alike_in_every_process(self) -> None:
        """No answer depends on a hash seed, as the order of a set does."""
        method, *rest = self.call
        self.assert_alike_elsewhere(method, self.texts, *rest)

    def test_one_bad_text_fails_alone(self) -> None:
        """Whatever is wrong with a text, its neighbours are answered as ever."""
        lane = self.make()
        items = self.answers(lane, self.texts)
        for bad in _HARD:
            mixed = self.answers(lane, [bad, *self.texts, bad])
            assert mixed[1:-1] == items, f"beside {bad[:20]!r} the other texts were answered otherwise"

    def test_generated_texts_hold_every_rule(self) -> None:
        """So do texts of many scripts, in batches."""
        lane = self.make()
        for_all(
            st.lists(generated(), max_size=4),
            lambda batch: self.answers(lane, batch),
            examples=self.examples,
        )


class LanguageDetectorKit(LaneKit):
    """Rules of `LanguageDetector`. Declare `texts`."""

    declaration_type = LanguageDetectorDeclaration

    @property
    def call(self) -> tuple[str, *tuple[Any, ...]]:
        """`detect`."""
        return ("detect",)

    def check(self, text: str, answer: Any) -> None:
        """Codes of two letters, highest confidence first."""
        assert_scores(answer, f"languages of {text[:40]!r}")
        for scored in answer:
            assert _LANGUAGE.fullmatch(scored.label), f"{scored.label!r} is no ISO 639-1 code"


class ClassifierKit(LaneKit):
    """Rules of `Classifier`. Declare `texts`, and `context` where the media type matters."""

    declaration_type = LaneDeclaration
    context: ClassVar[LaneContext] = LaneContext("text/plain")

    @property
    def call(self) -> tuple[str, *tuple[Any, ...]]:
        """`classify`."""
        return ("classify", self.context)

    def check(self, text: str, answer: Any) -> None:
        """Labels by facet, highest confidence first."""
        for facet, scores in answer.items():
            assert_clean(facet, "facet")
            assert facet, f"an empty facet for {text[:40]!r}"
            assert_scores(scores, f"{facet} of {text[:40]!r}")


class ExtractorKit(LaneKit):
    """Rules of `Extractor`. Declare `texts` that hold entities."""

    declaration_type = LaneDeclaration

    @property
    def call(self) -> tuple[str, *tuple[Any, ...]]:
        """`extract`."""
        return ("extract",)

    def check(self, text: str, answer: Any) -> None:
        """Offsets that slice the surface, in order of their start."""
        position = 0
        for span in answer:
            what = f"entity {span.surface[:40]!r}"
            assert 0 <= span.start < span.end <= len(text), f"{what}: [{span.start}, {span.end}) leaves it"
            found = text[span.start : span.end]
            assert span.surface == found, f"{what}: {found!r} is there"
            assert span.surface.strip(), f"{what}: white space"
            assert span.start >= position, f"{what}: starts before the entity before it"
            assert in_unit(span.confidence), f"{what}: confidence {span.confidence!r}"
            assert_clean(span.label, f"{what}: label")
            assert span.label, f"{what}: an empty label"
            position = span.start


class EnricherKit(LaneKit):
    """Rules of `Enricher`. Declare `texts`."""

    declaration_type = LaneDeclaration

    @property
    def call(self) -> tuple[str, *tuple[Any, ...]]:
        """`enrich`."""
        return ("enrich",)

    def check(self, text: str, answer: Any) -> None:
        """Strings fit for the wire, tags highest confidence first, nothing empty."""
        assert isinstance(answer, Enrichment), f"{answer!r} in place of an Enrichment"
        what = f"enrichment of {text[:40]!r}"
        if answer.summary is not None:
            assert_clean(answer.summary, f"{what}: summary")
            assert answer.summary.strip(), f"{what}: an empty summary; None says that there is none"
        if answer.tags is not None:
            assert_scores(answer.tags, f"{what}: tags")
        for name, parts in (("topics", answer.topics), ("questions", answer.questions)):
            assert not isinstance(parts, str), f"{what}: {name} is a string, not a list of them"
            for part in parts or ():
                assert_clean(part, f"{what}: {name}")
                assert part.strip(), f"{what}: an empty string among its {name}"
            assert len(set(parts or ())) == len(parts or ()), f"{what}: {name} repeat: {parts!r}"
