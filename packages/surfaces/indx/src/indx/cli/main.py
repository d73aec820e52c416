"""The entry point: which command is meant, and what becomes of its errors.

Commands are imported one at a time: asking for help imports none of them. What is not the name of a
command is a directory to build, so `indx ./docs --out OUT` needs no word between; a directory that bears
a command's name is reached as `./NAME`.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import indx.cli.started  # noqa: F401  (its clock begins now)
from indx.cli.output import OutputLost, fail, use_utf8, watch_logs, watch_output
from indx.cli.summaries import summary_of

if TYPE_CHECKING:
    from indx_core.discovery import Candidate
    from indx_core.errors import IndxError

__all__ = ["main"]

# Name, module and function, one line of help.
COMMANDS: dict[str, tuple[str, str]] = {
    "build": (
        "indx.cli.build:build",
        "Make a knowledge space: indx DIR --out OUT (the default).",
    ),
    "inspect": ("indx.cli.spaces:inspect", "Show what a knowledge space holds."),
    "query": ("indx.cli.spaces:query", "Search a knowledge space."),
    "capabilities": ("indx.cli.contract:capabilities", "Show what this installation can do, as JSON."),
    "plan": ("indx.cli.contract:plan", "Decide how a document would be read, as JSON."),
    "encode": ("indx.cli.contract:encode", "Read a document into blocks, as JSON."),
    "embed": ("indx.cli.contract:embed", "Embed a query into a space, as JSON."),
    "doctor": ("indx.cli.doctor:doctor", "List every provider with its state and what would fix it."),
}

ELSEWHERE: dict[str, str] = {
    "datasets": "indx-workspace",
    "experiments": "indx-workspace",
    "graph": "indx-graph",
    "labels": "indx-workspace",
    "routers": "indx-workspace",
    "runner": "indx-workspace",
    "serve": "indx-server",
    "types": "indx-workspace",
}
"""Commands that come with distributions of their own, and with which."""

_SHORT_LIVED: dict[str, str] = {"OPENBLAS_NUM_THREADS": "1", "PYDANTIC_DISABLE_PLUGINS": "__all__"}
"""What our commands need not start: threads that spin while one works, a scan for plugins of models."""

_ROOT_OPTIONS = ("--help", "-h", "--version")
_INTERRUPTED = 130
_JSON_COMMANDS = ("capabilities", "plan", "encode", "embed")


def main() -> None:
    """Run the command of this process and exit with its code."""
    use_utf8()
    watch_output()
    watch_logs()
    gc.set_threshold(200_000, 20, 20)  # importing makes many objects, and they stay
    code = run(sys.argv[1:])
    gc.freeze()  # nor is a process that ends searched for garbage
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Run a command.

    Returns:
        The exit code: 0, 1 failed at run time, 2 used wrongly, 3 configured wrongly, 4 a bad archive.
    """
    before = dict(os.environ)  # options may set what a command's libraries and processes read there
    try:
        return _run(arguments)
    finally:
        if os.environ != before:
            os.environ.clear()
            os.environ.update(before)


def _run(arguments: Sequence[str]) -> int:
    name, rest = _split(arguments)
    as_json = name in _JSON_COMMANDS or "--json" in rest
    try:
        if name == "build" and arguments[0] != "build":
            _refuse_a_typo(arguments)
        code = _dispatch(name, rest)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _interrupted()
    except OutputLost as error:
        return _unheard(error.strerror)
    except BrokenPipeError:
        return _unheard()  # the reader went away: nothing is left to say
    except Exception as error:  # the one place that decides what a user sees
        known = _known(error)
        if known is None:
            raise
        try:
            fail(known, as_json=as_json)
        except OutputLost as lost:
            return _unheard(lost.strerror)
        except OSError:
            return _unheard()
        return known.exit_code


def _refuse_a_typo(arguments: Sequence[str]) -> None:
    """Say that a word is neither a command that is there nor something to build, and what it may be.

    Raises:
        UsageError: It is not there, and a command that is not installed, or nearly one, or not said to be
            built into anything.
    """
    word = arguments[0]
    if not word or word.startswith("-") or os.path.lexists(word):
        return
    from difflib import get_close_matches

    from indx_core.errors import UsageError

    if word in ELSEWHERE:
        raise UsageError(_elsewhere(word, ELSEWHERE[word]))
    nearest = get_close_matches(word, [*COMMANDS, *_plugin_commands()], n=1, cutoff=0.6)
    if nearest:
        raise UsageError(f"no command or folder {word[:200]!r}; did you mean {nearest[0]!r}?")
    is_path = os.path.basename(word) != word or "." in word  # noqa: PTH119
    if not is_path and not any(a.startswith(("--out", "-o", "--dry-run", "-h", "--help")) for a in arguments):
        raise UsageError(f"no command, folder or archive {word[:200]!r}; indx --help lists the commands")


