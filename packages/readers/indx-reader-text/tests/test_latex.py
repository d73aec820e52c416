"""LaTeX as documents write it: titles with notes in them, environments beyond the usual ones."""

import pytest

KIND = "text/x-tex"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("\\section{One%\n  \\label{one}%\n}", ["One"]),
        ("\\section{\\label{two}Two}", ["Two"]),
        ("\\section\n{Two}", ["Two"]),
        ("\\section{Three\\footnote{in a {note}}}", ["Three"]),
        ("\\title{Four\\thanks{someone}\\\\ of them}", ["Four\\thanks{someone}\\\\ of them"]),
        ("\\section{\\label{five}five}", ["five"]),
        ("\\section[short]{Six \\protect\\footnote{a}\\label{six}}", ["Six"]),
        ("\\title{Four \\\\\n of them\\\\}", ["Four \\\\\n of them"]),
        ("\\section{50\\% of \\labels\\ and C\\#1}", ["50\\% of \\labels\\ and C\\#1"]),
        ("\\section{The U.S.A\\@. of today}", ["The U.S.A\\@. of today"]),
        ("\\newcommand{\\part}[1]{\\chapter{\\emph{#1}}}\\section{Real}", ["Real"]),
        ("\\renewcommand\\section{\\@startsection{section}{1}{\\z@}{-3ex}{1ex}{\\bf}}", []),
        ("\\section{\\label{x}}", []),
    ],
)
def test_a_title_is_what_is_shown_of_it(read, written, shown):
    page = read(written, KIND)
    assert page.text == written
    assert [page.text[one.start : one.end] for one in page.headings] == shown


@pytest.mark.parametrize("name", ["Verbatim*", "filecontents*", "semiverbatim", "Sinput", "LVerbatim"])
def test_other_environments_of_code_are_code(read, name):
    page = read(f"\\begin{{{name}}}\n\\section{{no}}\n\\end{{{name}}}\n\\section{{yes}}", KIND)
    assert [page.text[one.start : one.end] for one in page.headings] == ["yes"]
    assert [one.role for one in page.roles] == ["code"]


@pytest.mark.parametrize(
    "begin", ["longtable*}{ll}", "tabu} to \\textwidth {lX}", "tblr}{colspec={ll}}", "NiceTabular}{ll}"]
)
def test_other_environments_of_tables_are_tables(read, begin):
    page = read(f"\\begin{{{begin}\nA & B \\\\\n1 & 2 \\\\\n\\end{{{begin.partition('}')[0]}}}\n", KIND)
    assert [cell.text for cell in page.tables[0].cells] == ["A", "B", "1", "2"]


def test_formulas_of_other_packages_are_formulas(read):
    page = read("\\begin{alignat*}{2}\nx &= 1\n\\end{alignat*}\n", KIND)
    assert [one.role for one in page.roles] == ["formula"]
