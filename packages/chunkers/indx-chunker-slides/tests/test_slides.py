"""How slides are cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from indx_chunker_slides.provider import chunker
from indx_core.ports import ChunkDraft, PageReading
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import document, reading, table

LEFT, RIGHT = (0.1, 0.2, 0.4, 0.5), (0.5, 0.3, 0.9, 0.8)


def cut(page: PageReading) -> list[ChunkDraft]:
    drafts = list(chunker().chunk(document(page), None, [1])[1])
    assert_drafts(page, drafts, joiner="\n")
    return drafts


def test_a_slide_that_fits_is_one_chunk_with_the_box_around_its_shapes() -> None:
    (draft,) = cut(reading("Title\nleft\nright", headings=[("Title", 1)], boxes=[LEFT, LEFT, RIGHT]))
    assert draft.text == "Title\nleft\nright"
    assert draft.box == (0.1, 0.2, 0.9, 0.8)
    assert list(draft.section) == ["Title"]


def test_the_speakers_notes_are_apart_and_have_no_place() -> None:
    body, notes = cut(reading("shown\nspoken", roles=[("spoken", "notes")], boxes=[LEFT, None]))
    assert (body.text, body.box) == ("shown", LEFT)
    assert (notes.text, notes.box_reason) == ("spoken", "no_geometry")


def test_a_hidden_shape_is_apart_and_marked() -> None:
    shown, hidden = cut(reading("shown\nsecret", hidden=["secret"], boxes=[LEFT, RIGHT]))
    assert (shown.text, shown.box) == ("shown", LEFT)
    assert (hidden.text, hidden.box, hidden.box_reason) == ("secret", None, "hidden")


def test_every_chunk_of_a_hidden_slide_is_marked() -> None:
    text, grid = table([["k", "v"]], start=6)
    page = reading(f"shown\n{text}", tables=[grid], hidden=[f"shown\n{text}"], boxes=[LEFT, RIGHT])
    assert [draft.box_reason for draft in cut(page)] == ["hidden", "hidden"]


def test_a_shape_whose_place_is_unknown_is_apart_and_says_so() -> None:
    known, lost = cut(reading("known\nlost", boxes=[LEFT, None]))
    assert known.box == LEFT
    assert lost.box_reason == "unresolved"


def test_a_table_is_a_chunk_with_its_cells_and_the_text_around_it_another() -> None:
    text, grid = table([["k", "v"], ["a", "1"]], start=7)
    page = reading(
        f"before\n{text}\nafter", tables=[grid], boxes=[LEFT, RIGHT, RIGHT, LEFT], headings=[("before", 1)]
    )
    around, cells = cut(page)
    assert around.text == "before\nafter"
    assert around.box == LEFT
    assert cells.text == text
    assert cells.box == RIGHT
    assert cells.layout is not None
    assert cells.layout.role == "table"
    assert cells.layout.table == grid


def test_a_long_table_is_cut_between_rows_with_the_cells_of_each_part() -> None:
    text, grid = table([[f"row {row}", "x" * 100] for row in range(60)], header_rows=0)
    drafts = cut(reading(text, tables=[grid], boxes=[LEFT] * 60))
    assert len(drafts) == 2
    carried = [
        cell for draft in drafts if draft.layout and draft.layout.table for cell in draft.layout.table.cells
    ]
    assert carried == list(grid.cells)
    assert "\n".join(draft.text or "" for draft in drafts) == text


def test_a_long_slide_is_cut_between_shapes() -> None:
    first, second = "a" * 400 + "\n" + "b" * 500, "c" * 400 + "\n" + "d" * 500
    drafts = cut(reading(f"{first}\n{second}", boxes=[LEFT, LEFT, RIGHT, RIGHT]))
    assert [(draft.text, draft.box) for draft in drafts] == [(first, LEFT), (second, RIGHT)]


def test_a_line_longer_than_a_chunk_is_cut_in_it() -> None:
    drafts = cut(reading("word " * 1000, boxes=[LEFT]))
    assert len(drafts) > 3
    assert all(len(draft.text or "") <= 1500 and draft.box == LEFT for draft in drafts)


def test_a_slide_without_text_has_nothing_to_retrieve_and_an_unread_one_no_answer() -> None:
    answer = chunker().chunk(document(reading(""), reading(reason="damaged_part")), None, [1, 2])
    assert answer == {1: []}


@given(
    st.lists(
        st.tuples(st.text("ab \u3042👩", max_size=700), st.sampled_from([LEFT, RIGHT, None])), max_size=12
    )
)
def test_chunks_stay_under_the_ceiling_and_boxes_hold_only_what_stands_in_them(
    lines: list[tuple[str, tuple[float, float, float, float] | None]],
) -> None:
    text = "\n".join(line for line, _ in lines)
    page = reading(text, boxes=[box for _, box in lines] if text else [])
    drafts = cut(page)
    assert all(len(draft.text or "") <= 1500 for draft in drafts)
    for draft in drafts:
        inside = {
            box
            for start, end in draft.spans
            for (_, box), begin in zip(lines, page.line_starts, strict=False)
            if start <= begin < end
        }
        assert draft.box_reason != "unresolved" or inside <= {None}


def test_hidden_cells_of_a_table_are_a_table_apart() -> None:
    text, grid = table([["k", "v"], ["a", "1"]])
    drafts = cut(reading(text, tables=[grid], hidden=["1"]))
    assert [(draft.text, draft.box_reason) for draft in drafts] == [
        ("k\tv\na", "no_geometry"),
        ("1", "hidden"),
    ]
