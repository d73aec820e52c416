"""docs/reference/providers.md: what the distributions of the workspace read, cut, label, embed and write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from reference import markdown, members

from indx_core.discovery import GROUPS, Provider, State, default_registry

INTRO = """
Each row is an entry point of a distribution. What is not installed is not there; `indx capabilities` and
`indx doctor` show your installation.
"""
EXTRA = "These are advertised only where their engine is installed; some need a model named as well."
EXTRA_HEADS = ("part", "port", "what brings it", "distribution")


def page() -> str:
    """The page."""
    parts = [INTRO]
    for title, about, groups, heads, row in SECTIONS:
        rows = [row(provider) for group in groups for provider in _of_the_workspace(group)]
        parts += [f"## {title}", about, markdown.table(heads, sorted(set(rows), key=_in_order))]
    parts += [
        "## Behind an extra",
        EXTRA,
        markdown.table(EXTRA_HEADS, sorted(_behind_extras(), key=_in_order)),
    ]
    return markdown.page("Providers", "the declarations of the distributions' providers", *parts)


def _of_the_workspace(group: str) -> Iterator[Provider]:
    ours = set(members.names())
    for provider in default_registry().providers(group):
        if provider.distribution in ours:
            if provider.item is not None:
                yield provider
            elif provider.state is not State.UNAVAILABLE:
                raise SystemExit(f"docs: {provider.distribution} cannot be described: {provider.reason}")


def _behind_extras() -> Iterator[tuple[str, ...]]:
    """What a distribution offers only with an engine, which no environment has to carry."""
    ours = set(members.names())
    for group in GROUPS:
        for provider in default_registry().providers(group):
            if provider.distribution in ours and provider.item is None and provider.fix:
                port, name = group.removeprefix("indx."), provider.candidate.name
                yield markdown.code(name), port, markdown.code(provider.fix), provider.distribution


def _in_order(row: tuple[str, ...]) -> list[str]:
    return [cell.replace("`", "") for cell in row]


def _named(provider: Provider) -> tuple[str, str]:
    return markdown.code(provider.item.declaration.id), markdown.code(provider.distribution)


def _list(values: Any) -> str:
    return ", ".join(markdown.code(str(one)) for one in values) or "any"


def _reader(provider: Provider) -> tuple[str, ...]:
    name, distribution = _named(provider)
    facts = provider.item.declaration
    if facts.kind == "manual":
        return name, facts.kind, facts.device, "a person reads what nothing else could", distribution
    return name, facts.kind, facts.device, _list(sorted(facts.media_types)), distribution


def _observer(provider: Provider) -> tuple[str, ...]:
    name, distribution = _named(provider)
    facts = provider.item.declaration
    readers = [p.item.declaration for p in _of_the_workspace("indx.capabilities")]
    same = [reader.id for reader in readers if set(reader.media_types) == set(facts.media_types)]
    opened = f"those of {_list(same)}" if same else _list(sorted(facts.media_types))
    return name, "yes" if facts.hostile else "no", opened, distribution


def _chunker(provider: Provider) -> tuple[str, ...]:
    facts, (name, distribution) = provider.item.declaration, _named(provider)
    default = "yes" if facts.default else "no"
    return name, str(facts.version), default, facts.summary, _list(sorted(facts.media_types)), distribution


def _lane(provider: Provider) -> tuple[str, ...]:
    name, distribution = _named(provider)
    kind = provider.candidate.group.removeprefix("indx.").removesuffix("s")
    return name, kind, provider.item.declaration.unit, provider.item.declaration.device, distribution


def _embedder(provider: Provider) -> tuple[str, ...]:
    facts, (_, distribution) = provider.item.declaration, _named(provider)
    space = facts.space
    return (
        markdown.code(space.id),
        str(space.dimension),
        space.metric,
        _list(facts.modalities),
        _list(facts.roles),
        facts.device,
        distribution,
    )


def _loader(provider: Provider) -> tuple[str, ...]:
    name, distribution = _named(provider)
    return name, _list(f"{scheme}:" for scheme in provider.item.declaration.schemes), distribution


def _writer(provider: Provider) -> tuple[str, ...]:
    name, distribution = _named(provider)
    return name, markdown.code(provider.item.declaration.output), distribution


def _mode(provider: Provider) -> tuple[str, ...]:
    return _named(provider)


Section = tuple[str, str, tuple[str, ...], tuple[str, ...], Callable[[Provider], tuple[str, ...]]]
SECTIONS: tuple[Section, ...] = (
    (
        "Readers",
        "`capability_ids` of a request, `--capability`, and `[parse] readers` name them.",
        ("indx.capabilities",),
        ("reader", "kind", "device", "media types", "distribution"),
        _reader,
    ),
    (
        "Observers",
        "Open documents for plans and readers; *isolated* ones in a worker process.",
        ("indx.observers",),
        ("observer", "isolated", "media types", "distribution"),
        _observer,
    ),
    (
        "Chunkers",
        "`--chunkers`, `INDX_CHUNKERS` and `[chunk] chunkers` name them.",
        ("indx.chunkers",),
        ("chunker", "version", "default", "a chunk is", "media types", "distribution"),
        _chunker,
    ),
    (
        "Lanes",
        "Requests name them by unit; `[enrich]` of a build names those of documents and chunks.",
        ("indx.classifiers", "indx.extractors", "indx.enrichers"),
        ("lane", "kind", "unit", "device", "distribution"),
        _lane,
    ),
    (
        "Embedding spaces",
        "`--space` and `[embed] space` name them.",
        ("indx.embedders",),
        ("space", "dimension", "metric", "embeds", "roles", "device", "distribution"),
        _embedder,
    ),
    (
        "Loaders",
        "Resolve URIs, as far as `INDX_URI_SCHEMES` lets them.",
        ("indx.loaders",),
        ("loader", "schemes", "distribution"),
        _loader,
    ),
    (
        "Writers",
        "`[output] writers` of a build names them.",
        ("indx.writers",),
        ("writer", "writes", "distribution"),
        _writer,
    ),
    (
        "Search modes",
        "`--mode` of `indx query` and `mode` of `space.search` name them.",
        ("indx.search_modes",),
        ("mode", "distribution"),
        _mode,
    ),
)
