"""Canonical JSON, SHA-256 digests and the one place where text is made fit for UTF-8 JSON.

Standard library only: every content-addressed ID of indx (`plan_id`, `snapshot_id`, source digests) is
made here, so that two processes, two machines and two releases agree byte for byte.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["canonical_json", "clean_text", "content_id", "digest", "sha256_hex"]

REPLACEMENT: Final = "\ufffd"
_UNFIT: Final = re.compile("[\x00\ud800-\udfff]")


def canonical_json(value: Any) -> bytes:
    """Write `value` as canonical JSON: sorted keys, UTF-8, no insignificant whitespace.

    Args:
        value: JSON data: mappings with string keys, lists or tuples, strings, finite numbers, booleans, None.

    Returns:
        The UTF-8 bytes; equal data give equal bytes.

    Raises:
        ValueError: A number is NaN or infinite, a string holds a lone surrogate, or the data holds itself.
        TypeError: A value, or a key, is not JSON.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8")


def sha256_hex(data: Buffer) -> str:
    """Return the SHA-256 of a buffer as 64 lowercase hex digits."""
    return hashlib.sha256(data).hexdigest()


def digest(data: Buffer) -> str:
    """Return the digest of a buffer in its wire form, `sha256:` and 64 hex digits."""
    return f"sha256:{sha256_hex(data)}"


def content_id(value: Any) -> str:
    """Return the digest of the canonical JSON of `value`."""
    return digest(canonical_json(value))


def clean_text(text: str) -> str:
    """Replace what UTF-8 JSON or a database text column cannot hold: NUL and lone surrogates.

    Each such character becomes one U+FFFD, so offsets into the text stay true. Text that needs nothing is
    returned as the same object: `clean_text(text) is text` tells whether anything was replaced.
    """
    if "\0" not in text:  # most text: both questions are far quicker than the pattern
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError:
            pass
        else:
            return text
    return _UNFIT.sub(REPLACEMENT, text)
