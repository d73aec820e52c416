"""What this distribution provides: the job runner `memory`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indx_core.ports import JobRunner

__all__ = ["runner"]


def runner() -> JobRunner:
    """The job runner `memory`."""
    from indx_runner_memory._thread import ThreadRunner

    return ThreadRunner()
