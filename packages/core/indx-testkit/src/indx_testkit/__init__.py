"""Conformance kits that hold any provider to the rules of its indx port."""

from __future__ import annotations

import pytest

_MODULES = ("_base", "checks", "chunking", "embedding", "lanes", "loading", "reading", "spaces")
pytest.register_assert_rewrite(*(f"indx_testkit.{name}" for name in _MODULES))

from indx_testkit.chunking import ChunkerKit  # noqa: E402
from indx_testkit.embedding import EmbedderKit  # noqa: E402
from indx_testkit.lanes import ClassifierKit, EnricherKit, ExtractorKit, LanguageDetectorKit  # noqa: E402
from indx_testkit.loading import LoaderKit, Refusal, SnifferKit  # noqa: E402
from indx_testkit.reading import CapabilityKit, ObserverKit  # noqa: E402
from indx_testkit.samples import DocumentSample, SniffSample, StubSession  # noqa: E402
from indx_testkit.spaces import MemorySpace, SearchModeKit, WriterKit  # noqa: E402

__all__ = [
    "CapabilityKit",
    "ChunkerKit",
    "ClassifierKit",
    "DocumentSample",
    "EmbedderKit",
    "EnricherKit",
    "ExtractorKit",
    "LanguageDetectorKit",
    "LoaderKit",
    "MemorySpace",
    "ObserverKit",
    "Refusal",
    "SearchModeKit",
    "SniffSample",
    "SnifferKit",
    "StubSession",
    "WriterKit",
]
