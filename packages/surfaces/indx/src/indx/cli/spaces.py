"""`indx inspect` and `indx query`: look into a knowledge space, and ask it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from indx.cli.entries import entry_lines
from indx.cli.output import console, shown, write_json, write_line
from indx.cli.paths import path
from indx_core.errors import InvalidRequest, Unavailable
from indx_core.text import counted

if TYPE_CHECKING:
    from indx_core.contracts.space import SearchHit
    from indx_space import KnowledgeSpace

__all__ = ["inspect", "query"]

SpacePath = Annotated[
    Path,
    typer.Argument(
        metavar="SPACE", parser=path, help="An .indx archive, or the directory a build wrote it to."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")]

_SHOWN_ERRORS = 20
_SNIPPET = 300


def inspect(
    space: SpacePath,
    json: AsJson = False,
    verify: Annotated[bool, typer.Option("--verify", help="Check every member of the archive.")] = False,
) -> None:
    """Show what a knowledge space holds; with --json, its stats."""
    from indx_space import KnowledgeSpace, verify_archive

    if verify:
        verify_archive(space)
    with KnowledgeSpace.load(space) as loaded:
        if json:
            write_json(loaded.stats)
        else:
            _describe(loaded, verified=verify)


def _describe(space: KnowledgeSpace, *, verified: bool) -> None:
    from rich.table import Table
    from rich.text import Text

    stats = space.stats
    facts = Table(box=None, show_header=False, pad_edge=False)
    for name, value in (
        ("root", space.root),
        ("built by", space.metadata.get("tool_version", "unknown")),
        ("built at", space.metadata.get("created_at", "unknown")),
        ("documents", f"{stats.documents}"),
        ("chunks", f"{stats.chunks}"),
        ("relations", f"{stats.relations}"),
        ("vectors", _vectors(space)),
        ("types", ", ".join(f"{k} {v}" for k, v in sorted(stats.types.items())) or "none detected"),
    ):
        facts.add_row(Text(name, style="bold"), Text(shown(value)))
    out = console(asked=True)
    out.print(facts)
    if verified:
        out.print("every member is as the manifest says")
    errors = list(space.metadata.get("errors", ()))
    if errors:
        entries = counted(len(errors), "entry", "entries")
        out.print(Text(f"\n{entries} in metadata.errors of index.json:", style="yellow"))
    told = [(error["path"], f"{error['code']}: {error['message']}") for error in errors]
    for line in entry_lines(told, _SHOWN_ERRORS):
        out.print(Text(line))


def _vectors(space: KnowledgeSpace) -> str:
    stats, embedder = space.stats, space.metadata.get("embedder")
    return f"{stats.embeddings} of {stats.embed_dim} numbers, {embedder['name']}" if embedder else "none"


def query(
    space: SpacePath,
    text: Annotated[str, typer.Argument(metavar="QUERY", help="What to look for; any text is literal.")],
    k: Annotated[int, typer.Option("-k", "--limit", min=1, help="How many hits at most.")] = 5,
    mode: Annotated[
        str, typer.Option(help="How to search: hybrid, lexical, semantic, or an installed one.")
    ] = "hybrid",
    json: AsJson = False,
) -> None:
    """Search a knowledge space. Hits go to standard output, best first."""
    from indx_space import KnowledgeSpace

    if not text.strip():
        raise InvalidRequest("the query is empty; write its text, as indx query SPACE TEXT", param="query")
    with KnowledgeSpace.load(space) as loaded:
        try:
            hits = loaded.search(text, k=k, mode=mode)
        except Unavailable as error:
            if error.code != "embedder_unavailable" or "lexical" in error.message:
                raise
            told = f"{error.message}; --mode lexical needs no embedder"
            raise Unavailable(told, code=error.code) from error
        if json:
            write_json({"query": text, "mode": mode, "hits": [_wire(hit) for hit in hits]})
            return
        for number, hit in enumerate(hits, 1):
            _show(number, hit)
        console().print(_closing(hits, loaded.stats.chunks, mode), markup=False)


def _closing(hits: Sequence[SearchHit], chunks: int, mode: str) -> str:
    """How many were found and by which mode; and where that is so, that none holds a word of the query."""
    found = f"{len(hits)} of {counted(chunks, 'chunk')}" if hits else "nothing found"
    if hits and mode == "hybrid" and not any(_legs(hit).get("text_score") for hit in hits):
        found = f"no chunk holds a word of the query; these {len(hits)} are the nearest in meaning"
    return f"{found}, answered by {mode} search"


def _legs(hit: SearchHit) -> dict[str, float]:
    return {name: score for name, score in (hit.__pydantic_extra__ or {}).items() if name.endswith("_score")}


def _score(hit: SearchHit) -> str:
    """The score that ranked a hit, and those of the legs it comes from."""
    names = {"text_score": "words", "vector_score": "meaning"}
    legs = [f"{names.get(name, name)} {score:.3f}" for name, score in _legs(hit).items()]
    return f"score {hit.score:.4f}" + (f": {', '.join(legs)}" if legs else "")


def _wire(hit: SearchHit) -> dict[str, Any]:
    wire = hit.model_dump(mode="json")
    page = hit.chunk.metadata.get("page")
    return wire if page is None else {**wire, "page": page}


def _show(number: int, hit: SearchHit) -> None:
    """One hit: where it is, how it scored, what it says, and what stands beside it."""
    facts = hit.chunk.metadata
    place = hit.source.path
    if facts.get("page") is not None:
        place += f", page {facts['page']}"
    if facts.get("section"):
        place += " > " + " > ".join(facts["section"])
    write_line(f"{number}. {shown(place)}  ({_score(hit)}, {hit.chunk.ordinal_id or hit.chunk.id})")
    body = shown(" ".join(hit.chunk.text.split()))
    write_line("   " + (body if len(body) <= _SNIPPET else body[:_SNIPPET].rstrip() + " …"))
    beside = [chunk.ordinal_id or chunk.id for chunk in hit.neighbors]
    if beside:
        write_line(f"   beside it: {', '.join(beside)}")
    write_line("")
