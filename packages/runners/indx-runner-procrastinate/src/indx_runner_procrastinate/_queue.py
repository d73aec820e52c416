"""The queue in the database: what waits and runs in it, and this process's turns at it."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Mapping
from hashlib import sha256
from typing import Any, Final, TypeAlias

from procrastinate import App, JobContext, PsycopgConnector, RetryDecision
from procrastinate.jobs import Job
from procrastinate.retry import BaseRetryStrategy
from procrastinate.worker import Worker
from psycopg import AsyncConnection

from indx_core.errors import Unavailable
from indx_runner_procrastinate._schema import point

__all__ = ["Queue"]

Call: TypeAlias = Callable[[str, Mapping[str, Any], Callable[[], bool]], None]

_log = logging.getLogger("indx.jobs")

_POLL_SECONDS: Final = 1.0
"""How often a process looks for jobs that nobody tells it of: those that another one gave back."""

_STANDING: Final = (
    "SELECT 1 FROM procrastinate_jobs WHERE lock = %s AND status IN ('todo', 'doing') AND NOT abort_requested"
)


class _GivenBackError(Exception):
    """A job was not done to its end, and not because somebody cancelled it."""


class _Again(BaseRetryStrategy):
    """What was given back waits once more, a moment at least; what failed does not."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:  # noqa: ARG002
        given_back = isinstance(exception, _GivenBackError)
        return RetryDecision(retry_in={"seconds": 1}) if given_back else None


class Queue:
    """Jobs of one installation. All its methods run on one loop.

    Args:
        conninfo: The database,
        schema: and the schema in it, whose tables are there.
        patience: Seconds after which a process without a sign of life counts as dead.
    """

    def __init__(self, conninfo: str, schema: str, patience: float) -> None:
        """Connect to nothing yet."""
        self._schema, self._patience = schema, patience
        # Told to all of a database, and numbers of jobs repeat in every schema.
        self._mark = sha256(schema.encode()).hexdigest()[:16]
        connector = PsycopgConnector(
            conninfo=conninfo, min_size=1, max_size=5, timeout=10.0, configure=self._configure
        )
        self._app = App(connector=connector)
        self._connector = connector
        self._served: dict[str, list[asyncio.Task[None]]] = {}
        self._workers: dict[str, Worker] = {}
        self._closing = threading.Event()

    async def _configure(self, connection: AsyncConnection[Any]) -> None:
        was = connection.autocommit
        await connection.set_autocommit(True)
        await connection.execute(point(self._schema))
        await connection.set_autocommit(was)

    async def open(self) -> None:
        """Connect."""
        await self._app.open_async()

    async def close(self) -> None:
        """Take no more jobs, wait until those in hand have stopped, and disconnect."""
        self._closing.set()
        # A cancellation may get lost: `asyncio.wait_for` loses one that comes with what it waits for. So
        # nothing that lasts goes on without a look at whether this closes.
        for worker in self._workers.values():
            worker.stop()  # type: ignore[no-untyped-call]
        tasks = [task for tasks in self._served.values() for task in tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._app.close_async()

    async def submit(self, job: str, key: str, payload: Mapping[str, Any]) -> None:
        """Have a job wait, unless one under its key waits or runs that nobody cancelled."""
        async with self._connector.pool.connection() as connection:
            # Whoever submits under this key meanwhile waits, and finds the job there.
            await connection.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (f"{self._mark} {key}",)
            )
            found = await connection.execute(_STANDING, (key,))
            if await found.fetchone() is not None:
                return
            waiting = self._app.configure_task(
                job, queue=self._queue_of(job), lock=key, connection=connection
            )
            await waiting.defer_async(key=key, payload=dict(payload))

    async def cancel(self, key: str) -> None:
        """Drop what waits under a key, and tell what runs under it."""
        for job in await self._known(key):
            if job.id is not None:
                await self._app.job_manager.cancel_job_by_id_async(job.id, abort=True, delete_job=True)

    async def running(self, key: str) -> bool:
        """Whether a job runs or waits under a key."""
        return bool(await self._known(key))

    async def _known(self, key: str) -> list[Job]:
        jobs = await self._app.job_manager.list_jobs_async(lock=key)
        return [job for job in jobs if job.status in ("todo", "doing")]

    def _queue_of(self, job: str) -> str:
        return f"{job}-{self._mark}"

    async def serve(self, job: str, call: Call) -> None:
        """Take jobs of a name from now on; one at a time."""
        if job in self._served:
            return

        def work(context: JobContext, key: str, payload: dict[str, Any]) -> None:
            self._work(job, call, context, key, payload)

        self._app.task(name=job, queue=self._queue_of(job), pass_context=True, retry=_Again())(work)
        self._served[job] = [
            asyncio.ensure_future(self._lasting(lambda: self._take(job))),
            asyncio.ensure_future(self._lasting(lambda: self._rescue(job))),
        ]

    def _work(self, job: str, call: Call, context: JobContext, key: str, payload: dict[str, Any]) -> None:
        """Do a job, in a thread of its own."""
        ending = False

        def cancelled() -> bool:
            nonlocal ending
            ending = ending or self._closing.is_set()
            return ending or context.should_abort()

        try:
            call(key, payload, cancelled)
        except Unavailable as error:
            _log.info("job %s under %r waits: %s", job, key, error.message)
            raise _GivenBackError from error
        except BaseException:  # a job may fail in any way; the next one has its turn
            _log.exception("job %s under %r failed", job, key)
            return
        if ending:
            raise _GivenBackError

    async def _lasting(self, go: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something that lasts, again and again: a database may go away and come back."""
        while not self._closing.is_set():
            try:
                await go()
            except Exception as error:  # whatever it was, a process that takes jobs goes on taking them
                _log.warning("jobs cannot be taken now: %s", error)
            await asyncio.sleep(_POLL_SECONDS)

    async def _take(self, job: str) -> None:
        """Do one job after another, until this is cancelled or the database is gone."""
        worker = self._workers[job] = Worker(
            self._app,
            queues=[self._queue_of(job)],
            name="indx",
            delete_jobs="always",
            install_signal_handlers=False,
            fetch_job_polling_interval=_POLL_SECONDS,
            abort_job_polling_interval=_POLL_SECONDS,
            update_heartbeat_interval=self._patience / 4,
            stalled_worker_timeout=self._patience,
        )
        await worker.run()  # type: ignore[no-untyped-call]

    async def _rescue(self, job: str) -> None:
        """Have jobs wait once more that a process had in hand which gives no sign of life."""
        manager = self._app.job_manager
        queue = self._queue_of(job)
        async with self._connector.pool.connection() as connection:
            # One process at a time, so that none has what another took meanwhile wait once more.
            name = f"{self._mark} {job} rescue"
            await connection.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))
            for lost in await manager.get_stalled_jobs(queue=queue, seconds_since_heartbeat=self._patience):
                _log.info("job %s under %r was lost with its process, and waits once more", job, lost.lock)
                await manager.retry_job(lost)
        if not self._closing.is_set():
            await asyncio.sleep(max(0.0, self._patience / 4 - _POLL_SECONDS))
