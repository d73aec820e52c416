"""What code answers: a distribution and all it requires, each by version, or by its files while worked on.

A version says nothing of a distribution that is installed to be worked on: there its files count, so that a
reader changed since the last build reads again.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
from functools import cache
from importlib import metadata
from typing import Final, NamedTuple

from indx_core.canonical import content_id
from indx_core.installed import folders, key

__all__ = ["code_of"]

_VERSION: Final = re.compile(r"^Version:\s*(\S+)", re.MULTILINE)
_REQUIRED: Final = re.compile(r"^Requires-Dist:\s*([A-Za-z0-9][A-Za-z0-9._-]*)(.*)$", re.MULTILINE)
_EXTRAS: Final = 2
"""How deep extras are followed: those of a provider, and of a library it shares; beyond stand test tools."""


class _Code(NamedTuple):
    """What identifies the code of one distribution, what it requires, and what its extras do."""

    facts: list[object]
    required: list[str]
    extra: list[str]


def code_of(distribution: str) -> str:
    """What identifies the code of an installed distribution, that of its requirements included."""
    return _code_of(distribution, tuple(sys.path))


@cache
def _code_of(distribution: str, path: tuple[str, ...]) -> str:
    found: dict[str, list[object]] = {}
    level, depth = [distribution], 0
    while level:
        codes = {key(name): _code(key(name), path) for name in level}
        fresh = {name: code for name, code in codes.items() if name not in found}
        found |= {name: code.facts for name, code in fresh.items()}
        level = [one for code in fresh.values() for one in code.required]
        level += [one for code in fresh.values() for one in code.extra if depth < _EXTRAS]
        depth += 1
    return content_id(sorted(found.items()))


@cache
def _code(name: str, path: tuple[str, ...]) -> _Code:
    installed = _installed(name, path)
    if installed is None:  # an extra that is not installed, or no name at all
        return _Code([], [], [])
    head = (installed.read_text("METADATA") or "").partition("\n\n")[0]
    version = _VERSION.search(head)
    asked = [(found[1], "extra ==" in found[2]) for found in _REQUIRED.finditer(head)]
    return _Code(
        [version[1] if version else "", *(_stamps(name) if _is_worked_on(installed) else ())],
        [required for required, extra in asked if not extra],
        [required for required, extra in asked if extra],
    )


def _installed(name: str, path: tuple[str, ...]) -> metadata.Distribution | None:
    found = _folders(path)
    if name in found.by_key:
        return metadata.Distribution.at(found.by_key[name])
    if found.all_of_it:
        return None
    try:
        return metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        return None


_folders = cache(folders)  # a hundred names are looked up


def _is_worked_on(installed: metadata.Distribution) -> bool:
    try:
        told = json.loads(installed.read_text("direct_url.json") or "{}")
    except ValueError:
        return False
    return isinstance(told, dict) and bool((told.get("dir_info") or {}).get("editable"))


def _stamps(name: str) -> list[list[object]]:
    """The source files of the package that a distribution is named after."""
    found = importlib.util.find_spec(name.replace("-", "_"))
    rows: list[list[object]] = []
    for top in (found.submodule_search_locations or ()) if found else ():
        waiting = [top]
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        facts = entry.stat()
                        rows.append([entry.path.removeprefix(top), facts.st_mtime_ns, facts.st_size])
                    elif entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
    return sorted(rows, key=str)
