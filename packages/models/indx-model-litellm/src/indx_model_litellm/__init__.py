"""One bounded call to a model through LiteLLM: its settings, its cost and its failures.

    SETTINGS = model_settings("INDX_NER_LLM", purpose="finds entities")     in a lane's settings.py
    unavailability(MODEL, install='pip install "indx-ner-llm[llm]"')        in its factory or availability()
    HostedModel.configured(MODEL).ask(messages, shape=Found, deadline=…)    where it answers
    answer_each(texts, limit, ask)                                          and for a batch of texts

Importing this package loads neither LiteLLM nor any other third-party package, and of its own only what is
used: lanes are asked whether they can run in every process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_model_litellm._availability import device_of, is_installed, unavailability
    from indx_model_litellm._batches import answer_each
    from indx_model_litellm._errors import (
        AnswerInvalid,
        AnswerTooLarge,
        ModelBusy,
        ModelError,
        ModelRefused,
        ModelTimeout,
        ModelUnreachable,
    )
    from indx_model_litellm._json import parse_object
    from indx_model_litellm._model import Answer, HostedModel, Message, Reply, Vectors
    from indx_model_litellm._settings import ModelSettings, model_settings

__all__ = [
    "Answer",
    "AnswerInvalid",
    "AnswerTooLarge",
    "HostedModel",
    "Message",
    "ModelBusy",
    "ModelError",
    "ModelRefused",
    "ModelSettings",
    "ModelTimeout",
    "ModelUnreachable",
    "Reply",
    "Vectors",
    "answer_each",
    "device_of",
    "is_installed",
    "model_settings",
    "parse_object",
    "unavailability",
]

_HOME: Final = {
    "Answer": "._model",
    "AnswerInvalid": "._errors",
    "AnswerTooLarge": "._errors",
    "HostedModel": "._model",
    "Message": "._model",
    "ModelBusy": "._errors",
    "ModelError": "._errors",
    "ModelRefused": "._errors",
    "ModelSettings": "._settings",
    "ModelTimeout": "._errors",
    "ModelUnreachable": "._errors",
    "Reply": "._model",
    "Vectors": "._model",
    "answer_each": "._batches",
    "device_of": "._availability",
    "is_installed": "._availability",
    "model_settings": "._settings",
    "parse_object": "._json",
    "unavailability": "._availability",
}
"""The module of each public name."""

__getattr__, __dir__ = lazily(__name__, _HOME)
