"""Discovery: the one place that reads entry points, and the state of every provider found.

The scan reads metadata only, once per process, on first need. A group is loaded when it is first asked
for, each entry point under guard: one that fails is recorded with its reason and the rest go on.

States of a provider:
    available     loaded, and it says it can run
    unavailable   it says why it cannot run, and the line that would fix it
    broken        loading it raised; the exception is kept
    incompatible  it was written for another version of the ports
    duplicate     another distribution declares the same identity, or the same embedding space in another
                  way; neither is used
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from indx_core import installed
from indx_core.canonical import clean_text
from indx_core.declared import check_declaration
from indx_core.errors import explain
from indx_core.ports.declarations import PORT_VERSION, Unavailability
from indx_core.scrubbing import scrubbed
from indx_core.settings import Setting, names

if TYPE_CHECKING:
    import importlib_metadata as metadata

    from indx_core.installed import InfoFolder

__all__ = [
    "GROUPS",
    "NO_METADATA",
    "SETTINGS",
    "Candidate",
    "Provider",
    "Registry",
    "State",
    "default_registry",
    "scan",
]

PLUGINS: Setting[tuple[str, ...] | None] = Setting(
    "INDX_PLUGINS",
    names,
    None,
    "Which distributions' providers are loaded: `none`, or names by comma; unset loads all.",
    read="start",
)
SETTINGS = (PLUGINS,)

LANE_GROUPS = ("indx.classifiers", "indx.extractors", "indx.enrichers")
"""Groups whose IDs share one namespace, because requests name lanes by ID alone."""

NO_METADATA = (
    "this copy of indx carries no package metadata, by which its parts are found; where an application is "
    "frozen or zipped, pack it too (PyInstaller: --recursive-copy-metadata indx)"
)
"""What is said in an application that was packed without the `*.dist-info` folders."""

GROUPS = (
    "indx.loaders",
    "indx.sniffers",
    "indx.observers",
    "indx.capabilities",
    "indx.chunkers",
    "indx.language_detectors",
    *LANE_GROUPS,
    "indx.embedders",
    "indx.document_stores",
    "indx.vector_indexes",
    "indx.source_stores",
    "indx.schema_stores",
    "indx.label_stores",
    "indx.dataset_stores",
    "indx.router_stores",
    "indx.experiment_stores",
    "indx.job_runners",
    "indx.writers",
    "indx.search_modes",
    "indx.commands",
    "indx.hooks",
)
"""Every entry-point group, one a port; `indx.commands` and `indx.hooks` hold no declared identity."""

_MARK = "[indx."
"""What stands in the entry points of a distribution that has any of these groups."""

_UNDECLARED = frozenset({"indx.commands", "indx.hooks"})

UNREADABLE = "indx"
"""The group of a distribution whose entry points cannot be read: what they would be is not known."""


class State(StrEnum):
    """What became of an entry point; see the module's text."""

    AVAILABLE = "available"
    UNAVAILABLE = "unavailable"
    BROKEN = "broken"
    INCOMPATIBLE = "incompatible"
    DUPLICATE = "duplicate"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entry point as found: nothing loaded yet.

    Attributes:
        group: The entry-point group.
        name: The entry point's name, unique to its distribution only.
        value: `module:attribute`.
        distribution: The distribution's name as published.
        version: Its version.
        load: Imports the module and returns the attribute.
    """

    group: str
    name: str
    value: str
    distribution: str
    version: str
    load: Callable[[], Any] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Provider:
    """An entry point with its state.

    Attributes:
        candidate: Where it came from.
        state: What became of it.
        item: What the factory made, for `available` and advertised `unavailable` ones; else None.
        identities: What it declares: IDs, `id@version` for chunkers, and schemes for loaders.
        reason: Why it is not available.
        fix: The line that would change that, where one is known.
        error: The exception of a broken one.
    """

    candidate: Candidate
    state: State
    item: Any = None
    identities: tuple[str, ...] = ()
    reason: str | None = None
    fix: str | None = None
    error: BaseException | None = None

    @property
    def distribution(self) -> str:
        """The distribution that offers it."""
        return self.candidate.distribution


def scan(distributions: Iterable[InfoFolder | metadata.Distribution] | None = None) -> tuple[Candidate, ...]:
    """Every `indx.*` entry point of the installed distributions, sorted; nothing is imported.

    A distribution that stands on the path twice counts once, where the import system finds it first. One
    whose metadata cannot be read is a single candidate of the group `UNREADABLE`, which fails to load; so is
    this one where it carries none, as in an application frozen without it.
    """
    found: list[Candidate] = []
    seen: set[str] = set()
    for distribution in installed.distributions(_MARK) if distributions is None else distributions:
        try:
            text = distribution.read_text("entry_points.txt")
            if not text or _MARK not in text:
                continue
            name, version = distribution.name, distribution.version
            points = [point for point in distribution.entry_points if point.group in GROUPS]
        except Exception as error:  # foreign metadata may fail in any way
            folder = getattr(distribution, "_path", None)  # its name may be what cannot be read
            found.append(_unreadable(getattr(folder, "stem", "unknown"), error))
            continue
        if installed.key(name) in seen:
            continue
        seen.add(installed.key(name))
        found += [Candidate(p.group, p.name, p.value, name, version, p.load) for p in points]
    if distributions is None and not _is_described():
        found.append(_unreadable("indx_core", RuntimeError(NO_METADATA)))
    return tuple(sorted(found, key=lambda c: (c.group, c.distribution, c.name)))


def _is_described() -> bool:
    """Whether this distribution itself carries metadata."""
    if installed.find("indx-core") is not None:
        return True
    import importlib_metadata

    try:
        importlib_metadata.distribution("indx-core")
    except importlib_metadata.PackageNotFoundError:
        return False
    return True


def _unreadable(folder: str, error: Exception) -> Candidate:
    def load() -> Any:
        raise error

    name, _, version = folder.partition("-")
    return Candidate(UNREADABLE, "entry_points.txt", "", name, version or "unknown", load)


def _chosen(candidates: Sequence[Candidate], wanted: tuple[str, ...]) -> tuple[Candidate, ...]:
    """The candidates of the distributions that are wanted, and one for each name of nothing installed."""
    keys = {installed.key(name) for name in wanted}
    there = {installed.key(candidate.distribution): candidate.distribution for candidate in candidates}
    lost = (
        []
        if wanted == ("none",)
        else [name for name in dict.fromkeys(wanted) if installed.key(name) not in there]
    )
    unmatched = [_unmatched(name, there) for name in lost if not installed.is_installed(name)]
    return (*(c for c in candidates if installed.key(c.distribution) in keys), *unmatched)


def _unmatched(name: str, there: Mapping[str, str]) -> Candidate:
    """What stands for a name in INDX_PLUGINS that nothing installed has, and says so."""
    from difflib import get_close_matches

    nearest = get_close_matches(installed.key(name), there, n=1)
    fix = f"did you mean {there[nearest[0]]!r}?" if nearest else "install it, or take it out"
    lack = Unavailability(f"{PLUGINS.name} names {name[:200]!r}, which is not installed", fix)
    logging.getLogger("indx.discovery").warning("%s; %s", lack.reason, lack.fix)
    return Candidate(UNREADABLE, PLUGINS.name, "", name, "unknown", lambda: lambda: lack)


class Registry:
    """Providers by group, each group loaded when it is first asked for.

    Args:
        candidates: What was found; by default a scan of this environment, narrowed by INDX_PLUGINS.
    """

    def __init__(self, candidates: Sequence[Candidate] | None = None) -> None:
        """Scan; load nothing."""
        self.plugins = PLUGINS.get() if candidates is None else None  # the names it is narrowed to
        found = scan() if candidates is None else tuple(candidates)
        self.candidates = found if self.plugins is None else _chosen(found, self.plugins)
        self._groups: dict[str, tuple[Provider, ...]] = {}
        self._usable: dict[str, tuple[Provider, ...]] = {}
        self._advertised: dict[str, tuple[Provider, ...]] = {}
        self._lock = threading.RLock()

    def renew_lock(self) -> None:
        """Forget who loads; for a process that was forked."""
        self._lock = threading.RLock()

    def providers(self, group: str) -> tuple[Provider, ...]:
        """Every provider of `group`, sorted by distribution and name, whatever its state."""
        with self._lock:
            if group not in self._groups:
                family = LANE_GROUPS if group in LANE_GROUPS else (group,)
                loaded = [_load(c) for c in self.candidates if c.group in family]
                for provider in _refuse_duplicates(loaded):
                    self._groups.setdefault(provider.candidate.group, ())
                    self._groups[provider.candidate.group] += (provider,)
                for member in family:
                    self._groups.setdefault(member, ())
            return self._groups[group]

    def usable(self, group: str) -> tuple[Provider, ...]:
        """The available providers of `group`."""
        if group not in self._usable:  # asked several times for each document
            self._usable[group] = tuple(p for p in self.providers(group) if p.state is State.AVAILABLE)
        return self._usable[group]

    def advertised(self, group: str) -> tuple[Provider, ...]:
        """The available providers of `group` and those that are advertised although they cannot run."""
        if group not in self._advertised:
            self._advertised[group] = tuple(p for p in self.providers(group) if p.item is not None)
        return self._advertised[group]

    def find(self, group: str, identity: str) -> Provider | None:
        """The advertised provider of `group` with `identity`, or None."""
        return next((p for p in self.advertised(group) if identity in p.identities), None)

    def unmatched(self) -> tuple[Provider, ...]:
        """One for each name in INDX_PLUGINS that is of no distribution, with the nearest one as its fix."""
        return tuple(p for p in self.providers(UNREADABLE) if p.candidate.name == PLUGINS.name)

    def everything(self) -> tuple[Provider, ...]:
        """Every provider of every group, all loaded, and the distributions that cannot be read."""
        return tuple(provider for group in (*GROUPS, UNREADABLE) for provider in self.providers(group))


def _load(candidate: Candidate) -> Provider:
    """Load one entry point under guard."""
    try:
        made = candidate.load()
        if candidate.group in _UNDECLARED:
            return Provider(candidate, State.AVAILABLE, made)
        item = made()
        if isinstance(item, Unavailability):
            return Provider(candidate, State.UNAVAILABLE, None, (), *_told(item))
        version = item.port_version
        if version != PORT_VERSION:
            reason = f"written for version {version!r} of the ports; this indx-core has {PORT_VERSION}"
            fix = f"install a release of {candidate.distribution} made for this indx-core"
            return Provider(candidate, State.INCOMPATIBLE, reason=reason, fix=fix)
        check_declaration(candidate.group, item.declaration)
        identities = _identities(candidate.group, item)
        lack = item.availability() if hasattr(item, "availability") else None
        if lack is not None:
            return Provider(candidate, State.UNAVAILABLE, item, identities, *_told(lack))
        return Provider(candidate, State.AVAILABLE, item, identities)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        fix = f"reinstall or remove {candidate.distribution}"
        return Provider(candidate, State.BROKEN, reason=explain(error), fix=fix, error=error)


def _told(lack: Unavailability) -> tuple[str, str]:
    """Why it cannot run and what would fix it, which every caller is told: fit for UTF-8, without secrets."""
    return clean_text(scrubbed(lack.reason)), clean_text(scrubbed(lack.fix))


def _identities(group: str, item: Any) -> tuple[str, ...]:
    declaration = item.declaration
    if group == "indx.chunkers":
        return (f"{declaration.id}@{declaration.version}",)
    if group == "indx.loaders":
        return (declaration.id, *(f"{scheme}:" for scheme in declaration.schemes))
    return (declaration.id,)


def _refuse_duplicates(providers: Sequence[Provider]) -> list[Provider]:
    """Refuse providers of one identity, and embedders that describe one space in different ways."""
    owners: dict[str, list[Provider]] = {}
    for provider in providers:
        for identity in provider.identities:
            owners.setdefault(identity, []).append(provider)
    result = []
    for provider in providers:
        clash = [o for i in provider.identities for o in owners[i] if o is not provider]
        shared = ", ".join(i for i in provider.identities if len(owners[i]) > 1)
        result.append(_refused(provider, f"{shared} is also declared", clash) if clash else provider)
    return _refuse_unlike_spaces(result)


def _refuse_unlike_spaces(providers: Sequence[Provider]) -> list[Provider]:
    spaces: dict[str, list[tuple[Provider, tuple[Any, ...]]]] = {}
    for provider in providers:
        if provider.candidate.group == "indx.embedders" and provider.item is not None:
            space = provider.item.declaration.space
            facts = (space.dimension, space.metric, space.normalized)
            spaces.setdefault(space.id, []).append((provider, facts))
    clashes = {
        id(provider): (
            f"the space {name} is declared otherwise",
            [o for o, other in members if other != facts],
        )
        for name, members in spaces.items()
        for provider, facts in members
        if any(other != facts for _, other in members)
    }
    return [_refused(p, *clashes[id(p)]) if id(p) in clashes else p for p in providers]


def _refused(provider: Provider, what: str, rivals: Sequence[Provider]) -> Provider:
    names = ", ".join(sorted({f"{o.distribution} ({o.candidate.name})" for o in rivals}))
    reason = f"{what} by {names}; neither is used"
    fix = "remove one of the distributions, or name those to load in INDX_PLUGINS"
    return Provider(provider.candidate, State.DUPLICATE, reason=reason, fix=fix)


_default: Registry | None = None
_default_lock = threading.Lock()


def default_registry() -> Registry:
    """The registry of this process, made on first need."""
    global _default
    with _default_lock:
        if _default is None:
            _default = Registry()
        return _default


def _renew_locks() -> None:
    """A process that was forked holds no lock that a thread of its parent held at that moment."""
    global _default_lock
    _default_lock = threading.Lock()
    if _default is not None:
        _default.renew_lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)
