"""Header fields as people read them: unfolded, encoded words and raw bytes decoded."""

from __future__ import annotations

import base64
import binascii
import re
from email.message import Message
from typing import Final, TypeAlias

from indx_core.canonical import clean_text
from indx_format_html import decode

__all__ = ["file_name", "header_text", "safe_name"]

Parameter: TypeAlias = "str | tuple[str | None, str | None, str] | None"

_LONGEST_NAME: Final = 255
_SAYS_NOTHING: Final = ("", "us-ascii", "ascii", "utf-8")
_FOLD: Final = re.compile(r"[\r\n]+[ \t]*")
_WORD: Final = r"=\?([!-<>@-~]{1,60})\?([bBqQ])\?([^?\r\n]*)\?="
_WORDS: Final = re.compile(rf"{_WORD}(?:[ \t]*{_WORD})*+")
_ONE_WORD: Final = re.compile(_WORD)
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
# Marks of direction make one name look like another.
_NOT_IN_NAMES: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")
_DRIVE: Final = re.compile(r"[A-Za-z]:")


def header_text(header: Message, name: str, notes: list[str], body: str | None = None) -> str:
    """All fields of that name, by comma, decoded, if need be as the text is, whose charset is `body`.

    Empty when there is none.
    """
    hint = header.get_param("charset") or body
    values = [str(value) for key, value in header.raw_items() if key.lower() == name]
    texts = [_CONTROL.sub(" ", _decoded(value, str(hint or ""), notes)).strip() for value in values]
    return ", ".join(filter(None, texts))


def _decoded(value: str, hint: str, notes: list[str]) -> str:
    return clean_text(_WORDS.sub(lambda run: _run(run[0], notes), _unfolded(value, hint, notes)))


def _unfolded(value: str, hint: str, notes: list[str]) -> str:
    """A field on one line, bytes that stand in it undisguised read as UTF-8 or as the body is."""
    line = _FOLD.sub(" ", value)
    if line.isascii() and "\x1b" not in line:
        return line
    data = line.encode("utf-8", "surrogateescape")
    try:
        return data.decode("utf-8") if "\x1b" not in line else _text(data, None, notes)
    except UnicodeDecodeError:
        return _text(data, None if hint.lower() in _SAYS_NOTHING else hint, notes)


def _run(run: str, notes: list[str]) -> str:
    """Encoded words side by side are one text; a character may be cut between two of the same charset."""
    pieces: list[tuple[str, bytes]] = []
    for word in _ONE_WORD.finditer(run):
        charset = word[1].partition("*")[0].lower()
        data = _word(word[2].lower(), word[3])
        if pieces and pieces[-1][0] == charset:
            data = pieces.pop()[1] + data
        pieces.append((charset, data))
    return "".join(_text(data, charset, notes) for charset, data in pieces)


def _word(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8")
    if encoding == "q":
        return binascii.a2b_qp(data, header=True)
    symbols = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    symbols = symbols[: len(symbols) - (len(symbols) % 4 == 1)]
    return base64.b64decode(symbols + b"=" * (-len(symbols) % 4))


def _text(data: bytes, charset: str | None, notes: list[str]) -> str:
    decoded = decode(data, charset=charset, markup=False)
    if decoded.note:
        notes.append(f"header: {decoded.note}; read as {decoded.encoding}")
    return decoded.text


def file_name(header: Message, notes: list[str]) -> str:
    """The name a part comes with, made safe; empty when it has none worth keeping."""
    for field, parameter in (("content-disposition", "filename"), ("content-type", "name")):
        value = _parameter(header, field, parameter, notes)
        if isinstance(value, tuple):
            name = _text(str(value[2]).encode("latin-1", "replace"), value[0], notes)
        else:
            name = _decoded(str(value or ""), "", notes)
        if safe := safe_name(name):
            return safe
    return ""


def _parameter(header: Message, field: str, name: str, notes: list[str]) -> Parameter:
    """A parameter as the standard library reads it, from a field without undisguised bytes."""
    raw = next((str(value) for key, value in header.raw_items() if key.lower() == field), None)
    if raw is None:
        return None
    if raw.isascii():
        return header.get_param(name, header=field)
    readable = Message()
    readable[field] = _unfolded(raw, "", notes)
    return readable.get_param(name, header=field)


def safe_name(name: str) -> str:
    """The last segment of `name` without drive, control and direction marks: a name, never a path."""
    last = _NOT_IN_NAMES.sub("", name).replace("\\", "/").rstrip("/ ").rpartition("/")[2]
    last = _DRIVE.sub("", last, count=1) if _DRIVE.match(last) else last
    last = last.strip()
    if last.strip(".") == "":
        return ""
    if len(last) <= _LONGEST_NAME:
        return last
    stem, dot, extension = last.rpartition(".")
    if dot and len(extension) < 20:
        return stem[: _LONGEST_NAME - len(extension) - 1] + dot + extension
    return last[:_LONGEST_NAME]
