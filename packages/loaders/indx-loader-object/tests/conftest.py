"""A storage of the tests' own."""

from __future__ import annotations

import pytest

from indx_core.settings import Setting, names, number
from indx_loader_object import Storage

BOXES: Setting[tuple[str, ...] | None] = Setting("TEST_BOXES", names, None, "The boxes that may be read.")
SECONDS: Setting[float] = Setting("TEST_SECONDS", number(minimum=0.01), 30, "The time of one load.")


@pytest.fixture(scope="session")
def storage() -> Storage:
    return Storage(
        scheme="xs",
        container="box",
        thing="thing",
        version="earlier one",
        containers=r"[a-z][a-z0-9.-]{1,62}",
        allowed=BOXES,
        timeout=SECONDS,
        undeclared=frozenset({"binary/octet-stream"}),
    )
