"""What is remembered of an outcome: never what the moment lacked; what ended a reader, after three builds."""

import errno
import os
import resource
import sys
import textwrap

import pytest

from indx_core.discovery import scan
from indx_runtime import Engine, Workers
from indx_space.pipeline import inside
from indx_space.pipeline.directory import DirectoryPipeline
from indx_space.walking.packed import Budget

FAKES = '''
"""A format whose readers do what a file beside this one says at the moment."""
import errno, os
from pathlib import Path
from indx_core.errors import SourceError, TimedOut
from indx_core.ports import *

TYPE = "text/x-moment"
HERE = Path(__file__).parent

def at(step):
    """Do what goes wrong at a step, if anything does."""
    wrong, _, where = (HERE / "wrong").read_text().partition(" ")
    if step not in where.split("+"): return
    if wrong == "exit": os._exit(3)
    if wrong == "fill": raise OSError(errno.ENOSPC, "No space left on device")
    if wrong == "ask": raise MemoryError
    if wrong == "over": raise TimedOut("its time is over")
    if wrong == "late": raise SourceError("not in its time", lapse="ended")
    if wrong == "raise": raise ValueError("a bad number")
    if wrong == "blame":
        try: raise OSError(errno.EMFILE, "Too many open files")
        except OSError: raise SourceError("it is damaged") from None

class Session:
    def __init__(self, source):
        self.source, self.media_type, self.page_count = source, source.media_type, 1
        self.text = source.read().decode()
    def observe(self): return Observation(self.media_type, [PageEvidence(1, len(self.text))])
    def render(self, page, *, dpi, max_pixels, pixels=True): return None
    def members(self):
        at("members")
        yield Member("inside.md", None, b"words inside")
    def close(self): pass

class Observer:
    port_version = 1
    declaration = ObserverDeclaration("moment", (TYPE,), True)
    def open(self, source):
        with open(HERE / "opened", "a") as opened: opened.write(f"{source.filename}\\n")
        at("open")
        return Session(source)

class Reader:
    port_version = 1
    def __init__(self, id_, kind): self.declaration = CapabilityDeclaration(id_, kind, (TYPE,), hostile=True)
    def availability(self): return None
    def read(self, session, pages, *, deadline):
        at("read" if self.declaration.kind == "native" else "second")
        for page in pages:
            text = f"by {self.declaration.id}"
            starts, ends = line_columns(text)
            yield PageReading(page, text, starts, ends)

class Chunker:
    port_version = 1
    declaration = ChunkerDeclaration("moment", 1, True, (TYPE,), "none", 1)
    def chunk(self, document, session, pages):
        at("chunk")
        return {}

class Sniffer:
    port_version = 1
    declaration = SnifferDeclaration("moment", (TYPE,))
    def sniff(self, head, *, filename, declared):
        return Sniffed(TYPE, "strong") if bytes(head[:6]) == b"MOMENT" else None

def observer(): return Observer()
def sniffer(): return Sniffer()
def chunker(): return Chunker()
def first(): return Reader("first", "native")
def second(): return Reader("second", "ocr")
'''
ENTRY_POINTS = """
[indx.observers]
moment = moment_fakes:observer
[indx.sniffers]
moment = moment_fakes:sniffer
[indx.chunkers]
moment = moment_fakes:chunker
[indx.capabilities]
first = moment_fakes:first
second = moment_fakes:second
"""
PLUGINS = "space-fakes,indx-runtime,moment-fakes"


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """Where the providers of this module are, and what they are told and tell."""
    return tmp_path_factory.mktemp("moment")


@pytest.fixture(scope="module")
def candidates(fakes, here):
    """The fakes of all these tests, and those of this module beside them."""
    folder = here
    (folder / "moment_fakes.py").write_text(textwrap.dedent(FAKES))
    info = folder / "moment_fakes-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: moment-fakes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(ENTRY_POINTS)
    sys.path.insert(0, str(folder))
    yield [c for c in scan() if c.distribution in PLUGINS.split(",")]
    sys.path.remove(str(folder))


@pytest.fixture
def moment(settings, monkeypatch, here):
    """Say what goes wrong from now on: `moment("fill open")`."""
    monkeypatch.setenv("INDX_PLUGINS", PLUGINS)
    (here / "wrong").write_text("")
    return lambda wrong="": (here / "wrong").write_text(wrong)


@pytest.fixture(scope="module")
def pool():
    """A worker for all builds: it is started once the providers are there."""
    with Workers(1) as workers:
        yield workers


@pytest.fixture
def again(registry, pool, here, tmp_path):
    """Build once more with one cache: what was opened, what stands in the chunks, and the codes of errors."""

    def run(root, workers=pool):
        opened = here / "opened"
        opened.write_text("")
        engine = Engine(registry, workers=workers)
        space = DirectoryPipeline(root, engine=engine, cache=tmp_path / "kept").run()
        texts = [chunk.text for chunk in space.chunks if chunk.text != "words inside"]
        return len(opened.read_text().split()), texts, [e["code"] for e in space.metadata["errors"]]

    return run


