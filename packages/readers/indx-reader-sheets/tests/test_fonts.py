"""What the fonts of a workbook change of its texts: letters of symbol fonts are signs."""

from __future__ import annotations

from collections.abc import Callable

from indx_core.ports import PageReading

Read = Callable[..., list[PageReading]]
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><fonts><font><name val="Calibri"/></font><font><name val="Symbol"/></font>'
    '<font><name val="Wingdings"/></font><font/></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/>'
    '<xf fontId="2"/><xf fontId="3"/></cellXfs></styleSheet>'
)


def run(text: str, font: str = "") -> str:
    said = f"<rPr><rFont val='{font}'/></rPr>" if font else ""
    return f"<r>{said}<t xml:space='preserve'>{text}</t></r>"


def row(*cells: str) -> str:
    return f"<row r='1'>{''.join(cells)}</row>"


def cell(value: str, style: int, kind: str = "s") -> str:
    held = f"<is>{value}</is>" if kind == "inlineStr" else f"<v>{value}</v>"
    return f"<c s='{style}' t='{kind}'>{held}</c>"


def shown(read: Read, *cells: str, shared: tuple[str, ...] = ("<t>a</t>",)) -> str:
    (page,) = read(row(*cells), shared=shared, formats=[0], raw={"xl/styles.xml": STYLES})
    return page.text


def test_letters_in_cells_of_symbol_fonts_are_the_signs_that_they_show_as(read: Read) -> None:
    cells = [
        cell("0", 1),
        cell("0", 0),
        cell("<t>ü</t>", 2, "inlineStr"),
        cell("5", 1, "n"),
        cell("D", 1, "str"),
    ]
    assert shown(read, *cells) == "α\ta\t✓\t5\tΔ"


def test_strings_in_fonts_of_their_own_keep_these_whatever_the_cell_is_in(read: Read) -> None:
    shared = (run("Da") + run(" = 5", "Calibri"), run("about ", "Calibri") + run("a", "Symbol"))
    inline = cell(run("b") + run("b", "Calibri"), 1, "inlineStr")
    assert shown(read, cell("0", 1), cell("1", 0), inline, shared=shared) == "Δα = 5\tabout α\tβb"


RAISED = "<r><rPr><vertAlign val='superscript'/></rPr><t>2</t></r>"


def test_each_run_without_a_font_is_in_that_of_the_cell(read: Read) -> None:
    shared = (
        run("2") + RAISED + run("abc", "Calibri"),
        run("a_x000D_") + run("_x000A_b", "Calibri") + run("c"),
        "<t>a</t>" + run("bc", "Calibri"),
    )
    cells = [*(cell(str(at), 1) for at in range(3)), cell(shared[0], 1, "inlineStr"), cell("0", 0)]
    (page,) = read(row(*cells), shared=shared, formats=[0], raw={"xl/styles.xml": STYLES})
    texts = [one.text for one in page.tables[0].cells]
    assert texts == ["2^2abc", "α\nbχ", "αbc", "2^2abc", "2^2abc"]


def test_what_is_put_back_in_a_run_is_not_put_back_again(read: Read) -> None:
    shared = (run("_x005F_x0041_", "Wingdings") + run("_x0042_", "Calibri"),)
    assert shown(read, cell("0", 0), shared=shared) == "_x0041_B"
