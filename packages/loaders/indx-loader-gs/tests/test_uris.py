"""What a bucket may be called, and that the list of buckets holds before anything is asked."""

from __future__ import annotations

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_loader_gs import loader, provider


@pytest.mark.parametrize("bucket", ["docs", "my.docs-1", "a_b", "1" * 222])
def test_a_bucket_is_called_as_the_storage_allows(bucket: str) -> None:
    wanted = provider.STORAGE.parse(f"GS://{bucket}/a%20b")
    assert (wanted.container, wanted.name) == (bucket, "a b")


@pytest.mark.parametrize("bucket", ["a", ".docs", "Docs", "a" * 223, "user@docs", "docs:80"])
def test_nothing_else_is_a_bucket(bucket: str) -> None:
    with pytest.raises(SourceError, match="write gs://bucket/object"):
        provider.STORAGE.parse(f"gs://{bucket}/name")


def test_a_generation_cannot_be_asked_for() -> None:
    with pytest.raises(SourceError, match="no generation can be asked for, only the current object"):
        provider.STORAGE.parse("gs://docs/name?generation=7")


def test_a_bucket_that_is_not_listed_is_forbidden_before_the_client_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(provider.GsLoader, "availability", lambda self: None)
    monkeypatch.setenv("INDX_LOADER_GS_BUCKETS", "docs")
    with pytest.raises(SourceError, match="INDX_LOADER_GS_BUCKETS") as caught:
        loader().load("gs://other/name", limit=1, deadline=Deadline())
    assert caught.value.code == "source_forbidden"
