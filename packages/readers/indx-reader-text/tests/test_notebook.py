"""Notebooks: cells in order, with code, outputs and headings."""

import json

import pytest

from indx_core.errors import SourceError


@pytest.fixture
def notebook(read):
    return lambda content: read(json.dumps(content), "application/x-ipynb+json")


def test_cells_and_their_text_outputs_come_in_order(notebook):
    page = notebook(
        {
            "nbformat": 4,
            "cells": [
                {"cell_type": "markdown", "source": "# Title\n\nSee [a](b.md)\n"},
                {
                    "cell_type": "code",
                    "source": ["x = 1\n", "# no heading\n"],
                    "outputs": [
                        {"output_type": "stream", "text": ["one\n"]},
                        {"output_type": "execute_result", "data": {"text/plain": "two", "image/png": "AAAA"}},
                        {"output_type": "error", "traceback": ["\x1b[31mthree\x1b[0m"]},
                        {"output_type": "display_data", "data": {"text/html": ["<b>four</b>"]}},
                    ],
                },
                {"cell_type": "raw", "source": "# raw"},
                {"cell_type": "markdown", "source": "## Next\n\n|a|b|\n|-|-|\n|1|2|\n"},
            ],
        }
    )
    assert page.text == (
        "# Title\n\nSee [a](b.md)\n\nx = 1\n# no heading\n\none\n\ntwo\n\nthree\n\n<b>four</b>\n\n# raw\n\n"
        "## Next\n\na\tb\n1\t2"
    )
    assert [(page.text[one.start : one.end], one.level) for one in page.headings] == [
        ("Title", 1),
        ("Next", 2),
    ]
    assert [(page.text[one.start : one.end], one.role) for one in page.roles] == [
        ("Title", "title"),
        ("x = 1\n# no heading", "code"),
    ]
    assert [one.target for one in page.links] == ["b.md"]
    assert page.tables[0].cells[-1].text == "2"


def test_older_formats_are_read(notebook):
    page = notebook(
        {
            "nbformat": 2,
            "worksheets": [
                {
                    "cells": [
                        {"cell_type": "heading", "level": 2, "source": "Old"},
                        {
                            "cell_type": "code",
                            "input": "y",
                            "outputs": [{"output_type": "pyout", "text": "z"}],
                        },
                        {"cell_type": "markdown"},
                    ]
                }
            ],
        }
    )
    assert page.text == "## Old\n\ny\n\nz"
    assert page.headings[0].level == 2


def test_lone_surrogates_in_a_cell_are_replaced(read):
    page = read(r'{"cells": [{"cell_type": "raw", "source": "a\ud800b\u0000"}]}', "application/x-ipynb+json")
    assert page.text == "a\ufffdb\ufffd"


@pytest.mark.parametrize("source", ["", "[]", "{}", '"text"', "{", "[" * 100_000, "null"])
def test_what_is_no_notebook_is_refused(read, source):
    with pytest.raises(SourceError, match="not a notebook") as caught:
        read(source, "application/x-ipynb+json")
    assert caught.value.code == "source_unreadable"
    assert "Error" not in caught.value.message


@pytest.mark.parametrize(
    "cells", [5, [5, None, {}], [{"cell_type": "code", "outputs": [7], "source": {"a": 1}}]]
)
def test_malformed_cells_are_empty_cells(notebook, cells):
    assert notebook({"cells": cells}).text == ""
