"""Chunks of text: size, boundaries, offsets, overlap, settings."""

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_chunker_text import chunker
from indx_chunker_text._tokens import QUARTERS, weight
from indx_core.errors import ConfigurationError
from indx_core.ports import DocumentReading
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import reading

FAMILY = "👨\u200d👩\u200d👧\u200d👦"
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(["a", " ", "\n", "漢", "か\u3099", FAMILY, "🇯🇵", "e\u0301", ".", "  "]), max_size=120
    ).map("".join),
    st.lists(
        st.sampled_from(
            ["words in a row ", "A sentence. ", "\n\n", "文。", "x" * 90, "\n- item ", "    code()\n"]
        )
    ).map("".join),
).map(lambda text: text.replace("\r", "\n").replace("\0", " "))


@pytest.fixture
def cut(monkeypatch):
    """Cut one page under the given settings."""

    def cut_page(text, limit="", overlap="", **facts):
        monkeypatch.setenv("INDX_CHUNK_TEXT_MAX_TOKENS", str(limit))
        monkeypatch.setenv("INDX_CHUNK_TEXT_OVERLAP_TOKENS", str(overlap))
        page = reading(text, **facts)
        (drafts,) = chunker().chunk(DocumentReading("text/plain", None, {1: page}), None, [1]).values()
        if not overlap:
            assert_drafts(page, drafts)
        return drafts

    return cut_page


def texts(drafts):
    return [draft.text for draft in drafts]


@given(TEXTS, st.integers(1, 40))
@settings(
    derandomize=True,
    deadline=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_chunks_cover_the_text_fit_the_limit_and_keep_graphemes_whole(cut, text, limit):
    drafts = cut(text, limit)
    clusters = {match.span() for match in regex.finditer(r"\X", text)}
    boundaries = {place for span in clusters for place in span}
    for draft in drafts:
        ((start, end),) = draft.spans
        assert text[start:end] == draft.text
        assert (
            {start, end} <= boundaries or text[start - 1 : start].isspace() or text[end : end + 1].isspace()
        )
        assert weight(draft.text) <= limit * QUARTERS or any(
            one >= start and other <= end for one, other in clusters
        )
        assert weight(draft.text) <= max(limit * QUARTERS, weight(FAMILY))


@given(TEXTS, st.integers(2, 40), st.integers(1, 39))
@settings(
    derandomize=True,
    deadline=None,
    max_examples=300,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_overlapping_chunks_move_on_and_keep_exact_offsets(cut, text, limit, overlap):
    overlap = min(overlap, limit - 1)
    drafts = cut(text, limit, overlap)
    covered = 0
    for number, draft in enumerate(drafts):
        ((start, end),) = draft.spans
        assert text[start:end] == draft.text
        assert start <= covered or not text[covered:start].strip()
        assert end > covered
        if number:
            assert weight(text[start:covered]) <= overlap * QUARTERS
        covered = end
    assert not text[covered:].strip()


def test_chunks_end_with_paragraphs_lines_or_sentences(cut):
    paragraphs = ["A sentence of some words. Another one follows it here."] * 12
    assert texts(cut("\n\n".join(paragraphs), 40)) == ["\n\n".join(paragraphs[:2])] * 6
    assert all(text.endswith(".") for text in texts(cut(" ".join(paragraphs), 40)))
    assert all(text.endswith("。") for text in texts(cut("これは文です。" * 50, 40)))


def test_the_limit_is_honoured_by_default(cut):
    drafts = cut("words in a row " * 1000)
    assert max(weight(text) for text in texts(drafts)) <= 320 * QUARTERS
    assert min(map(len, texts(drafts))) > 600


def test_minified_code_makes_smaller_chunks_than_prose(cut):
    code = texts(cut("function(a,b){return a.b(c)+d[0]};" * 200))
    prose = texts(cut("words in a row " * 500))
    assert max(map(len, code)) * 1.4 < max(map(len, prose))


def test_code_keeps_its_indentation(cut):
    drafts = cut("def f():\n" + "    call(value)\n" * 60, 40)
    assert all(text.startswith(("def f", "    call")) for text in texts(drafts))


def test_an_unbroken_run_ends_and_its_chunks_join_to_it(cut):
    run = "x" * 2000
    drafts = cut(run, 100)
    assert "".join(texts(drafts)) == run
    overlapping = cut(run, 100, 10)
    assert overlapping[-1].spans[0][1] == 2000
    assert [draft.spans[0][0] for draft in overlapping[1:]] == [
        draft.spans[0][1] - 40 for draft in overlapping[:-1]
    ]


def test_a_family_is_never_parted(cut):
    assert texts(cut(FAMILY * 2, 3)) == [FAMILY, FAMILY]


def test_equal_passages_have_their_own_offsets(cut):
    assert [draft.spans[0] for draft in cut("chunk chunk", 2)] == [(0, 5), (6, 11)]


def test_offsets_count_characters(cut):
    assert cut("あいう code", 20)[0].spans == ((0, 8),)


def test_overlap_begins_at_a_sentence_or_word_and_never_repeats_a_whole_chunk(cut):
    text = "One sentence here. Two sentences here. Three sentences here. Four of them."
    assert texts(cut(text, 16, 6)) == [
        "One sentence here.",
        "sentence here. Two sentences here.",
        "sentences here. Three sentences here.",
        "sentences here. Four of them.",
    ]


@pytest.mark.parametrize(("limit", "overlap"), [(100, 100), (100, 512), ("", 320)])
def test_an_overlap_that_leaves_no_room_is_refused_naming_both(cut, limit, overlap):
    with pytest.raises(ConfigurationError, match="INDX_CHUNK_TEXT_MAX_TOKENS") as caught:
        cut("text", limit, overlap)
    assert caught.value.code == "invalid_setting"
    assert f"INDX_CHUNK_TEXT_OVERLAP_TOKENS: {overlap}" in caught.value.message
    assert str(limit or 320) in caught.value.message


@pytest.mark.parametrize(("limit", "overlap"), [("0", ""), ("-1", ""), ("x", ""), ("", "-1"), ("", "1.5")])
def test_settings_that_are_no_such_numbers_are_refused(cut, limit, overlap):
    with pytest.raises(ConfigurationError, match="INDX_CHUNK_TEXT_") as caught:
        cut("text", limit, overlap)
    assert caught.value.code == "invalid_setting"


def test_pages_are_answered_one_by_one(cut):
    pages = {1: reading("one"), 2: reading(reason="no_text_layer", page=2), 3: reading(" \n", page=3)}
    answer = chunker().chunk(DocumentReading("application/x-unknown", None, pages), None, [1, 2, 3])
    assert {page: texts(drafts) for page, drafts in answer.items()} == {1: ["one"], 3: []}


def test_a_chunk_stands_where_its_lines_do(cut):
    drafts = cut("one word\ntwo words", 3, boxes=[(0.1, 0.1, 0.5, 0.2), (0.2, 0.3, 0.6, 0.4)])
    assert [draft.box for draft in drafts] == [(0.1, 0.1, 0.5, 0.2), (0.2, 0.3, 0.6, 0.4)]
    assert cut("one")[0].box_reason == "no_geometry"
    assert cut("one", hidden=["one"])[0].box_reason == "hidden"


def test_shown_and_hidden_text_are_apart(cut):
    drafts = cut("one secret two", hidden=["secret"])
    assert [(draft.text, draft.box_reason) for draft in drafts] == [
        ("one two", "no_geometry"), ("secret", "hidden"),
    ]  # fmt: skip
