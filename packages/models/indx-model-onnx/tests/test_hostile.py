"""Models that mean harm, or are broken beyond what a check foresees: each fails alone, within its bounds."""

from __future__ import annotations

import base64
import json
import threading
from types import SimpleNamespace

import pytest

from indx_model_onnx import ModelFailure
from indx_model_onnx._models import Models
from indx_model_onnx.settings import MEMORY_BYTES, RUN_SECONDS


@pytest.fixture
def fresh(source, in_cache):
    """Loads files as a model, as if for the first time."""

    def make(files):
        in_cache(files)
        return Models().load(source)

    return make


@pytest.fixture
def graph_of():
    """A graph of nodes behind the look-up of each token, from `tokens` to `logits`."""

    def build(nodes, constants=(), *, output=None, inputs=None):
        from onnx import TensorProto, helper

        table = helper.make_tensor("table", TensorProto.FLOAT, [6, 2], [0.0] * 12)
        shown = inputs or helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])
        answer = helper.make_tensor_value_info("logits", output or TensorProto.FLOAT, [1, "tokens", 2])
        first = helper.make_node("Gather", ["table", "input_ids"], ["tokens"])
        made = helper.make_graph([first, *nodes], "hostile", [shown], [answer], [table, *constants])
        opset = [helper.make_opsetid("", 18)]
        return helper.make_model(made, opset_imports=opset, ir_version=9).SerializeToString()

    return build


@pytest.fixture
def endless(graph_of):
    """A graph that goes round for ever."""
    from onnx import TensorProto, helper

    info = helper.make_tensor_value_info
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Neg", ["x"], ["y"])],
        "body",
        [
            info("turn", TensorProto.INT64, []),
            info("go", TensorProto.BOOL, []),
            info("x", TensorProto.FLOAT, None),
        ],
        [info("on", TensorProto.BOOL, []), info("y", TensorProto.FLOAT, None)],
    )
    loop = helper.make_node("Loop", ["", "true", "tokens"], ["logits"], body=body)
    return graph_of([loop], [helper.make_tensor("true", TensorProto.BOOL, [], [1])])


def test_a_graph_that_comes_to_no_end_is_stopped_and_left_alone_for_a_while(
    fresh, tiny, endless, monkeypatch
):
    import onnxruntime

    monkeypatch.setenv(RUN_SECONDS.name, "0.2")
    runs = []
    options = onnxruntime.RunOptions

    def counted():
        runs.append(options())
        return runs[-1]

    monkeypatch.setattr(onnxruntime, "RunOptions", counted)
    model = fresh(tiny | {"onnx/model.onnx": endless})
    with pytest.raises(ModelFailure, match=f"came to no end within 0.2 s; raise {RUN_SECONDS.name}"):
        model.token_logits(model.tokens("good"))
    assert runs[0].terminate
    for thread in threading.enumerate():
        if thread.name == "indx-model-onnx":
            thread.join(30)
            assert not thread.is_alive(), "it was told to end"
    monkeypatch.setattr(model, "_session", None)  # whoever asked it now would fail otherwise
    with pytest.raises(ModelFailure, match="came to no end"):
        model.token_logits(model.tokens("good"))


def test_models_that_are_loaded_at_once_share_one_bound():
    from indx_model_onnx import _models

    made = []
    other = threading.Thread(target=lambda: _models._bound_memory(Engine))

    class Engine:
        """A module of its own, since that of the engine is bounded once for the process."""

        OrtAllocatorType = OrtMemType = SimpleNamespace(ORT_ARENA_ALLOCATOR=0, DEFAULT=0)
        OrtMemoryInfo = OrtArenaCfg = staticmethod(lambda *_: None)

        def create_and_register_allocator(*_):
            made.append(threading.current_thread())
            if threading.current_thread() is not other:
                other.start()
                other.join(0.3)  # where nothing keeps it, it is through by then

    _models._bound_memory(Engine)
    other.join(30)
    assert len(made) == 1


