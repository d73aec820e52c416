"""Which failures of a model another time may spare: an answer is paid for, and would be the same again."""

import pytest

from indx_model_litellm import (
    AnswerInvalid,
    AnswerTooLarge,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)


@pytest.mark.parametrize(
    ("kind", "lapse"),
    [
        (ModelError, "lacking"),
        (ModelUnreachable, "lacking"),
        (ModelBusy, "lacking"),
        (ModelTimeout, "ended"),
        (ModelRefused, None),
        (AnswerTooLarge, None),
        (AnswerInvalid, None),
    ],
)
def test_only_a_server_that_did_not_answer_is_the_fault_of_the_moment(kind, lapse):
    assert kind("why").lapse == lapse
