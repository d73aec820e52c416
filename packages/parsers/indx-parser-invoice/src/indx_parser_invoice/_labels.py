"""What invoices call their fields, in English and Japanese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from indx_parser_invoice._cells import Cell

__all__ = ["AMOUNTS", "Kind", "Label", "is_other_title", "label_of", "title_of"]

Kind = Literal[
    "number",
    "issue_date",
    "due_date",
    "subtotal",
    "tax",
    "total",
    "issuer",
    "recipient",
    "registration",
    "currency",
    "item",
    "other",
]

AMOUNTS: Final = frozenset(("subtotal", "tax", "total"))


@dataclass(frozen=True, slots=True)
class Label:
    """A label at the beginning of a cell.

    Attributes:
        kind: What it names; `item` heads a column of a list of things sold, `other` is no field of ours.
        rank: 0 for a name that says exactly that, more for one that says it in other words.
        name: The label as printed.
        end: Where what it labels may begin.
        marked: Whether a colon stands behind it.
    """

    kind: Kind
    rank: int
    name: str
    end: int
    marked: bool


_NO: Final = r"(?:no\.?|nr\.?|num(?:ber)?\.?|id|#|№)"
_REQUEST: Final = r"(?:今回|当月|今月)?(?:御|ご)?請求"
_RATE: Final = r"(?:[0-9]{1,2}(?:\.[0-9]{1,3})?\s*%\s*)?"

# Of each kind and rank, ways to say it; what stands first is tried first.
_WORDS: Final[Sequence[tuple[Kind, int, Sequence[str]]]] = (
    (
        "registration",
        0,
        (
            rf"(?:vat|gst|tax|abn|ein|tin|company)\s*(?:reg(?:istration)?\.?\s*{_NO}?|{_NO})",
            r"abn",
            r"(?:適格請求書発行)?(?:事業者)?登録番号",
            r"(?:インボイス(?:登録)?|t)番号",
        ),
    ),
    (
        "number",
        0,
        (
            rf"(?:(?:tax|commercial|vat)\s+)?inv(?:oice|\.)?\s*{_NO}",
            rf"(?:tax\s+)?invoice\s+ref(?:erence)?\.?(?:\s*{_NO})?",
            r"(?:御|ご)?請求書?\s*(?:番号|no\.?|№|id|#)",
        ),
    ),
    (
        "number",
        1,
        (
            rf"(?:bill|document)\s*{_NO}",
            r"no\.|no(?=\s*:)|№",
            r"(?:伝票|文書|管理|整理|発行|書類)番号",
        ),
    ),
    (
        "due_date",
        0,
        (
            r"(?:payment\s+)?due(?:\s+(?:date|by|on))?",
            r"date\s+due|pay(?:ment)?\s+by",
            r"(?:お|御)?(?:支払|振込|入金)い?(?:期限|期日|締切日?|予定日|日)",
        ),
    ),
    (
        "issue_date",
        0,
        (
            r"(?:tax\s+)?invoice\s+(?:issue\s+)?date|date\s+of\s+(?:issue|invoice)",
            r"issue\s*date|date\s+issued|issued(?:\s+on)?|bill(?:ing)?\s+date|tax\s+point(?:\s+date)?",
            rf"{_REQUEST}書?(?:発行)?(?:年月)?日付?|(?:請求書)?発行(?:年月)?日|作成日",
        ),
    ),
    ("issue_date", 1, (r"date", r"日付|年月日")),
    (
        "subtotal",
        0,
        (
            r"sub\s*-?\s*total|net\s+(?:total|amount)|total\s+net|taxable\s+(?:amount|total)",
            r"(?:total|amount)\s+before\s+tax",
            r"total\s*\(?\s*(?:excl|ex\b|without|before)[a-z.\s]{0,16}\)?",
            r"小計|税抜き?(?:合計|小計)?(?:金?額)?|(?:合計|金額)\s*\(\s*税(?:抜|別)[^)]{0,4}\)",
        ),
    ),
    (
        "tax",
        0,
        (
            r"total\s+(?:sales\s+)?(?:tax|vat|gst)|(?:tax|vat|gst)\s+total",
            r"消費税額?等?額?合計額?|税額合計|合計税額",
        ),
    ),
    (
        "tax",
        1,
        (
            rf"{_RATE}(?:(?:sales|value[\s-]added|consumption)\s+)?tax(?:es)?(?:\s+amount)?",
            rf"{_RATE}(?:vat|gst|hst)(?:\s+amount)?",
            rf"{_RATE}(?:(?:内|うち)\s*)?消費税(?:及び地方消費税)?額?等?額?|税額",
        ),
    ),
    (
        "total",
        0,
        (
            r"grand\s+total|invoice\s+(?:total|amount)|total\s+invoice(?:\s+amount)?",
            r"total\s+amount(?!\s+(?:due|payable))",
            r"total\s*\(?\s*(?:incl|inc\b)[a-z.\s]{0,16}\)?",
            rf"{_REQUEST}(?:合計|総)?(?:金額|額|合計)|(?:お|御)支払い?(?:合計)?(?:金額|額)",
            r"総合計|総計|合計(?:金額|額)|税込(?:合計)?(?:金額)?|合計\s*\(\s*税込み?\s*\)",
        ),
    ),
    ("total", 1, (r"total(?!\s+(?:due|payable|amount))", r"合計")),
    ("total", 2, (r"total\s+(?:amount\s+)?(?:due|payable)", r"(?:amount|balance)\s+(?:due|payable)")),
    (
        "recipient",
        0,
        (
            r"(?:(?:bill(?:ed)?|invoiced?|sold)\s+)?to|(?:customer|client)(?:\s+name)?",
            r"請求先名?|宛先|宛名|お?客様名|得意先名?",
        ),
    ),
    ("issuer", 0, (r"from|issued\s+by|seller|supplier|vendor", r"請求元|発行元|発行者|請求者|売主")),
    ("currency", 0, (r"currency", r"通貨")),
    (
        "item",
        0,
        (
            r"description|items?|quantity|qty\.?|hours|rate|(?:unit\s+)?price|amount",
            r"品名|品目|項目|内容|摘要|数量|単価|金額",
        ),
    ),
    (
        "other",
        0,
        (
            r"(?:ship|deliver(?:y|ed)?)\s+to|remit\s+to|(?:payment\s+)?terms|amount\s+paid|paid",
            rf"(?:p\.?o\.?|purchase\s+order|order|customer|account|quote|project)\s*(?:{_NO}|date)",
            r"ref(?:erence)?\.?|tel\.?|phone|fax|e-?mail|bank|iban|swift|discount|shipping",
            r"注文番号|(?:お客様|顧客)番号|件名|お?支払(?:条件|方法)|お?振込先|口座番号",
            r"電話|納品日|納期|担当|備考|値引き?|送料",
        ),
    ),
)
_LEAD: Final = r"[\s(\[【「<■●◆◇・*※]*"
_END: Final = r"(?:(?<=[A-Za-z])(?![A-Za-z])|(?<![A-Za-z])(?![一-龯ぁ-んァ-ヶー々]))"
_LABELS: Final = tuple(
    (kind, rank, re.compile(rf"{_LEAD}(?P<name>{'|'.join(words)}){_END}", re.IGNORECASE))
    for kind, rank, words in _WORDS
)
_AFTER: Final = re.compile(r"[\])】」>]*\s*(?P<mark>[:=])?\s*")

_ENGLISH: Final = (
    r"(?:(?:original|proforma|pro\s+forma|tax|vat|gst|commercial|sales|service)\s+)*"
    r"(?:invoice|i n v o i c e)"
)
_JAPANESE: Final = r"(?:[0-9年月度分]{1,12}|適格|合計|納品書兼)?(?:御|ご)?請求(?:明細)?書(?:兼[一-龯]{2,6})?"
_TITLE: Final = re.compile(rf"{_ENGLISH}(?:\s*\((?:copy|original)\)|\s*[/|]\s*請求書)?", re.IGNORECASE)
_TITLE_AND_NUMBER: Final = re.compile(
    r"(?P<title>(?:tax\s+)?invoice)\s*[:#]?\s*(?P<number>(?=\S*[0-9])[A-Za-z0-9][^\s:]{0,39})", re.IGNORECASE
)
_JAPANESE_TITLE: Final = re.compile(rf"{_JAPANESE}(?:[(/][^)]{{0,12}}\)?)?")
_OTHER_TITLE: Final = re.compile(
    r"(?:(?:sales|purchase|payment|official)\s+)*"
    r"(?:quot(?:e|ation)|estimate|receipt|purchase\s+order|order(?:\s+confirmation)?|packing\s+(?:slip|list)"
    r"|delivery\s+note|credit\s+(?:note|memo)|statement(?:\s+of\s+account)?|remittance\s+advice)"
    r"|(?:御|お)?(?:見積|領収|納品|注文|発注|検収)(?:明細)?書",
    re.IGNORECASE,
)


def label_of(cell: Cell) -> Label | None:
    """The label that a cell begins with, if it begins with one."""
    for kind, rank, pattern in _LABELS:
        found = pattern.match(cell.folded)
        if found is not None:
            after = _AFTER.match(cell.folded, found.end())
            assert after is not None, "every part of it is optional"
            name = cell.text[found.start("name") : found.end("name")]
            return Label(kind, rank, name, after.end(), bool(after["mark"]))
    return None


def title_of(cell: Cell) -> tuple[str, str | None] | None:
    """The title of an invoice without asides, where a cell is one, and the number that stands behind it."""
    folded = cell.folded.strip()
    if _TITLE.fullmatch(folded) or _JAPANESE_TITLE.fullmatch("".join(folded.split())):
        words = re.split(r"[(（/／|]", cell.text, maxsplit=1)[0].split()
        return " ".join(words), None
    found = _TITLE_AND_NUMBER.fullmatch(folded)
    return None if found is None else (found["title"], found["number"])


def is_other_title(cell: Cell) -> bool:
    """Whether a cell is the title of another kind of document."""
    folded = cell.folded.strip()
    return bool(_OTHER_TITLE.fullmatch(folded) or _OTHER_TITLE.fullmatch("".join(folded.split())))
