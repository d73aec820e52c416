"""`indx serve`: the contract on HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["app"]

Host = Annotated[str, typer.Option(help="The address to listen on.")]
Port = Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")]
WorkersOption = Annotated[int, typer.Option(min=1, help="Server processes.")]
Store = Annotated[
    str | None,
    typer.Option(
        metavar="memory|sqlite:PATH|postgres[:URL]",
        help="Where all that is kept goes; without, the settings say where each thing goes.",
    ),
]
LogLevel = Annotated[str, typer.Option(metavar="debug|info|warning|error", help="The least that is logged.")]


def app(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    workers: WorkersOption = 1,
    store: Store = None,
    log_level: LogLevel = "info",
) -> None:
    """Serve the contract on HTTP."""
    from indx_server.serving import serve

    serve(host=host, port=port, workers=workers, store=store, log_level=log_level)
