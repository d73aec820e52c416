"""The parser under the rules of its port, by the sessions of the readers and by those of others."""

from __future__ import annotations

from typing import Any

import pytest

from indx_core.ports import SourceContent
from indx_parser_invoice.provider import HTML, PDF, WORD, parser
from indx_reader_html.provider import observer as html_observer
from indx_reader_pdf.provider import observer as pdf_observer
from indx_reader_word.provider import observer as word_observer
from indx_testkit.parsing import ParserKit
from indx_testkit.samples import DocumentSample


class Observers:
    """The observer of each format."""

    def open(self, source: SourceContent) -> Any:
        observers = {PDF: pdf_observer, WORD[0]: word_observer, HTML[0]: html_observer}
        return observers[source.media_type]().open(source)


class TestParser(ParserKit):
    factory = staticmethod(parser)
    observer = staticmethod(Observers)

    @pytest.fixture(autouse=True)
    def _documents(self, pdf, docx, html, english, japanese, scan) -> None:
        report = (("Quarterly report",), ("Nothing to pay here",))
        receipt = (("Receipt",), *english[1:])
        self.documents = [
            DocumentSample(
                pdf(report, english, scan, information=b"/Title(Papers)"),
                PDF,
                "papers.pdf",
                pages=3,
                expected={2: ["INV-0042", "Total\t$1,357.95"]},
                unread={1: "no_invoice", 3: "no_text_layer"},
            ),
            DocumentSample(pdf(japanese), PDF, "seikyu.pdf", pages=1, expected=["株式会社山田商事"]),
            DocumentSample(
                docx(japanese, header="控え"), WORD[0], pages=1, expected=["請求日\t2026年5月8日", "控え"]
            ),
            DocumentSample(html(english), HTML[0], pages=1, expected=["INV-0042"]),
        ]
        self.others = [
            DocumentSample(pdf(report, scan), PDF),
            DocumentSample(docx(receipt), WORD[0]),
            DocumentSample(html(report, title="Invoice"), HTML[0]),
            DocumentSample(html((("Please send the invoice by Friday.",), ("Total 3",))), HTML[0]),
            DocumentSample(pdf((("御見積書",), *japanese[1:2], *japanese[3:])), PDF),
        ]


class TestParserBySessionsOfOthers(TestParser):
    observer = None
