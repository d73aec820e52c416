"""`indx runner`: a process that runs the jobs which other processes submit."""

from __future__ import annotations

import signal
import sys
import threading

from indx_core.errors import ConfigurationError
from indx_workspace.commands.place import Store, opened

__all__ = ["app"]


def app(store: Store = None) -> None:
    """Run the jobs that servers submit, until this process is told to stop.

    It needs a job runner that several processes share (INDX_JOB_RUNNER): one that lives in the server runs
    its jobs there.
    """
    with opened(store, runs=True) as workspace:
        runner = workspace.runner
        if not runner.shared:
            raise ConfigurationError(
                f"the job runner {runner.id!r} runs its jobs in the process that submits them, and no other "
                "can take them; name a shared one in INDX_JOB_RUNNER",
                code="store_not_configured",
            )
        _ = workspace.experiments  # what jobs are of, or the setting that is missing
        told = threading.Event()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: told.set())
        sys.stderr.write(f"indx: running the jobs of {runner.id}\n")
        told.wait()
