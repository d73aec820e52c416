"""Manual review: the rung every route ends in. It reads nothing; a person is needed for its pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.ports.reading import CapabilityDeclaration, PageReading

if TYPE_CHECKING:
    from indx_core.deadline import Deadline
    from indx_core.ports.reading import Session

__all__ = ["ManualReview", "manual_review"]


class ManualReview:
    """Leaves every page to a person."""

    port_version = PORT_VERSION
    declaration = CapabilityDeclaration("manual-review", "manual", (), hostile=False)

    def availability(self) -> Unavailability | None:
        """Always available."""
        return None

    def read(self, session: Session, pages: Sequence[int], *, deadline: Deadline) -> Iterator[PageReading]:  # noqa: ARG002
        """Every page unread, with the reason `manual_review`."""
        for page in pages:
            yield PageReading(page, reason="manual_review")


def manual_review() -> ManualReview:
    """The entry point's factory."""
    return ManualReview()
