"""docs/reference/command.md: every command with its arguments and options, from the Typer functions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer
from reference import markdown

from indx.cli.main import COMMANDS

INTRO = """
```
indx [build] DIR --out OUT
indx COMMAND …
```

What is not the name of a command is a directory to build. A directory that bears the name of a command is
reached as `./NAME`. `indx --version` writes the version; `indx COMMAND --help` the options of a command.

Results go to standard output; progress, summaries of builds and messages go to standard error. The commands
{json} answer JSON, one object on one line; where they fail, the
[error object](errors.md) takes its place. Other commands do so with `--json`. All text is UTF-8.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | failed at run time |
| 2 | used wrongly |
| 3 | configured wrongly: nothing was started |
| 4 | a bad archive |
| 130 | interrupted |

Distributions add commands by the entry-point group `indx.commands`.
"""


def page() -> str:
    """The page."""
    from indx.cli import main

    names = [f"`{name}`" for name in main._JSON_COMMANDS]  # noqa: SLF001  (said in one place only)
    parts = [INTRO.format(json=f"{', '.join(names[:-1])} and {names[-1]}")]
    parts.append(markdown.table(("command", "what it does"), _overview()))
    for name in COMMANDS:
        parts += [f"## indx {name}", *_command(name)]
    return markdown.page("The command", "the modules of `indx.cli`", *parts)


def _overview() -> Iterator[tuple[str, str]]:
    for name, (_, text) in COMMANDS.items():
        yield f"[`indx {name}`](#indx-{name})", text


def click_command(name: str) -> Any:
    """The command as its library sees it."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(_function(name))
    return typer.main.get_command(app)


def _function(name: str) -> Any:
    module, _, function = COMMANDS[name][0].partition(":")
    return getattr(import_module(module), function)


def _command(name: str) -> Iterator[str]:
    made = click_command(name)
    kinds = get_type_hints(_function(name))
    arguments = [one for one in made.params if one.param_type_name == "argument"]
    options = [one for one in made.params if one.param_type_name == "option"]
    metas = [one.metavar or one.name.upper() for one in arguments]
    shown = [meta if one.required else f"[{meta}]" for one, meta in zip(arguments, metas, strict=True)]
    yield f"```\n{' '.join(['indx', name, *shown, '[OPTIONS]'])}\n```"
    yield _text(made.callback.__doc__ or "")
    given = ["required" if one.required else "optional" for one in arguments]
    rows = zip(map(markdown.code, metas), (one.help or "" for one in arguments), given, strict=True)
    yield markdown.table(("argument", "meaning", "given"), rows)
    yield markdown.table(
        ("option", "meaning", "default"), [_option(one, kinds.get(one.name)) for one in options]
    )


def _text(docstring: str) -> str:
    text = inspect.cleandoc(docstring)
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _option(option: Any, kind: Any) -> tuple[str, str, str]:
    spelled = ", ".join(f"`{one}`" for one in (*option.opts, *option.secondary_opts))
    takes = "" if option.is_flag else f" `{option.metavar or _word(kind)}`"
    more = " Repeatable." if option.multiple and "repeat" not in (option.help or "") else ""
    value = option.default
    plain = "" if value is None or value is False else markdown.code(str(value))
    return spelled + takes, (option.help or "") + more, "required" if option.required else plain


def _word(kind: Any) -> str:
    """What stands for a value of a type."""
    inner = [one for one in get_args(kind) if one is not type(None)]
    if inner:
        return _word(inner[0])
    return {str: "TEXT", int: "INTEGER", float: "NUMBER", Path: "PATH"}[kind]
