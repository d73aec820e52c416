"""Both lanes keep the rules of their port, with a small model in the hub's cache."""

from __future__ import annotations

import pytest

from indx_ner_onnx.provider import chunks, pages
from indx_testkit.lanes import ExtractorKit

TEXTS = (
    "Ada Lovelace met Acme Corp in Oslo.",
    "東京で met Ada",
    "Nothing to be found here.",
    "👩\u200d👧 Widget, 東京都 \u3000Paris",
)


@pytest.mark.usefixtures("model")
class TestPages(ExtractorKit):
    factory = staticmethod(pages)
    texts = TEXTS


@pytest.mark.usefixtures("model")
class TestChunks(ExtractorKit):
    factory = staticmethod(chunks)
    texts = TEXTS


@pytest.mark.parametrize(
    ("factory", "lane", "unit"), [(pages, "ner-onnx", "page"), (chunks, "ner-onnx-chunk", "chunk")]
)
def test_each_unit_has_its_own_lane(factory, lane: str, unit: str) -> None:
    declaration = factory().declaration
    assert (declaration.id, declaration.unit, declaration.device) == (lane, unit, "cpu")
