"""What the shipped patterns find in a line, and what they keep quiet about."""

from __future__ import annotations

import pytest

from indx_ner_patterns._extraction import shipped

FOUND = {
    "url": [
        "See ⟦https://example.com/a_(b)?x=1&y=%20#top⟧.",
        "詳細は⟦https://example.com/docs/⟧をご覧ください",
        "(⟦HTTP://EXAMPLE.COM⟧), **⟦www.example.org/x⟧**",
        "[site](⟦https://example.com/⟧) `⟦ssh://git@example.com/repo.git⟧`",
        "⟦http://localhost:8080⟧, ⟦http://[2001:db8::1]:80/x⟧",
    ],
    "email": [
        "<⟦first.last+tag@mail.example.co.uk⟧>.",
        "連絡先：⟦info@example.jp⟧まで、⟦ｉｎｆｏ＠ｅｘａｍｐｌｅ．ｃｏｍ⟧",
        "mailto:⟦a@b.co⟧, 'quoted ⟦o'neil@example.org⟧' ...⟦x_1@example.xn--p1ai⟧",
    ],
    "invoice_number": [
        "Invoice No: ⟦NW-20931⟧   Date",
        "INVOICE NUMBER\n⟦2024/0173⟧",
        "invoice #⟦12⟧; Inv. No. ⟦A7_55-⟧ ".replace("-⟧", "⟧-"),
        "請求番号：⟦２０２４－０１７３⟧　請求書No. ⟦A-12⟧ 請 求 書 番 号 無し".replace("番 号", "番"),
        "ref ⟦INV-2024-001⟧.pdf",
    ],
    "tax_id": ["登録番号：⟦T1234567890123⟧", "(⟦T1-2345-6789-0123⟧)"],
    "iban": [
        "IBAN ⟦GB82 WEST 1234 5698 7654 32⟧ EUR",
        "⟦DE89370400440532013000⟧ ⟦NO93 8601 1117 947⟧、⟦MT84MALT011000012345MTLCAST001S⟧。",
    ],
    "card_number": ["⟦4111 1111 1111 1111⟧ ⟦5500-0000-0000-0004⟧ ⟦378282246310005⟧ ⟦3530111333300000⟧"],
    "date": [
        "on ⟦2024-02-29⟧, ⟦2024/1/5⟧ or ⟦2024.1.5⟧; ⟦1999-12-31⟧T10:00:00Z",
        "⟦12/31/2024⟧ ⟦31/12/2024⟧ ⟦31.12.2024⟧ ⟦01-02-2024⟧ ⟦5/8/24⟧",
        "⟦January 5, 2024⟧, ⟦Jan. 5th 2024⟧, ⟦5 January 2024⟧, ⟦5th of January, 2024⟧, ⟦05-JAN-2024⟧",
        "⟦January 2024⟧ ⟦SEPTEMBER 11⟧, ⟦25 December⟧. The ⟦30 January\n2000⟧ edition",
        "⟦2024年1月5日⟧(金) ⟦2024 年 1 月⟧ ⟦２０２４年１月５日⟧ ⟦2024年⟧の",
        "⟦令和6年3月31日⟧ ⟦令和元年⟧ ⟦昭和六十四年一月七日⟧ ⟦二〇二四年十二月三十一日⟧ ⟦平成31年4月⟧分",
        "⟦24年1月5日⟧、お支払期限 ⟦4月30日⟧ ⟦R6.1.5⟧ ⟦S59/12/1⟧",
        "期間：⟦2024/1/1⟧-⟦2024/3/31⟧、⟦2024-01-01⟧～⟦2024-03-31⟧",
    ],
    "time": [
        "⟦12:30⟧ ⟦9:05 a.m.⟧ ⟦11:20:31 -0700⟧ ⟦04:05:06.009⟧ ⟦15:04 JST⟧ ⟦5 pm⟧",
        "⟦午後3時30分⟧ ⟦15時⟧から ⟦10時5分20秒⟧ ⟦午前９：３０⟧ ⟦午前十時半⟧ ⟦3時半⟧",
        "2024-01-05T⟦10:20:30Z⟧ 2024-01-05T⟦10:20⟧",
    ],
    "money": [
        "⟦$5⟧ ⟦US$1,234.50⟧ ⟦€ 50⟧ ⟦£3.5bn⟧ ⟦¥1,000⟧ ⟦￥１，０００⟧ ⟦₹1,23,456.78⟧ -⟦$9.99⟧.",
        "⟦USD 1,234.50⟧ ⟦50 EUR⟧ ⟦1.234,56 €⟧ ⟦CHF 1'000.50⟧ ⟦1.5 million dollars⟧ ⟦79 cents⟧ ⟦$200 billion⟧",
        "⟦1,000円⟧ ⟦3億5,000万円⟧ ⟦5千円⟧ 金⟦五万円⟧也 ⟦百ドル⟧".replace("⟦百ドル⟧", "⟦100米ドル⟧"),
    ],
    "percentage": ["⟦20%⟧ ⟦12.5 %⟧ ⟦５０％⟧オフ ⟦3 percent⟧ ⟦10パーセント⟧ ⟦5‰⟧ 10–⟦20%⟧"],
    "ip_address": [
        "host ⟦192.168.0.1⟧, ⟦10.0.0.1⟧/8, ⟦203.0.113.7⟧:443.",
        "⟦2001:db8::1⟧ ⟦fe80::1ff:fe23:4567:890a⟧:",
    ],
    "postal_code": [
        "⟦〒100-0001⟧ ⟦〒 1000001⟧ ⟦〒１００－０００１⟧ 住所 ⟦530-0001⟧ 大阪府",
        "Springfield, IL ⟦62701⟧; Seattle, WA ⟦98104-1234⟧; London ⟦SW1A 1AA⟧",
    ],
    "phone": [
        "⟦+1 (212) 555-1234⟧ ⟦+81 3-1234-5678⟧ ⟦+819012345678⟧ ⟦+44 (0)20 7946 0958⟧ ⟦+41 41 619 67 73⟧;",
        "TEL⟦03-1234-5678⟧ FAX.⟦(03)1234-5678⟧ ⟦03(1234)5678⟧ ⟦０９０－１２３４－５６７８⟧ ⟦09012345678⟧",
        "⟦0120-123-456⟧、⟦045ー123ー4567⟧ ⟦212-555-1234⟧ ⟦(212) 555-1234⟧ ⟦1-800-555-1234⟧、⟦020 7946 0958⟧",
    ],
}
QUIET = [
    "a@b a@b.c icon@2x.png @handle a..b@example.com .@example.com git@github.com:org/repo user@-a.com",
    "http:// https://... www. www.example see://x.y",
    "Invoice number must be unique. Invoice No.\nDate\nnotes; invoice notes 12; 請求番号 3年分",
    "T123456789012 XT1234567890123 GB83WEST12345698765432 GB82WEST1234569876543 XX82WEST12345698765432",
    "4111 1111 1111 1112, 1234 5678 9012 3452, 4111-1111 1111 1111",
    "2024-13-01 2024-02-30 2024-00-10 13/13/2024 31/02/2024 2024年度 2024年代 1990年間 12月40日 may 5",
    "v2024.1.2 1.2.2024.3 3/4 12/2024/1 May Q4 2024",
    "25:00 12:60 3時間 5時限 a1:30 1:2:3:4 12:30:45:10",
    "$PATH $1^2 ${x} $x 1,2,3円 10円形 千円 PHP 8 1.2.3円",
    "100%20 5%x %20 1.2.3%",
    "Section 4.1.2.3 and 12.10.4.5, v1.2.3.4, 256.1.1.1, 1.2.3.400.5, ::, std::vector, ab:cd:ef",
    "123-4567 〒12-3456 IN 12345 AB12 3CDE 12345",
    "01-02-034 00-1234-5678 03-1234-56789 123-4567-8901 (999) 123-4567 +1 212 555 +123 0.123-456-7890",
    "SN-2024-555-123-4567-890",
]


