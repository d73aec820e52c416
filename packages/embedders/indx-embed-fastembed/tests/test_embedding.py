"""Vectors are those of the model, one item at a time; a model that cannot be had or believed is told of."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut, Unavailable
from indx_core.leaving import HOLD_SECONDS
from indx_core.ports import Embedded, EmbeddingInput, Raster
from indx_embed_fastembed import clip_image, clip_text, minilm
from indx_embed_fastembed._model import Model
from indx_embed_fastembed._weights import MINILM, Weights
from indx_testkit.samples import picture

Place = Callable[[Weights, Mapping[str, bytes]], Path]
Build = Callable[..., dict[str, bytes]]


def embed(*batch: EmbeddingInput, factory: Callable[[], object] = minilm) -> Embedded:
    return factory().embed(batch, role="document", deadline=Deadline())  # type: ignore[attr-defined, no-any-return]


def refusal(*batch: EmbeddingInput) -> Unavailable:
    with pytest.raises(Unavailable) as caught:
        embed(*batch or ("text",))
    assert caught.value.code == "embedder_unavailable"
    return caught.value


@pytest.mark.usefixtures("models")
def test_a_vector_is_the_mean_of_what_the_model_answers(models: Path) -> None:
    import fastembed

    text = "the car would not start"
    folder = str(next(models.glob("*MiniLM*/snapshots/*")))
    (plain,) = fastembed.TextEmbedding(MINILM.model, cache_dir=folder, specific_model_path=folder).embed(
        [text]
    )
    np.testing.assert_allclose(embed(text).values[0], plain / np.linalg.norm(plain), atol=1e-6)


@pytest.mark.usefixtures("models")
def test_a_vector_does_not_depend_on_the_texts_beside_it() -> None:
    alone = embed("short").values[0]
    beside = embed("a far longer text than the other one " * 20, "short", "x").values[1]
    assert np.array_equal(alone, beside)


@pytest.mark.usefixtures("models")
def test_all_of_a_text_longer_than_the_model_looks_at_counts() -> None:
    head = "a chunk of text that goes on for longer than the model looks at " * 4
    first, second = embed(head + "dogs", head + "ships").values
    assert not np.array_equal(first, second)


@pytest.mark.usefixtures("models")
def test_the_vector_of_a_long_text_is_the_mean_of_its_windows_by_their_tokens() -> None:
    # The model of these tests has a token a byte and looks at 128 of them.
    windows = ["a" * 128, "b" * 128, "c" * 64]
    parts = embed(*windows).values.astype(np.float64)
    mean = (2 * parts[0] + 2 * parts[1] + parts[2]) / 5
    np.testing.assert_allclose(embed("".join(windows)).values[0], mean / np.linalg.norm(mean), atol=1e-6)


@pytest.mark.usefixtures("models")
def test_texts_and_images_share_a_space_and_each_embedder_knows_its_own() -> None:
    text = embed("red", factory=clip_text)
    image = embed(picture(16, 16), factory=clip_image)
    assert text.values.shape == image.values.shape == (1, 512)
    assert "embeds text only" in embed(picture(16, 16), factory=clip_text).errors[0]
    assert "embeds images only" in embed("red", factory=clip_image).errors[0]


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("broken", [Raster(4, 4, b"", 72), Raster(0, 0, b"", 72), Raster(2, 2, b"123", 72)])
def test_an_image_without_its_pixels_fails_alone(broken: Raster) -> None:
    made = embed(picture(8, 8), broken, factory=clip_image)
    assert list(made.errors) == [1]
    assert made.values[0].any()


@pytest.mark.usefixtures("models")
def test_characters_after_the_declared_limit_are_not_looked_at() -> None:
    limit = minilm().declaration.max_characters  # type: ignore[union-attr]
    assert limit == 20_000
    assert "blank" in embed(" " * limit + "word").errors[0]
    assert not embed(" " * (limit - 1) + "word").errors


@pytest.mark.usefixtures("models")
def test_a_warm_cache_serves_offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert not embed("text").errors


def test_where_the_hub_does_not_answer_it_fails_once_and_at_once() -> None:
    now = [0.0]
    model = Model(MINILM, clock=lambda: now[0])
    facts = minilm().declaration  # type: ignore[union-attr]
    asked = []

    class Counted(Weights):
        def folder(self, deadline: Deadline) -> Path:
            asked.append(now[0])
            return super().folder(deadline)

    model._weights = Counted(MINILM.model, MINILM.repository, MINILM.revision, MINILM.names, {})
    for moment in (0.0, 1.0, HOLD_SECONDS - 1, HOLD_SECONDS + 1):
        now[0] = moment
        with pytest.raises(Unavailable, match=r"fetched from the hub: .*; run 'hf download Qdrant/"):
            model.embed(facts, ["text"], Deadline())
    assert asked == [0.0, HOLD_SECONDS + 1]


@pytest.mark.usefixtures("models")
def test_a_warm_cache_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert not embed("text").errors
    assert not embed(picture(16, 16), factory=clip_image).errors


def test_nobody_waits_for_a_model_past_his_deadline_or_the_time_that_is_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, enough = [], threading.Event()

    class Slow(Weights):
        def folder(self, deadline: Deadline) -> Path:
            begun.append(1)
            enough.wait(30)
            raise OSError("the hub went away")

    model = Model(Slow(MINILM.model, MINILM.repository, MINILM.revision, MINILM.names, {}))
    facts = minilm().declaration  # type: ignore[union-attr]
    try:
        with pytest.raises(TimedOut):
            model.embed(facts, ["text"], Deadline(0.1))
        monkeypatch.setenv("INDX_MODEL_ONNX_DOWNLOAD_SECONDS", "0.1")
        with pytest.raises(Unavailable, match="INDX_MODEL_ONNX_DOWNLOAD_SECONDS"):
            model.embed(facts, ["text"], Deadline())
        assert begun == [1], "the second waited for the first"
    finally:
        enough.set()


def test_a_damaged_file_is_not_used(place: Place, text_model: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    blobs = place(MINILM, text_model("model_optimized.onnx", 384))
    largest = max(blobs.iterdir(), key=lambda path: path.stat().st_size)
    largest.write_bytes(largest.read_bytes()[:-1])
    assert "minilm-multilingual" in refusal().message


def test_a_model_of_another_dimension_is_not_that_of_the_space(place: Place, text_model: Build) -> None:
    place(MINILM, text_model("model_optimized.onnx", 8))
    assert "(8,)" in refusal().message
    assert "384 numbers" in refusal().message


@pytest.mark.parametrize("name", ["model_optimized.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_a_file_that_is_nonsense_is_told_without_a_path(place: Place, text_model: Build, name: str) -> None:
    blobs = place(MINILM, {**text_model("model_optimized.onnx", 384), name: b"nonsense"})
    message = refusal().message
    assert message.startswith(f"minilm-multilingual: {MINILM.model} cannot be loaded: ")
    assert str(blobs.parent) not in message


@pytest.mark.parametrize("fill", [0.0, float("nan"), float("inf")])
def test_a_vector_without_a_direction_is_an_error_of_that_item(
    place: Place, text_model: Build, fill: float
) -> None:
    place(MINILM, text_model("model_optimized.onnx", 384, fill=fill))
    made = embed("text", "more")
    assert list(made.errors) == [0, 1]
    assert not made.values.any()


@pytest.mark.usefixtures("models")
def test_a_passed_deadline_stops_the_batch() -> None:
    clock = iter(range(100))
    deadline = Deadline(1.5, clock=lambda: float(next(clock)))
    with pytest.raises(TimedOut):
        minilm().embed(["one", "two", "three"], role="query", deadline=deadline)  # type: ignore[union-attr]


@pytest.mark.usefixtures("models")
def test_blank_items_ask_for_no_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "empty"))
    assert list(embed("", " \n").errors) == [0, 1]


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize(("width", "height"), [(1, 50_000), (50_000, 1), (3, 40_000)])
def test_a_long_thin_image_costs_what_is_looked_at(width: int, height: int) -> None:
    from indx_embed_fastembed._pictures import SHAPE, pixmap

    red, blue = b"\xff\0\0", b"\0\0\xff"
    middle = [abs(place - max(width, height) // 2) < 100 for place in range(max(width, height))]
    pixels = b"".join((red if inside else blue) * min(width, height) for inside in middle)
    made = pixmap(Raster(width, height, pixels, 72))
    assert made is not None
    across, down = map(int, made.getvalue().split(b"\n")[0].split()[1:3])
    assert max(across, down) <= SHAPE * min(across, down)
    shown = embed(Raster(width, height, pixels, 72), Raster(64, 64, red * 4096, 72), factory=clip_image)
    assert not shown.errors
    assert float(shown.values[0] @ shown.values[1]) > 0.999, "the middle is what counts"


def test_a_huge_image_is_handed_on_at_a_size_that_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    from indx_embed_fastembed import _pictures

    monkeypatch.setattr(_pictures, "MOST_PIXELS", 100)
    side = np.arange(60 * 45, dtype=np.uint32).reshape(45, 60) % 251
    rgb = np.stack([side, side, side], axis=2).astype(np.uint8)
    made = _pictures.pixmap(Raster(60, 45, rgb.tobytes(), 72))
    assert made is not None
    head, _, pixels = made.getvalue().partition(b" 255\n")
    assert head == b"P6 10 7"
    small = np.frombuffer(pixels, np.uint8).reshape(7, 10, 3)
    assert small[0, 0, 0] == round(float(rgb[:6, :6, 0].mean()))


def test_an_image_of_usual_size_is_handed_on_as_it_is() -> None:
    from indx_embed_fastembed._pictures import pixmap

    raster = picture(400, 200)
    made = pixmap(raster)
    assert made is not None
    assert made.getvalue() == b"P6 400 200 255\n" + raster.rgb


@pytest.mark.usefixtures("models")
def test_a_text_that_the_tokenizer_panics_on_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from indx_embed_fastembed import _model

    class Panic(BaseException):
        """What the tokenizer's library raises where it gives up."""

    windows = _model._windows

    def panics(engine: object, text: str) -> list[tuple[str, int]]:
        if text == "bad":
            raise Panic("index out of bounds")
        return windows(engine, text)

    monkeypatch.setattr(_model, "_windows", panics)
    made = embed("good", "bad")
    assert list(made.errors) == [1]
    assert "index out of bounds" in made.errors[1]


def test_a_tokenizer_on_which_the_library_panics_makes_no_model(place: Place, text_model: Build) -> None:
    import json

    files = dict(text_model("model_optimized.onnx", 384))
    words = json.loads(files["tokenizer.json"])
    words["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": ""}
    place(MINILM, files | {"tokenizer.json": json.dumps(words).encode()})
    assert "cannot be loaded" in refusal().message
