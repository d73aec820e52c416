"""A gazetteer out of its JSON file, `{label: [surface, …]}`, checked so that every fault names its place."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import ConfigurationError
from indx_ner_patterns._gazetteer import Gazetteer
from indx_ner_patterns.settings import GAZETTEER

__all__ = ["MAX_BYTES", "MAX_LABEL", "MAX_SURFACE", "current", "read_gazetteer"]

MAX_BYTES: Final = 32 * 1024 * 1024
MAX_LABEL: Final = 64
MAX_SURFACE: Final = 256


def current() -> Gazetteer | None:
    """The file that INDX_NER_PATTERNS_GAZETTEER names, as it is now; None when it names none.

    Raises:
        ConfigurationError: `invalid_setting`; the file cannot be read, or is no gazetteer.
    """
    source = GAZETTEER.get()
    if source is None:
        return None
    try:
        with source.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES} bytes")
        return _compiled(data)
    except OSError as error:
        reason = error.strerror or type(error).__name__
    except ValueError as error:
        reason = str(error)
    raise ConfigurationError(f"{GAZETTEER.name}: {str(source)!r}: {reason}", code="invalid_setting")


_compiled = lru_cache(maxsize=2)(lambda data: read_gazetteer(data))


def read_gazetteer(data: bytes) -> Gazetteer:
    """Read a gazetteer.

    Raises:
        ValueError: Saying where it is wrong.
    """
    try:
        labels = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(labels, dict) or not labels:
        raise ValueError("a gazetteer is a JSON object of labels, at least one")
    for label, surfaces in labels.items():
        if not _is_text(label, MAX_LABEL):
            raise ValueError(f"the label {label!r} must be a text of 1 to {MAX_LABEL} characters")
        if not isinstance(surfaces, list):
            raise ValueError(f"label {label!r}: its surfaces must be a list of texts")
        for surface in surfaces:
            if not _is_text(surface, MAX_SURFACE):
                raise ValueError(
                    f"label {label!r}: the surface {surface!r} must be a text of 1 to {MAX_SURFACE} "
                    "characters without white space around it"
                )
    return Gazetteer((label, surface) for label, surfaces in labels.items() for surface in surfaces)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object in which a key stands once."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise ValueError(f"the key {key!r} stands twice in one object")
        made[key] = value
    return made


def _is_text(value: Any, longest: int) -> bool:
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        return False
    return value.strip() == value and clean_text(value) is value
