"""The generated pages of docs/reference/: each name with the function that writes it."""

from __future__ import annotations

from collections.abc import Callable

from reference import command, contract, errors, hooks, ports, providers, settings

PAGES: dict[str, Callable[[], str]] = {
    "settings.md": settings.page,
    "errors.md": errors.page,
    "contract.md": contract.page,
    "command.md": command.page,
    "ports.md": ports.page,
    "hooks.md": hooks.page,
    "providers.md": providers.page,
}
