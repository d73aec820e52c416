"""Base64 in texts of every kind: files and pictures are left out and counted, hashes and words stay."""

import base64
import hashlib
import json

import pytest

DATA = bytes(range(256)) * 6 + b"end"
FLAT = base64.b64encode(DATA).decode()
LINES = base64.encodebytes(DATA).decode()
INDENTED = LINES.replace("\n", "\n    ")
HASHES = [base64.b64encode(hashlib.sha384(b"%d" % one).digest()).decode() for one in range(20)]
XML, JSON = "application/xml", "application/json"


@pytest.mark.parametrize("coded", [FLAT, LINES, LINES.strip(), INDENTED, LINES.replace("\n", "\r\n")])
@pytest.mark.parametrize(
    "around", ["<b><d>x</d>{}</b>", "<b>{}</b><c>x</c>", "<b><![CDATA[{}]]></b><c>x</c>"]
)
def test_a_file_inside_of_xml_is_left_out(read, coded, around):
    page = read(f"<a><t>before</t>{around.format(coded)}<t>behind</t></a>", XML)
    assert page.text == "before\nx\nbehind"
    assert page.metadata == {"base64_left_out": 1}


def test_xml_that_is_mostly_a_file_is_read_by_what_else_it_says(read):
    assert read(f"<a><t>little</t><b>{FLAT * 50}</b></a>", XML).text == "little"


def test_a_picture_in_a_drawing_that_cannot_be_parsed_is_left_out(read):
    page = read(f'<svg><image href="data:image/png;base64,{FLAT}"/><text>x</svg>', "image/svg+xml")
    assert page.text == '<svg><image href="data:image/png;base64,"/><text>x</svg>'
    assert page.metadata["base64_left_out"] == 1


@pytest.mark.parametrize("value", [FLAT, LINES, LINES.split()])
def test_a_file_inside_of_json_is_left_out_and_the_rest_is_as_written(read, value):
    page = read(json.dumps({"a": value, "b": [1, "text"]}), JSON)
    assert json.loads(page.text) == {"a": [""] if isinstance(value, list) else "", "b": [1, "text"]}
    assert page.metadata == {"base64_left_out": 1}


@pytest.mark.parametrize("kind", ["text/css", "text/html+x", "text/markdown", "text/x-rst", "text/plain"])
def test_what_an_address_holds_is_left_out_of_any_text_and_other_base64_stays_there(read, kind):
    page = read(f"a(data:font/woff2;base64,{FLAT}) b", kind)
    assert page.text == "a(data:font/woff2;base64,) b"
    assert page.metadata["base64_left_out"] == 1
    assert read(LINES, kind).text.strip() == LINES.strip()


@pytest.mark.parametrize("kept", [HASHES, [hashlib.sha512(b"x").hexdigest() * 4], ["/usr/Local2/x" * 5] * 2])
def test_hashes_and_long_words_stay_in_json_and_xml(read, kept):
    source = json.dumps(kept)
    page = read(source, JSON)
    assert (page.text, page.metadata) == (source, None)
    lines = "\n".join(kept)
    page = read(f"<a>{lines}</a>", XML)
    assert (page.text, page.metadata) == (lines, None)
