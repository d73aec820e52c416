"""The queue, connected, and the loop it lives on: asked by any thread, it answers on that one."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final, TypeVar

import psycopg
from procrastinate.exceptions import ConnectorException

from indx_core.errors import Unavailable
from indx_runner_procrastinate._queue import Queue
from indx_runner_procrastinate._schema import conninfo_of, prepare
from indx_runner_procrastinate.settings import PATIENCE_SECONDS, SCHEMA_NAME, URL

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Opened"]

T = TypeVar("T")

_log = logging.getLogger("indx.jobs")

_PATIENCE: Final = 60.0
"""Seconds for an answer from the database, reconnecting included."""


class Opened:
    """The queue, connected, and the thread whose loop it lives on."""

    def __init__(self) -> None:
        conninfo, schema = conninfo_of(URL.get()), SCHEMA_NAME.get()
        patience = PATIENCE_SECONDS.get()
        prepare(conninfo, schema)
        self._loop = asyncio.SelectorEventLoop()  # the one kind that psycopg knows on every platform
        self._thread = threading.Thread(target=self._loop.run_forever, name="indx-jobs", daemon=True)
        self._thread.start()
        self.queue = Queue(conninfo, schema, patience)
        try:
            self.ask(self.queue.open())
        except BaseException:
            self._end()
            raise

    def ask(self, question: Coroutine[Any, Any, T]) -> T:
        """Do something on the loop, and wait for what comes of it.

        Raises:
            Unavailable: `busy`: the database does not answer.
        """
        answer: Future[T] = asyncio.run_coroutine_threadsafe(question, self._loop)
        try:
            return answer.result(_PATIENCE)
        except (ConnectorException, psycopg.Error, TimeoutError) as error:
            answer.cancel()
            _log.warning("the database of jobs does not answer", exc_info=error)
            raise Unavailable("jobs cannot be reached now; try again later", code="busy") from None

    def close(self) -> None:
        """Wait, however long it takes, until jobs in hand have stopped; then disconnect."""
        try:
            asyncio.run_coroutine_threadsafe(self.queue.close(), self._loop).result()
        finally:
            self._end()

    def _end(self) -> None:
        asyncio.run_coroutine_threadsafe(self._loop.shutdown_default_executor(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
