"""Namespaces of OpenDocument as lxml spells them in tags, `{namespace}`."""

from __future__ import annotations

from typing import Final

__all__ = [
    "CALCEXT",
    "CHART",
    "DC",
    "DRAW",
    "FO",
    "LOEXT",
    "MANIFEST",
    "MATH",
    "META",
    "OFFICE",
    "PRESENTATION",
    "STYLE",
    "SVG",
    "TABLE",
    "TEXT",
    "XLINK",
]

_OASIS: Final = "{urn:oasis:names:tc:opendocument:xmlns:"
_LIBRE: Final = "{urn:org:documentfoundation:names:experimental:"

OFFICE: Final = f"{_OASIS}office:1.0}}"
TEXT: Final = f"{_OASIS}text:1.0}}"
TABLE: Final = f"{_OASIS}table:1.0}}"
DRAW: Final = f"{_OASIS}drawing:1.0}}"
PRESENTATION: Final = f"{_OASIS}presentation:1.0}}"
STYLE: Final = f"{_OASIS}style:1.0}}"
CHART: Final = f"{_OASIS}chart:1.0}}"
META: Final = f"{_OASIS}meta:1.0}}"
MANIFEST: Final = f"{_OASIS}manifest:1.0}}"
SVG: Final = f"{_OASIS}svg-compatible:1.0}}"
FO: Final = f"{_OASIS}xsl-fo-compatible:1.0}}"
CALCEXT: Final = f"{_LIBRE}calc:xmlns:calcext:1.0}}"
LOEXT: Final = f"{_LIBRE}office:xmlns:loext:1.0}}"
XLINK: Final = "{http://www.w3.org/1999/xlink}"
DC: Final = "{http://purl.org/dc/elements/1.1/}"
MATH: Final = "{http://www.w3.org/1998/Math/MathML}"
