"""Contracts, ports, discovery, hooks and errors of indx: all that a provider needs.

Import from the submodules: `indx_core.contracts` (wire models), `indx_core.ports` (what a part must do),
`indx_core.discovery` (what is installed), `indx_core.errors`, `indx_core.settings`, `indx_core.hooks`,
`indx_core.text`, `indx_core.canonical`, `indx_core.deadline`.
"""

__all__: list[str] = []
