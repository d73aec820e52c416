"""A batch is answered text by text."""

from __future__ import annotations

import pytest

from indx_core.ports import LaneError
from indx_model_litellm import (
    AnswerInvalid,
    ModelBusy,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    answer_each,
)


def saying(**failures):
    """Answers a text with its length for a cent; a text that names a failure fails so."""
    asked = []

    def ask(text):
        asked.append(text)
        if text in failures:
            raise failures[text]
        return len(text), 0.01

    ask.asked = asked
    return ask


def test_each_text_is_asked_about_and_the_charges_are_summed():
    answers = answer_each(["ab", "c"], 100, saying())
    assert list(answers.items) == [2, 1]
    assert answers.cost_usd == pytest.approx(0.02)


def test_a_blank_text_is_not_asked_about():
    ask = saying()
    assert list(answer_each(["", " \n", "a"], 100, ask).items) == [None, None, 1]
    assert ask.asked == ["a"]


def test_one_bad_text_fails_alone_and_is_charged():
    ask = saying(bad=AnswerInvalid("it is no JSON", cost_usd=0.5))
    answers = answer_each(["a", "bad", "c"], 100, ask)
    assert list(answers.items) == [1, LaneError("it is no JSON"), 1]
    assert answers.cost_usd == pytest.approx(0.52)


def test_only_the_head_is_shown_and_no_grapheme_is_cut():
    ask = saying()
    answer_each(["x" * 200_000, "abc👩\u200d👧"], 4, ask)
    assert ask.asked == ["xxxx", "abc"]


@pytest.mark.parametrize("kind", [ModelTimeout, ModelUnreachable, ModelBusy])
def test_a_server_that_is_gone_is_not_waited_for_again(kind):
    ask = saying(x=kind("no answer"))
    items = answer_each(["a", "x", "x", "b", "c"], 100, ask).items
    assert ask.asked == ["a", "x", "x"]
    assert items[0] == 1
    assert items[1] == items[2] == LaneError("no answer")
    assert items[3] == items[4] == LaneError("not asked, since the model failed 2 times in a row: no answer")


def test_failures_that_are_the_texts_own_do_not_end_a_batch():
    ask = saying(x=ModelRefused("too long"), y=ModelTimeout("late"), z=AnswerInvalid("prose"))
    texts = ["x", "x", "x", "y", "z", "y", "a", "y", "b"]
    answer_each(texts, 100, ask)
    assert ask.asked == texts
