"""What a server process has: the engine with its workers, the workspace, and the threads that use them."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final, Self, TypeVar, cast

from fastapi import Request

from indx_core.deadline import Deadline
from indx_core.discovery import default_registry
from indx_core.errors import echoing
from indx_core.hooks import Hooks
from indx_runtime import Engine, Workers
from indx_server import settings
from indx_server.access import bearer
from indx_server.gate import Gate
from indx_server.metrics import Metrics
from indx_server.tracing import Tracing
from indx_workspace import Workspace

if TYPE_CHECKING:
    from indx_core.contracts import PlanRequestPart, ResolvedRouter
    from indx_core.discovery import Registry

__all__ = ["Service", "service_of"]

T = TypeVar("T")

_log = logging.getLogger("indx.server")

_STORE_THREADS: Final = 8


class Service:
    """One process's engine and workspace, and the two lines before them: documents, and what is kept.

    Args:
        registry: What is installed; this process's own by default.
        workers: Where documents are worked on; made here, and closed with the rest, either way.

    Raises:
        ConfigurationError: A setting is wrong, or a store cannot be opened.
    """

    def __init__(self, registry: Registry | None = None, *, workers: Workers | None = None) -> None:
        """Check every setting, open the stores, load what is installed; start no process yet."""
        for setting in settings.SETTINGS:
            setting.get()
        self.metrics = Metrics()
        self.workers = Workers() if workers is None else workers
        found = default_registry() if registry is None else registry
        self.hooks = Hooks.of(found)
        self.hooks.register(self.metrics)
        if settings.TRACING.get():
            self.hooks.register(Tracing())
        self.engine = Engine(found, workers=self.workers, hooks=self.hooks)
        self.engine.capabilities()
        queue = settings.MAX_QUEUE.get()
        self._documents = Gate("documents", slots=self.workers.count, queue=queue, told=self.metrics.line)
        self._records = Gate("records", slots=_STORE_THREADS, queue=queue, told=self.metrics.line)
        self.workspace = Workspace.open(self.engine)

    @classmethod
    def check(cls) -> None:
        """Do all that can fail at start, and undo it.

        Raises:
            ConfigurationError: What would stop a server process from starting.
        """
        cls().close()

    def routing(self, asked: PlanRequestPart) -> ResolvedRouter | None:
        """The router a request names, as the engine takes it.

        Raises:
            StoreDisabled: This deployment keeps no routers.
            NotFound: `router_not_found`.
        """
        with echoing(asked.request_id):
            return self.workspace.resolve(asked.router)

    def place(self) -> AbstractContextManager[None]:
        """A place in the line before the document workers, taken before a body is received.

        Raises:
            Busy: The line is full.
        """
        return self._documents.place()

    async def work(self, request: Request, work: Callable[[Deadline], T]) -> T:
        """Do what takes a document worker, under the request's deadline; the place was taken before."""
        deadline = self.engine.deadline()
        return await self._documents.run(lambda: work(deadline), deadline, lambda: _gone(request))

    async def record(self, request: Request, work: Callable[[], T]) -> T:
        """Do what only reads or writes what is kept.

        Raises:
            Busy: The line is full.
        """
        with self._records.place():
            return await self._records.run(work, Deadline(), lambda: _gone(request))

    def authorize(self, request: Request) -> None:
        """Refuse a write to the workspace that is not the operator's.

        Raises:
            WorkspaceReadOnly: This deployment takes no writes.
            Unauthorized: The request does not bear the operator's token.
        """
        self.workspace.authorize(bearer(request.headers.raw))

    def checks(self) -> dict[str, bool]:
        """What a request needs, and whether it is there."""
        return {"engine": _holds(self.engine.capabilities), "stores": _holds(self.workspace.expire)}

    def close(self) -> None:
        """End what is at work, the stores and the worker processes."""
        with contextlib.ExitStack() as closing:
            closing.callback(self._records.close)
            closing.callback(self._documents.close)
            closing.callback(self.workers.close, cancel=True)
            closing.callback(self.workspace.close)

    def __enter__(self) -> Self:
        """Use as a block that closes at its end."""
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def service_of(request: Request) -> Service:
    """The service of the application that a request came to."""
    return cast("Service", request.app.state.service)


async def _gone(request: Request) -> None:
    """Wait until the caller has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _holds(check: Callable[[], object]) -> bool:
    try:
        check()
    except Exception:
        _log.exception("not ready")
        return False
    return True
