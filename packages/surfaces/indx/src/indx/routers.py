"""Routers of a workspace, where one is installed: without it, a request that names one is refused."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from indx_core.errors import ConfigurationError, echoing

if TYPE_CHECKING:
    from indx_core.contracts import PlanRequest, ResolvedRouter
    from indx_runtime import Engine

__all__ = ["keep_in", "routing_of"]


def routing_of(request: PlanRequest, engine: Engine) -> ResolvedRouter | None:
    """The router that a request names, out of the stores that the settings name; None where it names none.

    Raises:
        StoreDisabled: The settings name no store of routers.
        NotFound: `router_not_found`.
    """
    if request.router is None or find_spec("indx_workspace") is None:
        return None  # where it names one all the same, the engine refuses it
    from indx_workspace import resolve

    with echoing(request.request_id):
        return resolve(request.router, engine)


def keep_in(store: str) -> None:
    """Name one place for the stores of the workspace, which is read, in the settings of this process.

    Raises:
        UsageError: It is no place.
        ConfigurationError: It is not there, or no workspace is installed.
    """
    if find_spec("indx_workspace") is None:
        raise ConfigurationError(
            'routers are kept by indx-workspace, which is not installed: pip install "indx[standard]"',
            code="store_not_configured",
        )
    from indx_workspace import keep_in

    keep_in(store, makes=False)
