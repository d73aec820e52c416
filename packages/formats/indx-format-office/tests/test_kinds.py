"""Telling Office packages by their content."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.ports import Sniffed
from indx_format_office import MEDIA_TYPES, Kind, kind, sniff

Build = Callable[..., bytes]
OPEN = "application/vnd.openxmlformats-officedocument."
MAIN_TYPES = [
    (f"{OPEN}wordprocessingml.document.main+xml", "word", f"{OPEN}wordprocessingml.document"),
    (f"{OPEN}wordprocessingml.template.main+xml", "word", f"{OPEN}wordprocessingml.template"),
    (
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "word",
        "application/vnd.ms-word.document.macroenabled.12",
    ),
    (f"{OPEN}presentationml.presentation.main+xml", "slides", f"{OPEN}presentationml.presentation"),
    (f"{OPEN}presentationml.slideshow.main+xml", "slides", f"{OPEN}presentationml.slideshow"),
    (
        "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
        "slides",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    ),
    (f"{OPEN}spreadsheetml.sheet.main+xml", "sheets", f"{OPEN}spreadsheetml.sheet"),
    (
        "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
        "sheets",
        "application/vnd.ms-excel.sheet.macroenabled.12",
    ),
]


@pytest.mark.parametrize(("main_type", "family", "media_type"), MAIN_TYPES)
def test_a_package_is_told_by_the_type_of_its_main_part(
    build: Build, main_type: str, family: str, media_type: str
) -> None:
    data = build({"word/document.xml": "<x/>"}, main_type=main_type)
    assert kind(data) == Kind(family, media_type)  # type: ignore[arg-type]
    assert media_type in MEDIA_TYPES[family]  # type: ignore[index]


def test_the_order_of_the_members_does_not_matter(build: Build) -> None:
    data = build({"word/document.xml": "<x/>"}, first=("word/document.xml",))
    assert data.index(b"word/document.xml") < data.index(b"[Content_Types].xml")
    assert kind(data) is not None


def test_a_list_of_content_types_in_utf_16_is_read(build: Build) -> None:
    plain = build({"word/document.xml": "<x/>"})
    with zipfile.ZipFile(io.BytesIO(plain)) as archive:
        types = archive.read("[Content_Types].xml").decode()
    data = build({"[Content_Types].xml": types.encode("utf-16")})
    assert kind(data) == kind(plain)


def test_an_embedded_workbook_does_not_make_a_document_a_workbook(build: Build) -> None:
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        f'<Default Extension="xlsx" ContentType="{OPEN}spreadsheetml.sheet"/>'
        f'<Override PartName="/word/document.xml" ContentType="{MAIN_TYPES[0][0]}"/></Types>'
    )
    found = kind(build({"[Content_Types].xml": types, "word/embeddings/a.xlsx": b"PK"}))
    assert found is not None
    assert found.family == "word"


def test_a_binary_workbook_is_told_by_the_one_main_part_that_is_no_xml(build: Build) -> None:
    data = build({}, main_type="application/vnd.ms-excel.sheet.binary.macroEnabled.main")
    assert kind(data) == Kind("sheets", "application/vnd.ms-excel.sheet.binary.macroenabled.12")


def test_another_zip_file_has_no_kind(build: Build) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("notes.txt", f"{OPEN}wordprocessingml.document.main+xml")
    assert kind(file.getvalue()) is None
    assert kind(build({}, main_type="application/vnd.ms-visio.drawing.main+xml")) is None


@given(st.binary(max_size=400))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    assert kind(data) is None
    assert kind(b"PK\x03\x04" + data + b"PK\x05\x06" + data[:18].ljust(18, b"\xff")) is None


def test_each_sniffer_answers_for_its_family_alone(build: Build) -> None:
    data = build({"word/document.xml": "<x/>"})
    answer = Sniffed(f"{OPEN}wordprocessingml.document", "strong")
    assert sniff("word", data, filename="deck.pptx", declared="text/plain") == answer
    assert sniff("slides", data, filename="deck.pptx", declared=None) is None
    assert sniff("sheets", data, filename=None, declared=None) is None


@pytest.mark.parametrize(
    ("filename", "declared", "family"),
    [
        ("locked.xlsx", None, "sheets"),
        ("LOCKED.PPTX", None, "slides"),
        (None, f"{OPEN}wordprocessingml.document", "word"),
    ],
)
def test_a_locked_package_is_what_its_name_or_declaration_says(
    compound_file: Callable[[Sequence[str]], bytes],
    filename: str | None,
    declared: str | None,
    family: str,
) -> None:
    data = compound_file(["Root Entry", "EncryptionInfo", "EncryptedPackage"])
    answers = {each: sniff(each, data, filename=filename, declared=declared) for each in MEDIA_TYPES}
    assert {each for each, answer in answers.items() if answer is not None} == {family}


def test_a_locked_package_without_a_name_is_offered_to_one_reader_weakly(
    compound_file: Callable[[Sequence[str]], bytes],
) -> None:
    data = compound_file(["Root Entry", "EncryptedPackage"])
    answers = [sniff(family, data, filename=None, declared=None) for family in MEDIA_TYPES]
    assert [answer.strength for answer in answers if answer is not None] == ["weak"]


def test_another_compound_file_is_nobodys(compound_file: Callable[[Sequence[str]], bytes]) -> None:
    data = compound_file(["Root Entry", "WordDocument"])
    assert all(sniff(family, data, filename="a.docx", declared=None) is None for family in MEDIA_TYPES)
