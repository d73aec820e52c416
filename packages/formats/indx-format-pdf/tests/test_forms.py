"""Forms that draw themselves (XFA): their text stands in place of that of pages that only say to wait."""

from __future__ import annotations

from math import isnan

import pytest

WAIT = "Please wait... If this message is not replaced, get another program."
MANY_SAID = 100_001 * "<a b='' c='' d='' e='' f='' g='' h='' i='' j='' k=''/>"
LONG = f"<draw><value><text>{4_200_000 * 'a'}</text></value></draw>"


@pytest.fixture
def form(pdf, opened):
    """The first page of a document with a form: the inside of its template, its data and its state."""

    def page(template="", data="", state="", *, dynamic=True, whole=False, packets=()):
        main = f'<subform name="form1" layout="tb">{template}</subform>'
        parts = {
            "template": f'<template xmlns="x">{main}</template>',
            "datasets": f'<xfa:datasets xmlns:xfa="y"><xfa:data>{data}</xfa:data></xfa:datasets>',
        }
        if state:
            parts["form"] = f'<form xmlns="z"><subform name="form1">{state}</subform></form>'
        parts |= dict(packets)
        if whole:
            entry = b"%d 0 R" % pdf.stream(f"<xdp>{''.join(parts.values())}</xdp>".encode())
        else:
            parts = {"preamble": "<xdp:xdp>", **parts, "postamble": "</xdp:xdp>"}
            streams = [(name, pdf.stream(xml.encode())) for name, xml in parts.items()]
            entry = b"[%s]" % b" ".join(b"(%s) %d 0 R" % (name.encode(), at) for name, at in streams)
        pdf.catalog = b"/AcroForm<</Fields[]/XFA %s>>" % entry
        if dynamic:
            pdf.catalog += b"/NeedsRendering true"
        pdf.page(pdf.text(72, 700, WAIT))
        return opened(pdf).page(1)

    return page


def field(name, caption="", *, ui="textEdit", more="", entries=""):
    asked = f"<caption><value><text>{caption}</text></value></caption>" if caption else ""
    return f'<field name="{name}" {entries}><ui><{ui}/></ui>{asked}{more}</field>'


def draw(text, entries=""):
    return f"<draw {entries}><value><text>{text}</text></value></draw>"


def lines(page):
    assert page.form == "read"
    return page.text.split("\n")


def test_the_text_is_that_of_the_form_and_not_of_the_page_that_says_to_wait(form):
    page = form(draw("Application") + field("Name", "Family name"), "<form1><Name>Gauss</Name></form1>")
    assert lines(page) == ["Application", "Family name: Gauss"]
    assert [
        page.text[one:other] for one, other in zip(page.line_starts, page.line_ends, strict=True)
    ] == lines(page)
    assert len(page.boxes) == 8
    assert all(map(isnan, page.boxes))
    assert page.characters == page.body == len("ApplicationFamilyname:Gauss")


def test_a_form_in_one_stream_is_read_too(form):
    assert lines(form(field("A", "Of"), "<form1><A>b</A></form1>", whole=True)) == ["Of: b"]


def test_a_form_whose_pages_are_drawn_is_read_as_its_pages(form):
    page = form(draw("Application"), dynamic=False)
    assert (page.text, page.form) == (WAIT, "")


def test_a_page_that_says_more_than_to_wait_is_read_as_it_is(pdf, opened, form):
    own = b"".join(
        pdf.text(72, 740 - 12 * at, f"line {at} of a page of its own: {at * 12345678901}") for at in range(60)
    )
    pdf.page(own)
    page = form(draw("Application"))
    assert page.form == ""
    assert page.text.startswith("line 0 of a page of its own")


def test_an_empty_form_is_a_page_on_which_nothing_stands(form):
    page = form()
    assert (page.text, page.form, list(page.line_starts), list(page.boxes)) == ("", "read", [], [])


