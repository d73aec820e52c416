"""Text in document order: white space, blocks, lists, preformatted parts, ruby."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_format_html import read_html


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p> a \n\t b </p>", "a b"),
        ("<p>a<b> b</b> c</p>", "a b c"),
        ("<p>a<b>b</b></p>", "ab"),
        ("<p>Yes&nbsp;&nbsp;No</p><p>&nbsp;</p><p>x</p>", "Yes No\n\nx"),
        ("<p>a<br>b<br><br><br>c</p>", "a\nb\n\nc"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<p>a</p><p>b</p>", "a\n\nb"),
        ("<div><div><p>a</p></div></div>b", "a\n\nb"),
        ("a<hr>b", "a\n\nb"),
        ("<p>&lt;b&gt; &amp;amp; &eacute; &#x65e5;&#26412;</p>", "<b> &amp; é 日本"),
        ("a<!-- hidden -->b", "ab"),
        ("<dl><dt>term<dd>meaning</dl>", "term\nmeaning"),
        ("<p>she said <q>yes</q>.", "she said “yes”."),
        ("<button>Save</button><button>Cancel</button>", "Save Cancel"),
        ("<select><option>one<option>two</select>", "one\ntwo"),
        ("<details><summary>More</summary>inside</details>", "More\ninside"),
        ("<a href=/a>Home</a><a href=/b>About</a>", "Home About"),
        ("<sup><a href=#1>[1]</a></sup><sup><a href=#2>[2]</a></sup>", "[1][2]"),
        ("", ""),
    ],
)
def test_white_space_and_blocks(html: str, text: str) -> None:
    assert read_html(html).text == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ul><li><p>a</p><p>b</p></ul>", "- a\n\nb"),
        ("<ul><li>a<ol><li>x<li>y</ol><li>b</ul>", "- a\n  1. x\n  2. y\n- b"),
        ("<ol start=3><li>a<li value=9>b<li>c</ol>", "3. a\n9. b\n10. c"),
        ("<ol reversed start=2><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol reversed><li>a<li>b<ol reversed><li>x</ol></ol>", "2. a\n1. b\n  1. x"),
        ("<ul><li><input type=checkbox checked> a<li><p><input type=checkbox>b</ul>", "- [x] a\n\n- [ ] b"),
        ("<ul><li><label><input type=CheckBox disabled />a</label></ul>", "- [ ] a"),
        ("<input type=checkbox>a<ul><li><div><input type=checkbox>b</div></ul>", "a\n\n- b"),
        (
            "<ul><li>Accept terms <input type=checkbox><li><input type=checkbox>a<input type=checkbox>b</ul>",
            "- Accept terms\n- [ ] a b",
        ),
        (
            "<ul><li><label>Accept <input type=checkbox></label><li><b>A</b><p><input type=checkbox>b</ul>",
            "- Accept\n- A\n\nb",
        ),
        ("<ul><li> <!-- c --><a id=x></a><input type=hidden> <input type=checkbox> a</ul>", "- [ ] a"),
        ("<ul><li><input type=radio><input type=checkbox> a</ul>", "- a"),
        ("<ul><li><input type=checkbox hidden>a<li><input type=radio>b</ul>", "- a\n- b"),
        ("<ol type=a start=26><li>z<li>next</ol>", "z. z\naa. next"),
        ("<ol type=I start=4><li>a</ol>", "IV. a"),
        ("<ul><li></li><li>b</ul>", "- b"),
    ],
)
def test_list_items_begin_with_their_mark(html: str, text: str) -> None:
    assert read_html(html).text == text


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("\n<task-button></task-button>", ""),
        ("<i class='fa fa-x'></i><img src=a><img src=a alt=' '><br><div><b></b></div>", ""),
        ("<script>x()</script><style>x</style>", ""),
        ("<template>Drag</template>", "Drag "),
        ("<span>\u200b</span>&#8203;&shy;&nbsp;", ""),
        ("<span hidden>Drag</span>", "Drag "),
        ("<button style='display: none'><b>Drag</b></button><i class=off>it</i>", "Drag it "),
        ("<input type=checkbox hidden><select hidden></select>", ""),
    ],
)
def test_a_task_begins_with_its_box_where_nothing_before_it_is_seen(before: str, text: str) -> None:
    for item in (
        f"{before}<input type=checkbox checked> one",
        f"<p>{before}<input type=checkbox checked> one",
        f"<p>{before}<label><input type=checkbox checked></label> one",
    ):
        page = read_html(f"<style>.off {{ display: none }}</style><ul><li>{item}</ul>")
        assert page.text == f"- {text}[x] one"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("<div><i></i><b>A</b></div>", "A\n"),
        ("<button>Drag</button>", "Drag "),
        ("<img src=a alt=Sure>", "Sure "),
        ("<input>", ""),
        ("<span><select></select></span>", ""),
        ("<textarea></textarea>", ""),
        ("<i></i>" * 1000, ""),
    ],
)
def test_a_box_behind_what_is_seen_is_no_task(before: str, text: str) -> None:
    assert read_html(f"<ul><li>{before}<input type=checkbox checked> one</ul>").text == f"- {text}one"


@pytest.mark.parametrize(
    ("behind", "text"),
    [
        ("<p>one</p><p>two</p>", "- [x] one\n\ntwo"),
        ("<span></span></label><div><p>one</p></div>", "- [x] one"),
        ("<pre>\none</pre>", "- [x] one"),
        ("<br> one", "- [x] one"),
        ("<ul><li>one</ul>two", "- [x]\n  - one\ntwo"),
        ("<table><tr><td>one<td>two</table>", "- [x]\n\none\ttwo"),
        ("<li>one", "- [x]\n- one"),
        ("</ul>one", "- [x]\n\none"),
    ],
)
def test_a_task_follows_its_box_in_one_line_whatever_block_it_is_in(behind: str, text: str) -> None:
    assert read_html(f"<ul><li><label><input type=checkbox checked>{behind}").text == text


def test_a_box_in_labels_within_labels_is_no_task() -> None:
    assert read_html("<ul><li>" + "<label>" * 3 + "<input type=checkbox checked> one</ul>").text == "- one"


def test_preformatted_text_keeps_its_lines_and_is_code() -> None:
    document = read_html("<p>see</p><pre>\ndef f():\n    return 1\n\n\n# end\n</pre><p>after</p>")
    assert document.text == "see\n\ndef f():\n    return 1\n\n\n# end\n\nafter"
    (role,) = document.roles
    assert (document.text[role.start : role.end], role.role) == ("def f():\n    return 1\n\n\n# end", "code")


def test_carriage_returns_written_as_entities_are_line_breaks() -> None:
    assert read_html("<pre>a&#13;&#10;b&#13;c</pre>").text == "a\nb\nc"


def test_a_style_that_keeps_lines_keeps_them() -> None:
    assert read_html('<div style="white-space: pre-wrap">a\n  b</div>').text == "a\n  b"


@pytest.mark.parametrize(
    ("html", "pairs"),
    [
        ("<ruby>漢字<rt>かんじ</rt></ruby>です", [("漢字", "かんじ")]),
        ("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>です", [("漢字", "かんじ")]),
        ("<ruby><rb>漢</rb><rb>字</rb><rtc><rt>かん</rt><rt>じ</rt></rtc></ruby>です", [("漢字", "かんじ")]),
        ("<ruby>漢字<rtc>かんじ</rtc></ruby>です", [("漢字", "かんじ")]),
        ("<ruby>\n 漢字\n <rt>かん じ</rt>\n</ruby>です", [("漢字", "かんじ")]),
        ("<ruby>漢字<rt></rt></ruby>です", []),
        ("<ruby><b>漢</b>字<rt><i>kan</i></rt><rt>ji</rt></ruby>です", [("漢字", "kan ji")]),
        (
            "<ruby><ruby>漢字<rt>かんじ</rt></ruby><rt>sign</rt></ruby>です",
            [("漢字", "かんじ"), ("漢字", "sign")],
        ),
    ],
)
def test_ruby_keeps_the_base_whole_and_its_reading_apart(html: str, pairs: list[tuple[str, str]]) -> None:
    document = read_html(html)
    assert document.text.replace(" ", "") == "漢字です"
    assert list(document.ruby) == pairs
    assert document.metadata().get("ruby", []) == [{"base": base, "reading": read} for base, read in pairs]


def test_a_word_keeps_each_of_its_readings_once_and_those_past_the_bound_are_counted() -> None:
    words = "<ruby>生<rt>なま</rt></ruby><ruby>生<rt>い</rt></ruby><ruby>生<rt>なま</rt></ruby>"
    assert list(read_html(words).ruby) == [("生", "なま"), ("生", "い")]
    many = read_html("".join(f"<ruby>{number}<rt>r</rt></ruby> " for number in range(2005)))
    assert (len(many.ruby), many.metadata()["more_ruby"]) == (2000, 5)


def test_ruby_in_cells_and_headings_leaves_them_whole() -> None:
    word = "<ruby>漢字<rt>かんじ</rt></ruby>"
    document = read_html(f"<h1>第一{word}章</h1><table><tr><th>{word}表<td>b<tr><td>{word}<td>c</table>")
    assert [document.text[h.start : h.end] for h in document.headings] == ["第一漢字章"]
    assert [cell.text for cell in document.tables[0].cells] == ["漢字表", "b", "漢字", "c"]
    assert list(document.ruby) == [("漢字", "かんじ")]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>長い文を折\n  り返す。\r\n「はい」</p>", "長い文を折り返す。「はい」"),
        ("<p>太<b>字\n</b>の<i>\n文</i>\n\n<a>と</a>", "太字の文と"),
        ("<p>文<b>\n</b> <i>文</i>", "文文"),
        ("<p><button>送信</button>\n文", "送信 文"),
        ("<td>半角ﾃﾞ\nｰﾀ", "半角ﾃﾞｰﾀ"),
        ("<p>日本 語 <b> 文</b>", "日本 語 文"),
        ("<p>see 日本\nin Asia\n日本", "see 日本 in Asia 日本"),
        ("<p>한국\n말 long\nline", "한국 말 long line"),
        ("<button>送信</button>\n<button>取消</button>", "送信 取消"),
        ("<pre>一\n二</pre>", "一\n二"),
    ],
)
def test_where_a_line_of_the_source_ends_there_is_no_space_in_scripts_without_spaces(
    html: str, text: str
) -> None:
    assert read_html(html).text == text


@pytest.mark.parametrize("page", [str, lambda body: "<!-- long -->" + "<p></p>" * 6000 + body])
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a<iframe src=x title=y/><p>b <iframe src=z/>c", "a\n\nb c"),
        ("<p>a<iframe src=x><p>b", "a\n\nb"),
        ("<title/><p>a<script src='x'/><p>b<style\n/>c", "a\n\nbc"),
        ("<script>x</script><textarea name=t />a", "a"),
        ("<p>a<iframe src=x>old</IFRAME>b", "ab"),
        ("<p>a<iframe src=x/>old</iframe>b", "ab"),
        ("<p>a<script>x", "a"),
    ],
)
def test_an_element_without_its_end_tag_does_not_swallow_the_page(
    page: Callable[[str], str], html: str, text: str
) -> None:
    assert read_html(page(html)).text == text


def test_what_a_browser_shows_nothing_for_parts_no_word() -> None:
    assert read_html("Donau&shy;dampf&#8203;schiff a&#1;b c&#11;d e&#xFEFF;f g&#127;h").text == (
        "Donaudampfschiff ab cd ef gh"
    )
    document = read_html("<pre>Donau&shy;dampf\n&#27;x</pre>&#1;")
    assert (document.text, document.metadata()["control_characters"]) == ("Donaudampf\nx", 2)
    assert read_html("<p>wo<wbr>rd").text == "word"
    assert read_html("<p>a&#12;b&#13;c&#9;d&#10;e").text == "a b c d e"


@pytest.mark.parametrize(
    "leak",
    [
        "<script>leak()</script>",
        "<style>.leak{}</style>",
        "<svg><style>.leak{}</style><script>leak()</script></svg>",
        "<iframe><p>leak</iframe>",
        "<noframes><p>leak</noframes>",
        "<noembed>leak</noembed>",
        '<meta name="x" content="leak">',
        '<input type="hidden" value="leak">',
        "<!-- leak -->",
        "<![CDATA[leak]]>",
        "<?php leak ?>",
    ],
)
def test_what_is_no_text_never_shows(leak: str) -> None:
    assert read_html(f"<p>a</p>{leak}<p>b</p>").text == "a\n\nb"


def test_words_in_a_drawing_are_text_and_its_title_a_caption() -> None:
    document = read_html("<p>x</p><svg><title>Chart</title><text>north</text><text>south</text></svg>")
    assert document.text == "x\n\nChart north south"
    assert [document.text[r.start : r.end] for r in document.roles if r.role == "caption"] == ["Chart"]


def test_nul_and_surrogates_become_replacement_characters_and_are_counted() -> None:
    document = read_html("a\x00b\ud800c")
    assert document.text == "a\ufffdb\ufffdc"
    assert document.metadata()["replacement_characters"] == 2
    assert document.reading().confidence == 0.6
