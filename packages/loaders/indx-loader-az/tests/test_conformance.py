"""The loader keeps the rules of its port."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from indx_loader_az.provider import loader
from indx_testkit.loading import LoaderKit, Refusal


class TestAzLoader(LoaderKit):
    factory = staticmethod(loader)
    names = itertools.count()

    @pytest.fixture(autouse=True)
    def _server(self, blobs: dict[str, bytes]) -> None:
        self.blobs = blobs

    @contextmanager
    def serve(self, data: bytes, tmp_path: Path) -> Iterator[str]:
        name = f"docs/folder/{next(self.names)}.bin"
        self.blobs[name] = data
        yield f"az://{name}"

    def missing(self, tmp_path: Path) -> str:
        return "az://docs/absent.pdf"

    def refusals(self, tmp_path: Path) -> Sequence[Refusal]:
        self.blobs["docs/a.bin"] = self.blobs["a.bin"] = b"x"
        return [
            Refusal("az://absent/blob", "source_unreadable"),
            Refusal("az://docs/a.bin?snapshot=1", "source_unreadable"),
            Refusal("az://docs/a.bin?versionid=1", "source_unreadable"),
            Refusal("az://docs/../docs/a.bin", "source_unreadable"),
        ]
