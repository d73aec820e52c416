"""Mentions, likeness and sequences: conservative on purpose."""

import random
from itertools import pairwise

import pytest

from indx_space.relating.likeness import hashes, near_duplicates, signature
from indx_space.relating.mentions import FILE_SCORE, TITLE_SCORE, Mentions, common_titles
from indx_space.relating.sequences import numbered_parts
from indx_space.terms import TermTable, words_of

PATHS = [
    "docs/install.md",
    "docs/index.md",
    "other/index.md",
    "README.md",
    "plans/Q3 budget (final) v2.pdf",
    "data/売上 集計.xlsx",
    "src/config.yaml",
    "lib/config.yaml",
    "conf/app.yaml",
]
TITLES = {
    "docs/install.md": "Installing the Frobnicator",
    "docs/index.md": "Overview",
    "other/index.md": "Release Management Handbook",
    "README.md": "Getting Started",
    "data/売上 集計.xlsx": "全社売上集計表",
}


@pytest.fixture(scope="module")
def mentioned():
    table = TermTable()
    mentions = Mentions(PATHS, TITLES, table)

    def find(text, own="zzz.md"):
        return {(path, score) for _, path, score in mentions.of([text], table.words([text]), own)}

    return find


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("see install.md for more", "docs/install.md"),
        ("see `install.md`.", "docs/install.md"),
        ("(INSTALL.MD)", "docs/install.md"),
        ("in docs/install.md, then", "docs/install.md"),
        ("in ./docs/install.md", "docs/install.md"),
        ("..\\docs\\install.md", "docs/install.md"),
        ("edit src/config.yaml first", "src/config.yaml"),
        ("the file Q3 budget (final) v2.pdf says", "plans/Q3 budget (final) v2.pdf"),
        ("「売上 集計.xlsx」を参照", "data/売上 集計.xlsx"),
    ],
)
def test_file_names_are_mentions(mentioned, text, path):
    assert mentioned(text) == {(path, FILE_SCORE)}


@pytest.mark.parametrize(
    "text",
    [
        "reinstall.md is another",
        "install.mdx too",
        "install md",
        "https://example.org/docs/install.md",
        "www.example.org/install.md",
        "elsewhere/install.md",
        "config.yaml is of two folders",
        "index.md and README.md are of many",
        "an overview of getting started",
        "installing the frobnicator",
        "Installing the Frobnicators",
        "preInstalling the Frobnicator",
    ],
)
def test_what_may_mean_something_else_is_no_mention(mentioned, text):
    assert mentioned(text) == set()


def test_titles_of_several_words_are_mentions(mentioned):
    assert mentioned("as in Installing the\n  Frobnicator, chapter 2") == {("docs/install.md", TITLE_SCORE)}
    assert mentioned("詳しくは全社売上集計表を参照。") == {("data/売上 集計.xlsx", TITLE_SCORE)}
    assert mentioned("日本語の中の Installing the Frobnicator です") == {("docs/install.md", TITLE_SCORE)}


def test_a_document_does_not_mention_itself(mentioned):
    assert mentioned("install.md, Installing the Frobnicator", own="docs/install.md") == set()


def test_a_title_of_two_documents_belongs_to_neither():
    table, text = TermTable(), "Installing the Frobnicator"
    mentions = Mentions(["a.md", "b.md"], dict.fromkeys(["a.md", "b.md"], text), table)
    assert mentions.of([text], table.words([text]), "c.md") == []


def test_the_chunk_of_a_mention_is_known():
    table = TermTable()
    mentions = Mentions(["a.md", "beta.md"], {}, table)
    texts = ["nothing", "see beta.md and beta.md"]
    assert mentions.of(texts, table.words(texts), "a.md") == [(1, "beta.md", FILE_SCORE)]


def test_a_title_many_use_is_a_phrase():
    assert common_titles({"a": list("wxyz"), "b": list("wx")}, 10) == {"a"}
    assert common_titles({"a": [str(n) for n in range(15)]}, 1000) == set()


def test_mentions_cost_no_square_of_documents():
    """Counted, not timed: a text is compared with the few titles whose longest word it holds."""
    paths = [f"d/{n}.md" for n in range(300)]
    titles = {path: f"Chapter about subject{n} in detail" for n, path in enumerate(paths)}
    table = TermTable()
    mentions = Mentions(paths, titles, table)
    text = "This is Chapter about subject7 in detail."
    assert [m[1] for m in mentions.of([text], table.words([text]), "x")] == ["d/7.md"]
    assert max(len(found) for found in mentions._titles[False].values()) == 1


def signed(terms, seed=0):
    return signature(hashes(terms), seed)


def words(seed, count):
    rng = random.Random(seed)
    return [f"word{rng.randrange(5000)}" for _ in range(count)]


