"""`indx runner`: a process that runs the jobs which other processes submit."""

from __future__ import annotations

import signal
import sys
import threading

from indx_workspace.commands.place import Store, opened

__all__ = ["app"]


def app(store: Store = None) -> None:
    """Run the jobs that servers submit, until this process is told to stop.

    It needs a job runner that several processes share (INDX_JOB_RUNNER): one that lives in the server runs
    its jobs there.
    """
    from indx_core.discovery import default_registry
    from indx_workspace import keep_in
    from indx_workspace.workspace import require_shared_jobs

    if store is not None:
        keep_in(store)
    require_shared_jobs(default_registry())  # before a store is made that nobody will use
    with opened(None, runs=True) as workspace:
        runner = workspace.runner
        told = threading.Event()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: told.set())
        sys.stderr.write(f"indx: running the jobs of {runner.id}\n")
        told.wait()
