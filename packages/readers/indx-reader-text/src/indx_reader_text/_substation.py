"""Subtitles of SubStation Alpha: what is said, an event a line, with its speaker; when, beside the text."""

from __future__ import annotations

import re
from typing import Final

from indx_core.ports import RoleSpan
from indx_reader_text._marks import Marks, joined
from indx_reader_text._subtitles import MAX_CUES, cue_time

__all__ = ["read_substation"]

_TIME: Final = re.compile(r"\s*(\d{1,4}):(\d{1,2}):(\d{1,2})[.:](\d{1,3})\s*")
_OVERRIDE: Final = re.compile(r"\{[^{}]*\}")
_DRAWING: Final = re.compile(r"\{[^{}]*\\p[1-9]")
_BREAK: Final = re.compile(r"\\[Nn]")
_TITLE: Final = re.compile(r"^Title:[ \t]*(\S[^\n]*)", re.MULTILINE)
_MOST_FIELDS: Final = 100


def read_substation(source: str) -> Marks:
    """The events of `source`; the source as written where it has none."""
    marks = Marks("")
    texts: list[str] = []
    cues: list[dict[str, object]] = []
    position = 0
    last = until = ""
    fields: list[str] = []
    within = False
    for line in source.split("\n"):
        kind, colon, value = line.partition(":")
        if line.startswith("["):
            within, fields = line.strip().lower() == "[events]", []
        elif within and colon and kind == "Format":
            fields = [name.strip().lower() for name in value.split(",")][:_MOST_FIELDS]
        elif within and fields and kind in ("Dialogue", "Comment"):
            event = dict(zip(fields, value.split(",", len(fields) - 1), strict=False))
            text = _said(event)
            if not text:
                continue
            start, stop = _time(event.get("start", "")), _time(event.get("end", ""))
            if text == last and start <= until:  # only paints the one before again
                until = max(until, stop)
                if cues and cues[-1]["end"] == position - 1:
                    cues[-1]["to"] = until
                continue
            end = position + len(text)
            if kind == "Comment":
                marks.roles.append(RoleSpan(position, end, "comment"))
                marks.hidden.append((position, end))
            elif len(cues) < MAX_CUES:
                cues.append({"start": position, "end": end, "from": start, "to": stop})
            texts.append(text)
            position, last, until = end + 1, text, stop
    if not texts:
        return Marks(source)
    marks.text = "\n".join(texts)
    marks.metadata["cues"] = cues
    if title := _TITLE.search(source):
        marks.metadata["title"] = title[1].strip()
    return marks


def _said(event: dict[str, str]) -> str:
    """What an event says, on one line behind its speaker; nothing of one that draws."""
    written = event.get("text", "")
    if _DRAWING.search(written):
        return ""
    parts = (" ".join(part.replace("\\h", " ").split()) for part in _BREAK.split(_OVERRIDE.sub("", written)))
    text = joined([part for part in parts if part])
    speaker = " ".join(event.get("name", event.get("actor", "")).split())
    return f"{speaker}: {text}" if text and speaker else text


def _time(written: str) -> str:
    found = _TIME.fullmatch(written)
    return cue_time(*found.groups()) if found else written.strip()[:20]
