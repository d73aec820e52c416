"""A model of inference small enough to read, in the hub's cache as if it had been downloaded.

It holds that a text entails a hypothesis when a word with meaning stands in both: the graph counts each
word over text and hypothesis together, and a word that counts twice is shared.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from pathlib import Path

import pytest

from indx_classifier_zeroshot.settings import SETTINGS

# The engine, and `onnx`, which builds the test's graph, are in no environment but the one in which
# `scripts/test install` (tests/install/test_engines.py) runs these files.
collect_ignore = (
    []
    if all(
        importlib.util.find_spec(name) for name in ("onnxruntime", "tokenizers", "huggingface_hub", "onnx")
    )
    else ["test_conformance.py", "test_failures.py", "test_inference.py"]
)

REPOSITORY = "Xenova/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"
GRAPH = "onnx/model_quantized.onnx"
LABELS = ("entailment", "neutral", "contradiction")
FRAME = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "This", "document", "is", "a", ".")
MEANING = ("invoice", "letter", "order", "purchase", "report", "broken", "請求書", "faq")
WORDS = (*FRAME, *MEANING)


def tokenizer() -> bytes:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    made = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return made.to_str().encode()


def graph() -> bytes:
    """Entailment 3 × shared - 2, neutral 0, contradiction 2 - 3 × shared; NaN where `broken` is shared."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    meaning = np.zeros((len(WORDS), 3), np.float32)
    meaning[len(FRAME) :] = [3.0, 0.0, -3.0]
    meaning[WORDS.index("broken")] = np.nan
    constants = {
        "depth": np.array(len(WORDS), np.int64),
        "switch": np.array([0.0, 1.0], np.float32),
        "tokens": np.array([1], np.int64),
        "last": np.array([2], np.int64),
        "nothing": np.array(0.0, np.float32),
        "once": np.array(1.5, np.float32),
        "meaning": meaning,
        "bias": np.array([-2.0, 0.0, 2.0], np.float32),
    }
    nodes = [
        helper.make_node("OneHot", ["input_ids", "depth", "switch"], ["each"], axis=-1),
        helper.make_node("ReduceSum", ["each", "tokens"], ["count"], keepdims=0),
        helper.make_node("Greater", ["count", "once"], ["is_shared"]),
        helper.make_node("Unsqueeze", ["is_shared", "last"], ["column"]),
        helper.make_node("Where", ["column", "meaning", "nothing"], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "tokens"], ["summed"], keepdims=0),
        helper.make_node("Add", ["summed", "bias"], ["logits"]),
    ]
    names = ("input_ids", "attention_mask")
    made = helper.make_graph(
        nodes,
        "overlap",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return bytes(model.SerializeToString())


@pytest.fixture(scope="session")
def files() -> dict[str, bytes]:
    """The files of the model, as its repository holds them."""
    config = {"model_type": "deberta-v2", "id2label": {str(n): label for n, label in enumerate(LABELS)}}
    return {"config.json": json.dumps(config).encode(), "tokenizer.json": tokenizer(), GRAPH: graph()}


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> Path:
    """A cache that holds the model as the hub's own tools would have left it."""
    root = tmp_path_factory.mktemp("hub")
    folder = root / f"models--{REPOSITORY.replace('/', '--')}"
    commit = "f" * 40
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text(commit)
    (folder / "blobs").mkdir()
    for name, data in files.items():
        large = name == GRAPH
        named = hashlib.sha256(data) if large else hashlib.sha1(b"blob %d\0" % len(data) + data)
        blob = folder / "blobs" / named.hexdigest()
        blob.write_bytes(data)
        link = folder / "snapshots" / commit / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(blob)
    return root


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty cache, no network, and settings as they come; a test that needs the model says so."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "empty"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, hub: Path) -> None:
    """The default model is in the cache."""
    from indx_model_onnx import _models

    monkeypatch.setenv("HF_HUB_CACHE", str(hub))
    monkeypatch.setattr(_models, "_MODELS", _models.Models())
