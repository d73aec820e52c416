"""Chunks as lines of canonical JSON: keys sorted, no white space between them, UTF-8."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import orjson

from indx_core.errors import BuildError

if TYPE_CHECKING:
    from indx_core.contracts.space import Space

_OPTIONS: Final = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE


def lines(space: Space) -> Iterator[bytes]:
    """One line a chunk, as it stands in the archive, without its vector.

    Raises:
        BuildError: `build_failed`; a chunk holds what JSON cannot.
    """
    for chunk in space.chunks:
        try:
            yield orjson.dumps(chunk.model_dump(mode="json"), option=_OPTIONS)
        except (TypeError, ValueError) as error:
            reason = f"chunk {chunk.id!r} of {chunk.source.path!r} cannot be written as JSON: {error}"
            raise BuildError(reason, code="build_failed") from None
