"""Texts that cutters have stumbled over: ends, repeats, white space, clusters at the cut."""

from itertools import pairwise

import pytest

from indx_chunker_text import chunker
from indx_chunker_text._tokens import QUARTERS, weight
from indx_core.ports import DocumentReading
from indx_testkit.samples import reading


@pytest.fixture
def spans(monkeypatch):
    """Cut a text and check that every chunk is the stretch it says."""

    def cut(text, limit, overlap=""):
        monkeypatch.setenv("INDX_CHUNK_TEXT_MAX_TOKENS", str(limit))
        monkeypatch.setenv("INDX_CHUNK_TEXT_OVERLAP_TOKENS", str(overlap))
        drafts = chunker().chunk(DocumentReading("text/plain", None, {1: reading(text)}), None, [1])[1]
        for draft in drafts:
            ((start, end),) = draft.spans
            assert text[start:end] == draft.text
        return [draft.spans[0] for draft in drafts]

    return cut


@pytest.mark.parametrize("size", [999, 1000, 1001, 1003, 1999, 5000])
@pytest.mark.parametrize("text", ["word ", "x", "漢字。", "A sentence here. "])
@pytest.mark.parametrize("overlap", ["", 4, 20])
def test_the_last_chunk_comes_once_and_is_no_part_of_the_one_before(spans, text, size, overlap):
    whole = (text * size)[:size]
    found = spans(whole, 40, overlap)
    ends = [end for _, end in found]
    assert ends == sorted(set(ends))
    assert ends[-1] == len(whole.rstrip())
    assert all(start < later for (start, _), (later, _) in pairwise(found))


@pytest.mark.parametrize("overlap", [1, 10, 20])
@pytest.mark.parametrize("run", ["x", "漢", "か\u3099", "👩\u200d👧"])
def test_a_run_without_a_space_ends_and_nothing_is_put_into_it(spans, run, overlap):
    text = run * 2000
    found = spans(text, 25, overlap)
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(start <= end for (start, _), (_, end) in zip(found[1:], found, strict=False))
    assert len(found) < len(text)


@pytest.mark.parametrize("mark", ["\n", " ", "\t", "\n\n", " " * 40, "\t" * 30, "\u3000" * 9])
def test_no_chunk_keeps_the_white_space_at_which_it_was_cut(spans, mark):
    text = mark.join(["aa", "unbreakable" * 4, "bb", "unbreakable" * 3, "cc"])
    for start, end in spans(text, 5):
        assert text[start:end] == text[start:end].strip()


@pytest.mark.parametrize(
    "cluster",
    [
        "👨\u200d👩\u200d👧\u200d👦",
        "か\u3099",
        "e\u0301",
        "🇯🇵",
        "👍🏽",
        "नि",
        "각",
        "🏴\U000e0067\U000e007f",
        "\r\n",
    ],
)
@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_no_cluster_is_parted_and_every_chunk_can_be_written_as_utf_8(spans, cluster, limit):
    cluster = cluster.replace("\r", "")  # readers hand over line feeds alone
    text = cluster * 40
    found = spans(text, limit)
    assert all(start % len(cluster) == 0 and end % len(cluster) == 0 for start, end in found)
    for start, end in found:
        text[start:end].encode()
    assert "".join(text[start:end] for start, end in found) == text.strip()


def test_code_without_spaces_stays_under_the_limit_in_tokens(spans):
    code = 'a{b:c;d:e}f.g(h=>{i[j]=k+l?"m":n});' * 60
    assert all(weight(code[start:end]) <= 128 * QUARTERS for start, end in spans(code, 128))
    assert max(end - start for start, end in spans(code, 128)) < 128 * 3


def test_the_second_of_two_equal_passages_is_where_it_stands(spans):
    found = spans("The same words again and again. " * 24, 24)
    assert len(set(found)) == len(found) > 3
    assert [start for start, _ in found] == [0, *(end + 1 for _, end in found[:-1])]
    assert found[-1][1] == 32 * 24 - 1
