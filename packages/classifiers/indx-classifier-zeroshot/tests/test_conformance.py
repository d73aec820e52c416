"""The lanes keep the rules of their port, with a small model in the hub's cache."""

from __future__ import annotations

import pytest

from indx_classifier_zeroshot.provider import chunks, documents, pages
from indx_testkit.lanes import ClassifierKit

TEXTS = ("An invoice for a report", "purchase order", "Nothing to be found here.", "👩\u200d👧 letter")


@pytest.mark.usefixtures("model")
class TestDocuments(ClassifierKit):
    factory = staticmethod(documents)
    texts = TEXTS
    examples = 10


@pytest.mark.usefixtures("model")
class TestPages(ClassifierKit):
    factory = staticmethod(pages)
    texts = TEXTS
    examples = 10


@pytest.mark.usefixtures("model")
class TestChunks(ClassifierKit):
    factory = staticmethod(chunks)
    texts = TEXTS
    examples = 10


@pytest.mark.parametrize(
    ("factory", "lane", "unit"),
    [
        (documents, "zeroshot", "document"),
        (pages, "zeroshot-page", "page"),
        (chunks, "zeroshot-chunk", "chunk"),
    ],
)
def test_each_unit_has_its_own_lane(factory, lane: str, unit: str) -> None:
    declaration = factory().declaration
    assert (declaration.id, declaration.unit, declaration.device) == (lane, unit, "cpu")
