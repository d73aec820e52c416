"""Fields as invoices print them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.invoice import Invoice

HEAD = "INVOICE\nInvoice No: A-1\nDate: 1/2/2026\nBill To: Beta Inc\n"


def test_an_english_invoice(fields, text, english):
    assert fields(text(english)) == {
        "number": "INV-0042",
        "issue_date": "5/8/2026",
        "due_date": "6/7/2026",
        "currency": "$",
        "subtotal": "1234.50",
        "tax": "123.45",
        "total": "1357.95",
        "recipient": "Beta Inc",
    }


def test_a_japanese_invoice(fields, text, japanese):
    assert fields(text(japanese)) == {
        "number": "２０２６-００１",
        "issue_date": "2026年5月8日",
        "due_date": "令和8年6月30日",
        "currency": "￥",
        "subtotal": "10000",
        "tax": "1000",
        "total": "11000",
        "issuer": "株式会社サンプル",
        "recipient": "株式会社山田商事",
    }


@pytest.mark.parametrize(
    "printed",
    [
        "5/8/2026",
        "08.05.2026",
        "2026-05-08",
        "2026/5/8",
        "2026年5月8日",
        "２０２６年５月８日",
        "令和8年5月8日",
        "R8.5.8",
        "令和元年5月1日",
        "May 8, 2026",
        "8 May 2026",
        "8th of May 2026",
        "08-May-26",
        "Sept. 8, 2026",
    ],
)
def test_dates_stay_as_printed(fields, printed):
    assert fields(f"{HEAD}Due date: {printed}\nTotal: 5.00")["due_date"] == printed


@pytest.mark.parametrize("printed", ["Net 30", "30 days", "on receipt", "5/8", "123456", "2026"])
def test_what_is_no_date_is_left_out(fields, printed):
    assert "due_date" not in fields(f"{HEAD}Due date: {printed}\nTotal: 5.00")


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("Invoice Number: INV-2026/001", "INV-2026/001"),
        ("Invoice #: 17", "17"),
        ("Invoice # 17", "17"),
        ("Tax Invoice No. X.9", "X.9"),
        ("INVOICE NO\tA17", "A17"),
        ("Invoice no\tDate\tDue\nA17\t1/2/2026\t1/3/2026", "A17"),
        ("Invoice Number\nA17", "A17"),
        ("請求書番号：第2026-1号", "第2026-1号"),
        ("請求番号 INV_7", "INV_7"),
        ("請求No. 7", "7"),
        ("No. 20260508", "20260508"),
        ("【請求書番号】 77", "77"),
    ],
)
def test_numbers_stand_behind_their_label_beside_it_or_below(fields, line, number):
    assert fields(f"請求書\n{line}\n請求日：2026年5月8日\n山田太郎 様\n合計 5,000円")["number"] == number


def test_a_title_may_carry_the_number(fields):
    found = fields("Invoice #INV-3\nDate: 1/2/2026\nBill to: Beta\nTotal: 5.00")
    assert found["number"] == "INV-3"


def test_a_registration_number_is_no_number_of_an_invoice(fields):
    found = fields("請求書\n請求番号 T1234567890123\n請求日 2026年5月8日\n甲社 御中\n合計 5,000円")
    assert "number" not in found


def test_the_head_of_a_list_of_things_sold_labels_nothing(fields):
    found = fields(f"{HEAD}No.\tItem\tQty\tTotal\n77\tBolt\t2\t$4.00\nTotal\t$9.00")
    assert (found["number"], found["total"]) == ("A-1", "9.00")


def test_summaries_that_stand_in_columns_are_read_below_their_labels(fields):
    found = fields("請求書\n甲社 御中\n請求日 2026年5月8日\n小計\t消費税\t合計\n10,000\t1,000\t11,000")
    assert (found["subtotal"], found["tax"], found["total"]) == ("10000", "1000", "11000")


def test_summaries_that_stand_in_one_line_are_read_behind_their_labels(fields):
    found = fields(f"{HEAD}Subtotal\t10.00\tVAT 20%\t2.00\tTotal\t12.00")
    assert (found["subtotal"], found["tax"], found["total"]) == ("10.00", "2.00", "12.00")


@pytest.mark.parametrize(
    ("lines", "total"),
    [
        ("Total: $5.00\nAmount Due: $0.00", "5.00"),
        ("Total\t$5.00\nGrand Total\t$6.00\nTotal\t$5.50", "6.00"),
        ("Amount due\t$7.00", "7.00"),
        ("Page total\t$1.00\nTotal\t$5.00\nTotal\t$8.00", "8.00"),
        ("Total (USD): 5.00", "5.00"),
        ("Total in USD: 5.00", "5.00"),
        ("Total (incl. VAT)\t5.00", "5.00"),
        ("Total\n5.00", "5.00"),
        ("合計\t3\t5,000", "5000"),
        ("合計（税抜） 4,000\n合計（税込） 4,400", "4400"),
        ("合計 4,400\n今回御請求額 9,000円\n前回御請求額 1,000円", "9000"),
        ("ご請求金額\n¥8,000-", "8000"),
        ("Total\t2 500\t$5.00", "5.00"),
    ],
)
def test_the_total_is_what_says_so_best_and_last(fields, lines, total):
    assert fields(f"{HEAD}{lines}\n")["total"] == total


@pytest.mark.parametrize(
    "line", ["Total items: 5", "Total 1 234,50", "Totally 5.00", "合計数量 5", "Total 10%"]
)
def test_what_only_looks_like_a_total_makes_no_invoice(invoices, line):
    assert invoices(HEAD + line) == []


def test_several_rates_of_tax_are_not_added_up_nor_picked_from(fields):
    rates = "消費税（10%） 1,000円\n消費税（8%） 80円\n合計 12,080円"
    assert "tax" not in fields(f"{HEAD}{rates}")
    assert fields(f"{HEAD}消費税合計 1,080円\n{rates}")["tax"] == "1080"
    assert fields(f"{HEAD}Tax ID: 123456\nTax 10%: 0.50\nTotal: 5.50")["tax"] == "0.50"


@pytest.mark.parametrize(
    ("lines", "currency"),
    [
        ("Total: $5.00 USD", "USD"),
        ("Total: ¥500", "¥"),
        ("合計 500円", "円"),
        ("Total in EUR: 5.00", "EUR"),
        ("Total (GBP): 5.00", "GBP"),
        ("Currency: CHF\nTotal: 5.00", "CHF"),
        ("Tax: €1.00\nTotal: 5.00", "€"),
        ("Total: 5.00", None),
    ],
)
def test_a_currency_is_the_mark_of_the_total_or_what_says_so(fields, lines, currency):
    assert fields(f"{HEAD}{lines}").get("currency") == currency


@pytest.mark.parametrize(
    ("lines", "recipient"),
    [
        ("Bill To: Beta Inc", "Beta Inc"),
        ("Billed to\nBeta Inc", "Beta Inc"),
        ("Acme Ltd\tBill to\n1 Street\tJane Doe", "Jane Doe"),
        ("Customer: Beta Inc", "Beta Inc"),
        ("株式会社甲 御中", "株式会社甲"),
        ("株式会社甲\t御中", "株式会社甲"),
        ("株式会社甲\n御中", "株式会社甲"),
        ("山田太郎様", "山田太郎"),
        ("請求先：株式会社甲 御中", "株式会社甲"),
        ("From\tTo\nAcme\tBeta Inc", "Beta Inc"),
    ],
)
def test_recipients(fields, lines, recipient):
    found = fields(f"Invoice\nInvoice No: 1\nDate: 1/2/2026\n{lines}\nTax: 1.00\nTotal: 5.00")
    assert found["recipient"] == recipient


@pytest.mark.parametrize(
    "line", ["お客様", "製品仕様", "関係各位 様", "Customer service 24 hours", "Bill To: 123"]
)
def test_nobody_is_made_up(fields, line):
    assert "recipient" not in fields(
        f"Invoice\nInvoice No: 1\nDate: 1/2/2026\n{line}\nTax: 1.00\nTotal: 5.00"
    )


def test_issuers_are_labelled_or_the_only_company_that_is_not_addressed(fields):
    assert fields(f"{HEAD}From: Acme Ltd\nTotal: 5.00")["issuer"] == "Acme Ltd"
    assert fields(f"{HEAD}㈱乙\nTotal: 5.00")["issuer"] == "㈱乙"
    assert "issuer" not in fields(f"{HEAD}株式会社乙\n有限会社丙\nTotal: 5.00")
    assert "issuer" not in fields(f"{HEAD}口座名義 株式会社乙\nTotal: 5.00")


def test_a_date_without_a_label_counts_where_it_is_the_only_one_on_a_line(fields):
    head = "請求書\n請求番号 1\n甲社 御中\n合計 5,000円\n登録番号 T1234567890123\n"
    assert fields(f"2026年5月8日\n{head}")["issue_date"] == "2026年5月8日"
    assert "issue_date" not in fields(f"2026年5月8日\n{head}2026年5月9日")
    assert "issue_date" not in fields(f"{head}お支払期限\n2026年5月9日")


def test_several_labels_may_stand_in_a_cell(fields):
    found = fields(
        "Invoice\nInvoice No 7 Invoice Date May 8, 2026 Due Date May 9, 2026\nTo: Beta\nTotal: 5.00"
    )
    assert (found["number"], found["issue_date"], found["due_date"]) == ("7", "May 8, 2026", "May 9, 2026")


@pytest.mark.parametrize(
    "title",
    [
        "INVOICE",
        "Tax Invoice",
        "I N V O I C E",
        "請　求　書",
        "ご請求書",
        "御請求書（控）",
        "適格請求書",
        "5月分請求書",
        "納品書兼請求書",
        "請求書兼領収書",
        "Invoice / 請求書",
        "請\t求\t書",
    ],
)
def test_titles(invoices, title):
    (found,) = invoices(f"{title}\n甲社 御中\n発行日 2026/5/8\n合計 5,000円")
    assert found.title


def test_evidence_names_a_title_without_asides(invoices):
    (found,) = invoices("請　求　書（山田様分）\n甲社 御中\n発行日 2026/5/8\n合計 5,000円")
    assert found.evidence()[0] == 'the title is "請 求 書"'


@pytest.mark.parametrize(
    "title", ["Receipt", "領収書", "Quotation", "御見積書", "納品書", "Purchase Order", "Credit Note"]
)
def test_other_papers_that_name_an_invoice_are_none(invoices, title):
    assert invoices(f"{title}\nInvoice No: 1\nDate: 1/2/2026\nBill to: Beta\nTotal: 5.00\nTax: 1.00") == []


def test_prose_about_invoices_is_none(invoices):
    assert (
        invoices("How to send an invoice\nAn invoice has a date and a total.\nInvoice No is required.") == []
    )


PARTS = (
    *(
        "Invoice",
        "Invoice No: ",
        "7",
        "Date",
        "1/2/2026",
        "Total",
        "$1.00",
        "Tax",
        "10%",
        "From",
        "To",
        "INV-1",
    ),
    *("請求書", "請求番号", "合計", "5,000円", "小計", "消費税", "御中", "様", "甲社", "株式会社", "金"),
    *("\t", "\n", " ", "(", ")", "：", "T1234567890123", "\u3000", "令和8年5月8日"),
)


@given(st.lists(st.sampled_from(PARTS), max_size=60))
def test_whatever_a_page_says_the_fields_are_those_of_the_contract(invoices, parts):
    for found in invoices("".join(parts)):
        written = found.as_json()
        assert Invoice.model_validate(written).model_dump(mode="json") == written
        assert all(type(value) is str and value for value in written.values())
        assert 0 < found.confidence <= 1
        assert found.evidence()