def test_what_is_placed_is_read_from_above_and_from_the_left(form):
    placed = [
        draw("below", 'x="0in" y="1in"'),
        draw("right", 'x="3in" y="2mm"'),
        draw("left", 'x="10mm" y="0.02in"'),
        draw("nowhere known", 'x="2in" y="nil"'),
    ]
    page = form(f'<subform name="s">{"".join(placed)}</subform>')
    assert lines(page) == ["left", "nowhere known", "right", "below"]


def test_what_flows_is_read_in_its_order(form):
    flowing = draw("first", 'y="2in"') + draw("second", 'y="1in"')
    assert lines(form(f'<subform name="s" layout="lr-tb">{flowing}</subform>')) == ["first", "second"]


def test_the_number_of_a_question_goes_before_it_and_nothing_else_does(form):
    question = draw("Full name", 'w="90mm"') + draw("12", 'y="1mm" w="4mm"') + draw("MM", 'y="9mm"')
    beside = field("Year", "To", entries='x="20mm" y="9mm"') + field("Day", "DD", entries='x="30mm" y="9mm"')
    beside += draw("", 'y="9mm"') + draw("", 'y="20mm"')
    assert lines(form(f"<subform>{question}{beside}</subform>")) == ["12 Full name", "MM", "To", "DD"]


def test_rows_of_a_table_are_cells(form):
    row = "".join(draw(text) for text in ("Rent", "", "800"))
    table = f'<subform layout="table"><subform layout="row">{row}</subform><subform layout="row"/></subform>'
    assert lines(form(table)) == ["Rent\t\t800"]


def test_data_belongs_to_fields_by_name_and_in_order(form):
    template = field("A", "one") + field("B", "two") + field("A", "three") + field("A", "four")
    page = form(template, "<form1><B>2</B><A>1</A><A>3</A></form1>")
    assert lines(page) == ["one: 1", "two: 2", "three: 3", "four"]


def test_data_of_a_form_of_another_name_is_that_of_the_form(form):
    assert lines(form(field("A", "one"), "<other><A>1</A></other>")) == ["one: 1"]


def test_a_field_finds_its_data_further_out(form):
    page = form(f'<subform name="s">{field("A", "one")}</subform>', "<form1><s><B/></s><A>1</A></form1>")
    assert lines(page) == ["one: 1"]


def test_a_container_without_data_of_its_own_leaves_its_fields_empty(form):
    page = form(f'<subform name="s">{field("A", "one")}</subform>', "<form1><A>1</A></form1>")
    assert lines(page) == ["one"]


@pytest.mark.parametrize(
    ("occur", "data", "shown"),
    [
        ('min="3" max="-1"', "", ["one"] * 3),
        ('min="3" max="-1"', "<s><A>1</A></s>", ["one: 1", "one", "one"]),
        ('min="0" max="-1"', "", []),
        ('min="0" initial="2" max="-1"', "", ["one"] * 2),
        ('min="0" initial="2" max="-1"', "<s><A>1</A></s>", ["one: 1"]),
        ('min="-1"', "", ["one"]),
        ('min="99999999"', "", ["one"]),
        ("", "", ["one"]),
    ],
)
def test_a_part_is_there_as_often_as_its_template_says_at_least(occur, data, shown, form):
    part = f'<subform name="s"><occur {occur}/>{field("A", "one")}</subform>'
    assert lines(form(part + draw("end"), f"<form1>{data}</form1>")) == [*shown, "end"]


def test_a_container_that_is_bound_to_nothing_hands_the_data_on(form):
    inside = f'<bind match="none"/>{field("A", "one")}'
    for template in (f'<subform name="s">{inside}</subform>', f"<subform>{inside}</subform>"):
        assert lines(form(template, "<form1><A>1</A></form1>"))[-1] == "one: 1"


def test_fields_of_a_name_that_share_their_data_all_hold_it(form):
    shared = field("Name", "Name", more='<bind match="global"/>')
    template = f'<subform name="a">{shared}</subform><subform name="b">{shared}</subform>'
    page = form(template, "<form1><a><Name>Ann</Name></a><b/></form1>")
    assert lines(page) == ["Name: Ann", "Name: Ann"]


