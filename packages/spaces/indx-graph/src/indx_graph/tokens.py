"""Counts tokens: exactly as cl100k_base where its vocabulary is installed, else by a careful estimate."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from indx_core.errors import ConfigurationError

__all__ = ["count_tokens", "resolve_tokenizer"]

_WORDS: Final = re.compile(r"[^\W\d_]+")
_DIGITS: Final = re.compile(r"\d+")
_BREAKS: Final = re.compile(r"\s*[\r\n]+")
_BLANKS: Final = re.compile(r"[^\S\r\n]{2,}")
_OTHERS: Final = re.compile(r"[^\w\s]+|_+")
_WORD: Final = 6
"""Letters of a word that are one more token: words of the vocabulary are mostly whole."""
_DENSE: Final = "\u1100"
"""From here on a character is about a token of its own; alphabets below share one among two."""


def resolve_tokenizer(name: str) -> str:
    """The tokenizer that a setting means here: `auto` is `cl100k_base` where it is installed.

    Raises:
        ConfigurationError: `unknown_component`: it is asked for by name and not installed.
    """
    installed = find_spec("bpe_openai") is not None
    if name == "auto":
        return "cl100k_base" if installed else "estimate"
    if name == "cl100k_base" and not installed:
        raise ConfigurationError(
            "tokenizer 'cl100k_base' needs its vocabulary: pip install \"indx-graph[tokens]\", or choose "
            "'estimate'",
            code="unknown_component",
        )
    return name


def count_tokens(texts: Sequence[str], tokenizer: str) -> list[int]:
    """How many tokens each text has.

    Args:
        texts: What is counted.
        tokenizer: `cl100k_base` or `estimate`, as `resolve_tokenizer` answers.
    """
    count = _exact() if tokenizer == "cl100k_base" else estimate
    return [count(text) for text in texts]


def _exact() -> Callable[[str], int]:
    encode = import_module("bpe_openai").get_encoding("cl100k_base").encode
    return lambda text: len(encode(text))


def estimate(text: str) -> int:
    """A count near that of cl100k_base.

    A word is a token, a long one more; of other alphabets two letters are one, of ideographs each is one and
    a fifth; digits go by three.
    """
    total = sum(map(_word, _WORDS.findall(text)))
    total += sum(1 + (len(part) - 1) // 3 for part in _DIGITS.findall(text))
    total += sum(1 + (len(p) - 1) // 3 if p.isascii() else len(p) for p in _OTHERS.findall(text))
    return round(total + len(_BREAKS.findall(text)) + len(_BLANKS.findall(text)))


def _word(part: str) -> float:
    if part.isascii():
        return 1 + (len(part) - 1) // _WORD
    return len(part) * 1.2 if max(part) >= _DENSE else max(1.0, len(part) / 1.9)
