from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from indx_loader_file import provider
from indx_testkit.loading import LoaderKit, Refusal


class TestFileLoader(LoaderKit):
    factory = staticmethod(provider.file_loader)

    @contextmanager
    def serve(self, data: bytes, tmp_path: Path) -> Iterator[str]:
        path = tmp_path / "source name ü.bin"
        path.write_bytes(data)
        yield path.as_uri()

    def missing(self, tmp_path: Path) -> str:
        return (tmp_path / "absent").as_uri()

    def refusals(self, tmp_path: Path) -> Sequence[Refusal]:
        outside = tmp_path / "outside"
        outside.mkdir()
        (outside / "secret-target.txt").write_text("secret")
        (tmp_path / "root").mkdir()
        (tmp_path / "root" / "link").symlink_to(outside / "secret-target.txt")
        self.root = tmp_path / "root"
        return [
            Refusal((self.root / "link").as_uri(), "source_forbidden", ["secret-target", "outside/"]),
            Refusal(f"file://{self.root}/../outside/secret-target.txt", "source_forbidden"),
            Refusal("file:///etc/passwd", "source_forbidden"),
        ]

    def test_it_refuses_without_revealing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[override]
        monkeypatch.setenv("INDX_LOADER_FILE_ROOTS", str(tmp_path / "root"))
        super().test_it_refuses_without_revealing(tmp_path)
