"""What an `gs:` URI names, and whether it may be read."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_to_bytes

from indx_core.errors import SourceError
from indx_loader_gs.settings import BUCKETS

__all__ = ["GsObject", "parse", "permit"]

_log: Final = logging.getLogger("indx.loader.gs")
_URI: Final = re.compile(
    r"gs://(?P<bucket>[a-z0-9][a-z0-9._-]{1,221})/(?P<name>[^?#]+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_BROKEN_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class GsObject:
    """One object; `shown` is its URI, short enough for a message."""

    bucket: str
    name: str
    shown: str


def parse(uri: str) -> GsObject:
    """The object `uri` names; its name is percent-decoded, as in every URI.

    Raises:
        SourceError: `source_unreadable`: it names no object, or one generation of an object.
    """
    shown = repr(uri if len(uri) <= _SHOWN else uri[:_SHOWN] + "…")
    found = _URI.fullmatch(uri)
    if found is None:
        raise SourceError(f"{shown} names no object; write gs://bucket/object")
    if found["rest"].startswith("?"):
        raise SourceError(
            f"{shown} has a query: generations cannot be asked for, only the current object is loaded; "
            "leave the query out, or write %3F for a question mark in its name"
        )
    if found["rest"]:
        raise SourceError(f"{shown} has a fragment; write %23 for a number sign in its name")
    if _BROKEN_ESCAPE.search(found["name"]):
        raise SourceError(f"{shown} has a % without two hex digits; write %25 for a percent sign in its name")
    try:
        name = unquote_to_bytes(found["name"]).decode("utf-8")
    except UnicodeError:
        raise SourceError(f"{shown} has a name that is not UTF-8") from None
    # On the way such segments may be taken for steps in a path, and lead out of the bucket.
    if not {".", ".."}.isdisjoint(re.split(r"[/\\]", name)):
        raise SourceError(f"{shown} has a segment of dots alone, which is no part of a name here")
    return GsObject(found["bucket"], name, shown)


def permit(wanted: GsObject) -> None:
    """Refuse a bucket that the setting does not list.

    Raises:
        SourceError: `source_forbidden`, naming the setting.
    """
    allowed = BUCKETS.get()
    if allowed is not None and wanted.bucket not in allowed:
        _log.warning("%s is refused: %s lists %s", wanted.shown, BUCKETS.name, ", ".join(allowed) or "none")
        raise SourceError(
            f"the bucket {wanted.bucket!r} may not be read; {BUCKETS.name} names those that may",
            code="source_forbidden",
        )
