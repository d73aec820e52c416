"""The parts a configuration names: every one is installed, or the build does not begin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from indx_core.discovery import State
from indx_core.errors import ConfigurationError, IndxError
from indx_runtime.chunking import parse_chunkers, requested_chunkers
from indx_runtime.vectors import embedder_for

if TYPE_CHECKING:
    from indx_core.discovery import Provider, Registry
    from indx_space.config import Config

__all__ = ["AUTO", "NONE", "installed"]

AUTO: Final = "auto"
NONE: Final = "none"
_STANDARD: Final = {
    "indx.classifiers": ("words",),
    "indx.enrichers": ("extractive", "keywords"),
}
"""What `auto` stands for, as far as it is installed."""

_BEST_SPACES: Final = ("wordllama-256", "default-text")


def installed(config: Config, registry: Registry) -> Config:
    """The configuration with `auto` resolved, every part it names being installed.

    Raises:
        ConfigurationError: `nothing_installed`: nothing reads or nothing cuts; `unknown_component`, naming
            what is installed in its place.
    """
    _require_something(registry)
    _known("[parse] readers", config.parse.readers, _ids(registry.advertised("indx.capabilities")))
    _known("[output] writers", config.output.writers, _ids(registry.usable("indx.writers")))
    try:
        requested_chunkers(parse_chunkers(config.chunk.chunkers), registry)
    except (IndxError, ValueError) as error:
        raise _unknown(f"[chunk] chunkers: {error}") from None
    lanes = replace(
        config.enrich,
        classifiers=_lanes("classifiers", config.enrich.classifiers, registry),
        extractors=_lanes("extractors", config.enrich.extractors, registry),
        enrichers=_lanes("enrichers", config.enrich.enrichers, registry),
    )
    return replace(
        config, enrich=lanes, embed=replace(config.embed, space=_space(config.embed.space, registry))
    )


def _require_something(registry: Registry) -> None:
    reading = any(p.item.declaration.kind != "manual" for p in registry.usable("indx.capabilities"))
    if not reading or not registry.usable("indx.observers"):
        what = "reads documents"
    elif not registry.usable("indx.chunkers"):
        what = "cuts chunks"
    else:
        return
    install = 'the readers and chunkers of a standard installation: pip install "indx[standard]"'
    message = f"nothing installed {what}; install {install}"
    if registry.plugins is not None:
        loaded = ", ".join(registry.plugins)[:200] or "none"
        lost = "".join(f"; {p.reason} ({p.fix})" for p in registry.unmatched())
        message = (
            f"nothing that INDX_PLUGINS lets in ({loaded}) {what}{lost}; unset it, or name there {install}"
        )
    raise ConfigurationError(message, code="nothing_installed")


def _ids(providers: Iterable[Provider]) -> list[str]:
    return sorted(p.item.declaration.id for p in providers)


def _lanes(key: str, names: tuple[str, ...], registry: Registry) -> tuple[str, ...]:
    """The lanes of one kind that a build asks: of documents and of chunks."""
    group = f"indx.{key}"
    fitting = [p for p in registry.usable(group) if p.item.declaration.unit in ("document", "chunk")]
    known = _ids(fitting)
    standard = [name for name in _STANDARD.get(group, ()) if name in known]
    resolved = [one for name in names for one in (standard if name == AUTO else [name])]
    for name in resolved:
        if name not in known:
            _refuse_pages(f"[enrich] {key}", name, group, known, registry)
    _known(f"[enrich] {key}", resolved, known)
    return tuple(dict.fromkeys(resolved))


def _refuse_pages(where: str, name: str, group: str, known: list[str], registry: Registry) -> None:
    """Refuse a lane of pages as what it is: installed, and never asked in a build.

    The lane to take is the same one for chunks, and where there is none the one for documents; the IDs of
    lanes differ by the ending that names their unit.
    """
    lane = registry.find(group, name)
    if lane is None or lane.item.declaration.unit != "page":
        return
    stem = name.removesuffix("-page")
    instead = next((one for one in (f"{stem}-chunk", stem) if one in known), None)
    hint = f"take {instead!r}" if instead else f"those are {', '.join(known) or 'none'}"
    raise _unknown(
        f"{where}: {name!r} is a lane for pages; a build asks lanes for documents and for chunks: {hint}"
    )


def _space(name: str, registry: Registry) -> str:
    """The embedding space of a build; `none` where there is none to be had or none is wanted."""
    if name == NONE:
        return NONE
    usable = sorted({p.item.declaration.space.id for p in registry.usable("indx.embedders")})
    fitting = [s for s in usable if _embeds(s, registry)]
    if name == AUTO:
        return next((space for space in _BEST_SPACES if space in fitting), fitting[0] if fitting else NONE)
    if name not in fitting:
        unavailable = next(
            (p for p in registry.advertised("indx.embedders") if p.item.declaration.space.id == name), None
        )
        if unavailable is not None and unavailable.reason:
            raise _unknown(f"[embed] space: {name!r} cannot be used: {unavailable.reason}; {unavailable.fix}")
        _known("[embed] space", [name], fitting)
    return name


def _embeds(space: str, registry: Registry) -> bool:
    provider = embedder_for(space, "document", "text", registry)
    return provider is not None and provider.state is State.AVAILABLE


def _known(where: str, names: Iterable[str], known: list[str]) -> None:
    for name in names:
        if name not in known:
            nearest = get_close_matches(name, known, n=1)
            hint = f"did you mean {nearest[0]!r}? " if nearest else ""
            raise _unknown(
                f"{where}: {name!r} is not installed; {hint}installed: {', '.join(known) or 'none'}"
            )


def _unknown(message: str) -> ConfigurationError:
    return ConfigurationError(message, code="unknown_component")
