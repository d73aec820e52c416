"""Formulas on one line."""

from __future__ import annotations

import pytest

from indx_format_html import read_html
from indx_format_html.mathml import MAX_DEPTH, Part, linear


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>", "a/(b+1)"),
        ("<mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac>", "n¦k"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><msub><mi>y</mi><mi>i</mi></msub>", "x^2+y_i"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            "∑_(i=1)^n i",
        ),
        ("<msqrt><mi>a</mi><mo>-</mo><mi>b</mi></msqrt>", "√(a-b)"),
        ("<mroot><mi>a</mi><mn>3</mn></mroot>", "3√a"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "x\u0305"),
        ("<mover><mi>x</mi><mi>n</mi></mover>", "x^n"),
        ("<mfenced open='[' close=']' separators=';'><mi>a</mi><mi>b</mi></mfenced>", "[a;b]"),
        ("<mi>sin</mi><mo>\u2061</mo><mi>x</mi><mo>\u2062</mo><mi>y</mi>", "sin xy"),
        (
            "<mtable><mtr><mtd>1</mtd><mtd>0</mtd></mtr><mtr><mtd>0</mtd><mtd>1</mtd></mtr></mtable>",
            "[1 & 0; 0 & 1]",
        ),
        (
            "<mmultiscripts><mi>C</mi><mn>6</mn><mn></mn><mprescripts/><mn>1</mn><mn>14</mn></mmultiscripts>",
            "_1^14C_6",
        ),
        ("<mphantom><mi>q</mi></mphantom><mtext>if <b>so</b></mtext><mi>z</mi>", "if so z"),
        ("x<mo>=</mo>1", "x=1"),
        ("<mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>", "2 1/2"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>", "1/2 x"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><msqrt><mi>x</mi></msqrt>", "1/2 √x"),
        ("<mstyle><mfrac><mn>1</mn><mn>2</mn></mfrac></mstyle><mo>(</mo><mi>x</mi><mo>)</mo>", "1/2 (x)"),
        ("<mfrac><mn>1</mn><mrow><mn>2</mn><mo>+</mo><mi>a</mi></mrow></mfrac><mi>x</mi>", "1/(2+a) x"),
        ("<mfrac><mi>n</mi><mi>k</mi></mfrac><munder><mo>∑</mo><mi>i</mi></munder><mi>i</mi>", "n/k ∑_i i"),
        ("<mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo><mi>x</mi>", "(1/2)x"),
        (
            "<mrow><mo>(</mo><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>)</mo></mrow><msqrt><mi>x</mi></msqrt>",
            "(1/2)√x",
        ),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac><mo>+</mo><msqrt><mi>x</mi></msqrt>", "1/2+√x"),
        ("<mi>a</mi><mo>/</mo><msqrt><mi>x</mi></msqrt>", "a/√x"),
        ("<mi>f</mi><mo>(</mo><mi>x</mi><mo>)</mo><msqrt><mi>x</mi></msqrt>", "f(x)√x"),
        ("<mfrac><mn>1</mn><mrow><mn>2</mn><mi>x</mi></mrow></mfrac>", "1/2x"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mroot><mi>y</mi><mn>3</mn></mroot>", "x^2 3√y"),
        ("<msup><mi>x</mi><mn>2</mn></msup><mi>y</mi><mn>2</mn><mn>3</mn>", "x^2 y23"),
        ("<msup><mi/><mn>14</mn></msup><mi>C</mi><msub><mi>H</mi><mn>2</mn></msub><mi>O</mi>", "^14CH_2O"),
    ],
)
def test_a_formula_is_one_line_that_keeps_what_stands_above_and_below(written: str, read: str) -> None:
    document = read_html(f"<p>so <math>{written}</math> holds".encode(), charset="utf-8")
    assert document.text == f"so {read} holds"
    assert [document.text[mark.start : mark.end] for mark in document.roles] == [read]


def test_how_a_formula_was_typed_is_kept_and_marked_as_hidden() -> None:
    document = read_html(
        b"<p><math><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac>"
        b"<annotation encoding='application/x-tex'>\\frac{a}{b}</annotation></semantics></math> holds"
    )
    assert document.text == "a/b \\frac{a}{b} holds"
    assert [document.text[start:end] for start, end in document.hidden] == ["\\frac{a}{b}"]


