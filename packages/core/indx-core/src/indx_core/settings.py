"""Settings: every `INDX_…` variable is one `Setting`, parsed in one place, listed in one table.

A distribution keeps its settings in a `settings.py` with a `SETTINGS` tuple. Standard library only, so
that a provider can declare them without importing anything.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Literal, TypeVar

from indx_core.errors import ConfigurationError

__all__ = [
    "MAX_PAGES",
    "SETTINGS",
    "SOURCE_PASSWORDS",
    "Kind",
    "Setting",
    "boolean",
    "integer",
    "json_list",
    "names",
    "number",
    "path",
    "paths",
    "string",
]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_WHOLE = re.compile(r"[+-]?[0-9]{1,20}")


@dataclass(frozen=True, slots=True)
class Kind(Generic[T_co]):
    """How a setting's text becomes a value; `parse` raises ValueError with what it expects."""

    name: str
    parse: Callable[[str], T_co]


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One environment variable.

    Attributes:
        name: The variable, `INDX_…`.
        kind: Its type.
        default: The value when the variable is unset or empty.
        help: What it does, one sentence.
        secret: Whether its value must never be shown.
        read: `call` when it is read each time it is needed, `start` when a process reads it once.
    """

    name: str
    kind: Kind[T]
    default: T
    help: str
    secret: bool = False
    read: Literal["call", "start"] = "call"

    def get(self, environ: Mapping[str, str] | None = None) -> T:
        """The value now; an unset or empty variable is the default.

        Raises:
            ConfigurationError: `invalid_setting`, naming the variable and what it takes.
        """
        text = (os.environ if environ is None else environ).get(self.name, "")
        if not text.strip():
            return self.default
        try:
            return self.kind.parse(text)
        except ValueError as error:
            shown = "its value" if self.secret else repr(text)
            raise ConfigurationError(f"{self.name}: {shown} is not {error}", code="invalid_setting") from None

    def is_set(self, environ: Mapping[str, str] | None = None) -> bool:
        """Whether the variable holds anything."""
        return bool((os.environ if environ is None else environ).get(self.name, "").strip())


def _boolean(text: str) -> bool:
    value = {"true": True, "1": True, "false": False, "0": False}.get(text.strip().lower())
    if value is None:
        raise ValueError("one of true, false, 1, 0")
    return value


def integer(*, minimum: int | None = None) -> Kind[int]:
    """A whole number of 64 bits, at least `minimum`."""
    expected = "a whole number" + ("" if minimum is None else f" of at least {minimum}")

    def parse(text: str) -> int:
        if _WHOLE.fullmatch(text.strip()) is None:
            raise ValueError(expected)
        value = int(text)
        if value.bit_length() > 63 or (minimum is not None and value < minimum):
            raise ValueError(expected)
        return value

    return Kind("integer", parse)


def number(*, minimum: float | None = None, maximum: float | None = None) -> Kind[float]:
    """A finite number within the bounds given."""
    low = "" if minimum is None else f" of at least {minimum:g}"
    expected = "a number" + low + ("" if maximum is None else f" and at most {maximum:g}")

    def parse(text: str) -> float:
        try:
            value = float(text.strip())
        except ValueError:
            raise ValueError(expected) from None
        low_ok = minimum is None or value >= minimum
        high_ok = maximum is None or value <= maximum
        if not (math.isfinite(value) and low_ok and high_ok):
            raise ValueError(expected)
        return value

    return Kind("number", parse)


def _names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _paths(text: str) -> tuple[Path, ...]:
    return tuple(Path(part) for part in text.split(os.pathsep) if part.strip())


def _json_list(text: str) -> tuple[str, ...]:
    expected = """a JSON list of strings, such as '["secret"]'"""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(expected) from None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(expected)
    if any(0xD800 <= ord(sign) < 0xE000 for item in value for sign in item if not item.isascii()):
        raise ValueError(
            "a JSON list of strings: one has half a character, as of an escape \\ud800 without its other half"
        )
    return tuple(value)


string: Kind[str] = Kind("string", str.strip)
boolean: Kind[bool] = Kind("boolean", _boolean)
names: Kind[tuple[str, ...]] = Kind("list", _names)
path: Kind[Path | None] = Kind("path", lambda text: Path(text.strip()))
paths: Kind[tuple[Path, ...]] = Kind("paths", _paths)
json_list: Kind[tuple[str, ...]] = Kind("JSON list", _json_list)

MAX_PAGES = Setting("INDX_MAX_PAGES", integer(minimum=1), 20000, "The most pages a document may have.")
SOURCE_PASSWORDS = Setting(
    "INDX_SOURCE_PASSWORDS",
    json_list,
    (),
    "Passwords to try on encrypted documents, a JSON list of strings.",
    secret=True,
)

SETTINGS = (MAX_PAGES, SOURCE_PASSWORDS)
"""What readers of several formats obey alike; everything else is declared where it is used."""
