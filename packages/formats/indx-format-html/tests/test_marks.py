"""What is marked: titles, headings, links, captions, frames of the page, hidden parts."""

from __future__ import annotations

import pytest

from indx_format_html import HtmlDocument, read_html


def marked(document: HtmlDocument, role: str) -> list[str]:
    return [document.text[r.start : r.end] for r in document.roles if r.role == role]


def hidden(document: HtmlDocument) -> list[str]:
    return [document.text[start:end] for start, end in document.hidden]


def test_the_title_begins_the_text() -> None:
    document = read_html("<title> A  title </title><p>body")
    assert document.text == "A title\n\nbody"
    assert marked(document, "title") == ["A title"]
    assert document.metadata() == {"title": "A title", "encoding": "utf-8"}


def test_a_title_that_is_the_main_heading_too_stands_once() -> None:
    document = read_html("<title>Ducks</title><h1>Ducks</h1><p>body")
    assert document.text == "Ducks\n\nbody"
    assert document.title == "Ducks"


def test_a_title_can_be_left_out() -> None:
    assert read_html("<title>T</title>x", with_title=False).text == "x"


def test_headings_have_their_level_and_are_one_line() -> None:
    document = read_html(
        "<h1>A<br>B</h1><p>x<h3> C </h3><div role=heading aria-level=2>D</div><h2>&nbsp;</h2>"
    )
    found = [(document.text[h.start : h.end], h.level) for h in document.headings]
    assert found == [("A B", 1), ("C", 3), ("D", 2)]


def test_links_keep_their_targets_as_written() -> None:
    document = read_html(
        "<p>see <a href=' ../a%20b.html#x '>the page</a>, <a href='#top'><img alt=up></a><a name=n>n</a>"
    )
    found = [(document.text[one.start : one.end], one.target) for one in document.links]
    assert found == [("the page", "../a%20b.html#x"), ("up", "#top")]
    assert document.base is None
    assert "base" not in document.metadata()


def test_a_title_that_speaks_of_a_frame_keeps_its_words() -> None:
    document = read_html("<TITLE>The <iframe> tag</TITLE><p>x<iframe src=a><p>y")
    assert document.title == "The <iframe> tag"
    assert document.text.endswith("x\n\ny")


@pytest.mark.parametrize("base", ["", "<base href=https://example.org/>"])
def test_a_target_that_is_a_file_itself_ends_before_what_it_holds(base: str) -> None:
    document = read_html(f"{base}<a href=' DATA:image/png;base64,{'A' * 5000}'>as a picture</a>")
    assert [one.target for one in document.links] == ["DATA:image/png;base64"]


@pytest.mark.parametrize(
    ("base", "href", "target"),
    [
        ("https://example.com/a/", "b.html", "https://example.com/a/b.html"),
        ("../docs/", "b.html#x", "../docs/b.html#x"),
        ("https://example.com/", "mailto:a@b", "mailto:a@b"),
        ("https://example.com/", "http://[broken", "http://[broken"),
    ],
)
def test_a_base_is_joined_and_told(base: str, href: str, target: str) -> None:
    document = read_html(f"<base href='{base}'><a href='{href}'>x</a>")
    assert [link.target for link in document.links] == [target]
    assert document.metadata()["base"] == base


def test_a_link_without_text_is_kept_where_it_stands() -> None:
    document = read_html("<p>a</p><a href=x></a><p>b</p>")
    (link,) = document.links
    assert (link.start, link.end, link.target) == (1, 1, "x")


def test_image_texts_and_figure_captions_are_captions() -> None:
    document = read_html(
        "<figure><img src=x alt='A duck'><figcaption>Fig. 1</figcaption></figure>ab<img alt=pic>cd"
    )
    assert marked(document, "caption") == ["A duck", "Fig. 1", "pic"]
    assert document.text == "A duck\nFig. 1\n\nab pic cd"
    assert document.images == 2


def test_quotes_deleted_text_and_formulas_have_roles() -> None:
    document = read_html(
        "<blockquote>q<p>r</blockquote><p>was <del>old</del> <ins>new</ins>"
        "<p><math><mi>x</mi><mo>=</mo><mn>1</mn><annotation>x=1</annotation></math>"
    )
    assert marked(document, "quote") == ["q\n\nr"]
    assert marked(document, "deleted") == ["old"]
    assert marked(document, "formula") == ["x=1 x=1"]
    assert hidden(document) == ["x=1"]


