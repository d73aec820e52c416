"""`indx doctor`: every provider found, its state, and the line that would fix it."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any

import typer

from indx.cli.output import console, said_in_the_answer, write_json
from indx_core.discovery import Provider, State, default_registry

__all__ = ["doctor"]

_STYLE = {
    State.AVAILABLE: "green",
    State.UNAVAILABLE: "yellow",
    State.BROKEN: "red",
    State.INCOMPATIBLE: "red",
    State.DUPLICATE: "red",
}


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")] = False,
) -> int:
    """List every provider with its state and what would fix it.

    Exits 1 where there is a problem: a provider that is broken, incompatible or a duplicate, or a name in
    INDX_PLUGINS that nothing installed has. One that is unavailable is none.
    """
    with said_in_the_answer("indx.discovery"):
        registry = default_registry()
        providers, unmatched = registry.everything(), registry.unmatched()
    problems = [p for p in providers if p.state not in _SOUND or p in unmatched]
    if json:
        write_json({"providers": [_wire(p, problem=p in problems) for p in providers]})
    else:
        _print(providers, problems)
    return 1 if problems else 0


_SOUND = (State.AVAILABLE, State.UNAVAILABLE)


def _wire(provider: Provider, *, problem: bool) -> dict[str, Any]:
    found = provider.candidate
    wire: dict[str, Any] = {
        "group": found.group,
        "name": found.name,
        "distribution": found.distribution,
        "version": found.version,
        "state": str(provider.state),
        "problem": problem,
        "identities": list(provider.identities),
    }
    return wire | {k: v for k, v in (("reason", provider.reason), ("fix", provider.fix)) if v is not None}


_WIDEST = 1_000


def _print(providers: tuple[Provider, ...], problems: list[Provider]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("port", "provider", "distribution", "state"):
        table.add_column(column)
    for provider in providers:
        found = provider.candidate
        table.add_row(
            found.group.removeprefix("indx."),
            found.name,
            f"{found.distribution} {found.version}",
            Text(str(provider.state), style=_STYLE[provider.state]),
        )
    out = console(asked=True)
    if not out.is_terminal:  # whoever filters lines needs a provider on one, however long its names
        out.width = out.measure(table, options=out.options.update(max_width=_WIDEST)).maximum
    out.print(table)
    for provider in providers:
        if provider.reason is not None:
            out.print(Text(f"\n{_label(provider)}: {provider.reason}"))
            if provider.fix:
                out.print(Text(f"  fix: {provider.fix}"))
    if not providers:
        out.print('nothing is installed or INDX_PLUGINS=none; try pip install "indx[standard]"', markup=False)
        return
    states = Counter(str(provider.state) for provider in providers)
    counts = ", ".join(f"{states[state]} {state}" for state in State if states[state])
    told = ", ".join(map(_label, problems)) or "none"
    out.print(Text(f"\nproviders: {counts}; problems: {told}"))


def _label(provider: Provider) -> str:
    return f"{provider.distribution} ({provider.candidate.name})"
