"""Conformance kits that hold any provider to the rules of its indx port."""

from __future__ import annotations

import pytest

_KITS = (
    "_base",
    "asking",
    "checks",
    "chunking",
    "embedding",
    "hooks",
    "jobs",
    "lanes",
    "loading",
    "names",
    "parsing",
    "reading",
    "records",
    "spaces",
    "storages",
    "stores",
    "vectors",
)
# Before their import, so that a failed assertion shows its values.
pytest.register_assert_rewrite(*(f"{__name__}.{name}" for name in _KITS))

from indx_testkit.asking import AskingLaneKit, DeclaredLaneKit  # noqa: E402
from indx_testkit.chunking import ChunkerKit  # noqa: E402
from indx_testkit.embedding import EmbedderKit  # noqa: E402
from indx_testkit.hooks import HooksKit  # noqa: E402
from indx_testkit.jobs import JobRunnerKit  # noqa: E402
from indx_testkit.lanes import ClassifierKit, EnricherKit, ExtractorKit, LanguageDetectorKit  # noqa: E402
from indx_testkit.loading import LoaderKit, Refusal, SnifferKit  # noqa: E402
from indx_testkit.names import HostileNamesKit  # noqa: E402
from indx_testkit.parsing import ParserKit  # noqa: E402
from indx_testkit.reading import CapabilityKit, ObserverKit  # noqa: E402
from indx_testkit.records import (  # noqa: E402
    DatasetStoreKit,
    ExperimentStoreKit,
    LabelStoreKit,
    RecordStoreKit,
    RouterStoreKit,
    SchemaStoreKit,
)
from indx_testkit.samples import DocumentSample, SniffSample, StubSession  # noqa: E402
from indx_testkit.spaces import MemorySpace, SearchModeKit, WriterKit  # noqa: E402
from indx_testkit.storages import StorageKit  # noqa: E402
from indx_testkit.stores import DocumentStoreKit, SourceStoreKit  # noqa: E402
from indx_testkit.vectors import VectorIndexKit  # noqa: E402

__all__ = [
    "AskingLaneKit",
    "CapabilityKit",
    "ChunkerKit",
    "ClassifierKit",
    "DatasetStoreKit",
    "DeclaredLaneKit",
    "DocumentSample",
    "DocumentStoreKit",
    "EmbedderKit",
    "EnricherKit",
    "ExperimentStoreKit",
    "ExtractorKit",
    "HooksKit",
    "HostileNamesKit",
    "JobRunnerKit",
    "LabelStoreKit",
    "LanguageDetectorKit",
    "LoaderKit",
    "MemorySpace",
    "ObserverKit",
    "ParserKit",
    "RecordStoreKit",
    "Refusal",
    "RouterStoreKit",
    "SchemaStoreKit",
    "SearchModeKit",
    "SniffSample",
    "SnifferKit",
    "SourceStoreKit",
    "StorageKit",
    "StubSession",
    "VectorIndexKit",
    "WriterKit",
]
