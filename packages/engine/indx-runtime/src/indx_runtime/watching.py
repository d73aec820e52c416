"""Telling the installed hooks what was done: they watch, and change nothing."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indx_core.discovery import Registry
    from indx_core.hooks import Hooks
    from indx_runtime.progress import Progress

__all__ = ["Watchers"]


class Watchers:
    """The hooks of an installation, loaded when there is something to tell them; or those given."""

    def __init__(self, registry: Registry, hooks: Hooks | None = None) -> None:
        """Load nothing."""
        self._registry, self._given = registry, hooks

    @cached_property
    def _hooks(self) -> Hooks | None:
        if self._given is not None or not self._registry.usable("indx.hooks"):
            return self._given
        from indx_core.hooks import Hooks

        return Hooks.of(self._registry)

    def notify(self, hook: str, **arguments: Any) -> None:
        """Tell the hooks something."""
        if self._hooks is not None:
            self._hooks.notify(hook, **arguments)

    def attempted(self, progress: Progress, *, since: int = 0) -> None:
        """Tell the attempts on a document but the first `since`, a page at a time, in the order made."""
        if self._hooks is None:
            return
        for attempt in progress.attempts[since:]:
            self._hooks.notify(
                "indx_capability_attempted",
                capability_id=attempt.capability_id,
                pages=(attempt.page,),
                outcome=attempt.outcome,
                latency_ms=attempt.latency_ms,
                reason=attempt.reason,
            )
