"""Runs one rule of a kit and says how it failed, so that tests can prove that a rule bites."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def verdict(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> Callable[[type, str], str | None]:
    """A function of a kit and the name of a rule: the failure message, or None when the rule is kept."""

    def run(kit: type, rule: str) -> str | None:
        method = getattr(kit(), rule)
        offered = {"tmp_path": tmp_path, "caplog": caplog}
        wanted = {name: offered[name] for name in inspect.signature(method).parameters}
        try:
            method(**wanted)
        except (Exception, pytest.fail.Exception) as error:
            return f"{type(error).__name__}: {error}"
        return None

    return run


@pytest.fixture
def refuted(verdict: Callable[[type, str], str | None]) -> Callable[..., None]:
    """A function that fails unless a rule refuses a kit's provider, for the reason given."""

    def check(kit: type, rule: str, reason: str = "") -> None:
        message = verdict(kit, rule)
        assert message is not None, f"{rule} lets {kit.__name__} pass"
        assert reason in message, f"{rule} fails for another reason: {message}"

    return check
