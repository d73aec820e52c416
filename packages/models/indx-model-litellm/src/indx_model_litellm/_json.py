"""A model's answer as JSON, read strictly: one object and nothing else."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from indx_core.canonical import clean_text

__all__ = ["parse_object"]

_FENCED: Final = re.compile(r"```(?:json|JSON)?[ \t]*\n(.*?)\n?[ \t]*```", re.DOTALL)


def parse_object(text: str) -> dict[str, Any]:
    """The one JSON object that `text` is, alone or in one code fence that encloses it whole.

    Raises:
        ValueError: It is anything else: prose around it, several values, a repeated key, NaN or Infinity,
            a string that no UTF-8 can hold, a number or depth beyond reason.
    """
    body = text.strip()
    if fenced := _FENCED.fullmatch(body):
        body = fenced.group(1)
    try:
        value = json.loads(body, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at character {error.pos}") from None
    if not isinstance(value, dict):
        raise ValueError(f"it is a JSON {type(value).__name__}, not an object")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("it repeats a key")
    for key, value in pairs:
        for string in (key, *(value if isinstance(value, list) else (value,))):
            if isinstance(string, str) and clean_text(string) != string:
                raise ValueError("it holds characters that UTF-8 cannot")
    return made


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"it holds {name}")
