"""The job runner: it connects when it is first used."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from indx_core.ports import StoreDeclaration
from indx_core.ports.declarations import PORT_VERSION

if TYPE_CHECKING:
    from indx_runner_procrastinate._opened import Opened

__all__ = ["ProcrastinateRunner"]

Work: TypeAlias = Callable[[str, Mapping[str, Any], Callable[[], bool]], None]


class ProcrastinateRunner:
    """Jobs in a table of Postgres. A process that registers a job takes turns at it with all others that do.

    It connects when it is first used, and again when it is used after it was closed.
    """

    port_version = PORT_VERSION
    declaration = StoreDeclaration(id="procrastinate", shared=True)

    def __init__(self) -> None:
        """Connect to nothing yet."""
        self._work: dict[str, Work] = {}
        self._changing = threading.Lock()
        self._open: Opened | None = None

    def register(self, job: str, work: Work) -> None:
        """Say what `job` does, and take jobs of that name from now on.

        Raises:
            ConfigurationError: The settings name no database that can be used.
        """
        self._work[job] = work
        opened = self._opened()
        opened.ask(opened.queue.serve(job, lambda *call: self._work[job](*call)))

    def submit(self, job: str, key: str, payload: Mapping[str, Any]) -> None:
        """Have the job run under `key` by a process that registered it, when one is free.

        A job under `key` that runs or waits goes on alone; behind one that was cancelled the new one waits.

        Raises:
            Unavailable: `busy`: the database does not answer.
        """
        opened = self._opened()
        opened.ask(opened.queue.submit(job, key, payload))

    def cancel(self, key: str) -> None:
        """Ask what runs under `key` to stop at its next step; what waits under it never starts."""
        opened = self._opened()
        opened.ask(opened.queue.cancel(key))

    def running(self, key: str) -> bool:
        """Whether a job runs or waits under `key`, in whichever process."""
        opened = self._opened()
        return opened.ask(opened.queue.running(key))

    def close(self) -> None:
        """Take no more jobs, have the one in hand stop at its next step, and leave it to other processes."""
        with self._changing:
            opened, self._open = self._open, None
        if opened is not None:
            opened.close()

    def _opened(self) -> Opened:
        with self._changing:
            if self._open is None:
                from indx_runner_procrastinate._opened import Opened

                self._open = Opened()
            return self._open
