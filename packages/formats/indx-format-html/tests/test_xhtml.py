"""XHTML in the notation of HTML."""

from __future__ import annotations

from indx_format_html import read_html

XHTML = "application/xhtml+xml"


def text(markup: str) -> str:
    return read_html(markup, media_type=XHTML).text


def test_elements_with_a_prefix_are_those_of_their_namespace() -> None:
    page = (
        '<h:html xmlns:h="http://www.w3.org/1999/xhtml" xmlns:o="urn:other">'
        "<h:head><h:style>p{}</h:style></h:head><h:body><h:p>one</h:p>"
        "<h:p>two <o:p>kept</o:p></h:p></h:body></h:html>"
    )
    assert text(page) == "one\n\ntwo kept"
    page = (
        '<p>so <m:math xmlns:m="http://www.w3.org/1998/Math/MathML"><m:mfrac><m:mi>a</m:mi><m:mi>b</m:mi></m:mfrac>'
        "</m:math> it is</p>"
    )
    assert text(page) == "so a/b it is"
    page = "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:style>.a{}</s:style><s:text>drawn</s:text></s:svg>"
    assert text(page) == "drawn"


def test_what_a_doctype_declares_is_no_text_and_its_entities_are() -> None:
    page = (
        '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "a" "b" [ <!ENTITY me "M&#69;"> \n'
        "<!ENTITY two '&me;&me;'>"
        '<!ENTITY % p "x"> ]>\n<html><body><p>&me; &two; &eacute; &other;</p></body></html>'
    )
    assert text(page) == "ME &two; é &other;"


def test_entities_of_a_page_do_not_make_it_large() -> None:
    page = f'<!DOCTYPE html [<!ENTITY a "{"x" * 200}">]><p>{"&a;" * 30_000}</p>'
    assert len(text(page)) < 20_000 * 200 + 10_000 * 3 + 10


def test_ampersands_in_declared_texts_are_written_twice() -> None:
    declared = '<!ENTITY lt "&#38;#60;"><!ENTITY amp "&#x26;#38;"><!ENTITY co "A &#38;#38; B">'
    assert text(f"<!DOCTYPE html [{declared}]><p>1 &lt; 2 &amp; &co;</p>") == "1 < 2 & A & B"


def test_brackets_in_what_a_doctype_declares_do_not_end_it() -> None:
    declared = "<!-- it's ] here --><!ENTITY one \"[1]\"><!ENTITY two '[\"2]'>"
    assert text(f"<!DOCTYPE html [{declared}]><p>&one; &two;</p>") == '[1] ["2]'


def test_names_of_texts_in_cdata_are_as_written() -> None:
    assert text('<!DOCTYPE html [<!ENTITY co "C">]><p>&co; <![CDATA[&co;]]></p>') == "C &co;"


def test_many_begins_of_cdata_without_an_end_are_looked_at_once() -> None:
    assert text("<p>a <![CDATA[b<]]> c" + "<![CDATA[" * 300_000) == "a b< c"
