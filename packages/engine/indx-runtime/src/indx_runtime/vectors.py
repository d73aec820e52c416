"""Vectors: one a chunk for each space a request names, by the space's embedder for what the chunk is."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from operator import index
from typing import TYPE_CHECKING, Final, Literal

from indx_core.contracts import Vector
from indx_core.deadline import Deadline
from indx_core.discovery import State
from indx_core.errors import InvalidEmbeddingSpace, TimedOut, Unavailable, explain
from indx_core.ports import Embedded
from indx_runtime.inventory import embedders_of
from indx_runtime.values import UNSAID, check_cost, reason_of

if TYPE_CHECKING:
    from indx_core.contracts import Branch, Constraints, PlanRequestPart
    from indx_core.discovery import Provider, Registry
    from indx_core.ports import EmbeddingInput, Modality
    from indx_runtime.failures import Failures
    from indx_runtime.progress import Progress

__all__ = ["Vectors", "check_spaces", "embed_batch", "embed_chunks", "embedder_for", "inputs_by_space"]

_log = logging.getLogger("indx.embedding")

_FORBIDDEN: Final = "was not asked: it embeds outside this machine, which data_residency forbids"


@dataclass(slots=True)
class Vectors:
    """Vectors by chunk block ID, how many there are, and what they were charged."""

    by_block: dict[str, list[Vector]] = field(default_factory=dict)
    count: int = 0
    cost_usd: float = 0.0


def check_spaces(request: PlanRequestPart, registry: Registry) -> None:
    """Refuse spaces that are not installed, and spaces without chunks to fill them.

    Raises:
        InvalidEmbeddingSpace: `unknown_embedding_space` or `granularity_required`.
    """
    known = {p.item.declaration.space.id for p in registry.advertised("indx.embedders")}
    for space_id in request.embedding_space_ids:
        if space_id not in known:
            installed = ", ".join(sorted(known)) or "none"
            raise InvalidEmbeddingSpace(
                f"no embedding space {space_id[:200]!r} is installed; installed: {installed}",
                param="embedding_space_ids",
            )
    if request.embedding_space_ids and "CHUNK" not in request.granularities:
        raise InvalidEmbeddingSpace(
            "vectors belong to chunks: add CHUNK to granularities",
            code="granularity_required",
            param="embedding_space_ids",
        )


def embedder_for(
    space_id: str, role: Literal["document", "query"], modality: Modality, registry: Registry
) -> Provider | None:
    """The embedder of a space for a role and modality, local before external, then by ID; or None."""
    fitting = [
        p
        for p in embedders_of(space_id, registry)
        if role in p.item.declaration.roles and modality in p.item.declaration.modalities
    ]
    return min(
        fitting, key=lambda p: (p.item.declaration.device == "external", p.item.declaration.id), default=None
    )


def embed_batch(
    provider: Provider,
    batch: Sequence[EmbeddingInput],
    *,
    role: Literal["document", "query"],
    deadline: Deadline,
) -> Embedded:
    """Embed with one embedder and check what it answers.

    Raises:
        Unavailable: `embedder_unavailable`: it cannot run, failed, or answered with the wrong shape.
        TimedOut: The embedder heeded the deadline.
    """
    facts = provider.item.declaration
    if provider.state is not State.AVAILABLE:
        raise Unavailable(f"{facts.id}: {provider.reason}; {provider.fix}", code="embedder_unavailable")
    try:
        return _checked(
            provider.item.embed(batch, role=role, deadline=deadline), len(batch), facts.space.dimension
        )
    except (Unavailable, TimedOut, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # an embedder may fail in any way, even by what is no Exception
        raise Unavailable(f"{facts.id} failed: {explain(error)}", code="embedder_unavailable") from error


def _checked(embedded: Embedded, count: int, dimension: int) -> Embedded:
    """Vectors of the shape that is due; a row that is not finite is an error of its item.

    Raises:
        ValueError: They are of another shape, or of no cost.
    """
    values = embedded.values.astype("<f4", copy=False)
    if values.shape != (count, dimension):
        raise ValueError(f"answered {values.shape} where {(count, dimension)} is due")
    errors = {index(row): reason_of(why, UNSAID) for row, why in embedded.errors.items()}
    for row, largest in enumerate(abs(values).max(axis=1).tolist()):
        if not isfinite(largest):
            errors.setdefault(row, "the vector is not finite")
    return Embedded(values, errors, check_cost(embedded.cost_usd, "cost_usd"))


def inputs_by_space(
    space_ids: Sequence[str], progress: Progress, branches: Mapping[int, Branch] | None
) -> dict[str, dict[str, EmbeddingInput]]:
    """What to embed into each space: every chunk; under a router, those on pages whose branch names it."""
    chunks: dict[str, EmbeddingInput] = {}
    pages: dict[str, int] = {}
    for page, drafts in progress.drafts().items():
        for number, draft in enumerate(drafts):
            value = draft.image if draft.text is None else draft.text
            if value is not None:
                chunks[f"p{page}.c{number}"], pages[f"p{page}.c{number}"] = value, page
    return {
        space_id: {
            block_id: value
            for block_id, value in chunks.items()
            if branches is None or space_id in branches[pages[block_id]].embedding_space_ids
        }
        for space_id in space_ids
    }


def embed_chunks(
    inputs: Mapping[str, Mapping[str, EmbeddingInput]],
    registry: Registry,
    failures: Failures,
    constraints: Constraints | None,
    deadline: Deadline,
) -> Vectors:
    """Embed what `inputs_by_space` says, texts and images by the embedder each space has for them.

    A chunk that has no vector is a failure, unless there is nothing in it to embed; so is one whose only
    embedder must not be asked.
    """
    result = Vectors()
    residency = bool(constraints and constraints.data_residency)
    for space_id, chunks in inputs.items():
        for modality in ("text", "image"):
            batch = {i: c for i, c in chunks.items() if isinstance(c, str) == (modality == "text")}
            provider = embedder_for(space_id, "document", modality, registry)
            if not batch or provider is None:
                continue
            facts = provider.item.declaration
            if residency and facts.device == "external":
                errors = dict.fromkeys(range(len(batch)), f"{facts.id} {_FORBIDDEN}")
            else:
                deadline.check()
                embedded = embed_batch(provider, tuple(batch.values()), role="document", deadline=deadline)
                result.cost_usd += embedded.cost_usd
                errors = dict(embedded.errors)
                for row, block_id in enumerate(batch):
                    if row not in errors:
                        vector = Vector(
                            embedding_space_id=space_id,
                            embedder_id=facts.id,
                            modality=modality,
                            values=embedded.values[row].tolist(),
                        )
                        result.by_block.setdefault(block_id, []).append(vector)
                        result.count += 1
            failures.count("embedder", facts.id, "chunk", tuple(batch), _lost(batch, errors, space_id))
    return result


def _lost(batch: Mapping[str, EmbeddingInput], errors: Mapping[int, str], space_id: str) -> dict[str, str]:
    """Why chunks have no vector, by block, but for those in which there is nothing to embed."""
    lost: dict[str, str] = {}
    for row, (block_id, value) in enumerate(batch.items()):
        if row in errors:
            _log.info("%s has no vector in %s: %s", block_id, space_id, errors[row])
            if not isinstance(value, str) or any(map(str.isalnum, value)):
                lost[block_id] = errors[row]
    return lost
