"""The contract on HTTP: plan, encode, embed, keep and search.

`create_app` makes the application; `indx serve` runs it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indx_server.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> Any:
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("indx_server.app").create_app
