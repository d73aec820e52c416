"""The line by which a command of another distribution stands in the help: nothing of it is imported.

Its module says so itself where its docstring begins with the command's name:

    `indx types`: the document types of a workspace.

Where it does not, the summary of its distribution stands there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from indx_core.discovery import Candidate

__all__ = ["summary_of"]


def summary_of(command: Candidate) -> str:
    """What a command of another distribution does, in one line."""
    line = _first_line(command.value.partition(":")[0])
    said = line.removeprefix(f"`indx {command.name}`: ")
    if said != line and said:
        return said[0].upper() + said[1:]
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        return metadata(command.distribution)["Summary"]
    except PackageNotFoundError:
        return f"From {command.distribution}."


def _first_line(module: str) -> str:
    """The first line of a module's docstring, out of its file; empty where there is none to be found."""
    import ast

    try:
        return (ast.get_docstring(ast.parse(_source(module))) or "").partition("\n")[0]
    except (ImportError, SyntaxError, ValueError):
        return ""


def _source(module: str) -> str:
    """The text of a module, found as an import would find it, package by package.

    Raises:
        ImportError: It is not there, or has no text.
    """
    from importlib.machinery import PathFinder

    parts = module.split(".")
    places, spec = None, None
    for number in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:number]), places)
        if spec is None:
            break
        places = spec.submodule_search_locations
    get_source = getattr(spec.loader if spec else None, "get_source", None)
    text = get_source(module) if get_source is not None else None
    if text is None:
        raise ImportError(module)
    return str(text)
