"""An open package: parts, relationships, properties, members."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_format_office import Package, package
from indx_format_office.kinds import Family

Build = Callable[..., bytes]
CORE = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
PROPERTIES = (
    '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> 年報 </dc:title><dc:creator>A. N.</dc:creator>'
    "<dc:subject></dc:subject><cp:revision>4</cp:revision></cp:coreProperties>"
)


def opened(data: bytes, family: Family = "word") -> Package:
    return Package(SourceContent.of_bytes(data), family)


def test_the_main_part_is_found_by_its_relationship(build: Build) -> None:
    found = opened(build({"doc/Main.xml": "<r/>"}, main="doc/Main.xml"))
    assert found.main == "doc/Main.xml"
    assert found.kind.family == "word"
    assert found.parse(found.main).tag == "r"


def test_the_main_part_is_found_by_its_type_where_no_relationship_leads_to_it(build: Build) -> None:
    found = opened(build({"word/document.xml": "<r/>", "_rels/.rels": "<Relationships/>"}))
    assert found.main == "word/document.xml"


def test_a_package_without_a_main_part_is_refused(build: Build) -> None:
    with pytest.raises(SourceError, match="main part"):
        opened(build({"_rels/.rels": "<Relationships/>"}))


def test_a_package_of_another_family_is_refused(build: Build) -> None:
    with pytest.raises(SourceError, match="'word', not 'slides'"):
        opened(build({"word/document.xml": "<r/>"}), "slides")


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"%PDF-1.7", b"PK\x03\x04 cut short", b"PK\x05\x06" + bytes(18)]
)
def test_what_is_no_package_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError) as caught:
        opened(data)
    assert caught.value.code == "source_unreadable"


def test_relationships_lead_to_parts_and_out_of_the_package(build: Build) -> None:
    rels = [
        ("r1", "styles", "styles.xml"),
        ("r2", "image", "../media/a%20b.png"),
        ("r3", "slide", "/word/styles.xml#part"),
        ("r4", "hyperlink", "../../../../etc/passwd"),
        ("r5", "hyperlink", "https://example.org/a?b=c#d", "external"),
        ("r6", "http://purl.oclc.org/ooxml/officeDocument/relationships/comments", "comments.xml"),
    ]
    found = opened(
        build(
            {"word/document.xml": "<r/>", "word/styles.xml": "<s/>", "media/a b.png": b"x"},
            rels={"word/document.xml": rels},
        )
    )
    by_id = found.relationships("word/document.xml")
    assert {key: relation.part for key, relation in by_id.items()} == {
        "r1": "word/styles.xml",
        "r2": "media/a b.png",
        "r3": "word/styles.xml",
        "r4": "etc/passwd",
        "r5": None,
        "r6": "word/comments.xml",
    }
    assert by_id["r5"].target == "https://example.org/a?b=c#d"
    assert by_id["r6"].type == "comments"
    assert [relation.id for relation in found.related("word/document.xml", "styles", "comments")] == ["r1"]
    assert found.relationships("word/styles.xml") == {}


def test_a_part_that_is_related_many_times_is_related_once(build: Build) -> None:
    rels = [("r1", "comments", "notes.xml"), ("r2", "comments", "NOTES.xml"), ("r3", "comments", "more.xml")]
    parts = {"word/document.xml": "<r/>", "word/notes.xml": "<n/>", "word/more.xml": "<n/>"}
    found = opened(build(parts, rels={"word/document.xml": rels}))
    assert [relation.id for relation in found.related("word/document.xml", "comments")] == ["r1", "r3"]


def test_content_types_are_stated_by_name_or_by_extension(build: Build) -> None:
    found = opened(build({"word/document.xml": "<r/>"}))
    assert found.content_type("WORD/document.xml").endswith("document.main+xml")
    assert found.content_type("word/other.xml") == "application/xml"
    assert found.content_type("word/none.dat") == ""


def test_properties_are_those_the_document_states(build: Build) -> None:
    rels = {"": [("r1", "officeDocument", "word/document.xml"), ("r2", CORE, "docProps/core.xml")]}
    found = opened(build({"word/document.xml": "<r/>", "docProps/core.xml": PROPERTIES}, rels=rels))
    assert found.properties() == {"title": "年報", "author": "A. N."}


def test_a_doctype_in_the_properties_is_refused_and_damage_there_is_not(build: Build) -> None:
    rels = {"": [("r1", "officeDocument", "word/document.xml"), ("r2", CORE, "core.xml")]}
    damaged = opened(build({"word/document.xml": "<r/>", "core.xml": "<r>"}, rels=rels))
    assert damaged.properties() == {}
    hostile = opened(build({"word/document.xml": "<r/>", "core.xml": "<!DOCTYPE r><r/>"}, rels=rels))
    with pytest.raises(SourceError, match="DOCTYPE"):
        hostile.properties()


def test_embedded_documents_are_members_each_once(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    rels = [
        ("r1", "package", "embeddings/a.xlsx"),
        ("r2", "oleObject", "embeddings/b.bin"),
        ("r3", "package", "embeddings/A.xlsx"),
        ("r4", "image", "media/c.png"),
        ("r5", "package", "embeddings/missing.xlsx"),
        ("r6", "aFChunk", "%2e%2e/other.html"),
    ]
    parts = {
        "word/document.xml": "<r/>",
        "word/embeddings/a.xlsx": b"PK one",
        "word/embeddings/b.bin": bytes(5000),
        "word/media/c.png": b"x",
        "other.html": b"<p>",
    }
    found = opened(build(parts, rels={"word/document.xml": rels}))
    members = list(found.members("word/document.xml", "word/document.xml"))
    assert [(member.name, member.media_type, len(member.data)) for member in members] == [
        ("word/embeddings/a.xlsx", None, 6),
        ("word/embeddings/b.bin", "application/x-bin", 5000),
        ("other.html", None, 3),
    ]
    assert found.described("word/document.xml") == [
        {"name": "word/embeddings/a.xlsx", "size": 6},
        {"name": "word/embeddings/b.bin", "size": 5000, "media_type": "application/x-bin"},
        {"name": "other.html", "size": 3},
    ]
    monkeypatch.setattr(package, "MAX_MEMBER_BYTES", 1000)
    big = list(found.members("word/document.xml"))[1]
    assert big.data == b""
    assert big.reason is not None
    assert "1000 bytes" in big.reason
    monkeypatch.setattr(package, "MAX_MEMBERS", 1)
    *_, last = found.members("word/document.xml")
    assert last.reason == "more than 1 embedded documents"


def test_a_part_too_large_to_parse_whole_is_refused(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    found = opened(build({"word/document.xml": "<r>" + "x" * 5000 + "</r>"}))
    monkeypatch.setattr(package, "MAX_TREE_BYTES", 1000)
    with pytest.raises(InputTooLarge):
        found.parse(found.main)


def test_a_file_is_read_like_bytes_and_released(build: Build, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(build({"word/document.xml": "<r/>"}))
    found = Package(SourceContent.of_file(path), "word")
    assert found.parse(found.main).tag == "r"
    found.close()
    found.close()
    with pytest.raises(ValueError, match="closed"):
        found.read(found.main)


def test_importing_it_loads_no_parser() -> None:
    from indx_testkit.lazy import assert_light_import

    assert_light_import("indx_format_office")
