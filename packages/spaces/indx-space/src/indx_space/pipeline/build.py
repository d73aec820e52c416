"""What one build holds beside its context: the input, the configuration, the parts, and the account."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from indx_core.canonical import clean_text
from indx_core.contracts.space import StageErrorRecord
from indx_core.errors import IndxError, explain
from indx_core.scrubbing import scrubbed
from indx_space.cache import BuildCache
from indx_space.pipeline.reading import Reader
from indx_space.pipeline.report import BuildReport
from indx_space.terms import TermTable
from indx_space.walking import open_tree
from indx_space.walking.names import Taken

if TYPE_CHECKING:
    from indx_core.contracts.space import Relation
    from indx_core.hooks import Hooks
    from indx_runtime import Engine
    from indx_space.config import Config
    from indx_space.context import SpaceContext
    from indx_space.output import OutputTransaction
    from indx_space.pipeline.known import Known
    from indx_space.relating.texts import TextFacts
    from indx_space.walking import Entry, Tree

__all__ = ["Build", "Notes", "Stage", "describe"]


class Stage(Protocol):
    """A step of the pipeline: it fills the context it is given and returns that very object."""

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Do the work."""
        ...


@dataclass(slots=True)
class Notes:
    """What stages leave beside the space for the record of a build, by path of document.

    Attributes:
        files: What each file that was looked into is.
        unsettled: Files that may be read with another result the next time.
        skipped: What was left out while reading, by reason.
        facts: What texts say of others.
        phrases: Documents whose titles are phrases.
        duplicates: What a document is a copy of, and how much.
        edges: The edges of the space that a document and its chunks begin.
        identity: Everything but the input that decides what is written; empty where no record is kept.
        parts: Of the packed index: lines and packed bytes of each part; None where it is not to be amended.
        relations: How many of all relations are different ones.
    """

    files: dict[str, Known] = field(default_factory=dict)
    unsettled: set[str] = field(default_factory=set)
    skipped: dict[str, int] = field(default_factory=dict)
    facts: Mapping[str, TextFacts] = field(default_factory=dict)
    phrases: set[str] = field(default_factory=set)
    duplicates: dict[str, tuple[str, float]] = field(default_factory=dict)
    edges: dict[str, list[Relation]] = field(default_factory=dict)
    identity: str = ""
    parts: list[tuple[int, int]] | None = None
    relations: int = 0


@dataclass(slots=True)
class Build:
    """One run of a pipeline, shared by its stages.

    Attributes:
        root: The folder or ZIP.
        out: The output directory, if there is one.
        config: The configuration that holds, its parts installed.
        engine: Reads and cuts documents.
        cache: Answers of earlier builds.
        hooks: Who watches.
        jobs: How many worker processes; None is the installation's own number.
        clock: Seconds.
        made_by: What `tool_version` says; None is the default.
        tree: The input, while it is open.
        taken: Paths given out so far.
        entries: Files that the walk took, by document ID.
        enriched: Documents that a lane was asked about, by path.
        tried: In how many builds documents ended what reads them, by key; those that did in this one.
        transaction: The output, locked, while it is being written.
        notes: What stages leave for the record of the build.
        terms: Texts cut into terms, by whichever stage met them first.
        reader: Reads documents; made when it is first needed.
        report: The account.
    """

    root: Path
    out: Path | None
    config: Config
    engine: Engine
    cache: BuildCache
    hooks: Hooks
    jobs: int | None
    clock: Callable[[], float]
    made_by: str | None = None
    tree: Tree | None = None
    taken: Taken = field(default_factory=Taken)
    entries: dict[str, Entry] = field(default_factory=dict)
    enriched: set[str] = field(default_factory=set)
    tried: dict[bytes, int] = field(default_factory=dict)
    transaction: OutputTransaction | None = None
    notes: Notes = field(default_factory=Notes)
    terms: TermTable = field(default_factory=TermTable)
    reader: Reader | None = None
    report: BuildReport = field(default_factory=BuildReport)

    def begin(self) -> None:
        """Forget an earlier run, and open the input."""
        self.tree = open_tree(self.root)
        self.taken, self.entries, self.enriched, self.tried = Taken(), {}, set(), {}
        self.report, self.notes, self.terms = BuildReport(), Notes(), TermTable()

    def environment(self) -> str:
        """Everything but a document that decides how it is read."""
        return self._known_reader().environment

    def limits(self) -> str:
        """What a worker is held to while it reads one."""
        return self._known_reader().limits

    def _known_reader(self) -> Reader:
        if self.reader is None:
            self.reader = Reader(self.engine, self.config, self.jobs)
        return self.reader

    def take_reader(self) -> Reader:
        """The reader of the build, which whoever takes it closes."""
        reader, self.reader = self.reader, None
        return reader or Reader(self.engine, self.config, self.jobs)

    def end(self) -> None:
        """Close what is open."""
        self.cache.close()
        self.transaction = None
        self.terms = TermTable()
        if self.tree is not None:
            self.tree.close()
            self.tree = None

    def progress(self, stage: str, done: int, total: int | None, item: str | None = None) -> None:
        """Tell who watches how far a stage is."""
        self.hooks.notify("indx_stage_progress", stage=stage, done=done, total=total, item=item)

    def error(self, ctx: SpaceContext, stage: str, path: str, code: str, message: str) -> None:
        """Record one thing that could not be processed."""
        ctx.errors.append(
            StageErrorRecord(stage=stage, path=clean_text(path), code=code, message=clean_text(message))
        )

    def settle(self, ctx: SpaceContext) -> None:
        """Bring the metadata of the space and the account up to what was done so far."""
        report, space, metadata = self.report, ctx.space, ctx.space.metadata
        report.documents, report.chunks = len(space.documents_), len(space.chunks)
        report.relations = len(space.relations)
        report.errors, report.enriched = list(ctx.errors), len(self.enriched)
        metadata["config"] = self.config.content()
        metadata["errors"] = [error.model_dump() for error in ctx.errors]
        metadata["skipped"] = dict(sorted(report.skipped.items()))


def describe(error: Exception) -> tuple[str, str]:
    """Code and message of what stopped one document."""
    if isinstance(error, IndxError):
        return error.code, scrubbed(error.message)
    if isinstance(error, FileNotFoundError):
        return "vanished", "the file was there when the input was listed and is gone now"
    return "internal_error", explain(error)
