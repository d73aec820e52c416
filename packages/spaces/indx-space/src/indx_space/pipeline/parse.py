"""Parse: every listed file is read and cut, or found in the cache; documents inside documents as well.

Files are taken in order and their results put in order, whatever finishes first. Types that native code
reads go to worker processes, a bounded number at a time; all others are read here meanwhile.
"""

from __future__ import annotations

import logging
from collections import Counter, deque
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final, NamedTuple

import orjson

from indx_core.contracts.space import Document, Source, document_id
from indx_core.errors import ConfigurationError, IndxError, InputTooLarge, SourceError, TimedOut
from indx_core.lapses import lapse_of
from indx_runtime.settings import WORKER_MEMORY, WORKER_TIMEOUT
from indx_space.cache import cache_key
from indx_space.pipeline.build import describe
from indx_space.pipeline.inside import DEEPEST, Item, attachments, children_of, open_archive
from indx_space.pipeline.known import Known, KnownFiles
from indx_space.pipeline.reading import ARCHIVE
from indx_space.pipeline.records import (
    Record,
    is_record,
    make_record,
    make_refusal,
    parsed_of,
    stands,
    tries_of,
)
from indx_space.pipeline.walk import document_at
from indx_space.walking.archive import Budget
from indx_space.walking.listing import Stamp
from indx_space.walking.names import order

if TYPE_CHECKING:
    from indx_core.ports import SourceContent
    from indx_runtime import Progress
    from indx_space.context import SpaceContext
    from indx_space.pipeline.build import Build

__all__ = ["Parse"]


_log = logging.getLogger("indx.space.parse")
_LEFT: Final = (
    f"%r ended what reads it, or that failed, in %d builds; it is left at what came of that until it, "
    f"what reads it, {WORKER_TIMEOUT.name} or {WORKER_MEMORY.name} changes"
)


class _Pending(NamedTuple):
    item: Item
    content: SourceContent
    stamp: Stamp | None
    future: Future[Progress]


class Parse:
    """Fills `ctx.parsed`; a file that cannot be read at all leaves the documents and is an error entry."""

    name = "Parse"

    def __init__(self, build: Build) -> None:
        self._build = build

    def run(self, ctx: SpaceContext) -> SpaceContext:
        """Read every document the walk listed that is still among the space's documents."""
        run = _Run(self._build, ctx)
        before, skipped = len(ctx.errors), Counter(self._build.report.skipped)
        try:
            run.everything()
        except BaseException:
            run.reader.close(cancel=True)
            raise
        run.reader.close()
        ctx.space.documents_[:] = run.documents()
        self._build.notes.skipped = dict(Counter(self._build.report.skipped) - skipped)
        # What finishes first depends on the machine; what is told of it must not.
        ctx.errors[before:] = sorted(ctx.errors[before:], key=lambda e: (order(e.path), e.code, e.message))
        return ctx


