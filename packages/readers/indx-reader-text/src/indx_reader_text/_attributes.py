"""What the attributes of XML say: facts are text, what only arranges the markup is counted."""

from __future__ import annotations

import re
from typing import Final

from indx_core.canonical import clean_text
from indx_reader_text._scan import one_line

__all__ = ["Attributes"]

_ARRANGING: Final = frozenset((
    "align", "border", "cellpadding", "cellspacing", "char", "charoff", "class", "colname", "colnum", "cols",
    "colsep", "colwidth", "frame", "idref", "idrefs", "lang", "nameend",
    "namest", "orient", "rid", "rotate", "rowsep", "rules", "style", "tgroupstyle", "valign",
))  # fmt: skip
"""Names of what only joins or lays out elements; an `id` is what people look for in data."""
_SPANS: Final = frozenset(("colspan", "morerows", "rowspan"))
"""Names of what the tables are made by."""
_PROSE: Final = frozenset(("alt", "aria-label", "caption", "label", "summary", "title"))
"""What an attribute says to readers in the vocabularies of documents, whose other attributes are markup."""
_DOCUMENTS: Final = re.compile(
    r"\b(?:JATS|NLM|DocBook|DITA|TEI)\b|docbook\.org|tei-c\.org|jats\.nlm\.nih\.gov", re.IGNORECASE
)
"""What a document type or a namespace of such a vocabulary is called."""
_DOCUMENT_ROOT: Final = frozenset(("article-type", "dtd-version", "domains", "ditaarch:DITAArchVersion"))
"""Attributes that only the root of such a document has."""
_DATA: Final = re.compile(r"[!-~]{1000,}")
"""A value that is no words: pictures and keys are written so."""
_MOST_NAMES: Final = 50


class Attributes:
    """The attributes of one file, element by element from its root on.

    Attributes:
        language: The language that the root declares.
        length: Characters of the lines made so far, their line breaks with them.
        document: Whether the file is in a vocabulary of documents.
    """

    def __init__(self) -> None:
        """Begin before the root."""
        self.language = ""
        self.length = 0
        self._left: dict[str, int] = {}
        self.document = False
        self._began = False

    def doctype(self, _name: str, system: str | None, public: str | None, _subset: bool) -> None:
        """Note the document type."""
        self.document = bool(_DOCUMENTS.search(f"{public or ''} {system or ''}"))

    def line(self, attributes: dict[str, str]) -> str:
        """What those of an element say, `name: value` by semicolons; empty where they say nothing."""
        if not self._began:
            self._begin(attributes)
        said = [
            f"{name.rpartition(':')[2]}: {value}"
            for name, written in attributes.items()
            if (value := self._value(name, written))
        ]
        line = clean_text("; ".join(said))
        self.length += len(line) + bool(line)
        return line

    def facts(self) -> dict[str, str | dict[str, int]]:
        """The language and what was left out, by name, for the metadata of the page."""
        facts: dict[str, str | dict[str, int]] = {}
        if self.language:
            facts["language"] = self.language
        if self._left:
            facts["attributes_left_out"] = dict(sorted(self._left.items()))
        return facts

    def _begin(self, attributes: dict[str, str]) -> None:
        self._began = True
        self.language = clean_text(one_line(attributes.get("xml:lang", "")))[:100]
        self.document = self.document or any(
            name in _DOCUMENT_ROOT or (name.startswith("xmlns") and _DOCUMENTS.search(value))
            for name, value in attributes.items()
        )

    def _value(self, name: str, written: str) -> str:
        """The words of a value; none where it says nothing to readers, which is counted."""
        prefix, _, local = name.rpartition(":")
        declares = prefix in ("xml", "xmlns") and name != "xml:id"
        if declares or name == "xmlns" or name.lower() in _SPANS:
            return ""
        if not (value := one_line(written)):
            return ""
        if (
            prefix == "xsi"
            or local.lower() in _ARRANGING
            or (self.document and local.lower() not in _PROSE)
            or _DATA.fullmatch(value)
        ):
            known = name if name in self._left or len(self._left) < _MOST_NAMES else "others"
            name = clean_text(known)[:100]
            self._left[name] = self._left.get(name, 0) + 1
            return ""
        return value
