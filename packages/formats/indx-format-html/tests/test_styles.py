"""What the style sheets of a page hide, and what they show as blocks."""

from __future__ import annotations

import pytest

from indx_format_html import HtmlDocument, read_html, reduced
from indx_format_html._styles import MAX_RULES_PER_NAME


def hidden(document: HtmlDocument) -> list[str]:
    return [document.text[start:end] for start, end in document.hidden]


def styled(sheet: str, html: str, *, attributes: str = "") -> HtmlDocument:
    return read_html(f"<html><head><style{attributes}>{sheet}</style></head><body>{html}<p>shown</p></body>")


@pytest.mark.parametrize(
    ("sheet", "html"),
    [
        (".x{display:none}", "<p class='a x b'>secret</p>"),
        ("#y { visibility : hidden }", "<div id=y><p>secret</div>"),
        ("aside, .z {color: red; DISPLAY: None !important;}", "<aside>secret</aside>"),
        ("p.a.b#c{visibility:collapse}", "<p class='b a' id=c>secret</p>"),
        ("/* a{} */ .x{/* b */display:none}", "<span class=x>secret</span>"),
        ("<!-- .x{display:none} -->", "<p class=x>secret</p>"),
        ("@media screen{.x{display:none}}", "<p class=x>secret</p>"),
        ("@import 'a.css'; @charset \"x\"; .x{display:none}", "<p class=x>secret</p>"),
        (".x{content:'}'; display:none}", "<p class=x>secret</p>"),
        (".y{content:'}\n} .x{display:none}", "<p class=x>secret</p>"),
        (".md\\:x{display:none}", "<p class='md:x'>secret</p>"),
        (".x{display:none", "<p>a</p>"),  # cut short: nothing is hidden, nothing breaks
        (".x{display:block} .x{display:none}", "<p class=x>secret</p>"),
        ("p.x{display:none} .x{display:block}", "<p class=x>secret</p>"),
        (".x{display:none!important} #y{display:block}", "<p class=x id=y style='display:block'>secret</p>"),
    ],
)
def test_what_a_sheet_hides_is_read_and_marked(sheet: str, html: str) -> None:
    document = styled(sheet, html)
    assert hidden(document) == (["secret"] if "secret" in html else [])
    assert "shown" in document.text


@pytest.mark.parametrize(
    ("sheet", "html"),
    [
        ("@media print{.x{display:none}}", "<p class=x>seen</p>"),
        ("@media (max-width: 600px){.x{display:none}}", "<p class=x>seen</p>"),
        (".x{display:none} @media (min-width: 600px){.x{display:block}}", "<p class=x>seen</p>"),
        (".x{display:none} .x{display:block}", "<p class=x>seen</p>"),
        (".x{display:none} p.x{display:flex}", "<p class=x>seen</p>"),
        (".x{display:none}", "<p class=x style='display:block'>seen</p>"),
        (
            ".x .y{display:none} .x:hover{display:none} .x>p{display:none}",
            "<div class=x><p class=y>seen</div>",
        ),
        (".x.y{display:none}", "<p class=x>seen</p>"),
        (".X{display:none}", "<p class=x>seen</p>"),
        ("@keyframes k{from{visibility:hidden}to{visibility:visible}}", "<p>seen</p>"),
        ("body{display:none!important} html{visibility:hidden}", "<p>seen</p>"),
        ("*{display:none}", "<p>seen</p>"),
        ("}} @media{ .x{", "<p class=x>seen</p>"),
    ],
)
def test_what_a_sheet_may_show_is_not_marked(sheet: str, html: str) -> None:
    assert not styled(sheet, html).hidden


def test_sheets_that_do_not_hold_on_a_screen_are_passed_over() -> None:
    assert not styled("p{display:none}", "<p>a</p>", attributes=" media=print").hidden
    assert not read_html("<noscript><style>p{display:none}</style></noscript><p>a").hidden
    assert not read_html("<template><style>p{display:none}</style></template><p>a").hidden


