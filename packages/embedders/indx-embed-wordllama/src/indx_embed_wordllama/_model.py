"""Texts to tokens to the mean of their vectors, as wordllama itself makes them, several times faster.

wordllama tokenizes a text as one word, because a text's spaces become `▁` and nothing splits it. But no
token of its vocabulary holds a `▁` after another character, and line feeds, digits, kana, ideographs and
Hangul syllables stand in no token of more than one character. So a text can be cut there without changing
its tokens, and each distinct piece is tokenized once. Texts are added up one by one, in the order of their
tokens: a vector does not depend on its batch.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from indx_core.canonical import clean_text
from indx_core.errors import Unavailable
from indx_core.ports.embedding import Embedded, EmbeddingInput
from indx_embed_wordllama._files import REINSTALL, TOKENIZER, WEIGHTS, Files, PinnedFile
from indx_embed_wordllama.provider import DECLARATION

if TYPE_CHECKING:
    from indx_core.deadline import Deadline

DIMENSION: Final = DECLARATION.space.dimension
VOCABULARY: Final = 32000
OFFSET: Final = 96  # of the one tensor behind the header of the weights file
ALONE: Final = "\\n0-9\u3000-\ud7ff"  # characters in no token of more than one character
PIECES: Final = re.compile(f"▁*[^▁{ALONE}]+|▁+|[{ALONE}]")
SPECIAL: Final = re.compile("<unk>|</?s>")  # read as one token each, wherever they stand
MAX_PIECE: Final = (
    256  # characters; a text with a longer piece is tokenized whole, so that the cache stays small
)
CACHED_PIECES: Final = 32768
BLOCK: Final = 8192  # tokens added up at once, 8 MiB of vectors
NOTHING: Final = "nothing to embed: the text is blank"


class Model:
    """The weights, mapped, and the tokenizer.

    Args:
        files: Where they are.

    Raises:
        Unavailable: A file is not the one of the space.
    """

    def __init__(self, files: Files) -> None:
        weights = np.memmap(files.weights, np.uint8, "r")
        _verify(weights.data, WEIGHTS, files.weights)
        self._half = weights[OFFSET:].view("<f2").reshape(VOCABULARY, DIMENSION)

        definition = files.tokenizer.read_bytes()
        _verify(definition, TOKENIZER, files.tokenizer)
        self._tokenizer: Any = Tokenizer.from_buffer(definition)
        model = self._tokenizer.model

        @lru_cache(CACHED_PIECES)
        def tokens_of(piece: str) -> bytes:
            return array("H", [token.id for token in model.tokenize(piece)]).tobytes()

        self._tokens_of = tokens_of

    @cached_property
    def _single(self) -> npt.NDArray[np.float32]:
        """The weights in single precision: 32 MiB, worth it from some hundred texts on."""
        return self._half.astype(np.float32)

    def embed(self, batch: Sequence[EmbeddingInput], *, many: bool, deadline: Deadline) -> Embedded:
        """Embed the texts of `batch`; what is no text, or blank, is an error of that item.

        Args:
            batch: The texts.
            many: Whether more than a few texts are to come: the same vectors, sooner.
            deadline: Checked before each text.
        """
        weights = self._single if many else self._half
        values = np.zeros((len(batch), DIMENSION), np.float32)
        errors: dict[int, str] = {}
        for row, item in enumerate(batch):
            deadline.check()
            if not isinstance(item, str):
                errors[row] = "an image: the space wordllama-256 embeds text only"
            elif not item.strip():
                errors[row] = NOTHING
            else:
                tokens = self.tokens(item)
                for start in range(0, len(tokens), BLOCK):
                    values[row] += weights.take(tokens[start : start + BLOCK], axis=0).sum(0, np.float32)
                values[row] /= len(tokens)
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        np.divide(values, lengths, out=values, where=lengths > 0)
        return Embedded(values, errors)

    def tokens(self, text: str) -> npt.NDArray[np.uint16]:
        """The tokens of `text`, exactly those that the tokenizer gives for the whole of it."""
        fit = clean_text(text[: DECLARATION.max_characters])
        if SPECIAL.search(fit) is None:
            pieces = PIECES.findall("▁" + fit.replace(" ", "▁"))
            if max(map(len, pieces)) <= MAX_PIECE:
                return np.frombuffer(b"".join(map(self._tokens_of, pieces)), np.uint16)
        return np.array(self._tokenizer.encode(fit, add_special_tokens=False).ids, np.uint16)


def _verify(data: memoryview | bytes, pinned: PinnedFile, path: Path) -> None:
    if hashlib.sha256(data).hexdigest() != pinned.sha256:
        reason = f"{str(path)!r} is not the file of the space wordllama-256"
        raise Unavailable(f"{reason}; {REINSTALL}", code="embedder_unavailable")


@cache
def load(files: Files) -> Model:
    """The model in `files`, loaded once in a process."""
    return Model(files)
