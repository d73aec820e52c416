"""Both lanes keep the rules of their port, with a small dictionary."""

from __future__ import annotations

import pytest

from indx_ner_vibrato.provider import chunks, pages
from indx_testkit.lanes import ExtractorKit

TEXTS = (
    "山田太郎は東京都千代田区の株式会社ソニー。",
    "Nothing to be found here.",
    "👩\u200d👧 日本\u3000山田　太郎",
    "東京\r\n東京",
)


@pytest.mark.usefixtures("dictionary")
class TestPages(ExtractorKit):
    factory = staticmethod(pages)
    texts = TEXTS


@pytest.mark.usefixtures("dictionary")
class TestChunks(ExtractorKit):
    factory = staticmethod(chunks)
    texts = TEXTS


@pytest.mark.parametrize(
    ("factory", "lane", "unit"), [(pages, "vibrato", "page"), (chunks, "vibrato-chunk", "chunk")]
)
def test_each_unit_has_its_own_lane(factory, lane: str, unit: str) -> None:
    declaration = factory().declaration
    assert (declaration.id, declaration.unit, declaration.device) == (lane, unit, "cpu")
