"""The command `indx graph`, loaded when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.lazily import lazily

if TYPE_CHECKING:
    from indx_graph.cli import app

__all__ = ["app"]

__getattr__, __dir__ = lazily(__name__, {"app": "indx_graph.cli"})
