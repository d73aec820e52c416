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
from indx_core.errors import IndxError
from indx_runtime.process import WorkerEnded, WorkerProcess
from indx_runtime.progress import Attempted, Found, InFlight, Opened, Progress

if TYPE_CHECKING:
    from indx_runtime.progress import DocumentJob, Frame

__all__ = ["Help", "is_to_be_looked_at"]

_AHEAD: Final = 16  # pages a helper knows of, so that it need not wait for a busy parent

_PATIENCE: Final = 10.0  # seconds; who helps is given one, and then ended


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
        progress: How many pages the document has, as the worker says, and which of them are lost.
        crowded: Tells whether documents wait for a worker.

    Attributes:
        over: Whether there is nothing left to do.
        starts: Whether it is worth a process that is not up yet.
    """

    def __init__(
        self, lead: WorkerProcess, job: DocumentJob, progress: Progress, crowded: Callable[[], bool]
    ) -> None:
        """Nothing is done yet."""
        self.over = self.starts = False
        self._lead, self._number = lead, lead.number
        self._job = replace(job, helps=True)
        self._page_count = self._left = progress.page_count
        self._lost = frozenset(progress.lost)
        self._crowded = crowded
        self._given_back: list[int] = []
        self._helpers: dict[WorkerProcess, int] = {}
        self._changed = threading.Condition()

    @property
    def wanted(self) -> bool:
        """Whether another worker may help now."""
        return self._goes_on and self._has_more

    @property
    def unfinished(self) -> bool:
        """Whether help is to be offered again to who gave up because documents waited."""
        return not self.over and self._has_more

    @property
    def _goes_on(self) -> bool:
        return not self.over and not self._crowded()

    @property
    def _has_more(self) -> bool:
        return self._left > 0 or bool(self._given_back)

    def learn(self, frame: Frame) -> None:
        """Take in how far the worker has come: with all pages, or with a page that others were asked for."""
        match frame:
            case InFlight(step="plan", page=self._page_count):
                self.finish()
            case Attempted() if frame.attempt.page >= self._left:
                self.finish()

    def finish(self) -> None:
        """Have those who help stop."""
        with self._changed:
            self.over = True
            for helper, number in self._helpers.items():
                helper.tell(number, 0)

    def wait(self) -> None:
        """Wait until nobody helps, so that the file of the document may go; who does not stop is ended."""
        with self._changed:
            self._changed.wait_for(lambda: not self._helpers, _PATIENCE)

    def by(self, helper: WorkerProcess) -> None:
        """Have a worker that is at rest help, until it is enough.

        Raises:
            Exception: As `WorkerProcess.run`; a `WorkerEnded` also for what no worker that helps does.
        """
        asked: set[int] = set()
        told = False

        def ask() -> None:
            nonlocal told
            if told:
                return
            if page := self._next():
                asked.add(page)
                helper.tell(helper.number, page)
            elif not asked or not self._goes_on:
                told = True
                helper.tell(helper.number, 0)

        def take_in(frame: Frame) -> None:
            match frame:
                case InFlight():
                    return
                case Opened() if not asked and frame.page_count == self._page_count and frame.shared:
                    for _ in range(_AHEAD):
                        ask()
                case Found() if frame.page in asked and type(frame.packed) is bytes:
                    asked.discard(frame.page)
                    if frame.packed and not self.over:
                        self._lead.tell(self._number, frame.page, frame.packed)
                    ask()
                case _:
                    raise WorkerEnded("the worker sent what no worker that helps sends")

        try:
            helper.run(self._job, Progress(), Deadline(), take_in, lambda: self._is_enough(helper))
            self._check_end(helper, told=told)
        except IndxError:
            raise
        except BaseException:
            helper.end()  # it may be at work yet, on a file that is soon another
            raise
        else:
            with self._changed:
                self._given_back += sorted(asked)
        finally:
            with self._changed:
                self._helpers.pop(helper, None)
                self._changed.notify_all()

    def _check_end(self, helper: WorkerProcess, *, told: bool) -> None:
        if helper in self._helpers and not (told or self.over):
            raise WorkerEnded("the worker ended before it was told that it is enough")

    def _is_enough(self, helper: WorkerProcess) -> bool:
        """Whether a worker need not help, or no longer; the first answer is given before it has the job."""
        with self._changed:
            if self._goes_on and (helper in self._helpers or self._has_more):
                self._helpers.setdefault(helper, helper.number + 1)
                return False
            return True

    def _next(self) -> int:
        """The next page to look at; 0 when there is none, or it is enough."""
        with self._changed:
            if not self.wanted:
                return 0
            if self._given_back:
                return self._given_back.pop()
            while self._left in self._lost:
                self._left -= 1
            page, self._left = self._left, max(0, self._left - 1)
            return page
