"""What the vectors of `default-text` are: frozen values, and the rules behind them."""

from __future__ import annotations

import hashlib
import math
import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_core.ports import Embedded, Raster
from indx_embed_hash import embedder
from indx_testkit.lazy import run_python

GOLDEN_DIGEST = "e63f3def8cb4e92a5240b81951b2849a41835c9db8c0edabc596cc580b696158"
TEXTS = ["Invoice no. 42", "請求書の合計は¥1,200です。", "naïve ＣＡＦＥ́", "𠮷野家 🙂 e\u0301", "a"]

texts = st.text(alphabet=st.characters(), max_size=60)


def embed(*batch: str | Raster) -> Embedded:
    return embedder().embed(batch, role="document", deadline=Deadline())


def cosine(one: str, other: str) -> float:
    values = embed(one, other).values
    return float(values[0] @ values[1])


def reference(text: str) -> list[float]:
    """The documented algorithm, a character at a time."""
    folded = text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
    shown = [ord(c) if unicodedata.category(c)[0] in "LMN" else 32 for c in f" {folded} "]
    signed, unsigned = [0] * 256, [0] * 256
    for a, b, c in zip(shown, shown[1:], shown[2:], strict=False):
        if b == 32:
            continue
        h = (a * 0x9E3779B1 + b * 0x85EBCA77 + c * 0xC2B2AE3D) % 2**32
        h = (h ^ h >> 15) * 0x27D4EB2F % 2**32
        signed[h >> 23 & 255] += -1 if h >> 31 else 1
        unsigned[h >> 23 & 255] += 1
    counts = signed if any(signed) else unsigned
    total = sum(map(abs, counts)) or 1
    return [math.copysign(math.sqrt(abs(count) / total), count) for count in counts]


def test_a_known_text_has_its_known_values() -> None:
    vector = embed("ab").values[0]
    assert {i: float(vector[i]) for i in np.flatnonzero(vector)} == {
        112: float(np.float32(0.5**0.5)),
        143: float(np.float32(0.5**0.5)),
    }


def test_known_texts_have_their_known_bytes() -> None:
    values = embed(*TEXTS).values.astype("<f4")
    assert hashlib.sha256(values.tobytes()).hexdigest() == GOLDEN_DIGEST


def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    code = (
        "import hashlib\nfrom indx_core.deadline import Deadline\nfrom indx_embed_hash import embedder\n"
        f"values = embedder().embed({TEXTS!r}, role='query', deadline=Deadline()).values\n"
        "print(hashlib.sha256(values.astype('<f4').tobytes()).hexdigest())"
    )
    assert run_python(code, PYTHONHASHSEED="7").strip() == GOLDEN_DIGEST


@given(texts)
def test_every_vector_is_the_documented_one(text: str) -> None:
    assert embed(text).values[0].tolist() == [np.float32(value) for value in reference(text)]


@given(st.lists(texts, max_size=8), texts)
def test_a_vector_does_not_depend_on_its_batch(others: list[str], text: str) -> None:
    among = embed(*others, text, *others)
    assert np.array_equal(among.values[len(others)], embed(text).values[0])


def test_a_batch_larger_than_a_group_is_embedded_in_order() -> None:
    batch = [f"text number {i} " * (i % 7 * 200) for i in range(500)]
    answer = embed(*batch)
    for row in (0, 1, 127, 128, 129, 499):
        assert np.array_equal(answer.values[row], embed(batch[row]).values[0])
    assert sorted(answer.errors) == list(answer.errors) == [row for row in range(500) if row % 7 == 0]


@given(texts)
def test_a_vector_is_of_unit_length_or_an_error_and_zero(text: str) -> None:
    answer = embed(text)
    length = float(np.linalg.norm(answer.values[0]))
    has_words = any(
        unicodedata.category(c)[0] in "LMN" for c in unicodedata.normalize("NFKC", text).casefold()
    )
    assert (0 in answer.errors) is not has_words
    assert length == pytest.approx(1.0, abs=1e-6) if has_words else length == 0


@pytest.mark.parametrize("text", ["", " \n\t", "?!… —", "。、「」", "🙂", "\x00", "\ud800"])
def test_a_text_without_letters_and_digits_is_an_error_of_that_item(text: str) -> None:
    answer = embed("before", text, "after")
    assert list(answer.errors) == [1]
    assert "no letter and no digit" in answer.errors[1]
    assert not answer.values[1].any()
    assert answer.values[2].any()


def test_counts_that_cancel_out_still_give_a_vector() -> None:
    # " us" and "us " fall into one bucket with opposite signs.
    vector = embed("us").values[0]
    assert np.count_nonzero(vector) == 1
    assert float(vector.max()) == 1.0


def test_an_image_is_an_error_of_that_item() -> None:
    answer = embed("text", Raster(1, 1, b"\0\0\0", 72))
    assert list(answer.errors) == [1]


def test_case_width_and_compatibility_forms_make_no_difference() -> None:
    assert cosine("ＣＡＦÉ ﾃｽﾄ", "cafe\u0301 テスト") == pytest.approx(1.0)


def test_punctuation_and_spacing_make_no_difference() -> None:
    assert cosine("purchase-order: 17", "  purchase order\n17!") == pytest.approx(1.0)


def test_texts_that_share_trigrams_are_nearer_than_texts_that_share_none() -> None:
    assert cosine("the invoice is overdue", "overdue invoices") > 0.4
    assert cosine("請求書の支払期限", "請求書の支払方法") > 0.4
    assert abs(cosine("the invoice is overdue", "zygomatic fjord blimp")) < 0.3


def test_characters_after_the_declared_limit_are_not_looked_at() -> None:
    limit = embedder().declaration.max_characters
    assert limit is not None
    head = "ab " * (limit // 3) + "c"
    values = embed(head, head + "zzz").values
    assert len(head) == limit
    assert np.array_equal(values[0], values[1])


def test_a_passed_deadline_stops_the_batch() -> None:
    clock = iter(range(100))
    with pytest.raises(TimedOut):
        embedder().embed(["text"], role="document", deadline=Deadline(0.5, clock=lambda: float(next(clock))))
