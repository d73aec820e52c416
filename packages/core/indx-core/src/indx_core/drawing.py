"""Why a page has no picture, told from what its session answers. For readers that look at pictures."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indx_core.ports import Session

__all__ = ["why_undrawn"]


def why_undrawn(session: Session, page: int, *, dpi: int, max_pixels: int) -> str:
    """The reason of a page of which `session.render` gives no picture at this size.

    Returns:
        `page_unreadable` when it has no size at all, `too_many_pixels` when it is larger than allowed, and
        `nothing_decoded` when it is not and still has no picture.
    """
    if session.render(page, dpi=dpi, max_pixels=sys.maxsize, pixels=False) is None:
        return "page_unreadable"
    if session.render(page, dpi=dpi, max_pixels=max_pixels, pixels=False) is None:
        return "too_many_pixels"
    return "nothing_decoded"