def test_a_formula_too_deep_to_arrange_keeps_its_signs() -> None:
    part = Part("mi", "x")
    for _ in range(50 * MAX_DEPTH):
        part = Part("mrow", parts=[part, Part("mo", "+"), Part("annotation", "no")])
    assert linear(part).startswith("x+")
    page = read_html(("<math>" + "<mfrac>" * 300 + "<mi>x</mi>").encode())
    assert page.text.endswith("x")


HALF = "<mfrac><mi>a</mi><mi>b</mi></mfrac>"
BARS = "<mo>|</mo><mi>x</mi><mo>|</mo>"
ZERO = "<mrow><mi>x</mi><mo>→</mo><mn>0</mn></mrow>"


@pytest.mark.parametrize("name", ["mi", "mo", "mtext"])
@pytest.mark.parametrize(
    ("behind", "read"),
    [
        (HALF, " a/b"),
        ("<mi>f</mi>", " f"),
        ("<mo>(</mo><mi>x</mi><mo>)</mo>", " (x)"),
        ("<msqrt><mi>x</mi></msqrt>", " √x"),
        (BARS, " |x|"),
        ("<mo>=</mo><mn>0</mn>", "=0"),
    ],
)
def test_what_follows_the_limit_of_an_operator_is_set_off(name: str, behind: str, read: str) -> None:
    document = read_html(f"<math><munder><{name}>lim</{name}>{ZERO}</munder>{behind}</math>".encode())
    assert document.text == f"lim_(x→0){read}"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("<msub><mi>log</mi><mn>2</mn></msub><mi>x</mi>", "log_2 x"),
        ("<msub><mi>Na</mi><mn>2</mn></msub><mi>O</mi>", "Na_2O"),
        ("<msub><mi>x</mi><mn>2</mn></msub><mi>y</mi>", "x_2y"),
        (f"{HALF}{BARS}", "a/b |x|"),
        (f"{HALF}<mrow>{BARS}</mrow>", "a/b |x|"),
        (f"{HALF}<mfenced open='‖' close='‖'><mi>x</mi></mfenced>", "a/b ‖x‖"),
        (f"<mo>|</mo>{HALF}<mo>|</mo><mi>y</mi>", "|a/b|y"),
        (f"{HALF}<mo>⌊</mo><mi>x</mi><mo>⌋</mo>", "a/b ⌊x⌋"),
        (f"<mi>det</mi>{BARS}", "det |x|"),
        (f"<mi>x</mi>{BARS}<mo>+</mo><mn>2</mn>{BARS}", "x|x|+2|x|"),
        (f"<msub><mi>x</mi><mi>i</mi></msub>{BARS}<msup><mi>x</mi><mi>i</mi></msup>{BARS}", "x_i |x|x^i |x|"),
        (
            "<msub><mi>a</mi><mi>i</mi></msub><mo>|</mo><mi>x</mi><msup><mo>|</mo><mn>2</mn></msup>",
            "a_i |x|^2",
        ),
        (
            "<mi>P</mi><mo>(</mo><msub><mi>x</mi><mi>i</mi></msub><mo>|</mo><mi>y</mi><mo>)</mo>",
            "P(x_i|y)",
        ),
    ],
)
def test_bars_are_set_off_where_they_could_be_read_as_part_of_what_is_before_them(
    written: str, read: str
) -> None:
    assert read_html(f"<math>{written}</math>".encode()).text == read


MATH = "<math><mi>x</mi></math>"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (f"<span class=katex-mathml>{MATH}</span><span class=katex-html aria-hidden=true>x</span>", "x"),
        (
            f"<i class=MathJax><nobr aria-hidden=true>x</nobr><b class=MJX_Assistive_MathML>{MATH}</b></i>",
            "x",
        ),
        ("<span class=katex><span class=katex-html aria-hidden=true>x</span></span>", "x"),
        ("<span class=MathJax><nobr aria-hidden=true>x</nobr></span>", "x"),
        (f"<b>{MATH}</b> <span aria-hidden=true>x</span>", "x x"),
    ],
)
def test_a_formula_that_a_program_wrote_in_two_ways_is_there_once(written: str, read: str) -> None:
    assert read_html(f"<p>{written}").text == read
