"""Embed: one vector a chunk in one space, batches across documents, answers of earlier builds used again."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from indx_core.deadline import Deadline
from indx_core.errors import Unavailable, explain
from indx_runtime.vectors import embed_batch, embedder_for
from indx_space.cache import cache_key, texts_key
from indx_space.pipeline.components import NONE
from indx_space.pipeline.versions import code_of
from indx_space.vectors import VectorFacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from indx_core.contracts.space import Chunk
    from indx_core.discovery import Provider
    from indx_space.context import SpaceContext
    from indx_space.pipeline.build import Build

__all__ = ["Embed"]

_BATCH: Final = 256
_CHARACTERS: Final = 1_000_000  # of a batch: long chunks make small batches


class Embed:
    """Attaches vectors to chunks; a chunk that cannot be embedded is an error entry and has none."""

    name = "Embed"

    def __init__(self, build: Build) -> None:
        self._build = build

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Embed what the cache does not hold, a document's chunks together."""
        provider = _provider(self._build)
        chunks = list(ctx.space.chunks)
        if provider is None or not chunks:
            return ctx
        import numpy as np

        facts = VectorFacts.of(provider.item.declaration)
        matrix = np.zeros((len(chunks), facts.dim), dtype=np.float32)
        there = np.zeros(len(chunks), dtype=bool)
        groups = _groups(chunks)
        identity = _identity(provider)
        keys = {
            key: cache_key(identity, texts_key([chunks[place].text for place in places]))
            for key, places in groups.items()
        }
        missing = self._recall(groups, keys, matrix, there)
        self._embed(ctx, provider, [place for key in missing for place in groups[key]], matrix, there)
        for key in missing:
            places = groups[key]
            if there[places].all():
                self._build.cache.put({keys[key]: matrix[places].astype("<f4").tobytes()})
        if there.all():
            ctx.space.attach_vectors(matrix, facts)
        elif there.any():
            ids = [chunk.id for chunk, one in zip(chunks, there, strict=True) if one]
            ctx.space.attach_vectors(matrix[there], facts, ids=ids)
        self._build.report.embeddings = int(there.sum())
        return ctx

    @staticmethod
    def identity(build: Build) -> str:
        """What decides the vectors of a text; empty where none are made."""
        provider = _provider(build)
        return _identity(provider) if provider is not None else ""

    def _recall(
        self,
        groups: dict[str, list[int]],
        keys: dict[str, bytes],
        matrix: npt.NDArray[np.float32],
        there: npt.NDArray[np.bool_],
    ) -> list[str]:
        """Take vectors from the cache; what is left is to be embedded."""
        import numpy as np

        known = self._build.cache.get(keys.values())
        missing = []
        for key, places in groups.items():
            value = known.get(keys[key], b"")
            if len(value) == 4 * matrix.shape[1] * len(places):
                matrix[places] = np.frombuffer(value, dtype="<f4").reshape(len(places), -1)
                there[places] = True
            else:
                missing.append(key)
        return missing

    def _embed(
        self,
        ctx: SpaceContext,
        provider: Provider,
        places: Sequence[int],
        matrix: npt.NDArray[np.float32],
        there: npt.NDArray[np.bool_],
    ) -> None:
        chunks, done = ctx.space.chunks, 0
        failed: dict[tuple[str, str, str], list[str]] = {}
        for batch in _batches(chunks, places):
            texts = [chunks[place].text for place in batch]
            try:
                embedded = embed_batch(provider, texts, role="document", deadline=Deadline(None))
            except Unavailable as error:
                for place in batch:
                    chunk = chunks[place]
                    failed.setdefault((chunk.source.path, error.code, explain(error)), []).append(chunk.id)
            else:
                self._build.report.cost_usd += embedded.cost_usd
                kept = [row for row in range(len(batch)) if row not in embedded.errors]
                matrix[[batch[row] for row in kept]] = embedded.values[kept]
                there[[batch[row] for row in kept]] = True
                self._build.report.embedded += len(kept)
                for row, reason in sorted(embedded.errors.items()):
                    chunk = chunks[batch[row]]
                    code = "not_embedded" if any(map(str.isalnum, chunk.text)) else "nothing_to_embed"
                    failed.setdefault((chunk.source.path, code, reason), []).append(chunk.id)
            done += len(batch)
            self._build.progress(self.name, done, len(places), chunks[batch[-1]].source.path)
        sizes = Counter(chunks[place].source.path for place in places)  # of documents, which come whole
        for (path, code, reason), ids in failed.items():
            self._build.error(ctx, self.name, path, code, f"{_without(ids, sizes[path])}: {reason}")


def _without(ids: Sequence[str], size: int) -> str:
    """Which chunks of a document have no vector; alike of all documents that have none."""
    if len(ids) == size:
        return "none of its chunks has a vector"
    which = f"the chunk {ids[0]} has" if len(ids) == 1 else f"{len(ids)} chunks from {ids[0]} on have"
    return f"{which} no vector"


def _provider(build: Build) -> Provider | None:
    """What makes the vectors of a build."""
    space_id = build.config.embed.space
    return None if space_id == NONE else embedder_for(space_id, "document", "text", build.engine.registry)


def _identity(provider: Provider) -> str:
    declaration = provider.item.declaration
    code = (provider.distribution, provider.candidate.version, code_of(provider.distribution))
    return "\0".join(("vectors", declaration.space.id, *code, declaration.id, declaration.fingerprint))


def _groups(chunks: Sequence[Chunk]) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = {}
    for place, chunk in enumerate(chunks):
        groups.setdefault(chunk.doc_id, []).append(place)
    return groups


def _batches(chunks: Any, places: Sequence[int]) -> list[list[int]]:
    """Places in batches that are neither many nor long."""
    batches: list[list[int]] = []
    size = _CHARACTERS
    for place in places:
        length = len(chunks[place].text)
        if size + length > _CHARACTERS or len(batches[-1]) >= _BATCH:
            batches.append([])
            size = 0
        batches[-1].append(place)
        size += length
    return batches
