"""Hostile markup: deep, long, endless. All of it ends, and the text stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from indx_core.errors import InputTooLarge
from indx_format_html import _guard, read_html
from indx_testkit.checks import assert_reading

MANY = 100_000


@pytest.mark.parametrize(
    "unit",
    [
        "<div>",
        "<div><p>",
        "<ul><li>",
        "<b>",
        "<span>",
        "<table><tr><td>",
        "<svg><g>",
        "<svg><title><div>",
        "<blockquote>",
        "<template>",
        "<form><div></form>",
        "<div><table></div></table>",
        "<b><div></b>",
        "<object><a>",
        "<tr><div>",
        "<option><x>",
        "<dt><ul>",
        "<math><caption><thead>",
        "<svg><input>",
        "<x><svg/>",
        "<b><math>",
    ],
)
def test_endless_nesting_is_read(unit: str) -> None:
    document = read_html("<p>before</p>" + unit * MANY + "word")
    assert document.text.startswith("before")
    assert "word" in document.text or unit.startswith("<svg>")
    html = _guard.bounded(unit * 10_000)
    root = LexborHTMLParser(html).root
    assert root is not None
    assert depth(max(root.traverse(include_text=False), key=depth)) < 4 * _guard.MAX_DEPTH


def test_open_formatting_does_not_multiply() -> None:
    document = read_html("".join(f"<p><font color={number}>x" for number in range(20_000)))
    assert document.text.count("x") == 20_000


def test_a_tag_with_endless_attributes_is_read() -> None:
    attributes = " ".join(f"a{number}" for number in range(MANY))
    assert read_html(f"<p {attributes}>word").text == "word"


@pytest.mark.parametrize(
    "data", ["<" * MANY, "<!--" * MANY, '<a b="' * MANY, "<![CDATA[" * MANY, "</" * MANY, "&" * MANY]
)
def test_unfinished_markup_ends(data: str) -> None:
    read_html("<p>word</p>" + data)


def test_too_many_tags_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_guard, "MAX_TAGS", 10)
    with pytest.raises(InputTooLarge, match="11 tags, at most 10"):
        read_html("<br>" * 11)


def test_ordinary_pages_pass_as_they_are() -> None:
    unclosed = "<table>" + "<tr><td><font color=red>cell<td><p>more<li>item" * 3000 + "</table>"
    page = f"<html><body><ul>{'<li><p>one' * 2000}</ul>{unclosed}<script>if (a<b) '</div>'</script></body>"
    kept = _guard.bounded(page)
    assert kept.replace("<font color=red>", "") == page.replace("<font color=red>", "")


NAMES = "div p b i a font span table tr td th tbody thead caption ul li dl dd h1 h2 form button select"
NAMES += " option optgroup svg g title math mi annotation-xml desc template object center pre script style"
NAMES += " textarea noscript menu br img"
tag = st.builds("<{}{}>".format, st.sampled_from(["", "", "", "/"]), st.sampled_from(NAMES.split()))
piece = tag | st.sampled_from(["x", "<!-- y -->", "<![CDATA[z]]>", "<svg/>", "<g/>", "<font size=1>"])
again = st.builds(lambda pieces, times: pieces * times, st.lists(piece, max_size=4), st.integers(2, 25))
soup = (st.lists(piece, max_size=80) | st.builds(list.__add__, st.lists(piece, max_size=4), again)).map(
    "".join
)


@given(soup)
def test_what_the_parser_has_open_never_outgrows_the_guard(html: str) -> None:
    caps = {"MAX_DEPTH": 6, "MAX_FORMATTING": 2, "_SHORT": 0}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in caps.items():
            patch.setattr(_guard, name, value)
        bounded = _guard.bounded("<!doctype html>" + html)
    root = LexborHTMLParser(bounded).root
    assert root is not None
    deepest = max(depth(node) for node in root.traverse(include_text=False))
    # html and body; per open element a row group and a row it implies; formatting and one link.
    assert deepest <= 2 + 3 * caps["MAX_DEPTH"] + caps["MAX_FORMATTING"] + 1


def depth(node: object) -> int:
    count = 0
    while (node := node.parent) is not None:  # type: ignore[attr-defined]
        count += 1
    return count


@given(soup)
def test_any_markup_gives_a_reading_that_holds_every_rule(html: str) -> None:
    reading = read_html(html).reading()
    assert_reading(reading)
    assert read_html(html).text == reading.text


@given(soup)
def test_no_word_is_lost_or_doubled(html: str) -> None:
    marked, words = "", []
    for position, piece in enumerate(html.split("x")):
        words.append(f"w{position}w")
        marked += (words[-2] if position else "") + piece
    shown = LexborHTMLParser(marked)
    for node in shown.css("script, style, template, title, iframe"):
        node.decompose()
    expected = [word for word in words if word in shown.text()]
    text = read_html(marked).text
    for word in expected:
        assert text.count(word) == 1, word