def test_a_graph_that_wants_more_memory_than_it_may_have_fails_alone(fresh, tiny, graph_of):
    from onnx import TensorProto, helper

    many = helper.make_tensor("many", TensorProto.INT64, [1], [MEMORY_BYTES.get() // 4 + 1])
    nodes = [
        helper.make_node("ConstantOfShape", ["many"], ["zeros"]),
        helper.make_node("ReduceMax", ["zeros"], ["zero"], keepdims=0),
        helper.make_node("Add", ["tokens", "zero"], ["logits"]),
    ]
    model = fresh(tiny | {"onnx/model.onnx": graph_of(nodes, [many])})
    with pytest.raises(ModelFailure, match=f"more memory than {MEMORY_BYTES.name} allows"):
        model.token_logits(model.tokens("good"))


def test_a_graph_whose_answer_is_no_number_fails(fresh, tiny, graph_of):
    from onnx import TensorProto, helper

    cast = helper.make_node("Cast", ["tokens"], ["logits"], to=TensorProto.STRING)
    model = fresh(tiny | {"onnx/model.onnx": graph_of([cast], output=TensorProto.STRING)})
    with pytest.raises(ModelFailure, match="no numbers"):
        model.token_logits(model.tokens("good"))


def test_a_word_whose_number_the_graph_cannot_take_fails(fresh, tiny, graph_of):
    from onnx import TensorProto, helper

    small = helper.make_tensor_value_info("input_ids", TensorProto.INT32, [1, "tokens"])
    whole = helper.make_node("Identity", ["tokens"], ["logits"])
    words = json.loads(tiny["tokenizer.json"])
    words["model"]["vocab"]["good"] = 2**32 - 1
    model = fresh(
        tiny
        | {"onnx/model.onnx": graph_of([whole], inputs=small), "tokenizer.json": json.dumps(words).encode()}
    )
    with pytest.raises(ModelFailure, match="its graph fails"):
        model.token_logits(model.tokens("good"))
    assert model.token_logits(model.tokens("bad")).shape == (3, 2)


def test_what_the_engine_makes_of_a_damaged_name_is_not_printed(fresh, tiny, capfd):
    spoilt = tiny["onnx/model.onnx"].replace(b"Gather", b"Gathe\xff")
    with pytest.raises(ModelFailure, match="its graph cannot be loaded"):
        fresh(tiny | {"onnx/model.onnx": spoilt})
    assert capfd.readouterr().out == "", "a command's answer stands there"


def _with_table(tiny, table: bytes) -> bytes:
    words = json.loads(tiny["tokenizer.json"])
    encoded = base64.b64encode(table).decode()
    words["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": encoded}
    return json.dumps(words).encode()


@pytest.mark.parametrize("table", [b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f" + b"\0" * 64, b""])
def test_a_table_of_letters_that_says_it_is_larger_than_it_is_never_reaches_the_library(
    fresh, tiny, table, monkeypatch
):
    import tokenizers

    monkeypatch.setattr(tokenizers.Tokenizer, "from_str", lambda text: pytest.fail("it was read"))
    with pytest.raises(ModelFailure, match="its table of letters is cut short"):
        fresh(tiny | {"tokenizer.json": _with_table(tiny, table)})


def test_a_table_of_letters_hidden_behind_a_second_one_is_found(fresh, tiny, monkeypatch):
    import tokenizers

    monkeypatch.setattr(tokenizers.Tokenizer, "from_str", lambda text: pytest.fail("it was read"))
    whole = _with_table(tiny, b"\xff\xff\xff\xff").decode()
    hidden = whole.replace('"normalizer"', '"norm\\u0061lizer"', 1).replace(
        '"pre_tokenizer"', '"normalizer": null, "pre_tokenizer"', 1
    )
    with pytest.raises(ModelFailure, match="cut short"):
        fresh(tiny | {"tokenizer.json": hidden.encode()})


def test_a_tokenizer_that_panics_on_a_text_fails_on_that_text(fresh, tiny):
    words = json.loads(tiny["tokenizer.json"])
    words["pre_tokenizer"] = {
        "type": "Split",
        "pattern": {"Regex": "(a+)+$"},  # which gives up only after millions of steps
        "behavior": "Isolated",
        "invert": False,
    }
    model = fresh(tiny | {"tokenizer.json": json.dumps(words).encode()})
    with pytest.raises(ModelFailure, match="its tokenizer fails on this text"):
        model.tokens("a" * 34 + "b")
    assert model.tokens("good").ids


def test_a_tokenizer_without_the_words_it_frames_pairs_with_fails(fresh, tiny):
    words = json.loads(tiny["tokenizer.json"])
    words["post_processor"]["pair"][-1]["SpecialToken"]["id"] = "[GONE]"
    model = fresh(tiny | {"tokenizer.json": json.dumps(words).encode()})
    first, second = model.tokens("good", bare=True), model.tokens("bad", bare=True)
    with pytest.raises(ModelFailure, match="its tokenizer fails"):
        model.paired(first, second)


def test_a_tokenizer_beyond_all_measure_is_not_read(fresh, tiny, monkeypatch):
    monkeypatch.setattr("indx_model_onnx._tokenizers.MAX_BYTES", 1000)
    with pytest.raises(ModelFailure, match="larger than 1000 bytes"):
        fresh(tiny | {"tokenizer.json": tiny["tokenizer.json"] + b" " * 1000})


def test_labels_are_one_short_line_each(fresh, tiny):
    config = json.dumps({"id2label": {"0": "y\ne\u0000s\u202e\x1b[31m " + "x" * 5000, "1": "no"}}).encode()
    labels = fresh(tiny | {"config.json": config}).labels
    assert labels[0].startswith("y e\ufffds\ufffd\ufffd[31m x")
    assert len(labels[0]) == 200


def test_weights_beside_the_model_that_lead_out_of_it_are_refused(tmp_path, tiny, source):
    from dataclasses import replace

    from onnx import TensorProto, helper

    for place in ("../outside.bin", "/dev/zero", "absent.bin"):
        outside = TensorProto(name="table", data_type=TensorProto.FLOAT, dims=[6, 2])
        outside.data_location = TensorProto.EXTERNAL
        outside.external_data.add(key="location", value=place)
        graph = helper.make_graph(
            [helper.make_node("Gather", ["table", "input_ids"], ["logits"])],
            "outside",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])],
            [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, "tokens", 2])],
            [outside],
        )
        opset = [helper.make_opsetid("", 18)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=9).SerializeToString()
        folder = tmp_path / "model"
        for name, data in (tiny | {"onnx/model.onnx": model}).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        (folder / "outside.bin").write_bytes(b"\0" * 48)
        with pytest.raises(ModelFailure, match="its graph cannot be loaded") as caught:
            Models().load(replace(source, name="./model", folder=folder))
        assert str(tmp_path) not in caught.value.message
