"""Letters of symbol fonts are signs where they are set in these fonts, and letters where they are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from indx_core.ports import PageReading

Read = Callable[..., PageReading]
SYMBOL = "w:ascii='Symbol' w:hAnsi='Symbol'"
THEME = "w:asciiTheme='minorHAnsi' w:hAnsiTheme='minorHAnsi'"
STYLES = (
    f"<w:style w:type='paragraph' w:styleId='G'><w:rPr><w:rFonts {SYMBOL}/></w:rPr></w:style>"
    f"<w:style w:type='paragraph' w:styleId='R'><w:rPr><w:rFonts {SYMBOL}/><w:rtl/></w:rPr></w:style>"
)


def shown(read: Read, said: str, text: str, style: str = "") -> str:
    named = f"<w:pPr><w:pStyle w:val='{style}'/></w:pPr>"
    run = f"<w:r><w:rPr>{said}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"
    return read(f"<w:p>{named}{run}</w:p>", styles=STYLES).text


@pytest.mark.parametrize(
    ("fonts", "text", "expected"),
    [
        ("w:hAnsi='Symbol'", "abc £", "abc ≤"),
        ("w:ascii='Symbol' w:hAnsi='Arial'", "a £", "α £"),
        ("w:ascii='Arial' w:hAnsi='Symbol'", "a £", "a ≤"),
        ("w:hAnsi='Symbol' w:hint='eastAsia'", "a × £", "a × £"),
        ("w:ascii='Symbol'", "a £ \uf0a3", "α £ ≤"),
        (f"{SYMBOL} {THEME}", "abc £", "abc £"),
        (f"{SYMBOL} w:hAnsiTheme='minorHAnsi'", "a £", "α £"),
        (f"{SYMBOL} w:hint='eastAsia' w:eastAsia='MS Mincho'", "×÷ “x” \uf061", "×÷ “ξ” α"),
        (f"{SYMBOL} w:hint='default'", "x £", "ξ ≤"),
    ],
)
def test_each_letter_is_in_the_font_of_its_kind(read: Read, fonts: str, text: str, expected: str) -> None:
    assert shown(read, f"<w:rFonts {fonts}/>", text) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("", "α ≤"),
        (f"<w:rFonts {THEME}/>", "a £"),
        ("<w:rFonts w:asciiTheme='minorHAnsi'/>", "a ≤"),
        ("<w:rFonts w:hAnsi='Arial'/>", "α £"),
        ("<w:rFonts w:cs='Arial'/><w:cs/>", "a £"),
        ("<w:rtl/>", "a £"),
        ("<w:rtl w:val='0'/>", "α ≤"),
    ],
)
def test_a_run_keeps_of_its_style_the_fonts_that_it_does_not_state(
    read: Read, said: str, expected: str
) -> None:
    assert shown(read, said, "a £", "G") == expected


def test_signs_of_symbol_fonts_are_such_in_complex_scripts_too(read: Read) -> None:
    assert shown(read, "<w:rtl/>", "a \uf061", "G") == "a α"


@pytest.mark.parametrize(
    ("said", "expected"), [("", "a £"), ("<w:rtl w:val='0'/>", "α ≤"), ("<w:rtl/>", "a £")]
)
def test_a_run_may_be_of_no_complex_script_though_its_style_is(read: Read, said: str, expected: str) -> None:
    assert shown(read, said, "a £", "R") == expected
