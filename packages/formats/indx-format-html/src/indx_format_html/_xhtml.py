"""XHTML in the notation of HTML: empty elements, CDATA, prefixes, entities that a page declares."""

from __future__ import annotations

import re

__all__ = ["as_html"]

_SELF_CLOSED = re.compile(
    r"""<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)\b)"""
    r"""([a-zA-Z][^\t\n\f\r />]*+)((?:[^<>"'/]++|"[^"<]*+"|'[^'<]*+'|/(?!>))*+)/>"""
)
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_DOCTYPE = "<!DOCTYPE"
_PROLOG = 65_536
_SUBSET = re.compile(
    r"<!DOCTYPE\b[^\[<>]{0,1000}"
    r"""\[((?:<!--(?:[^-]|-(?!->))*+-->|<(?!!--)|"[^"]*+"|'[^']*+'|[^\]<"'])*+)\]\s*>"""
)
_ENTITY = re.compile(r"""<!ENTITY\s+([A-Za-z_][\w.-]{0,60})\s+(?:"([^"<%]{0,200})"|'([^'<%]{0,200})')\s*>""")
_OTHER_ENTITY = re.compile(r"&(?!#)")
_AMPERSAND = re.compile(r"&#(?:38|[xX]26);")
_REFERENCE = re.compile(r"&([A-Za-z_][\w.-]{0,60});")
_MOST_REFERENCES = 20_000
_BOUND = re.compile(
    r"""xmlns:([A-Za-z_][\w.-]{0,30})\s*=\s*["']\s*"""
    r"""http://www\.w3\.org/(?:1999/xhtml|1998/Math/MathML|2000/svg)\s*["']"""
)
_MOST_PREFIXES = 10


def as_html(markup: str) -> str:
    """`markup` with `<a/>` as a whole element, `<m:math>` as `<math>`, CDATA and its entities as text."""
    markup = _without_prefixes(_without_subset(_without_cdata(markup)))
    return _SELF_CLOSED.sub(r"<\1\2></\1>", markup)


def _without_cdata(markup: str) -> str:
    """What CDATA holds as text; behind its last end none is looked for, lest each begin look to the end."""
    last = markup.rfind("]]>") + len("]]>")
    held = _CDATA.sub(lambda m: m[1].replace("&", "&amp;").replace("<", "&lt;"), markup[:last])
    return held + markup[last:]


def _without_subset(markup: str) -> str:
    """What a DOCTYPE declares is no text; where it declares texts, they stand for their names.

    A text that names another is left alone, so that nothing grows twice. An ampersand by its number is one
    where it is declared, so `&#38;#60;` is `&#60;` where its name stands.
    """
    start = markup.find(_DOCTYPE, 0, _PROLOG)
    subset = _SUBSET.match(markup, start, start + _PROLOG) if start >= 0 else None
    if subset is None:
        return markup
    declared = {name: one or other for name, one, other in _ENTITY.findall(subset[1])}
    texts = {
        name: _AMPERSAND.sub("&", text) for name, text in declared.items() if not _OTHER_ENTITY.search(text)
    }
    rest = markup[subset.end() :]
    if texts:
        rest = _REFERENCE.sub(lambda m: texts.get(m[1], m[0]), rest, count=_MOST_REFERENCES)
    return f"{markup[:start]}<!DOCTYPE html>{rest}"


def _without_prefixes(markup: str) -> str:
    """Elements of XHTML, MathML and SVG without the prefix that is bound to their namespace."""
    if "xmlns:" not in markup:
        return markup
    found = dict.fromkeys(match[1] for match in _BOUND.finditer(markup))
    if not found:
        return markup
    prefixes = "|".join(re.escape(prefix) for prefix in list(found)[:_MOST_PREFIXES])
    return re.sub(rf"(</?)(?:{prefixes}):(?=[A-Za-z])", r"\1", markup)
