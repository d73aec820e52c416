"""One open PDF document, as the engine sees it."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from indx_core.ports import Member, Observation, PageEvidence, Raster, SourceContent
from indx_format_pdf import PageContent, PdfDocument

__all__ = ["PdfSession"]

MEDIA_TYPE: Final = "application/pdf"
_COLUMNS: Final = tuple(field.name for field in fields(PageContent))
_EMPTY: Final = PageContent(0)
_FORMS: Final = {
    "read": "its pages only say to wait until its form is drawn (XFA); the text is that of the form",
    "unread": "its pages only say to wait until its form is drawn (XFA), and that cannot be read",
}
MOST_MEMBER_BYTES: Final = 1 << 28
"""An embedded file that inflates past this is listed without its bytes."""


class PdfSession:
    """A session over one document. What observing finds on a page, reading uses again.

    Args:
        source: The document.

    Attributes:
        media_type: `application/pdf`.
        source: What it was opened from.
        page_count: How many pages it has.
        document: The open document.
    """

    def __init__(self, source: SourceContent) -> None:
        """Open it."""
        self.media_type = MEDIA_TYPE
        self.source = source
        self.document = PdfDocument(source)
        self.page_count = self.document.page_count
        self._observation: Observation | None = None
        self._passed_over: set[int] = set()

    def observe(self) -> Observation:
        """What stands on each page."""
        if self._observation is None:
            pages = [self.document.page(number) for number in range(1, self.page_count + 1)]
            self._observation = Observation(self.media_type, tuple(map(_evidence, pages)), self._facts(pages))
        return self._observation

    def look(self, page: int) -> None:
        """Look at a page and remember what it holds."""
        self.document.page(page)

    def found(self, page: int) -> Mapping[str, Any]:
        """What a page holds, by the names of its columns; nothing of it is remembered.

        Raises:
            ValueError: The document lacks a page or is damaged, so that pages are the same in order alone,
                or the page cannot be opened.
        """
        if not self.document.whole:
            raise ValueError(
                "a page is missing or the file is damaged; its pages are looked at in their order"
            )
        content = self.document.look(page)
        if not content.opened:
            raise ValueError(f"page {page!r} cannot be opened; whoever has the document is to try")
        return {name: getattr(content, name) for name in _COLUMNS}

    def take_over(self, page: int, found: Mapping[str, Any]) -> None:
        """Remember what another session over the same document found on a page.

        Raises:
            ValueError: It is of another page, or no content of a page.
        """
        odd = [name for name in _COLUMNS if _form(found[name]) != _form(getattr(_EMPTY, name))]
        content = PageContent(**found)
        if odd or content.number != page:
            raise ValueError(f"it is not what is found on page {page!r}: {', '.join(odd) or 'another page'}")
        self.document.take_over(content)

    def pass_over(self, page: int) -> None:
        """Look at a page no more; it is read as one that cannot be opened."""
        self.document.take_over(PageContent(page, opened=False))
        self._passed_over.add(page)

    def _facts(self, pages: list[PageContent]) -> dict[str, str]:
        facts: dict[str, str] = {}
        if self.document.encrypted:
            facts["encrypted"] = "the document is encrypted and was opened"
        if self.document.damaged:
            facts["incomplete"] = "the end of the file is missing; its pages were searched for"
        if pages[0].form:
            facts["form"] = _FORMS[pages[0].form]
        if self.document.member_count:
            facts["attachments"] = f"embedded files: {self.document.member_count}"
        unopened = sum(not page.opened and page.number not in self._passed_over for page in pages)
        if unopened:
            facts["damaged"] = f"pages that cannot be opened: {unopened}"
        return facts

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:
        """The page as displayed; None when it would have more than `max_pixels`."""
        return self.document.render(page, dpi=dpi, max_pixels=max_pixels, pixels=pixels)

    def members(self) -> Iterator[Member]:
        """The embedded files."""
        return self.document.members(limit=MOST_MEMBER_BYTES)

    def close(self) -> None:
        """Close the document."""
        self.document.close()


def _form(value: object) -> tuple[type, str]:
    return type(value), value.typecode if isinstance(value, array) else ""


def _evidence(page: PageContent) -> PageEvidence:
    return PageEvidence(
        page=page.number,
        text_characters=page.characters,
        image_share=page.image_share,
        images=page.images,
        plausible=page.plausible,
        body_characters=None if page.body == page.characters else page.body,
        drawings=page.drawings,
        seen=page.opened,
    )
