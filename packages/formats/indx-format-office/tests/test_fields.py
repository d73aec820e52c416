"""Fields of equations: on one line, readings apart, whatever their instruction is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_office.fields import equation
from indx_format_office.formula import parted


@pytest.mark.parametrize(
    ("instruction", "text"),
    [
        (r"EQ \f(1,2)", "1/2"),
        (r" eq \f(a+b;2)", "(a+b)/2"),
        (r"EQ \f(1,2)\r(,x)+\f(1,2)x-\f(1,2) y", "1/2 √x+1/2 x-1/2 y"),
        (r"EQ 2\f(1,2)-10\f(3,4) cm+2 \f(1,2)x", "2 1/2-10 3/4 cm+2 1/2 x"),
        (r"EQ x\f(1,2)12", "x1/2 12"),
        (r"EQ x\s\up8(2)3+y\s\up8(2)\f(1,2)", "x^2 3+y^2 1/2"),
        (r"EQ \s\up8(14)C\s\do8(6)O+\s\up8(2)H", "^14C_6O+^2H"),
        (r"EQ (a+b)\s\up8(2)c", "(a+b)^2 c"),
        (r"EQ \l(\f(1,2))x\b(\f(1,2))y", "1/2 x(1/2)y"),
        (r"EQ \i(0,1,\f(1,x)dx)dy", "∫_0^1 1/x dx dy"),
        (r"EQ \r(x)", "√x"),
        (r"EQ \r(3,x+1)", "3√(x+1)"),
        (r"EQ x\s\up8(2)", "x^2"),
        (r"EQ x\s\do8(i+1)", "x_(i+1)"),
        (r"EQ \b\bc\[ (\f(1,x))", "[1/x]"),
        (r"EQ \b(a)", "(a)"),
        (r"EQ \i\su(1,5,x)", "∑_1^5 x"),
        (r"EQ \l(a,b)", "a, b"),
        (r"EQ a\,b\\c\(d\)", r"a,b\c(d)"),
        (r"EQ \o(A,B)", "AB"),
        ("EQ", ""),
        (r"EQ \f(1", "1"),
    ],
)
def test_an_equation_is_one_line(instruction: str, text: str) -> None:
    made = equation(instruction)
    assert made is not None
    assert (made.text, made.ruby) == (text, [])


def test_a_reading_over_a_word_stays_out_of_the_text() -> None:
    made = equation(r'EQ \* jc2 \* "Font:ＭＳ 明朝" \* hps10 \o\ad(\s\up 9(とうきょう),東京)')
    assert made is not None
    assert (made.text, made.ruby) == ("東京", [("東京", "とうきょう")])
    made = equation(r"EQ 1\o\ad(\s\up 9(じゅう),10)5")
    assert made is not None
    assert (made.text, made.ruby) == ("1105", [("10", "じゅう")])


def test_many_scripts_behind_each_other_are_not_looked_at_again_and_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at: list[int] = []

    def counted(left: str, right: str) -> bool:
        looked_at.append(len(left))
        return parted(left, right)

    monkeypatch.setattr("indx_format_office.fields.parted", counted)
    made = equation(r"EQ \b(\f(1,2))" + r"\s(1)" * 1900)
    assert made is not None
    assert made.text.startswith("(1/2)" + "^1" * 90)
    assert sum(looked_at) < 300 * len(looked_at)


@pytest.mark.parametrize("instruction", ["MACROBUTTON a  say  this ", " gotobutton x say\nthis"])
def test_a_button_shows_its_words(instruction: str) -> None:
    made = equation(instruction)
    assert made is not None
    assert (made.text, made.plain) == ("say this", True)


def test_many_buttons_of_nothing_but_spaces_are_soon_told_to_say_nothing() -> None:
    assert all(equation(f"MACROBUTTON {number}" + " " * 9_900) is None for number in range(2_000))


@pytest.mark.parametrize(
    "instruction", ["MACROBUTTON", "MACROBUTTON a ", "", "PAGE", "EQUAL", 'HYPERLINK "EQ"', "SEQ x"]
)
def test_other_fields_are_none(instruction: str) -> None:
    assert equation(instruction) is None


@given(st.text(alphabet="\\\\foasrbiu(),; 漢x{[", max_size=300))
def test_any_instruction_ends(inner: str) -> None:
    assert equation("EQ " + inner) is not None


def test_what_is_nested_very_deep_is_bounded() -> None:
    made = equation("EQ " + "\\f(" * 5000)
    assert made is not None
