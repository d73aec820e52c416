"""Hooks are told everything and can stop nothing."""

import logging

import pluggy
import pytest

from indx_core.discovery import Candidate, Registry
from indx_core.hooks import Hooks, hookimpl


class Watcher:
    def __init__(self):
        self.seen = []

    @hookimpl
    def indx_stage_progress(self, stage, done):
        self.seen.append((stage, done))


class Raiser:
    @hookimpl
    def indx_stage_progress(self):
        raise RuntimeError("boom")


class Leaver:
    @hookimpl
    def indx_stage_progress(self):
        raise SystemExit(3)


class Unwilling:
    def __dir__(self):
        raise RuntimeError("do not look at me")


class Misfit:
    @hookimpl
    def indx_no_such_hook(self):
        pass


def test_a_raising_hook_hides_no_other_and_is_logged(caplog):
    hooks, first, last = Hooks(), Watcher(), Watcher()
    for plugin in (first, Raiser(), Leaver(), last):
        hooks.register(plugin)
    with caplog.at_level(logging.ERROR, "indx.hooks"):
        hooks.notify("indx_stage_progress", stage="walk", done=1, total=None, item=None)
    assert first.seen == last.seen == [("walk", 1)]
    assert "indx_stage_progress" in caplog.text


def test_a_hook_that_does_not_exist_is_refused_and_leaves_nothing_behind():
    hooks, watcher = Hooks(), Watcher()
    with pytest.raises(pluggy.PluginValidationError):
        hooks.register(Misfit())
    hooks.register(watcher)
    hooks.notify("indx_stage_progress", stage="walk", done=1, total=None, item=None)
    assert watcher.seen


@pytest.mark.parametrize("kind", [Misfit, Unwilling])
def test_an_installed_hook_that_does_not_fit_is_left_out_and_named(caplog, kind):
    watcher = Watcher()
    registry = Registry(
        [
            Candidate("indx.hooks", "bad", "x:bad", "dist-bad", "1", kind),
            Candidate("indx.hooks", "good", "x:good", "dist-good", "1", lambda: watcher),
        ]
    )
    with caplog.at_level(logging.WARNING, "indx.hooks"):
        Hooks.of(registry).notify("indx_stage_progress", stage="x", done=2, total=None, item=None)
    assert watcher.seen == [("x", 2)]
    assert "dist-bad" in caplog.text
