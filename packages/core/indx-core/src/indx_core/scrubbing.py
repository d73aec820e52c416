"""Keeping secrets out of what is told of a failure, whoever wrote the message.

Whoever raises an error may quote what it was called with: a key in a header, a password in an address, a
signature behind a question mark. What travels in an answer, is kept in a space or a store, or is written to
a log of ours, passes through here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import unquote, urlsplit

__all__ = ["scrubbed"]

_HIDDEN: Final = "***"
_SHORTEST: Final = 6
"""Characters below which a value is a word that may stand anywhere."""

_SECRET: Final = re.compile(
    r"(KEY(_ID)?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|CREDENTIALS?(_JSON)?|CONNECTION_STRING|DSN)$"
    r"|^INDX_\w+_(URL|API_BASE)$",
    re.IGNORECASE,
)
"""Names of environment variables whose values are not to be shown."""

_SHAPES: Final = (
    (
        re.compile(r"(?s)-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}KEY-----|\Z)"),
        _HIDDEN,
    ),
    # Up to the last @: who writes a password into an address may not know that it is to be encoded.
    (re.compile(r"(?<=://)[^/\s]+@"), f"{_HIDDEN}@"),
    (re.compile(r"(://[^\s?#'\"]{1,500})\?[^\s'\"]*"), rf"\1?{_HIDDEN}"),
    (re.compile(r"(?i)\b(bearer\s+)[\w.~+/=-]{6,}"), rf"\1{_HIDDEN}"),
    (re.compile(r"\bsk-[\w-]{6,}"), _HIDDEN),
    (
        re.compile(
            r"(?i)((?:(?:api|access|account|private)[_-]?key|passw(?:or)?d|\bpwd|secret|authorization"
            r"|(?:access|auth|\bid|refresh|session)[_-]token)"
            r"['\"]?\s*[=:]\s*['\"]?)(?:(?:basic|bearer|negotiate|token)\s+)?[^\s'\",;&]{6,}"
        ),
        rf"\1{_HIDDEN}",
    ),
)
"""What secrets look like that no variable of this process holds."""


def scrubbed(text: str, environ: Mapping[str, str] | None = None, *, most: int | None = None) -> str:
    """A message without the secrets of this process, and without what looks like one of another.

    Args:
        text: The message.
        environ: Where secrets are configured, in place of the environment.
        most: Characters of the message that are looked at; the rest is left out.
    """
    secrets = set(_secrets(os.environ if environ is None else environ))
    longest_first = sorted(secrets, key=lambda one: (-len(one), one))  # the whole before its parts
    if most is not None and len(text) > most:
        text = _without_a_part(text[:most], longest_first)
    for secret in longest_first:
        text = text.replace(secret, _HIDDEN)
    for shape, shown in _SHAPES:
        text = shape.sub(shown, text)
    return text


def _without_a_part(text: str, secrets: Iterable[str]) -> str:
    """A text that was cut, without the beginning of a secret where it ends."""
    for secret in secrets:
        for size in range(min(len(secret) - 1, len(text)), _SHORTEST - 1, -1):
            if text.endswith(secret[:size]):
                return text[:-size] + _HIDDEN
    return text


def _secrets(environ: Mapping[str, str]) -> Iterator[str]:
    """The values of variables that hold secrets, and of those that hold several, each.

    One of several lines is looked for as it stands, line by line, and as it reads on one line.
    """
    for name in environ:
        if _holds_a_secret(name):
            for part in _parts(environ[name]):
                forms = (part, *part.splitlines(), " ".join(part.split()), json.dumps(part)[1:-1])
                yield from (one for form in forms if len(one := form.strip()) >= _SHORTEST)


@lru_cache(maxsize=1024)
def _holds_a_secret(name: str) -> bool:
    return _SECRET.search(name) is not None


def _parts(value: str) -> Iterator[str]:
    yield value
    yield from value.split(",")
    if "://" in value:
        yield from _passwords(value)
    if value.lstrip().startswith(("[", "{")):
        try:
            parts = json.loads(value)
        except (ValueError, RecursionError):
            return
        if isinstance(parts, dict):  # of a key file: its project is no secret, and may be a bucket's name
            parts = [part for name, part in parts.items() if _holds_a_secret(name)]
        yield from (part for part in parts if isinstance(part, str))


def _passwords(address: str) -> Iterator[str]:
    """The password an address holds, as it is written there and as it is meant."""
    try:
        password = urlsplit(address.strip()).password
    except ValueError:
        return
    if password:
        yield from (password, unquote(password))
