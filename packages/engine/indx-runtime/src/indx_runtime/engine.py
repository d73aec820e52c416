"""`Engine`: plan, encode and embed, composed of the steps on a document and what follows them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from indx_core import settings as core_settings
from indx_core.collector import collecting_seldom
from indx_core.contracts import (
    Component,
    EmbedRequest,
    EmbedResult,
    EncodeRequest,
    EncodeRequestPart,
    EncodeResult,
    InlineSource,
    PlanRequest,
    PlanRequestPart,
    PlanResult,
    Snapshot,
    UriSource,
    Vector,
)
from indx_core.deadline import Deadline
from indx_core.discovery import Registry, default_registry
from indx_core.errors import ConfigurationError, InvalidRequest, SourceError, echoing
from indx_core.ports import LaneContext
from indx_routing import DEFAULT_ECONOMICS, Economics, parse_economics
from indx_runtime import settings
from indx_runtime.agreement import bind, components, known_before, parts, require_read, under_plan
from indx_runtime.annotating import annotate, detect_languages
from indx_runtime.asking import check_embed, check_encode, check_plan
from indx_runtime.assembling import (
    Assembly,
    build_blocks,
    build_trace,
    build_usage,
    check_size,
    page_texts,
    texts_of,
)
from indx_runtime.chunking import deployment_chunkers
from indx_runtime.failures import left_out
from indx_runtime.following import follow
from indx_runtime.inventory import Inventory
from indx_runtime.progress import DocumentJob, Progress
from indx_runtime.routers import about, check_router, spaces_of
from indx_runtime.snapshots import SnapshotShelf
from indx_runtime.vectors import Vectors, embed_batch, embed_chunks, embedder_for, inputs_by_space
from indx_runtime.watching import Watchers
from indx_runtime.work import is_hostile, is_large, require_reader, work_on
from indx_source import SETTINGS as SOURCE_SETTINGS
from indx_source import Resolved, resolve

if TYPE_CHECKING:
    from indx_core.contracts import ChunkerRef, ResolvedRouter
    from indx_core.hooks import Hooks
    from indx_core.ports import EmbeddingInput, SourceContent
    from indx_runtime.routers import RoutedLanes
    from indx_runtime.workers import Workers

__all__ = ["Engine"]

_log = logging.getLogger("indx.engine")
_LOOKED_AT: Final = 100_000  # new objects; the blocks of a document stay, and none of them are cycles


class Engine:
    """Plans and encodes documents with what is installed.

    Args:
        registry: What is installed; this process's own by default.
        workers: Where documents that ask for it are worked on; without, everything runs in this process.
        hooks: Who is told what capabilities did; the installed hooks by default.
        clock: The monotonic clock, in seconds.

    Raises:
        ConfigurationError: A setting of the engine is wrong, INDX_CHUNKERS names something that is not
            installed, or a file a setting names is wrong.
    """

    def __init__(
        self,
        registry: Registry | None = None,
        *,
        workers: Workers | None = None,
        hooks: Hooks | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Check the deployment's settings; load only what that needs."""
        self.registry = default_registry() if registry is None else registry
        self.workers = workers
        self._clock = clock
        self._shelf = SnapshotShelf()
        self._inventory = Inventory(self.registry)
        self._watchers = Watchers(self.registry, hooks)
        for setting in (*core_settings.SETTINGS, *SOURCE_SETTINGS, *settings.SETTINGS):
            setting.get()
        if settings.CHUNKERS.is_set():
            deployment_chunkers(self.registry)
        self._prices = self._read_prices()

    def capabilities(self, snapshot_id: str | None = None) -> Snapshot:
        """The current snapshot, or a retained one by ID.

        Raises:
            NotFound: `snapshot_not_found`: no snapshot with that ID is retained.
        """
        current = self._inventory.now()
        self._shelf.keep(current)
        return current if snapshot_id is None else self._shelf.find(snapshot_id, current)

    def plan(
        self,
        request: PlanRequest,
        *,
        deadline: Deadline | None = None,
        routing: ResolvedRouter | None = None,
    ) -> PlanResult:
        """Decide how a document would be read, without reading it.

        Args:
            request: What is asked.
            deadline: The time it has; by default that of the settings.
            routing: The router it names, as a workspace resolved it.

        Raises:
            IndxError: Any refusal of the contract, in its order.
        """
        with echoing(request.request_id), collecting_seldom(_LOOKED_AT):
            return self._plan(request, deadline or self.deadline(), routing)

    def _plan(self, request: PlanRequest, deadline: Deadline, routing: ResolvedRouter | None) -> PlanResult:
        snapshot = self._inventory.now()
        routed = check_router(request, routing, self.registry)
        check_plan(request, snapshot, self.registry)
        resolved = self._resolve(request.source)
        deadline.check()
        facts = known_before(resolved)
        job = self.job(resolved.content, request, snapshot, execute=False, routed=routed, facts=facts)
        progress = self.work(job, deadline)
        assert progress.plan is not None
        self._shelf.keep(snapshot)
        observer = Component(role="observer", distribution=progress.observer or "")
        return PlanResult(plan=progress.plan, components=(*components(resolved), observer))

    def encode(
        self,
        request: EncodeRequest,
        *,
        deadline: Deadline | None = None,
        routing: ResolvedRouter | None = None,
    ) -> EncodeResult:
        """Read a document into blocks, by a plan given or made.

        A plan that is given decides: blocks and vectors are those it names.

        Args:
            request: What is asked.
            deadline: The time it has; by default that of the settings.
            routing: The router it names, as a workspace resolved it.

        Raises:
            IndxError: Any refusal of the contract, in its order.
        """
        with echoing(request.request_id), collecting_seldom(_LOOKED_AT):
            return self._encode(request, deadline or self.deadline(), routing)

    def _encode(
        self, request: EncodeRequest, deadline: Deadline, routing: ResolvedRouter | None
    ) -> EncodeResult:
        started = self._clock()
        snapshot = self._inventory.now()
        routed = check_router(request, routing, self.registry)
        request = under_plan(request)
        lanes = check_encode(request, snapshot, self.registry)
        resolved = self._resolve(request.source)
        deadline.check()
        bind(request.plan, resolved, snapshot, routed.routing if routed else None)
        job = self.job(resolved.content, request, snapshot, routed=routed, facts=known_before(resolved))
        context = LaneContext(resolved.content.media_type, resolved.content.filename)
        followed = follow(job, routed, self.work, context, deadline)
        progress, notes, branches = followed.progress, followed.notes, followed.branches
        assert progress.plan is not None
        plan = progress.plan.model_copy(update={"request_id": request.request_id})
        if plan.status == "ready":
            require_read(plan, progress)
        if "CHUNK" in plan.granularities:
            check_size(progress)
        annotate(lanes, texts_of(progress), context=context, deadline=deadline, notes=notes)
        detect_languages(self.registry, page_texts(progress), notes, deadline=deadline)
        vectors = Vectors()
        if plan.status == "ready":
            inputs = inputs_by_space(plan.embedding_space_ids, progress, branches)
            vectors = embed_chunks(inputs, self.registry, notes.failures, request.constraints, deadline)
        self._shelf.keep(snapshot)
        assembly = Assembly(plan, resolved, request.metadata or {}, notes.metadata, vectors.by_block)
        blocks = build_blocks(progress, assembly)
        latency = round((self._clock() - started) * 1000)
        cost = sum(a.cost_usd for a in progress.attempts) + notes.cost_usd + vectors.cost_usd
        took_part = (*components(resolved), *parts(progress, notes))
        return EncodeResult(
            request_id=request.request_id,
            plan=plan,
            blocks=blocks,
            embedding_spaces=tuple(s for s in snapshot.embedding_spaces if s.id in plan.embedding_space_ids),
            trace=build_trace(
                plan,
                progress,
                took_part,
                cost_usd=cost,
                latency_ms=latency,
                branches=branches,
                failures=(*left_out(progress), *notes.failures.told()),
            ),
            usage=build_usage(progress, blocks, vectors.count, cost_usd=cost, latency_ms=latency),
        )

    def embed(self, request: EmbedRequest, *, deadline: Deadline | None = None) -> EmbedResult:
        """Embed a query text or image into one space.

        Raises:
            InvalidEmbeddingSpace: `unknown_embedding_space`, or `no_query_embedder` for the input's kind.
            Unavailable: `embedder_unavailable`.
        """
        with echoing(request.request_id):
            return self._embed(request, deadline or self.deadline())

    def _embed(self, request: EmbedRequest, deadline: Deadline) -> EmbedResult:
        snapshot = self._inventory.now()
        space, provider = check_embed(request, snapshot, self.registry)
        item = self._embed_input(request, snapshot, deadline)
        deadline.check()
        embedded = embed_batch(provider, (item,), role="query", deadline=deadline)
        if embedded.errors:
            raise InvalidRequest(f"the input cannot be embedded: {embedded.errors[0]}", param="input")
        name = provider.item.declaration.id
        vector = Vector(
            embedding_space_id=space.id,
            embedder_id=name,
            modality="text" if request.input.type == "text" else "image",
            values=embedded.values[0].tolist(),
        )
        return EmbedResult(
            embedding_space=space,
            embedder=next(e for e in space.embedders if e.id == name),
            vectors=(vector,),
            request_id=request.request_id,
        )

    # The steps, for callers that compose them differently.

    def job(
        self,
        content: SourceContent,
        request: PlanRequestPart,
        snapshot: Snapshot,
        *,
        execute: bool = True,
        render: bool = True,
        members: bool = False,
        routed: RoutedLanes | None = None,
        facts: Mapping[str, str] | None = None,
    ) -> DocumentJob:
        """What to do with one document: observe and plan it, and, with `execute`, read and cut it.

        Args:
            content: The bytes under their media type.
            request: What was asked; an `EncodeRequestPart` may name a plan and chunkers.
            snapshot: What is installed, from `capabilities()`.
            execute: Whether to read after planning.
            render: Whether chunkers may render pages that nothing reads as text.
            members: Whether the documents inside are wanted.
            routed: The router it follows, once it is checked.
            facts: What is known of the document before it is opened, as reasons of its plan.
        """
        spaces = request.embedding_space_ids if routed is None else spaces_of(routed.routing)
        encode = request if isinstance(request, EncodeRequestPart) else None
        chunkers = None
        if execute and "CHUNK" in request.granularities:
            named = encode.chunking.chunkers if encode and encode.chunking else ()
            chunkers = (*named, *self._deployment_order())
        return DocumentJob(
            content=content,
            request=PlanRequestPart(**{n: getattr(request, n) for n in PlanRequestPart.model_fields}),
            snapshot=snapshot,
            economics=self.economics(),
            facts=facts or {},
            plan=encode.plan if encode else None,
            execute=execute,
            chunkers=chunkers,
            render=render,
            pixels=any(embedder_for(space, "document", "image", self.registry) for space in spaces),
            members=members,
            floor=settings.VALIDATION_MIN_CONFIDENCE.get(),
            page_limit=core_settings.MAX_PAGES.get(),
            routing=None if routed is None else about(routed.routing, content.digest),
        )

    def work(
        self, job: DocumentJob, deadline: Deadline | None = None, progress: Progress | None = None
    ) -> Progress:
        """Do a job: in a worker when there are workers and the type asks for one, else here.

        Args:
            job: What to do.
            deadline: The time it has.
            progress: Where an earlier visit to the document left off.

        Raises:
            UnsupportedMediaType: Nothing installed reads the type.
            SourceError: The document cannot be opened.
            TimedOut: The deadline passed between attempts.
        """
        limit = deadline or Deadline(None)
        require_reader(job.content.media_type, self.registry, pictured=job.picture)
        progress = Progress() if progress is None else progress
        told = len(progress.attempts)
        try:
            media_type, size = job.content.media_type, job.content.size
            if self.workers is not None and (is_large(size) or is_hostile(media_type, self.registry)):
                progress = self.workers.run(job, limit, progress)
            else:
                for frame in work_on(job, progress, self.registry, limit):
                    progress.apply(frame)
        finally:  # what was attempted before the work was given up was attempted all the same
            self._watchers.attempted(progress, since=told)
        return progress

    def watched(self, progress: Progress) -> None:
        """Tell those who watch of every attempt on a document that was given to workers past this engine."""
        self._watchers.attempted(progress)

    def notify(self, hook: str, **arguments: Any) -> None:
        """Tell those who watch this engine of what a host did with it."""
        self._watchers.notify(hook, **arguments)

    def deadline(self) -> Deadline:
        """The time a request has (INDX_REQUEST_TIMEOUT_SECONDS), counted from now; a host may cancel it."""
        return Deadline(settings.REQUEST_TIMEOUT.get(), clock=self._clock)

    def economics(self) -> Economics:
        """The operator's prices as they stand now; while their file is wrong, those that were right last."""
        try:
            self._prices = self._read_prices()
        except ConfigurationError as error:
            _log.warning("%s; the prices before it stay in force", error.message)
        return self._prices

    def _read_prices(self) -> Economics:
        path = settings.ROUTING_ECONOMICS.get()
        if path is None:
            return DEFAULT_ECONOMICS
        try:
            text = path.read_text("utf-8")
        except (OSError, ValueError) as error:
            message = f"{settings.ROUTING_ECONOMICS.name}: cannot be read ({type(error).__name__})"
            raise ConfigurationError(message, code="invalid_economics") from None
        return parse_economics(text, origin=settings.ROUTING_ECONOMICS.name)

    def _deployment_order(self) -> tuple[ChunkerRef, ...]:
        """INDX_CHUNKERS as it stands now; what became wrong since the start is logged and passed over."""
        try:
            return deployment_chunkers(self.registry)
        except ConfigurationError as error:
            _log.warning("%s", error.message)
            return ()

    def _resolve(self, source: UriSource | InlineSource) -> Resolved:
        resolved = resolve(source, self.registry)
        require_reader(resolved.content.media_type, self.registry, facts=known_before(resolved))
        return resolved

    def _embed_input(self, request: EmbedRequest, snapshot: Snapshot, deadline: Deadline) -> EmbeddingInput:
        """The query text, or the query image as pixels."""
        query = request.input
        if query.type == "text":
            return query.text
        source: UriSource | InlineSource
        if query.type == "uri":
            source = UriSource(uri=query.uri)
        else:
            source = InlineSource(data=query.data, media_type=query.media_type)
        content = resolve(source, self.registry).content
        deadline.check()
        job = replace(self.job(content, PlanRequestPart(), snapshot, execute=False), picture=True)
        picture = self.work(job, deadline).picture
        if picture is None:
            message = (
                f"{content.media_type[:200]} shows no image to embed; send one as PNG or JPEG, or a text"
            )
            raise SourceError(message, param="input")
        return picture
