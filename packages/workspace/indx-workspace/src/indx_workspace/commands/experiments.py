"""`indx experiments`: candidate branches, scored on reviewed documents and promoted."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Final

import typer

from indx_workspace.commands.place import Key, Place, Server, Spec, Store, Token, perform, read_spec

if TYPE_CHECKING:
    from indx_core.contracts import ExperimentReport
    from indx_workspace import Workspace

__all__ = ["app"]

_PAUSE: Final = 0.1

app = typer.Typer(name="experiments", help="Experiments.", no_args_is_help=True, rich_markup_mode=None)


@app.command("list")
def list_experiments(store: Store = None, server: Server = None, token: Token = None) -> None:
    """List the experiments by key with their states."""
    perform(Place(store, server, token), lambda w: w.experiments.list(), "GET", ("experiments",))


@app.command()
def get(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Show an experiment with everything measured so far."""
    perform(Place(store, server, token), lambda w: w.experiments.get(key), "GET", ("experiments", key))


@app.command()
def put(key: Key, spec: Spec, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Freeze what is to be measured under a new key."""
    from indx_core.contracts import ExperimentSpec

    record = read_spec(ExperimentSpec, spec)
    place = Place(store, server, token)
    perform(place, lambda w: w.experiments.create(key, record), "PUT", ("experiments", key), body=record)


@app.command()
def run(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Start or resume a run: here until it ends, on a server in the background."""
    path = ("experiments", key, "run")
    perform(Place(store, server, token), lambda w: _run(w, key), "PUT", path, runs=True)


def _run(workspace: Workspace, key: str) -> ExperimentReport:
    """Run to the end; what interrupts it leaves the cells that are there."""
    report = workspace.experiments.run(key)
    while report.state == "running":
        time.sleep(_PAUSE)
        report = workspace.experiments.get(key)
    return report


@app.command()
def stop(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Stop a run before its next document."""
    perform(Place(store, server, token), lambda w: _stop(w, key), "DELETE", ("experiments", key, "run"))


def _stop(workspace: Workspace, key: str) -> None:
    workspace.experiments.stop(key)


@app.command()
def promote(
    key: Key,
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The key of the candidate.")],
    store: Store = None,
    server: Server = None,
    token: Token = None,
) -> None:
    """Publish the router's next version with a candidate as the branch of the type."""
    from indx_core.contracts import PromotionRequest
    from indx_core.contracts.parsing import parse

    perform(
        Place(store, server, token),
        lambda w: w.experiments.promote(key, candidate),
        "PUT",
        ("experiments", key, "promotion"),
        body=parse(PromotionRequest, {"candidate": candidate}),
    )


@app.command()
def delete(key: Key, store: Store = None, server: Server = None, token: Token = None) -> None:
    """Stop an experiment's run and drop it with its cells."""
    perform(Place(store, server, token), lambda w: w.experiments.delete(key), "DELETE", ("experiments", key))
