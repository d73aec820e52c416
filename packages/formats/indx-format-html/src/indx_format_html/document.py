"""One HTML document: parsed, read, and handed over as columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from indx_core.canonical import clean_text
from indx_core.ports import Heading, Link, PageReading, RoleSpan, Span, Table, line_columns
from indx_format_html._encoding import Decoded, decode
from indx_format_html._parsing import parsed
from indx_format_html._ruby import Ruby
from indx_format_html._xhtml import as_html

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

    from indx_format_html._walk import Linked

__all__ = ["HtmlDocument", "read_html"]

XHTML = "application/xhtml+xml"

_SPACE = re.compile(r"\s+")
_XML_DECLARATION = re.compile(r"\s*<\?xml\b")
_DESCRIPTION = 'meta[name="description" i], meta[property="og:description"]'


@dataclass(frozen=True, slots=True)
class HtmlDocument:
    """What a page says, in document order, and where in its text everything stands.

    Attributes:
        text: The text: one line a block, an empty line between paragraphs, a table one row a line.
        tables: Tables of data; tables that only arrange a page are read as blocks.
        links: Links with their targets as written, or joined to `base` where the page states one.
        headings: `h1` to `h6`, and elements with the role of a heading.
        roles: Title, captions and image texts, code, quotes, deleted text, formulas, page frames.
        hidden: What a browser would not show.
        title: The page's title.
        description: The page's own description.
        language: The language the page declares.
        base: The page's base address, when it states one.
        encoding: The encoding it was read in.
        note: What was wrong with its encoding, if anything was.
        images: How many images it shows.
        ruby: Words and the readings written over them, each pair once; the text holds the words alone.
        more_ruby: How many pairs beyond those there are.
        controls: How many control characters were left out.
        frames_left: How many frames were left out, which stood too deep in one another.
    """

    text: str
    tables: Sequence[Table]
    links: Sequence[Link]
    headings: Sequence[Heading]
    roles: Sequence[RoleSpan]
    hidden: Sequence[Span]
    title: str | None
    description: str | None
    language: str | None
    base: str | None
    encoding: str
    note: str | None
    images: int
    ruby: Sequence[tuple[str, str]] = ()
    more_ruby: int = 0
    controls: int = 0
    frames_left: int = 0

    def metadata(self) -> dict[str, Any]:
        """Facts for the page's block."""
        facts = {
            "title": self.title,
            "description": self.description,
            "language": self.language,
            "base": self.base,
            "encoding": self.encoding,
            "encoding_note": self.note,
            "replacement_characters": self.text.count("\ufffd") or None,
            "control_characters": self.controls or None,
            "frames_left_out": self.frames_left or None,
        }
        ruby = Ruby()
        ruby.add(self.ruby, more=self.more_ruby)
        return {key: value for key, value in facts.items() if value is not None} | ruby.metadata()

    def reading(self, page: int = 1) -> PageReading:
        """The document as the reading of one page."""
        starts, ends = line_columns(self.text)
        return PageReading(
            page,
            self.text,
            starts,
            ends,
            tables=self.tables,
            links=self.links,
            headings=self.headings,
            roles=self.roles,
            hidden=self.hidden,
            metadata=self.metadata(),
            confidence=_confidence(self.text),
        )


def read_html(
    source: bytes | str,
    *,
    charset: str | None = None,
    media_type: str = "text/html",
    with_title: bool = True,
    linked: Linked | None = None,
) -> HtmlDocument:
    """Read one HTML or XHTML document. Nothing is fetched and nothing is run.

    Args:
        source: The document; a string is taken as decoded.
        charset: The encoding declared beside it, as by `Content-Type`.
        media_type: `application/xhtml+xml` reads it by XML's rules for empty elements.
        with_title: Whether the page's title begins the text.
        linked: Gives the style sheets that the page links to, where they stand beside it.

    Raises:
        InputTooLarge: It has more tags than a document may have.
        SourceError: `source_unreadable` when the parser gives up.
    """
    if isinstance(source, bytes):
        decoded = decode(source, charset=charset)
    else:
        decoded = Decoded(clean_text(source), "utf-8")
    encoding, note = decoded.encoding, decoded.note
    page = _parse(decoded.text, media_type)
    del decoded  # a large page is held as few times as can be
    return _read(page, encoding, note, with_title, linked)


def _parse(markup: str, media_type: str) -> LexborHTMLParser:
    if media_type == XHTML or _XML_DECLARATION.match(markup):
        markup = as_html(markup)
    return parsed(markup)


def _read(
    page: LexborHTMLParser, encoding: str, note: str | None, with_title: bool, linked: Linked | None
) -> HtmlDocument:
    from indx_format_html._walk import Walker

    title, base = _title(page), _attribute(page, "base[href]", "href")
    walker = Walker(page, base=base, linked=linked)
    if with_title and title and not _is_main_heading(page, title):
        walker.out.text(title)
        walker.roles.append(RoleSpan(0, walker.out.length, "title"))
        walker.out.block(2)
    if page.root is not None:
        walker.walk(page.root)
    return HtmlDocument(
        text=walker.out.build(),
        tables=sorted(walker.tables, key=lambda table: table.start),
        links=sorted(walker.links, key=lambda link: (link.start, link.end)),
        headings=sorted(walker.headings, key=lambda heading: heading.start),
        roles=sorted(walker.roles, key=lambda role: (role.start, -role.end)),
        hidden=sorted(walker.hidden),
        title=title,
        description=_attribute(page, _DESCRIPTION, "content"),
        language=_language(page),
        base=base,
        encoding=encoding,
        note=note,
        images=walker.images,
        ruby=tuple(walker.ruby.pairs),
        more_ruby=walker.ruby.more,
        controls=walker.out.controls,
        frames_left=walker.frames_left,
    )


def _title(page: LexborHTMLParser) -> str | None:
    for node in page.css("title"):
        if node.parent is None or node.parent.tag != "svg":
            return _SPACE.sub(" ", node.text(deep=True)).strip() or None
    return None


def _is_main_heading(page: LexborHTMLParser, title: str) -> bool:
    heading = page.css_first("h1")
    return heading is not None and _SPACE.sub(" ", heading.text(deep=True)).strip() == title


def _attribute(page: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = page.css_first(selector)
    value = None if node is None else node.attributes.get(name)
    return _SPACE.sub(" ", value or "").strip() or None


def _language(page: LexborHTMLParser) -> str | None:
    attributes = page.root.attributes if page.root is not None else {}
    return (attributes.get("lang") or attributes.get("xml:lang") or "").strip() or None


def _confidence(text: str) -> float | None:
    """The share of characters that survived decoding, where some did not."""
    lost = text.count("\ufffd")
    if not lost:
        return None
    return round(1.0 - lost / len(_SPACE.sub("", text)), 4)
