"""How much address space a worker may take."""

from __future__ import annotations

import sys

__all__ = ["address_space", "told_limits"]


def address_space(memory: int) -> tuple[int, int] | None:
    """The soft and the hard limit of a worker; None on platforms that have none.

    Args:
        memory: Resident bytes allowed; the address space may be twice as many, where the system allows it.
    """
    try:
        import resource
    except ImportError:
        return None
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    ceiling = min(2 * memory, sys.maxsize)
    return ceiling if hard == resource.RLIM_INFINITY else min(ceiling, hard), hard


def told_limits(timeout: float, memory: int) -> str:
    """What workers are held to, in words that are others when they are held to something else."""
    limits = address_space(memory)
    return f"{timeout} {memory} {limits and limits[0]}"
