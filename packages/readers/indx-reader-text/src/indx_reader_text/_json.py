"""JSON: as written, save that characters written as numbers are shown as themselves, to be found.

What is no JSON is read all the same, and why it is none is a fact of the page.
"""

from __future__ import annotations

import json
import re
from typing import Final

from indx_reader_text._marks import Marks

__all__ = ["fault", "read_json", "shown"]

_ESCAPES: Final = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\.", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}")


def read_json(source: str) -> Marks:
    r"""The text of `source`, `\u65e5` in its strings as the character it stands for.

    It stays the same JSON: ASCII, controls and what cannot be printed stay as written.
    """
    marks = Marks(shown(source))
    if why := fault(source):
        marks.metadata["damaged"] = f"not well-formed: {why}; it is shown as written"
    return marks


def shown(source: str) -> str:
    """JSON, whole or not, with the characters that its strings spell as numbers."""
    return _ESCAPES.sub(_shown, source) if "\\u" in source else source


def fault(source: str) -> str:
    """Why `source` is no JSON, neither one value nor a value a line; empty where it is or is empty.

    What is nested too deeply to be parsed is taken for JSON.
    """
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
    except RecursionError:
        pass
    return None


_CHECK: Final = json.JSONDecoder(object_pairs_hook=bool, parse_int=bool, parse_float=bool)
"""Keeps next to nothing of what it parses."""


def _shown(found: re.Match[str]) -> str:
    written = found[0]
    return _ESCAPE.sub(_character, written) if written[1] == "u" and len(written) > 2 else written


def _character(found: re.Match[str]) -> str:
    shown: str = json.loads(f'"{found[0]}"')
    return shown if shown > "\x7f" and shown.isprintable() else found[0]
