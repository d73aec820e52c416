"""What other formats that are XML packed in a ZIP read with: the bounded container and the safe parser."""

from __future__ import annotations

from indx_format_office._xml import DoctypeRefused, Element, iterate, parse
from indx_format_office._zip import Archive, Entry, entries, inflate

__all__ = ["Archive", "DoctypeRefused", "Element", "Entry", "entries", "inflate", "iterate", "parse"]
