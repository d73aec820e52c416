"""Numbers as people read them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_format_office.numbers import BUILTIN_FORMATS, NumberFormat


def shown(text: str, code: str, *, epoch_1904: bool = False) -> str:
    return NumberFormat(code).show(text, epoch_1904=epoch_1904)


@pytest.mark.parametrize(
    ("text", "code", "expected"),
    [
        ("45292", "yyyy-mm-dd", "2024-01-01"),
        ("45292", "d/m/yy", "2024-01-01"),
        ("45292", BUILTIN_FORMATS[14], "2024-01-01"),
        ("45292.5", "yyyy-mm-dd h:mm", "2024-01-01 12:00:00"),
        ("45292", "yyyy-mm-dd h:mm", "2024-01-01 00:00:00"),
        ("45292.75", "yyyy-mm-dd", "2024-01-01"),
        ("0.25", "h:mm", "06:00:00"),
        ("0.25", "m/d/yyyy h:mm", "06:00:00"),
        ("0.0000115741", "mm:ss.000", "00:00:01"),
        ("1.5", "[h]:mm", "36:00:00"),
        ("1.5", "[mm]:ss", "2160:00"),
        ("45292", '[$-411]ggge"年"m"月"d"日"', "2024-01-01"),
        ("45292", "[Red]yyyy;@", "2024-01-01"),
        ("0.256", "0.0%", "25.6%"),
        ("0.07", "0%", "7%"),
        ("0.3333333333333333", "0%", "33.3333333333333%"),
        ("0.30000000000000004", "General", "0.3"),
        ("12345678901234", "General", "12345678901234"),
        ("100.0", "General", "100"),
        ("-12345.0", "0", "-12345"),
        ("2.50", "0.00", "2.5"),
        ("-120", "General", "-120"),
        ("7.", "General", "7"),
        ("", "General", ""),
        ("1E-3", "General", "0.001"),
        ("1.5E+25", "0.00E+00", "1.5E+25"),
        ("1234.5", '#,##0.00 "kg"', "1234.5 kg"),
        ("7", "0000", "0007"),
        ("7.5", "0000", "7.5"),
        ("1234", '"day" 0', "day 1234"),
        ("99.9", "_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-", "99.9 €"),
        ("-1234.5", "$#,##0.00;[Red]($#,##0.00)", "-$1234.5"),
        ("5000", "[$¥-411]#,##0", "¥5000"),
        ("-5000", "#,##0_);(#,##0)", "-5000"),
        ("7", "[$USD] 0", "USD 7"),
        ("3", '"Q"0', "Q3"),
        ("-3", '0" gain";0" loss"', "-3 loss"),
        ("5.5", '0.0,,"M"', "5.5"),
        ("5000", '#,##0,"k"', "5000"),
        ("5", '# ?/?" in"', "5"),
        ("77", ";;;", "77"),
        ("-3", '"yes";"no"', "-3"),
        ("123456789", "000-00-0000", "123-45-6789"),
        ("123456789", "000\\-00\\-0000", "123-45-6789"),  # as Excel writes it
        ("1234567", "00000\\-0000", "00123-4567"),
        ("12", '"A-"000', "A-012"),
        ("5551234", "[<=9999999]###-####;(###) ###-####", "555-1234"),
        ("2125551234", "[<=9999999]###-####;(###) ###-####", "(212) 555-1234"),
        ("42", "[>100]0\\!;0\\?", "42?"),
        ("12.5", "00-00", "12.5"),
        ("2.5", 'General" h"', "2.5 h"),
        ("2", '0" General"', "2 General"),
        ("1", '"', "1"),
        ("-3", "yyyy-mm-dd", "-3"),
        ("0", "yyyy-mm-dd", "0"),
        ("60", "yyyy-mm-dd", "60"),
        ("61", "yyyy-mm-dd", "1900-03-01"),
        ("59", "yyyy-mm-dd", "1900-02-28"),
        ("1", "yyyy-mm-dd", "1900-01-01"),
        ("1e300", "yyyy-mm-dd", "1E+300"),
        ("not a number", "yyyy-mm-dd", "not a number"),
        ("nan", "0%", "nan"),
        ("1e302", "0%", "1e302"),
        ("inf", "General", "inf"),
    ],
)
def test_a_number_is_read_by_its_format(text: str, code: str, expected: str) -> None:
    assert shown(text, code) == expected


def test_days_count_from_the_epoch_of_the_workbook() -> None:
    assert shown("0", "yyyy-mm-dd", epoch_1904=True) == "1904-01-01"
    assert shown("1111", "yyyy-mm-dd", epoch_1904=True) == "1907-01-16"


@given(st.integers(61, 2_958_465))
def test_every_day_is_the_day_it_is(serial: int) -> None:
    assert shown(str(serial), "dd.mm.yyyy") == (date(1899, 12, 30) + timedelta(days=serial)).isoformat()


@given(st.text(max_size=20), st.text("0#.,%;@yYmMdDhHsSgGeEaApP/[]\"\\_*+- '$", max_size=20), st.booleans())
def test_no_format_and_no_text_make_it_raise(text: str, code: str, epoch: bool) -> None:
    assert isinstance(shown(text, code, epoch_1904=epoch), str)


@given(st.floats(-1e300, 1e300))
def test_a_plain_number_keeps_its_value_to_fifteen_digits(value: float) -> None:
    assert float(shown(repr(value), "General")) == pytest.approx(value, rel=1e-14)
