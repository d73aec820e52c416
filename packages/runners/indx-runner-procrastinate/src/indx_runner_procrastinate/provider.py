"""What this distribution provides: the job runner `procrastinate`."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from indx_core.ports.declarations import Unavailability

if TYPE_CHECKING:
    from indx_core.ports import JobRunner

__all__ = ["runner"]


def runner() -> JobRunner | Unavailability:
    """The job runner `procrastinate`."""
    needed = ("procrastinate", "psycopg", "psycopg_pool")
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        return Unavailability(
            f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed",
            'pip install "indx-runner-procrastinate[jobs]"',
        )
    from indx_runner_procrastinate._runner import ProcrastinateRunner

    return ProcrastinateRunner()
