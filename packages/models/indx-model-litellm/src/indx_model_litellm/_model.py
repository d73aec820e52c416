"""A configured model: a call with its bounds, made again where that may help, and what it cost."""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from indx_core.canonical import clean_text
from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import Device
from indx_model_litellm._availability import device_of
from indx_model_litellm._errors import (
    AnswerInvalid,
    AnswerTooLarge,
    ModelBusy,
    ModelTimeout,
    ModelUnreachable,
)
from indx_model_litellm._json import parse_object
from indx_model_litellm._settings import ModelSettings

if TYPE_CHECKING:
    from pydantic import BaseModel

    from indx_core.deadline import Deadline

__all__ = ["Answer", "HostedModel", "Message", "Reply", "Vectors"]

Shape = TypeVar("Shape", bound="BaseModel")
Message: TypeAlias = "Mapping[str, Any]"
"""A message as chat interfaces take it: `{"role": "user", "content": …}`."""

MOST_REPLY_BYTES: Final = 4 << 20
MOST_VECTOR_BYTES: Final = 256 << 20
_LEFT_OVER: Final = 1.0
"""Seconds of a caller's deadline that a call leaves, for its caller to say what happened."""
_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 30.0
_MOST: Final = sys.float_info.max
_PASSING: Final = (ModelTimeout, ModelUnreachable, ModelBusy)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    Attributes:
        text: Its answer, fit for UTF-8; may be empty.
        complete: Whether it came to an end by itself, not at the limit of tokens.
        cost_usd: What was charged, calls that failed before included.
    """

    text: str
    complete: bool
    cost_usd: float


@dataclass(frozen=True, slots=True)
class Answer(Generic[Shape]):
    """An answer of the shape asked for, and what was charged."""

    value: Shape
    cost_usd: float


@dataclass(frozen=True, slots=True)
class Vectors:
    """One row of finite numbers for each text, all of one length, and what was charged."""

    rows: Sequence[Sequence[float]]
    cost_usd: float


@dataclass(frozen=True, slots=True)
class HostedModel:
    """A model and how it is asked.

    Attributes:
        settings: The settings it was configured by, which its messages name.
        model: Its LiteLLM ID.
        device: Where it runs.
        api_key: The credential.
        api_base: The server's address.
        timeout: Seconds one call may take.
        retries: How often a call is made again.
        pause: Waits between attempts; for tests.
    """

    settings: ModelSettings
    model: str
    device: Device
    api_key: str | None = field(default=None, repr=False)
    api_base: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    retries: int = 1
    pause: Callable[[float], None] = field(default=time.sleep, repr=False, compare=False)

    @classmethod
    def configured(cls, settings: ModelSettings) -> HostedModel:
        """The model that the settings name now.

        Raises:
            ConfigurationError: `invalid_setting`; none is named, or a value is wrong.
        """
        model = settings.model.get()
        if model is None:
            raise ConfigurationError(
                f"no model is configured; set {settings.model.name}", code="invalid_setting"
            )
        return cls(
            settings,
            model,
            device_of(settings),
            settings.api_key.get(),
            settings.api_base.get(),
            settings.timeout.get(),
            settings.retries.get(),
        )

    @property
    def fingerprint(self) -> str:
        """What tells its answers from another model's, for cache keys; holds no address and no key."""
        where = hashlib.sha256((self.api_base or "").encode("utf-8", "replace")).hexdigest()[:16]
        return f"{self.model}@{where}"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        deadline: Deadline | None = None,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        limit: int = MOST_REPLY_BYTES,
    ) -> Reply:
        """Ask once, and again for a failure that may pass.

        Args:
            messages: The conversation.
            deadline: The attempt's; no call runs beyond it.
            schema: A JSON Schema that the server is asked to hold the answer to, where it can.
            max_tokens: The longest answer to ask for.
            limit: The most bytes of an answer.

        Raises:
            ModelError: There is no answer; its class says why, `cost_usd` what was charged regardless.
        """
        options: dict[str, Any] = {"messages": [dict(message) for message in messages], "temperature": 0}
        if max_tokens is not None:
            options["max_tokens"] = max_tokens
        if schema is not None:
            options["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": dict(schema)},
            }
        response, cost = self._call("completion", options, deadline, limit)
        text, complete = _reply(response)
        if len(text) > limit:
            raise AnswerTooLarge(f"the model answered with more than {limit} bytes", cost_usd=cost)
        return Reply(clean_text(text), complete, cost)

    def ask(
        self,
        messages: Sequence[Message],
        *,
        shape: type[Shape],
        deadline: Deadline | None = None,
        max_tokens: int | None = None,
        limit: int = MOST_REPLY_BYTES,
    ) -> Answer[Shape]:
        """Ask for JSON of a shape, and take nothing else.

        Args:
            messages: The conversation; it should say what JSON is wanted, since not every server is bound
                by a schema.
            shape: A pydantic model; one with `extra="forbid"` also refuses what was not asked for.
            deadline: The attempt's.
            max_tokens: The longest answer to ask for.
            limit: The most bytes of an answer.

        Raises:
            ModelError: As `complete`; `AnswerInvalid` when the answer is cut short or of another shape.
        """
        from pydantic import ValidationError

        reply = self.complete(
            messages, deadline=deadline, schema=shape.model_json_schema(), max_tokens=max_tokens, limit=limit
        )
        if not reply.complete:
            raise AnswerInvalid("the model's answer was cut at its limit of tokens", cost_usd=reply.cost_usd)
        try:
            return Answer(shape.model_validate(parse_object(reply.text)), reply.cost_usd)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            said = f"{where}: {first['msg']}" if where else first["msg"]
            message = f"the model's answer is not of the shape asked for: {clean_text(said)[:200]}"
        except ValueError as error:
            message = f"the model's answer is not of the shape asked for: {error}"
        raise AnswerInvalid(message, cost_usd=reply.cost_usd)

    def embed(
        self,
        texts: Sequence[str],
        *,
        deadline: Deadline | None = None,
        dimension: int | None = None,
        limit: int = MOST_VECTOR_BYTES,
    ) -> Vectors:
        """Vectors of `texts`, in their order.

        Args:
            texts: What to embed, none of them empty.
            deadline: The attempt's.
            dimension: The length every vector must have; None takes any, as long as all agree.
            limit: The most bytes of the answer.

        Raises:
            ModelError: There are no vectors; `AnswerInvalid` when they are not as many, not of that length,
                or not finite numbers.
        """
        options = {"input": list(texts), "encoding_format": "float"}
        response, cost = self._call("embedding", options, deadline, limit)
        try:
            rows = _rows(response, len(texts), dimension)
        except ValueError as error:
            raise AnswerInvalid(f"the model's vectors are unusable: {error}", cost_usd=cost) from None
        return Vectors(rows, cost)

    def _call(
        self, operation: str, options: Mapping[str, Any], deadline: Deadline | None, limit: int
    ) -> tuple[Any, float]:
        """The response and what was charged; made again after a failure that may pass."""
        from indx_model_litellm import _engine

        _engine.load()  # which may take seconds, and is no part of a call
        attempt = 0
        while True:
            left = None if deadline is None else deadline.remaining()
            seconds = self.timeout if left is None else min(self.timeout, left - _LEFT_OVER)
            if seconds <= 0:
                raise ModelTimeout("no time was left to ask the model")
            try:
                return _engine.call(self, operation, options, seconds=seconds, limit=limit)
            except _PASSING as error:
                pause = max(error.wait, _FIRST_PAUSE * 2**attempt)
                attempt += 1
                late = left is not None and (deadline.remaining() or 0.0) <= pause + _LEFT_OVER  # type: ignore[union-attr]
                if attempt > self.retries or pause > _LONGEST_PAUSE or late:
                    raise
                self.pause(pause)


