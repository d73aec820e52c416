"""A model of token classification small enough to read, in the hub's cache as if it had been downloaded.

Every token has one label, in `TOKENS`; the graph looks its logits up in a table.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from indx_ner_onnx.settings import SETTINGS

# The engine, and `onnx`, which builds the test's graph, are in no environment but the one in which
# `scripts/test install` (tests/install/test_engines.py) runs these files.
collect_ignore = (
    []
    if all(
        importlib.util.find_spec(name) for name in ("onnxruntime", "tokenizers", "huggingface_hub", "onnx")
    )
    else ["test_conformance.py", "test_extraction.py", "test_failures.py"]
)

REPOSITORY = "Xenova/bert-base-multilingual-cased-ner-hrl"
GRAPH = "onnx/model_quantized.onnx"
LABELS = ("O", "B-DATE", "I-DATE", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC", "B-Product")
SURE = 6.0
"""The logit of a token's label over the others' zero: a probability of 0.978 among ten."""
TOKENS: Mapping[str, tuple[str, float]] = {
    "[PAD]": ("O", SURE),
    "[UNK]": ("O", SURE),
    "[CLS]": ("B-PER", SURE),  # a frame that would count as a name if it were taken for text
    "[SEP]": ("B-PER", SURE),
    "Ada": ("B-PER", SURE),
    "Love": ("I-PER", SURE),
    "##lace": ("O", SURE),  # what a model says of the rest of a word means nothing
    "Acme": ("B-ORG", SURE),
    "Corp": ("I-ORG", SURE),
    "Oslo": ("B-LOC", SURE),
    "Paris": ("I-LOC", SURE),  # as models of the older scheme say
    "Maybe": ("B-LOC", 2.0),  # a probability of 0.45
    "met": ("O", SURE),
    "in": ("O", SURE),
    ".": ("O", SURE),
    ",": ("O", SURE),
    "Widget": ("B-Product", SURE),
    "Broken": ("O", float("nan")),
    "東": ("B-LOC", SURE),
    "京": ("I-LOC", SURE),
    "都": ("O", SURE),
    "で": ("O", SURE),
}


def tokenizer() -> bytes:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    made = Tokenizer(models.WordPiece({word: place for place, word in enumerate(TOKENS)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=False)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = [("[CLS]", 2), ("[SEP]", 3)]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=special
    )
    return made.to_str().encode()


def graph() -> bytes:
    from onnx import TensorProto, helper

    table = [0.0] * (len(TOKENS) * len(LABELS))
    for place, (label, logit) in enumerate(TOKENS.values()):
        table[place * len(LABELS) + LABELS.index(label)] = logit
    names = ("input_ids", "attention_mask", "token_type_ids")
    made = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["logits"])],
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "tokens", len(LABELS)])],
        [helper.make_tensor("table", TensorProto.FLOAT, [len(TOKENS), len(LABELS)], table)],
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    return bytes(model.SerializeToString())


@pytest.fixture(scope="session")
def files() -> dict[str, bytes]:
    """The files of the model, as its repository holds them."""
    config = {"model_type": "bert", "id2label": {str(place): label for place, label in enumerate(LABELS)}}
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
