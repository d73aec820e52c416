"""The application: routes, the layers around them, and what lives as long as a server process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from indx_core.errors import IndxError
from indx_server import docs, settings
from indx_server.access import ApiTokens, KnownHosts
from indx_server.answers import on_bug, on_error, on_http_error, on_invalid
from indx_server.middleware import Correspondence
from indx_server.openapi import document
from indx_server.routes import methods, routers
from indx_server.service import Service
from indx_server.tracing import telemetry
from indx_workspace.settings import WORKSPACE_TOKEN

if TYPE_CHECKING:
    from fastapi.telemetry import TelemetryConfig
    from starlette.types import ASGIApp

__all__ = ["create_app"]


def create_app(service: Service | None = None) -> ASGIApp:
    """Make the application, an ASGI one.

    Args:
        service: What it serves with; by default it is made of the settings when the application starts,
            and closed when the application stops.

    Raises:
        ConfigurationError: A setting of the server is wrong.
    """
    app = FastAPI(
        title="indx",
        version=version("indx-server"),
        lifespan=partial(_living, service),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=cast("TelemetryConfig", telemetry()),
    )
    app.state.service = service
    app.state.methods = methods
    app.openapi = partial(document, app)  # type: ignore[method-assign]
    for router in routers():
        app.include_router(router)
    if settings.DOCS.get():
        app.include_router(docs.router)
    app.add_exception_handler(IndxError, on_error)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(Exception, on_bug)
    return Correspondence(_guarded(app))


def _guarded(app: FastAPI) -> ASGIApp:
    """The application behind its tokens, and before them what browsers ask of other origins."""
    guarded: ASGIApp = app
    tokens = settings.API_TOKENS.get()
    if tokens is not None:
        operator = WORKSPACE_TOKEN.get()
        guarded = ApiTokens(guarded, tokens if operator is None else (*tokens, operator))
    origins = settings.CORS_ORIGINS.get()
    if origins:
        guarded = CORSMiddleware(
            guarded,
            allow_origins=origins,
            allow_credentials="*" not in origins,
            allow_methods=("GET", "POST", "PUT", "DELETE"),
            allow_headers=("Authorization", "Content-Type", "X-Request-ID"),
            expose_headers=("Content-Disposition", "Retry-After", "X-Request-ID"),
        )
    hosts = settings.HOSTS.get()
    return guarded if hosts is None else KnownHosts(guarded, hosts)


@asynccontextmanager
async def _living(service: Service | None, app: FastAPI) -> AsyncIterator[None]:
    """Have a service for as long as the application runs."""
    if service is not None:
        yield
        return
    made = app.state.service = await asyncio.to_thread(Service)
    try:
        yield
    finally:
        await asyncio.to_thread(made.close)
