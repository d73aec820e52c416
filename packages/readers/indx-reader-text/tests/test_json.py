"""JSON is read as written; what is none says where it breaks."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_reader_text._json import read_json

JSON = "application/json"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('{"a": [1,2', "Expecting ',' delimiter: line 1 column 11"),
        ('{"a": 1}\n{"b": \n{"c": 3}\n', "Expecting value: line 2 column 7"),
        ('{\n"a": 1\n}\n{\n"b": 2\n}', "Extra data: line 4 column 1"),
        ('{"a": 1} x', "Extra data: line 1 column 10"),
        ('{"a": "\\u65e5 b', "Unterminated string starting at: line 1 column 7"),
    ],
)
@pytest.mark.parametrize("kind", [JSON, "application/x-ndjson"])
def test_what_is_no_json_is_read_and_says_where_it_breaks(read, source, why, kind):
    page = read(source, kind)
    assert page.text == source.replace("\\u65e5", "\u65e5")
    assert page.metadata["damaged"] == f"not well-formed: {why}; it is shown as written"


@pytest.mark.parametrize(
    "source",
    [
        '{"a": [1, 2.5, null]}',
        '{"a": 1}\n\n{"b": 2}\n',
        "[" * 100 + "]" * 100,
        "",
        " \n",
        "9" * 5000,
        '"\\ud83d"',
        "NaN",
    ],
)
def test_one_value_or_one_a_line_is_no_fault(read, source):
    assert "damaged" not in (read(source, JSON).metadata or {})


@pytest.mark.parametrize(
    "source",
    [
        '// settings\n{\n  "a": 1, /* "one" */ "b": [1, 2,],\n}\n',
        "{a: 'it\\'s', $b_1: .5, c: 5., d: +1, e: 0xFF, f: -Infinity, 'g': NaN,}",
        '{"url": "http://x.y/*z*/", "n": 1}',
        '{"a": "two \\\nlines"}',
    ],
)
def test_comments_and_all_else_that_people_write_into_json_is_no_fault(read, source):
    page = read(source, JSON)
    assert (page.text, page.metadata) == (source, None)


@pytest.mark.parametrize(
    "source",
    [
        *(
            "{a}",
            "[1,,2]",
            "{'a': 1",
            "/* open\n{}",
            "[,]",
            "{a: b}",
            "[1] // x\n[2",
            "{} 'x'",
            "['x",
            "[1, '\\",
        ),
        *("[1] /*/", '"' + '\\"' * 200_000, "a" * 400_000, "'" + "\\'" * 200_000, "a" + " " * 400_000),
        *("[1.5.]", "[" + "1" * 400_000),
    ],
)
def test_what_is_no_json5_either_is_a_fault(read, source):
    assert "not well-formed" in read(source, JSON).metadata["damaged"]


@pytest.mark.parametrize("kind", [JSON, "application/x-ndjson"])
@pytest.mark.parametrize(
    "source",
    ["[" * 100_000, "[" * 5000 + '"in"' + "]" * 5000, '{"a": 1}\n' + '{"a":' * 5000 + "1" + "}" * 5000],
)
def test_what_is_nested_too_deeply_to_be_parsed_is_read_and_said_to_be(read, source, kind):
    page = read(source, kind)
    assert page.text == source
    assert page.metadata == {"damaged": "nested too deeply to be parsed; it is shown as written"}


def test_how_deep_json_may_be_does_not_depend_on_who_calls():
    source = "[" * 900 + "]" * 900

    def from_below(calls):
        return read_json(source) if not calls else from_below(calls - 1)

    assert read_json(source).metadata == from_below(700).metadata == {}


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    )
)
def test_what_json_writes_is_no_fault(value):
    assert not read_json(json.dumps(value)).metadata


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "source", ['{"a":"é漢\U0001f40c"}\n', "[1]", '{"ascii": 1}\n{"ascii": 2}\n', '{"cut": "é']
)
@pytest.mark.parametrize("kind", [JSON, "application/x-ndjson"])
def test_wide_json_without_a_mark_is_told_by_its_zeros(read, source, codec, kind):
    page = read(source.encode(codec), kind, encoding="utf-8-sig,cp1252")
    assert page.text == source
    assert page.metadata["encoding"] == codec


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("source", ['"漢字"', '"一"', '"🐌"', "1", '"漢"\n"字"\n'])
def test_a_string_alone_is_wide_json_where_it_is_json_if_read_so(read, source, codec):
    page = read(source.encode(codec), JSON, encoding="utf-8-sig,cp1252")
    assert page.text == source
    assert page.metadata == {"encoding": codec}


def test_zeros_that_are_no_wide_json_change_nothing(read):
    assert read(b'{"\0a": 1}', JSON).text == '{"\ufffda": 1}'
    assert read(b'{\0"\0a": 12}', JSON).text == '{\ufffd"\ufffda": 12}'  # odd, so not in units of two
    assert read(b'x\0"abc"', JSON).text == 'x\ufffd"abc"'
    assert read(b'{"a": "\0b"}', JSON).text == '{"a": "\ufffdb"}'


def test_a_wide_notebook_without_a_mark_is_a_notebook(read):
    source = json.dumps({"cells": [{"cell_type": "raw", "source": "é"}]}, ensure_ascii=False)
    assert read(source.encode("utf-16-le"), "application/x-ipynb+json").text == "é"
