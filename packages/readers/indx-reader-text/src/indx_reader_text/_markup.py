"""Lightweight markup other than Markdown: what reads each media type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from indx_reader_text._asciidoc import read_asciidoc
from indx_reader_text._latex import read_latex
from indx_reader_text._marks import Marks
from indx_reader_text._org import read_org
from indx_reader_text._rst import read_restructured

__all__ = ["READERS"]

READERS: Final[dict[str, Callable[[str], Marks]]] = {
    "text/x-rst": read_restructured,
    "text/asciidoc": read_asciidoc,
    "text/x-tex": read_latex,
    "text/x-org": read_org,
}
"""How a text of each media type is marked."""
