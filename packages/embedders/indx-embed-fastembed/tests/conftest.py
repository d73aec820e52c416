"""Models small enough for a test, in the hub's cache, laid out as the hub's tools do."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from indx_embed_fastembed._weights import CLIP_IMAGE, CLIP_TEXT, MINILM, Weights

# The engine, and `onnx`, which builds the test's graphs, are in no environment but the one in which
# `scripts/test install` (tests/install/test_engines.py) runs these files.
collect_ignore = (
    []
    if all(importlib.util.find_spec(name) for name in ("fastembed", "onnx"))
    else ["test_conformance.py", "test_encode.py", "test_embedding.py"]
)


def put(root: Path, weights: Weights, files: Mapping[str, bytes]) -> Path:
    """Lay the files of a model out in the cache at `root`; gives the folder of its blobs."""
    folder = root / f"models--{weights.repository.replace('/', '--')}"
    for name, data in files.items():
        blob = folder / "blobs" / hashlib.sha256(data).hexdigest()
        place = folder / "snapshots" / weights.revision / name
        for path in (blob, place):
            path.parent.mkdir(parents=True, exist_ok=True)
        blob.write_bytes(data)
        place.unlink(missing_ok=True)
        place.symlink_to(blob)
    return folder / "blobs"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hub's cache of this test, empty; the network is not forbidden, but leads nowhere."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN", "HF_HOME", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    root = tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(root))
    return root


@pytest.fixture(scope="session")
def text_model() -> Callable[..., dict[str, bytes]]:
    """The files of a model that looks each byte's vector up; `pooled` ones are averaged by the graph."""

    def build(graph: str, dimension: int, *, pooled: bool = False, **numbers: float) -> dict[str, bytes]:
        import numpy as np
        from onnx import TensorProto, checker, helper, numpy_helper
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers

        letters = ["<pad>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
        tokenizer = Tokenizer(models.BPE({letter: number for number, letter in enumerate(letters)}, []))
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        table = np.random.default_rng(7).normal(size=(len(letters), dimension)).astype(np.float32)
        if "fill" in numbers:
            table[:] = numbers["fill"]
        outputs = ["tokens" if pooled else "answer"]
        nodes = [helper.make_node("Gather", ["table", "input_ids"], outputs)]
        constants = [numpy_helper.from_array(table, "table")]
        if pooled:
            constants.append(numpy_helper.from_array(np.array([1], np.int64), "axes"))
            nodes.append(helper.make_node("ReduceMean", ["tokens", "axes"], ["answer"], keepdims=0))
        shape = ["texts", dimension] if pooled else ["texts", "tokens", dimension]
        made = helper.make_graph(
            nodes,
            "tiny",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
            [helper.make_tensor_value_info("answer", TensorProto.FLOAT, shape)],
            constants,
        )
        model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        checker.check_model(model)
        return {
            "config.json": b'{"pad_token_id": 0}',
            "tokenizer.json": tokenizer.to_str().encode(),
            "tokenizer_config.json": json.dumps({"model_max_length": 128, "pad_token": "<pad>"}).encode(),
            "special_tokens_map.json": b'{"pad_token": "<pad>"}',
            graph: model.SerializeToString(),
        }

    return build


@pytest.fixture(scope="session")
def image_model() -> dict[str, bytes]:
    """The files of a model whose vector depends on the mean colour of an image."""
    import numpy as np
    from onnx import TensorProto, checker, helper, numpy_helper

    mix = np.random.default_rng(7).normal(size=(3, 512)).astype(np.float32)
    made = helper.make_graph(
        [
            helper.make_node("GlobalAveragePool", ["pixel_values"], ["means"]),
            helper.make_node("Flatten", ["means"], ["colours"]),
            helper.make_node("MatMul", ["colours", "mix"], ["answer"]),
        ],
        "tiny",
        [helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["images", 3, 224, 224])],
        [helper.make_tensor_value_info("answer", TensorProto.FLOAT, ["images", 512])],
        [numpy_helper.from_array(mix, "mix")],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    checker.check_model(model)
    steps = {
        "image_processor_type": "CLIPImageProcessor",
        "do_resize": True,
        "size": {"shortest_edge": 224},
        "resample": 3,
        "do_center_crop": True,
        "crop_size": {"height": 224, "width": 224},
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [0.48, 0.46, 0.41],
        "image_std": [0.27, 0.26, 0.28],
        "do_convert_rgb": True,
    }
    return {
        "preprocessor_config.json": json.dumps(steps).encode(),
        "model.onnx": model.SerializeToString(),
    }


@pytest.fixture
def models(cache: Path, text_model: Callable[..., dict[str, bytes]], image_model: dict[str, bytes]) -> Path:
    """The cache with all three models; gives its folder."""
    put(cache, MINILM, text_model("model_optimized.onnx", 384))
    put(cache, CLIP_TEXT, text_model("model.onnx", 512, pooled=True))
    put(cache, CLIP_IMAGE, image_model)
    return cache


@pytest.fixture
def place(cache: Path) -> Callable[[Weights, Mapping[str, bytes]], Path]:
    return lambda weights, files: put(cache, weights, files)
