"""The one walk over folders and archives: what is taken, what is left out and why, in a fixed order."""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import SourceError, UsageError
from indx_space.config import FILE_NAME, WalkConfig
from indx_space.walking.listing import Listing, Node, Problem, Tree
from indx_space.walking.names import Taken, nfc, order
from indx_space.walking.packed import ANOTHER
from indx_space.walking.rules import (
    LEAVE_OUT,
    PATTERNS,
    RULE_BYTES,
    RULE_FILES,
    Rules,
    compile_patterns,
    parse_rules,
    system_name,
)

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

__all__ = ["Walker", "open_tree", "walk"]

_DEEPEST: Final = 200
_HEAD: Final = 1_048_576
_HIGHER: Final = "move what is below higher up, or build it by itself"
_NAMED: Final = re.compile(r"\.(?:zip|tar|tgz|tbz2?|txz|tar\.(?:gz|bz2|xz))\Z", re.IGNORECASE)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]+:")


def open_tree(root: Path) -> Tree:
    """The folder, the ZIP or the TAR at `root`.

    Raises:
        UsageError: `input_missing`: there is neither.
        InputTooLarge: It takes too much to unpack it.
    """
    from indx_source.archives import archive_type, asks_too_much, is_tar
    from indx_space.walking.archive import ArchiveTree
    from indx_space.walking.folder import FolderTree
    from indx_space.walking.tar import TarTree

    # Of what may not be looked at, these say no where a Path would raise.
    is_file = os.path.isfile(root)  # noqa: PTH113
    if os.path.isdir(root):  # noqa: PTH112
        return FolderTree(root)
    what = "is no folder, ZIP or TAR" if os.path.lexists(root) else "does not exist, or may not be looked at"
    remedy = "name a folder, a ZIP or a TAR"
    if not os.path.lexists(root) and any(map(_SCHEME.fullmatch, root.parts)):
        what = "is an address, of which `indx encode` reads one document, and a build takes what is here"
    if is_file and zipfile.is_zipfile(root):
        try:
            tree = ArchiveTree.of_file(root)
        except SourceError:
            what, remedy = "is a damaged ZIP", ANOTHER
        else:
            if not tree.packaged():
                return tree
            tree.close()
            what = "is one document, not a folder or ZIP of documents"
    elif is_file and (is_tar(head := _head(root)) or asks_too_much(head)):
        try:
            return TarTree.of_file(root)
        except SourceError:
            what, remedy = "is a damaged TAR", ANOTHER
    elif is_file and archive_type(head):
        what, remedy = "begins as a ZIP and does not end as one: it was cut short, or is damaged", ANOTHER
    elif is_file and _NAMED.search(root.name):
        what += ", though it is named as one: it is empty, cut short or damaged"
        remedy = ANOTHER
    raise UsageError(f"the input {clean_text(str(root))!r} {what}; {remedy}", code="input_missing")


