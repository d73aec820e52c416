"""Notebooks: cells in order, with code, outputs and headings."""

import base64
import hashlib
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


@pytest.mark.parametrize(
    ("version", "lines", "expected"),
    [
        (3, ["a = 1", "b = 2"], "a = 1\nb = 2"),
        (3, ["a = 1\n", "b = 2"], "a = 1\nb = 2"),
        (3, ["a = 1", "", "b = 2", ""], "a = 1\n\nb = 2"),
        (2, ["one line"], "one line"),
        (2, [], ""),
        (4, ["a = ", "1\n", "b = 2"], "a = 1\nb = 2"),
    ],
)
def test_lines_of_formats_2_and_3_may_lack_their_breaks(notebook, version, lines, expected):
    code = {"cell_type": "code", "input": lines, "outputs": [{"output_type": "stream", "text": lines}]}
    page = notebook({"nbformat": version, "worksheets": [{"cells": [code]}, {"cells": []}]})
    assert page.text == "\n\n".join(filter(None, [expected, expected]))
    page = notebook(
        {"nbformat": version, "worksheets": [{"cells": [{"cell_type": "markdown", "source": lines}]}]}
    )
    assert page.text == expected


def test_markdown_of_old_formats_keeps_its_headings_lists_and_tables(notebook):
    lines = ["# Title", "", "* one", "* two", "", "|a|b|", "|-|-|", "|1|2|"]
    page = notebook(
        {
            "nbformat": 3,
            "metadata": {"name": "old one"},
            "worksheets": [
                {"cells": [{"cell_type": "markdown", "source": lines}]},
                {"cells": [{"cell_type": "heading", "level": 3, "source": ["Second", "sheet"]}]},
            ],
        }
    )
    assert page.text == "# Title\n\n* one\n* two\n\na\tb\n1\t2\n\n### Second sheet"
    assert [(page.text[one.start : one.end], one.level) for one in page.headings] == [
        ("Title", 1), ("Second sheet", 3),
    ]  # fmt: skip
    assert [cell.text for cell in page.tables[0].cells] == ["a", "b", "1", "2"]
    assert page.metadata["notebook"]["title"] == "old one"


