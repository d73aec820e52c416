"""A router for whoever has no workspace open: out of stores that are opened for this alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from indx_core.discovery import Registry
from indx_workspace.stores import Stores
from indx_workspace.workspace import Workspace

if TYPE_CHECKING:
    from indx_core.contracts import ResolvedRouter, RouterRef
    from indx_runtime import Engine

__all__ = ["resolve"]


def resolve(router: RouterRef, engine: Engine) -> ResolvedRouter | None:
    """A router as the engine takes it: `engine.plan(request, routing=resolve(request.router, engine))`.

    Raises:
        ConfigurationError: The settings name a store that cannot be opened.
        StoreDisabled: They name none for routers.
        NotFound: `router_not_found`.
        InvalidRecord: `invalid_router`: it names a type that was deleted meanwhile.
    """
    # Stores of our own: those of the engine's registry may be open in a workspace, which closes them itself.
    chosen = Stores.chosen(Registry(engine.registry.candidates))
    needed = Stores(types=chosen.types, labels=chosen.labels, routers=chosen.routers)
    needed.open()
    try:
        return Workspace(engine, needed).resolve(router)
    finally:
        needed.close()
