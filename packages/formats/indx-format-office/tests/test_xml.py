"""Parsing parts: nothing hostile gets through, and strict files read like others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from indx_core.errors import SourceError
from indx_format_office._xml import iterate, parse
from indx_format_office.names import R, W

DOCTYPES = {
    "plain": '<!DOCTYPE r [<!ENTITY a "boom">]><r>&a;</r>',
    "external": '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><r/>',
    "after a comment": "<?xml version='1.0'?><!-- <r> --><?pi x?>\n<!DOCTYPE r><r/>",
    "far into the part": "<!--" + "x" * 200_000 + "--><!DOCTYPE r><r><x/></r>",
}
STRICT = (
    '<w:document xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main" '
    "xmlns:r='http://purl.oclc.org/ooxml/officeDocument/relationships'><w:p r:id='rId1'/></w:document>"
)


def streamed(data: bytes) -> Iterator[object]:
    pieces = (data[start : start + 1000] for start in range(0, len(data), 1000))
    return iterate(pieces, "part.xml", "x", "r")


@pytest.mark.parametrize("text", DOCTYPES.values(), ids=DOCTYPES.keys())
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("read", [lambda data: parse(data, "part.xml"), lambda data: list(streamed(data))])
def test_any_doctype_is_refused_in_any_encoding(
    text: str, encoding: str, read: Callable[[bytes], object]
) -> None:
    with pytest.raises(SourceError, match="DOCTYPE") as caught:
        read(text.encode(encoding))
    assert caught.value.code == "source_unreadable"
    assert "'part.xml'" in caught.value.message


def test_a_doctype_hidden_in_another_encoding_is_refused() -> None:
    hidden = b'<?xml version="1.0" encoding="UTF-7"?>' + b"+ADwAIQ-DOCTYPE r+AD4APA-r/+AD4-"
    with pytest.raises(SourceError):
        parse(hidden, "part.xml")


def test_the_word_doctype_in_text_is_only_a_word() -> None:
    assert parse(b"<r>&lt;!DOCTYPE x&gt;<![CDATA[<!DOCTYPE y>]]></r>", "p").text == "<!DOCTYPE x><!DOCTYPE y>"


def test_undeclared_entities_are_refused() -> None:
    with pytest.raises(SourceError, match="not well-formed"):
        parse(b"<r>&nobody;</r>", "part.xml")


@pytest.mark.parametrize("attribute", ['n:b="1"', 'xml:id=""', 'xml:id="i"'])
def test_a_fault_of_a_name_alone_leaves_what_is_written(attribute: str) -> None:
    root = parse(f'<r xml:id="i"><x a="2" {attribute}>said<n:y/> and</x> done</r>'.encode(), "part.xml")
    assert "".join(root.itertext()) == "said and done"
    assert [child.get("a") for child in root.iter("x")] == ["2"]


@pytest.mark.parametrize(
    "data", [b"<n:r>&nobody;</n:r>", b"<n:r><!-- -- --></n:r>", b"<n:r><x></n:r>", b"<n:r>"]
)
def test_a_fault_of_a_name_covers_no_other(data: bytes) -> None:
    with pytest.raises(SourceError, match="not well-formed"):
        parse(data, "part.xml")


@pytest.mark.parametrize("data", [b"", b"no xml", b"<r>", b"<r></s>", b"\xff\xfe", b"<r>\xff</r>"])
def test_what_is_not_well_formed_is_refused(data: bytes) -> None:
    with pytest.raises(SourceError, match=r"'part\.xml'"):
        parse(data, "part.xml")
    with pytest.raises(SourceError, match=r"'part\.xml'"):
        list(iterate([data], "part.xml", "x"))


@pytest.mark.parametrize("read", [lambda data: parse(data, "part.xml"), lambda data: list(streamed(data))])
def test_depth_is_bounded(read: Callable[[bytes], object]) -> None:
    with pytest.raises(SourceError, match="deeper than is read"):
        read(b"<r>" * 5000 + b"</r>" * 5000)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_strict_names_are_read_as_transitional_ones(encoding: str) -> None:
    root = parse(STRICT.encode(encoding), "part.xml")
    assert root.tag == W + "document"
    assert root[0].get(R + "id") == "rId1"
    (found,) = [each.get(R + "id") for each in iterate([STRICT.encode(encoding)], "part.xml", W + "p")]
    assert found == "rId1"


def test_comments_and_instructions_are_gone() -> None:
    root = parse(b"<r><!-- c --><?pi x?><x/></r>", "part.xml")
    assert [child.tag for child in root] == ["x"]


def test_elements_are_handed_over_one_by_one_and_forgotten() -> None:
    data = b"<r>" + b"".join(b"<x n='%d'><y/></x>" % number for number in range(2000)) + b"</r>"
    pieces = (data[start : start + 100] for start in range(0, len(data), 100))
    numbers = []
    before = None
    for element in iterate(pieces, "part.xml", "x"):
        numbers.append(element.get("n"))
        assert len(element) == 1
        assert before is None or len(before) == 0
        before = element
    assert numbers == [str(number) for number in range(2000)]
