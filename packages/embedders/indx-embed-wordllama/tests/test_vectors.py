"""The vectors are those that wordllama makes, whatever the batch; what has none is an error of that item."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_core.ports import Embedded, Raster
from indx_embed_wordllama import embedder
from indx_embed_wordllama._files import Files, locate
from indx_embed_wordllama._model import ALONE, MAX_PIECE, Model, load
from indx_testkit.lazy import run_python

SAMPLE = """
invoice total 2024 1,200.50 naïve договор 契約書 請求 です 한국어 \u0e20\u0e32\u0e29\u0e32 e\u0301 ▁
<s> </s> <unk>
&amp; ☃ 🙂 \u200b \ufffd https://a.io/b_c-d?e=1
"""
WORDS = [*SAMPLE.split(), "def\tf(x):\r\n", "  return"]

PACKAGE = """
import numpy as np
from tokenizers import Tokenizer
from safetensors.numpy import load_file
from wordllama.inference import WordLlamaInference
weights, tokenizer, texts, out = {arguments!r}
model = WordLlamaInference(load_file(weights)["embedding.weight"], Tokenizer.from_file(tokenizer))
with open(texts, encoding="utf-8", newline="") as file:
    batch = file.read().split("\\0")
np.save(out, model.embed(batch, norm=True))
"""

texts = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=12).map(" ".join)


@pytest.fixture(scope="module")
def files() -> Files:
    found = locate("wordllama")
    assert isinstance(found, Files)
    return found


@pytest.fixture(scope="module")
def model(files: Files) -> Model:
    return load(files)


def embed(*batch: str | Raster, role: str = "document") -> Embedded:
    return embedder().embed(batch, role=role, deadline=Deadline())  # type: ignore[arg-type]


def sample() -> list[str]:
    """Texts of one to four hundred words, and some that are special."""
    chance = random.Random(7)
    made = [" ".join(chance.choices(WORDS, k=size)) for size in (1, 2, 5, 20, 80, 400) for _ in range(6)]
    return ["?", " leading  spaces   and\n\nlines", "a" * (MAX_PIECE + 44), "契約" * 300, *made]


def test_the_vectors_are_those_of_the_package(files: Files, tmp_path: Path) -> None:
    batch = sample()
    (tmp_path / "texts").write_text("\0".join(batch), encoding="utf-8", newline="")
    arguments = [str(files.weights), str(files.tokenizer), str(tmp_path / "texts"), str(tmp_path / "out.npy")]
    run_python(PACKAGE.format(arguments=arguments))
    np.testing.assert_allclose(embed(*batch).values, np.load(tmp_path / "out.npy"), atol=1e-6)


def test_no_token_of_the_vocabulary_crosses_a_place_where_texts_are_cut(model: Model) -> None:
    alone = set("\n0123456789") | {chr(code) for code in range(0x3000, 0xD800)}
    assert ALONE == "\\n0-9\u3000-\ud7ff"
    for token in model._tokenizer.get_vocab():
        if len(token) > 1 and not (token.startswith("<0x") and len(token) == 6):
            assert "▁" not in token.lstrip("▁"), token
            assert alone.isdisjoint(token), token


@given(texts.filter(bool))
def test_the_tokens_are_those_of_the_whole_text(text: str) -> None:
    found = locate("wordllama")
    assert isinstance(found, Files)
    model = load(found)
    fit = text.replace("\0", "\ufffd")
    assert model.tokens(text).tolist() == model._tokenizer.encode(fit, add_special_tokens=False).ids


@given(texts, st.lists(texts, max_size=4))
def test_a_vector_does_not_depend_on_its_batch_or_role(text: str, others: list[str]) -> None:
    among = embed(*others, text, *others).values[len(others)]
    assert np.array_equal(among, embed(text, role="query").values[0])


@given(texts)
def test_a_vector_is_of_unit_length_or_an_error_and_zero(text: str) -> None:
    answer = embed(text)
    length = float(np.linalg.norm(answer.values[0]))
    assert (0 in answer.errors) is not bool(text.strip())
    assert length == (0 if 0 in answer.errors else pytest.approx(1.0, abs=1e-6))


@pytest.mark.parametrize("text", ["", "   ", "\n\t \u3000"])
def test_a_blank_text_is_an_error_of_that_item(text: str) -> None:
    answer = embed("before", text, "after")
    assert list(answer.errors) == [1]
    assert not answer.values[1].any()
    assert answer.values[2].any()


def test_an_image_is_an_error_of_that_item() -> None:
    assert list(embed("text", Raster(1, 1, b"\0\0\0", 72)).errors) == [1]


def test_what_no_encoding_can_hold_is_read_as_a_replacement_character() -> None:
    values = embed("a\ud800b\0", "a\ufffdb\ufffd").values
    assert np.array_equal(values[0], values[1])


def test_a_text_longer_than_a_block_is_added_up_whole(model: Model) -> None:
    text = "一二三四" * 5000
    plain = model._single[model.tokens(text)].mean(axis=0, dtype=np.float64)
    np.testing.assert_allclose(embed(text).values[0], plain / np.linalg.norm(plain), atol=1e-5)


def test_characters_after_the_declared_limit_are_not_looked_at() -> None:
    limit = embedder().declaration.max_characters
    assert limit is not None
    head = "一" * limit
    values = embed(head, head + "other words").values
    assert np.array_equal(values[0], values[1])


def test_texts_of_one_meaning_are_nearer_than_others() -> None:
    values = embed("the car would not start", "the vehicle failed to start", "a recipe for onion soup").values
    assert values[0] @ values[1] > values[0] @ values[2] + 0.2


def test_a_passed_deadline_stops_the_batch() -> None:
    clock = iter(range(100))
    with pytest.raises(TimedOut):
        embedder().embed(["text"], role="query", deadline=Deadline(0.5, clock=lambda: float(next(clock))))