def test_data_may_have_any_name_and_say_any_name_of_itself(form):
    template = field("A", "one") + field("script", "two") + field("image", "three")
    data = '<form1><A name="x">1</A><script>2</script><image>3</image></form1>'
    for whole in (False, True):
        assert lines(form(template, data, whole=whole)) == ["one: 1", "two: 2", "three: 3"]


def test_a_field_that_is_bound_to_nothing_keeps_what_it_says_itself(form):
    default = '<bind match="none"/><value><text>own</text></value>'
    assert lines(form(field("A", "one", more=default), "<form1><A>1</A></form1>")) == ["one: own"]


@pytest.mark.parametrize(
    "ref", ["$record.s.B[1]", "$.s.B[1]", "s.B[1]", "$data.form1.s.B[1]", "xfa.datasets.data.form1.s.B[1]"]
)
def test_a_field_may_name_where_its_data_is(form, ref):
    bound = field("A", "one", more=f'<bind match="dataRef" ref="{ref}"/>')
    assert lines(form(bound, "<form1><s><B>1</B><B>2</B></s><A>3</A></form1>")) == ["one: 2"]


def test_an_expression_that_is_no_path_names_nothing(form):
    bound = field("A", "one", more='<bind match="dataRef" ref="$record.B[C == 1].D"/>')
    assert lines(form(bound, "<form1><B><C>1</C><D>2</D></B><A>3</A></form1>")) == ["one"]


@pytest.mark.parametrize("bind", ["", '<bind match="dataRef" ref="$.child[*]"/>'])
def test_a_container_that_repeats_is_there_for_each_of_its_data(form, bind):
    child = f'<subform name="child">{bind}<occur min="0" max="-1"/>{field("Name", "Child")}</subform>'
    data = "".join(f"<child><Name>{name}</Name></child>" for name in ("Ann", "Bo"))
    assert lines(form(child, f"<form1>{data}</form1>")) == ["Child: Ann", "Child: Bo"]
    assert form(child).text == ""


def test_a_container_that_does_not_repeat_takes_up_one(form):
    child = f'<subform name="child">{field("Name", "Child")}</subform>'
    data = "".join(f"<child><Name>{name}</Name></child>" for name in ("Ann", "Bo", "Cy"))
    assert lines(form(2 * child, f"<form1>{data}</form1>")) == ["Child: Ann", "Child: Bo"]


def test_boxes_say_whether_they_are_ticked(form):
    items = "<items><text>Y</text><text>N</text></items>"
    boxes = field("A", "Married", ui="checkButton", more=items) + field("B", "Retired", ui="checkButton")
    data = "<form1><A>{}</A><B>{}</B></form1>"
    assert lines(form(boxes, data.format("Y", "0"))) == ["[x] Married", "[ ] Retired"]
    assert lines(form(boxes, data.format("N", "1"))) == ["[ ] Married", "[x] Retired"]


def test_of_boxes_that_exclude_each_other_the_one_is_ticked_that_their_group_holds(form):
    options = "".join(
        field(name, name, ui="checkButton", more=f"<items><text>{name[0]}</text></items>")
        for name in ("Yes", "No")
    )
    group = f'<exclGroup name="Owns" layout="tb">{options}</exclGroup>'
    assert lines(form(group, "<form1><Owns>N</Owns></form1>")) == ["[ ] Yes", "[x] No"]
    assert lines(form(group, "<form1><Yes>Y</Yes></form1>")) == ["[x] Yes", "[ ] No"]


def test_a_list_shows_what_stands_for_what_was_chosen(form):
    items = (
        '<items save="1" presence="hidden"><text>01</text><text>02</text></items>'
        "<items><text>Married</text><text>Single</text></items>"
    )
    template = field("A", "Status", ui="choiceList", more=items)
    assert lines(form(template, "<form1><A>02</A></form1>")) == ["Status: Single"]
    assert lines(form(template, "<form1><A>03</A></form1>")) == ["Status: 03"]
    own = field("A", "Status", ui="choiceList", more="<items><text>Married</text></items>")
    assert lines(form(own, "<form1><A>Married</A></form1>")) == ["Status: Married"]
    several = "<form1><A><value>01</value><value>02</value></A></form1>"
    assert lines(form(template, several)) == ["Status: Married", "Single"]


