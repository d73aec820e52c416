"""One HTML document as text, structure and hidden spans, shared by HTML and mail readers."""

from __future__ import annotations

from indx_format_html._encoding import Decoded, decode
from indx_format_html._styles import reduced
from indx_format_html.document import HtmlDocument, read_html

__all__ = ["Decoded", "HtmlDocument", "decode", "read_html", "reduced"]
