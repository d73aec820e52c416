"""What notes and comments are told apart by: the number that a reference shows, who wrote a comment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from indx_format_office.lists import MAX_COUNT, spelled
from indx_format_office.names import W
from indx_format_office.values import switched_on, whole

if TYPE_CHECKING:
    from indx_format_office._xml import Element

__all__ = ["author", "marks"]

_USUAL: Final = {"footnote": "decimal", "endnote": "lowerRoman"}
_GONE: Final = (W + "del", W + "moveFrom")


def marks(body: Element, settings: Element | None, kind: str) -> dict[str, str]:
    """The marks that references in `body` show, `[1]`, by the IDs of the notes; none where they restart.

    Args:
        body: The document's body.
        settings: Its settings, where there are any.
        kind: `footnote` or `endnote`.
    """
    stated = [one for root in (body, settings) if root is not None for one in root.iter(f"{W}{kind}Pr")]
    if any(_value(one, "numRestart") not in (None, "continuous") for one in stated):
        return {}
    style = next(filter(None, (_value(one, "numFmt") for one in stated)), _USUAL[kind])
    start = next(filter(None, (_value(one, "numStart") for one in stated)), "1")
    number = whole(start, 1, most=MAX_COUNT)
    found: dict[str, str] = {}
    for reference in body.iter(f"{W}{kind}Reference"):
        key = reference.get(W + "id", "")
        custom = switched_on(reference.get(W + "customMarkFollows"), default=False)
        if custom or key in found or next(reference.iterancestors(*_GONE), None) is not None:
            continue
        found[key] = f"[{spelled(number, style)}]"
        number += 1
    return found


def author(comment: Element) -> str:
    """Who wrote a comment, as it stands before its text; empty where nobody is named."""
    name = " ".join(comment.get(W + "author", "").split())
    return f"{name}: " if name else ""


def _value(element: Element, name: str) -> str | None:
    found = element.find(W + name)
    return None if found is None else found.get(W + "val")
