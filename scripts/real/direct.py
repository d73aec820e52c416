"""The child of `attempts.Direct`: reads each file named on its input by the installed providers."""

from __future__ import annotations

import faulthandler
import json
import resource
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from indx_core.deadline import Deadline
from indx_core.discovery import default_registry
from indx_core.errors import IndxError
from indx_core.ports import ChunkDraft, DocumentReading, PageReading, SourceContent
from indx_runtime.work import observers_for, require_reader
from indx_source.media import recognise
from indx_testkit.checks import assert_reading
from indx_testkit.chunking import assert_drafts

MOST_PAGES, LONGEST = 50, 60_000


def attempt(path: Path, name: str) -> tuple[str, str]:
    """What came of one file."""
    try:
        return "read", read(SourceContent.of_file(path, filename=name))
    except IndxError as error:
        return "refused", f"{error.code}: {error.message}"
    except MemoryError:
        return "unforeseen", "MemoryError"
    except BaseException as error:
        return "unforeseen", f"{type(error).__name__}: {str(error)[:300]}"


def read(source: SourceContent) -> str:
    """Sniff, open, observe, read, draw, cut and list; every answer is held to the rules of its port."""
    registry = default_registry()
    media_type, _ = recognise(source, None, registry)
    require_reader(media_type, registry)
    source = source.with_media_type(media_type)
    with closing(observers_for(media_type, registry)[0].item.open(source)) as session:
        pages = list(range(1, session.page_count + 1))[:MOST_PAGES]
        session.observe()
        read: dict[int, PageReading] = {}
        for provider in registry.usable("indx.capabilities"):
            facts = provider.item.declaration
            if facts.kind == "native" and media_type in facts.media_types:
                read |= {one.page: one for one in provider.item.read(session, pages, deadline=Deadline())}
        for reading in read.values():
            assert_reading(reading)
        for page in pages[:2]:
            session.render(page, dpi=36, max_pixels=1_000_000)
        for _ in islice(session.members(), 100):
            pass
        document = DocumentReading(media_type, source.filename, read)
        for provider in registry.usable("indx.chunkers"):
            facts = provider.item.declaration
            if read and (not facts.media_types or media_type in facts.media_types):
                cut = provider.item.chunk(document, None, list(read))
                hold(read, cut)
    return f"{len(read)} pages"


def hold(read: Mapping[int, PageReading], cut: Mapping[int, Sequence[ChunkDraft]]) -> None:
    """Hold chunks to their rules, on pages that are not too long for that."""
    for page, drafts in cut.items():
        if len(read[page].text) <= LONGEST:
            try:
                assert_drafts(read[page], drafts)
            except AssertionError:  # some chunkers put a line break between the spans of a chunk
                assert_drafts(read[page], drafts, joiner="\n")


def main(timeout: float, memory: int) -> None:
    """Answer a line for each line that comes."""
    resource.setrlimit(resource.RLIMIT_AS, (2 * memory, 2 * memory))
    for line in sys.stdin:
        faulthandler.dump_traceback_later(2 * timeout, exit=True)
        path, name = json.loads(line)
        print(json.dumps(attempt(Path(path), name)), flush=True)
        faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]))
