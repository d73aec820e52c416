"""Without the wheel, or with another release's files, the space is unavailable and says how to get it."""

from __future__ import annotations

from pathlib import Path

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import Unavailable
from indx_core.ports import Unavailability
from indx_embed_wordllama import WordllamaEmbedder, embedder
from indx_embed_wordllama._files import TOKENIZER, WEIGHTS, Files, PinnedFile, locate


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package `llamalike` with files of the right names and sizes and the wrong bytes."""
    folder = tmp_path / "llamalike"
    for pinned in (WEIGHTS, TOKENIZER):
        path = folder / pinned.path
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(pinned.size))
    (folder / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def state(package: str) -> Unavailability:
    found = WordllamaEmbedder(package).availability()
    assert isinstance(found, Unavailability)
    return found


def test_with_the_wheel_it_is_available() -> None:
    assert embedder().availability() is None


def test_without_the_wheel_it_names_the_wheel_and_the_pythons_that_have_one() -> None:
    found = state("not_installed_anywhere")
    assert "not_installed_anywhere is not installed" in found.reason
    assert "wordllama>=0.4,<0.5" in found.fix
    assert "3.13" in found.fix


@pytest.mark.parametrize("pinned", [WEIGHTS, TOKENIZER])
def test_a_missing_file_is_named(package: Path, pinned: PinnedFile) -> None:
    (package / pinned.path).unlink()
    found = state(package.name)
    assert pinned.path in found.reason
    assert "reinstall" in found.fix


def test_a_file_of_another_size_is_another_releases(package: Path) -> None:
    (package / WEIGHTS.path).write_bytes(b"short")
    assert "5 bytes" in state(package.name).reason


def test_the_package_itself_is_never_imported(package: Path) -> None:
    assert isinstance(locate(package.name), Files)


def test_files_with_other_bytes_are_refused_when_they_are_used(package: Path) -> None:
    with pytest.raises(Unavailable, match="is not the file of the space") as caught:
        WordllamaEmbedder(package.name).embed(["text"], role="query", deadline=Deadline())
    assert caught.value.code == "embedder_unavailable"


def test_embedding_without_the_wheel_is_refused_with_the_fix() -> None:
    with pytest.raises(Unavailable, match=r"not installed.*install") as caught:
        WordllamaEmbedder("not_installed_anywhere").embed(["text"], role="query", deadline=Deadline())
    assert caught.value.code == "embedder_unavailable"


def test_the_fingerprint_names_the_weights() -> None:
    assert WEIGHTS.sha256 in embedder().declaration.fingerprint
