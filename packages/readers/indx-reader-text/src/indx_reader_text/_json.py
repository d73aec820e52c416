"""JSON: as written, save that characters written as numbers are shown as themselves, to be found."""

from __future__ import annotations

import json
import re
from typing import Final

from indx_reader_text._marks import Marks

__all__ = ["read_json"]

_ESCAPES: Final = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\.", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}")


def read_json(source: str) -> Marks:
    r"""The text of `source`, `\u65e5` in its strings as the character it stands for.

    It stays the same JSON: ASCII, controls and what cannot be printed stay as written.
    """
    if "\\u" not in source:
        return Marks(source)
    return Marks(_ESCAPES.sub(_shown, source))


def _shown(found: re.Match[str]) -> str:
    written = found[0]
    return _ESCAPE.sub(_character, written) if written[1] == "u" and len(written) > 2 else written


def _character(found: re.Match[str]) -> str:
    shown: str = json.loads(f'"{found[0]}"')
    return shown if shown > "\x7f" and shown.isprintable() else found[0]
