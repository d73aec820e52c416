"""Loading and running: real bytes of a tiny model, whole, damaged, and of the wrong shape."""

from __future__ import annotations

import json
import threading

import numpy as np
import pytest

from indx_model_onnx import ModelFailure, load, softmax
from indx_model_onnx._models import Models


@pytest.fixture
def fresh(source, in_cache):
    """Loads files as a model, as if for the first time."""

    def make(files):
        in_cache(files)
        return Models().load(source)

    return make


def test_each_token_has_the_logits_of_its_word(fresh, tiny):
    model = fresh(tiny)
    tokens = model.tokens("good bad unheard")
    assert tokens.tokens == ["[CLS]", "good", "bad", "[UNK]", "[SEP]"]  # neither cut nor padded
    assert model.token_logits(tokens).tolist() == [[0, 0], [4, -4], [-4, 4], [0, 0], [0, 0]]
    assert model.labels == ("yes", "no")


def test_a_text_has_its_mean(fresh, tiny, build_graph):
    model = fresh(tiny | {"onnx/model.onnx": build_graph(pooled=True)})
    assert model.text_logits(model.tokens("good good")).tolist() == [2.0, -2.0]


def test_a_pair_is_framed_and_its_first_text_cut_to_fit(fresh, tiny):
    model = fresh(tiny)
    first, second = model.tokens("good " * 50, bare=True), model.tokens("bad fine", bare=True)
    pair = model.paired(model.fitted(first, [second], 8), second)
    assert pair.tokens == ["[CLS]", "good", "good", "good", "[SEP]", "bad", "fine", "[SEP]"]
    assert pair.type_ids == [0, 0, 0, 0, 0, 1, 1, 1]


def test_a_second_text_that_fills_the_window_leaves_no_room(fresh, tiny):
    model = fresh(tiny)
    second = model.tokens("bad " * 9, bare=True)
    with pytest.raises(ModelFailure, match="no room"):
        model.fitted(model.tokens("good", bare=True), [second], 12)


def test_what_no_encoding_holds_keeps_its_place(fresh, tiny):
    tokens = fresh(tiny).tokens("\ud800 good \x00bad")
    assert [tokens.offsets[place] for place in range(1, len(tokens.ids) - 1)] == [
        (0, 1),
        (2, 6),
        (7, 8),
        (8, 11),
    ]


def test_truncated_weights_fail_with_the_reason(fresh, tiny):
    with pytest.raises(ModelFailure, match="its graph cannot be loaded"):
        fresh(tiny | {"onnx/model.onnx": tiny["onnx/model.onnx"][:-20]})


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("onnx/model.onnx", b"", "its graph cannot be loaded"),
        ("onnx/model.onnx", b"\x00" * 100, "its graph cannot be loaded"),
        ("tokenizer.json", b"{}", "its tokenizer cannot be read"),
        ("tokenizer.json", b"\xff\xfe", "its tokenizer cannot be read"),
        ("config.json", b"[]", "is not an object"),
        ("config.json", b"{", r"its config\.json cannot be read"),
        ("config.json", b"[" * 100_000, r"its config\.json cannot be read"),
        ("config.json", b" " * 5_000_000, "larger than"),
        ("config.json", b"{}", "does not name its labels"),
        ("config.json", b'{"id2label": {"1": "a"}}', "does not name its labels"),
        ("config.json", b'{"id2label": {"0": 7}}', "does not name its labels"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_damaged_files_fail_with_the_reason(fresh, tiny, name, data, said):
    with pytest.raises(ModelFailure, match=said) as caught:
        fresh(tiny | {name: data})
    assert "/hub/" not in caught.value.message


def test_labels_that_do_not_fit_the_graph_are_refused(fresh, tiny):
    config = json.dumps({"id2label": {"0": "a", "1": "b", "2": "c"}}).encode()
    model = fresh(tiny | {"config.json": config})
    with pytest.raises(ModelFailure, match="another graph"):
        model.token_logits(model.tokens("good"))


def test_a_graph_of_another_task_is_refused(fresh, tiny, build_graph):
    model = fresh(tiny | {"onnx/model.onnx": build_graph(pooled=True)})
    with pytest.raises(ModelFailure, match="another graph"):
        model.token_logits(model.tokens("good"))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_none_are_refused(fresh, tiny, build_graph, number):
    table = [[0.0, 0.0]] * 3 + [[number, 1.0]] + [[0.0, 0.0]] * 2
    model = fresh(tiny | {"onnx/model.onnx": build_graph(table)})
    with pytest.raises(ModelFailure, match="NaN or infinity"):
        model.token_logits(model.tokens("good"))
    assert model.token_logits(model.tokens("bad")).shape == (3, 2)  # the model lives on


def test_a_table_too_small_for_the_vocabulary_fails_and_the_process_lives(fresh, tiny, build_graph):
    model = fresh(tiny | {"onnx/model.onnx": build_graph([[1.0, 0.0]] * 4)})
    with pytest.raises(ModelFailure, match="its graph fails"):
        model.token_logits(model.tokens("bad"))
    assert model.token_logits(model.tokens("good")).shape == (3, 2)


def test_a_graph_that_wants_what_no_text_has_is_refused(fresh, tiny, build_graph):
    with pytest.raises(ModelFailure, match="pixel_values"):
        fresh(tiny | {"onnx/model.onnx": build_graph(extra=("pixel_values",))})


def test_a_model_is_loaded_once_and_shared_by_threads(source, in_cache, tiny):
    in_cache(tiny)
    models, made = Models(), []
    threads = [threading.Thread(target=lambda: made.append(models.load(source))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 8
    assert len(set(map(id, made))) == 1


def test_few_models_are_kept(in_cache, tiny, source):
    from dataclasses import replace

    models, first = Models(), None
    for name in ("owner/a", "owner/b", "owner/c"):
        in_cache(tiny, name)
        model = models.load(replace(source, name=name, repository=name))
        first = first or model
    assert models.load(replace(source, name="owner/a", repository="owner/a")) is not first


def test_the_process_keeps_what_it_loaded(source, in_cache, tiny):
    in_cache(tiny)
    assert load(source) is load(source)


def test_probabilities_sum_to_one_however_large_the_logits():
    chances = softmax(np.array([[1e308, 0.0], [-5.0, -5.0]]))
    assert chances.tolist() == [[1.0, 0.0], [0.5, 0.5]]
