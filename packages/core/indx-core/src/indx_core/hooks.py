"""Hooks: what only watches or adds, never decides.

A distribution joins by an entry point in `indx.hooks` that names an object with some of the methods of
`HookSpecs`, each marked with `hookimpl`. A hook that raises is logged and the work goes on.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pluggy

from indx_core.errors import explain

if TYPE_CHECKING:
    from indx_core.discovery import Registry

__all__ = ["HookSpecs", "Hooks", "hookimpl", "hookspec"]

hookspec = pluggy.HookspecMarker("indx")
hookimpl = pluggy.HookimplMarker("indx")

_log = logging.getLogger("indx.hooks")


class HookSpecs:
    """Every hook with its arguments."""

    @hookspec
    def indx_capability_attempted(
        self, capability_id: str, pages: Sequence[int], outcome: str, latency_ms: float, reason: str | None
    ) -> None:
        """A capability was asked for pages; `outcome` is read, unread, failed or manual."""

    @hookspec
    def indx_stage_progress(self, stage: str, done: int, total: int | None, item: str | None) -> None:
        """A stage of a build did `done` of `total` items (None: not known yet); `item` is the latest."""

    @hookspec
    def indx_document_kept(self, digest: str, chunks: int) -> None:
        """A document was kept."""

    @hookspec
    def indx_request_finished(self, operation: str, status: int, latency_ms: float) -> None:
        """A request ended."""


class Hooks:
    """Registered hooks, notified one by one so that none can hide another."""

    def __init__(self) -> None:
        """No hook registered."""
        self._manager = pluggy.PluginManager("indx")
        self._manager.add_hookspecs(HookSpecs)

    @classmethod
    def of(cls, registry: Registry) -> Hooks:
        """The installed hooks; one that does not fit the specifications is logged and left out."""
        hooks = cls()
        for provider in registry.usable("indx.hooks"):
            try:
                hooks.register(provider.item)
            except Exception as error:  # looking at a foreign object may fail in any way
                name = provider.candidate.name
                _log.warning("hook %s of %s left out: %s", name, provider.distribution, explain(error))
        return hooks

    def register(self, plugin: Any) -> None:
        """Add a hook object.

        Raises:
            pluggy.PluginValidationError: It implements a hook that does not exist, or asks for an argument
                the hook does not have.
        """
        try:
            self._manager.register(plugin)
            self._manager.check_pending()
        except Exception:
            if self._manager.is_registered(plugin):
                self._manager.unregister(plugin)
            raise

    def notify(self, hook: str, **arguments: Any) -> None:
        """Call `hook` on every registered object."""
        for implementation in getattr(self._manager.hook, hook).get_hookimpls():
            try:
                implementation.function(*(arguments[name] for name in implementation.argnames))
            except (Exception, SystemExit):  # a watcher must not stop the work
                _log.exception("hook %s of %r raised", hook, implementation.plugin_name)
