"""The kit for chunkers."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, get_args

import regex
from hypothesis import strategies as st

from indx_core.ports import (
    BoxReason,
    ChunkDraft,
    ChunkerDeclaration,
    DocumentReading,
    PageReading,
    Session,
)
from indx_core.text import grapheme_floor
from indx_testkit._base import ProviderKit, for_all
from indx_testkit.checks import assert_box, assert_clean, assert_grid, assert_raster, fingerprint, plain
from indx_testkit.samples import document, reading, table
from indx_testkit.strategies import documents

__all__ = ["ChunkerKit", "assert_drafts"]

_REASONS: Final = frozenset(get_args(BoxReason))
_CLUSTER_BOUND: Final = 64
"""Clusters of more characters than this may be cut, as `indx_core.text.grapheme_floor` says."""


def boundaries(text: str) -> set[int]:
    """Where `text` may be cut: between graphemes, beside white space, anywhere in an oversized cluster."""
    places = {0, len(text)}
    for match in regex.finditer(r"\s", text):
        places.update(match.span())
    for match in regex.finditer(r"\X", text):
        start, end = match.span()
        places.update((start, end) if end - start <= _CLUSTER_BOUND else range(start, end + 1))
    return places


def assert_drafts(page: PageReading, drafts: Sequence[ChunkDraft], *, joiner: str = "") -> None:
    r"""All rules of the drafts of one page.

    Args:
        page: The page that was cut.
        drafts: What the chunker made of it.
        joiner: What stands between the spans of a chunk in its text, "" or a line break.
    """
    what = f"page {page.page}"
    cuts = boundaries(page.text)
    owner: dict[int, int] = {}
    for number, draft in enumerate(drafts):
        name = f"{what}: chunk {number}"
        assert type(draft) is ChunkDraft, f"{name} is a {type(draft).__name__}"
        pickle.dumps(draft)  # it is handed over by a worker process
        _assert_body(draft, name)
        _assert_place(draft, name)
        _assert_spans(page.text, draft, cuts, name)
        for start, end in draft.spans:
            for position in range(start, end):
                other = owner.setdefault(position, number)
                assert other == number, f"{name} and chunk {other} both carry offset {position}"
        if draft.text is not None and (draft.layout is None or draft.layout.table is None):
            joined = joiner.join(page.text[start:end] for start, end in draft.spans)
            assert draft.text == joined, f"{name}: text {draft.text!r} is not that of its spans, {joined!r}"
    lost = "".join(
        sign for position, sign in enumerate(page.text) if position not in owner and not sign.isspace()
    )
    assert not lost, f"{what}: no chunk carries {lost[:80]!r}"
    if page.hidden and len(drafts) > 1:  # a chunk that is the whole page has whatever the page has
        _assert_apart(page, drafts, what)


def _assert_apart(page: PageReading, drafts: Sequence[ChunkDraft], what: str) -> None:
    """Hidden text stands in chunks that say so, and nothing else does."""
    hidden = {
        place
        for span in page.hidden
        for place in range(*(grapheme_floor(page.text, bound) for bound in span))
        if not page.text[place].isspace()
    }
    for number, draft in enumerate(drafts):
        own = [place for start, end in draft.spans for place in range(start, end)]
        said = {place in hidden for place in own if not page.text[place].isspace()}
        assert len(said) < 2, f"{what}: chunk {number} has hidden text and shown; use indx_core.hiding.parted"
        assert (draft.box_reason == "hidden") == (True in said), (
            f"{what}: chunk {number} is {draft.box_reason}"
        )


def _assert_body(draft: ChunkDraft, name: str) -> None:
    assert (draft.text is None) != (draft.image is None), f"{name}: set exactly one of text and image"
    if draft.text is not None:
        assert_clean(draft.text, f"{name}: text")
        assert draft.text.strip(), f"{name}: an empty chunk, {draft.text!r}"
    if draft.image is not None:
        assert_raster(draft.image, name)
    for heading in draft.section:
        assert_clean(heading, f"{name}: section")
        assert heading.strip(), f"{name}: an empty heading in section {list(draft.section)!r}"
    layout = draft.layout
    if layout is None:
        return
    assert layout.role in ("paragraph", "table"), f"{name}: role {layout.role!r}"
    assert layout.repeated >= 0, f"{name}: repeated {layout.repeated}"
    if layout.table is not None:
        assert layout.role == "table", f"{name}: a {layout.role} with a table"
        assert layout.repeated <= layout.table.header_rows, f"{name}: {layout.repeated} header rows repeated"
        assert_grid(layout.table, name)


def _assert_place(draft: ChunkDraft, name: str) -> None:
    assert (draft.box is None) != (draft.box_reason is None), f"{name}: set exactly one of box and box_reason"
    if draft.box is not None:
        assert_box(draft.box, name)
    else:
        assert draft.box_reason in _REASONS, f"{name}: box_reason {draft.box_reason!r}"


def _assert_spans(text: str, draft: ChunkDraft, cuts: set[int], name: str) -> None:
    position = 0
    for start, end in draft.spans:
        assert 0 <= start < end <= len(text), f"{name}: span [{start}, {end}) leaves {len(text)} characters"
        assert start >= position, f"{name}: span [{start}, {end}) starts before {position}, where one ended"
        for cut in (start, end):
            around = text[max(0, cut - 4) : cut + 4]
            assert cut in cuts, f"{name}: cuts a grapheme at {cut}, in {around!r}"
        position = end


class ChunkerKit(ProviderKit):
    """Rules of `Chunker`. Declare `samples`: documents as read, of the kind it cuts.

    Attributes:
        samples: Documents as read, made with `indx_testkit.samples.document` or by a reader.
        joiner: What stands between the spans of one chunk in its text.
    """

    declaration_type = ChunkerDeclaration
    samples: ClassVar[Sequence[DocumentReading]]
    joiner: ClassVar[str] = ""

    @property
    def media_type(self) -> str:
        """The media type of generated documents: the first declared."""
        return next(iter(self.declaration.media_types), "text/plain")

    def session(self, document: DocumentReading) -> Session | None:  # noqa: ARG002
        """The open document for a chunker that renders; None by default."""
        return None

    def cut(
        self, chunker: Any, read: DocumentReading, pages: Sequence[int] | None = None
    ) -> Mapping[int, Sequence[ChunkDraft]]:
        """Cut `pages` of `read`, all of them when none are named, and hold the answer to every rule."""
        asked = list(read.pages) if pages is None else list(pages)
        answer: Mapping[int, Sequence[ChunkDraft]] = chunker.chunk(read, self.session(read), asked)
        extra = sorted(set(answer) - set(asked))
        assert not extra, f"chunks for pages {extra} that nobody asked for"
        for page, drafts in answer.items():
            assert_drafts(read.pages[page], drafts, joiner=self.joiner)
        return answer

    def test_its_version_counts_from_one(self) -> None:
        """Versions are counted; a rank orders it; a phrase says what a chunk is."""
        declaration = self.declaration
        assert declaration.version >= 1, f"version {declaration.version}"
        assert declaration.summary.strip(), "no summary"
        assert isinstance(declaration.rank, int)

    def test_its_samples_hold_every_rule(self) -> None:
        """Chunks of the samples carry every character once, and stand where they say."""
        assert self.samples, "declare samples = [document(reading(text)), …]"
        chunker = self.make()
        answers = [self.cut(chunker, sample) for sample in self.samples]
        assert any(any(answer.values()) for answer in answers), "no page of any sample was answered"

    def test_generated_documents_hold_every_rule(self) -> None:
        """So do chunks of random documents of many scripts."""
        chunker = self.make()
        for_all(documents(self.media_type), lambda read: self.cut(chunker, read), examples=50)

    def test_it_cuts_only_the_pages_asked(self) -> None:
        """Pages that another chunker answered stay that one's; asking for none answers none."""
        chunker = self.make()
        for sample in self.samples:
            for page in sample.pages:
                self.cut(chunker, sample, [page])
            assert not chunker.chunk(sample, self.session(sample), []), "chunks for no page"

        def check(value: tuple[DocumentReading, int]) -> None:
            read, page = value
            self.cut(chunker, read, [1 + page % len(read.pages)])

        for_all(st.tuples(documents(self.media_type), st.integers(0, 2)), check, examples=15)

    def test_it_cuts_alike_each_time_and_leaves_the_reading_alone(self) -> None:
        """The same reading gives the same chunks, and comes out as it went in."""
        for sample in self.samples:
            before = [fingerprint(page) for page in sample.pages.values()]
            first = self.cut(self.make(), sample)
            again = self.cut(self.make(), sample)
            assert plain(first) == plain(again), "the same document was cut otherwise the second time"
            assert [fingerprint(page) for page in sample.pages.values()] == before, "it changed the reading"

    def test_it_cuts_alike_in_every_process(self) -> None:
        """No chunk depends on a hash seed, as the order of a set does."""
        for sample in self.samples:
            if self.session(sample) is None:
                self.assert_alike_elsewhere("chunk", sample, None, list(sample.pages))

    def test_it_comes_through_pathological_pages(self) -> None:
        """Endless words, very wide rows, blank pages, one huge cluster: each ends and holds every rule."""
        chunker = self.make()
        wide, grid = table([[f"column {number}" for number in range(400)], ["x" * 30] * 400])
        tall, long_grid = table([["name", "value"], *([f"row {number}", "1"] for number in range(800))])
        small, small_grid = table([["name", "1"], ["a", "2"], ["b", "3"], ["c", "4"]])
        pages: list[PageReading | str] = [
            "",
            "\n" * 500,
            " \n\t\n" * 50,
            "x" * 2000,
            "漢" * 3000,
            "e\u0301" * 1500,
            "👩\u200d👩\u200d👧\u200d👦" * 300,
            "z" + "\u0308" * 500,
            "a\n" * 2000,
            "word " * 3000,
            reading(wide, tables=[grid]),
            reading(tall, tables=[long_grid]),
            reading("x", boxes=[(0.0, 0.0, 0.0, 0.0)]),
            reading("x\ny", boxes=[None, None]),
            reading("only hidden", hidden=["only hidden"]),
            reading("shown and hidden\nhidden\nshown", hidden=["hidden", "hidden"]),
            reading(small, tables=[small_grid], hidden=["2", "b", "3"]),
            reading("H", headings=[("H", 9)]),
        ]
        for page in pages:
            self.cut(chunker, document(page, media_type=self.media_type))
        self.cut(chunker, document(*pages, media_type=self.media_type))