def test_only_frames_of_the_page_are_header_and_footer() -> None:
    document = read_html(
        "<header>site</header><nav>menu</nav><main><article><header>by me</header>text<footer>note</footer>"
        "</article></main><aside>side</aside><div role=contentinfo>imprint</div><footer>end</footer>"
    )
    assert marked(document, "header") == ["site", "menu"]
    assert marked(document, "footer") == ["imprint", "end"]


def test_a_header_with_the_main_heading_is_content() -> None:
    assert marked(read_html("<header><h1>Title</h1>by me</header><p>x"), "header") == []


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>secret</p>",
        '<p style="color: red; DISPLAY : none">secret</p>',
        '<div style="visibility:hidden!important"><p>secret</div>',
        "<template><p>secret</p></template>",
        "<noscript>secret</noscript>",
        "<dialog>secret</dialog>",
        "<datalist><option>secret</datalist>",
        "<div hidden><p hidden>secret</p></div>",
        "<video>secret</video>",
    ],
)
def test_hidden_parts_are_read_and_marked(html: str) -> None:
    document = read_html(f"<p>seen</p>{html}<p>too</p>")
    assert hidden(document) == ["secret"]
    assert document.text.split() == ["seen", "secret", "too"]


@pytest.mark.parametrize(
    "html",
    [
        "<p aria-hidden=true>shown</p>",
        "<details>shown</details>",
        "<p hidden=until-found>shown</p>",
        "<div><template shadowrootmode=open><p>shown</p></template></div>",
        "<dialog open>shown</dialog>",
        '<p style="display:block; background:url(display:none.png)">shown</p>',
    ],
)
def test_what_a_browser_shows_is_not_marked_hidden(html: str) -> None:
    document = read_html(html)
    assert document.text == "shown"
    assert not document.hidden


def test_page_facts_are_metadata() -> None:
    document = read_html(
        '<html lang="ja"><head><meta name="Description" content=" About\n ducks "><title>T</title></head>'
    )
    assert document.metadata() == {
        "title": "T", "description": "About ducks", "language": "ja", "encoding": "utf-8"
    }  # fmt: skip


def test_an_empty_page_is_read_and_blank() -> None:
    reading = read_html("<html></html>").reading()
    assert (reading.text, reading.reason, list(reading.line_starts)) == ("", None, [])


def test_xhtml_is_read_by_the_rules_of_xml() -> None:
    xhtml = (
        '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">'
        '<head><script src="x.js"/><title/></head>'
        '<body><a id="top"/><p>a<br/>b</p><div/><p><![CDATA[x < y & z]]></p></body></html>'
    )
    document = read_html(xhtml)
    assert document.text == "a\nb\n\nx < y & z"


def test_frames_are_links_without_text() -> None:
    document = read_html("<frameset><frame src='a.html'><frame name=x></frameset>")
    assert [(document.text[link.start : link.end], link.target) for link in document.links] == [
        ("", "a.html")
    ]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<p>word<sup><a href='#n1'>1</a></sup>, on", "word 1, on"),
        ("<p>word<a href='c2.xhtml#n1'><sup>12</sup></a> on", "word 12 on"),
        ("<p>x<sup>2</sup> and CO<sub>2</sub>", "x2 and CO2"),
        ("<p>10<sup>6</sup>, 10<sup>-3</sup>, 10 <sup>6</sup>", "10^6, 10^-3, 10 6"),
        ("<p>word<a epub:type='noteref' href='#n1'>1</a> on", "word 1 on"),
        ("<p>in 2020<sup><a href='#n1'>1</a></sup>", "in 2020 1"),
        ("<p>the 5<sup><a href='/th'>th</a></sup>", "the 5th"),
        ("<p>see<a href='#n1'>here</a>", "seehere"),
    ],
)
def test_the_mark_of_a_note_is_no_part_of_the_word_before_it(written: str, read: str) -> None:
    assert read_html(written).text == read
