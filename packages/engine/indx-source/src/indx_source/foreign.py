"""Formats that nothing here reads: how they are told, what they are called, and what to do about them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from indx_core.ports import Buffer

__all__ = ["FOREIGN", "Foreign", "foreign_type"]


class Foreign(NamedTuple):
    """A format.

    Attributes:
        called: What it is, after "it is".
        helps: What to do to have it read.
        names: The extensions of its files.
        mark: What it begins with; empty where it is told by its name alone.
        at: Where that stands.
    """

    called: str
    helps: str
    names: tuple[str, ...]
    mark: bytes = b""
    at: int = 0


_AS_PDF: Final = "save or print it as PDF"
_AS_CSV: Final = "export its tables as CSV"

FOREIGN: Final = {
    "application/dicom": Foreign(
        "a picture of medicine (DICOM)", "export it as PNG or JPEG", (".dcm",), b"DICM", 128
    ),
    "application/hwp+zip": Foreign("a document of Hancom Office", "save it as .docx or PDF", (".hwpx",)),
    "application/onenote": Foreign(
        "a section of OneNote",
        "export it as .docx or PDF",
        (".one",),
        bytes.fromhex("e4525c7b8cd8a74daeb15378d02996d3"),
    ),
    "application/oxps": Foreign("a printed document (XPS)", _AS_PDF, (".oxps", ".xps")),
    "application/vnd.adobe.indesign-idml-package": Foreign("a layout of InDesign", _AS_PDF, (".idml",)),
    "application/vnd.apache.parquet": Foreign("a table of Parquet", _AS_CSV, (".parquet",), b"PAR1"),
    "application/vnd.ms-access": Foreign(
        "a database of Access", _AS_CSV, (".mdb", ".accdb"), b"\0\1\0\0Standard "
    ),
    "application/vnd.ms-htmlhelp": Foreign(
        "a help file of Windows", "unpack it, as 7-Zip does, and take its HTML", (".chm",), b"ITSF"
    ),
    "application/vnd.ms-outlook-pst": Foreign(
        "a data file of Outlook", "export its messages as .eml, .msg or mbox", (".pst", ".ost"), b"!BDN"
    ),
    "application/vnd.sqlite3": Foreign(
        "a database of SQLite", _AS_CSV, (".sqlite", ".sqlite3"), b"SQLite format 3\0"
    ),
    "application/x-dvi": Foreign(
        "a document that TeX set (DVI)", "make a PDF of it, or take its source", (".dvi",)
    ),
    "application/x-mobipocket-ebook": Foreign(
        "a book for Kindle", "convert it to EPUB", (".mobi", ".azw", ".azw3"), b"BOOKMOBI", 60
    ),
    "application/x-ms-shortcut": Foreign(
        "a shortcut of Windows", "take the file that it leads to", (".lnk",), b"L\0\0\0\1\x14\2\0"
    ),
}
"""Formats by their media types; pictures apart, which are told by theirs."""

_PICTURES: Final = (
    ("image/emf", b" EMF", 40),
    ("image/vnd.djvu", b"AT&TFORM", 0),
    ("image/wmf", b"\xd7\xcd\xc6\x9a", 0),
)
_MARKS: Final = (
    *((media_type, one.mark, one.at) for media_type, one in FOREIGN.items() if one.mark),
    *_PICTURES,
)


def foreign_type(head: Buffer) -> str:
    """The media type of what begins so, where nothing here reads it; empty of anything else."""
    return next((kind for kind, mark, at in _MARKS if bytes(head[at : at + len(mark)]) == mark), "")
