"""Signs of symbol fonts as characters."""

from __future__ import annotations

from indx_format_office.symbols import set_in, spelled, symbol


def test_spaces_and_hyphens_that_programs_put_into_any_text_stay_what_they_are() -> None:
    assert set_in("Symbol", "a\u00a0b\u00adc") == "α\u00a0β\u00adχ"


def test_the_signs_at_their_places_are_read_where_a_text_names_them() -> None:
    assert set_in("Symbol", "\uf0a0\uf0ad") == spelled("symbol", "\uf0a0\uf0ad") == "€↑"
    assert symbol("Symbol", 0xA0) + symbol("Symbol", 0xAD) == "€↑"
