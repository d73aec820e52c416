"""Who helps with a document, told page by page what to look at: a stand-in says what a worker may say."""

import pytest

from indx_core.contracts import EncodeRequestPart
from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_runtime import Engine, Workers
from indx_runtime.helping import Help
from indx_runtime.process import WorkerEnded
from indx_runtime.progress import Found, LeftOut, Opened, Progress


class Told:
    """Stands for a process: says given frames, and keeps what it is told."""

    def __init__(self, *frames):
        self.frames, self.told, self.number, self.ended = frames, [], 3, False
        self.refusal, self.last_words = None, ""

    def tell(self, number, page, packed=b""):
        self.told.append((number, page, packed))

    def run(self, job, progress, deadline, on_frame, enough):
        assert job.helps
        if enough():
            return
        for frame in self.frames:
            on_frame(frame)
        if self.refusal:
            raise self.refusal

    def end(self):
        self.ended = True


def help_for(installed, lead, pages, crowded=lambda: False):
    engine = Engine(installed)
    content = SourceContent.of_bytes(b"shared", media_type="text/x-fake")
    job = engine.job(content, EncodeRequestPart(), engine.capabilities())
    return Help(lead, job, Progress(page_count=pages), crowded)


def test_pages_are_asked_for_from_the_last_on_and_what_is_found_goes_to_who_has_the_document(installed):
    lead = Told()
    helper = Told(Opened(3, "d", shared=True), Found(3, b"c"), Found(1, b""), Found(2, b"b"))
    help_for(installed, lead, 3).by(helper)
    assert lead.told == [(3, 3, b"c"), (3, 2, b"b")]
    assert [page for _, page, _ in helper.told] == [3, 2, 1, 0]
    assert not helper.ended


@pytest.mark.parametrize(
    "frames",
    [
        [Opened(40, "d", shared=True)],
        [Opened(30, "d")],
        [Opened(30, "d", shared=True), Opened(30, "d", shared=True)],
        [Found(30, b"before it is open")],
        [Opened(30, "d", shared=True), Found(1, b"not asked for")],
        [Opened(30, "d", shared=True), Found(0, b"no page")],
        [Opened(30, "d", shared=True), Found(30, b"once"), Found(30, b"twice")],
        [Opened(30, "d", shared=True), Found(30, "text")],
        [Opened(30, "d", shared=True), LeftOut("c", "not asked")],
        ["rubbish"],
    ],
    ids=str,
)
def test_who_says_what_no_helper_says_is_ended_and_no_more_of_it_believed(installed, frames):
    lead, helper = Told(), Told(*frames)
    help_ = help_for(installed, lead, 30)
    with pytest.raises(WorkerEnded, match="no worker that helps"):
        help_.by(helper)
    assert helper.ended
    assert lead.told in ([], [(3, 30, b"once")])
    help_.wait()


@pytest.fixture
def pool():
    """One that starts no process."""
    with Workers(2) as workers:
        yield workers


@pytest.fixture
def offered(pool, monkeypatch):
    """The help that a pool offers again, and the stand-in that it has do the helping."""
    helper, found = Told(), []
    monkeypatch.setattr(pool, "_for_help", lambda _: helper)
    monkeypatch.setattr(pool, "_give_back", lambda _: None)
    monkeypatch.setattr(pool, "_offer", found.append)
    return found, helper


@pytest.mark.parametrize("crowded", [[1], [0, 1], [0, 0, 1], [0, 0, 0, 1, 1]])
def test_help_that_a_document_hindered_for_a_moment_is_offered_again(installed, pool, offered, crowded):
    found, helper = offered
    helper.frames = [Opened(30, "d", shared=True)]
    moments = iter(crowded)
    help_ = help_for(installed, Told(), 30, lambda: bool(next(moments, 0)))
    pool._help(help_)
    assert (found, helper.ended) == ([help_], False)
    assert [page for _, page, _ in helper.told] in ([], [0], [30, 0])


@pytest.mark.parametrize("refusal", [SourceError("not here"), RuntimeError("an accident"), None])
def test_who_cannot_help_or_leaves_before_it_is_told_to_is_not_asked_again(installed, pool, offered, refusal):
    found, helper = offered
    helper.frames, helper.refusal = [Opened(30, "d", shared=True)], refusal
    pool._help(help_for(installed, Told(), 30))
    assert (found, helper.ended) == ([], not isinstance(refusal, SourceError))
