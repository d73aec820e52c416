"""`indx types`: the document types of a workspace."""

from __future__ import annotations

import typer

from indx_workspace.commands.place import Key, Place, Server, Spec, Store, Token, perform, read_spec

__all__ = ["app"]

app = typer.Typer(name="types", help="Document types.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_types(store: Store = None, server: Server = None, token: Token = None) -> None:
    """List the document types by key."""
    perform(Place(store, server, token), lambda w: w.types.list(), "GET", ("types",))


@app.command()
def get(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Show one document type."""
    perform(Place(store, server, token), lambda w: w.types.get(key), "GET", ("types", key))


@app.command()
def put(key: Key, spec: Spec, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Create or replace a document type."""
    from indx_core.contracts import DocumentTypeSpec

    record = read_spec(DocumentTypeSpec, spec)
    place = Place(store, server, token)
    perform(place, lambda w: w.types.put(key, record), "PUT", ("types", key), body=record, makes=True)


@app.command()
def delete(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Drop a document type; nothing happens when there is none."""
    perform(Place(store, server, token), lambda w: w.types.delete(key), "DELETE", ("types", key))
