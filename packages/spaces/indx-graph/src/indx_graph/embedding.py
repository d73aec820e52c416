"""Who embeds: an installed embedder by ID, the `hash` of this distribution, a hosted one, or a function.

Whoever it is, it is seen through one small interface: rows for documents, rows for queries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from indx_core.deadline import Deadline
from indx_core.errors import ConfigurationError, Unavailable, explain
from indx_graph.errors import EmbedderError
from indx_graph.graph import unit_rows

if TYPE_CHECKING:
    from indx_core.discovery import Provider, Registry

__all__ = [
    "PROBE",
    "EmbedFunction",
    "TextEmbedder",
    "check_probe",
    "choose_embedder",
    "custom_name",
    "probe_of",
]

Rows = npt.NDArray[np.float32]
Role = Literal["document", "query"]
EmbedFunction: TypeAlias = Callable[[list[str]], Any]

PROBE: Final = "The quick brown fox jumps over the lazy dog."
"""The fixed sentence whose vector is an embedder's fingerprint."""
LEAST_COSINE: Final = 0.99
"""What the fingerprints of one embedder agree by, whatever small differences a processor makes."""
CUSTOM: Final = "custom:"
NOMIC: Final = "nomic-embed-text"
_BATCH: Final = 256
_PREFERRED: Final = ("wordllama-256", "default-text")


class TextEmbedder(Protocol):
    """Embeds texts."""

    @property
    def name(self) -> str:
        """What `settings.json` keeps."""
        ...

    def embed(self, texts: Sequence[str], role: Role) -> Rows:
        """One row of length 1 a text; 0 throughout for a text that holds nothing to embed."""
        ...


@dataclass(frozen=True, slots=True)
class _Custom:
    """A caller's own function."""

    name: str
    function: EmbedFunction

    def embed(self, texts: Sequence[str], role: Role) -> Rows:  # noqa: ARG002  a function has one role
        try:
            rows = np.asarray(self.function(list(texts)), dtype=np.float64)
        except Exception as error:  # the function is the caller's and may fail in any way
            raise Unavailable(f"{self.name} failed: {explain(error)}", code="embedder_unavailable") from error
        if rows.ndim != 2 or len(rows) != len(texts):
            raise Unavailable(
                f"{self.name} answered an array of shape {rows.shape} for {len(texts)} texts: answer one row "
                "a text",
                code="embedder_unavailable",
            )
        return unit_rows(rows)


@dataclass(frozen=True, slots=True)
class _Installed:
    """An embedder of the port."""

    name: str
    provider: Provider
    query_provider: Provider

    def embed(self, texts: Sequence[str], role: Role) -> Rows:
        from indx_runtime.vectors import embed_batch

        provider = self.provider if role == "document" else self.query_provider
        answered = embed_batch(provider, list(texts), role=role, deadline=Deadline(None))
        rows = unit_rows(answered.values)
        rows[list(answered.errors)] = 0.0
        return rows


def choose_embedder(
    name: str, function: EmbedFunction | None = None, registry: Registry | None = None
) -> TextEmbedder:
    """The embedder that a name means, or a caller's function.

    Args:
        name: The ID of an installed embedder or of its space, `hash`, `nomic-embed-text`, or `auto`, which is
            the first installed one of `wordllama-256` and `default-text`, else `hash`.
        function: Takes a list of texts and answers a row each; it is used in place of `name`.
        registry: Where embedders are looked for; None for the installed ones.

    Raises:
        ConfigurationError: `unknown_component`: nothing has that name.
        EmbedderError: The name is that of a function, and none was given.
    """
    if function is not None:
        return _Custom(CUSTOM + custom_name(function), function)
    if name.startswith(CUSTOM):
        raise EmbedderError(
            f"the vectors were made by a function, {name!r}: give it again, as embed_fn=…, to ask this index"
        )
    if name == "hash":
        from indx_graph.hashing import HashedTexts

        return HashedTexts()
    found = _installed(_PREFERRED if name == "auto" else (name,), registry)
    if found is not None:
        return found
    if name == "auto":
        return choose_embedder("hash", registry=registry)
    if name == NOMIC or name.startswith("litellm:"):
        from indx_graph.hosted import HostedTexts

        return HostedTexts(name)
    raise ConfigurationError(
        f"no embedder {name!r} is installed; there are {', '.join(_names(registry))}",
        code="unknown_component",
    )


def _installed(names: Sequence[str], registry: Registry | None) -> _Installed | None:
    """The first available embedder of these IDs or spaces."""
    from indx_core.discovery import State, default_registry
    from indx_runtime.vectors import embedder_for

    registry = registry or default_registry()
    for name in names:
        for provider in registry.advertised("indx.embedders"):
            facts = provider.item.declaration
            if name not in (facts.id, facts.space.id):
                continue
            makers = [embedder_for(facts.space.id, role, "text", registry) for role in ("document", "query")]
            document, query = makers
            if document is None or query is None:
                continue
            if State.AVAILABLE is document.state is query.state:
                return _Installed(facts.space.id, document, query)
            if len(names) == 1:
                raise ConfigurationError(
                    f"embedder {name!r} cannot be used: {document.reason or query.reason}; "
                    f"{document.fix or query.fix}",
                    code="unknown_component",
                )
    return None


def _names(registry: Registry | None) -> list[str]:
    from indx_core.discovery import default_registry

    usable = (registry or default_registry()).usable("indx.embedders")
    return sorted({NOMIC, "hash", *(provider.item.declaration.space.id for provider in usable)})


def custom_name(function: EmbedFunction) -> str:
    """The name of a function, of what a partial calls, or of an object's class."""
    while isinstance(function, partial):
        function = function.func
    return getattr(function, "__name__", None) or type(function).__name__


def embed_all(embedder: TextEmbedder, texts: Sequence[str], role: Role = "document") -> Rows:
    """Embed many texts, some at a time.

    Raises:
        EmbedderError: Batches came back with different lengths of vectors.
        Unavailable: `embedder_unavailable`.
    """
    parts = [embedder.embed(texts[start : start + _BATCH], role) for start in range(0, len(texts), _BATCH)]
    widths = sorted({part.shape[1] for part in parts})
    if len(widths) > 1:
        raise EmbedderError(
            f"{embedder.name} made vectors of {widths[0]} and of {widths[1]} numbers in one run, so that "
            "nothing was kept; make it answer as many each time, or take another embedder"
        )
    return np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)


def probe_of(embedder: TextEmbedder) -> Rows:
    """The fingerprint of an embedder: its vector of the fixed sentence.

    Raises:
        Unavailable: `embedder_unavailable`.
    """
    row: Rows = embedder.embed([PROBE], "document")[0]
    return row


def check_probe(stored: Rows, embedder: TextEmbedder) -> None:
    """Check that an embedder is the one that made an index.

    Raises:
        EmbedderError: Its fingerprint has another size, or points elsewhere.
    """
    here = probe_of(embedder)
    rebuild = "open it with the embedder that made it, or build it again"
    if here.shape != stored.shape:
        raise EmbedderError(
            f"the vectors of the index have {len(stored)} numbers and {embedder.name!r} makes {len(here)}: "
            f"{rebuild}"
        )
    cosine = float(unit_rows(stored[None])[0] @ here)
    if not cosine >= LEAST_COSINE:
        raise EmbedderError(
            f"the vectors of the index were made by another embedder than {embedder.name!r} (the "
            f"fingerprints agree to {cosine:.3f}, {LEAST_COSINE} is due): {rebuild}"
        )
