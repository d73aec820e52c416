"""Texts joined to one page: every mark where its text now stands."""

from __future__ import annotations

from indx_format_html import read_html
from indx_format_html.joining import Joined
from indx_testkit.checks import assert_reading


def test_marks_stand_where_their_text_does() -> None:
    joined = Joined()
    joined.write("Subject", level=1)
    joined.add(read_html("<p> </p>"))
    table = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"
    joined.add(
        read_html(f'<h1>Head</h1><p><a href="x">link</a> <i style="display:none">no</i></p>{table}'), below=1
    )
    page = joined.reading(1, metadata={"a": 1})
    assert_reading(page)
    assert [(page.text[h.start : h.end], h.level) for h in page.headings] == [("Subject", 1), ("Head", 2)]
    assert [page.text[x.start : x.end] for x in page.links] == ["link"]
    assert [page.text[start:end] for start, end in page.hidden] == ["no"]
    assert [page.text[c.start : c.end] for c in page.tables[0].cells] == ["a", "b", "c", "d"]
    assert page.metadata == {"a": 1}


def test_readings_of_words_come_along_each_pair_once() -> None:
    word = "<ruby>{}<rt>{}</rt></ruby>"
    joined = Joined()
    joined.add(read_html(word.format("漢字", "かんじ")))
    joined.add(read_html(word.format("漢字", "かんじ") + word.format("生", "なま")).reading())
    page = joined.reading(1, metadata={"a": 1})
    assert page.text == "漢字\n\n漢字生"
    assert page.metadata == {
        "a": 1,
        "ruby": [{"base": "漢字", "reading": "かんじ"}, {"base": "生", "reading": "なま"}],
    }
