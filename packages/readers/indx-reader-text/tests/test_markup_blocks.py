"""Code, comments, tables and links of reStructuredText, AsciiDoc, LaTeX and Org."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

RST, ADOC, TEX, ORG = "text/x-rst", "text/asciidoc", "text/x-tex", "text/x-org"


def stretches(page, role):
    return [page.text[one.start : one.end].strip() for one in page.roles if one.role == role]


def hidden(page):
    return [page.text[start:end] for start, end in page.hidden]


def links(page):
    return [(page.text[one.start : one.end], one.target) for one in page.links]


def headings(page):
    return [(page.text[one.start : one.end], one.level) for one in page.headings]


def rows(table):
    found = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        found[cell.row - 1][cell.column - 1] = cell.text
    return found


TABLE = [["Name", "Value"], ["a", "1"], ["b", "2"]]


@pytest.mark.parametrize(
    ("kind", "source", "heads"),
    [
        (RST, ("+------+-------+\n| Name | Value |\n+======+=======+\n| a    | 1     |\n"
        "+------+-------+\n| b    | 2     |\n+------+-------+"), 1),
        (RST, ("+------+-------+\n| Name | Value |\n+------+-------+\n| a    | 1     |\n"
        "+------+-------+\n| b    | 2     |\n+------+-------+"), 0),
        (RST, "=====  =====\nName   Value\n=====  =====\na      1\nb      2\n=====  =====", 1),
        (RST, "=====  =====\nName   Value\na      1\nb      2\n=====  =====", 0),
        (RST, "   * - Name\n     - Value\n   * - a\n     - 1\n   * - b\n     - 2", 1),
        (RST, "   Name, Value\n   a, 1\n   \"b\", 2", 1),
        (ADOC, "|===\n|Name |Value\n\n|a |1\n|b |2\n|===", 1),
        (ADOC, "|===\n|Name |Value\n|a |1\n|b |2\n|===", 0),
        (ADOC, "[cols=\"1,2\"]\n|===\n|Name\n|Value\n\n|a\n|1\n\n|b\n|2\n|===", 0),
        (ADOC, "[%header,cols=2*]\n|===\n|Name\n|Value\n|a\n|1\n|b\n|2\n|===", 1),
        (ADOC, ",===\nName,Value\na,1\n\"b\",2\n,===", 0),
        (TEX, ("\\begin{tabular}{|l|r|}\n\\hline\nName & Value \\\\ \\hline\n"
        "a & 1 \\\\\nb & 2 \\\\ \\hline\n\\end{tabular}"), 1),
        (TEX, ("\\begin{tabular*}{\\textwidth}{lr}\\toprule Name&Value\\\\[2pt]\\midrule a&1% note\n"
        "\\\\b&2\\tabularnewline\\bottomrule\\end{tabular*}"), 1),
        (TEX, ("\\begin{longtable}{ll}\n\\multicolumn{1}{c}{Name} & Value \\\\\na & 1 \\\\\nb & 2\n"
        "\\end{longtable}"), 0),
        (ORG, "| Name | Value |\n|------+-------|\n| a    | 1     |\n| b    | 2     |", 1),
        (ORG, "| Name | Value |\n| a    | 1     |\n| b | 2 |", 0),
    ],
)  # fmt: skip
def test_a_table_is_a_line_a_row_with_tabs_between_cells(read, kind, source, heads):
    if source.startswith("   "):
        name = "list-table" if "*" in source else "csv-table"
        source = f".. {name}:: Caption\n   :header-rows: 1\n\n{source}"
    page = read(f"before\n\n{source}\n\nafter\n", kind)
    (table,) = page.tables
    assert rows(table) == TABLE
    assert table.header_rows == heads
    assert page.text[table.start : table.end] == "Name\tValue\na\t1\nb\t2"
    assert page.text.startswith("before\n\n")
    assert page.text.endswith("\n\nafter\n")
    assert ("Caption" in page.text) == ("Caption" in source)


def test_columns_of_wide_characters_are_those_that_are_seen(read):
    grid = "+------+----+\n| 名前 | 値 |\n+======+====+\n| 東京 | 1  |\n+------+----+\n"
    simple = "====== ====\n名前   値\n====== ====\n東京都 1\n====== ====\n"
    assert rows(read(grid, RST).tables[0]) == [["名前", "値"], ["東京", "1"]]
    assert rows(read(simple, RST).tables[0]) == [["名前", "値"], ["東京都", "1"]]


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        (RST, "+---+   +\n| a | b |\n+---+---+\n"),
        (RST, "+---+---+\n| a | b |\n"),
        (RST, "===  ===\nnever closed\n"),
        (RST, "===  ===\none over both\na    b\n===  ===\n"),
        pytest.param(RST, "= " * 3000 + "=\n" + "a\n" * 3000 + "= " * 3000 + "=\n", id="mostly empty"),
        (RST, ".. csv-table::\n   :file: far.csv\n"),
        (ADOC, "|===\n|never closed\n"),
        (TEX, "\\begin{tabular}{l}\n\\begin{tabular}{l}x\\end{tabular}\n\\end{tabular}\n"),
        (TEX, "\\begin{tabular}{l} never closed"),
    ],
)
def test_a_table_that_is_too_odd_stays_as_written(read, kind, source):
    page = read(source, kind)
    assert page.text == source
    assert not page.tables


def test_restructured_code_and_comments_hold_nothing(read):
    page = read(
        "Title\n=====\n\n.. code-block:: python\n   :linenos:\n\n   Fake\n   ====\n\nAs in::\n\n"
        "   Fake\n   ----\n\n"
        ">>> Fake\n====\n\n.. a comment\n   Fake `x <y>`_\n\n.. _target: here\n\n.. note::\n\n   Real\n\n"
        ".. math:: x^2\n\nPart\n----\n\n   .. raw:: html\n\n      <b>`x <y>`_</b>\n\nend `x <z>`_\n",
        RST,
    )
    assert headings(page) == [("Title", 1), ("Part", 2)]
    assert [one.split("\n")[0] for one in stretches(page, "code")] == [
        "Fake",
        "Fake",
        ">>> Fake",
        "<b>`x <y>`_</b>",
    ]
    assert hidden(page) == [".. a comment\n   Fake `x <y>`_"]
    assert stretches(page, "formula") == [".. math:: x^2"]
    assert links(page) == [("x", "z")]


def test_restructured_links_lead_to_pages_files_and_documents(read):
    page = read(
        "See `the site <https://x.example/a>`__, :doc:`intro`, :doc:`Start <guide/start>` "
        "and `<b.html>`_.\n\n"
        ".. toctree::\n   :maxdepth: 2\n\n   one\n   Two <sub/two>\n   https://x.example\n   g*\n\n"
        ".. figure:: pic.png\n\n   Shown.\n\n.. include:: part.txt\n",
        RST,
    )
    assert links(page) == [
        ("the site", "https://x.example/a"), ("intro", "intro.rst"), ("Start", "guide/start.rst"),
        ("b.html", "b.html"),
        ("one", "one.rst"), ("sub/two", "sub/two.rst"), ("https://x.example", "https://x.example"),
        ("pic.png", "pic.png"), ("part.txt", "part.txt"),
    ]  # fmt: skip


def test_asciidoc_blocks_comments_and_both_ways_of_writing_titles(read):
    page = read(
        "Doc Title\n=========\n:toc:\n\nOlder Part\n----------\n\ntext // no comment\n// a comment\n\n"
        "----\n== Fake\n----\n\n"
        "....\n// Fake\n....\n\n////\n== Fake\n////\n\n```ruby\n== Fake\n```\n\n====\n"
        "=== Real in a box\n====\n\n"
        "== Newer ==\n\n[source,java]\n----\nlink:fake[x]\n----\n"
        "After link:a.adoc#p[there], https://x.example[site],\n"
        "<<other.adoc#q,that>>, <<here>>, image:i.png[] and xref:b.adoc[b]\n",
        ADOC,
    )
    assert headings(page) == [("Doc Title", 1), ("Older Part", 2), ("Real in a box", 3), ("Newer", 2)]
    assert len(stretches(page, "code")) == 4
    assert hidden(page) == ["// a comment", "////\n== Fake\n////"]
    assert links(page) == [
        ("there", "a.adoc#p"), ("site", "https://x.example"), ("that", "other.adoc#q"), ("here", "#here"),
        ("i.png", "i.png"), ("b", "b.adoc"),
    ]  # fmt: skip


def test_a_long_table_has_its_head_once_and_its_caption_before_it(read):
    head = "\\toprule\\noalign{}\nName & Number \\\\\n\\midrule\\noalign{}\n"
    boxed = "\\begin{minipage}[t]{\\linewidth}\\raggedright\nmallard\n\\end{minipage}"
    source = (
        "\\begin{longtable}[]{@{}lr@{}}\n\\caption{Ducks}\\tabularnewline\n"
        f"{head}\\endfirsthead\n{head}\\endhead\n\\bottomrule\\noalign{{}}\n\\endlastfoot\n"
        f"{boxed} & 3 \\\\\nteal & 5 \\\\\n\\end{{longtable}}\n"
    )
    page = read(source, "text/x-tex")
    (table,) = page.tables
    assert page.text[table.start : table.end] == "Name\tNumber\nmallard\t3\nteal\t5"
    assert table.header_rows == 1
    assert page.text[: table.start].endswith("\\caption{Ducks}\\tabularnewline\n")


def test_latex_titles_code_formulas_and_comments(read):
    page = read(
        "% \\section{Fake}\n\\documentclass{article}\n\\title{On \\textbf{Ducks} {and {geese}}}\n"
        "\\begin{document}\n"
        "\\section[short]{A long\n  title} 50\\% real % hidden \\section{Fake}\n"
        "\\begin{verbatim}\n\\section{Fake} % shown\n\\end{verbatim}\n\\begin{comment}\nFake\n"
        "\\end{comment}\n"
        "\\begin{align*}a&=b\\\\c&=d\\end{align*} and \\[ x \\] and $$y$$ \\\\[2pt] end\n"
        "% \\begin{verbatim}\n\\subsection*{Real}\n\\begin{lstlisting}[language=C]\nint x;\n"
        "\\end{lstlisting}\n"
        "\\href{https://x.example/a\\%20b}{the \\emph{site}} \\url{https://y.example} \\input{part/one}"
        "\\includegraphics[width=1cm]{pic.png}\n",
        TEX,
    )
    assert [(" ".join(title.split()), level) for title, level in headings(page)] == [
        ("On \\textbf{Ducks} {and {geese}}", 1), ("A long title", 3), ("Real", 4),
    ]  # fmt: skip
    assert len(stretches(page, "code")) == 2
    assert hidden(page) == [
        "% \\section{Fake}", "% hidden \\section{Fake}", ("\\begin{comment}\nFake\n"
        "\\end{comment}"), "% \\begin{verbatim}",
    ]  # fmt: skip
    assert stretches(page, "formula") == [
        "\\begin{align*}a&=b\\\\c&=d\\end{align*}", "\\[ x \\]", "$$y$$",
    ]  # fmt: skip
    assert links(page) == [
        ("the \\emph{site}", "https://x.example/a%20b"), ("https://y.example", "https://y.example"),
        ("part/one", "part/one.tex"), ("pic.png", "pic.png"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"caf\'e na\"{i}ve \^{\i}le \~n \`a", "café naïve île ñ à"),
        (r"Erd\H{o}s, \c{c}a, \v{S}koda, \.Z, \k{a}, \r{A}", "Erdős, ça, Škoda, Ż, ą, Å"),
        (r"Stra\ss{}e, Stra\ss e, \O re, {\o}l, \L{}\'od\'z, \aa ", "Straße, Straße, Øre, {ø}l, Łódź, å"),
        (r"\\'e \omega \times \label{a} \cite{b} \input \verb|\'e| \url{a} \i x", None),
        (r"\'x \'{ab} \c{cc} \=", None),
    ],
)
def test_latex_letters_that_are_spelled_by_commands_are_letters(read, written, shown):
    if shown is None:
        shown = written.replace(r"\i x", "ıx")
    assert read(f"A {written}\n", TEX).text == f"A {shown}\n"


def test_a_percent_sign_in_an_address_or_in_code_begins_no_latex_comment(read):
    source = (
        "See \\url{https://e.example/a%20b}, \\href{x%20y}{z} and \\verb|5%| or \\lstinline!6%! here % gone\n"
        "% \\url{never\n\\begin{tabular}{l}\\url{a%20b} & 1 \\\\ % gone\n\\end{tabular}\n"
    )
    page = read(source, TEX)
    assert hidden(page) == ["% gone", "% \\url{never"]
    assert [cell.text for cell in page.tables[0].cells] == ["\\url{a%20b}", "1"]


def test_frames_of_slides_and_the_sections_of_other_classes_are_latex_headings(read):
    page = read(
        "\\begin{frame}[fragile]{First}\nx\n\\end{frame}\n\\begin{frame}<1-2>\n\\frametitle<1>{Second}\n"
        "\\begin{frame}\n{\\large x}\n\\addchap{Preface}\\addsec{About}\\subparagraph{Small}\n",
        TEX,
    )
    assert headings(page) == [("First", 6), ("Second", 6), ("Preface", 2), ("About", 3), ("Small", 7)]


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (r"\makecell[t]{two\\ lines}", "two lines"),
        (r"\shortstack{a\\[2pt]b} c", "a b c"),
        (r"\multicolumn{1}{c}{\thead{a & b\\c}}", "a & b c"),
        (r"{x & y}", "{x & y}"),
        (r"\{ x", r"\{ x"),
    ],
)
def test_a_row_of_a_latex_table_ends_outside_of_braces(read, cell, shown):
    page = read(f"\\begin{{tabular}}{{ll}}\n1 & {cell} \\\\\n2 & 3 \\\\\n\\end{{tabular}}\n", TEX)
    assert rows(page.tables[0]) == [["1", shown], ["2", "3"]]


@pytest.mark.parametrize("odd", ["{a & b", "a} & b"])
def test_rows_of_a_latex_table_whose_braces_do_not_pair_are_split_all_the_same(read, odd):
    page = read(f"\\begin{{tabular}}{{ll}}\n{odd} \\\\\n2 & 3 {{x\\\\ y & }}\n\\end{{tabular}}\n", TEX)
    assert len(rows(page.tables[0])) == 3


def test_a_latex_title_that_closes_too_late_is_none(read):
    table = "\\begin{tabular}{l}a&b\\end{tabular}"
    code = "\\begin{verbatim}x\\end{verbatim}"
    for inside in (table, code, "one\n\ntwo"):
        page = read(f"\\section{{Never {inside} closed}} \\section{{Real}}\n", TEX)
        assert headings(page) == [("Real", 3)]


def test_latex_code_spells_nothing(read):
    source = 'na\\"ive\n\\begin{lstlisting}\nprintf("\\"a\\\'e");\n\\end{lstlisting}\n\\section{\\\'Etude}\n'
    page = read(source, TEX)
    assert page.text == source.replace('na\\"ive', "naïve").replace("\\'Etude", "Étude")
    assert headings(page) == [("Étude", 3)]


def test_org_headings_without_states_and_tags_code_and_links(read):
    page = read(
        "#+TITLE: The whole\n# a comment\n* TODO [#A] First :tag:b:\n** Second\n#+BEGIN_SRC c\n* Fake\n"
        "#+END_SRC\n"
        "#+begin_comment\n* Fake\n#+end_comment\n"
        "See [[file:b.org::*Part][there]] and [[https://x.example]].\n"
        "| [[c.org][c]] | d |\n",
        ORG,
    )
    assert headings(page) == [("The whole", 1), ("First", 1), ("Second", 2)]
    assert len(stretches(page, "code")) == 1
    assert hidden(page) == ["# a comment", "#+begin_comment\n* Fake\n#+end_comment"]
    assert links(page) == [("there", "b.org"), ("https://x.example", "https://x.example"), ("c", "c.org")]


PIECES = {
    RST: ["Title\n=====\n", "::\n\n", "   in\n", ".. code::\n\n", ".. note\n", "+--+--+\n", "|a |b |\n",
    "+==+==+\n", "== ==\n", "a  b\n", ".. list-table::\n\n", "   * - x\n", "     - y\n", ">>> z\n", "..\n"],
    ADOC: ["== T\n", "T\n--\n", "----\n", "|===\n", "|a |b\n", "2+|c\n", "////\n", "// x\n", "```\n",
    "link:a[b]\n", ",===\n", "a,\"b\n"],
    TEX: ["\\begin{tabular}{l}", "\\end{tabular}", "a & b \\\\\n", "% c\n", "\\begin{verbatim}",
    "\\end{verbatim}", "\\section{s}", "\\[", "\\]", "$$", "\\begin{align}", "\\end{align}", "{", "}",
    "\\title{t"],
    ORG: ["* H\n", "#+BEGIN_SRC\n", "#+END_SRC\n", "|a|b|\n", "|-+-|\n", "[[a][b]]\n", "# c\n",
    "#+TITLE: t\n"],
}  # fmt: skip


@pytest.mark.parametrize("kind", list(PIECES))
def test_however_marks_are_mixed_the_reading_holds_every_rule_and_no_word_is_lost(read, kind):
    words = st.sampled_from([*PIECES[kind], "word\n", "漢字 ", "\n", "\n\n"])

    @given(st.lists(words, max_size=30).map("".join))
    @settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    def check(source):
        page = read(source, kind)
        for word in ("word", "漢字"):
            assert page.text.count(word) == source.count(word)

    check()


@pytest.mark.parametrize("kind", list(PIECES))
def test_very_many_marks_that_never_close_end(read, kind):
    for piece in [
        *PIECES[kind],
        "\\begin{verbatim}%",
        "\\href{a",
        "`a <",
        "[[a",
        "<<a",
        "\\\\",
        ".. toctree::\n\n  a\n",
    ]:
        assert read(piece * 5_000, kind).text


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        (RST, ".. list-table::\n\n   * - a\n" + "       b\n" * 300_000),
        (RST, "= =\na a\n" + "  b\n" * 300_000 + "= =\n\n"),
        (RST, ".. toctree::\n" + " " * 300_000 + "\n\nx"),
        (ADOC, "-" * 300_000 + "="),
    ],
    ids=["a cell of many lines", "a row of many lines", "a tree of one long line", "no fence"],
)
def test_what_goes_on_for_long_is_gone_over_once(read, kind, source):
    assert read(source, kind).text


def test_a_table_drawn_in_a_cell_of_another_is_shown_without_its_borders(read):
    drawn = (
        "+-----+---------------+\n| Out | +-----+-----+ |\n|     | | a   | b   | |\n|     | +=====+=====+ |\n"
        "|     | | c   | d   | |\n|     | | e   |     | |\n|     | +-----+-----+ |\n+-----+---------------+\n"
    )
    (table,) = read(drawn, RST).tables
    assert [cell.text for cell in table.cells] == ["Out", "a | b; c | d e"]
    (table,) = read("[cols=2*]\n|===\n|Out\na|\n!===\n!a !b!\n\n!c !d\n!===\n|Wow! |x\n|===\n", ADOC).tables
    assert [cell.text for cell in table.cells] == ["Out", "|a |b| |c |d", "Wow!", "x"]


def test_references_that_are_named_elsewhere_lead_where_they_are(read):
    page = read(
        "See `Named  Link`_, ref_. Not snake_case_name, `code_`, nowhere_, indirect_ or __init__.\n\n"
        ".. _ref: https://r.example/a_b\n.. _named link: named.html#x\n.. _`with: colon`: c.rst\n"
        ".. _indirect: ref_\n.. _snake: s.html\n.. _here:\n\nAlso `with: colon`_ and here_.\n",
        RST,
    )
    assert links(page) == [
        ("Named  Link", "named.html#x"), ("ref", "https://r.example/a_b"), ("ref", "https://r.example/a_b"),
        ("with: colon", "c.rst"),
    ]  # fmt: skip
