"""`SpectRAGIngestion`: chunks become an index. `rebuild_graph`: its stored signals become another graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from indx_core.deadline import Deadline
from indx_core.errors import ConfigurationError
from indx_core.paths import named
from indx_core.ports import LaneContext, LaneError
from indx_graph.chunks import GraphChunk
from indx_graph.embedding import EmbedFunction, TextEmbedder, choose_embedder, embed_all, probe_of
from indx_graph.graph import Graph, fused_again, make_graph, unit_rows
from indx_graph.nearest import require
from indx_graph.opening import open_graph
from indx_graph.options import SIGNALS, GraphSettings
from indx_graph.saving import Saving
from indx_graph.sources import Gathered, from_folder, from_space, from_texts, gather
from indx_graph.tokens import count_tokens, resolve_tokenizer
from indx_runtime.lanes import LaneChoice, ask_lane
from indx_space.disk import DISK, Disk

if TYPE_CHECKING:
    from indx_core.contracts.space import Space
    from indx_core.discovery import Provider, Registry

__all__ = ["SpectRAGIngestion", "rebuild_graph"]

Rows = npt.NDArray[np.float32]
Progress = Callable[[str, int], object]

_MOST_QUESTIONS: Final = 8
_ENRICHED: Final = 64
_SHOWN: Final = 10
_OF_BUILD: Final = frozenset(
    {
        "embedder",
        "tokenizer",
        "backend",
        "semantic_neighbors",
        "semantic_threshold",
        "entity_weighting",
        "entity_max_share",
        "entity_max_chunks",
        "entity_neighbors",
        "title_mentions",
        "section_scope",
        "section_neighbors",
        "citation_scope",
        "question_neighbors",
        "question_threshold",
        "enricher",
    }
)
"""Settings that stored signals were made with; fusing again cannot change them."""


class SpectRAGIngestion:
    """Makes an index of chunks in a folder.

    Args:
        folder: Where the index goes. What is there is replaced if it is an index, and refused if not.
        settings: How the graph is made.
        embed_fn: Embeds a list of texts, in place of the embedder that the settings name; only its name is
            kept, as `custom:<name>`.
        registry: Where embedders and enrichers are looked for; None for the installed ones.
        progress: Is told each step and how much it has before it.
        disk: What changes files.

    Raises:
        UsageError: The path of the folder is empty.
    """

    def __init__(
        self,
        folder: str | Path,
        settings: GraphSettings | None = None,
        *,
        embed_fn: EmbedFunction | None = None,
        registry: Registry | None = None,
        progress: Progress | None = None,
        disk: Disk = DISK,
    ) -> None:
        """Keep what is given; touch nothing."""
        self.folder = named(folder)
        self.settings = settings or GraphSettings()
        self._embed_fn = embed_fn
        self._registry = registry
        self._progress = progress or (lambda _step, _count: None)
        self._disk = disk

    def ingest(self, source: Any) -> dict[str, Any]:
        """Index an archive or output directory, a folder or ZIP of documents, a knowledge space, or texts.

        Returns:
            The account, as `info.json` holds it.

        Raises:
            IndexError_: `archive_foreign`: the folder holds something else.
            BuildError: Another ingest is at work there, or it cannot be written.
            ConfigurationError: Something that the settings name is not installed.
            UsageError: The source is nothing that can be indexed.
            Unavailable: `embedder_unavailable`.
        """
        return self._run(lambda: gather(source, self._registry, out=self.folder))

    def ingest_space(self, space: Space) -> dict[str, Any]:
        """Index the chunks of a knowledge space; its vectors are used where they are of the same embedder."""
        return self._run(lambda: from_space(space))

    def ingest_folder(self, path: str | Path) -> dict[str, Any]:
        """Index documents in a folder or ZIP, read and cut by the engine."""
        return self._run(lambda: from_folder(path, self._registry, out=self.folder))

    def ingest_texts(self, texts: Iterable[str | Mapping[str, Any]]) -> dict[str, Any]:
        """Index texts, each one chunk; a mapping may say more of it, see `indx_graph.sources.from_texts`."""
        return self._run(lambda: from_texts(texts))

    def _run(self, read: Callable[[], Gathered]) -> dict[str, Any]:
        require(self.settings.backend)
        resolve_tokenizer(self.settings.tokenizer)
        choose_embedder(self.settings.embedder, self._embed_fn, self._registry)
        if self.settings.enricher is not None:
            _enricher(self.settings.enricher, self._registry)
        with Saving(self.folder, disk=self._disk) as saving:
            gathered = read()
            self._progress("read", len(gathered.chunks))
            graph, further = self.build(gathered)
            self._progress("write", len(graph.chunks))
            return saving.write(graph, {"source": gathered.source, **_account(graph), **further})

    def build(self, gathered: Gathered) -> tuple[Graph, dict[str, Any]]:
        """The graph of gathered chunks, and what the account says of how it was made."""
        chunks = gathered.chunks
        embedder = choose_embedder(self._embedder_name(gathered), self._embed_fn, self._registry)
        tokenizer = resolve_tokenizer(self.settings.tokenizer)
        for chunk, count in zip(chunks, count_tokens([c.text for c in chunks], tokenizer), strict=True):
            chunk.tokens = count
        self._progress("embed", len(chunks))
        probe = probe_of(embedder)
        rows = self._rows(gathered, embedder, len(probe))
        enricher, failed = self._ask_enricher(chunks)
        owners = [place for place, chunk in enumerate(chunks) for _ in chunk.utility_questions]
        questions = [one for chunk in chunks for one in chunk.utility_questions]
        self._progress("graph", len(chunks))
        settings = self.settings.replaced(embedder=embedder.name, tokenizer=tokenizer, enricher=enricher)
        graph = make_graph(
            chunks,
            rows,
            settings,
            question_vectors=_table(embed_all(embedder, questions), len(probe)),
            question_owners=np.array(owners, dtype=np.int64),
            probe=probe,
        )
        empty = int((~graph.embeddings.any(axis=1)).sum())
        return graph, {"without_vector": empty, "question_errors": failed}

    def _embedder_name(self, gathered: Gathered) -> str:
        """`auto` takes the vectors that the source brings, where something here embeds like that."""
        name = self.settings.embedder
        if name != "auto" or gathered.space is None or self._embed_fn is not None:
            return name
        try:
            return choose_embedder(gathered.space, registry=self._registry).name
        except ConfigurationError:
            return name

    def _rows(self, gathered: Gathered, embedder: TextEmbedder, width: int) -> Rows:
        """The vector of each chunk: the source's own where it is of this embedder, else made now."""
        texts = [chunk.text for chunk in gathered.chunks]
        declaration = getattr(getattr(embedder, "provider", None), "item", None)
        fingerprint = declaration.declaration.fingerprint if declaration is not None else ""
        same = gathered.space == embedder.name and gathered.fingerprint in ("", fingerprint)
        if not same or gathered.rows.shape != (len(texts), width):
            return _table(embed_all(embedder, texts), width)
        rows = gathered.rows.copy()
        missing = np.flatnonzero(~np.isfinite(rows).all(axis=1)).tolist()
        rows[missing] = _table(embed_all(embedder, [texts[place] for place in missing]), width)
        return unit_rows(rows)

    def _ask_enricher(self, chunks: Sequence[GraphChunk]) -> tuple[str | None, list[str]]:
        """Fill in utility questions. A chunk that gets none goes without, and the first reasons are told."""
        name = self.settings.enricher
        if name is None:
            return None, []
        lane = LaneChoice("enrichment", "chunk", _enricher(name, self._registry))
        texts = [chunk.text for chunk in chunks]
        failed: list[str] = []
        left = list(reversed(chunks))
        self._progress("questions", len(left))
        for items, _ in ask_lane(lane, texts, LaneContext(""), deadline=Deadline(), batch=_ENRICHED):
            for answer in items:
                chunk = left.pop()
                if isinstance(answer, LaneError):
                    failed.append(f"{chunk.id}: {answer.message}")
                    continue
                asked = (answer.questions if answer is not None else None) or ()
                kept = dict.fromkeys(" ".join(one.split()) for one in asked)
                chunk.utility_questions = [one for one in kept if one][:_MOST_QUESTIONS]
            if left:
                self._progress("questions", len(left))
        return name, failed[:_SHOWN]


