"""`indx DIR --out OUT`: a directory, ZIP or TAR becomes a knowledge space."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from indx.cli.entries import entry_lines
from indx.cli.output import console, said_in_the_answer, shown, write_json, write_line
from indx.cli.paths import path
from indx.cli.started import elapsed
from indx_core.discovery import default_registry
from indx_core.errors import UsageError
from indx_core.hooks import Hooks
from indx_core.installed import version
from indx_core.text import counted
from indx_space.config import resolve
from indx_space.walking import open_tree

if TYPE_CHECKING:
    from indx.cli.progress import ProgressBars
    from indx_space import BuildReport, DirectoryPipeline

__all__ = ["build"]

_SHOWN_ERRORS = 10
_EMPTY: Final = (
    "no text was read, so no query finds anything in this space; metadata.errors of index.json says why"
)


Directory = Annotated[Path, typer.Argument(metavar="DIR|ZIP|TAR", parser=path, help="What to read.")]
Out = Annotated[Path | None, typer.Option("--out", "-o", parser=path, help="Where the space is written.")]
Name = Annotated[str | None, typer.Option(help="The archive's base name; `handbook` by default.")]
ConfigFile = Annotated[
    Path | None, typer.Option(parser=path, help="A configuration file instead of DIR/indx.toml.")
]
EmbedSpace = Annotated[str | None, typer.Option(help="The embedding space; `auto` by default.")]
Jobs = Annotated[int | None, typer.Option("--jobs", "-j", min=1, help="Worker processes.")]
NoEmbed = Annotated[bool, typer.Option("--no-embed", help="Make no vectors.")]
Cache = Annotated[Path | None, typer.Option(parser=path, help="The cache folder instead of the user's.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Read everything again and keep nothing.")]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first stage with a failure.")]
Resume = Annotated[
    bool, typer.Option("--resume", help="Go on from what an interrupted build cached (always done).")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="List what would be read, and stop.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the account as JSON on standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]


def build(
    directory: Directory,
    out: Out = None,
    name: Name = None,
    config: ConfigFile = None,
    space: EmbedSpace = None,
    jobs: Jobs = None,
    no_embed: NoEmbed = False,
    cache: Cache = None,
    no_cache: NoCache = False,
    strict: Strict = False,
    resume: Resume = False,
    dry_run: DryRun = False,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Turn a directory, ZIP or TAR into a knowledge space: indx DIR --out OUT."""
    if out is None and not dry_run:
        _miss_an_output(directory)
    _agree(no_embed=no_embed, space=space, no_cache=no_cache, cache=cache, resume=resume)
    flags: dict[str, dict[str, Any]] = {}
    if name is not None:
        flags["output"] = {"name": name}
    if no_embed or space is not None:
        flags["embed"] = {"space": "none" if no_embed else space}
    folder = directory if os.path.isdir(directory) else None  # noqa: PTH112  (False where it is forbidden)
    bars = _bars() if not quiet and not json and sys.stderr.isatty() else None
    pipeline = _pipeline(
        directory,
        None if dry_run else out,
        config=resolve(flags=flags, file=config, folder=folder),
        bars=bars,
        jobs=jobs,
        cache=False if no_cache else (cache or True),
        strict=strict,
    )
    if dry_run:
        _list(pipeline, as_json=json)
        return

    def told() -> list[str]:
        return [] if quiet and not json else [error.message for error in pipeline.report.errors]

    with bars or nullcontext(), said_in_the_answer(told=told):
        pipeline.write()
    _tell_if_empty(pipeline.report)
    if json:
        write_json({**_account(pipeline.report), "total_seconds": round(elapsed(), 6)})
    elif not quiet:
        _summarise(pipeline)


def _miss_an_output(directory: Path) -> None:
    """Refuse a call that names no output, and before that one of what cannot be built.

    Raises:
        UsageError: Always.
    """
    open_tree(directory).close()
    raise UsageError("name where the space is written: --out OUT")


def _tell_if_empty(report: BuildReport) -> None:
    """Say, even where nothing but errors is said, that a space without text took the place of any before."""
    if not report.chunks:
        console().print(f"indx: {_EMPTY}", markup=False)


def _bars() -> ProgressBars:
    from indx.cli.progress import ProgressBars

    return ProgressBars()


def _pipeline(
    directory: Path, out: Path | None, *, bars: ProgressBars | None, **more: Any
) -> DirectoryPipeline:
    """A pipeline watched by the installed hooks, and by the bars where they are drawn."""
    from indx_space import DirectoryPipeline

    hooks = Hooks.of(default_registry())
    if bars is not None:
        hooks.register(bars)
    return DirectoryPipeline(directory, out, hooks=hooks, made_by=f"indx {version('indx')}", **more)


def _agree(*, no_embed: bool, space: str | None, no_cache: bool, cache: Path | None, resume: bool) -> None:
    """Refuse options that contradict each other."""
    if no_embed and space is not None:
        raise UsageError("--no-embed makes no vectors and --space asks for some; give one of them")
    if no_cache and (cache is not None or resume):
        raise UsageError("--no-cache keeps nothing, so --cache and --resume have nothing to do; drop one")


def _list(pipeline: DirectoryPipeline, *, as_json: bool) -> None:
    """Only walk, and say what would be read and what is left out."""
    del pipeline.stages[1:]
    walked = pipeline.run()
    paths = [document.path for document in walked.documents_]
    if as_json:
        write_json({"files": paths, **_account(pipeline.report)})
        return
    for line in map(shown, paths):
        write_line(line)
    console().print(f"{counted(len(paths), 'file')} would be read{_left_out(pipeline.report)}", markup=False)


def _account(report: BuildReport) -> dict[str, Any]:
    return {
        "documents": report.documents,
        "chunks": report.chunks,
        "relations": report.relations,
        "embeddings": report.embeddings,
        "parsed": report.parsed,
        "cached": report.cached,
        "skipped": dict(sorted(report.skipped.items())),
        "errors": [error.model_dump(mode="json") for error in report.errors],
        "seconds": report.seconds,
        "cost_usd": report.cost_usd,
    }


def _left_out(report: BuildReport) -> str:
    if not report.skipped:
        return ""
    return "; left out: " + ", ".join(f"{count} {reason}" for reason, count in sorted(report.skipped.items()))


def _summarise(pipeline: DirectoryPipeline) -> None:
    """What was built, what was left out and why, and how long it took."""
    from rich.text import Text

    report, out = pipeline.report, console()
    reused = f" ({report.cached} from the cache)" if report.cached else ""
    counts = [f"{counted(report.documents, 'document')}{reused}", counted(report.chunks, "chunk")]
    counts += [counted(report.relations, "relation")]
    counts += [counted(report.embeddings, "vector")] if report.embeddings else []
    out.print(Text(", ".join(counts), style="bold"))
    if report.skipped:
        out.print(Text(_left_out(report).removeprefix("; ")))
    if report.errors:
        entries = counted(len(report.errors), "entry", "entries")
        out.print(Text(f"{entries} in metadata.errors of index.json:", style="yellow"))
    for line in entry_lines([(error.path, error.message) for error in report.errors], _SHOWN_ERRORS):
        out.print(Text(line))
    total = elapsed()
    parts = {**report.seconds, "start-up and the rest": total - sum(report.seconds.values())}
    spent = ", ".join(f"{part} {seconds:.1f}" for part, seconds in parts.items())
    out.print(Text(f"{total:.1f} s since the command began ({spent})", style="dim"))
    assert pipeline.out is not None
    out.print(Text(f"written to {pipeline.out / (pipeline.config.output.name + '.indx')}"))
