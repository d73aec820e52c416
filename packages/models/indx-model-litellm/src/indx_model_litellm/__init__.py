"""One bounded call to a model through LiteLLM: its settings, its cost and its failures.

    SETTINGS = model_settings("INDX_NER_LLM", purpose="finds entities")     in a lane's settings.py
    unavailability(MODEL, install='pip install "indx-ner-llm[llm]"')        in its factory or availability()
    HostedModel.configured(MODEL).ask(messages, shape=Found, deadline=…)    where it answers
    answer_each(texts, limit, ask)                                          and for a batch of texts

Importing this package loads neither LiteLLM nor any other third-party package.
"""

from __future__ import annotations

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
