"""Turns a source into bounded bytes with a media type.

`resolve` takes the source of a request to a `Resolved`: bytes of which no more than the limit were ever
held, their digest, the media type they were recognised as, and which parts took part.
"""

from __future__ import annotations

from indx_source.media import guess_media_type, recognise
from indx_source.resolving import Resolved, enabled_schemes, resolve
from indx_source.settings import SETTINGS

__all__ = ["SETTINGS", "Resolved", "enabled_schemes", "guess_media_type", "recognise", "resolve"]
