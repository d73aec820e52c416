"""Looking at the pages of a document together: the pool's side.

One worker has a long document in hand and goes through it from the first page on. Workers that have nothing
to do look at its pages from the last on; what they find is passed to the first one unopened. They are asked
for a page at a time, so that a document that waits for a worker has it at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from indx_core.deadline import Deadline
from indx_runtime.process import WorkerEnded, WorkerProcess
from indx_runtime.progress import Attempted, Found, InFlight, Opened, Progress

if TYPE_CHECKING:
    from indx_runtime.progress import DocumentJob, Frame

__all__ = ["Help", "is_to_be_looked_at"]

_AHEAD: Final = 16  # pages a helper knows of, so that it need not wait for a busy parent


def is_to_be_looked_at(job: DocumentJob, progress: Progress) -> bool:
    """Whether the pages of a document just opened are to be looked at: to plan, or to read by a plan."""
    if job.picture or progress.plan is not None:
        return False
    if job.plan is None:
        return True
    native = {known.id for known in job.snapshot.capabilities if known.kind == "native"}
    return job.execute and job.plan.default is not None and job.plan.default.capability_id in native


class Help:
    """What is to be done for a document that a worker has in hand.

    Args:
        lead: The worker.
        job: What it does.
        page_count: Pages of the document, as the worker says.
        crowded: Tells whether documents wait for a worker.

    Attributes:
        over: Whether there is nothing left to do.
        starts: Whether it is worth a process that is not up yet.
    """

    def __init__(
        self, lead: WorkerProcess, job: DocumentJob, page_count: int, crowded: Callable[[], bool]
    ) -> None:
        """Nothing is done yet."""
        self.over = self.starts = False
        self._lead, self._number = lead, lead.number
        self._job = replace(job, helps=True)
        self._page_count = self._left = page_count
        self._crowded = crowded
        self._helpers: list[tuple[WorkerProcess, int]] = []
        self._lock = threading.Lock()

    @property
    def wanted(self) -> bool:
        """Whether another worker may help."""
        return not self.over and self._left > 0 and not self._crowded()

    @property
    def crowded(self) -> bool:
        """Whether help is put off until no document waits."""
        return not self.over and self._left > 0 and self._crowded()

    def learn(self, frame: Frame) -> None:
        """Take in how far the worker has come: with all pages, or with a page that others were asked for."""
        match frame:
            case InFlight(step="plan", page=self._page_count):
                self.finish()
            case Attempted() if frame.attempt.page >= self._left:
                self.finish()

    def finish(self) -> None:
        """Have those who help stop."""
        if not self.over:
            self.over = True
            for helper, number in self._helpers:
                helper.tell(number, 0)

    def _next(self) -> int:
        """The next page to look at; 0 when it is enough."""
        with self._lock:
            if not self.wanted:
                return 0
            self._left -= 1
            return self._left + 1

    def by(self, helper: WorkerProcess) -> None:
        """Have a worker that is at rest help, until it is enough.

        Raises:
            Exception: As `WorkerProcess.run`.
        """
        asked: set[int] = set()

        def ask() -> None:
            page = self._next()
            asked.add(page)
            helper.tell(helper.number, page)

        def take_in(frame: Frame) -> None:
            match frame:
                case InFlight():
                    return
                case Opened() if not asked and frame.page_count == self._page_count and frame.shared:
                    self._helpers.append((helper, helper.number))
                    for _ in range(_AHEAD):
                        ask()
                case Found() if frame.page in asked and frame.page and type(frame.packed) is bytes:
                    asked.discard(frame.page)
                    if frame.packed and not self.over:
                        self._lead.tell(self._number, frame.page, frame.packed)
                    ask()
                case _:
                    raise WorkerEnded("the worker sent what no worker that helps sends")

        helper.run(self._job, Progress(), Deadline(), take_in, lambda: not self.wanted)
