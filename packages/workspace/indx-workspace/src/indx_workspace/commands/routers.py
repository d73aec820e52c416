"""`indx routers`: which branch reads which type of document, in versions that never change."""

from __future__ import annotations

from typing import Annotated

import typer

from indx_workspace.commands.place import Key, Place, Server, Spec, Store, Token, perform, read_spec

__all__ = ["app"]

app = typer.Typer(name="routers", help="Routers.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_routers(store: Store = None, server: Server = None, token: Token = None) -> None:
    """List the latest version of each router by key."""
    perform(Place(store, server, token), lambda w: w.routers.list(), "GET", ("routers",))


@app.command()
def versions(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """List the versions of a router, oldest first."""
    perform(
        Place(store, server, token), lambda w: w.routers.versions(key), "GET", ("routers", key, "versions")
    )


@app.command()
def get(
    key: Key,
    version: Annotated[int, typer.Argument(metavar="VERSION", help="Counted from 1.")],
    store: Store = None,
    server: Server = None,
    token: Token = None,
) -> None:
    """Show one version of a router."""
    path = ("routers", key, "versions", str(version))
    perform(Place(store, server, token), lambda w: w.routers.get(key, version), "GET", path)


@app.command()
def put(key: Key, spec: Spec, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Publish the next version of a router."""
    from indx_core.contracts import RouterSpec

    record = read_spec(RouterSpec, spec)
    place = Place(store, server, token)
    perform(place, lambda w: w.routers.publish(key, record), "PUT", ("routers", key), body=record, makes=True)


@app.command()
def delete(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Drop a router with its history."""
    perform(Place(store, server, token), lambda w: w.routers.delete(key), "DELETE", ("routers", key))