@pytest.mark.parametrize("ui", ["button", "barcode", "imageEdit", "signature", "passwordEdit"])
def test_what_holds_no_words_says_nothing(form, ui):
    data = "<form1><A>iVBORw0</A></form1>"
    assert lines(form(field("A", "Clear", ui=ui) + draw("kept"), data)) == ["kept"]
    assert lines(form(field("A", "Clear", ui=f"extras/><picture/><{ui}") + draw("kept"), data)) == ["kept"]


@pytest.mark.parametrize("presence", ["hidden", "invisible", "inactive"])
def test_what_does_not_show_is_left_out(form, presence):
    hide = f'presence="{presence}"'
    template = (
        f"<subform {hide}>{draw('a')}</subform>{draw('b', hide)}{field('c', 'c', entries=hide)}{draw('d')}"
    )
    assert lines(form(template)) == ["d"]


def test_a_caption_that_does_not_show_is_left_out_and_what_its_field_holds_is_not(form):
    caption = '<caption presence="hidden"><value><text>never</text></value></caption>'
    assert lines(form(field("A", more=caption), "<form1><A>1</A></form1>")) == ["1"]


def test_what_showed_when_the_form_was_saved_shows(form):
    hide = 'presence="hidden"'
    template = f'<subform name="s" {hide}>{draw("a")}</subform>{field("c", "c")}{draw("d", hide)}{draw("d")}'
    state = f'<subform name="s" presence="visible"/><field name="c" {hide}/><draw/><draw presence="hidden"/>'
    assert lines(form(template, state=state)) == ["a"]


def test_what_was_saved_goes_before_what_the_template_says(form):
    template = draw("Page", 'name="t"') + field("A", "Country", ui="choiceList", more="<items/>")
    state = (
        '<draw name="t"><value><text>Page 1</text></value></draw><field name="A">'
        '<items><text>Peru</text></items><items save="1"><text>7</text></items></field>'
    )
    assert lines(form(template, "<form1><A>7</A></form1>", state)) == ["Page 1", "Country: Peru"]


def test_a_container_is_there_as_often_as_it_was_saved(form):
    child = f'<subform name="child"><occur max="-1"/>{field("Name", "Child")}</subform>'
    manager = '<instanceManager name="_child"/>'
    data = "<form1><child><Name>Ann</Name></child></form1>"
    assert form(child, data, manager).text == ""
    assert lines(form(child, data, manager + 2 * '<subform name="child"/>')) == ["Child: Ann", "Child"]
    assert lines(form(child, data, "<field/>")) == ["Child: Ann"]


def test_what_stands_on_every_page_is_said_once(form):
    areas = f"<pageSet><pageArea>{draw('Form 7')}</pageArea><pageArea>{draw('Form 7')}</pageArea></pageSet>"
    assert lines(form(areas + draw("Form 7"))) == ["Form 7", "Form 7"]


def test_areas_and_sets_hand_data_and_places_on(form):
    set_ = "<subformSet>" + draw("x", 'y="2in"') + draw("y") + "</subformSet>"
    inside = f"<area>{field('A', 'one')}</area>{set_}"
    assert lines(form(inside, "<form1><A>1</A></form1>")) == ["one: 1", "x", "y"]


def test_what_was_saved_of_an_area_is_that_of_what_is_in_it(form):
    area = "<area name='a'>" + draw("Page", "name='t'") + "</area>"
    saved = "<draw name='t'><value><text>Page 1</text></value></draw>"
    assert lines(form(area, state=f"<area name='a'>{saved}</area>")) == ["Page 1"]
    assert lines(form(area, state=saved)) == ["Page 1"]


def test_rich_text_breaks_lines_where_its_elements_do(form):
    rich = "<p>First <b>line</b>,\nthe same</p><p>second<br/>third</p><p/>"
    template = f"<draw><value><exData><body>{rich}</body></exData></value></draw>"
    assert lines(form(template)) == ["First line, the same", "second", "third"]
    page = form(field("A", "Note:"), f"<form1><A><body>{rich}</body></A></form1>")
    assert lines(page) == ["Note: First line, the same", "second", "third"]


