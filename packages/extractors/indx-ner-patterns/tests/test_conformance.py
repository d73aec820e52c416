"""Both lanes keep the rules of their port, with and without a gazetteer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from indx_ner_patterns.provider import chunk, page
from indx_ner_patterns.settings import GAZETTEER
from indx_testkit.lanes import ExtractorKit

TEXTS = (
    "Invoice No: NW-20931, 3 March 2024, total $1,234.50; write to ann@example.org.",
    "請求番号 2024-0173　令和６年３月３１日　合計￥33,000　〒100-0001 東京都 TEL03-1234-5678",
    "Nothing to be found here.",
    "👩\u200d👧 東京、2024年1月5日👍🏽 and 50%",
)


class TestPages(ExtractorKit):
    factory = staticmethod(page)
    texts = TEXTS


class TestChunks(ExtractorKit):
    factory = staticmethod(chunk)
    texts = TEXTS


class TestWithGazetteer(ExtractorKit):
    factory = staticmethod(page)
    texts = TEXTS

    @pytest.fixture(autouse=True)
    def gazetteer(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        names = {
            "place": ["東京", "東京都", "a", "日本"],
            "word": ["word", "naïve", "x", "東京"],
            "date": ["3 March"],
        }
        (tmp_path / "names.json").write_text(json.dumps(names), encoding="utf-8")
        monkeypatch.setenv(GAZETTEER.name, str(tmp_path / "names.json"))


@pytest.mark.parametrize(
    ("factory", "lane", "unit"), [(page, "patterns", "page"), (chunk, "patterns-chunk", "chunk")]
)
def test_each_unit_has_its_own_lane(factory, lane: str, unit: str) -> None:
    declaration = factory().declaration
    assert (declaration.id, declaration.unit, declaration.device) == (lane, unit, "cpu")
    assert declaration.settings_key == ""
