"""Subtitles, SubRip and WebVTT: what is said, a cue a line, with its speaker; when, beside the text."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from indx_core.ports import RoleSpan
from indx_reader_text._marks import Marks, joined

__all__ = ["MAX_CUES", "cue_time", "read_subtitles"]

MAX_CUES: Final = 20_000  # whose times are listed

_TIME: Final = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMES: Final = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?=\s|\Z)")
_NUMBER: Final = re.compile(r"\s*\d{1,9}\s*")
_STAMP: Final = re.compile(r"<(?:\d{2,}:)?\d{2}:\d{2}\.\d{3}>")
_VOICE: Final = re.compile(r"(?:[-\u2013\u2014][ \t]*)?<v(?:\.[^\s<>]*)?\s+([^<>]{1,200})>")
_BREAK: Final = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)
_READING: Final = re.compile(r"<rt\b[^<>]*>.*?(?:</rt>|(?=</ruby>)|\Z)", re.DOTALL)
_TAG: Final = re.compile(
    r"</?(?:v|c|i|b|u|s|em|strong|font|span|lang|ruby)(?:[\s.][^<>]*)?>|\{\\[^{}]*\}", re.IGNORECASE
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_TURN: Final = re.compile(r"[-\u2013\u2014]\s*\S")


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines between blank ones; with the times of a cue, or a comment."""

    lines: list[str]
    times: tuple[str, str] | None = None
    comment: bool = False


def read_subtitles(source: str) -> Marks:
    """The cues of `source`; the source as written where it has none."""
    blocks = list(_blocks(source))
    if not any(block.times for block in blocks):
        return Marks(source)
    marks = Marks("")
    rolling = _STAMP.search(source) is not None  # as made by speech recognition: each cue repeats the last
    texts: list[str] = []
    cues: list[dict[str, object]] = []
    position = 0
    before: frozenset[str] = frozenset()
    for block in blocks:
        said = _said(block.lines, apart=rolling)
        fresh = [line for line in said if line not in before] if rolling and block.times else said
        before = frozenset(said) if block.times else before
        text = "\n".join(fresh)
        if not text:
            continue
        end = position + len(text)
        if block.comment:
            marks.roles.append(RoleSpan(position, end, "comment"))
            marks.hidden.append((position, end))
        elif block.times and len(cues) < MAX_CUES:
            cues.append({"start": position, "end": end, "from": block.times[0], "to": block.times[1]})
        texts.append(text)
        position = end + 1
    marks.text = "\n".join(texts)
    marks.metadata["cues"] = cues
    if title := re.match(r"WEBVTT[ \t]+(?:-[ \t]*)?(\S[^\n]*)", source):
        marks.metadata["title"] = title[1].strip()
    return marks


def _blocks(source: str) -> Iterator[_Block]:
    """The blocks of a file, styles, regions and headers left out, as are the numbers of cues."""
    gap = r"\n\n+" if source.startswith("WEBVTT") else r"\n[ \t]*\n+"
    for number, written in enumerate(re.split(gap, source.strip("\n"))):
        lines = written.strip("\n").split("\n")
        word = lines[0].split(maxsplit=1)[0] if lines[0].strip() else ""
        place = next((place for place, line in enumerate(lines) if _TIMES.match(line)), None)
        if place is None:
            if (number == 0 and word == "WEBVTT") or word in ("STYLE", "REGION"):
                continue
            if word == "NOTE":
                yield _Block([lines[0].strip()[4:].strip(), *lines[1:]], comment=True)
            elif not (len(lines) == 1 and _NUMBER.fullmatch(lines[0])):
                yield _Block(lines)
            continue
        yield from _cues(lines[place:])


def _cues(lines: list[str]) -> Iterator[_Block]:
    """The cue whose times are the first of `lines`, and those that follow it without a blank line."""
    places = [place for place, line in enumerate(lines) if _TIMES.match(line)]
    for place, following in zip(places, [*places[1:], len(lines) + 1], strict=True):
        body = lines[place + 1 : following]
        if following <= len(lines) and body and _NUMBER.fullmatch(body[-1]):
            body = body[:-1]
        found = _TIMES.match(lines[place])
        if found:
            yield _Block(body, times=(cue_time(*found.groups()[:4]), cue_time(*found.groups()[4:])))


def cue_time(hours: str | None, minutes: str, seconds: str, thousandths: str) -> str:
    """A time as `00:01:02.500`, from the digits of its parts."""
    return f"{int(hours or 0):02}:{int(minutes):02}:{int(seconds):02}.{thousandths:0<3}"


def _said(lines: list[str], *, apart: bool) -> list[str]:
    """What a cue says: a line for each speaker or turn, where a line was broken a space, unless `apart`."""
    written = _BREAK.sub("\n", _READING.sub("", "\n".join(lines)))
    written = _VOICE.sub(lambda voice: f"\n\0{voice[1].strip()}: ", _STAMP.sub("", written))
    said: list[list[str]] = []
    for line in _TAG.sub("", written).split("\n"):
        turn = apart or line.startswith("\0") or _TURN.match(line.strip()) is not None
        text = " ".join(_ENTITY.sub(lambda entity: html.unescape(entity[0]), line.lstrip("\0")).split())
        if text and said and not turn:
            said[-1].append(text)
        elif text:
            said.append([text])
    return [joined(parts) for parts in said]