class _Run:
    """One pass over the input."""

    def __init__(self, build: Build, ctx: SpaceContext) -> None:
        self._build, self._ctx = build, ctx
        self.reader = build.take_reader()
        self._known = KnownFiles(build.cache, str(build.root), self.reader.environment)
        self._walked: dict[str, Document] = {d.id: d for d in ctx.space.documents_}
        self._todo: deque[Item] = deque()
        self._pending: deque[_Pending] = deque()
        self._read: dict[str, Document] = {}
        self._done = 0

    def everything(self) -> None:
        """Work until nothing is left to read."""
        entries = [(i, e) for i, e in self._build.entries.items() if i in self._walked]
        self._todo.extend(Item(e.path, e.name, Budget(), entry=e) for _, e in entries)
        while self._todo or self._pending:
            if self._todo and (not self._pending or len(self._pending) < self.reader.window):
                self._begin(self._todo.popleft())
            else:
                self._settle(self._pending.popleft())
        self._known.save()
        self._build.cache.flush()

    def documents(self) -> list[Document]:
        """The documents that were read, in order; those of the walk are the walk's own objects."""
        return sorted(self._read.values(), key=lambda document: order(document.path))

    def _begin(self, item: Item) -> None:
        """Find an item in the cache, or fetch it and start on it."""
        known = item.known
        if known is None and item.entry is not None and not item.again:
            known = self._known.find(item.path, item.entry.stamp)
        if known is not None:
            self._build.notes.files[item.path] = known
            if item.holder is not None:
                item.holder.found(item, known)
            if self._recall(item, known):
                return
        content, stamp = item.content, None
        if content is None:
            if item.entry is None:
                self._failed(item, SourceError("what the cache held of it is gone; build again"))
                return
            try:
                content, stamp = item.entry.source.fetch(self.reader.limit)
                content = content.with_media_type(self.reader.media_type(content))
            except (IndxError, OSError) as error:
                self._failed(item, error, fetched=known is not None)
                return
            self._known.learn(item.path, stamp, content.digest, content.media_type)
            fresh = Known(content.digest, content.media_type, content.size)
            self._build.notes.files[item.path] = fresh
            if item.holder is not None and known is None:
                item.holder.found(item, fresh)
            if self._recall(item, fresh):
                return
        self._start(item, content, stamp)

    def _start(self, item: Item, content: SourceContent, stamp: Stamp | None) -> None:
        if self._expands(content.media_type):
            self._expand(item, content, stamp)
        elif self.reader.isolates(content):
            self._pending.append(_Pending(item, content, stamp, self.reader.submit(content)))
        else:
            try:
                progress = self.reader.read(content)
            except Exception as error:  # whatever a document does to its reader, the others are read
                self._refused(item, content, stamp, error)
            else:
                self._finish(item, content, stamp, progress)

    def _settle(self, pending: _Pending) -> None:
        try:
            progress = self.reader.result(pending.future)
        except Exception as error:  # as above
            self._refused(pending.item, pending.content, pending.stamp, error)
        else:
            self._finish(pending.item, pending.content, pending.stamp, progress)

    def _finish(self, item: Item, content: SourceContent, stamp: Stamp | None, progress: Progress) -> None:
        """Take in what was read, unless the file moved on while its reader looked at it."""
        try:
            if self._moved_on(item, content, stamp):
                item.again = True
                self._todo.appendleft(item)
                return
            record = make_record(progress)
            record["problems"] = []
            inside = attachments(item, progress.members, record, self.reader.media_type)
        except Exception as error:  # nor does it matter to the others what a reader hands over
            self._failed(item, error, fetched=True)
            return
        record["members"] = [reference for reference, _ in inside]
        known = Known(content.digest, content.media_type, content.size)
        self._keep(item, known, record)
        self._build.report.parsed += 1
        self._build.report.cost_usd += record["cost_usd"]
        children = self._adopt(item, known, record)
        for child, (_, data) in zip(children, inside, strict=True):
            child.content = data

    def _moved_on(self, item: Item, content: SourceContent, stamp: Stamp | None) -> bool:
        """Whether a file that was read where it lies is to be read again.

        Raises:
            SourceError: It was read twice, and changed each time.
            FileNotFoundError: It is gone.
        """
        if content.path is None or item.entry is None or item.entry.source.unchanged(stamp):
            return False
        if item.again:
            raise SourceError("the file changed while it was read; build again when it is at rest")
        return True

    def _expand(self, item: Item, content: SourceContent, stamp: Stamp | None) -> None:
        known = Known(content.digest, content.media_type, content.size)

        def done(record: Record) -> None:
            self._keep(item, known, record)

        try:
            config, taken = self._build.config.walk, self._build.taken
            record, items = open_archive(item, content, config, taken, done, self.reader.refusal)
        except (IndxError, OSError) as error:
            self._refused(item, content, stamp, error)
            return
        self._account(item, record)
        self._todo.extendleft(reversed(items))

    def _recall(self, item: Item, known: Known) -> bool:
        """Take an item from the cache, or leave it out because nothing reads it; False: it must be read."""
        if not self.reader.reads(known.media_type) and not self._expands(known.media_type):
            self._build.report.skipped["unsupported"] += 1
            self._error(item.path, "unsupported_media_type", self.reader.refusal(known.media_type))
            self._step(item)
            return True
        record = self._record(known, item.name, item.depth)
        if record is None or not self._complete(record, item.depth):
            return False
        if "refused" in record:
            self._error(item.path, *record["refused"])
            self._step(item)
            return True
        if not record.get("archive"):
            self._build.report.cached += 1
        self._adopt(item, known, record)
        return True

    def _complete(self, record: Record, depth: int) -> bool:
        """Whether everything inside a container can be recalled, so that it need not be opened."""
        for _, name, digest, media_type, size in record["members"] if depth < DEEPEST else ():
            if self._expands(media_type) and depth + 1 >= DEEPEST:
                return False
            if self._expands(media_type) or self.reader.reads(media_type):
                inner = self._record(Known(digest, media_type, size), name, depth + 1)
                if inner is None or not self._complete(inner, depth + 1):
                    return False
        return True

    def _adopt(self, item: Item, known: Known, record: Record) -> list[Item]:
        """Put a document or archive among the results, and what is inside it among what is to do."""
        if not record.get("archive"):
            doc_id = document_id(item.path)
            document = self._walked.get(doc_id) or document_at(item.path, known.size)
            document.size_bytes = known.size
            self._read[doc_id] = document
            source = Source.model_construct(path=document.path, folder=document.folder, type=None)
            self._ctx.parsed[doc_id] = parsed_of(record, source, doc_id, *known)
            for code, message in record["errors"]:
                self._error(item.path, code, message)
        self._account(item, record)
        children = children_of(item, record, self._build.taken)
        self._todo.extendleft(reversed(children))
        return children

    def _account(self, item: Item, record: Record) -> None:
        for path, code, message in record["problems"]:
            self._error(f"{item.path}!/{path}" if path else item.path, code, message)
        self._build.report.skipped.update(record.get("skipped", {}))
        self._step(item)

    def _expands(self, media_type: str) -> bool:
        return media_type == ARCHIVE and not self.reader.reads(media_type)

    def _cache_key(self, known: Known, name: str, depth: int) -> bytes:
        key = self.reader.key(known.digest, known.media_type, name)
        if depth >= DEEPEST:  # the same bytes give up there what elsewhere is taken out of them
            key = cache_key(key, "deepest")
        if self._expands(known.media_type):
            walk = self._build.config.walk
            return cache_key(key, f"{walk.hidden}{walk.gitignore}")
        return key

    def _record(self, known: Known, name: str, depth: int) -> Record | None:
        record = self._kept(self._cache_key(known, name, depth))
        return record if record is not None and stands(record, self.reader.limits) else None

    def _kept(self, key: bytes) -> Record | None:
        value = self._build.cache.get_one(key)
        if value is None:
            return None
        try:
            record = orjson.loads(value)
        except orjson.JSONDecodeError:
            return None
        return record if is_record(record) else None

    def _keep(self, item: Item, known: Known, record: Record) -> None:
        """Remember an outcome, and whether the next build may come to another."""
        key = self._cache_key(known, item.name, item.depth)
        limits, tried = self.reader.limits, self._build.tried
        if record["settled"] and record.get("counted"):
            if key not in tried:  # its copies are read as well
                tried[key] = tries_of(self._kept(key), limits) + 1
            record = {**record, "tries": tried[key], "limits": limits}
            if stands(record, limits):
                _log.warning(_LEFT, item.path, tried[key])
        if record["settled"]:
            self._build.cache.put({key: orjson.dumps(record)})
        if not (record["settled"] and stands(record, limits)):
            self._build.notes.unsettled.add(item.path)

    def _failed(self, item: Item, error: Exception, *, fetched: bool = False, decided: bool = False) -> None:
        if not decided:
            self._build.notes.unsettled.add(item.path)
        code, message = describe(error)
        if item.holder is not None and not fetched:
            item.holder.failed(item, code, message, lapsed=lapse_of(error) is not None)
        self._error(item.path, code, message)
        self._step(item)

    def _refused(self, item: Item, content: SourceContent, stamp: Stamp | None, error: Exception) -> None:
        """Leave a document out; a refusal that its bytes alone decide is remembered with them.

        Raises:
            ConfigurationError: A setting is wrong, which is no document's fault: nothing is built without it.
        """
        if isinstance(error, ConfigurationError):
            raise error
        decided = isinstance(error, SourceError | InputTooLarge | TimedOut)
        at_rest = content.path is None or item.entry is None or item.entry.source.unchanged(stamp)
        decided = decided and at_rest
        if decided:
            known = Known(content.digest, content.media_type, content.size)
            self._keep(item, known, make_refusal(*describe(error), lapse_of(error)))
        self._failed(item, error, fetched=True, decided=decided)

    def _error(self, path: str, code: str, message: str) -> None:
        self._build.error(self._ctx, Parse.name, path, code, message)

    def _step(self, item: Item) -> None:
        if item.depth == 0:
            self._done += 1
            self._build.progress(Parse.name, self._done, len(self._walked), item.path)
