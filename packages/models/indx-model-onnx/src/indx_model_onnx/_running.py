"""A loaded model: text to tokens, tokens to logits, and logits that are what they must be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import explain
from indx_model_onnx._errors import ModelFailure

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
        try:
            return self._tokenizer.encode(clean_text(text), add_special_tokens=not bare)
        except Exception as error:  # the library raises a bare Exception
            raise ModelFailure(f"{self.name}: its tokenizer fails on this text: {explain(error)}") from None

    def fitted(self, first: Any, seconds: Sequence[Any], limit: int) -> Any:
        """A bare text without the end that leaves no room beside any of `seconds` in `limit` tokens.

        Raises:
            ModelFailure: One of them leaves no room at all.
        """
        framing = self._tokenizer.num_special_tokens_to_add(is_pair=True)
        room = limit - framing - max(len(second.ids) for second in seconds)
        if room < 1:
            raise ModelFailure(f"{self.name}: {limit} tokens leave no room for a text beside the hypothesis")
        if len(first.ids) > room:
            first.truncate(room)
        return first

    def paired(self, first: Any, second: Any) -> Any:
        """Two bare texts, framed as a pair."""
        return self._tokenizer.post_process(first, second)

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
        feed = {name: np.array([columns[name]], dtype=kind) for name, kind in self._inputs.items()}
        try:
            (answer,) = self._session.run([self._output], feed)
        except Exception as error:  # the engine's errors have no common class
            raise ModelFailure(f"{self.name}: its graph fails: {explain(error)}") from None
        found = np.shape(answer)
        if found != (1, *shape):
            raise ModelFailure(
                f"{self.name}: its graph answers with shape {found}, and its labels take {(1, *shape)}; "
                "its config.json belongs to another graph"
            )
        logits = np.asarray(answer[0], dtype=np.float64)
        if not np.isfinite(logits).all():
            raise ModelFailure(f"{self.name}: its graph answers with NaN or infinity")
        return logits


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities over the last axis."""
    import numpy as np

    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
