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
