"""Jupyter notebooks: the sources of their cells and the texts they put out, in order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_core.ports import RoleSpan
from indx_reader_text._markdown import read_markdown
from indx_reader_text._marks import Marks

__all__ = ["read_notebook"]

Part: TypeAlias = "tuple[Literal['markdown', 'code', 'text'], str]"

_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def read_notebook(source: str) -> Marks:
    """Read a notebook of any format version. A cell without a source is an empty cell.

    Raises:
        SourceError: `source_unreadable`, it is not a notebook.
    """
    try:
        notebook = json.loads(source)
    except RecursionError:
        raise SourceError("not a notebook: its JSON is nested too deeply") from None
    except ValueError as error:
        raise SourceError(f"not a notebook: no JSON: {error}; save it again") from None
    cells = list(_cells(notebook))
    if not isinstance(notebook, dict) or not ("cells" in notebook or "worksheets" in notebook):
        raise SourceError("not a notebook: the JSON has no 'cells'")
    whole = Marks("")
    texts: list[str] = []
    position = 0
    for cell in cells:
        for kind, text in _parts(cell):
            text = clean_text(text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
            if not text.strip():
                continue
            marks = read_markdown(text, position) if kind == "markdown" else Marks(text)
            if kind == "code":
                marks.roles.append(RoleSpan(position, position + len(text), "code"))
            _extend(whole, marks)
            texts.append(marks.text)
            position += len(marks.text) + 2
    whole.text = "\n\n".join(texts)
    return whole


def _extend(whole: Marks, part: Marks) -> None:
    whole.tables += part.tables
    whole.links += part.links
    whole.headings += part.headings
    whole.roles += part.roles
    whole.hidden += part.hidden


def _cells(notebook: Any) -> Iterator[dict[str, Any]]:
    """The cells of format 4, or those in the worksheets of formats 2 and 3."""
    if not isinstance(notebook, dict):
        return
    sheets = _list(notebook.get("worksheets"))
    for holder in [notebook, *(sheet for sheet in sheets if isinstance(sheet, dict))]:
        for cell in _list(holder.get("cells")):
            if isinstance(cell, dict):
                yield cell


def _parts(cell: dict[str, Any]) -> Iterator[Part]:
    kind = cell.get("cell_type")
    source = _joined(cell.get("source", cell.get("input")))
    if kind == "heading":
        level = cell.get("level")
        yield "markdown", "#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1) + " " + source
    elif kind == "code":
        yield "code", source
        for output in _list(cell.get("outputs")):
            if isinstance(output, dict):
                yield "text", _COLOURS.sub("", _output(output))
    else:
        yield ("markdown" if kind == "markdown" else "text"), source


def _output(output: dict[str, Any]) -> str:
    """What an output shows as text: its stream, its plain or Markdown form, its traceback, else its HTML."""
    if "traceback" in output:
        return "\n".join(map(str, _list(output["traceback"])))
    data = output.get("data")
    forms = data if isinstance(data, dict) else output
    for form in ("text/plain", "text/markdown", "text", "text/html", "html"):
        if text := _joined(forms.get(form)):
            return text
    return ""


def _joined(value: Any) -> str:
    return value if isinstance(value, str) else "".join(one for one in _list(value) if isinstance(one, str))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