@pytest.fixture
def root(tree):
    return tree({"a.x": "MOMENT"})


ALL = (["by first"], [])
LACKING = {
    "fill open": ([], ["source_unreadable"]),
    "blame open": ([], ["source_unreadable"]),
    "fill read": (["by second"], []),
    "fill read+second": ([], ["page_unread"]),
    "fill chunk": (["by first"], ["chunker_failed"]),
    "fill members": (["by first"], ["member_unread"]),
}
ENDED = {
    "exit open": ([], ["source_unreadable"]),
    "late open": ([], ["source_unreadable"]),
    "over open": ([], ["deadline_exceeded"]),
    "ask open": ([], ["source_unreadable"]),
    "ask read": (["by second"], []),
    "exit read": (["by second"], []),
    "late read": (["by second"], []),
    "exit members": (["by first"], ["member_unread"]),
    "raise read+second": ([], ["page_unread"]),
    "raise chunk": (["by first"], ["chunker_failed"]),
}


@pytest.mark.parametrize("wrong", LACKING)
def test_what_the_moment_lacked_is_asked_for_by_every_build_until_it_is_there(moment, again, root, wrong):
    for _ in range(4):
        moment(wrong)
        opened, *outcome = again(root)
        assert opened > 0
        assert tuple(outcome) == LACKING[wrong]
    moment()
    assert again(root) == (1, *ALL)
    moment(wrong)
    assert again(root) == (0, *ALL)


@pytest.mark.parametrize("wrong", ENDED)
def test_what_ended_its_reader_is_tried_in_three_builds_and_then_left_at_what_came_of_it(
    moment, again, root, caplog, wrong
):
    moment(wrong)
    said = []
    for _ in range(3):
        opened, *outcome = again(root)
        assert opened > 0
        assert tuple(outcome) == ENDED[wrong]
        said.append([r.getMessage() for r in caplog.records if r.name == "indx.space.parse"])
    assert said[:2] == [[], []]
    assert said[2][0].startswith("'a.x' ended what reads it, or that failed, in 3 builds; it is left at")
    assert again(root) == (0, *ENDED[wrong])
    moment()
    assert again(root) == (0, *ENDED[wrong])


@pytest.mark.parametrize("wrong", ["exit open", "exit read", "late read"])
def test_what_ended_its_reader_once_is_read_by_the_next_build_and_stays_so(moment, again, root, wrong):
    moment(wrong)
    again(root)
    moment()
    assert again(root) == (1, *ALL)
    moment(wrong)
    assert again(root) == (0, *ALL)


@pytest.mark.parametrize("limits", [{"timeout": 77.0}, {"memory": 1_234_567_890}])
def test_under_other_limits_it_is_tried_anew(moment, again, root, limits):
    moment("late open")
    assert [again(root)[0] for _ in range(4)] == [1, 1, 1, 0]
    with Workers(1, **limits) as others:
        assert [again(root, others)[0] for _ in range(4)] == [1, 1, 1, 0]
    moment()
    assert again(root) == (1, *ALL)


def test_under_another_limit_of_address_space_it_is_tried_anew(moment, again, root, monkeypatch):
    """What is refused for want of memory is not left so when whoever set the limit raises it."""
    moment("ask open")
    with monkeypatch.context() as limited:
        limited.setattr(resource, "getrlimit", lambda _: (3_000_000_000, 3_000_000_000))
        assert [again(root)[0] for _ in range(4)] == [1, 1, 1, 0]
    moment()
    assert again(root) == (1, *ALL)


def test_what_a_reader_merely_fails_on_is_settled_where_another_reads_it(moment, again, root):
    moment("raise read")
    assert again(root) == (1, ["by second"], [])
    assert again(root) == (0, ["by second"], [])


def test_copies_of_a_document_are_tried_once_in_a_build(moment, again, tree):
    root = tree({f"{folder}/a.x": "MOMENT" for folder in range(70)})  # more than the cache writes at once
    moment("late open")
    opened = [again(root)[0] for _ in range(4)]
    assert (opened[0], opened[1], opened[3]) == (70, 70, 0)
    assert opened[2] > 0  # what is left at that stands at once for those that come after


def test_a_container_is_opened_while_what_is_inside_may_be_read_another_time(moment, again, tree, zipped):
    root = tree({"pack.zip": zipped({"a.x": "MOMENT"})})
    moment("fill open")
    assert [again(root)[0] for _ in range(4)] == [1, 1, 1, 1]
    moment("late open")
    assert [again(root)[0] for _ in range(4)] == [1, 1, 1, 0]


