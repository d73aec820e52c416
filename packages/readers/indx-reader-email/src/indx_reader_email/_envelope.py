"""A file that is wrapped as a whole to be signed (CMS, `.p7m`): a page without text, and what is signed."""

from __future__ import annotations

from collections.abc import Iterator

from indx_core.errors import SourceError
from indx_core.ports import Member, Observation, PageEvidence, PageReading, Raster, SourceContent
from indx_reader_email._headers import safe_name
from indx_reader_email._mime import begins_as_mail
from indx_reader_email._signed import bare_name, der_of, is_sealed, signed_content

__all__ = ["EnvelopeSession"]


class EnvelopeSession:
    """An open envelope. Its signatures are not checked."""

    page_count = 1

    def __init__(self, source: SourceContent) -> None:
        """Open `source`.

        Raises:
            SourceError: `source_encrypted`, it is sealed; `source_unreadable`, nothing is in it, or it is
                damaged.
        """
        self.source = source
        self.media_type = source.media_type
        data = der_of(source.read())
        if data is not None and is_sealed(data):
            raise SourceError(
                "it is sealed for those who hold a key; save what is in it by the program that opens it",
                code="source_encrypted",
            )
        content = signed_content(data) if data is not None else None
        if not content:
            raise SourceError(
                "no document is in it: signatures or certificates alone, or it is damaged; what is signed "
                "may be the file beside it"
            )
        self._member = Member(_name(source.filename, content), None, content)

    def reading(self) -> PageReading:
        """The page, on which nothing stands."""
        member = {"name": self._member.name, "size": len(self._member.data)}
        return PageReading(1, metadata={"blank": True, "members": [member], "signed": True})

    def observe(self) -> Observation:
        """That there is no text, and one document in it."""
        facts = {"signed": f"what is signed is a document of its own: {self._member.name}"}
        return Observation(self.media_type, (PageEvidence(1, 0),), facts)

    def render(self, page: int, *, dpi: int, max_pixels: int, pixels: bool = True) -> Raster | None:  # noqa: ARG002
        """Nothing: an envelope has no picture."""
        return None

    def members(self) -> Iterator[Member]:
        """What is signed, as the bytes it was."""
        yield self._member

    def close(self) -> None:
        """Nothing is open."""


def _name(filename: str | None, content: bytes) -> str:
    """That of the file without its wrapping; a message without an extension is named like one."""
    name = bare_name(safe_name(filename or "") or "content")
    return f"{name}.eml" if "." not in name and begins_as_mail(content) else name
