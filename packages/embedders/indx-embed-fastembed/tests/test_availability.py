"""Without fastembed nothing is advertised; offline and without its files a space says how to get them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import Unavailable
from indx_core.ports import Unavailability
from indx_embed_fastembed import FastembedEmbedder, clip_image, clip_text, minilm
from indx_embed_fastembed._weights import CLIP_IMAGE, CLIP_TEXT, MINILM, Weights

FACTORIES = [minilm, clip_text, clip_image]


@pytest.fixture
def fastembed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indx_embed_fastembed.provider.is_installed", lambda name: True)
    monkeypatch.setattr("indx_embed_fastembed.provider.version", lambda name: "0.9.1")


def made(factory: Callable[[], FastembedEmbedder | Unavailability]) -> FastembedEmbedder:
    embedder = factory()
    assert isinstance(embedder, FastembedEmbedder)
    return embedder


@pytest.mark.parametrize("factory", FACTORIES)
def test_without_fastembed_nothing_is_advertised(
    factory: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indx_embed_fastembed.provider.is_installed", lambda name: False)
    lack = factory()
    assert isinstance(lack, Unavailability)
    assert lack.fix == 'pip install "indx-embed-fastembed[fastembed]"'


@pytest.mark.usefixtures("fastembed")
def test_the_spaces_are_as_promised() -> None:
    texts, clip, images = (made(factory).declaration for factory in FACTORIES)
    assert (texts.space.id, texts.space.dimension, texts.modalities) == (
        "minilm-multilingual",
        384,
        ("text",),
    )
    assert (clip.space.id, clip.space.dimension, clip.modalities) == ("clip-vit-b32", 512, ("text",))
    assert images.space == clip.space
    assert images.modalities == ("image",)
    assert {facts.roles for facts in (texts, clip, images)} == {("document", "query")}
    assert {facts.device for facts in (texts, clip, images)} == {"cpu"}


@pytest.mark.usefixtures("fastembed")
@pytest.mark.parametrize("factory", FACTORIES)
def test_with_a_network_a_cold_cache_is_no_lack(factory: Callable[[], FastembedEmbedder]) -> None:
    assert made(factory).availability() is None


@pytest.mark.usefixtures("fastembed")
@pytest.mark.parametrize("factory", FACTORIES)
def test_offline_a_cold_cache_says_what_to_fetch(
    factory: Callable[[], FastembedEmbedder], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    lack = made(factory).availability()
    assert lack is not None
    assert "HF_HUB_OFFLINE" in lack.reason
    assert lack.fix.startswith("run 'hf download Qdrant/")
    with pytest.raises(Unavailable, match=r"hf download .* once with a network") as caught:
        made(factory).embed(["text", picture()], role="query", deadline=Deadline())
    assert caught.value.code == "embedder_unavailable"


def picture() -> object:
    from indx_core.ports import Raster

    return Raster(1, 1, b"\0\0\0", 72)


@pytest.mark.usefixtures("fastembed")
def test_offline_a_warm_cache_is_enough(
    place: Callable[[Weights, Mapping[str, bytes]], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    place(MINILM, {name: name.encode() for name in MINILM.names[:-1]})
    assert made(minilm).availability() is not None
    place(MINILM, {name: name.encode() for name in MINILM.names})
    assert made(minilm).availability() is None


@pytest.mark.usefixtures("fastembed")
def test_a_series_of_fastembed_makes_vectors_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for version in ("0.9.1", "0.9.2", "0.10.0"):
        monkeypatch.setattr("indx_embed_fastembed.provider.version", lambda name, version=version: version)
        found.append(made(minilm).declaration.fingerprint)
    assert found[0] == found[1] != found[2]


@pytest.mark.usefixtures("fastembed")
def test_an_embedder_is_told_by_the_commit_of_its_model() -> None:
    prints = [made(factory).declaration.fingerprint for factory in FACTORIES]
    assert all(re.search(r":Qdrant/[\w.-]+@[0-9a-f]{40}$", one) for one in prints)
    assert len(set(prints)) == 3


@pytest.mark.parametrize("weights", [MINILM, CLIP_TEXT, CLIP_IMAGE])
def test_what_decides_a_vector_is_fetched_only_as_it_was_published(weights: Weights) -> None:
    decisive = {name for name in weights.names if name.endswith((".onnx", "tokenizer.json"))}
    source = weights._source()
    assert {name for name in weights.names if source.digest(name)} == decisive
    assert all(re.fullmatch("[0-9a-f]{64}", weights.digests[name]) for name in decisive)


@pytest.mark.usefixtures("fastembed")
def test_a_wrong_time_for_downloads_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_MODEL_ONNX_DOWNLOAD_SECONDS", "soon")
    lack = made(minilm).availability()
    assert lack is not None
    assert "INDX_MODEL_ONNX_DOWNLOAD_SECONDS" in lack.reason
    with pytest.raises(Unavailable, match="INDX_MODEL_ONNX_DOWNLOAD_SECONDS"):
        made(minilm).embed(["text"], role="query", deadline=Deadline())