def test_a_build_is_amended_once_it_is_left_and_under_other_limits_everything_is_looked_at(
    moment, root, pipeline, tmp_path, monkeypatch
):
    (root / "b.md").write_text("words of b, at length")
    moment("exit read")

    def write():
        made = pipeline(root, tmp_path / "out", cache=tmp_path / "kept", jobs=1)
        report = made.write()
        return "Amend" in report.seconds, report.parsed

    assert [write() for _ in range(4)] == [(False, 3), (False, 1), (False, 1), (True, 0)]
    monkeypatch.setenv("INDX_WORKER_TIMEOUT_SECONDS", "77")
    assert write() == (False, 1)


# Beside the readers


@pytest.mark.parametrize("name", ["pack.zip", "pack.tar"])
def test_an_archive_that_is_refused_is_not_opened_again_and_keeps_no_build_from_being_amended(
    moment, root, pipeline, tmp_path, monkeypatch, zipped, name
):
    (root / "b.md").write_text("words of b, at length")
    whole = zipped({"c.md": "words of c"})
    (root / name).write_bytes(whole[:40] if name == "pack.zip" else b"")
    opened = []
    open_archive = inside.open_archive
    monkeypatch.setattr(
        "indx_space.pipeline.parse.open_archive", lambda *a: (opened.append(name), open_archive(*a))[1]
    )

    def write():
        report = pipeline(root, tmp_path / "out", cache=tmp_path / "kept", jobs=1).write()
        return len(opened), "Amend" in report.seconds, [error.path for error in report.errors]

    assert [write() for _ in range(2)] == [(1, False, [name]), (1, True, [name])]
    (root / name).write_bytes(whole)
    assert write() == (2, False, [])


@pytest.mark.parametrize("inside_of", ["nothing", "another"])
def test_an_archive_of_too_many_entries_is_opened_again_only_where_others_share_its_bounds(
    moment, tree, pipeline, tmp_path, monkeypatch, zipped, inside_of
):
    monkeypatch.setattr(Budget.__init__, "__defaults__", (3, 4_294_967_296))
    content = zipped({f"{n}.md": f"words of {n}, at length" for n in range(5)})
    root = tree({"pack.zip": content if inside_of == "nothing" else zipped({"inner.zip": content})})

    def write():
        report = pipeline(root, tmp_path / "out", cache=tmp_path / "kept", jobs=1).write()
        return "Amend" in report.seconds, [error.code for error in report.errors]

    assert [write() for _ in range(2)] == [
        (False, ["too_many_members"]),
        (inside_of == "nothing", ["too_many_members"]),
    ]


def test_what_is_inside_a_document_beyond_its_bounds_is_settled_where_no_other_shares_them(
    moment, again, root, tree, zipped, monkeypatch
):
    monkeypatch.setattr(Budget.__init__, "__defaults__", (0, 4_294_967_296))
    assert again(root) == (1, ["by first"], ["too_many_members"])
    assert again(root) == (0, ["by first"], ["too_many_members"])


def test_an_entry_that_could_not_be_taken_out_for_want_of_room_is_taken_out_by_the_next_build(
    moment, again, tree, zipped, monkeypatch
):
    root = tree({"pack.zip": zipped({"a.x": "MOMENT", "b.md": "words of b"})})
    with monkeypatch.context() as full:

        def fill(*_):
            raise OSError(errno.ENOSPC, "No space left on device")

        full.setattr("indx_space.walking.packed.Budget.spend", fill)
        assert again(root) == (0, [], ["source_unreadable"] * 2)
    assert again(root) == (1, ["by first", "words of b"], [])


def test_a_document_that_cannot_be_spooled_for_want_of_room_is_read_by_the_next_build(
    moment, again, tree, monkeypatch
):
    def fill(**_):
        raise OSError(errno.ENOSPC, "No space left on device")

    root = tree({"a.x": "MOMENT" + "." * 70_000})
    with monkeypatch.context() as full:
        full.setattr("indx_runtime.workers.tempfile.TemporaryFile", fill)
        assert again(root) == (0, [], ["internal_error"])
    assert again(root) == (1, *ALL)


@pytest.mark.parametrize("name", ["a.x", "pack.zip"])
def test_a_file_that_cannot_be_opened_for_want_of_files_costs_the_build_nothing_else(
    moment, again, tree, zipped, monkeypatch, name
):
    large = os.urandom(1_100_000)  # it stays where it is, and is mapped to be recognised
    content = b"MOMENT" + large.hex().encode() if name == "a.x" else zipped({"a.x": "MOMENT", "b.bin": large})
    root = tree({name: content, "c.md": "words of c"})
    with monkeypatch.context() as full:

        def fill(*_, **__):
            raise OSError(errno.EMFILE, "Too many open files")

        full.setattr("indx_core.ports.sources.mmap.mmap", fill)
        assert again(root) == (0, ["words of c"], ["internal_error"])
    assert again(root)[:2] == (1, ["by first", "words of c"] if name == "a.x" else ["words of c", "by first"])
