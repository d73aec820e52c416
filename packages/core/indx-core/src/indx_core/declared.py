"""Whether what a provider declares can be advertised: every fact of its port, of the right kind.

One wrong declaration must not take an inventory down, so a provider is held to this when it is loaded and
counts as broken when it fails; its author reads which fact is wrong, and what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, get_args

from indx_core.canonical import clean_text
from indx_core.ports.declarations import Device, Unit
from indx_core.ports.embedding import Metric, Modality
from indx_core.ports.reading import CapabilityKind

__all__ = ["check_declaration"]

Fact: TypeAlias = "tuple[str, Callable[[Any], bool]]"
"""What is expected, in words, and whether a value is that."""

_NAME: Final = re.compile(r"[^\s,@\x00-\x1f\x7f]{1,200}")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*")


def _text(value: Any) -> bool:
    return isinstance(value, str) and clean_text(value) is value


def _name(value: Any) -> bool:
    return _text(value) and _NAME.fullmatch(value) is not None


def _tuple_of(one: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, tuple) and all(map(one, value))


def _choice(literal: Any) -> Fact:
    known = get_args(literal)
    return f"one of {', '.join(known)}", lambda value: value in known


def _choices(literal: Any) -> Fact:
    known = get_args(literal)
    return f"a tuple of {', '.join(known)}", _tuple_of(lambda value: value in known)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _optional(fact: Fact) -> Fact:
    return f"{fact[0]}, or None", lambda value: value is None or fact[1](value)


_ID: Final[Fact] = ("a name without white space, commas and @", _name)
_TEXT: Final[Fact] = ("a string fit for UTF-8", _text)
_FLAG: Final[Fact] = ("True or False", lambda value: isinstance(value, bool))
_WHOLE: Final[Fact] = ("a whole number", _whole)
_COUNT: Final[Fact] = ("a whole number of at least 1", lambda value: _whole(value) and value >= 1)
_NAMES: Final[Fact] = ("a tuple of media types", _tuple_of(_name))
_SCHEMES: Final[Fact] = (
    "a tuple of schemes in lower case",
    _tuple_of(lambda value: isinstance(value, str) and _SCHEME.fullmatch(value) is not None),
)
_LANE: Final = {"id": _ID, "unit": _choice(Unit), "device": _choice(Device)}

_FACTS: Final[Mapping[str, Mapping[str, Fact]]] = {
    "indx.loaders": {"id": _ID, "schemes": _SCHEMES},
    "indx.sniffers": {"id": _ID, "media_types": _NAMES},
    "indx.observers": {"id": _ID, "media_types": _NAMES, "hostile": _FLAG, "rank": _WHOLE},
    "indx.capabilities": {
        "id": _ID,
        "kind": _choice(CapabilityKind),
        "media_types": _NAMES,
        "device": _choice(Device),
        "hostile": _FLAG,
        "converts": _FLAG,
    },
    "indx.chunkers": {
        "id": _ID,
        "version": _COUNT,
        "default": _FLAG,
        "media_types": _NAMES,
        "summary": _TEXT,
        "rank": _WHOLE,
    },
    "indx.classifiers": _LANE,
    "indx.extractors": _LANE,
    "indx.enrichers": _LANE,
    "indx.embedders": {
        "id": _ID,
        "roles": ("a tuple of document, query", _tuple_of(lambda value: value in ("document", "query"))),
        "modalities": _choices(Modality),
        "device": _choice(Device),
        "model": _optional(_TEXT),
    },
}
_SPACE: Final[Mapping[str, Fact]] = {
    "id": _ID,
    "dimension": _COUNT,
    "metric": _choice(Metric),
    "normalized": _FLAG,
}


def check_declaration(group: str, declaration: Any) -> None:
    """Hold a declaration of a port to the facts that port declares.

    Raises:
        ValueError: A fact is of the wrong kind, and which.
        AttributeError: A fact is missing.
    """
    _check("declaration", declaration, _FACTS.get(group, {"id": _ID}))
    if group == "indx.embedders":
        _check("declaration.space", declaration.space, _SPACE)


def _check(what: str, declared: Any, facts: Mapping[str, Fact]) -> None:
    for name, (expected, fits) in facts.items():
        value = getattr(declared, name)
        if not fits(value):
            raise ValueError(f"{what}.{name} is {str(value)[:200]!r}; it must be {expected}")
