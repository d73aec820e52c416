"""The rules of chunkers bite."""

import itertools
from dataclasses import replace

import pytest

from indx_core.hiding import parted
from indx_core.ports import Cell, ChunkDraft, ChunkerDeclaration, ChunkLayout, Raster, Table
from indx_testkit import ChunkerKit
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import document, picture, reading

TEXT = "one two\nthree e\u0301 four"
DECLARATION = ChunkerDeclaration("lines", 1, True, (), "a line")


def nowhere(self):
    """No other process asks these providers: test_other_processes.py has its own."""


class LineChunker:
    port_version = 1
    declaration = DECLARATION

    def chunk(self, document, session, pages):
        return {page: self.page(document.pages[page]) for page in pages}

    def page(self, read):
        spans = zip(read.line_starts, read.line_ends, strict=True)
        drafts = [
            ChunkDraft(read.text[start:end], spans=((start, end),), box_reason="no_geometry")
            for start, end in spans
            if read.text[start:end].strip()
        ]
        return parted(read, drafts)


class LineChunkerKit(ChunkerKit):
    factory = staticmethod(LineChunker)
    importable_factory = nowhere
    module = "indx_core.ports"
    samples = (document(TEXT, "second page"),)


class TestLineChunker(LineChunkerKit):
    pass


def kit(**changes):
    provider = type("Changed", (LineChunker,), changes)
    return type("Kit", (LineChunkerKit,), {"factory": staticmethod(provider)})


def drafts(change):
    """A chunker that changes each draft of the line chunker."""
    return kit(page=lambda self, read: [change(one) for one in LineChunker.page(self, read)])


SAMPLES = "test_its_samples_hold_every_rule"
GENERATED = "test_generated_documents_hold_every_rule"
PATHOLOGICAL = "test_it_comes_through_pathological_pages"
ASKED = "test_it_cuts_only_the_pages_asked"
ALIKE = "test_it_cuts_alike_each_time_and_leaves_the_reading_alone"
counter = itertools.count()


def every_page(self, document, session, pages):
    return LineChunker.chunk(self, document, session, list(document.pages))


def by_hundreds(self, read):
    text = read.text
    drafts = [
        ChunkDraft(
            text[start : start + 100], spans=((start, min(len(text), start + 100)),), box_reason="no_geometry"
        )
        for start in range(0, len(text), 100)
        if text[start : start + 100].strip()
    ]
    return parted(read, drafts)


def spoils(self, read):
    made = LineChunker.page(self, read)
    read.confidence = 0.5
    return made


def mixes(self, read):
    return LineChunker.page(self, replace(read, hidden=()))


def recursive(self, read):
    if len(read.text) > 1000:
        raise RecursionError("too deep")
    return LineChunker.page(self, read)


