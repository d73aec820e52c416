"""Jupyter notebooks: the sources of their cells and the texts they put out, in order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias

from indx_core.canonical import clean_text
from indx_core.errors import SourceError
from indx_core.ports import RoleSpan
from indx_reader_text._coded import without_coded, without_coded_json
from indx_reader_text._json import shown
from indx_reader_text._markdown import read_markdown
from indx_reader_text._marks import Marks

__all__ = ["read_notebook"]

Part: TypeAlias = "tuple[Literal['markdown', 'code', 'text'], str]"

MAX_OUTPUT: Final = 100_000  # characters of one output; what a program printed in a loop says no more
MAX_CELLS: Final = 10_000  # whose facts are listed

_COLOURS: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_FORMS: Final = (
    "text/plain", "text/markdown", "text", "text/latex", "latex", "text/html", "html",
    "application/javascript", "javascript",
)  # fmt: skip
_PICTURES: Final = ("image/", "png", "jpeg", "svg")


def read_notebook(source: str) -> Marks:
    """Read a notebook of any format version. A cell without a source is an empty cell.

    What is no JSON, as where it was cut short or two versions stand in it, is read as written, and why it is
    none is a fact of the page.

    Raises:
        SourceError: `source_unreadable`, it is not a notebook.
    """
    if not source.strip():
        raise SourceError("not a notebook: the file is empty; save it again")
    try:
        notebook = json.loads(source)
    except RecursionError:
        raise SourceError("not a notebook: its JSON is nested too deeply; save it again") from None
    except ValueError as error:
        return _as_written(source, str(error).partition(" (char")[0])
    if not isinstance(notebook, dict) or not ("cells" in notebook or "worksheets" in notebook):
        raise SourceError("not a notebook: the JSON has no 'cells'; save it again")
    return _Notebook(notebook).read()


def _as_written(source: str, fault: str) -> Marks:
    """A notebook that is no JSON, without its pictures."""
    text, count = without_coded_json(source)
    marks = Marks(shown(text))
    kept = f"without {count} long runs of Base64" if count > 1 else "without a long run of Base64"
    marks.metadata["damaged"] = (
        f"not well-formed: {fault}; it is shown as written{f', {kept}' if count else ''}"
    )
    if count:
        marks.metadata["base64_left_out"] = count
    return marks


class _Notebook:
    """One notebook, cell by cell."""

    def __init__(self, notebook: dict[str, Any]) -> None:
        self._notebook = notebook
        version = notebook.get("nbformat")
        self._lines_may_lack_breaks = (version if isinstance(version, int) else 4) < 4
        self._marks = Marks("")
        self._texts: list[str] = []
        self._position = 0
        self._images = 0
        self._cut = self._coded = 0
        self._attachments: dict[str, None] = {}

    def read(self) -> Marks:
        facts: list[dict[str, Any]] = []
        for cell in _cells(self._notebook):
            start = self._position
            for kind, text in self._parts(cell):
                self._add(kind, text)
            if self._position > start and len(facts) < MAX_CELLS:
                facts.append(_cell_facts(cell) | {"start": start, "end": self._position - 2})
        self._marks.text = "\n\n".join(self._texts)
        self._marks.metadata = self._described(facts)
        if self._coded:
            self._marks.metadata["base64_left_out"] = self._coded
        return self._marks

    def _add(self, kind: str, text: str) -> None:
        text = clean_text(text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")
        if not text.strip():
            return
        whole = self._marks
        part = read_markdown(text, self._position) if kind == "markdown" else Marks(text)
        whole.tables += part.tables
        whole.links += part.links
        whole.headings += part.headings
        whole.hidden += part.hidden
        whole.roles += part.roles
        if kind == "code":
            whole.roles.append(RoleSpan(self._position, self._position + len(text), "code"))
        self._texts.append(part.text)
        self._position += len(part.text) + 2

    def _described(self, facts: list[dict[str, Any]]) -> dict[str, Any]:
        stated = _mapping(self._notebook.get("metadata"))
        language = _mapping(stated.get("language_info")).get("name") or _mapping(
            stated.get("kernelspec")
        ).get("language")
        found = {
            "title": _line(stated.get("title") or stated.get("name")),
            "language": _line(language),
            "cells": facts,
            "attachments": list(self._attachments),
            "images": self._images,
            "output_characters_left_out": self._cut,
        }
        return {"notebook": kept} if (kept := {key: value for key, value in found.items() if value}) else {}

    def _parts(self, cell: dict[str, Any]) -> Iterator[Part]:
        kind = cell.get("cell_type")
        source = self._joined(cell.get("source", cell.get("input", cell.get("text"))))
        for name in _mapping(cell.get("attachments")):
            self._attachments.setdefault(clean_text(name))
        if kind == "heading":
            level = cell.get("level")
            marks = "#" * (level if isinstance(level, int) and 1 <= level <= 6 else 1)
            yield "markdown", f"{marks} {' '.join(source.split())}"
        elif kind == "code":
            yield "code", source
            for output in _list(cell.get("outputs")):
                if isinstance(output, dict):
                    yield "text", self._bounded(_COLOURS.sub("", self._output(output)))
        else:
            yield ("markdown" if kind == "markdown" else "text"), source

    def _output(self, output: dict[str, Any]) -> str:
        """What an output shows as text: a stream, a traceback, or the plainest of its forms."""
        if lines := _list(output.get("traceback")):
            return "\n".join(map(str, lines))
        if "ename" in output or "evalue" in output:
            return ": ".join(str(output[name]) for name in ("ename", "evalue") if output.get(name))
        data = output.get("data")
        forms = data if isinstance(data, dict) else output
        self._images += any(str(form).startswith(_PICTURES) for form in forms)
        for form in _FORMS:
            if text := self._joined(forms.get(form)):
                return _shown(text)
        return ""

    def _bounded(self, text: str) -> str:
        self._cut += max(0, len(text) - MAX_OUTPUT)
        return text[:MAX_OUTPUT]

    def _joined(self, value: Any) -> str:
        """A text without what is Base64 in it."""
        text, count = without_coded(self._whole(value))
        self._coded += count
        return text

    def _whole(self, value: Any) -> str:
        """A text, or its lines, which writers of formats 2 and 3 cut with their line breaks or without."""
        if isinstance(value, str):
            return value
        lines = [one for one in _list(value) if isinstance(one, str)]
        bare = self._lines_may_lack_breaks and bool(lines) and not lines[0].endswith(("\n", "\r"))
        return ("\n" if bare else "").join(lines)


def _shown(text: str) -> str:
    """What lines show in the end that were written over, as progress bars do."""
    if "\r" not in text:
        return text
    return "\n".join([line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n")])


def _cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells of format 4, or those in the worksheets of formats 2 and 3."""
    sheets = _list(notebook.get("worksheets"))
    for holder in [notebook, *(sheet for sheet in sheets if isinstance(sheet, dict))]:
        for cell in _list(holder.get("cells")):
            if isinstance(cell, dict):
                yield cell


def _cell_facts(cell: dict[str, Any]) -> dict[str, Any]:
    """What tells a cell from others: its type, its ID, and the number of its prompt."""
    prompt = cell.get("execution_count", cell.get("prompt_number"))
    facts = {
        "type": _line(cell.get("cell_type")),
        "id": _line(cell.get("id")),
        "prompt": prompt if isinstance(prompt, int) and abs(prompt) < 2**53 else None,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _line(value: Any) -> str | None:
    """A short text on one line; None for what is none."""
    return clean_text(" ".join(value.split()))[:200] or None if isinstance(value, str) else None


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
