"""XML: text of elements, declared encodings, and no entity ever resolved."""

import pytest


@pytest.fixture
def xml(read):
    return lambda data: read(data, "application/xml")


def test_elements_are_lines_and_inline_elements_are_words(xml):
    page = xml("<a><p>Hello <b>big</b> world</p><c>x</c><d>y</d>\n  <e>\n    z\n  </e></a>")
    assert page.text == "Hello big world\nx\ny\nz"


def test_character_references_are_resolved(xml):
    assert xml("<a>Track &amp; Field &#65;&#x42;</a>").text == "Track & Field AB"


def test_the_declared_encoding_counts(xml):
    page = xml('<?xml version="1.0" encoding="Shift_JIS"?><a>日本語</a>'.encode("cp932"))
    assert page.text == "日本語"
    assert page.metadata == {"encoding": "shift_jis"}


def test_a_wide_file_is_read_whatever_it_declares(xml):
    assert xml('<?xml version="1.0" encoding="utf-8"?><a>ü</a>'.encode("utf-16")).text == "ü"


@pytest.mark.parametrize(
    "source",
    [
        '<!DOCTYPE a [<!ENTITY b "1234567890"><!ENTITY c "&b;&b;&b;">]><a>&c;</a>',
        '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
        "<a>never closed",
        "<a>&undeclared;</a>",
        '<config><add key="a" value="b"/><add key="c" value="d"/></config>',
    ],
    ids=["bomb", "external entity", "malformed", "undeclared", "attributes"],
)
def test_what_cannot_be_shown_as_text_is_shown_as_written(xml, source):
    page = xml(source)
    assert page.text == source
    assert page.metadata["xml"].startswith("shown as written")


def test_entities_of_an_external_definition_are_those_of_html_or_stay(xml):
    page = xml('<!DOCTYPE a SYSTEM "a.dtd"><a>caf&eacute; &other;</a>')
    assert page.text == "café &other;"


def test_depth_is_no_danger(xml):
    assert xml("<a>" * 100_000 + "text").metadata
    assert xml("<a>" * 3000 + "text " * 2000 + "</a>" * 3000).text.startswith("text text")
