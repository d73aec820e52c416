"""A loaded model: text to tokens, tokens to logits, and logits that are what they must be."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from indx_core.canonical import clean_text
from indx_core.deadline import Deadline
from indx_core.errors import explain
from indx_core.leaving import HOLD_SECONDS, done_within
from indx_model_onnx._errors import ModelFailure
from indx_model_onnx.settings import MEMORY_BYTES, RUN_SECONDS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["OnnxModel", "softmax"]

_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_INTEGERS: Final = {"tensor(int64)": "int64", "tensor(int32)": "int32"}


class OnnxModel:
    """A tokenizer and a session. Calls from several threads are safe.

    Args:
        name: What it is called in messages.
        labels: What its outputs stand for, in their order.
        tokenizer: Of the library `tokenizers`, without truncation and padding.
        session: Of `onnxruntime`.

    Raises:
        ModelFailure: The graph wants an input that is no text's tokens.
    """

    def __init__(self, name: str, labels: tuple[str, ...], tokenizer: Any, session: Any) -> None:
        self.name = name
        self.labels = labels
        self._tokenizer = tokenizer
        self._session = session
        self._late_until = 0.0
        self._inputs: dict[str, str] = {}
        for wanted in session.get_inputs():
            if wanted.name not in _INPUTS or wanted.type not in _INTEGERS:
                raise ModelFailure(f"{name}: its graph wants {wanted.name!r} of {wanted.type}, unknown here")
            self._inputs[wanted.name] = _INTEGERS[wanted.type]
        outputs = [output.name for output in session.get_outputs()]
        self._output = "logits" if "logits" in outputs else outputs[0]

    def tokens(self, text: str, *, bare: bool = False) -> Any:
        """The tokens of a text, an `Encoding` of the library, with offsets in characters of `text`.

        Args:
            text: Any text; what is not fit for UTF-8 counts as one unknown character each.
            bare: Whether to leave out the tokens that the model frames a text with.

        Raises:
            ModelFailure: The tokenizer gives up.
        """
        shown = clean_text(text)
        return self._tokenized(lambda: self._tokenizer.encode(shown, add_special_tokens=not bare))

    def fitted(self, first: Any, seconds: Sequence[Any], limit: int) -> Any:
        """A bare text without the end that leaves no room beside any of `seconds` in `limit` tokens.

        Raises:
            ModelFailure: One of them leaves no room at all, or the tokenizer gives up.
        """
        framing = self._tokenized(lambda: self._tokenizer.num_special_tokens_to_add(is_pair=True))
        room = limit - framing - max(len(second.ids) for second in seconds)
        if room < 1:
            raise ModelFailure(f"{self.name}: {limit} tokens leave no room for a text beside the hypothesis")
        if len(first.ids) > room:
            first.truncate(room)
        return first

    def paired(self, first: Any, second: Any) -> Any:
        """Two bare texts, framed as a pair.

        Raises:
            ModelFailure: The tokenizer gives up.
        """
        return self._tokenized(lambda: self._tokenizer.post_process(first, second))

    def _tokenized(self, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException as error:  # the library raises a bare Exception, or panics, which is none
            raise ModelFailure(f"{self.name}: its tokenizer fails on this text: {explain(error)}") from None

    def token_logits(self, encoding: Any) -> NDArray[np.float64]:
        """Logits of each token: (tokens, labels).

        Raises:
            ModelFailure: The graph fails, or answers with another shape or with numbers that are none.
        """
        return self._logits(encoding, (len(encoding.ids), len(self.labels)))

    def text_logits(self, encoding: Any) -> NDArray[np.float64]:
        """Logits of the whole text: (labels,).

        Raises:
            ModelFailure: As for `token_logits`.
        """
        return self._logits(encoding, (len(self.labels),))

    def _logits(self, encoding: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
        import numpy as np

        columns: dict[str, Sequence[int]] = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        try:
            feed = {name: np.array([columns[name]], dtype=kind) for name, kind in self._inputs.items()}
            answer = np.asarray(self._run(feed))
            found = answer.shape
            logits = answer.astype(np.float64) if answer.dtype.kind in "fiub" else None
        except ModelFailure:
            raise
        except Exception as error:  # the engine's errors have no common class
            said = explain(error)
            if "bfc_arena" in str(error):  # the allocator, which we bounded
                said = f"it wants more memory than {MEMORY_BYTES.name} allows"
            raise ModelFailure(f"{self.name}: its graph fails: {said}") from None
        if found != (1, *shape):
            raise ModelFailure(
                f"{self.name}: its graph answers with shape {found}, and its labels take {(1, *shape)}; "
                "its config.json belongs to another graph"
            )
        if logits is None:
            raise ModelFailure(f"{self.name}: its graph answers with what are no numbers")
        if not np.isfinite(logits).all():
            raise ModelFailure(f"{self.name}: its graph answers with NaN or infinity")
        return np.asarray(logits[0])

    def _run(self, feed: dict[str, NDArray[Any]]) -> Any:
        """What the graph answers. One that does not come to an end is stopped, and left alone for a while.

        Raises:
            ModelFailure: It is late, or was so a short time ago.
        """
        import onnxruntime  # type: ignore[import-not-found,import-untyped,unused-ignore]

        seconds, options = RUN_SECONDS.get(), onnxruntime.RunOptions()

        def late() -> ModelFailure:
            options.terminate = True
            return ModelFailure(
                f"{self.name}: its graph came to no end within {seconds:g} s; raise {RUN_SECONDS.name}, "
                "or use a smaller model"
            )

        def too_late() -> ModelFailure:
            self._late_until = time.monotonic() + HOLD_SECONDS
            return late()

        if time.monotonic() < self._late_until:
            raise late()
        (answer,) = done_within(
            seconds,
            lambda _: self._session.run([self._output], feed, options),
            deadline=Deadline(),
            late=too_late,
            name="indx-model-onnx",
        )
        return answer


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities over the last axis."""
    import numpy as np

    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
