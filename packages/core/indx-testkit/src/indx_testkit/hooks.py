"""The kit for hook objects."""

from __future__ import annotations

import inspect
import logging
from typing import Any, ClassVar

import pytest

from indx_core.hooks import Hooks, HookSpecs
from indx_testkit.lazy import assert_light_import

__all__ = ["HooksKit"]

_CALLS: dict[str, list[dict[str, Any]]] = {
    "indx_capability_attempted": [
        {"capability_id": "a", "pages": [1, 2], "outcome": "read", "latency_ms": 1.5, "reason": None},
        {"capability_id": "b", "pages": [], "outcome": "failed", "latency_ms": 0.0, "reason": "日本 %s"},
    ],
    "indx_stage_progress": [
        {"stage": "walk", "done": 0, "total": None, "item": None},
        {"stage": "parse", "done": 3, "total": 3, "item": "a/日本\ud800.md"},
        {"stage": "parse", "done": 5, "total": 3, "item": ""},
    ],
    "indx_document_kept": [{"digest": "sha256:" + "0" * 64, "chunks": 0}],
    "indx_request_finished": [
        {"operation": "encode", "status": 200, "latency_ms": 12.0},
        {"operation": "", "status": 500, "latency_ms": 0.0},
    ],
}


class HooksKit:
    """Rules of a hook object.

    Attributes:
        plugin: The object that the entry point names.
        module: The dotted name of the module that holds it.
    """

    plugin: ClassVar[Any]
    module: ClassVar[str]

    def test_it_fits_the_specifications(self) -> None:
        """Every hook it marks exists, with arguments the hook has."""
        Hooks().register(self.plugin)
        known = [name for name, _ in inspect.getmembers(HookSpecs) if name.startswith("indx_")]
        marked = [name for name in known if hasattr(getattr(self.plugin, name, None), "indx_impl")]
        assert marked, f"no hook is marked with hookimpl; there are {', '.join(known)}"

    def test_it_takes_every_notification(self, caplog: pytest.LogCaptureFixture) -> None:
        """No notification makes it raise, in whatever order they come."""
        hooks = Hooks()
        hooks.register(self.plugin)
        with caplog.at_level(logging.ERROR, logger="indx.hooks"):
            for _ in range(2):
                for name, calls in _CALLS.items():
                    for arguments in calls:
                        hooks.notify(name, **arguments)
        raised = [record.getMessage() for record in caplog.records if record.name == "indx.hooks"]
        assert not raised, f"{raised[0]}: {caplog.text}"

    def test_its_module_is_light(self) -> None:
        """A process that imports it for its hooks alone pays little."""
        assert_light_import(self.module, allow=("pluggy",))
