"""A model's tokenizer, read with the bounds that the library itself does not keep."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Final

from indx_core.errors import explain
from indx_model_onnx._errors import ModelFailure
from indx_model_onnx._source import ModelSource

__all__ = ["tokenizer_of"]

MAX_BYTES: Final = 128 * 1024 * 1024
_MAP: Final = "precompiled_charsmap"


def tokenizer_of(source: ModelSource, path: Path) -> Any:
    """The tokenizer in a file, without truncation and padding.

    Raises:
        ModelFailure: It cannot be read.
    """
    from tokenizers import Tokenizer

    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise ValueError(f"larger than {MAX_BYTES} bytes")
        json.loads(data, object_pairs_hook=_checked)
        tokenizer = Tokenizer.from_str(data.decode())
        tokenizer.no_truncation()
        tokenizer.no_padding()
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # the library raises a bare Exception, or panics, which is none
        raise ModelFailure(f"{source.name}: its tokenizer cannot be read: {explain(error)}") from None
    return tokenizer


def _checked(pairs: list[tuple[str, Any]]) -> None:
    """Refuse a table of letters that says it is larger than it is.

    The library asks for the memory that the table states, and where there is less it ends the process.
    """
    for key, value in pairs:
        if key == _MAP and isinstance(value, str):
            table = base64.b64decode(value, validate=True)
            if int.from_bytes(table[:4], "little") > len(table) - 4:
                raise ValueError("its table of letters is cut short")