def _head(path: Path) -> bytes:
    """The first bytes of a file, none of one that cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""


def walk(tree: Tree, config: WalkConfig, prefix: str = "", taken: Taken | None = None) -> Listing:
    """List the files of `tree` that become documents.

    Args:
        tree: A folder or an archive.
        config: What to take.
        prefix: What stands before every path (`<container path>!/` for the members of a container).
        taken: The paths given out so far.
    """
    return Walker(tree, config, prefix, taken or Taken()).run()


class Walker:
    """One walk; see `walk`."""

    def __init__(self, tree: Tree, config: WalkConfig, prefix: str = "", taken: Taken | None = None) -> None:
        self._tree = tree
        self._config = config
        self._prefix = prefix
        self._taken = Taken() if taken is None else taken
        self._include = _patterns(config.include, "[walk] include")
        self._exclude = _patterns(config.exclude, "[walk] exclude")
        self._listing = Listing()
        self._found: list[tuple[str, str, Node]] = []
        self._links: list[tuple[str, Rules, Node]] = []
        self._seen: set[Any] = set()

    def run(self) -> Listing:
        """Walk, links last, so that what is reached without them keeps its own path."""
        self._listing.problems += self._tree.problems
        self._visit("", Rules(), None)
        self._follow_all(self._links)
        for path, folder, node in sorted(self._found, key=_found_order):
            self._enter(path, folder, node)
        self._listing.problems.sort(key=lambda problem: (order(problem.path), problem.code))
        return self._listing

    def would_take(self, path: str) -> bool:
        """Whether a walk would enter the folder `path`, which need not exist."""
        rules, parts = Rules(), path.split("/")
        for depth, name in enumerate(parts):
            folder = "/".join(parts[:depth])
            try:
                own = {n.name: n for n in self._tree.children(folder) if n.name in RULE_FILES}
            except OSError:
                own = {}
            rules = self._rules(folder, rules, own)
            if self._reason("/".join(parts[: depth + 1]), name, rules, folder=True):
                return False
        return True

    def _visit(self, start: str, rules: Rules, node: Node | None) -> None:
        """Everything below a folder; a stack, because a hostile tree is deeper than Python's."""
        stack: list[tuple[str, Rules, Node | None]] = [(start, rules, node)]
        while stack:
            folder, above, node = stack.pop()
            self._seen.add(self._tree.identity(folder, node))
            if folder.count("/") >= _DEEPEST:
                self._problem(folder, "too_deep", f"folders are nested more than {_DEEPEST} deep; {_HIGHER}")
                continue
            try:
                nodes = self._tree.children(folder)
            except OSError as error:
                self._problem(
                    folder or ".", "unreadable", f"the folder cannot be listed ({_why(error)}); {LEAVE_OUT}"
                )
                continue
            own = {n.name: n for n in nodes if n.name in RULE_FILES and n.kind == "file"}
            rules = self._rules(folder, above, own)
            for child in nodes:
                path = f"{folder}/{child.name}" if folder else child.name
                reason = self._reason(path, child.name, rules, folder=child.kind != "file")
                if child.kind == "special":
                    reason = reason or "special"
                if reason:
                    self._listing.skipped[reason] += 1
                elif child.kind == "folder":
                    stack.append((path, rules, child))
                elif child.kind == "link":
                    self._links.append((path, rules, child))
                else:
                    self._found.append((path, folder, child))

    def _follow_all(self, links: list[tuple[str, Rules, Node]]) -> None:
        waiting = sorted(links, key=lambda link: order(link[0]))
        links.clear()
        for path, rules, node in waiting:
            reason = self._follow(path, path.rpartition("/")[0], rules, node)
            if reason:
                self._listing.skipped[reason] += 1
            if links:
                self._follow_all(links)

    def _follow(self, path: str, folder: str, rules: Rules, node: Node) -> str | None:
        """Walk what a link leads to, where links are followed; else say why it is left out."""
        try:
            target = self._tree.target(folder, node, follow=self._config.follow_symlinks)
            if target == "dangling":
                self._problem(path, "dangling_symlink", "the link leads to nothing; mend it or remove it")
                return None
            if isinstance(target, str):
                return target
            reason = self._reason(path, node.name, rules, folder=target.kind == "folder")
            identity = self._tree.identity(folder, target)
        except OSError as error:
            self._problem(path, "unreadable", f"the link cannot be followed ({_why(error)}); {LEAVE_OUT}")
            return None
        if target.kind == "file":
            self._seen.update(self._tree.identity(place, found) for _, place, found in self._found)
        if reason or identity in self._seen:
            return reason or "symlink"
        if target.kind == "folder":
            self._visit(path, rules, target)
        else:
            self._found.append((path, folder, target))
        return None

    def _rules(self, folder: str, above: Rules, own: dict[str, Node]) -> Rules:
        """The rules below `folder`: those above, then `.gitignore`, then `.indxignore`."""
        rules = above
        for name in RULE_FILES:
            if name not in own or (name == ".gitignore" and not self._config.gitignore):
                continue
            path = f"{folder}/{name}" if folder else name
            try:
                data = self._tree.rules(folder, own[name])
            except OSError as error:
                self._problem(
                    path,
                    "unreadable",
                    f"the ignore rules cannot be read ({_why(error)}); let them be read, or remove them",
                )
                continue
            if len(data) > RULE_BYTES:  # half a line may mean something else, even everything
                data = data[: data.rfind(b"\n", 0, RULE_BYTES) + 1]
                message = f"what comes after {RULE_BYTES} bytes of rules is not obeyed; split the file"
                self._problem(path, "bad_pattern", message)
            spec, bad = parse_rules(data.decode("utf-8-sig", "replace").splitlines())
            for line in bad:
                self._problem(
                    path,
                    "bad_pattern",
                    f"{clean_text(line[:80])!r} is no pattern, or has too many wild cards; {PATTERNS}",
                )
            rules = rules.below(folder, spec)
        return rules

    def _reason(self, path: str, name: str, rules: Rules, *, folder: bool) -> str | None:
        """Why a name is left out; None when it is not."""
        if system_name(name):
            return "system"
        if path == FILE_NAME and not self._prefix:
            return "configuration"
        if name in RULE_FILES or (name.startswith(".") and not self._config.hidden):
            return "hidden"
        if rules.ignores(path, folder=folder):
            return "ignored"
        shown = f"{path}/" if folder else path
        if self._exclude is not None and self._exclude.match_file(shown):
            return "excluded"
        if self._include is not None and not folder and not self._include.match_file(path):
            return "not_included"
        return None

    def _enter(self, path: str, folder: str, node: Node) -> None:
        """Give a file its path in the space."""
        claimed = self._taken.claim(self._prefix + path)
        try:
            self._listing.entries.append(self._tree.entry(claimed, folder, node))
        except OSError as error:
            code = "vanished" if isinstance(error, FileNotFoundError) else "unreadable"
            self._problem(path, code, f"the file cannot be looked at ({_why(error)}); {LEAVE_OUT}")
            return
        if claimed != self._prefix + path:
            why = "has bytes that are no UTF-8, or is another's but for its form"
            message = f"the name {why}; it stands as {claimed!r}"
            self._problem(path, "name_changed", message)

    def _problem(self, path: str, code: str, message: str) -> None:
        self._listing.problems.append(Problem(clean_text(self._prefix + path), code, message))


def _patterns(lines: tuple[str, ...], origin: str) -> GitIgnoreSpec | None:
    return compile_patterns(lines, origin=origin) if lines else None


def _found_order(found: tuple[str, str, Node]) -> tuple[bytes, bool, str]:
    """By path; of two that differ in form only, the composed one first: it keeps its name."""
    path = found[0]
    return order(path), path != nfc(path), path


def _why(error: OSError) -> str:
    return error.strerror or type(error).__name__
