"""Namespaces of Office parts as lxml spells them in tags, `{namespace}`, in their transitional flavour."""

from __future__ import annotations

from typing import Final

__all__ = ["CX", "DGM", "MC", "PIC", "WP", "XDR", "A", "C", "M", "P", "R", "S", "V", "W"]

_OPEN: Final = "http://schemas.openxmlformats.org/"

A: Final = f"{{{_OPEN}drawingml/2006/main}}"
"""DrawingML: shapes' geometry and text."""
C: Final = f"{{{_OPEN}drawingml/2006/chart}}"
"""Charts."""
CX: Final = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
"""The newer kinds of chart."""
DGM: Final = f"{{{_OPEN}drawingml/2006/diagram}}"
"""SmartArt."""
M: Final = f"{{{_OPEN}officeDocument/2006/math}}"
"""Formulas."""
MC: Final = f"{{{_OPEN}markup-compatibility/2006}}"
"""Alternatives for readers of different age."""
P: Final = f"{{{_OPEN}presentationml/2006/main}}"
"""Presentations."""
PIC: Final = f"{{{_OPEN}drawingml/2006/picture}}"
"""Pictures in Word."""
R: Final = f"{{{_OPEN}officeDocument/2006/relationships}}"
"""Attributes that name a relationship."""
S: Final = f"{{{_OPEN}spreadsheetml/2006/main}}"
"""Workbooks."""
V: Final = "{urn:schemas-microsoft-com:vml}"
"""The drawing language before DrawingML."""
W: Final = f"{{{_OPEN}wordprocessingml/2006/main}}"
"""Word documents."""
WP: Final = f"{{{_OPEN}drawingml/2006/wordprocessingDrawing}}"
"""Drawings placed in Word."""
XDR: Final = f"{{{_OPEN}drawingml/2006/spreadsheetDrawing}}"
"""Drawings placed in worksheets."""
