"""`indx labels`: reviewers' verdicts on what lanes answered."""

from __future__ import annotations

from typing import Annotated

import typer

from indx_workspace.commands.place import Place, Server, Spec, Store, Token, perform, read_spec

__all__ = ["app"]

app = typer.Typer(name="labels", help="Reviewers' verdicts.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_labels(
    digest: Annotated[str | None, typer.Option(help="Only those of this document.")] = None,
    type_id: Annotated[str | None, typer.Option("--type", help="Only those under this type.")] = None,
    store: Store = None,
    server: Server = None,
    token: Token = None,
) -> None:
    """List labels by document, then ID."""
    perform(
        Place(store, server, token),
        lambda w: w.labels.list(digest=digest, type_id=type_id),
        "GET",
        ("labels",),
        query={"digest": digest, "type_id": type_id},
    )


@app.command()
def put(spec: Spec, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Keep a verdict; a second one on the same answer replaces the first."""
    from indx_core.contracts import LabelSpec

    record = read_spec(LabelSpec, spec)
    place = Place(store, server, token)
    perform(place, lambda w: w.labels.put(record), "PUT", ("labels",), body=record, makes=True)


@app.command()
def delete(
    label: Annotated[str, typer.Argument(metavar="ID", help="The ID of the label.")],
    store: Store = None,
    server: Server = None,
    token: Token = None,
) -> None:
    """Drop a label; nothing happens when there is none."""
    perform(Place(store, server, token), lambda w: w.labels.delete(label), "DELETE", ("labels", label))
