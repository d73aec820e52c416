"""`DirectoryPipeline`: from a folder or an archive to a knowledge space, stage by stage."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

from indx_core.canonical import clean_text
from indx_core.errors import BuildError, UsageError
from indx_core.hooks import Hooks
from indx_core.paths import named
from indx_core.text import counted
from indx_runtime import Engine
from indx_runtime.settings import cache_dir
from indx_space.amending import Ledger, amend, identity, record
from indx_space.cache import BuildCache
from indx_space.config import Config, resolve
from indx_space.context import SpaceContext
from indx_space.knowledge import KnowledgeSpace
from indx_space.making import resting_collector
from indx_space.output import OutputTransaction
from indx_space.pipeline.build import Build, Stage
from indx_space.pipeline.chunk import Chunk
from indx_space.pipeline.components import installed
from indx_space.pipeline.embed import Embed
from indx_space.pipeline.enrich import Enrich
from indx_space.pipeline.pack import Pack
from indx_space.pipeline.parse import Parse
from indx_space.pipeline.report import BuildReport
from indx_space.pipeline.walk import Walk
from indx_space.relating import Relate
from indx_space.settings import CACHE_BYTES
from indx_space.walking import open_tree
from indx_space.walking.walker import Walker

__all__ = ["STAGES", "DirectoryPipeline"]

STAGES: Final[tuple[Callable[[Build], Stage], ...]] = (Walk, Parse, Chunk, Relate, Enrich, Embed, Pack)
"""The stages of a build, in order."""

_TOLERATED: Final = frozenset({"unsupported_media_type", "nothing_to_embed", "page_damaged"})
"""What is told and is no failure: a file of another kind, a chunk of dashes, what was read as it stands."""


class DirectoryPipeline:
    """Builds a knowledge space from a directory, a ZIP or a TAR.

    `stages` is a plain list of the stages to come: take some off its end to stop early, or put an object
    with `run(ctx) -> ctx` among them.

    Args:
        root: The folder or ZIP.
        out: The output directory; without one the space is only returned.
        config: The configuration; by default that of `indx.toml` in the folder over the defaults.
        engine: Reads documents; a new one by default.
        stages: The stages to run, in place of the built-in ones.
        jobs: How many worker processes; INDX_WORKERS or the number of cores by default.
        cache: The folder of the cache; True is the installation's own, False or None is none.
        hooks: Who watches; the installed ones by default.
        strict: Whether an item that cannot be processed ends the build after its stage.
        seed: Governs sampling.
        clock: Seconds, for the account.
        made_by: What `metadata.tool_version` says.

    Raises:
        UsageError: `input_missing`, `output_inside_input`, `input_inside_output`; a path is empty.
        ConfigurationError: The configuration is wrong, names something that is not installed, or nothing is
            installed that reads.
    """

    def __init__(
        self,
        root: str | Path,
        out: str | Path | None = None,
        *,
        config: Config | None = None,
        engine: Engine | None = None,
        stages: Iterable[Stage] | None = None,
        jobs: int | None = None,
        cache: str | Path | bool | None = True,
        hooks: Hooks | None = None,
        strict: bool = False,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
        made_by: str | None = None,
    ) -> None:
        """Check everything that can be checked before any work."""
        self.root = Path(os.path.abspath(named(root)))  # noqa: PTH100  (links stay as they are named)
        self.out = None if out is None else Path(os.path.abspath(named(out)))  # noqa: PTH100
        if config is None:
            config = resolve(folder=self.root if os.path.isdir(self.root) else None)  # noqa: PTH112
        with closing(open_tree(self.root)) as tree:
            walker = Walker(tree, config.walk)  # checks the patterns of the configuration as well
            if self.out is not None:
                _check_output(self.root, self.out, walker)
        self.engine = Engine(hooks=hooks) if engine is None else engine
        self.config = installed(config, self.engine.registry)
        self.strict, self.seed = strict, seed
        self._cache = cache_dir() / "spaces" if cache is True else Path(cache) if cache else None
        self._build = Build(
            root=self.root,
            out=self.out,
            config=self.config,
            engine=self.engine,
            cache=BuildCache(None),
            hooks=Hooks.of(self.engine.registry) if hooks is None else hooks,
            jobs=jobs,
            clock=clock,
            made_by=made_by,
        )
        self.stages: list[Stage] = [make(self._build) for make in STAGES] if stages is None else list(stages)

    @property
    def report(self) -> BuildReport:
        """The account of the latest run."""
        return self._build.report

    def run(self) -> KnowledgeSpace:
        """Run the stages.

        Returns:
            The space, as the stages filled it.

        Raises:
            UsageError: `input_empty`: there is nothing to read.
            BuildError: `strict_failure`, or the output cannot be written.
            ArchiveError: Something that is no space of this release stands where the archive goes.
        """
        return self._run(amending=False)

    def write(self) -> BuildReport:
        """Run the stages for what they write; the output is the same as that of `run`.

        Where few files changed since the last build, only those are read, and no space is made in memory.

        Raises:
            UsageError: As `run`.
            BuildError: As `run`.
            ArchiveError: As `run`.
        """
        self._run(amending=True)
        return self.report

    def _run(self, *, amending: bool) -> KnowledgeSpace:
        build = self._build
        space = KnowledgeSpace(root=clean_text(str(self.root)))
        ctx = SpaceContext(root=str(self.root), seed=self.seed, space=space)
        with ExitStack() as held, resting_collector():
            held.callback(build.end)
            build.begin()
            build.cache = BuildCache(self._cache, limit=CACHE_BYTES.get())
            ledger = None
            recorded = self._is_recorded()
            if recorded:
                build.notes.identity = identity(build, self.seed)
                ledger = Ledger.load(build)
            if self.out is not None and any(isinstance(stage, Pack) for stage in self.stages):
                transaction = OutputTransaction(
                    self.out,
                    self.config.output.name,
                    is_known=lambda: ledger is not None and ledger.fits(build),
                )
                build.transaction = held.enter_context(transaction)
            known = ledger if build.transaction is not None and build.transaction.known else None
            for place, stage in enumerate(self.stages):
                if place == 1 and amending and known is not None and self._amend(ctx, known):
                    return space
                self._step(stage, ctx)
            build.settle(ctx)
            if recorded:
                record(build, ctx)
        return ctx.space

    def _amend(self, ctx: SpaceContext, ledger: Ledger) -> bool:
        """Amend the last output, if that can be done."""
        build = self._build
        started = build.clock()
        done = not self.strict and amend(build, ctx, ledger)
        if done:
            build.report.seconds["Amend"] = round(build.clock() - started, 6)
        return done

    def _is_recorded(self) -> bool:
        """Whether a ledger is kept: of a build of the built-in stages into an output, with a cache."""
        built_in = [type(stage) for stage in self.stages] == list(STAGES)
        kept = self.out is not None and self._build.cache.keeps
        return built_in and kept and not self.config.output.writers

    def _step(self, stage: Stage, ctx: SpaceContext) -> None:
        build = self._build
        name = getattr(stage, "name", type(stage).__name__)
        started = build.clock()
        build.settle(ctx)
        if stage.run(ctx) is not ctx:
            raise BuildError(f"the stage {name} returned another context than it was given; return `ctx`")
        spent = build.report.seconds.get(name, 0.0) + build.clock() - started
        build.report.seconds[name] = round(spent, 6)
        build.settle(ctx)
        if isinstance(stage, Walk) and not ctx.space.documents_ and not ctx.errors:
            left = ", ".join(f"{count} {reason}" for reason, count in sorted(build.report.skipped.items()))
            remedy = "take some of it in by [walk] of indx.toml, or " if left else ""
            raise UsageError(
                f"{clean_text(str(self.root))!r} holds no file to read (left out: {left or 'nothing'}); "
                f"{remedy}name another folder",
                code="input_empty",
            )
        failures = [error for error in ctx.errors if error.code not in _TOLERATED]
        if self.strict and failures:
            first = failures[0]
            told = f"failed in {name}, the first is {first.path!r}: {first.message}"
            raise BuildError(f"{counted(len(failures), 'item')} {told}", code="strict_failure")


def _check_output(root: Path, out: Path, walker: Walker) -> None:
    """Refuse an output that the next build would walk, or that would write over the input.

    Raises:
        UsageError: `output_inside_input` or `input_inside_output`.
    """
    source, target = (Path(os.path.realpath(path)) for path in (root, out))
    if source.is_relative_to(target) and (source != target or not root.is_dir()):
        raise UsageError(
            f"the input {str(root)!r} lies inside the output {str(out)!r}; write the output elsewhere",
            code="input_inside_output",
        )
    if not root.is_dir() or not target.is_relative_to(source):
        return
    inside = target.relative_to(source).as_posix()
    if inside == "." or walker.would_take(inside):
        raise UsageError(
            f"the output {str(out)!r} lies inside the input {str(root)!r} and would become part of it; "
            "write it elsewhere, or leave its folder out in [walk] exclude or .indxignore",
            code="output_inside_input",
        )
