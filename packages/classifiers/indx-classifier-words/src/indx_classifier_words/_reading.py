"""A taxonomy out of its JSON file, checked so that every fault names its place and its remedy.

The file: `{facet: {label: {"names": {"ja": …, "en": …}, "words": […], "threshold": 3 or 0.5}}}`.
"""

from __future__ import annotations

import json
import math
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final

from indx_classifier_words._taxonomy import Label, Taxonomy, normal
from indx_classifier_words.settings import LABELS
from indx_core.canonical import clean_text
from indx_core.errors import ConfigurationError

__all__ = ["current", "read_taxonomy"]

MAX_BYTES: Final = 4 * 1024 * 1024
MAX_KEY: Final = 64
_MEMBERS: Final = {"names", "words", "threshold"}


def current() -> Taxonomy:
    """The file that INDX_CLASSIFIER_WORDS_LABELS names, as it is now, or else the shipped taxonomy.

    Raises:
        ConfigurationError: `invalid_setting`; the file cannot be read, or is no taxonomy.
    """
    source = LABELS.get()
    if source is None:
        return shipped()
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
    raise ConfigurationError(f"{LABELS.name}: {str(source)!r}: {reason}", code="invalid_setting")


@cache
def shipped() -> Taxonomy:
    """The taxonomy of this distribution."""
    return read_taxonomy(files("indx_classifier_words").joinpath("taxonomy.json").read_bytes())


_compiled = lru_cache(maxsize=4)(lambda data: read_taxonomy(data))


def read_taxonomy(data: bytes) -> Taxonomy:
    """Read a taxonomy.

    Raises:
        ValueError: Saying where it is wrong.
    """
    try:
        facets = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(facets, dict) or not facets:
        raise ValueError("a taxonomy is a JSON object of facets, at least one")
    labels: list[Label] = []
    for facet, members in facets.items():
        _check_key(facet, "facet")
        if not isinstance(members, dict) or not members:
            raise ValueError(f"facet {facet!r} must be an object of labels, at least one")
        labels += [_label(facet, label, entry) for label, entry in members.items()]
    return Taxonomy(labels)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object in which a key stands once."""
    made = dict(pairs)
    if len(made) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice!r} stands twice in one object")
    return made


def _check_key(key: str, what: str) -> None:
    if not _is_text(key) or len(key) > MAX_KEY:
        raise ValueError(f"the {what} {key!r} must be a text of 1 to {MAX_KEY} characters")


def _label(facet: str, label: str, entry: Any) -> Label:
    _check_key(label, f"label of the facet {facet!r}")
    place = f"facet {facet!r}, label {label!r}"
    if not isinstance(entry, dict) or set(entry) != _MEMBERS:
        raise ValueError(f"{place} must be an object of exactly names, words and threshold")
    names = entry["names"]
    if not isinstance(names, dict) or set(names) != {"ja", "en"} or not all(map(_is_text, names.values())):
        raise ValueError(f"{place}: names must be an object of two texts, ja and en")
    words = _words(entry["words"], place)
    return Label(facet, label, names, words, _threshold(entry["threshold"], len(words), place))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and clean_text(value) is value


def _words(words: Any, place: str) -> frozenset[str]:
    if not isinstance(words, list) or not words:
        raise ValueError(f"{place}: words must be a list of texts, at least one")
    seen: dict[str, str] = {}
    for word in words:
        key = normal(word) if isinstance(word, str) else ""
        if not key:
            raise ValueError(f"{place}: the word {word!r} holds no letter and no digit")
        if key in seen:
            raise ValueError(f"{place}: the words {seen[key]!r} and {word!r} are the same word")
        seen[key] = word
    return frozenset(seen)


def _threshold(value: Any, count: int, place: str) -> int:
    """A number of words; a share of the list, written with a decimal point, is rounded up."""
    if isinstance(value, float) and 0 < value <= 1:
        return math.ceil(round(value * count, 9))
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= count:
        return value
    raise ValueError(
        f"{place}: the threshold {value!r} is neither a whole number from 1 to its {count} words "
        "nor a share such as 0.5"
    )
