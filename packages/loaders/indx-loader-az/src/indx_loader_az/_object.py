"""What an `az:` URI names, and whether it may be read."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote_to_bytes

from indx_core.errors import SourceError
from indx_loader_az.settings import CONTAINERS

__all__ = ["AzBlob", "parse", "permit"]

_log: Final = logging.getLogger("indx.loader.az")
_URI: Final = re.compile(
    r"az://(?P<container>\$?[a-z0-9][a-z0-9-]{1,62})/(?P<name>[^?#]+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_BROKEN_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class AzBlob:
    """One blob; `shown` is its URI, short enough for a message."""

    container: str
    name: str
    shown: str


def parse(uri: str) -> AzBlob:
    """The blob `uri` names; its name is percent-decoded, as in every URI.

    Raises:
        SourceError: `source_unreadable`: it names no blob, or one snapshot or version of a blob.
    """
    shown = repr(uri if len(uri) <= _SHOWN else uri[:_SHOWN] + "…")
    found = _URI.fullmatch(uri)
    if found is None:
        raise SourceError(f"{shown} names no blob; write az://container/blob")
    if found["rest"].startswith("?"):
        raise SourceError(
            f"{shown} has a query: no snapshot or version can be asked for, only the current blob is loaded; "
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
    # On the way such segments may be taken for steps in a path, and lead out of the container.
    if not {".", ".."}.isdisjoint(re.split(r"[/\\]", name)):
        raise SourceError(f"{shown} has a segment of dots alone, which is no part of a name here")
    return AzBlob(found["container"], name, shown)


def permit(wanted: AzBlob) -> None:
    """Refuse a container that the setting does not list.

    Raises:
        SourceError: `source_forbidden`, naming the setting.
    """
    allowed = CONTAINERS.get()
    if allowed is not None and wanted.container not in allowed:
        _log.warning(
            "%s is refused: %s lists %s", wanted.shown, CONTAINERS.name, ", ".join(allowed) or "none"
        )
        raise SourceError(
            f"the container {wanted.container!r} may not be read; {CONTAINERS.name} names those that may",
            code="source_forbidden",
        )
