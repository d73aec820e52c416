"""docs/reference/hooks.md: each hook with its exact arguments."""

from __future__ import annotations

import ast
import inspect

from reference import markdown

from indx_core import hooks

INTRO = """
A hook watches; it decides nothing, and what it returns is not looked at. An implementation asks for the
arguments it needs, by name. One that raises is logged under `indx.hooks`, and the work goes on.

```python
from indx_core.hooks import hookimpl


class Stages:
    @hookimpl
    def indx_stage_progress(self, stage: str, done: int, total: int | None) -> None:
        print(stage, done, total)


stages = Stages()
```

A distribution joins by an entry point that names the object:

```toml
[project.entry-points."indx.hooks"]
stages = "my_package.watching:stages"
```

An object with a hook that does not exist, or with an argument that the hook has not, is logged and left out.
"""


def page() -> str:
    """The page."""
    tree = ast.parse(inspect.getsource(hooks.HookSpecs)).body[0]
    assert isinstance(tree, ast.ClassDef)
    parts = [INTRO]
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            parts += [f"## `{signature(node)}`", markdown.first_line(ast.get_docstring(node))]
    return markdown.page("Hooks", "`indx_core.hooks.HookSpecs`", *parts)


def signature(node: ast.FunctionDef) -> str:
    """A hook as it is called."""
    return f"{node.name}({ast.unparse(node.args).removeprefix('self, ')})"