@pytest.mark.parametrize(
    ("made", "rule", "reason"),
    [
        (kit(chunk=every_page), ASKED, "nobody asked for"),
        (kit(chunk=lambda self, document, session, pages: {}), SAMPLES, "no page of any sample"),
        (drafts(lambda one: replace(one, text=one.text.upper())), SAMPLES, "not that of its spans"),
        (drafts(lambda one: replace(one, text=None)), SAMPLES, "exactly one of text and image"),
        (drafts(lambda one: replace(one, image=picture())), SAMPLES, "exactly one of text and image"),
        (drafts(lambda one: replace(one, box=(0, 0, 1, 1))), SAMPLES, "exactly one of box"),
        (drafts(lambda one: replace(one, box_reason=None)), SAMPLES, "exactly one of box"),
        (drafts(lambda one: replace(one, box_reason="lost")), SAMPLES, "lost"),
        (drafts(lambda one: replace(one, box_reason=None, box=(0, 0, 2, 1))), SAMPLES, "leaves 0..1"),
        (drafts(lambda one: replace(one, section=("A", " "))), SAMPLES, "empty heading"),
        (drafts(lambda one: replace(one, spans=((0, 999),))), SAMPLES, "leaves"),
        (drafts(lambda one: replace(one, spans=())), SAMPLES, "not that of its spans"),
        (drafts(lambda one: replace(one, layout=ChunkLayout("list"))), SAMPLES, "role 'list'"),
        (drafts(lambda one: replace(one, layout=ChunkLayout("table", None, -1))), SAMPLES, "repeated -1"),
        (drafts(str), SAMPLES, "is a str"),
        (kit(page=lambda self, read: LineChunker.page(self, read)[:1]), SAMPLES, "no chunk carries"),
        (kit(page=lambda self, read: LineChunker.page(self, read) * 2), SAMPLES, "both carry"),
        (kit(page=by_hundreds), GENERATED, "cuts a grapheme"),
        (kit(page=by_hundreds), PATHOLOGICAL, "cuts a grapheme"),
        (kit(page=recursive), PATHOLOGICAL, "RecursionError"),
        (kit(page=mixes), PATHOLOGICAL, "hidden text and shown"),
        (drafts(lambda one: replace(one, box_reason="no_geometry")), PATHOLOGICAL, "is no_geometry"),
        (drafts(lambda one: replace(one, box_reason="hidden")), PATHOLOGICAL, "is hidden"),
        (drafts(lambda one: replace(one, section=(f"{next(counter)}",))), ALIKE, "otherwise the second time"),
        (kit(page=spoils), ALIKE, "changed the reading"),
        (kit(declaration=replace(DECLARATION, version=0)), "test_its_version_counts_from_one", "version 0"),
    ],
)
def test_a_bad_chunker_is_refused(made, rule, reason, refuted):
    refuted(made, rule, reason)


def test_a_chunker_that_answers_for_no_page_asked_is_refused(refuted):
    def always(self, document, session, pages):
        return LineChunker.chunk(self, document, session, pages or [1])

    refuted(kit(chunk=always), ASKED, "chunks for no page")


def draft(text, *spans, **changes):
    return ChunkDraft(text, spans=spans, **{"box_reason": "no_geometry", **changes})


def test_an_empty_chunk_is_refused():
    with pytest.raises(AssertionError, match="empty chunk"):
        assert_drafts(reading("a \nb"), [draft("a", (0, 1)), draft(" ", (1, 2)), draft("b", (3, 4))])


def test_spans_in_the_wrong_order_are_refused():
    with pytest.raises(AssertionError, match="starts before 4"):
        assert_drafts(reading("a\nb c"), [draft("ba", (2, 4), (0, 1))])


def test_spans_join_by_the_declared_rule_alone():
    page, whole = reading("a\nb"), draft("a\nb", (0, 1), (2, 3))
    assert_drafts(page, [whole], joiner="\n")
    with pytest.raises(AssertionError, match="not that of its spans"):
        assert_drafts(page, [whole])


def test_white_space_need_not_be_carried_and_may_be_cut_beside_a_mark():
    assert_drafts(reading(" \u0301a  b "), [draft("\u0301a", (1, 3)), draft("b", (5, 6))])


def test_a_cluster_past_the_bound_of_the_core_may_be_cut():
    text = "z" + "\u0308" * 99
    assert_drafts(reading(text), [draft(text[:50], (0, 50)), draft(text[50:], (50, 100))])


def test_the_text_of_a_table_is_the_chunkers_own():
    grid = Table(0, 3, 1, 2, 1, [Cell(1, 1, 1, 1, "a", 0, 1), Cell(1, 2, 1, 1, "b", 2, 3)])
    page = reading("a\tb", tables=[grid])
    assert_drafts(page, [draft("| a | b |", (0, 3), layout=ChunkLayout("table", grid, 1))])
    with pytest.raises(AssertionError, match="2 header rows repeated"):
        assert_drafts(page, [draft("a", (0, 3), layout=ChunkLayout("table", grid, 2))])
    with pytest.raises(AssertionError, match="paragraph with a table"):
        assert_drafts(page, [draft("a", (0, 3), layout=ChunkLayout("paragraph", grid))])


def test_an_image_chunk_is_a_sound_picture():
    assert_drafts(reading(), [ChunkDraft(None, picture(), box_reason="no_geometry")])
    with pytest.raises(AssertionError, match="takes 3"):
        assert_drafts(reading(), [ChunkDraft(None, Raster(1, 1, b"", 72), box_reason="no_geometry")])
