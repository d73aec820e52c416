"""A build's progress as a person sees it: a bar for each stage, driven by a hook anyone can implement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.hooks import hookimpl

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from rich.progress import TaskID

__all__ = ["ProgressBars"]


class ProgressBars:
    """Draws on standard error, which has to be a terminal."""

    def __init__(self) -> None:
        """Draw nothing yet."""
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        from indx.cli.output import console

        self._progress = Progress(
            TextColumn("{task.description:<8}", markup=False),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[item]}", markup=False),
            console=console(),
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}

    @hookimpl
    def indx_stage_progress(self, stage: str, done: int, total: int | None, item: str | None) -> None:
        """Move the stage's bar."""
        if stage not in self._tasks:
            self._tasks[stage] = self._progress.add_task(stage, total=total, item="")
        shown = (item or "").encode("utf-8", "replace").decode()[-60:]
        self._progress.update(self._tasks[stage], completed=done, total=total, item=shown)

    def __enter__(self) -> Self:
        """Draw until the end of the block."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
