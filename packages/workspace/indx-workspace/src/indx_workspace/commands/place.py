"""Where a command of the workspace works: on stores it opens itself, or through a server."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from indx_core.errors import IndxError, StoreDisabled, UsageError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from indx_workspace import Workspace

__all__ = ["Key", "Place", "Server", "Spec", "Store", "Token", "opened", "perform", "read_spec", "write"]

M = TypeVar("M", bound="BaseModel")

Key = Annotated[str, typer.Argument(metavar="KEY", help="The key of the record.")]
Spec = Annotated[
    Path, typer.Option("--spec", metavar="FILE", help="The record as JSON; `-` is standard input.")
]
Store = Annotated[
    str | None,
    typer.Option(
        metavar="sqlite:PATH|postgres[:URL]", help="The stores to work on, in place of the settings."
    ),
]
Server = Annotated[
    str | None, typer.Option(metavar="URL", help="A running server to ask, in place of opening stores.")
]
Token = Annotated[
    str | None,
    typer.Option(
        envvar="INDX_WORKSPACE_TOKEN", show_envvar=False, help="The operator's token for that server."
    ),
]


@dataclass(frozen=True, slots=True)
class Place:
    """What a command was told of where to work."""

    store: str | None = None
    server: str | None = None
    token: str | None = None
    owner: str | None = None


def perform(
    place: Place,
    local: Callable[[Workspace], BaseModel | None],
    method: str,
    path: Sequence[str],
    *,
    body: BaseModel | None = None,
    query: Mapping[str, str | int | None] | None = None,
    runs: bool = False,
    makes: bool = False,
) -> None:
    """Do something where a command was told to, and write the answer.

    Args:
        place: Where.
        local: What to do on an open workspace.
        method: The same on a server: the HTTP method,
        path: the segments of the route's path,
        body: what to send,
        query: and the query parameters.
        runs: Whether this process takes jobs meanwhile.
        makes: Whether a store that is not there is made for it.

    Raises:
        IndxError: What refused it; its envelope is then what was written.
    """
    with _answering():
        if place.server is None:
            with opened(place.store, runs=runs, makes=makes) as workspace, _naming_a_store(place.store):
                write(local(workspace))
            return
        if place.store is not None:
            raise UsageError("--store and --server are two places: name one")
        from indx_workspace.commands.remote import ask

        write(ask(place, method, path, body=body, query=query or {}))


@contextmanager
def _naming_a_store(store: str | None) -> Iterator[None]:
    """A block whose refusal for want of a store says how a command is given one.

    Raises:
        StoreDisabled: As refused, with the option.
    """
    try:
        yield
    except StoreDisabled as error:
        if store is not None:
            raise
        told = f"{error.message}, or name one for this command: --store sqlite:PATH"
        raise StoreDisabled(told, param=error.param, request_id=error.request_id) from None


@contextmanager
def opened(store: str | None, *, runs: bool = False, makes: bool = True) -> Iterator[Workspace]:
    """The workspace on the stores of `--store`, which may have to be there, or on those the settings name."""
    from indx_runtime import Engine, Workers
    from indx_workspace import Workspace, keep_in

    if store is not None:
        keep_in(store, makes=makes)
    with Workers() as workers, Workspace.open(Engine(workers=workers), runs=runs) as workspace:
        yield workspace


def read_spec(model: type[M], file: Path) -> M:
    """The record that `--spec` names.

    Raises:
        UsageError: It cannot be read.
        InvalidRequest: It is not such a record.
    """
    from indx_core.contracts.parsing import parse_json

    with _answering():
        try:
            text = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        except OSError as error:
            raise UsageError(
                f"--spec {str(file)!r} cannot be read: {error.strerror}; check its path"
            ) from None
        return parse_json(model, text)


@contextmanager
def _answering() -> Iterator[None]:
    """A block whose refusal is an answer too: its envelope, as a server would send it."""
    try:
        yield
    except IndxError as error:
        write(error.envelope())
        raise


def write(answer: BaseModel | Mapping[str, Any] | None) -> None:
    """Write an answer as a line of JSON; nothing where there is none."""
    if answer is None:
        return
    if isinstance(answer, Mapping):
        sys.stdout.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
    else:
        sys.stdout.write(answer.model_dump_json() + "\n")
    sys.stdout.flush()
