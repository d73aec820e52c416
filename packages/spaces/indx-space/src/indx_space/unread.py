"""What is said of pages that were not read, or are damaged: which they are, why, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from indx_core.contracts import Plan

__all__ = ["damaged", "unread"]

_PICTURED: Final = frozenset({"no_text_layer", "implausible_text", "scan"})


def unread(reasons: Mapping[int, str], total: int, plan: Plan | None) -> list[str]:
    """One sentence for each reason, in the order of its first page.

    Args:
        reasons: Why, by page; the pages in order.
        total: How many pages the document has.
        plan: The plan it was read by, which knows what could not be asked.
    """
    pages: dict[str, list[int]] = {}
    for page, reason in reasons.items():
        pages.setdefault(reason + _lack(plan, page, reason), []).append(page)
    return [f"{_named(some, total, 'was', 'were')} not read: {reason}" for reason, some in pages.items()]


def damaged(facts: Mapping[int, Mapping[str, Any] | None], total: int) -> list[str]:
    """One sentence for each damage that readers state of pages they read, in the order of its first page.

    Args:
        facts: What readers said of pages; the pages in order.
        total: How many pages the document has.
    """
    pages: dict[str, list[int]] = {}
    for page, stated in facts.items():
        if isinstance(damage := (stated or {}).get("damaged"), str):
            pages.setdefault(damage, []).append(page)
    return [f"{_named(some, total, 'is', 'are')} damaged: {damage}" for damage, some in pages.items()]


def _lack(plan: Plan | None, page: int, reason: str) -> str:
    """In brackets, what is missing to read a page that is only a picture, unless that is the reason."""
    reasons = plan.reasons if plan is not None else ()
    pictured = any(r.code in _PICTURED and (r.pages is None or page in r.pages) for r in reasons)
    lacks = [r.message for r in reasons if r.code == "no_recognition" and r.message not in reason]
    return f" ({lacks[0]})" if pictured and lacks else ""


def _named(pages: Sequence[int], total: int, one: str, several: str) -> str:
    if len(pages) == total:
        return f"the page {one}" if total == 1 else f"all pages {several}"
    shown = ", ".join(map(str, pages[:10])) + (f" and {len(pages) - 10} more" if len(pages) > 10 else "")
    return f"page {shown} {one}" if len(pages) == 1 else f"pages {shown} {several}"
