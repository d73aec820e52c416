"""The loader keeps the rules of its port, against a server of moto's."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import boto3
import pytest

from indx_loader_s3.provider import loader
from indx_testkit.loading import LoaderKit, Refusal


class TestS3Loader(LoaderKit):
    factory = staticmethod(loader)
    names = itertools.count()

    @pytest.fixture(autouse=True)
    def _server(self, moto: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("INDX_LOADER_S3_ENDPOINT_URL", moto)
        self.client = boto3.client(
            "s3",
            endpoint_url=moto,
            region_name="us-east-1",
            aws_access_key_id="test-key",
            aws_secret_access_key="test-secret",
        )
        self.client.create_bucket(Bucket="docs")

    @contextmanager
    def serve(self, data: bytes, tmp_path: Path) -> Iterator[str]:
        key = f"folder/{next(self.names)}.bin"
        self.client.put_object(Bucket="docs", Key=key, Body=data)
        yield f"s3://docs/{key}"

    def missing(self, tmp_path: Path) -> str:
        return "s3://docs/absent.pdf"

    def refusals(self, tmp_path: Path) -> Sequence[Refusal]:
        return [
            Refusal("s3://absent-bucket/key", "source_unreadable"),
            Refusal("s3://docs/folder/0.bin?versionId=1", "source_unreadable"),
            Refusal("s3://docs/../docs/folder/0.bin", "source_unreadable"),
        ]
