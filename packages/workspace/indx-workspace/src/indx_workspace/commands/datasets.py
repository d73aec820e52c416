"""`indx datasets`: reviewed documents gathered for training or evaluation."""

from __future__ import annotations

from typing import Annotated

import typer

from indx_workspace.commands.place import Key, Place, Server, Spec, Store, Token, perform, read_spec

__all__ = ["app"]

app = typer.Typer(name="datasets", help="Datasets.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_datasets(store: Store = None, server: Server = None, token: Token = None) -> None:
    """List the datasets by key, with what their documents hold now."""
    perform(Place(store, server, token), lambda w: w.datasets.list(), "GET", ("datasets",))


@app.command()
def get(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Show one dataset."""
    perform(Place(store, server, token), lambda w: w.datasets.get(key), "GET", ("datasets", key))


@app.command()
def labels(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """List the examples of a dataset: the labels its documents hold now."""
    perform(Place(store, server, token), lambda w: w.datasets.labels(key), "GET", ("datasets", key, "labels"))


@app.command()
def put(
    key: Key,
    spec: Spec,
    owner: Annotated[
        str | None,
        typer.Option(help="Who kept the documents: the owner in a store, the indx_owner cookie on a server."),
    ] = None,
    store: Store = None,
    server: Server = None,
    token: Token = None,
) -> None:
    """Create or replace a dataset, and copy the sources of its documents from what the owner kept."""
    from indx_core.contracts import DatasetSpec

    record = read_spec(DatasetSpec, spec)
    perform(
        Place(store, server, token, owner),
        lambda w: w.datasets.put(key, record, owner=owner),
        "PUT",
        ("datasets", key),
        body=record,
        makes=True,
    )


@app.command()
def delete(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Drop a dataset; the labels of its documents stay."""
    perform(Place(store, server, token), lambda w: w.datasets.delete(key), "DELETE", ("datasets", key))
