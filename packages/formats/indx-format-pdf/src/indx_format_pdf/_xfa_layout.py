"""The lines of a container of a form, from those of what is in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import inf
from typing import Final

from indx_format_pdf._xfa_tree import Node

__all__ = ["laid_out", "titled"]

_MEASURE: Final = re.compile(r"([+-]?[\d.]{1,20})(in|mm|cm|pt|)")
_POINTS: Final = {"in": 72.0, "": 72.0, "mm": 72 / 25.4, "cm": 72 / 2.54, "pt": 1.0}
_ROW: Final = 6.0  # points: what begins less far below stands beside
_NUMBER: Final = re.compile(r"\(?(?:\d{1,3}[A-Za-z]?|[A-Za-z])[.)]?")  # of a question, which it goes before

_Found = tuple[Node, list[str]]


def titled(title: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Lines behind their title, on one line with it."""
    name = " ".join(title)
    if not name or not lines:
        return [name] if name else list(lines)
    between = " " if name[-1] in ":?." else ": "
    return [f"{name}{between}{lines[0]}", *lines[1:]]


def laid_out(container: Node, found: Sequence[_Found]) -> list[str]:
    """The lines of what is in a container: cells of a row, in order, or from above where they are placed."""
    layout = container.said("layout", "position")
    if layout in {"row", "rl-row"}:
        cells = [" ".join(lines) for _, lines in found]
        return ["\t".join(cells)] if any(cells) else []
    if container.name == "pageSet":  # what stands on every page is said once
        return list(dict.fromkeys(line for _, lines in found for line in lines))
    if layout == "position" and container.name != "subformSet":
        return [line for row in _rows(found) for line in _beside(row)]
    return [line for _, lines in found for line in lines]


def _rows(found: Sequence[_Found]) -> list[list[_Found]]:
    """What is placed, from above; what begins at about the same height from the left, the narrow first."""
    rows: list[list[_Found]] = []
    top = 0.0
    for one in sorted((one for one in found if one[1]), key=lambda one: _points(one[0], "y")):
        y = _points(one[0], "y")
        if not rows or y - top >= _ROW:
            rows.append([])
            top = y
        rows[-1].append(one)
    for row in rows:
        row.sort(key=lambda one: (_points(one[0], "x"), _points(one[0], "w", inf)))
    return rows


def _beside(row: Sequence[_Found]) -> list[str]:
    """The lines of a row, the number of a question on one line with it."""
    done: list[str] = []
    number = ""
    for one, lines in row:
        if one.name == "draw" and len(lines) == 1 and _NUMBER.fullmatch(lines[0]) and not number:
            number = lines[0]
            continue
        done += [f"{number} {lines[0]}" if number else lines[0], *lines[1:]]
        number = ""
    return [*done, number] if number else done


def _points(one: Node, name: str, otherwise: float = 0.0) -> float:
    match = _MEASURE.fullmatch(one.said(name).strip())
    try:
        return float(match[1]) * _POINTS[match[2]] if match else otherwise
    except ValueError:
        return otherwise
