"""The settings by which a lane reaches its model: five variables under a prefix of the lane's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from indx_core.settings import Kind, Setting, integer, number, string

__all__ = ["ModelSettings", "model_settings"]


def _address(text: str) -> str:
    expected = "an http or https address, such as http://127.0.0.1:11434"
    address = text.strip()
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ValueError(expected) from None
    if not usable or any(character.isspace() for character in address):
        raise ValueError(expected)
    return address


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The settings of one lane's model.

    Attributes:
        model: Which model, as LiteLLM names it.
        api_key: The credential; secret.
        api_base: The address of the server; secret too, since it may be a private one.
        timeout: Seconds one call may take.
        retries: How often a call that failed for a passing reason is made again.
    """

    model: Setting[str | None]
    api_key: Setting[str | None]
    api_base: Setting[str | None]
    timeout: Setting[float]
    retries: Setting[int]

    def __iter__(self) -> Iterator[Setting[object]]:
        """All five, in the order of a table: `SETTINGS = (*MODEL, …)`."""
        yield from (self.model, self.api_key, self.api_base, self.timeout, self.retries)  # type: ignore[misc]


def model_settings(
    prefix: str,
    *,
    purpose: str,
    timeout_seconds: float = 60.0,
    retries: int = 1,
    read: Literal["call", "start"] = "call",
) -> ModelSettings:
    """Declare `<prefix>_MODEL`, `_API_KEY`, `_API_BASE`, `_TIMEOUT_SECONDS` and `_RETRIES`.

    Args:
        prefix: `INDX_VLM`, without the last underscore.
        purpose: What the model does, third person: `reads pages`.
        timeout_seconds: The default time-out of one call.
        retries: The default number of further attempts.
        read: `start` where the model is the one that was declared, whatever is set after.
    """
    text: Kind[str | None] = string
    said = f"The model that {purpose}, a LiteLLM model ID such as `ollama/llava`; unset, there is none."
    return ModelSettings(
        model=Setting(f"{prefix}_MODEL", text, None, said, read=read),
        api_key=Setting(
            f"{prefix}_API_KEY", text, None, "The key sent to the model's server.", secret=True, read=read
        ),
        api_base=Setting(
            f"{prefix}_API_BASE",
            Kind("address", _address),
            None,
            "Where the model's server is; an address of this machine keeps the data here.",
            secret=True,
            read=read,
        ),
        timeout=Setting(
            f"{prefix}_TIMEOUT_SECONDS",
            number(minimum=0.1, maximum=86_400),
            timeout_seconds,
            "Seconds one call to the model may take.",
            read=read,
        ),
        retries=Setting(
            f"{prefix}_RETRIES",
            integer(minimum=0),
            retries,
            "How often a call is made again after a time-out, a lost connection or a busy server.",
            read=read,
        ),
    )