def _elsewhere(word: str, distribution: str) -> str:
    """Why a command is not there."""
    from indx_core.discovery import PLUGINS, scan

    told = f"the command {word!r} comes with {distribution}, which"
    if any(one.distribution == distribution for one in scan()):
        return f"{told} {PLUGINS.name} leaves out; name it there too, or unset {PLUGINS.name}"
    return f"{told} is not installed: pip install {distribution}"


def _split(arguments: Sequence[str]) -> tuple[str, list[str]]:
    """The command meant, and its arguments."""
    first = arguments[0] if arguments else "--help"
    if first in _ROOT_OPTIONS or first in COMMANDS or first in _plugin_commands():
        return first, list(arguments[1:])
    return "build", list(arguments)


def _plugin_commands() -> dict[str, Candidate]:
    """Commands of other distributions, by name; nothing of theirs is loaded."""
    from indx_core.discovery import default_registry

    candidates = [c for c in default_registry().candidates if c.group == "indx.commands"]
    return {c.name: c for c in candidates if c.name not in COMMANDS}


def _dispatch(name: str, rest: list[str]) -> int:
    if name == "--version":
        from importlib.metadata import version

        sys.stdout.write(f"indx {version('indx')}\n")
        return 0
    import typer

    app = typer.Typer(
        name="indx",
        help="Turn documents and directories into retrievable knowledge.\n\n"
        "indx DIR --out OUT makes a knowledge space of a directory, ZIP or TAR.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    def options(version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
        """What stands before a command; `--version` was answered above."""

    app.callback(help=app.info.help)(options)
    if name in _ROOT_OPTIONS:
        for command, (_, text) in COMMANDS.items():
            app.command(command, help=text)(lambda: None)
        for command, found in _plugin_commands().items():
            app.command(command, help=summary_of(found))(lambda: None)
        return _invoke(app, [name])
    if name in COMMANDS:
        for variable, value in _SHORT_LIVED.items():
            os.environ.setdefault(variable, value)
        module, _, function = COMMANDS[name][0].partition(":")
        app.command(name)(getattr(import_module(module), function))
    else:
        made = _plugin_commands()[name].load()
        if isinstance(made, typer.Typer):
            app.add_typer(made, name=name)
        else:
            app.command(name)(made)
    return _invoke(app, [name, *rest])


def _invoke(app: Any, arguments: list[str]) -> int:
    """Run the application without letting it end the process."""
    try:
        result = app(args=arguments, prog_name="indx", standalone_mode=False)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else 1
    if result == _INTERRUPTED:  # how the command line's library passes an interrupt on
        return _interrupted()
    return result if isinstance(result, int) else 0


def _interrupted() -> int:
    sys.stderr.write("indx: interrupted; what was there before is unchanged\n")
    return _INTERRUPTED


def _unheard(reason: str | None = None) -> int:
    """Standard output takes nothing more, and why, unless its reader went away.

    Python must not complain of it at exit either.
    """
    if reason is not None:
        with suppress(OSError):
            sys.stderr.write(f"indx: cannot write to standard output: {reason}\n")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _known(error: Exception) -> IndxError | None:
    """What a user is told of a failure; None for one nobody foresaw whose details were asked for."""
    from importlib.metadata import PackageNotFoundError

    from indx_core.discovery import NO_METADATA
    from indx_core.errors import ConfigurationError, IndxError, InternalError, UsageError

    if isinstance(error, IndxError):
        return error
    if isinstance(error, PackageNotFoundError):
        return ConfigurationError(f"{NO_METADATA}; what is missing is {error.name}", code="nothing_installed")
    if hasattr(error, "format_message"):  # a usage error of the command line's library
        return UsageError(f"{error.format_message()}; --help says how the command is used")
    from indx.settings import DEBUG

    try:
        if DEBUG.get():
            return None
    except ConfigurationError as wrong:
        return wrong
    hint = f"run again with {DEBUG.name}=1 for the details"
    return InternalError(f"unexpected {type(error).__name__}: {error}; {hint}")
