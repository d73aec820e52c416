"""The snapshot: what is installed and configured, as data with an identity of its own."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from indx_core.contracts import (
    CapabilityInfo,
    ChunkerInfo,
    EmbedderInfo,
    EmbeddingSpaceInfo,
    LaneInfo,
    Limits,
    Resolvable,
    Snapshot,
)
from indx_core.discovery import Provider, Registry, State
from indx_routing import POLICY_VERSION
from indx_source import enabled_schemes
from indx_source.settings import MAX_INPUT_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from indx_core.ports import ChunkerDeclaration

__all__ = ["Inventory", "default_chunkers", "embedders_of", "ordered_chunkers", "take_snapshot"]

_DECLARED: Final = (
    "indx.capabilities",
    "indx.embedders",
    "indx.observers",
    "indx.chunkers",
    "indx.classifiers",
    "indx.extractors",
    "indx.enrichers",
    "indx.language_detectors",
)


class Inventory:
    """The snapshot of a registry as it is now, made anew only when something it is made of is another."""

    def __init__(self, registry: Registry) -> None:
        """Take nothing yet."""
        self._registry = registry
        self._taken: tuple[tuple[object, ...], Snapshot] | None = None

    def now(self) -> Snapshot:
        """The inventory now."""
        parts = tuple(self._parts())
        taken = self._taken
        if taken is None or taken[0] != parts:
            taken = self._taken = parts, take_snapshot(self._registry)
        return taken[1]

    def _parts(self) -> Iterator[object]:
        yield MAX_INPUT_BYTES.get()
        yield enabled_schemes(self._registry)
        for group in _DECLARED:
            for provider in self._registry.advertised(group):
                yield provider.item.declaration


def take_snapshot(registry: Registry) -> Snapshot:
    """The inventory now. Equal installations with equal settings give an equal `snapshot_id`."""
    observable = {
        media_type
        for provider in registry.usable("indx.observers")
        for media_type in provider.item.declaration.media_types
    }
    return Snapshot.create(
        policy_version=POLICY_VERSION,
        capabilities=tuple(sorted(_capabilities(registry), key=lambda c: c.id)),
        embedding_spaces=_spaces(registry),
        limits=Limits(max_input_bytes=MAX_INPUT_BYTES.get()),
        resolvable=Resolvable(
            schemes=enabled_schemes(registry), observable_media_types=tuple(sorted(observable))
        ),
        chunkers=_chunkers(registry),
        classifiers=_lanes(registry, "indx.classifiers"),
        extractors=_lanes(registry, "indx.extractors"),
        enrichers=_lanes(registry, "indx.enrichers"),
        language_detectors=tuple(
            LaneInfo(id=p.item.declaration.id, unit="page", device="cpu", distribution=p.distribution)
            for p in sorted(registry.usable("indx.language_detectors"), key=lambda p: p.identities)
        ),
    )


def _capabilities(registry: Registry) -> Iterable[CapabilityInfo]:
    for provider in registry.advertised("indx.capabilities"):
        declaration = provider.item.declaration
        yield CapabilityInfo(
            id=declaration.id,
            kind=declaration.kind,
            distribution=provider.distribution,
            version=provider.candidate.version,
            device=declaration.device,
            media_types=tuple(sorted(declaration.media_types)),
            available=provider.state is State.AVAILABLE,
            reason=_why(provider),
            converts=True if declaration.converts else None,
        )


def _why(provider: Provider) -> str | None:
    if provider.state is State.AVAILABLE:
        return None
    return f"{provider.reason}; {provider.fix}" if provider.fix else provider.reason


def embedders_of(space_id: str, registry: Registry) -> list[Provider]:
    """The embedders of a space; discovery has seen to it that they describe it alike."""
    return [p for p in registry.advertised("indx.embedders") if p.item.declaration.space.id == space_id]


def _spaces(registry: Registry) -> tuple[EmbeddingSpaceInfo, ...]:
    members: dict[str, list[Provider]] = defaultdict(list)
    for provider in sorted(registry.advertised("indx.embedders"), key=lambda p: p.identities):
        members[provider.item.declaration.space.id].append(provider)
    return tuple(
        EmbeddingSpaceInfo(
            id=space_id,
            dimension=embedders[0].item.declaration.space.dimension,
            metric=embedders[0].item.declaration.space.metric,
            normalized=embedders[0].item.declaration.space.normalized,
            embedders=tuple(_embedder(provider) for provider in embedders),
        )
        for space_id, embedders in sorted(members.items())
    )


def _embedder(provider: Provider) -> EmbedderInfo:
    declaration = provider.item.declaration
    return EmbedderInfo(
        id=declaration.id,
        distribution=provider.distribution,
        version=provider.candidate.version,
        device=declaration.device,
        roles=declaration.roles,
        modalities=declaration.modalities,
        model=declaration.model,
        available=provider.state is State.AVAILABLE,
        reason=_why(provider),
    )


def default_chunkers(registry: Registry) -> dict[str, int]:
    """The version of each chunker that is asked when none is named: the default, else the newest."""
    versions: dict[str, list[ChunkerDeclaration]] = defaultdict(list)
    for provider in registry.usable("indx.chunkers"):
        versions[provider.item.declaration.id].append(provider.item.declaration)
    return {
        name: max(declared, key=lambda d: (d.default, d.version)).version
        for name, declared in sorted(versions.items())
    }


def ordered_chunkers(registry: Registry) -> list[Provider]:
    """The default versions in the installed order: by rank, then ID."""
    chosen = default_chunkers(registry)
    providers = [
        p
        for p in registry.usable("indx.chunkers")
        if p.item.declaration.default and chosen[p.item.declaration.id] == p.item.declaration.version
    ]
    return sorted(providers, key=lambda p: (p.item.declaration.rank, p.item.declaration.id))


def _chunkers(registry: Registry) -> tuple[ChunkerInfo, ...]:
    chosen = default_chunkers(registry)
    found = [
        ChunkerInfo(
            id=d.id,
            version=d.version,
            default=d.default and chosen[d.id] == d.version,
            media_types=tuple(sorted(d.media_types)),
            summary=d.summary,
            distribution=p.distribution,
        )
        for p in registry.usable("indx.chunkers")
        for d in (p.item.declaration,)
    ]
    return tuple(sorted(found, key=lambda c: (c.id, c.version)))


def _lanes(registry: Registry, group: str) -> tuple[LaneInfo, ...]:
    def info(provider: Provider) -> LaneInfo:
        declaration: Any = provider.item.declaration
        return LaneInfo(
            id=declaration.id,
            unit=declaration.unit,
            device=declaration.device,
            distribution=provider.distribution,
        )

    return tuple(sorted((info(p) for p in registry.usable(group)), key=lambda lane: lane.id))