def test_plain_text_breaks_lines_where_it_is_written_so(form):
    assert lines(form(field("A", "Why?"), "<form1><A>Because\n\n of  it</A></form1>")) == [
        "Why? Because",
        "of it",
    ]


def test_scripts_and_pictures_are_no_text(form):
    parts = (
        "<draw><value><image>iVBORw0</image></value></draw><event><script>if (a &lt; b) c()</script></event>"
    )
    assert lines(form(parts + draw("kept"))) == ["kept"]


def test_an_ampersand_that_stands_for_itself_is_one(form):
    assert lines(form(field("A", "Firm"), "<form1><A>Marks & Spencer &amp; Co</A></form1>")) == [
        "Firm: Marks & Spencer & Co"
    ]


@pytest.mark.parametrize(
    "packets",
    [
        {"template": "<template><subform>"},
        {"template": "<template/>"},
        {"datasets": "<datasets><data><form1></data></datasets>"},
        {"form": "<form><"},
        {"datasets": '<?xml version="1.0" encoding="shift_jis"?><datasets/>'},
        {"datasets": '<?xml version="1.0" encoding="nobody"?><datasets/>'},
        {"template": '<!DOCTYPE a [<!ENTITY b "c">]><template><subform/></template>'},
        {"template": f"<template>{200 * '<subform>'}{200 * '</subform>'}</template>"},
        {"template": f"<template><subform>{300_001 * '<a/>'}</subform></template>"},
        {"template": f"<template><subform>{MANY_SAID}</subform></template>"},
        {"template": f"<template><subform>{LONG}</subform></template>"},
        {"datasets": f"<datasets><data><form1><B>{8_400_000 * 'a'}</B></form1></data></datasets>"},
    ],
    ids=[
        "cut",
        "without a form",
        "data",
        "state",
        "bytes",
        "encoding",
        "entities",
        "deep",
        "large",
        "attributes",
        "text",
        "long",
    ],
)
def test_a_form_that_cannot_be_told_leaves_the_page_as_it_is_and_says_so(form, packets):
    page = form(packets=packets)
    assert (page.text, page.form) == (WAIT, "unread")


def test_a_form_without_its_parts_is_one_that_cannot_be_told(pdf, opened):
    pdf.catalog = b"/AcroForm<</Fields[]/XFA[]>>/NeedsRendering true"
    pdf.page(pdf.text(72, 700, WAIT))
    assert opened(pdf).page(1).form == "unread"


@pytest.mark.parametrize(
    ("inside", "count"),
    [
        (draw("a" * 40_000), 1_000),  # text
        (field("A", "b") * 600, 2_000),  # fields
        (field("A", ui="choiceList", more=f"<items>{'<text/>' * 2_000}</items>"), 1_000),  # entries of lists
        (
            '<subform name="s"><bind match="dataRef" ref="$data.form1.s[*]"/><occur max="-1"/></subform>',
            5_000,
        ),
        (f'<field name="A">{2_000 * "<x/>"}</field>', 15_000),  # what is gone through each time
    ],
    ids=["text", "fields", "lists", "expressions", "passed over"],
)
def test_a_form_that_repeats_without_end_is_not_read(form, inside, count):
    repeated = f'<subform name="s"><occur max="-1"/>{inside}</subform>'
    page = form(repeated, f"<form1>{count * '<s/>'}</form1>")
    assert page.form == "unread"


def test_a_value_that_many_fields_hold_is_not_gone_through_without_end(form):
    bound = field("A", ui="checkButton", more='<bind match="dataRef" ref="$data.form1.B"/>')
    assert form(2_500 * bound, f"<form1><B>{10_000 * '<value/>'}</B></form1>").form == "unread"


def test_only_the_first_page_has_the_text_of_the_form(pdf, opened, form):
    pdf.page(pdf.text(72, 700, "an own page"))
    assert lines(form(draw("Application"))) == ["Application"]
    assert opened(pdf).page(2).text == WAIT
