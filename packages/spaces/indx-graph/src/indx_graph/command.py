"""`indx graph`: build, query, rebuild, tune, look into and show a chunk graph."""

from __future__ import annotations

import typer

__all__ = ["app"]

app = typer.Typer(name="graph", help="The chunk graph: multi-hop questions within a token budget.")


@app.command()
def info() -> None:
    """Show what an index holds."""
