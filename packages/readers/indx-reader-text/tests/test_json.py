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
        "[" * 100_000,
        "",
        " \n",
        "9" * 5000,
        '"\\ud83d"',
        "NaN",
    ],
)
def test_one_value_or_one_a_line_is_no_fault(read, source):
    assert "damaged" not in (read(source, JSON).metadata or {})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    )
)
def test_what_json_writes_is_no_fault(value):
    assert not read_json(json.dumps(value)).metadata
