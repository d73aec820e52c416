"""XML: what attributes say is text, what they arrange is counted, and neither cuts a sentence."""

import pytest


@pytest.fixture
def xml(read):
    return lambda data: read(data, "application/xml")


def test_attributes_beside_text_are_a_line_before_it(xml):
    page = xml('<items><item name="Bolt M8" value="12">In stock</item><item name="Nut"/></items>')
    assert page.text == "name: Bolt M8; value: 12\nIn stock\nname: Nut"
    assert page.metadata is None


def test_values_are_one_line_and_their_references_resolved(xml):
    page = xml('<a><b note="one&#10;two\n  three &lt;&#233;&gt;" empty="  ">x</b></a>')
    assert page.text == "note: one two three <é>\nx"


def test_a_sentence_is_not_cut_by_the_attributes_inside_it(xml):
    page = xml(
        '<a><p>Ask <person mail="b@c.example">Bob <b as="x">now</b></person>, please.</p><p>End</p></a>'
    )
    assert page.text == "Ask Bob now, please.\nmail: b@c.example\nas: x\nEnd"


def test_a_title_is_not_cut_by_the_attributes_inside_it(xml):
    page = xml('<chapter><title short="D"><emph kind="k">On</emph></title><p>x</p></chapter>')
    (heading,) = page.headings
    assert page.text[heading.start : heading.end] == "On"
    assert page.text == "On\nshort: D\nkind: k\nx"


def test_attributes_that_wait_at_the_end_are_kept(xml):
    assert xml('<a>text <b n="1"/></a>').text == "text\nn: 1"


def test_prefixes_are_dropped_and_declarations_of_names_are_no_text(xml):
    page = xml(
        '<a xmlns="u:a" xmlns:q="u:q" xml:lang="de-AT"><b q:size="4" size="5" xml:space="default">x</b></a>'
    )
    assert page.text == "size: 4; size: 5\nx"
    assert page.metadata == {"language": "de-AT"}


def test_attributes_that_arrange_are_counted_by_name(xml):
    page = xml(
        '<a xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="t"><b id="1" class="k">x</b>'
        '<b id="2" style="s" unit="kg">y</b></a>'
    )
    assert page.text == "id: 1\nx\nid: 2; unit: kg\ny"
    assert page.metadata["attributes_left_out"] == {"class": 1, "style": 1, "xsi:type": 1}


def test_the_ids_of_data_are_text(xml):
    page = xml('<orders><order id="A-77" total="12">Bolts</order><order xml:id="B-78">Nuts</order></orders>')
    assert page.text == "id: A-77; total: 12\nBolts\nid: B-78\nNuts"
    assert page.metadata is None


@pytest.mark.parametrize(
    "opening",
    [
        '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.2//EN" "JATS-archive.dtd"><article>',
        '<article article-type="research-article">',
        '<article xmlns="http://docbook.org/ns/docbook">',
        '<article xmlns:t="http://www.tei-c.org/ns/1.0">',
    ],
)
def test_documents_show_what_their_attributes_say_to_readers(xml, opening):
    page = xml(
        f'{opening}<sec sec-type="intro" id="s1" xml:id="s2"><title>T</title>'
        '<p>See <xref ref-type="bibr">1</xref>.</p><fig alt="A duck" position="float"/></sec></article>'
    )
    assert page.text == "T\nSee 1.\nalt: A duck"
    left_out = page.metadata["attributes_left_out"]
    told = {"id": 1, "position": 1, "ref-type": 1, "sec-type": 1, "xml:id": 1}
    assert left_out.items() >= told.items()


def test_an_article_of_a_shop_is_no_document(xml):
    assert xml('<article price="12"><name>Bolt</name></article>').text == "price: 12\nBolt"


def test_cells_keep_their_attributes_and_rows_come_before_the_table(xml):
    page = xml(
        '<a><table code="T1"><tr group="g">stray<td unit="kg" align="left">1</td>'
        '<td>see <b n="2">b</b></td></tr><tr><td>3</td><td>4</td></tr></table></a>'
    )
    assert page.text == "code: T1\ngroup: g\nstray\n1 unit: kg\tsee b n: 2\n3\t4"
    assert page.metadata["attributes_left_out"] == {"align": 1}


def test_values_that_are_data_are_counted_and_long_words_are_kept(xml):
    words = "word " * 10_000
    page = xml(f'<a><b icon="{"QUJD" * 500}" note="{words}">{words}</b></a>')
    assert page.text == f"note: {words.strip()}\n{words.strip()}"
    assert page.metadata["attributes_left_out"] == {"icon": 1}


def test_names_without_end_are_counted_together(xml):
    many = " ".join(f'xsi:n{number}="v"' for number in range(300))
    page = xml(f'<a xmlns:xsi="u">{"text " * 3000}<b {many}/></a>')
    left_out = page.metadata["attributes_left_out"]
    assert len(left_out) == 51
    assert left_out["others"] == 250


def test_signs_that_stand_for_no_character_mark_nothing_in_values(xml):
    page = xml('<sec><title>T</title><p n="a\ufdd0b\ufdd1">c</p></sec>')
    assert page.text == "T\nn: a\ufffdb\ufffd\nc"


def test_very_many_attributes_are_read_in_one_go(xml):
    rows = "".join(f'<r n="{number}">some text of a row</r>' for number in range(30_000))
    assert xml(f"<a>{rows}</a>").text.count("\n") == 59_999
    mixed = xml(f"<a>here {rows}</a>")
    assert mixed.text.endswith("n: 29998\nn: 29999")


def test_attributes_that_a_document_type_gives_to_each_element_are_not_written_for_each(xml):
    page = xml(f"<!DOCTYPE a [<!ATTLIST b d CDATA '{'y ' * 500}'>]><a>{'<b>x</b>' * 500}</a>")
    assert page.text == "\n".join("x" * 500)