def test_cells_are_told_by_type_id_and_prompt(notebook):
    page = notebook(
        {
            "nbformat": 4,
            "metadata": {"language_info": {"name": "python"}, "title": "T"},
            "cells": [
                {"cell_type": "markdown", "id": "ab-1", "source": "漢字"},
                {"cell_type": "code", "id": "c_2", "execution_count": 7, "source": "x", "outputs": []},
                {"cell_type": "code", "id": "empty", "execution_count": None, "source": ""},
                {"cell_type": "raw", "id": 5, "source": "y"},
            ],
        }
    )
    facts = page.metadata["notebook"]
    assert (facts["title"], facts["language"]) == ("T", "python")
    told = [
        (page.text[one["start"] : one["end"]], one.get("id"), one.get("prompt")) for one in facts["cells"]
    ]
    assert told == [("漢字", "ab-1", None), ("x", "c_2", 7), ("y", None, None)]
    old = notebook(
        {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": "x", "prompt_number": 3}]}]}
    )
    assert old.metadata["notebook"]["cells"] == [{"type": "code", "prompt": 3, "start": 0, "end": 1}]


def test_pictures_are_named_and_counted_and_leave_no_data_in_the_text(notebook):
    page = notebook(
        {
            "nbformat": 4,
            "cells": [
                {
                    "cell_type": "markdown",
                    "source": "![plan](attachment:plan.png)",
                    "attachments": {"plan.png": {"image/png": "iVBORw0KGgo="}},
                },
                {
                    "cell_type": "code",
                    "source": "plot()",
                    "outputs": [
                        {"output_type": "display_data", "data": {"image/png": "iVBORw0KGgo="}},
                        {
                            "output_type": "display_data",
                            "data": {"image/svg+xml": ["<svg/>"], "text/plain": "<Figure>"},
                        },
                        {"output_type": "pyout", "png": "iVBORw0KGgo=", "text": "old"},
                    ],
                },
            ],
        }
    )
    assert page.text == "![plan](attachment:plan.png)\n\nplot()\n\n<Figure>\n\nold"
    assert [one.target for one in page.links] == ["attachment:plan.png"]
    assert page.metadata["notebook"]["attachments"] == ["plan.png"]
    assert page.metadata["notebook"]["images"] == 3


def test_an_output_is_bounded_and_what_is_left_out_is_counted(notebook):
    outputs = [
        {"output_type": "stream", "text": ["x" * 60_000, "y" * 60_000]},
        {"output_type": "stream", "text": "end"},
    ]
    page = notebook({"cells": [{"cell_type": "code", "source": "loop()", "outputs": outputs}]})
    assert page.text == "loop()\n\n" + "x" * 60_000 + "y" * 40_000 + "\n\nend"
    assert page.metadata["notebook"]["output_characters_left_out"] == 20_000


def test_what_a_line_was_written_over_with_is_what_it_shows(notebook):
    text = "start\n 10%\r 50%\r100%\ndone\r\nlast\r"
    page = notebook({"cells": [{"cell_type": "code", "outputs": [{"output_type": "stream", "text": text}]}]})
    assert page.text == "start\n100%\ndone\nlast"


@pytest.mark.parametrize(
    ("output", "shown"),
    [
        ({"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}, "ValueError: no"),
        ({"output_type": "display_data", "data": {"text/latex": ["$x$"]}}, "$x$"),
        ({"output_type": "pyout", "latex": ["$x$", "y"]}, "$x$y"),
        ({"output_type": "pyout", "data": {}}, ""),
    ],
)
def test_an_output_shows_the_form_it_has(notebook, output, shown):
    assert notebook({"cells": [{"cell_type": "code", "outputs": [output]}]}).text == shown


def test_lone_surrogates_in_a_cell_are_replaced(read):
    page = read(r'{"cells": [{"cell_type": "raw", "source": "a\ud800b\u0000"}]}', "application/x-ipynb+json")
    assert page.text == "a\ufffdb\ufffd"


@pytest.mark.parametrize("source", ["", "[]", "{}", '"text"', "[" * 100_000, "null"])
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


@pytest.mark.parametrize("source", ["", "\n  \n"])
def test_an_empty_file_is_said_to_be_empty(read, source):
    with pytest.raises(SourceError, match="not a notebook: the file is empty"):
        read(source, "application/x-ipynb+json")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (
            '{"cells": [{"cell_type": "raw", "source": "ab',
            "Unterminated string starting at: line 1 column 43",
        ),
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2"),
        (
            '{"cells": [\n<<<<<<< HEAD\n{"source": "x"}\n=======\n{"source": "y"}\n>>>>>>> b\n]}',
            "Expecting value: line 2 column 1",
        ),
        ('{"cells": []}\n{"cells": []}', "Extra data: line 2 column 1"),
    ],
)
def test_a_notebook_that_is_no_json_is_shown_as_written_and_said_to_be_damaged(read, source, why):
    page = read(source, "application/x-ipynb+json")
    assert page.text == source
    assert page.metadata == {"damaged": f"not well-formed: {why}; it is shown as written"}


def test_pictures_in_a_damaged_notebook_are_left_out_and_counted(read):
    picture = base64.b64encode(bytes(range(256)) * 3).decode()
    lines = base64.encodebytes(bytes(range(256)) * 3).decode()
    outputs = [{"data": {"image/png": one, "text/plain": "\u03b1 shown"}} for one in (picture + "\n", lines)]
    key = "0123456789abcdef" * 15
    whole = json.dumps({"cells": [{"source": ["x = 1\n", key], "outputs": outputs}], "nbformat": 4})
    page = read(whole[:-1], "application/x-ipynb+json")
    assert (
        page.text
        == json.dumps(
            {
                "cells": [
                    {
                        "source": ["x = 1\n", key],
                        "outputs": [{"data": {"image/png": "", "text/plain": "α shown"}}] * 2,
                    }
                ],
                "nbformat": 4,
            },
            ensure_ascii=False,
        )[:-1]
    )
    assert page.metadata["base64_left_out"] == 2
    assert page.metadata["damaged"].endswith("it is shown as written, without 2 long runs of Base64")
    cut = read(whole[: whole.index(picture) + 600], "application/x-ipynb+json")
    assert cut.text.endswith('"image/png": "')
    assert cut.metadata["damaged"].endswith(", without a long run of Base64")


@pytest.mark.parametrize(
    "text",
    [
        "\n".join("ACGTACGTAC" * 6 for _ in range(20)),
        "ACDEFGHIKLMNPQRSTVWY" * 20,
        "0123456789abcdef" * 20,
        "x" * 200 + "Some1" * 20,
    ],
)
@pytest.mark.parametrize("key", ["source", "text", "text/plain", "png\\", 'a\\"image/png'])
def test_sequences_and_digits_in_a_damaged_notebook_are_not_taken_for_pictures(read, text, key):
    source = f'{{"cells": [{{"cell_type": "code", "{key}": {json.dumps(text)}'
    page = read(source, "application/x-ipynb+json")
    assert page.text == source
    assert "base64_left_out" not in page.metadata


@pytest.mark.parametrize(
    "before",
    [
        '"image/png": "',
        '"image/jpeg":\n ["',
        '"png": "',
        '"application/pdf": "',
        '"<img src=data:image/png;base64,',
        '"x": {"dtype": "f8", "bdata": "',
        '{"__ndarray__":"',
        '{"encoding": "base64", "path": ["value"], "data": "',
    ],
)
def test_a_picture_in_a_damaged_notebook_is_told_by_what_says_so(read, before):
    flat = base64.b64encode(bytes(300)).decode()
    page = read(f'{{"cells": [{{"outputs": [{{{before}{flat}"', "application/x-ipynb+json")
    assert page.text == f'{{"cells": [{{"outputs": [{{{before}"'
    assert page.metadata["base64_left_out"] == 1


def test_base64_in_a_damaged_notebook_is_told_by_its_letters_where_nothing_says_so(read):
    coded = base64.b64encode(bytes(range(256))).decode()
    page = read(f'{{"cells": [{{"bdata": "{coded}"', "application/x-ipynb+json")
    assert page.text == '{"cells": [{"bdata": ""'


@pytest.mark.parametrize("behind", ['", "encoding": "base64"', '",\n "path": ["a"],"encoding":"base64"'])
def test_data_in_a_damaged_notebook_are_base64_where_their_encoding_behind_them_says_so(read, behind):
    flat = base64.b64encode(bytes(300)).decode()
    page = read(f'{{"state": {{"data": "{flat}{behind}', "application/x-ipynb+json")
    assert page.text == f'{{"state": {{"data": "{behind}'
    for other in (
        f'{{"a": "{flat}{behind}',
        f'{{"data": "{flat}", "encoding": "utf-8"',
        f'{{"data": "{flat}',
    ):
        assert read(other, "application/x-ipynb+json").text == other


@pytest.mark.parametrize("flat", ["A" * 64, "acgt" * 16, "0123456789abcdef" * 4])
def test_long_base64_in_a_damaged_notebook_may_have_stretches_of_few_letters(read, flat):
    """Among many stretches one has no digit by chance, and pictures have parts of one colour."""
    coded = base64.b64encode(bytes(range(256)) * 3).decode()[:640]
    page = read(f'{{"cells": [{{"x": "{coded + flat * 10}"', "application/x-ipynb+json")
    assert page.text == '{"cells": [{"x": ""'
    kept = f'{{"cells": [{{"x": "{coded + flat * 11}"'
    assert read(kept, "application/x-ipynb+json").text == kept


@pytest.mark.parametrize("damage", ["\xff", "\t", "\n<<<<<<< HEAD\n"])
@pytest.mark.parametrize("at", range(300, 380, 19))
def test_what_a_picture_has_behind_its_damage_is_left_out_too(read, damage, at):
    coded = base64.encodebytes(bytes(range(256)) * 6).decode()
    whole = json.dumps({"cells": [{"outputs": [{"data": {"image/png": coded, "text/plain": "shown"}}]}]})
    begin = whole.index(coded[:60])
    page = read(f"{whole[: begin + at]}{damage}{whole[begin + at :]}"[:-1], "application/x-ipynb+json")
    assert page.metadata["base64_left_out"] == 2
    assert len(page.text) < len(whole) - len(coded) + 100
    assert page.text.endswith('"text/plain": "shown"}}]}]')


def test_lines_of_sequences_behind_a_damage_are_none_of_a_picture(read):
    lines = "ACDEFGHIKLMNPQRSTVWY" * 3 + "\\n"
    source = '{"cells": [{"source": "x\xff' + 20 * lines
    assert read(source, "application/x-ipynb+json").text == source


CODED = base64.encodebytes(bytes(range(256)) * 6).decode()
KEPT = (
    "\n".join([hashlib.sha256(b"%d" % one).hexdigest() for one in range(9)])
    + "\nsha512: "
    + (base64.b64encode(hashlib.sha512().digest()).decode() + "\n" + "makeLongWords2" * 4 + " end\n")
)


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("key", ["x", "source", "text/plain", "image/png", 'a\\"image/png'])
@pytest.mark.parametrize(
    "value",
    [
        CODED,
        CODED.splitlines(keepends=True),
        CODED.split(),
        CODED.replace("\n", "\r\n"),
        CODED.replace("\n", ""),
    ],
)
def test_base64_in_a_damaged_notebook_is_left_out_however_its_lines_are_written(read, value, key, indent):
    def written(value):
        return json.dumps({"cells": [{key: value, "text/html": "shown"}]}, indent=indent)[:-1]

    page = read(written(value), "application/x-ipynb+json")
    assert page.text.split() == written("" if isinstance(value, str) else [""]).split()
    assert page.metadata["base64_left_out"] == 1


def test_what_stands_beside_lines_of_base64_in_a_damaged_notebook_stays(read):
    lines = ["Here:\n", *CODED.splitlines(keepends=True), "Done\n", KEPT]
    page = read(json.dumps({"cells": [{"source": lines}], "nbformat": 4})[:-1], "application/x-ipynb+json")
    assert (
        page.text == json.dumps({"cells": [{"source": ["Here:\n", "", "Done\n", KEPT]}], "nbformat": 4})[:-1]
    )
    whole = json.dumps({"cells": [{"source": KEPT.splitlines(keepends=True)}]})[:-1]
    assert read(whole, "application/x-ipynb+json").text == whole


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (f"x\n{CODED}Done {KEPT}", f"x\nDone {KEPT}"),
        (CODED.replace("\n", "\n    ") + "Done", "Done"),
        (CODED.replace("\n", "\r\n") + "Done", "Done"),
        (f"b'{CODED.replace(chr(10), '')}' Done", "b'' Done"),
        (f"![p](data:image/png;base64,{'A' * 300}==) Done", "![p](data:image/png;base64,) Done"),
        (f"{KEPT}Done", f"{KEPT}Done"),
    ],
)
def test_base64_in_the_cells_and_outputs_of_a_notebook_is_left_out(notebook, written, shown):
    output = {"output_type": "stream", "text": written.splitlines(keepends=True)}
    cells = [
        {"cell_type": "markdown", "source": written},
        {"cell_type": "code", "source": written, "outputs": [output]},
    ]
    page = notebook({"nbformat": 4, "cells": cells})
    assert page.text == "\n\n".join([shown.strip("\n")] * 3)
    assert (page.metadata or {}).get("base64_left_out", 0) == (0 if written == shown else 3)