def test_what_is_shown_as_a_block_is_a_line() -> None:
    assert (
        read_html("<span style='display:block'>one</span><span style='display: flex'>two</span>").text
        == "one\ntwo"
    )
    assert styled(".l{display:block}", "<b class=l>one</b><b class=l>two</b>").text == "one\ntwo\n\nshown"
    assert styled("td,tr,table{display:block}", "<table><tr><td>a<td>b</table>").text == "a\tb\n\nshown"


def test_very_many_rules_for_one_name_end() -> None:
    rules = "".join(f".c{number}.x{{display:none}}" for number in range(20_000))
    names = " ".join(f"c{number}" for number in range(200))
    document = styled(".x{display:none}" + rules, f"<i class='x {names}'>secret</i>" * 200)
    assert hidden(document) == ["secret"] * 200
    late = MAX_RULES_PER_NAME + 1
    assert not styled(rules, f"<p class='x c{late}'>past the bound</p>").hidden
    assert hidden(styled(rules, "<p class='x c1'>secret</p>")) == ["secret"]


def test_sheets_that_stand_beside_the_page_count_in_their_order() -> None:
    sheets = {"a.css": ".x{display:none}", "b.css": ".y{display:none}"}
    page = (
        "<link rel=stylesheet href=a.css><link rel='alternate stylesheet' href=b.css>"
        "<link rel=icon href=b.css>"
        "<link rel=StyleSheet href=gone.css><link rel=stylesheet media=print href=b.css>{}"
        "<p class=x>secret</p><p class=y>shown</p>"
    )
    assert hidden(read_html(page.format(""), linked=sheets.get)) == ["secret"]
    assert not read_html(page.format("<style>.x{display:block}</style>"), linked=sheets.get).hidden
    assert not read_html(page.format("")).hidden


def test_a_reduced_sheet_shows_and_hides_alike() -> None:
    sheet = (
        "@charset 'x'; p{color:red} .x, .y{display:none;color:blue} @media(min-width:9px){.y{display:block}"
        ".z{display:none}} @media print{.w{display:none}} @font-face{src:url(x)}"
    )
    small = reduced(sheet)
    assert "color:red" not in small
    html = "".join(f"<p class={name}>{name}</p>" for name in "xyzw")
    assert hidden(styled(small, html)) == hidden(styled(sheet, html)) == ["x"]


def test_boxes_side_by_side_are_words_apart() -> None:
    row = "<span>Name</span><b>Value</b>"
    assert read_html(f"<div style='display:flex'>{row}</div><p>Na<b>me</b>").text == "Name Value\n\nName"
    assert styled(".g{display:inline-grid}", f"<div class=g>{row}</div>").text == "Name Value\n\nshown"
    assert read_html(f"<div style='display:flex'><span>{row}</span></div>").text == "NameValue"
    assert read_html(f"go <a style='display:inline-flex'>{row}</a> on").text == "go Name Value on"


def test_sheets_and_classes_however_odd_are_gone_over_once() -> None:
    many = 60_000
    rules = "".join(f".a{number}{{display:none}}" for number in range(many))
    names = " ".join(f"a{number}" for number in range(many))
    assert hidden(styled(rules, f"<p class='{names}'>secret</p>")) == ["secret"]
    assert not styled("{" * 2 * many + ".x{display:none}" * many, "<p class=y>x</p>").hidden
    quote = '.y{content:"' + '\\"' * many + "\n} .x{display:none}"
    assert hidden(styled(quote, "<p class=x>secret</p>")) == ["secret"]


def test_the_large_first_letter_of_a_word_is_part_of_it() -> None:
    sheet = ".cap { display: block; float: left }"
    assert styled(sheet, "<p><span class=cap>E</span>xercise.</p>").text == "Exercise.\n\nshown"
    assert styled(sheet, "<p><b class=cap>“O</b>nce</p>").text == "“Once\n\nshown"
    apart = "<p><i class=cap>E</i> one</p><p><i class=cap>E</i>One</p><p><i class=cap>Head</i>line</p>"
    assert styled(sheet, apart).text == "E\none\n\nE\nOne\n\nHead\nline\n\nshown"
