"""Front matter: the block of facts above a Markdown text, between lines of `---` (YAML) or `+++` (TOML).

Of YAML this reads what front matter is made of: keys, scalars, lists, nested keys, block scalars. Values
stay strings as written. What is no such block stays text.
"""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from typing import Any, Final

__all__ = ["split_front_matter"]

_YAML: Final = re.compile(r"---[ \t]*\n(.*?)(?:(?<=\n)|\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TOML: Final = re.compile(r"\+\+\+[ \t]*\n(.*?)(?:(?<=\n)|\n)\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL)
_KEY: Final = re.compile(r"""("(?:[^"\\]|\\.)*"|'[^']*'|[^\s#"'\-\[\]{},:][^#:\n]*+):(?:[ \t]+(.*))?$""")
_BLOCK_SCALAR: Final = re.compile(r"([|>])[+\-0-9]*\s*(?:#.*)?$")
_COMMENT: Final = re.compile(r"(?:^|\s)#.*$")
_ITEM: Final = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^,]*)\s*(?:,|$)""")
_DEEPEST: Final = 8
_MOST: Final = 2**63 - 1
_DEEPEST_TOML: Final = 32  # metadata of a page may be nested twice as deep


def split_front_matter(source: str) -> tuple[dict[str, Any], str]:
    """The facts in the front matter of `source` and the text below it, or no facts and all of the text."""
    if source.startswith("---"):
        found = _YAML.match(source)
        lines = found[1].split("\n") if found else []
        facts = _value(lines, 0) if found else None
        if found and (isinstance(facts, dict) or not any(_code(line) for line in lines)):
            return (facts if isinstance(facts, dict) else {}), source[found.end() :].lstrip("\n")
    if source.startswith("+++") and (found := _TOML.match(source)):
        try:
            return _plain(tomllib.loads(found[1]), 0), source[found.end() :].lstrip("\n")
        except (ValueError, RecursionError):  # no TOML, or a number of thousands of digits
            return {}, source
    return {}, source


def _plain(value: Any, depth: int) -> Any:
    """A value of TOML as JSON: dates as written by ISO 8601, numbers that JSON lacks as text."""
    if depth > _DEEPEST_TOML:
        raise RecursionError
    if isinstance(value, dict):
        return {key: _plain(one, depth + 1) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one, depth + 1) for one in value]
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value) if isinstance(value, float) or (type(value) is int and abs(value) > _MOST) else value


def _code(line: str) -> str:
    return _COMMENT.sub("", line).rstrip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _value(lines: list[str], depth: int) -> Any:
    """A block of lines: a mapping, a list, or text."""
    filled = [line for line in lines if _code(line)]
    if not filled:
        return ""
    margin = _indent(filled[0])
    body = [line[margin:] if _indent(line) >= margin else line.lstrip(" ") for line in lines]
    first = filled[0][margin:]
    if depth < _DEEPEST:
        if first.startswith(("- ", "-\t")) or first.rstrip() == "-":
            return _sequence(body, depth)
        if _KEY.match(first):
            return _mapping(body, depth)
    return " ".join(line.strip() for line in filled)


def _mapping(lines: list[str], depth: int) -> Any:
    result: dict[str, Any] = {}
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if not _code(line):
            continue
        found = _KEY.match(line)
        if not found:
            return " ".join(text.strip() for text in lines if text.strip())
        first = number
        while number < len(lines) and (
            not _code(lines[number]) or lines[number].startswith((" ", "\t", "- ")) or lines[number] == "-"
        ):
            number += 1
        result[_scalar(found[1])] = _member((found[2] or "").strip(), lines[first:number], depth)
    return result


def _member(text: str, below: list[str], depth: int) -> Any:
    block = _BLOCK_SCALAR.match(text)
    if block:
        margin = min((_indent(line) for line in below if line.strip()), default=0)
        return ("\n" if block[1] == "|" else " ").join(line[margin:].rstrip() for line in below).strip()
    more = [line.strip() for line in below if _code(line)]
    if not _code(text):
        return _value(below, depth + 1)
    return _scalar(" ".join([text, *more]))


def _sequence(lines: list[str], depth: int) -> list[Any]:
    items: list[list[str]] = []
    for line in lines:
        if line.startswith(("- ", "-\t")) or line.rstrip() == "-":
            items.append(["  " + line[2:]])
        elif items:
            items[-1].append(line)
    found = []
    for item in items:
        value = _value(item, depth + 1)
        found.append(_scalar(value) if isinstance(value, str) else value)
    return found


def _scalar(text: str) -> Any:
    """A scalar without its quotes and comment, or the items of a list in brackets."""
    text = text.strip()
    if text[:1] in ('"', "'"):
        end = text.find(text[0], 1)
        while text[0] == '"' and end > 0 and text[end - 1] == "\\":
            end = text.find('"', end + 1)
        if end > 0 and not _code(text[end + 1 :]).strip():
            body = text[1:end]
            return body.replace('\\"', '"').replace("\\\\", "\\") if text[0] == '"' else body
        return text
    text = _code(text)
    if text.startswith("[") and text.endswith("]"):
        items = [found[1].strip() for found in _ITEM.finditer(text[1:-1])]
        return [_scalar(item) for item in items if item]
    return text