def marked(line: str) -> tuple[str, list[tuple[int, int]]]:
    """The text of a line, and the places of what stands in its brackets."""
    text, places = "", []
    for part in line.split("⟦"):
        inside, closed, rest = part.partition("⟧")
        if closed:
            places.append((len(text), len(text) + len(inside)))
        text += inside + rest
    return text, places


@pytest.mark.parametrize(
    ("label", "line"), [(label, line) for label, lines in FOUND.items() for line in lines]
)
def test_it_finds(label: str, line: str) -> None:
    text, places = marked(line)
    found = [
        (span.start, span.end) for span in sorted(shipped(text), key=lambda s: s.start) if span.label == label
    ]
    assert [text[slice(*place)] for place in found] == [text[slice(*place)] for place in places]
    assert found == places


@pytest.mark.parametrize("line", QUIET)
def test_it_keeps_quiet_about(line: str) -> None:
    assert [(span.label, span.surface) for span in shipped(line)] == []


def test_what_is_part_of_something_longer_is_not_found_again() -> None:
    text = "https://example.com/2024-01-05/10.0.0.1?tel=03-1234-5678 ann@192.168.0.100.example.com"
    assert [span.label for span in shipped(text)] == ["url", "email"]


@pytest.mark.parametrize(
    ("sure", "unsure"),
    [
        ("2024-01-05", "5/8/24"),
        ("January 5, 2024", "May 5"),
        ("〒100-0001", "SW1A 1AA"),
        ("12:30:45", "12:30"),
    ],
)
def test_an_ambiguous_form_is_less_sure(sure: str, unsure: str) -> None:
    (one,), (other,) = shipped(sure), shipped(unsure)
    assert one.label == other.label
    assert one.confidence > other.confidence
