"""What an outcome owes to the moment: refusals, attempts, observers and members, here and in workers."""

import pytest

from indx_core.contracts import EncodeRequestPart
from indx_core.discovery import Registry
from indx_core.errors import SourceError
from indx_core.ports import ObserverDeclaration, SourceContent
from indx_runtime import Engine, Workers
from indx_runtime.hearing import ending
from indx_runtime.incoming import accept
from indx_runtime.losses import give_up
from indx_runtime.progress import (
    Attempt,
    Attempted,
    LeftOut,
    MemberFound,
    Opened,
    ParserFailed,
    Progress,
)


@pytest.fixture(scope="module")
def pool():
    with Workers(1, timeout=2.0, memory=300_000_000) as workers:
        yield workers


@pytest.fixture(params=["here", "in a worker"])
def place(request):
    """The workers of an engine: none, or the pool."""
    return None if request.param == "here" else request.getfixturevalue("pool")


def work(registry, workers, text, **options):
    engine = Engine(registry, workers=workers)
    content = SourceContent.of_bytes(text.encode(), media_type="text/x-fake")
    return engine.work(engine.job(content, EncodeRequestPart(), engine.capabilities(), **options))


@pytest.mark.parametrize(
    ("text", "lapse"),
    [
        ("unopenable", None),
        ("odd-error", None),
        ("own-error", None),
        ("fill-on-open", "lacking"),
        ("fill-and-blame", "lacking"),
        ("too-much-on-open", "ended"),
        ("shared fill", "lacking"),
    ],
)
def test_a_refusal_says_whether_the_document_decided_it(installed, place, text, lapse):
    with pytest.raises(SourceError) as refused:
        work(installed, place, text)
    assert refused.value.lapse == lapse
    assert refused.value.code == "source_unreadable"


def test_a_document_that_ends_its_worker_is_not_said_to_be_refused_for_good(installed, pool):
    with pytest.raises(SourceError) as refused:
        work(installed, pool, "die-on-open")
    assert refused.value.lapse == "ended"


@pytest.mark.parametrize(
    ("line", "lapse", "read_by"),
    [
        ("words", None, "fake-reader"),
        ("scan", None, "fake-ocr"),
        ("fail", None, "fake-ocr"),
        ("fill", "lacking", "fake-ocr"),
        ("be-late", "ended", "fake-ocr"),
    ],
)
def test_a_page_that_another_reader_reads_says_what_the_first_one_owes_to_the_moment(
    installed, place, line, lapse, read_by
):
    progress = work(installed, place, f"fine\n{line}")
    assert progress.read_by == {1: "fake-reader", 2: read_by}
    assert progress.lapse == lapse


@pytest.mark.parametrize("text", ["fine\nhang", "fine\nsegfault", "shared\nsegfault"])
def test_a_page_whose_reader_was_ended_says_so_whoever_reads_it_then(installed, pool, text):
    progress = work(installed, pool, text)
    assert progress.read_by == {1: "fake-reader", 2: "fake-ocr"}
    assert progress.lapse == "ended"


def test_what_lacked_decides_where_another_reader_was_ended(installed, pool):
    assert work(installed, pool, "fill\nsegfault").lapse == "lacking"
    assert work(installed, pool, "segfault\nfill").lapse == "lacking"


def test_a_worker_that_ended_while_it_looked_leaves_nothing_where_the_next_one_finds_all(
    installed, tmp_path, monkeypatch
):
    monkeypatch.setenv("MEETING_POINT", str(tmp_path))
    with Workers(1) as pool:
        assert work(installed, pool, "shared\nend-once\nfine").lapse is None
    assert (tmp_path / "ended").exists()


def test_documents_inside_that_could_not_be_listed_for_want_of_room_may_be_another_time(installed, place):
    progress = work(installed, place, "member a\nmember fill", members=True)
    assert [member.name for member in progress.members] == ["member a", ""]
    assert progress.lapse == "lacking"


