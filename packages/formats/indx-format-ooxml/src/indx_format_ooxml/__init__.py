"""One open Office Open XML package: bounds, parts, relationships, safe XML.

Importing this package imports no XML parser; parsing a part does.
"""

from __future__ import annotations

from indx_format_ooxml.kinds import MEDIA_TYPES, Family, Kind, kind, sniff
from indx_format_ooxml.package import Package, Relationship
from indx_format_ooxml.writer import TextWriter, flat

__all__ = ["MEDIA_TYPES", "Family", "Kind", "Package", "Relationship", "TextWriter", "flat", "kind", "sniff"]