class TestLikeness:
    def test_small_edits_leave_near_duplicates_with_their_likeness(self):
        base = words(1, 600)
        edited = [*base[:300], "inserted", *base[300:]]
        other = words(2, 600)
        found = near_duplicates([signed(w, 0) for w in (base, other, edited)], 0.9)
        assert [(later, earlier) for later, earlier, _ in found] == [(2, 0)]
        assert 0.9 <= found[0][2] <= 1.0

    def test_the_estimate_is_near_the_truth(self):
        base = words(1, 1000)
        for kept in (950, 800, 600):
            changed = base[:kept] + words(kept, 1000 - kept)
            one, two = ({tuple(w[i : i + 3]) for i in range(998)} for w in (base, changed))
            truth = len(one & two) / len(one | two)
            found = near_duplicates([signed(base, 0), signed(changed, 0)], 0.2)
            assert found[0][2] == pytest.approx(truth, abs=0.12)

    def test_each_later_one_has_one_edge_to_the_one_it_is_most_like(self):
        base = words(1, 600)
        close = [*base, "x"]
        far = base[:560] + words(3, 40)
        found = near_duplicates([signed(w, 0) for w in (far, base, close)], 0.7)
        assert [(later, earlier) for later, earlier, _ in found] == [(1, 0), (2, 1)]

    def test_texts_too_short_to_tell_take_no_part(self):
        assert signed(words(1, 20), 0) is None
        assert near_duplicates([None, None], 0.5) == []

    def test_the_seed_changes_the_sample_and_nothing_else(self):
        base = words(1, 100)
        assert list(signed(base, 0)) == list(signed(base, 0))
        assert list(signed(base, 0)) != list(signed(base, 1))

    def test_a_crowd_of_copies_costs_no_square(self):
        base = words(1, 100)
        one = signed(base, 0)
        found = near_duplicates([one] * 400, 0.9)
        assert len(found) == 399
        assert {earlier for _, earlier, _ in found} == {0}

    def test_japanese_is_compared_by_pairs_of_characters(self):
        base = (
            "本規程は、従業員の就業に関する事項を定めるものである。会社及び従業員は、この規程を遵守しなければならない。"
            * 3
        )
        one, two = (signed(words_of(text, cut=True)) for text in (base, base + "附則を加える。"))
        assert near_duplicates([one, two], 0.8)


class TestNumberedParts:
    @pytest.mark.parametrize(
        "names",
        [
            ["report part 1.md", "report part 2.md", "report part 3.md"],
            ["Report_Part-1.pdf", "report_part-2.pdf"],
            ["scan-01.pdf", "scan-02.pdf"],
            ["scan_00.pdf", "scan_01.pdf"],
            ["notes (1 of 3).md", "notes (2 of 3).md", "notes (3 of 3).md"],
            ["plan part 1-2.md", "plan part 2-2.md"],
            ["議事録 その1.docx", "議事録 その2.docx"],
            ["マニュアル第1部.pdf", "マニュアル第2部.pdf"],
        ],
    )
    def test_parts_continue(self, names):
        paths = [f"d/{name}" for name in names]
        assert numbered_parts(paths) == list(pairwise(paths))

    @pytest.mark.parametrize(
        "names",
        [
            ["report-2023-01.md", "report-2023-02.md"],
            ["2024-01.md", "2024-02.md"],
            ["minutes 2024 01.md", "minutes 2024 02.md"],
            ["v1.md", "v2.md"],
            ["report-1.md", "report-2.md"],
            ["issue16063.pdf", "issue16064.pdf"],
            ["0001-one.md", "0002-two.md"],
            ["scan-02.pdf", "scan-03.pdf"],
            ["scan-01.pdf", "scan-03.pdf"],
            ["scan-01.pdf", "scan-02.md"],
            ["department 1.md", "department 2.md"],
        ],
    )
    def test_what_only_looks_like_parts_does_not(self, names):
        assert numbered_parts([f"d/{name}" for name in names]) == []

    def test_parts_are_of_one_folder(self):
        assert numbered_parts(["a/scan-01.pdf", "b/scan-02.pdf"]) == []


@pytest.mark.parametrize("line", ["Plain words, again_1.", "Straße und Öl.", "設備の点検 of it", "٣ مرحبا"])
def test_a_document_has_the_words_of_its_texts_whatever_it_is_cut_into(line):
    texts = [f"{line} {number} {line}" for number in range(60)] + ["plain end"]
    table = TermTable()
    apart, whole = table.words(texts), table.words(["\n".join(texts)])
    assert apart.cut is whole.cut is ("設" in line)
    assert apart.numbers.tolist() == whole.numbers.tolist()
    named = table.terms()
    assert [named[n] for n in apart.numbers] == words_of("\n".join(texts), cut=apart.cut)


def test_terms_are_hashed_alike_however_many_at_once(monkeypatch):
    terms = words(1, 60)
    one = signed(terms)
    monkeypatch.setattr("indx_space.relating.likeness._AT_ONCE", 7)
    assert list(signed(terms)) == list(one)
