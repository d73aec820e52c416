"""The contract on HTTP: plan, encode, embed, keep and search.

`create_app` makes the application; `indx serve` runs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_server.app import create_app

__all__ = ["create_app"]

__getattr__, __dir__ = lazily(__name__, {"create_app": ".app"})