def _enricher(name: str, registry: Registry | None) -> Provider:
    """An enricher by ID.

    Raises:
        ConfigurationError: `unknown_component`.
    """
    from indx_core.discovery import State, default_registry

    registry = registry or default_registry()
    found = registry.find("indx.enrichers", name)
    if found is not None and found.state is State.AVAILABLE:
        return found
    if found is not None:
        raise ConfigurationError(
            f"enricher {name!r} cannot be used: {found.reason}; {found.fix}", code="unknown_component"
        )
    known = sorted(one for p in registry.usable("indx.enrichers") for one in p.identities)
    raise ConfigurationError(
        f"no enricher {name!r} is installed; there are {', '.join(known) or 'none'}", code="unknown_component"
    )


def _table(rows: Rows, width: int) -> Rows:
    """Rows of the width that is due, also where there is none."""
    return rows if rows.shape[1] == width else np.zeros((len(rows), width), np.float32)


def _account(graph: Graph) -> dict[str, Any]:
    """What `info.json` says of a graph."""
    counts = {name: len(graph.signals[name]) for name in SIGNALS}
    tied = np.unique(graph.edges[:, :2])
    return {
        "documents": len({chunk.doc_id for chunk in graph.chunks}),
        "tokens": sum(chunk.tokens for chunk in graph.chunks),
        "questions": len(graph.question_owners),
        "dimension": int(graph.embeddings.shape[1]),
        "spectral_dims": int(graph.spectral.shape[1]),
        "clusters": len({chunk.cluster for chunk in graph.chunks}),
        "alone": len(graph.chunks) - len(tied),
        "signals": counts,
        "weights": graph.weights,
        "embedder": graph.settings.embedder,
        "tokenizer": graph.settings.tokenizer,
    }


def rebuild_graph(folder: str | Path, *, disk: Disk = DISK, **changes: Any) -> dict[str, Any]:
    """Fuse the stored signals of an index again, under changed settings; nothing is embedded.

    Args:
        folder: The index, which is replaced.
        disk: What changes files.
        **changes: Settings to change, such as `weights`, `weighting`, `normalization`, `sparsify`,
            `max_neighbors`, `spectral_dims`, `clusters`, and all that decide how it is asked.

    Returns:
        The account, as `info.json` holds it.

    Raises:
        ConfigurationError: A setting is unknown or wrong, or decides what is in the stored signals.
        IndexError_: The folder is no index, or damaged.
        BuildError: Another ingest is at work there, or it cannot be written.
    """
    fixed = sorted(changes.keys() & _OF_BUILD)
    if fixed:
        raise ConfigurationError(
            f"{fixed[0]} decides what the stored signals are: ingest again to change it",
            code="invalid_setting",
        )
    with Saving(folder, disk=disk) as saving:
        graph, info, _ = open_graph(saving.folder, signals=True)
        again = fused_again(graph, graph.settings.replaced(**changes))
        kept: dict[str, Any] = {
            name: info[name] for name in ("source", "without_vector", "question_errors") if name in info
        }
        return saving.write(again, {**kept, **_account(again)})
