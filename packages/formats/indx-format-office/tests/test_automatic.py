"""Automatic numbers: by level and scheme, by whose style, and where they begin again."""

from __future__ import annotations

import pytest

from indx_format_office import TextWriter
from indx_format_office._xml import parse
from indx_format_office.automatic import SCHEMES, kinds_of
from indx_format_office.drawing import write_paragraphs

SPACE = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'


def number(scheme: str = "arabicPeriod", start: int | None = None) -> str:
    return f'<a:buAutoNum type="{scheme}"' + (f' startAt="{start}"/>' if start is not None else "/>")


def p(text: str, bullet: str = "", level: int = 0) -> str:
    return f'<a:p><a:pPr lvl="{level}">{bullet}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>'


def lines(*paragraphs: str, style: str = "", above: str = "") -> list[str]:
    body = f"<a:txBody {SPACE}><a:lstStyle>{style}</a:lstStyle>{''.join(paragraphs)}</a:txBody>"
    writer = TextWriter()
    styles = [kinds_of(parse(f"<a:lstStyle {SPACE}>{above}</a:lstStyle>".encode(), "test"))]
    write_paragraphs(parse(body.encode(), "test"), writer, lambda _: "", styles)
    return writer.text().split("\n")


def test_paragraphs_are_counted_by_level() -> None:
    deep = number("alphaLcParenR")
    found = lines(
        p("one", number()),
        p("a", deep, 1),
        p("b", deep, 1),
        p("two", number()),
        p("a", deep, 1),
        p("", number()),
    )
    assert found == ["1. one", "  a) a", "  b) b", "2. two", "  a) a"]


def test_an_empty_paragraph_is_not_counted_and_ends_nothing() -> None:
    assert lines(p("one", number()), p(" ", number()), "<a:p/>", p("two", number())) == ["1. one", "2. two"]


def test_a_paragraph_without_number_or_of_another_kind_begins_again() -> None:
    found = lines(p("one", number()), p("apart"), p("one", number()), p("x", number("romanUcPeriod")))
    assert found == ["1. one", "apart", "1. one", "I. x"]


def test_paragraphs_without_number_are_set_in_by_their_level_too() -> None:
    assert lines(p("one"), p("below", level=1), p("deep", level=2), p("", level=2), p("two")) == [
        "one",
        "  below",
        "    deep",
        "two",
    ]


def test_counting_begins_where_it_is_stated() -> None:
    assert lines(p("a", number(start=4)), p("b", number(start=4)), p("c", number(start=9))) == [
        "4. a",
        "5. b",
        "9. c",
    ]


def test_the_nearest_style_says_how_a_level_is_numbered() -> None:
    above = f"<a:lvl1pPr>{number()}</a:lvl1pPr><a:lvl2pPr>{number()}</a:lvl2pPr>"
    assert lines(p("a"), p("b", level=1), above=above) == ["1. a", "  1. b"]
    own = f"<a:lvl1pPr>{number('alphaUcPeriod')}</a:lvl1pPr>"
    assert lines(p("a"), p("b", level=1), style=own, above=above) == ["A. a", "  1. b"]


@pytest.mark.parametrize("bullet", ["<a:buNone/>", '<a:buChar char="-"/>', "<a:buBlip/>"])
def test_a_bullet_or_none_takes_the_number_of_the_style_away(bullet: str) -> None:
    style = f"<a:lvl1pPr>{number()}</a:lvl1pPr>"
    assert lines(p("a"), p("b", bullet), style=style) == ["1. a", "b"]


@pytest.mark.parametrize(
    ("scheme", "label"),
    [
        *(
            ("arabicParenR", "4)"),
            ("arabicParenBoth", "(4)"),
            ("arabicPlain", "4"),
            ("alphaUcParenBoth", "(D)"),
        ),
        *(("romanLcPeriod", "iv."), ("romanUcParenR", "IV)"), ("circleNumWdBlackPlain", "④")),
        *(("ea1JpnKorPeriod", "四."), ("arabicDbPlain", "４"), ("thaiAlphaPeriod", "ง.")),
        *(("thaiNumParenBoth", "(๔)"), ("hebrew2Minus", "ד-"), ("hindiNumPeriod", "४."), ("unknown", "4.")),
    ],
)
def test_schemes_are_written_as_they_are_named(scheme: str, label: str) -> None:
    assert lines(p("x", number(scheme, 4))) == [f"{label} x"]


@pytest.mark.parametrize("start", ["-3", "0", "x", "9" * 30])
def test_a_start_that_is_none_is_the_first(start: str) -> None:
    assert lines(p("x", f'<a:buAutoNum type="arabicPeriod" startAt="{start}"/>')) == ["1. x"]


def test_schemes_stand_where_the_binary_format_has_them() -> None:
    assert [SCHEMES.index(name) for name in ("alphaLcPeriod", "arabicPeriod", "hindiAlpha1Period")] == [
        0,
        3,
        40,
    ]
