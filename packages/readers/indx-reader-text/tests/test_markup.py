"""Headings of other markup, source code and JSON."""

import json

import pytest


def headings(page):
    return [(one.level, page.text[one.start : one.end]) for one in page.headings]


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [
        (
            "text/x-rst",
            "=====\nTitle\n=====\n\nOne\n---\n\ntext\n\nTwo\n---\n\nSub\n~~~\n",
            [(1, "Title"), (2, "One"), (2, "Two"), (3, "Sub")],
        ),
        ("text/x-rst", "Long title\n---\n\n..\n\n    quoted\n", []),
        (
            "text/asciidoc",
            "= Doc\n\n== One\n\n----\n== code\n----\n\n=== Two\n",
            [(1, "Doc"), (2, "One"), (3, "Two")],
        ),
        (
            "text/x-tex",
            "\\section{One}\n% \\section{no}\n\\subsection*{Two \\emph{x}}\n",
            [(3, "One"), (4, "Two \\emph{x}")],
        ),
        ("text/x-org", "* One\n** Two\nnot * this\n", [(1, "One"), (2, "Two")]),
    ],
)
def test_headings_are_found(read, kind, source, expected):
    page = read(source, kind)
    assert page.text == source
    assert headings(page) == expected


def test_source_code_is_marked_as_code(read):
    page = read("# comment\nx = 1\n", "text/x-python")
    assert not page.headings
    assert [(one.start, one.end, one.role) for one in page.roles] == [(0, 16, "code")]


@pytest.mark.parametrize("source", ['{"a": [1, 2]}', "[" * 100_000, '{"a": 1}\n{"a": 2}\n', "not json"])
@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson"])
def test_json_is_text_as_it_stands(read, source, kind):
    assert read(source, kind).text == source


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (r'{"a": "\u65e5\u672c", "b": "\u00e9\ud83d\ude00"}', '{"a": "日本", "b": "é😀"}'),
        (r'["\\u65e5", "\\\u65e5", "\"\u65e5\""]', r'["\\u65e5", "\\日", "\"日\""]'),
        (r'["\u0000\u001f\u0022\u005c\u2028\u00ad"]', r'["\u0000\u001f\u0022\u005c\u2028\u00ad"]'),
        (r'["\ud83d", "\ude00\ud83d", "\u65", "\u"]', r'["\ud83d", "\ude00\ud83d", "\u65", "\u"]'),
    ],
)
@pytest.mark.parametrize("kind", ["application/json", "application/x-ndjson", "application/ld+json"])
def test_characters_written_as_numbers_are_shown_and_the_json_stays_the_same(read, source, shown, kind):
    page = read(source, kind)
    assert page.text == shown
    if shown != source:
        assert json.loads(page.text) == json.loads(source)
