"""Pages inside a page, and words that stand for what is not shown."""

from html import escape

import pytest

from indx_core.errors import InputTooLarge
from indx_format_html import _guard, read_html


def frame(markup, more=""):
    return f'<iframe srcdoc="{escape(markup)}" src="x.html">{more}</iframe>'


def test_the_page_that_a_frame_holds_is_read_with_its_structure():
    inner = (
        "<title>T</title><style>.x{display:none}</style><h2>In</h2><p><a href='b.html'>link</a> &amp; more"
        "<table><tr><th>a<th>b<tr><td>1<td>2</table>"
    )
    document = read_html(f"<p>before{frame(inner, 'no frames here')}after")
    assert document.text == "before\n\nIn\n\nlink & more\n\na\tb\n1\t2\n\nafter"
    assert [link.target for link in document.links] == ["b.html"]
    assert [document.text[one.start : one.end] for one in document.headings] == ["In"]
    assert document.tables[0].header_rows == 1
    assert document.title is None or document.title != "In"
    assert not document.hidden


def test_an_empty_frame_is_nothing():
    assert read_html("<p>a<iframe src=x></iframe><iframe srcdoc=' '> </iframe>b").text == "ab"


def test_frames_in_frames_are_read_to_a_depth():
    markup = "<p>deep"
    for level in range(5):
        markup = f"<p>level {level}{frame(markup)}"
    document = read_html(markup)
    assert document.text == "level 4\n\nlevel 3\n\nlevel 2\n\nlevel 1"
    assert document.metadata()["frames_left_out"] == 1
    assert "frames_left_out" not in read_html(frame("<p>x")).metadata()


def test_frames_in_cells_and_between_them_lose_nothing():
    inner = frame("<p>one<p>two<table><tr><th>x<td>y</table>")
    document = read_html(f"<table><tr><th>h<td>{inner}<td>z</table>")
    assert [cell.text for cell in document.tables[0].cells] == ["h", "one\ntwo\nx\ty", "z"]
    between = read_html(f"<table><tr><th>h<td>b<template>t</template></tr>{frame('<p>q')}</table>")
    assert "q" in between.text


def test_tables_that_arrange_a_page_are_told_in_frames_too():
    inner = "<table><tr><td><h2>H</h2><td>side</table>"
    assert not read_html(frame(inner)).tables


def test_frames_count_tags_like_any_page(monkeypatch):
    monkeypatch.setattr(_guard, "MAX_TAGS", 1000)
    with pytest.raises(InputTooLarge):
        read_html(frame("<b>x" * 40_000))


def test_a_formula_without_signs_is_what_is_said_in_its_place():
    document = read_html(
        "<p>a <math alttext='x squared'><mspace/></math> b <math alttext='n'><mi>m</mi></math>"
    )
    assert document.text == "a x squared b m"
    formulas = [document.text[one.start : one.end] for one in document.roles if one.role == "formula"]
    assert formulas == ["x squared", "m"]


def test_labels_of_choices_are_text():
    document = read_html(
        "<select><optgroup label='Ducks'><option label='Teal'></option>"
        "<option label='no'>Eider</optgroup></select>"
    )
    assert document.text == "Ducks\nTeal\nEider"


def test_details_objects_and_descriptions_are_text():
    document = read_html(
        "<details><summary>More</summary><p>Inside</details><object data=a.pdf><p>Fallback</object>"
        "<svg><title>T</title><desc>D</desc></svg>"
    )
    assert document.text == "More\n\nInside\n\nFallback\n\nT D"


def test_what_style_sheets_and_tooltips_add_is_no_text():
    document = read_html(
        "<style>.n::before{content:'Note: '}</style><p class=n title='tip' aria-label='label'>text"
        "<input value=v placeholder=p>"
    )
    assert document.text == "text"


def test_very_many_frames_are_read_one_after_the_other():
    many = 3000
    document = read_html(frame("<table><tr><td>a<td>b<tr><td>c<td>d</table>") * many)
    assert len(document.tables) == many
    assert document.text.count("a\tb\nc\td") == many
