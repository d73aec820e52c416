"""What a bucket may be called, and that the list of buckets holds before anything is asked."""

from __future__ import annotations

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_loader_s3 import loader, provider


@pytest.mark.parametrize("bucket", ["docs", "my.docs-1", "Old_Bucket", "a" * 255])
def test_a_bucket_is_called_as_s3_allows(bucket: str) -> None:
    wanted = provider.STORAGE.parse(f"S3://{bucket}/a%20b")
    assert (wanted.container, wanted.name) == (bucket, "a b")


@pytest.mark.parametrize("bucket", ["a", ".docs", "-docs", "a" * 256, "user@docs", "arn:aws:s3:::docs"])
def test_nothing_else_is_a_bucket(bucket: str) -> None:
    with pytest.raises(SourceError, match="write s3://bucket/object"):
        provider.STORAGE.parse(f"s3://{bucket}/key")


def test_a_bucket_that_is_not_listed_is_forbidden_before_boto3_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(provider.S3Loader, "availability", lambda self: None)
    monkeypatch.setenv("INDX_LOADER_S3_BUCKETS", "docs")
    with pytest.raises(SourceError, match="INDX_LOADER_S3_BUCKETS") as caught:
        loader().load("s3://other/key", limit=1, deadline=Deadline())
    assert caught.value.code == "source_forbidden"
