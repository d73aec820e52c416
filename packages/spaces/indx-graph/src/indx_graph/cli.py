"""`indx graph`: build, query, rebuild, tune, look into and show a chunk graph. JSON on standard output."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from indx_core.errors import UsageError
from indx_core.paths import named

__all__ = ["app"]

app = typer.Typer(
    name="graph",
    rich_markup_mode=None,
)


def path(given: str) -> Path:
    """A path as it was given; its name is what help shows of an option.

    Raises:
        BadParameter: It is empty.
    """
    try:
        return named(given)
    except UsageError as error:
        raise typer.BadParameter(error.message) from None


Index = Annotated[Path, typer.Argument(metavar="INDEX", parser=path, help="The folder of an index.")]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the graph; repeat.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]


@app.callback(invoke_without_command=True)
def chosen(context: typer.Context) -> None:
    """The chunk graph: questions over several documents, answered within a token budget."""
    if context.invoked_subcommand is None:
        sys.stdout.write(context.get_help() + "\n")


@app.command()
def build(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE", parser=path, help="An .indx archive, an output directory, or a folder to read."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", parser=path, help="The folder of the index.")],
    embedder: Annotated[
        str | None, typer.Option(help="An installed embedder, hash, or nomic-embed-text.")
    ] = None,
    enricher: Annotated[str | None, typer.Option(help="Writes the utility questions.")] = None,
    backend: Annotated[str | None, typer.Option(help="exact, faiss or hnsw.")] = None,
    changes: Changes = None,
    quiet: Quiet = False,
) -> None:
    """Make an index of a knowledge space, or of a folder of documents."""
    from indx_graph.ingest import SpectRAGIngestion
    from indx_graph.options import GraphSettings

    named = {"embedder": embedder, "enricher": enricher, "backend": backend}
    given = {name: value for name, value in named.items() if value is not None}
    settings = GraphSettings().replaced(**_read(changes), **given)
    with _told():
        _write(SpectRAGIngestion(out, settings, progress=_progress(quiet)).ingest(source))


@app.command()
def query(
    index: Index,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="Any text is literal.")],
    budget: Annotated[
        int | None, typer.Option("--budget", "-b", min=0, help="The most tokens of all chunks together.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", "-k", min=1, help="The most chunks.")] = None,
    changes: Changes = None,
) -> None:
    """Choose the chunks that answer a question within a token budget, and say why."""
    from indx_graph.retrieval import SpectRAGRetrieval

    with _told():
        found = SpectRAGRetrieval(index).retrieve(
            question, token_budget=budget, limit=limit, **_read(changes)
        )
        _write(found.wire())


@app.command()
def rebuild(index: Index, changes: Changes = None) -> None:
    """Fuse the stored signals again under other settings; nothing is embedded."""
    from indx_graph.ingest import rebuild_graph

    with _told():
        _write(rebuild_graph(index, **_read(changes)))


@app.command()
def tune(
    index: Index,
    questions: Annotated[
        Path,
        typer.Argument(
            metavar="QUESTIONS", parser=path, help='JSON lines {"question": "…", "chunks": ["ID", …]}.'
        ),
    ],
    apply: Annotated[
        bool, typer.Option("--apply", help="Rebuild under what was found, if it holds on the other half.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Find settings that answer known questions better; half of them are only reported."""
    from indx_graph.tuning import read_questions
    from indx_graph.tuning import tune as find

    with _told():
        _write(find(index, read_questions(questions), apply=apply, progress=_progress(quiet)))


@app.command()
def info(index: Index) -> None:
    """Show the account of an index and its settings."""
    from indx_graph.opening import open_graph

    with _told():
        graph, account, _ = open_graph(index)
        _write({**account, "settings": graph.settings.model_dump(mode="json")})


@app.command()
def view(
    index: Index,
    out: Annotated[Path, typer.Option("--out", "-o", parser=path, help="The page to write.")] = Path(
        "graph.html"
    ),
    nodes: Annotated[int, typer.Option(min=1, max=5000, help="The most chunks shown.")] = 400,
) -> None:
    """Write one HTML page that shows the graph; it needs nothing else and no network."""
    from indx_graph.opening import open_graph
    from indx_graph.view import page
    from indx_space.disk import atomic_write

    with _told():
        graph, _, folder = open_graph(index, signals=True)
        content, shown = page(graph, title=folder.name, most=nodes)
        atomic_write(out, content)
        _write({"page": str(out), "chunks": len(graph.chunks), "shown": shown})


def _read(changes: list[str] | None) -> dict[str, Any]:
    """Settings from `NAME=VALUE`: JSON where it reads so; `weights.NAME` is one of the weights."""
    found: dict[str, Any] = {}
    for item in changes or ():
        name, equals, text = item.partition("=")
        if not (name and equals):
            raise UsageError(f"--set: {item!r} is not NAME=VALUE; write it as token_budget=500")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = text
        if name.startswith("weights."):
            found.setdefault("weights", {})[name.removeprefix("weights.")] = value
        else:
            found[name] = value
    return found


def _progress(quiet: bool) -> Any:
    def say(step: str, count: int) -> None:
        if not quiet:
            sys.stderr.write(f"{step}: {count}\n")

    return say


@contextmanager
def _told() -> Iterator[None]:
    """Say what is warned of in a line of its own."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            for one in caught:
                if one.category.__name__ == "IndexWarning":
                    sys.stderr.write(f"indx: {one.message}\n")


def _write(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n")
    sys.stdout.flush()
