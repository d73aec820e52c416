"""What pages of the shared corpus say, seen by eye: the order of their text, rows of their tables.

A string may run over the end of a line: white space is left out on both sides before they are compared.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise

__all__ = ["GRIDS", "ORDERS", "in_order", "plain", "rows_found"]

_DROPPED = re.compile("[\\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+")

ORDERS: dict[str, list[tuple[str, ...]]] = {
    "pdf/multicolumn.pdf": [
        (
            "Two-Column Document with Lorem Ipsum",
            "January 3, 2024",
            "with two columns filled with Lorem Ipsum text.",
            "Duis eget orci sit amet orci",
            "Nam dui ligula, fringilla a",
            "Vivamus viverra fermentum felis. Donec nonummy",
            "pellentesque ante. Phasellus adipiscing semper elit. Proin fermentum",
            "Quisque ullamcorper placerat ipsum. Cras nibh. Morbi vel",
            "Fusce mauris. Vestibulum luctus nibh at lectus. Sed bibendum",
            "Quisque egestas wisi eget nunc",
        )
    ],
    "pdf/federal-register-2020-17221.pdf": [
        (
            "contains notices to the public of the proposed issuance of rules",
            "Airworthiness Directives; The Boeing Company Airplanes",
            "supersede Airworthiness Directive",
            "using the procedures found in 14 CFR 11.43 and 11.45, by any of the following methods:",
            "Follow the instructions for submitting comments.",
            "Examining the AD Docket",
            "reference a specific portion of the",
            "proposal, explain the reason for any recommended change",
            "Confidential Business Information (CBI)",
            "accident after takeoff from",
        )
    ],
    "pdf/redp5110_sampled.pdf": [
        (
            "Expert help to achieve your business requirements",
            "No one else has the vast consulting experiences, skills sharing and renown service offerings",
            "Because no one else is IBM.",
            "Who we are, some of what we do",
            "Data-centric architecture and design",
        ),
    ],
    "pdf/korean-text-with-tables.pdf": [
        ("에브리데이, 홈플러스 익스프레스, 롯데슈퍼 등), 쇼핑 외 결제건", "주유는 LPG충전소 포함"),
        ("제과점은 오프라인 결제건에 한하며, 백화점, 할인점, 쇼핑몰 등의 임대매장은 제외", "적립 제외 대상"),
        ("대중교통, 택시, 아파트 관리비, 기프트/선불카드", "구매 및 충전, 상품권 구매건"),
    ],
    "pdf/jo.pdf": [
        (
            "わたくしといふ現象は",
            "假定された有機交流電燈の",
            "（あらゆる透明な幽霊の複合体） 風景やみんなといっしょに せはしくせはしく明滅しながら",
            "過去とかんずる方角から",
            "そのとほりの心象スケッチです これらについて人や銀河や修羅や海膽は",
            "けれどもこれら新世代沖積世の",
            "（あるひは修羅の十億年）",
        )
    ],
    "pdf/2305.03393v1-pg9.pdf": [
        (
            "order to compute the TED score.",
            "5.1 Hyper Parameter Optimization",
            "Table 1.",
            "0.944",
            "5.2 Quantitative Results",
            "steps which is a result of the reduced sequence representation.",
        )
    ],
    "pdf/nics-background-checks-2015-11-rotated.pdf": [
        ("NICS Firearm Background Checks", "Alabama", "Alaska", "Wyoming", "These statistics represent")
    ],
    "pdf/scotus-transcript-p1.pdf": [
        (
            "Official - Subject to Final Review",
            "The above-entitled matter came on for oral",
            "Alderson Reporting",
        )
    ],
    "pdf/issue8570.pdf": [("3Dレーザーレーダー", "隙間のない空間スキャンで", "光学技術×レーザー走査技術")],
    "pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf": [
        (
            "TECHMART ELECTRONICS",
            "Portable SSD 2TB Thunderbolt 3 Compatible",
            "SUBTOTAL $863.91",
            "RETURN POLICY",
        )
    ],
}
"""Strings in the order they are read; those of one list stand on one page. Lists of a file are apart."""

GRIDS: dict[str, list[tuple[str, ...]]] = {
    "pdf/issue-53-example.pdf": [
        ("Apr-2015", "653,278", "107.5", "2,958,643", "108.7", "3,951,483", "103.0", "74.9"),
        ("FY15 1st Q TTL", "2,007,367", "108.8", "9,358,245", "108.9", "12,008,829", "102.4", "77.9"),
        ("FY2013", "31,218,734", "104.0", "23,745,163", "103.2", "37,084,260", "101.8", "64.0"),
        ("TTL Flight Number", "18391", "4348", "22,739"),
    ],
    "pdf/ca-warn-report.pdf": [
        ("Notice Date", "Effective", "Received", "Company", "City", "No. Of", "Layoff/Closure"),
        ("07/01/2015", "09/02/2015", "07/01/2015", "Leidos", "El Segundo", "72", "Layoff Permanent"),
        ("07/14/2015", "09/18/2015", "07/20/2015", "Actavis, Inc.", "Corona", "45", "Layoff Permanent"),
    ],
    "pdf/2305.03393v1-pg9.pdf": [
        ("OTSL", "0.965", "0.934", "0.955", "0.88", "2.73"),
        ("HTML", "0.945", "0.901", "0.931", "0.834", "3.81"),
    ],
    "pdf/SPARSE-2024-INV-1234_borderless_table.pdf": [
        ("SKU-9201", "", "780", "778", "", "OK"),
        ("SKU-4563", "D-22", "", "156", "", "CRITICAL"),
        ("SKU-6678", "Software", "$200.00", "$42,000.00", "2024-10-25", "High Value"),
        ("SKU-5512", "Hardware", "$89.00", "$31,150.00", "", "Pending"),
    ],
    "pdf/korean-text-with-tables.pdf": [("주유", "모든 주유소"), ("제과점", "파리바게뜨, 뚜레쥬르")],
    "pdf/nics-background-checks-2015-11-rotated.pdf": [
        ("Alaska", "209", "3,062", "3,209", "191", "184", "0", "9", "3", "0", "100", "100"),
        ("Guam", "0", "100", "55", "12", "3"),
    ],
    "pdf/issue-67-example.pdf": [
        ("杨琴秀", "境内自然人", "3.20%", "27,955,752"),
        ("预付款项", "2,436,695.05", "1,878,311.93", "29.73%", "子公司货款增加"),
    ],
    "pdf/redp5110_sampled.pdf": [
        ("CLIENT_PORT", "INTEGER", "Port used by the current client to communicate with the server"),
        ("SYSTEM_USER", "The authorization ID that initiated the connection."),
        ("Visual Explain within Run SQL scripts", "X", "", "X", "X", "X"),
    ],
    "slides/fake-power-point-table.pptx": [("Purple", "Orange", "Yellow")],
    "slides/powerpoint_sample.pptx": [("R1", "True", "False")],
    "slides/odf_presentation_01.odp": [("R1", "True", "False")],
    "slides/legacy_sample.ppt": [("R1", "True", "False")],
    "word/docx-tables.docx": [("Header Col 1", "Header Col 2"), ("Lorem ipsum", "A link example")],
    "word/test.docx": [("13", "14", "49e168b7-d2ae-407f-a055-2167576f39a1", "15", "16", "17")],
    "word/stress019.docx": [("２", "業務の流れ", "プロセス及びスケジュールの妥当性")],
    "sheets/xlsx_01.xlsx": [("1", "5", "9"), ("3", "6", "9", "12")],
    "sheets/data_j.xls": [("1911", "住友林業", "市場第一部（内国株）", "2050", "建設業")],
    "sheets/table-with-ints-floats-dates.ods": [("2013", "3.3")],
    "html/example_08.html": [("January", "$134", "$162")],
    "csv/csv-semicolon.csv": [("2", "1Ef7b82A4CAAD10", "Preston", "Lozano", "Vega-Gentry")],
}
"""Runs of cells that stand beside each other in a row."""


def plain(text: str) -> str:
    """Compatibility forms folded; white space and marks of direction left out."""
    return _DROPPED.sub("", unicodedata.normalize("NFKC", text))


def in_order(text: str, strings: Sequence[str]) -> tuple[int, int]:
    """How many of the strings after the first stand after the one before them, of how many."""
    whole = plain(text)
    places = [whole.find(plain(one)) for one in strings]
    good = sum(0 <= before < after for before, after in pairwise(places))
    return good, len(strings) - 1


def rows_found(
    tables: Iterable[Sequence[Sequence[str | None]]], rows: Sequence[Sequence[str]]
) -> tuple[int, int]:
    """How many of the rows stand in some table, cell by cell, of how many."""
    held = [[plain(cell or "") for cell in row] for table in tables for row in table]
    found = [any(_runs(row, [plain(cell) for cell in wanted]) for row in held) for wanted in rows]
    return sum(found), len(rows)


def _runs(row: Sequence[str], wanted: Sequence[str]) -> bool:
    return any(row[at : at + len(wanted)] == wanted for at in range(len(row) - len(wanted) + 1))
