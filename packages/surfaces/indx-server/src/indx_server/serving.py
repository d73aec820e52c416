"""From the command's options to running processes: checked first, then bound, then served."""

from __future__ import annotations

import logging
import logging.config
import os
import signal
import tempfile
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from indx_core.discovery import default_registry
from indx_core.errors import ConfigurationError, UsageError
from indx_runtime.settings import WORKERS, worker_count
from indx_server import settings
from indx_server.logs import log_config
from indx_source.resolving import enabled_schemes
from indx_workspace import keep_in, unshared
from indx_workspace.settings import JOB_RUNNER

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    import uvicorn
    from starlette.types import ASGIApp

__all__ = ["create_child", "serve"]

_start = logging.getLogger("indx.server.start")  # said whatever the level

_OWN_NAMES: Final = ("127.0.0.1", "localhost", "::1", "[::1]")  # what this machine is called by itself
_LEVELS: Final = ("debug", "info", "warning", "error")
_IDLE: Final = 15  # seconds a connection is kept open for another request


def serve(*, host: str, port: int, workers: int, store: str | None, log_level: str) -> None:
    """Serve until the process is told to stop.

    Raises:
        UsageError: An option is wrong.
        ConfigurationError: A setting is wrong, a store cannot be opened or be shared, or the address taken.
    """
    if log_level not in _LEVELS:
        raise UsageError(f"--log-level {log_level!r} is none of {', '.join(_LEVELS)}")
    if store is not None:
        keep_in(store, processes=workers)
    if host in _OWN_NAMES and not settings.HOSTS.is_set():
        os.environ[settings.HOSTS.name] = ",".join(_OWN_NAMES)
    logging.config.dictConfig(log_config(log_level.upper()))
    with ExitStack() as lasting:
        if workers == 1:
            _serve_here(host, port, log_level)
        else:
            _share(workers, store, lasting)
            _serve_apart(host, port, workers, log_level)


def _share(workers: int, store: str | None, lasting: ExitStack) -> None:
    """Arrange for several server processes what one has for itself.

    Raises:
        ConfigurationError: Something that is kept lives in one process only.
    """
    alone = unshared(default_registry())
    if alone:
        if store is not None:  # which set them all, but for the runner's
            option = f"--store {store.partition(':')[0]}"
            alone = tuple(dict.fromkeys(name if name == JOB_RUNNER.name else option for name in alone))
        raise ConfigurationError(
            f"{', '.join(alone)} {'name' if len(alone) > 1 else 'names'} what lives in one process, and "
            f"--workers {workers} asks for several; use one worker, or a store that is shared, as "
            "--store sqlite:PATH is",
            code="store_not_configured",
        )
    if not WORKERS.is_set():
        os.environ[WORKERS.name] = str(max(1, worker_count() // workers))
    if settings.METRICS.get():
        folder = lasting.enter_context(tempfile.TemporaryDirectory(prefix="indx-metrics-"))
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder


def _serve_here(host: str, port: int, log_level: str) -> None:
    import uvicorn

    from indx_server.app import create_app
    from indx_server.service import Service

    with Service() as service:
        config = _config(create_app(service), host, port, log_level)
        server = uvicorn.Server(config)
        taken = _bound(config)
        for told in (signal.SIGINT, signal.SIGTERM):  # raised once more when the server has ended
            signal.signal(told, signal.SIG_IGN)
        server.run(sockets=[taken])


def _serve_apart(host: str, port: int, workers: int, log_level: str) -> None:
    from uvicorn.supervisors import Multiprocess

    from indx_server.service import Service

    Service.check()
    config = _config("indx_server.serving:create_child", host, port, log_level, workers=workers)
    Multiprocess(config, sockets=[_bound(config)]).run()


def create_child() -> ASGIApp:
    """The application in one of several processes, which ends when the one that started it does.

    One that is killed tells nobody: the others would go on and keep the address.
    """
    import multiprocessing
    import threading

    from indx_server.app import create_app

    if (parent := multiprocessing.parent_process()) is not None:
        threading.Thread(target=_stop_after, args=(parent.sentinel,), daemon=True).start()
    return create_app()


def _stop_after(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os.kill(os.getpid(), signal.SIGTERM)  # what is being answered is answered


def _config(app: object, host: str, port: int, log_level: str, *, workers: int = 1) -> uvicorn.Config:
    import uvicorn

    proxies = settings.PROXIES.get()
    return uvicorn.Config(
        app,  # type: ignore[arg-type]  # an application, or the name of what makes one
        factory=isinstance(app, str),
        host=host,
        port=port,
        workers=workers,
        log_config=log_config(log_level.upper()),
        access_log=False,
        server_header=False,
        proxy_headers=proxies is not None,
        forwarded_allow_ips=list(proxies or ()),
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=settings.SHUTDOWN_SECONDS.get(),
        ws="none",
        lifespan="on",
    )


def _bound(config: uvicorn.Config) -> socket.socket:
    """A socket that listens at the address, said in the log with the port that was taken.

    Raises:
        ConfigurationError: The address cannot be taken.
    """
    import socket

    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    # Named as TCP, or what it accepts would hold small answers back for the caller's acknowledgement.
    taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((config.host, config.port))
        taken.listen(config.backlog)  # who calls while the processes start waits, and is not turned away
    except OSError as error:
        taken.close()
        reason = error.strerror or str(error)
        raise ConfigurationError(
            f"cannot listen on {config.host}, port {config.port}: {reason}; name others by --host and --port"
        ) from None
    taken.set_inheritable(True)
    host, port = taken.getsockname()[:2]
    _start.info("listening", extra={"fields": {"host": host, "port": port}})
    if config.host not in _OWN_NAMES:
        for message in _openings():
            _start.warning(message)
    return taken


def _openings() -> Iterator[str]:
    """What callers from other machines may do that whoever serves may not have thought of."""
    if settings.API_TOKENS.get() is None:
        yield "anyone who reaches this address may call: set INDX_API_TOKENS, or let a proxy decide"
    if "file" in enabled_schemes(default_registry()) and "INDX_LOADER_FILE_ROOTS" not in os.environ:
        yield (
            "callers may have files of this machine read by file: URIs: set INDX_LOADER_FILE_ROOTS to the "
            "directories that are meant, or INDX_URI_SCHEMES without file"
        )
