"""What the formats of Office programs share, old and new; here the packages of Office Open XML.

Importing this package imports no XML parser; parsing a part does.
"""

from __future__ import annotations

from indx_format_office.kinds import MEDIA_TYPES, Family, Kind, kind, sniff
from indx_format_office.package import Package, Relationship
from indx_format_office.writer import TextWriter, flat, stands_raised

__all__ = [
    "MEDIA_TYPES",
    "Family",
    "Kind",
    "Package",
    "Relationship",
    "TextWriter",
    "flat",
    "kind",
    "sniff",
    "stands_raised",
]
