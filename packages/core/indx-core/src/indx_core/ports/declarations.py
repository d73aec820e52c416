"""What every port shares: versions, devices, and how a provider says that it cannot run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["PORT_VERSION", "Device", "Unavailability", "Unit"]

PORT_VERSION = 1
"""The version of the ports in this package; a provider states the one it was written for."""

Device: TypeAlias = Literal["cpu", "gpu", "external"]
"""Where the work happens; `external` leaves this machine."""

Unit: TypeAlias = Literal["document", "page", "chunk"]
"""What a lane is shown one text of."""


@dataclass(frozen=True, slots=True)
class Unavailability:
    """Why a provider cannot run, and the line that would fix it.

    A provider that is advertised although it cannot run returns this from `availability()`. A factory
    that has nothing to advertise at all returns it instead of a provider.
    """

    reason: str
    fix: str
