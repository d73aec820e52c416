"""A model small enough to read, whose table holds the logits of each word; and a cache laid out by hand."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from indx_model_onnx import ModelSource

# The engine, and `onnx`, which builds the test's graphs, are in no environment but the one in which
# `scripts/test install` (tests/install/test_engines.py) runs these files.
collect_ignore = (
    []
    if all(
        importlib.util.find_spec(name) for name in ("onnxruntime", "tokenizers", "huggingface_hub", "onnx")
    )
    else ["test_download.py", "test_hostile.py", "test_running.py"]
)

REPOSITORY = "owner/tiny"
WORDS = {"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "good": 3, "bad": 4, "fine": 5}
TABLE = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [4.0, -4.0], [-4.0, 4.0], [2.0, -2.0]]
"""Logits of each word for the labels `yes` and `no`."""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hub's cache of this test, empty; the network is not forbidden."""
    for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_TOKEN", "HF_HOME", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    root = tmp_path / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(root))
    return root


def git_digest(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def put(root: Path, repository: str, files: Mapping[str, bytes], *, revision: str = "main") -> str:
    """Lay files out as the hub's tools do: large ones by SHA-256, small ones by git's digest."""
    folder = root / f"models--{repository.replace('/', '--')}"
    commit = hashlib.sha1(repr(sorted(files.items())).encode()).hexdigest()
    (folder / "refs").mkdir(parents=True, exist_ok=True)
    (folder / "refs" / revision).write_text(commit)
    (folder / "blobs").mkdir(exist_ok=True)
    for name, data in files.items():
        blob = (
            folder
            / "blobs"
            / (hashlib.sha256(data).hexdigest() if name.endswith(".onnx") else git_digest(data))
        )
        blob.write_bytes(data)
        place = folder / "snapshots" / commit / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(blob)
    return commit


@pytest.fixture
def in_cache(cache: Path) -> Callable[..., str]:
    def place(files: Mapping[str, bytes], repository: str = REPOSITORY, **named: str) -> str:
        return put(cache, repository, files, **named)

    return place


@pytest.fixture
def source() -> ModelSource:
    return ModelSource(REPOSITORY, REPOSITORY, "main", None, "onnx/model.onnx")


@pytest.fixture
def stand_ins() -> dict[str, bytes]:
    """Three files that nobody will load."""
    return {"config.json": b'{"id2label": {"0": "x"}}', "tokenizer.json": b"{}", "onnx/model.onnx": b"graph"}


@pytest.fixture(scope="session")
def build_graph() -> Callable[..., bytes]:
    """A graph that looks each token's logits up, or with `pooled` their mean over the text."""

    def build(
        table: list[list[float]] | None = None, *, pooled: bool = False, extra: tuple[str, ...] = ()
    ) -> bytes:
        from onnx import TensorProto, checker, helper

        rows = table or TABLE
        weights = helper.make_tensor(
            "table", TensorProto.FLOAT, [len(rows), len(rows[0])], [number for row in rows for number in row]
        )
        nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens" if pooled else "logits"])]
        if pooled:
            axes = helper.make_tensor("axes", TensorProto.INT64, [1], [1])
            nodes.append(helper.make_node("ReduceMean", ["tokens", "axes"], ["logits"], keepdims=0))
        shape = [1, len(rows[0])] if pooled else [1, "tokens", len(rows[0])]
        graph = helper.make_graph(
            nodes,
            "tiny",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, [1, "tokens"])
                for name in ("input_ids", "attention_mask", *extra)
            ],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, shape)],
            [weights, *([axes] if pooled else [])],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        checker.check_model(model)
        return model.SerializeToString()

    return build


@pytest.fixture(scope="session")
def tiny(build_graph: Callable[..., bytes]) -> dict[str, bytes]:
    """The files of a whole model, of tokens."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=8)
    return {
        "config.json": json.dumps({"id2label": {"0": "yes", "1": "no"}}).encode(),
        "tokenizer.json": tokenizer.to_str().encode(),
        "onnx/model.onnx": build_graph(),
    }
