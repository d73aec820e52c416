"""Where invoices begin, go on and end in a document, and on what evidence."""

from __future__ import annotations

import json

HEAD = "INVOICE\nInvoice No: {}\nDate: 1/2/2026\nBill To: Beta Inc"
TOTAL = "Subtotal: 4.00\nTax: 1.00\nTotal: {}"


def pages(found):
    return [(one.pages, one.home) for one in found]


def test_an_invoice_of_several_pages_is_one(invoices):
    found = invoices(HEAD.format(7), "Widget\t4.00", TOTAL.format("5.00"), "Terms and conditions")
    assert pages(found) == [([1, 2, 3], 1)]
    assert found[0].as_json()["total"] == "5.00"


def test_pages_that_repeat_the_number_belong_together(invoices):
    head = HEAD.format(7)
    found = invoices(*(f"{head}\nPage {n}\n{TOTAL.format('5.00')}" for n in range(3)))
    assert pages(found) == [([1, 2, 3], 1)]


def test_another_number_begins_another_invoice(invoices):
    whole = [f"{HEAD.format(n)}\n{TOTAL.format('5.00')}" for n in (1, 2)]
    assert pages(invoices(*whole)) == [([1], 1), ([2], 2)]
    assert [one.number() for one in invoices(*whole)] == ["1", "2"]


def test_another_title_and_total_without_numbers_begin_another_invoice(invoices):
    whole = "Invoice\nDate: 1/2/2026\nBill To: Beta\nTotal: 5.00"
    assert pages(invoices(whole, whole)) == [([1], 1), ([2], 2)]


def test_the_fields_stand_on_the_page_with_the_number(invoices):
    cover = "Invoice\nBill To: Beta Inc\nDate: 1/2/2026"
    assert pages(invoices(cover, f"Invoice No: 9\n{TOTAL.format('5.00')}")) == [([1, 2], 2)]


def test_pages_around_an_invoice_are_not_of_it(invoices):
    whole = f"{HEAD.format(7)}\n{TOTAL.format('5.00')}"
    found = invoices("A letter", whole, "Delivery note\nTotal: 3", "", "An annex")
    assert pages(found) == [([2], 2)]


def test_an_invoice_waits_for_its_total_only_so_long(invoices):
    head, total = HEAD.format(7), TOTAL.format("5.00")
    assert pages(invoices(head, *["goods"] * 10, total)) == [(list(range(1, 13)), 1)]
    assert invoices(head, *["goods"] * 11, total) == []


def test_a_very_long_page_is_no_invoice(invoices):
    whole = f"{HEAD.format(7)}\n{TOTAL.format('5.00')}\n"
    assert invoices(whole + "x\n" * 20_000) == []


def test_of_a_page_of_very_many_lines_the_first_are_looked_at(invoices):
    whole = f"{HEAD.format(7)}\n{TOTAL.format('5.00')}\n"
    assert invoices("x\n" * 1_980 + whole)
    assert invoices("x\n" * 2_000 + whole) == []
    assert invoices("\n \n" * 2_000 + "x" * 501 + "\n" + whole)


def test_confidence_is_the_share_of_seven_signals(invoices, text, english, japanese):
    (whole,) = invoices(text(english))
    assert whole.confidence == 1.0
    assert whole.evidence() == [
        'the title is "INVOICE"',
        'a number is labelled "Invoice No"',
        'a date of issue is labelled "Invoice Date"',
        'a total amount is labelled "Total"',
        'an amount of tax is labelled "Sales Tax"',
        'a recipient is labelled "Bill To"',
        'a tax registration number is printed ("Tax ID")',
    ]
    (other,) = invoices(text(japanese))
    assert other.confidence == 1.0
    (partial,) = invoices("Invoice\nDate: 1/2/2026\nBill To: Beta\nTotal: 5.00")
    assert partial.confidence == round(4 / 7, 6)


def test_three_signals_or_no_total_or_no_name_are_not_enough(invoices):
    assert invoices("Invoice\nInvoice No: 1\nTotal: 5.00") == []
    assert invoices("Invoice\nInvoice No: 1\nDate: 1/2/2026\nBill To: Beta\nTax: 1.00") == []
    assert (
        invoices("Document No: 1\nDate: 1/2/2026\nBill To: Beta\nTax: 1.00\nTotal: 5.00 (see invoice)") == []
    )


def test_evidence_holds_no_value(invoices, text, english):
    (found,) = invoices(text(english))
    said = json.dumps(found.evidence())
    assert not [value for value in found.as_json().values() if len(value) > 1 and value in said]
