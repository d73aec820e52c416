"""docs/reference/errors.md: every error with its type, code, HTTP status and exit code."""

from __future__ import annotations

import json
from collections.abc import Iterator

from reference import markdown

from indx.facade import read_source
from indx_core import errors
from indx_core.errors import IndxError

INTRO = """
Every refusal is one flat object, the same on every surface:

```json
EXAMPLE
```

`type` is the class of the failure, `code` the exact one. `message` is for people: it names what is wrong and
what to do, and may change. `param` is the field at fault, where there is one; `request_id` is the caller's
own, where the request had one. Absent members are left out.

In Python an error is an exception of `indx_core.errors` with the same attributes; all are `IndxError`. The
command writes the message as one line on standard error and exits with the exit code; where JSON was asked
for, the object is on standard output.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed at run time |
| 2 | used wrongly: the request or the command line |
| 3 | configured wrongly: nothing was started |
| 4 | an archive that cannot be opened |
| 130 | interrupted |
"""


def page() -> str:
    """The page."""
    return markdown.page(
        "Errors",
        "`indx_core.errors`",
        INTRO.replace("EXAMPLE", _example()),
        "## Codes",
        markdown.table(("code", "type", "HTTP status", "exit code", "Python class"), _codes()),
        "## Classes",
        markdown.table(("class", "is a", "when"), _classes()),
    )


def _example() -> str:
    """What the code answers where there is no such file."""
    try:
        read_source("report.pdf")
    except IndxError as error:
        return json.dumps(error.envelope(), indent=2, ensure_ascii=False)
    raise FileExistsError("report.pdf is here; the example is of one that is not")


def _codes() -> Iterator[tuple[str, ...]]:
    for kind in _tree(IndxError):
        for code in kind.codes:
            public = kind("", code=code).envelope()["type"]
            yield (
                markdown.code(code),
                markdown.code(public),
                str(kind.status) if kind.status else "none",
                str(kind.exit_code),
                markdown.code(kind.__name__),
            )


def _classes() -> Iterator[tuple[str, ...]]:
    for kind in _tree(IndxError):
        base = kind.__mro__[1].__name__
        yield markdown.code(kind.__name__), markdown.code(base), markdown.first_line(kind.__doc__)


def _tree(kind: type[IndxError]) -> Iterator[type[IndxError]]:
    """The classes of the module below `kind`, in the order in which they are declared."""
    declared = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, kind)]
    yield from (one for one in declared if one is not kind)
