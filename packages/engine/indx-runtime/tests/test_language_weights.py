"""The languages of a document: each page weighs by the text it has, whatever of it the detector looked at."""

from __future__ import annotations

import base64

import pytest

from indx_core.contracts import EncodeRequest
from indx_core.ports import Answers, LanguageDetectorDeclaration, Scored
from indx_runtime import Engine

SAMPLE = 1000


class Sampler:
    """Looks at the first characters of a text alone, as a detector of long pages does."""

    port_version = 1
    declaration = LanguageDetectorDeclaration("sampler")

    def availability(self):
        return None

    def detect(self, texts):
        return Answers([self.languages(text[:SAMPLE]) for text in texts])

    def languages(self, sample):
        if "漢" in sample:
            return [Scored("ja", 0.75), Scored("zh", 0.25)]
        return [Scored("en", 1.0)] if sample.strip("0123456789 ") else None


@pytest.fixture
def languages(registry_of, parts):
    """The languages of a document of the given pages, and those of each page."""

    def detect(*pages):
        source = {
            "type": "inline",
            "data": base64.b64encode("\n".join(pages).encode()).decode(),
            "media_type": parts.TYPE,
        }
        registry = registry_of(("indx.capabilities", parts.reader()), ("indx.language_detectors", Sampler()))
        request = EncodeRequest.model_validate({"source": source, "granularities": ["DOCUMENT", "PAGE"]})
        blocks = {block.id: block for block in Engine(registry).encode(request).blocks}
        found = {name: (block.metadata or {}).get("languages") for name, block in blocks.items()}
        return {
            name: {one["language"]: one["confidence"] for one in scores} if scores else None
            for name, scores in found.items()
        }

    return detect


def test_a_page_of_which_a_sample_was_looked_at_weighs_by_all_of_its_text(languages):
    english, japanese = "word " * 18_000, "漢字" * 5_000
    found = languages(english, japanese)
    assert found["p1"] == {"en": 1.0}
    assert found["p2"] == {"ja": 0.75, "zh": 0.25}
    whole = len(english) + len(japanese)
    assert found["doc"] == pytest.approx(
        {
            "en": len(english) / whole,
            "ja": 0.75 * len(japanese) / whole,
            "zh": 0.25 * len(japanese) / whole,
        },
        abs=1e-6,
    )
    assert list(found["doc"]) == ["en", "ja", "zh"]


def test_pages_without_a_language_and_blank_ones_have_no_weight(languages):
    found = languages("words here", "0123456789 " * 2000, " " * 5000, "漢" * 10)
    assert found["p2"] is None
    assert found["doc"] == pytest.approx({"en": 0.5, "ja": 0.375, "zh": 0.125})
    assert languages("12 34")["doc"] is None


def test_length_is_counted_in_characters(languages):
    found = languages("𠮷漢" + "𠮷" * 98, "a" * 100)
    assert found["doc"] == pytest.approx({"en": 0.5, "ja": 0.375, "zh": 0.125})
