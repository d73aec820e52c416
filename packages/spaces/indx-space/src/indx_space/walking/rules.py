"""Ignore rules: `.gitignore` and `.indxignore` of each folder, the deepest that decides wins.

Within a folder `.indxignore` comes after `.gitignore`, so it has the last word. As in git, nothing inside
a folder that is left out can be taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from indx_core.errors import ConfigurationError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["LEAVE_OUT", "PATTERNS", "RULE_BYTES", "RULE_FILES", "Rules", "compile_patterns", "system_name"]

RULE_FILES: Final = (".gitignore", ".indxignore")
RULE_BYTES: Final = 131_072
_WILDCARDS: Final = 6
"""A pattern is matched by backtracking: more wild cards than people write may take for ever."""

LEAVE_OUT: Final = "let it be read, or leave it out by .indxignore"
PATTERNS: Final = f"write it as in .gitignore, with at most {_WILDCARDS} wild cards"
"""What helps where a file, or a pattern, is refused."""

_SYSTEM: Final = frozenset(
    {".ds_store", "thumbs.db", "desktop.ini", "__macosx", "$recycle.bin", "system volume information"}
)
_VERSIONS: Final = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})


def system_name(name: str) -> bool:
    """Whether a name is of the operating system, a lock of an editor, or a version control's own."""
    folded = name.lower()
    return (
        folded in _SYSTEM
        or folded in _VERSIONS
        or name.startswith(("~$", "._"))
        or (name.startswith(".~lock.") and name.endswith("#"))
    )


class Rules:
    """The rules that hold in a folder: its own and those of the folders above it."""

    __slots__ = ("_chain",)

    def __init__(self, chain: tuple[tuple[int, GitIgnoreSpec], ...] = ()) -> None:
        self._chain = chain

    def below(self, folder: str, spec: GitIgnoreSpec | None) -> Rules:
        """The rules of a folder, whose own are `spec`."""
        if spec is None:
            return self
        return Rules((*self._chain, (len(folder) + 1 if folder else 0, spec)))

    def ignores(self, path: str, *, folder: bool) -> bool:
        """Whether the rules leave `path` out."""
        for start, spec in reversed(self._chain):
            decided = spec.check_file(path[start:] + "/" if folder else path[start:]).include
            if decided is not None:
                return decided
        return False


def compile_patterns(lines: Sequence[str], *, origin: str) -> GitIgnoreSpec:
    """Patterns of the configuration.

    Raises:
        ConfigurationError: `invalid_config_file`, naming the pattern that is none.
    """
    spec, bad = parse_rules(lines)
    if bad:
        message = f"{origin}: {bad[0]!r} is no pattern, or has too many wild cards; {PATTERNS}"
        raise ConfigurationError(message, code="invalid_config_file")
    return spec


def parse_rules(lines: Sequence[str]) -> tuple[GitIgnoreSpec, list[str]]:
    """The patterns of `lines`, and those lines that are none or would take too long to match."""
    from pathspec import GitIgnoreSpec

    good: list[str] = []
    bad: list[str] = []
    for line in lines:
        if line.lstrip().startswith("#"):
            continue
        if line.count("*") + line.count("[") - 2 * line.count("**/") > _WILDCARDS:
            bad.append(line)
            continue
        try:
            GitIgnoreSpec.from_lines([line])
        except ValueError:
            bad.append(line)
        else:
            good.append(line)
    return GitIgnoreSpec.from_lines(good), bad