def test_a_parser_that_the_moment_kept_from_looking_may_be_asked_another_time(installed, monkeypatch):
    def fill(*_):
        raise OSError(28, "No space left on device")

    parser = installed.find("indx.capabilities", "fake-parser").item
    monkeypatch.setattr(type(parser), "recognise", fill)
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"words", media_type="text/x-fake")
    job = engine.job(content, EncodeRequestPart(signature_detection=True), engine.capabilities())
    progress = engine.work(job)
    assert list(progress.failed_parsers) == ["fake-parser"]
    assert progress.lapse == "lacking"


def test_a_document_that_is_given_up_says_that_its_workers_ended(installed):
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"words", media_type="text/x-fake")
    job = engine.job(content, EncodeRequestPart(), engine.capabilities())
    with pytest.raises(SourceError) as refused:
        give_up(job, Progress(), "it ended 100 workers")
    assert refused.value.lapse == "ended"


# One observer after another


class Opening:
    port_version = 1

    def __init__(self, parts, rank, refusal=None):
        self.declaration = ObserverDeclaration(f"rank-{rank}", ("text/x-fake",), hostile=False, rank=rank)
        self.parts, self.refusal = parts, refusal

    def open(self, source):
        if self.refusal is not None:
            raise self.refusal
        return self.parts.observer().open(source)


@pytest.fixture
def opened(registry_of, parts):
    """Work on a document that these observers open, or refuse, one after another."""

    def run(*refusals):
        observers = [("indx.observers", Opening(parts, n, refusal)) for n, refusal in enumerate(refusals)]
        made = registry_of(*observers, ("indx.capabilities", parts.reader()))
        others = Registry([c for c in made.candidates if c.name != "n0"])  # without the one that opens all
        return work(others, None, "words")

    return run


@pytest.mark.parametrize(
    ("refusal", "lapse"),
    [
        (SourceError("damaged"), None),
        (SourceError("late", lapse="ended"), "ended"),
        (SourceError("not started", lapse="lacking"), "lacking"),
        (OSError(24, "Too many open files"), "lacking"),
    ],
)
def test_what_an_observer_opens_because_the_moment_kept_another_from_it_may_be_opened_by_that(
    opened, refusal, lapse
):
    assert opened(refusal, None).lapse == lapse


@pytest.mark.parametrize(
    ("refusals", "lapse", "told"),
    [
        (("damaged", "not mine"), None, "damaged"),
        (("damaged", ("not started", "lacking")), "lacking", "damaged; not started"),
        (("damaged", "not mine", ("late", "ended")), "ended", "damaged; late"),
        (("damaged", ("late", "ended"), ("not started", "lacking")), "lacking", "damaged; late"),
        ((("no room", "lacking"), "not mine"), "lacking", "no room"),
    ],
)
def test_where_all_refuse_the_first_is_heard_and_what_any_owes_to_the_moment_counts(
    opened, refusals, lapse, told
):
    made = [SourceError(r) if isinstance(r, str) else SourceError(r[0], lapse=r[1]) for r in refusals]
    with pytest.raises(SourceError) as refused:
        opened(*made)
    assert (refused.value.message, refused.value.lapse) == (told, lapse)


# What a worker says


@pytest.mark.parametrize("said", ["for ever", "", 1, ["lacking"], {"lacking": 1}])
def test_a_lapse_that_there_is_none_of_is_not_believed(installed, said):
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"x", media_type="text/x-fake")
    job = engine.job(content, EncodeRequestPart(), engine.capabilities())
    progress = Progress(page_count=1)
    member = work(installed, None, "member a", members=True).members[0]
    attempt = Attempt("fake-reader", 1, "failed", "why", None, 0.0, 0.0, said)
    others = (ParserFailed("p", "why", said), LeftOut("c@1", "why", said))
    for frame in (Attempted(attempt), Opened(1, "fake", False, said), MemberFound(member, said), *others):
        with pytest.raises(ValueError, match="no such lapse"):
            accept(frame, job, progress)


def test_a_lapse_is_all_that_a_refusal_may_say_beside_its_words():
    four = ("SourceError", "text", "source_unreadable", None)
    assert ending("refused", (*four, None)).lapse is None
    assert ending("refused", (*four, "lacking")).lapse == "lacking"
    for more in ((), ("for ever",), ("lacking", "ended"), (["lacking"],)):
        with pytest.raises(ValueError, match=r"lapse|values to unpack"):
            ending("refused", (*four, *more))
