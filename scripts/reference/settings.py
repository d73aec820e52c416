"""docs/reference/settings.md: every `INDX_…` variable of every distribution in one table."""

from __future__ import annotations

from typing import Any

from reference import markdown, members

INTRO = """
A setting is an environment variable. Set it where the process starts; a variable that is unset or empty has
its default. A distribution that is not installed reads none of its settings.

A value that makes no sense is refused when it is read: `configuration_error` / `invalid_setting`, exit code
3, with a message that names the variable and what it takes.

| type | how it is written |
|---|---|
| boolean | `true`, `false`, `1` or `0` |
| integer, number | decimal digits; bounds are checked |
| list | parts separated by commas |
| path | one path |
| paths | paths separated by `:` (`;` on Windows) |
| JSON list | a JSON array of strings |
| string | as it stands, without white space around it |

*Read at* says when: a setting read at `call` may change while a process runs, one read at `start` may not.
The value of a *secret* setting is never shown, in messages neither.
"""

OUTRO = """
One variable of others is obeyed: `SOURCE_DATE_EPOCH`, a number of seconds since 1970. A build then writes it
as `metadata.created_at` and as the time of the members of the archive, so that two builds of the same input
give the same bytes.
"""


def page() -> str:
    """The page."""
    found = sorted(members.settings(), key=lambda one: one[1].name)
    rows = [
        (
            markdown.code(setting.name),
            default(setting.default),
            setting.kind.name,
            setting.read,
            "yes" if setting.secret else "no",
            setting.help,
            markdown.code(distribution),
        )
        for distribution, setting in found
    ]
    heads = ("variable", "default", "type", "read at", "secret", "meaning", "distribution")
    return markdown.page(
        "Settings", "every `SETTINGS` of the distributions", INTRO, markdown.table(heads, rows), OUTRO
    )


def default(value: Any) -> str:
    """A default as it would be written in the environment."""
    if value is None or value in ("", ()):
        return "unset"
    if isinstance(value, bool):
        return f"`{value}`".lower()
    if isinstance(value, tuple):
        return f"`{','.join(map(str, value))}`"
    return f"`{value}`"
