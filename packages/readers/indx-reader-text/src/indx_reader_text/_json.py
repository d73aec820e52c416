"""JSON: as written, save that characters written as numbers are shown as themselves, to be found.

What is no JSON is read all the same, and why it is none is a fact of the page. JSON as people write it, with
comments, commas before closing brackets and whatever else JSON5 allows, is no fault.
"""

from __future__ import annotations

import json
import re
from typing import Final

from indx_reader_text._marks import Marks

__all__ = ["TOO_DEEP", "fault", "read_json", "shown"]

TOO_DEEP: Final = "nested too deeply to be parsed"

_ESCAPES: Final = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\.", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}")


def read_json(source: str) -> Marks:
    r"""The text of `source`, `\u65e5` in its strings as the character it stands for.

    It stays the same JSON: ASCII, controls and what cannot be printed stay as written.
    """
    marks = Marks(shown(source))
    if (why := fault(source)) and fault(_strict(source)):
        told = why if why == TOO_DEEP else f"not well-formed: {why}"
        marks.metadata["damaged"] = f"{told}; it is shown as written"
    return marks


_RELAXED: Final = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*+"|'(?:[^'\\]|\\.)*+'|(?<![\w$])[A-Za-z_$][\w$]*+(?=\s*:))"""
    r"""|(?P<gap>//[^\n]*+|/\*.*?\*/|\+(?=[\d.IN]))"""
    r"""|(?P<number>-?(?:Infinity|NaN|0[xX][0-9a-fA-F]++|\.\d++|(?<![\d.])\d++\.(?!\d)))"""
    r"""|(?P<open>(?:["']|/\*).*)""",
    re.DOTALL,
)
_STRICT: Final = {"text": '""', "gap": " ", "number": "0", "open": "?"}
_LAST_COMMA: Final = re.compile(r"""(?<=["\w}\]])\s*,(?=\s*[}\]])""")


def _strict(source: str) -> str:
    """JSON5 as JSON of the same shape."""
    return _LAST_COMMA.sub(" ", _RELAXED.sub(lambda found: _STRICT[found.lastgroup or ""], source))


def shown(source: str) -> str:
    """JSON, whole or not, with the characters that its strings spell as numbers."""
    return _ESCAPES.sub(_shown, source) if "\\u" in source else source


def fault(source: str) -> str:
    """Why `source` is no JSON, neither one value nor a value a line; empty where it is or is empty.

    What is nested too deeply to be parsed is `TOO_DEEP`.
    """
    try:
        return _fault(source)
    except RecursionError:
        pass
    from concurrent.futures import ThreadPoolExecutor

    # How deep it may be depends on what callers leave of the stack; one of its own leaves always as much.
    with ThreadPoolExecutor(1) as fresh:
        return fresh.submit(_fault_or_too_deep, source).result()


def _fault_or_too_deep(source: str) -> str:
    try:
        return _fault(source)
    except RecursionError:
        return TOO_DEEP


def _fault(source: str) -> str:
    whole = _unparsed(source)
    if whole is None or whole.msg != "Extra data":
        return "" if whole is None else str(whole).partition(" (char")[0]
    for number, line in enumerate(source.split("\n"), start=1):
        if (error := _unparsed(line)) is not None:
            at = whole if number == 1 else error
            return f"{at.msg}: line {number if at is error else at.lineno} column {at.colno}"
    return ""


def _unparsed(text: str) -> json.JSONDecodeError | None:
    try:
        if text.strip():
            _CHECK.decode(text)
    except json.JSONDecodeError as error:
        return error
    return None


_CHECK: Final = json.JSONDecoder(object_pairs_hook=bool, parse_int=bool, parse_float=bool)
"""Keeps next to nothing of what it parses."""


def _shown(found: re.Match[str]) -> str:
    written = found[0]
    return _ESCAPE.sub(_character, written) if written[1] == "u" and len(written) > 2 else written


def _character(found: re.Match[str]) -> str:
    shown: str = json.loads(f'"{found[0]}"')
    return shown if shown > "\x7f" and shown.isprintable() else found[0]
