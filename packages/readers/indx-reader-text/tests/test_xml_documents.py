"""XML of articles, manuals and feeds: sentences, formulas, code, tables as their vocabularies write them."""

import pytest

MATH = 'xmlns:mml="http://www.w3.org/1998/Math/MathML"'
HALF = "<mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mn>2</mml:mn></mml:mfrac></mml:math>"


@pytest.fixture
def xml(read):
    return lambda data: read(data, "application/xml")


def article(body):
    return f'<article dtd-version="1.3" {MATH}><body>{body}</body></article>'


def test_a_formula_stands_on_one_line_in_its_sentence(xml):
    page = xml(
        article(
            f"<p>so <inline-formula>\n{HALF}\n</inline-formula> holds</p><disp-formula>{HALF}</disp-formula>"
        )
    )
    assert [" ".join(line.split()) for line in page.text.split("\n")] == ["so a/2 holds", "a/2"]


def test_a_formula_written_in_two_ways_is_text_once(xml):
    form = "<tex-math>\\documentclass{minimal} \\begin{document} $$\\frac{a}{2}$$ \\end{document}</tex-math>"
    both = f"<disp-formula><alternatives>{form}{HALF}</alternatives></disp-formula>"
    alone = f"<disp-formula><alternatives>{form}<graphic/></alternatives></disp-formula>"
    assert xml(article(f"<p>x</p>{both}{alone}<p>y {form}</p>")).text.split("\n") == [
        "x", "a/2", "$$\\frac{a}{2}$$", "y $$\\frac{a}{2}$$",
    ]  # fmt: skip


def test_lines_of_a_source_are_no_lines_of_a_paragraph_in_documents(xml):
    assert xml(article("<p>one\n   <b>two</b>\n three</p><p>日本\n  語</p>")).text == "one two three\n日本語"
    assert xml("<data><p>one\n two</p></data>").text == "one\ntwo"


def test_the_mark_of_a_note_is_no_part_of_the_word_before_it(xml):
    page = xml(
        article('<p>word<xref ref-type="fn" rid="f">1</xref>, (<xref ref-type="bibr" rid="b">2</xref>)</p>')
    )
    assert page.text == "word 1, (2)"


def test_a_number_raised_behind_a_number_is_set_off(xml):
    assert xml(
        article("<p>10<sup>6</sup> m<sup>2</sup> CO<sub>2</sub></p><p>7</p><p><sup>1</sup>x</p>")
    ).text == ("10^6 m2 CO2\n7\n1x")


def test_code_keeps_its_lines_and_indentation(xml):
    code = "<para>p</para><programlisting>if x:\n    y\n\tz</programlisting>"
    assert xml(f'<book xmlns="http://docbook.org/ns/docbook">{code}</book>').text == "p\nif x:\n    y\n z"


DITA = (
    "<simpletable><sthead><stentry>h</stentry><stentry>i</stentry></sthead>"
    "<strow><stentry>1</stentry><stentry>2</stentry></strow></simpletable>"
)
TEI = (
    '<table><row role="label"><cell>h</cell><cell>i</cell></row>'
    "<row><cell>1</cell><cell>2</cell></row></table>"
)


@pytest.mark.parametrize("table", [DITA, TEI], ids=["DITA", "TEI"])
def test_tables_of_manuals_and_editions_are_tables(xml, table):
    page = xml(f'<topic domains="x"><p>t</p>{table}</topic>')
    (found,) = page.tables
    assert page.text == "t\nh\ti\n1\t2"
    assert (found.rows, found.columns, found.header_rows) == (2, 2, 1)


def test_cells_of_editions_keep_their_spans(xml):
    page = xml(
        '<table><row><cell cols="2" rows="1">a</cell></row><row><cell>1</cell><cell>2</cell></row></table>'
    )
    assert [(cell.row_span, cell.column_span) for cell in page.tables[0].cells] == [(1, 2), (1, 1), (1, 1)]


def test_the_html_that_feeds_carry_is_read(xml):
    page = xml(
        "<rss><channel><title>News</title><item><title>A &lt; B</title>"
        "<description>&lt;p&gt;Big &lt;b&gt;news&lt;/b&gt; &amp;amp; more&lt;/p&gt;</description></item>"
        "<item><title>C</title><description>1 &lt; 2</description>"
        "<content:encoded xmlns:content='c'><![CDATA[<h2>Head</h2><p>Body]]></content:encoded>"
        "</item></channel></rss>"
    )
    assert page.text.split("\n") == ["News", "A < B", "Big news & more", "C", "1 < 2", "Head", "Body"]
    inner = (
        "<p>a <i>b</i>c<!-- no --><style>p{x}</style><script>if (a < b) {}</script> d</P>\n e&nbsp;f<br>g</p>"
    )
    (line,) = xml(f"<rss><item><summary><![CDATA[{inner}]]></summary></item></rss>").text.split("\n")[:1]
    assert line == "a bc d"
    assert "<b>" in xml("<doc><description>&lt;b&gt;</description></doc>").text
