"""The observers, sessions and reader of texts: a text is decoded once and is one page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from indx_core.ports import (
    PORT_VERSION,
    CapabilityDeclaration,
    Member,
    Observation,
    ObserverDeclaration,
    PageEvidence,
    PageReading,
    Raster,
    RoleSpan,
    Session,
    SourceContent,
    Unavailability,
)
from indx_reader_text._decode import decode
from indx_reader_text._types import (
    CARDS,
    CODE,
    COMPRESSED,
    ESCAPED,
    JSONS,
    MARKDOWN,
    MEDIA_TYPES,
    NOTEBOOK,
    PROPERTIES,
    SEPARATED,
    SUBSTATION,
    SUBTITLES,
    SVG,
    XML,
)

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_reader_text._marks import Marks

__all__ = [
    "CompressedObserver",
    "CompressedSession",
    "TextObserver",
    "TextReader",
    "TextSession",
]

_UNCOUNTED: Final = bytes(range(128, 192)) + b" \t\n\r\f\v"  # continuation bytes of UTF-8, and white space


class TextSession:
    """One text, decoded."""

    page_count = 1

    def __init__(self, source: SourceContent, media_type: str) -> None:
        self.source = source
        self.media_type = self._kind = media_type
        data = source.read()
        if media_type in CARDS:
            from indx_reader_text._cards import unfolded

            data = unfolded(data)
        self._text, self._facts = decode(
            data,
            xml=media_type in (*XML, SVG),
            json=media_type in (*JSONS, NOTEBOOK),
            charset=source.charset,
        )
        self._reading: PageReading | None = None

    def observe(self) -> Observation:
        """How much text there is."""
        count = len(self._text.encode("utf-8").translate(None, _UNCOUNTED))
        facts = {} if count else {"empty": f"the file is empty: it {self._emptiness()}"}
        return Observation(self.media_type, (PageEvidence(1, count),), facts)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """A text has no picture."""
        return None

    def members(self) -> Iterator[Member]:
        """Nothing is inside a text."""
        return iter(())

    def close(self) -> None:
        """Forget what was read; the text itself is memory only."""
        self._reading = None

    def reading(self) -> PageReading:
        """The text with its structure, worked out once.

        Raises:
            SourceError: `source_unreadable`, it is not of its media type.
        """
        if self._reading is None:
            facts = self._facts if self._text.strip() else {**self._facts, "empty": self._emptiness()}
            text, left = _without_base64(self._text, self._kind)
            self._reading = _marks(text, self._kind).page(facts | left)
        return self._reading

    def _emptiness(self) -> str:
        return "holds white space alone" if self._text else "holds no text"


class CompressedSession(TextSession):
    """One text that is compressed as a whole: inflated within a bound, then a text like any other."""

    def __init__(self, source: SourceContent) -> None:
        """Inflate `source` and decode it.

        Raises:
            SourceError: `source_unreadable`, it is damaged, or no text that this reader reads is in it.
            InputTooLarge: It inflates to more than it may.
        """
        from indx_reader_text._compressed import inflated

        inner = inflated(source)
        super().__init__(inner, inner.media_type)
        self.source, self.media_type = source, source.media_type
        self._facts |= {"compressed": source.media_type, "media_type": inner.media_type}
        if inner.media_type == NOTEBOOK:
            self.reading()


def _without_base64(text: str, media_type: str) -> tuple[str, dict[str, int]]:
    """A text without what is no text in it, and the fact that there was some; notebooks see to their own."""
    from indx_reader_text._coded import without_coded, without_coded_json, without_pictures

    if media_type == NOTEBOOK:
        return text, {}
    without = without_coded_json if media_type in JSONS else without_coded
    text, count = (without if media_type in (*JSONS, *XML, SVG) else without_pictures)(text)
    return text, {"base64_left_out": count} if count else {}


_READERS: Final = {
    **dict.fromkeys(XML, ("_xml", "read_xml")),
    **dict.fromkeys(CARDS, ("_cards", "read_cards")),
    **dict.fromkeys(SUBTITLES, ("_subtitles", "read_subtitles")),
    **dict.fromkeys(JSONS, ("_json", "read_json")),
    **dict.fromkeys(ESCAPED, ("_escapes", "read_escaped")),
    SVG: ("_svg", "read_svg"),
    NOTEBOOK: ("_notebook", "read_notebook"),
    SUBSTATION: ("_substation", "read_substation"),
    PROPERTIES: ("_escapes", "read_properties"),
}
"""By media type, the module of what reads it and its name."""


def _marks(text: str, media_type: str) -> Marks:
    """Read `text` as its media type asks; each format's module is imported when it is needed."""
    from indx_reader_text._marks import Marks

    if media_type in MARKDOWN:
        from indx_reader_text._front import split_front_matter
        from indx_reader_text._markdown import read_markdown
        from indx_reader_text._ruby import without_readings

        facts, body = split_front_matter(text)
        body, readings = without_readings(body)
        marks = read_markdown(body)
        marks.metadata.update(readings)
        if facts:
            marks.metadata["front_matter"] = facts
        return marks
    if media_type in SEPARATED:
        from indx_reader_text._csv import read_delimited

        return read_delimited(text, SEPARATED[media_type])
    if media_type in _READERS:
        module, name = _READERS[media_type]
        read: Callable[[str], Marks] = getattr(import_module(f"indx_reader_text.{module}"), name)
        return read(text)
    if media_type in CODE:
        return Marks(text, roles=[RoleSpan(0, len(text), "code")] if text else [])
    from indx_reader_text._markup import READERS

    return READERS.get(media_type, Marks)(text)


class TextObserver:
    """Opens texts. Decoding is all that happens to the bytes, so no worker process is needed."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("text", MEDIA_TYPES, hostile=False)

    def open(self, source: SourceContent) -> TextSession:
        """Decode `source`; a notebook is parsed too, for it may be none.

        Raises:
            SourceError: `source_unreadable`.
            ConfigurationError: `invalid_setting`, INDX_TEXT_ENCODING names an unknown encoding.
        """
        session = TextSession(source, source.media_type)
        if session.media_type == NOTEBOOK:
            session.reading()
        return session


class CompressedObserver:
    """Opens texts that are compressed as a whole; a few bytes may become many, so a worker does it."""

    port_version = PORT_VERSION
    declaration = ObserverDeclaration("compressed-text", tuple(COMPRESSED.values()))

    def open(self, source: SourceContent) -> CompressedSession:
        """Inflate and decode `source`.

        Raises:
            SourceError: `source_unreadable`.
            InputTooLarge: It inflates to more than INDX_TEXT_INFLATED_BYTES.
            ConfigurationError: `invalid_setting`, INDX_TEXT_ENCODING names an unknown encoding.
        """
        return CompressedSession(source)


class TextReader:
    """Reads texts as one page."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration(
        "text-reader", "native", (*MEDIA_TYPES, *COMPRESSED.values()), hostile=False
    )

    def availability(self) -> Unavailability | None:
        """It can always read."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:
        """Read the only page.

        Raises:
            SourceError: `source_unreadable`.
            TimedOut: The deadline passed before the page.
        """
        own = session if isinstance(session, TextSession) else None
        for page in pages:
            deadline.check()
            if page != 1:
                yield PageReading(page=page, reason="no_such_page")
                continue
            if own is None and session.media_type in COMPRESSED.values():
                own = CompressedSession(session.source)
            own = own or TextSession(session.source, session.media_type)
            yield own.reading()