def _reply(response: Any) -> tuple[str, bool]:
    """The text of a completion and whether it is whole."""
    try:
        choice = response.choices[0]
        text = choice.message.content
        finished = choice.finish_reason
    except (AttributeError, IndexError, KeyError, TypeError):
        raise AnswerInvalid("the model's server sent no answer") from None
    if text is None:
        text = ""
    if not isinstance(text, str):
        raise AnswerInvalid("the model's server sent an answer that is no text")
    return text, finished != "length"


def _rows(response: Any, count: int, dimension: int | None) -> list[list[float]]:
    """The vectors of an embedding response, by their index."""
    data = getattr(response, "data", None)
    if not isinstance(data, list) or len(data) != count:
        found = len(data) if isinstance(data, list) else "none"
        raise ValueError(f"{found} for {count} texts")
    rows: list[list[float] | None] = [None] * count
    for place, item in enumerate(data):
        index, row = _member(item, "index", place), _member(item, "embedding", None)
        if type(index) is not int or not 0 <= index < count or rows[index] is not None:
            raise ValueError("they are not numbered by the texts they belong to")
        if not isinstance(row, list) or not row:
            raise ValueError(f"none for text {index}")
        if len(row) != (dimension or len(row)):
            raise ValueError(f"{len(row)} numbers where {dimension} were expected")
        if not all(type(n) in (int, float) and -_MOST <= n <= _MOST for n in row):
            raise ValueError(f"text {index} has numbers that are not finite")
        rows[index] = row
    filled = [row for row in rows if row is not None]
    if len({len(row) for row in filled}) > 1:
        raise ValueError("they differ in length")
    return filled


def _member(item: Any, name: str, default: Any) -> Any:
    return item.get(name, default) if isinstance(item, Mapping) else getattr(item, name, default)
