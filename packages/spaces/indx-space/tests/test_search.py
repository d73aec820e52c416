"""Searching a space: modes by ID, what every mode promises, and refusals that say what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts.space import SearchHit
from indx_core.discovery import Candidate, Registry
from indx_core.errors import InvalidRequest
from indx_core.ports import Unavailability
from indx_core.ports.spaces import SearchModeDeclaration
from indx_space import KnowledgeSpace
from indx_space.search.hits import says_something
from indx_space.search.modes import search

MODES = ("semantic", "lexical", "hybrid")


class Newest:
    """A search mode of a third party: the last chunks first."""

    port_version = 1
    declaration = SearchModeDeclaration("newest")

    def search(self, space, query: str, k: int):
        return tuple(
            SearchHit(chunk=chunk, score=0, source=chunk.source, mode="newest")
            for chunk in space.chunks[-k:][::-1]
        )


class Absent(Newest):
    declaration = SearchModeDeclaration("absent")

    def availability(self):
        return Unavailability("its engine is missing", "pip install engine")


def test_a_hit_brings_its_source_its_neighbours_and_its_mode(making, toys) -> None:
    space = making.space()
    for mode in MODES:
        hit = space.search("Then configure the alpha setting", k=1, mode=mode)[0]
        assert hit.chunk is space.chunks[1]
        assert hit.source.path == "guide/install.md"
        assert [one.text for one in hit.neighbors] == ["Install the tool first."]
        assert hit.neighbors[0] is space.chunks[0]
        assert hit.mode == mode


def test_search_is_by_meaning_and_gives_five_unless_told(making, toys) -> None:
    hits = making.space().search("the tool retained weather data alpha")
    assert len(hits) == 5
    assert {hit.mode for hit in hits} == {"semantic"}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_space_finds_the_same_before_and_after_it_is_packed(making, toys) -> None:
    space = making.space()
    opened = KnowledgeSpace.load(making.pack(space))
    for mode in MODES:
        for query in ("alpha setting", "東京の天気", "retained 90", "2 of 121", "first"):
            before = [(hit.chunk.id, hit.score) for hit in space.search(query, k=9, mode=mode)]
            assert [(hit.chunk.id, hit.score) for hit in opened.search(query, k=9, mode=mode)] == before


@pytest.mark.parametrize("k", [0, -1, True, 1.5, "5", None])
def test_fewer_than_one_hit_cannot_be_asked(making, toys, k) -> None:
    with pytest.raises(InvalidRequest, match=r"k is .*ask for 1 hit or more") as caught:
        making.space().search("alpha", k=k)
    assert caught.value.param == "k"


def test_more_hits_than_chunks_are_all_there_are(making, toys) -> None:
    space = making.space()
    assert len(space.search("alpha", k=10_000)) == 5
    assert len(space.search("the alpha", k=10_000, mode="lexical")) == 2
    assert len(space.search("alpha", k=10_000, mode="hybrid")) == 5


def test_a_query_must_be_a_text(making) -> None:
    with pytest.raises(InvalidRequest, match="query is 7"):
        making.space().search(7)


def test_an_installed_mode_of_others_is_found_by_its_id(making, monkeypatch) -> None:
    space = making.space()
    registry = making.registry(modes=[Newest()])
    monkeypatch.setattr("indx_core.discovery._default", registry)
    assert [hit.chunk.id for hit in space.search("x", k=2, mode="newest")] == [
        c.id for c in space.chunks[-2:][::-1]
    ]
    assert isinstance(space.search("x", mode="newest"), list)


def test_an_unknown_mode_names_those_that_are_there(making) -> None:
    with pytest.raises(
        InvalidRequest, match=r"no search mode 'graph' .* hybrid, lexical, newest, semantic"
    ) as caught:
        search(making.space(), "x", 5, "graph", making.registry(modes=[Newest(), Absent()]))
    assert caught.value.param == "mode"


def test_a_mode_that_cannot_run_says_why(making) -> None:
    with pytest.raises(
        InvalidRequest, match="'absent' cannot be used: its engine is missing; pip install engine"
    ):
        search(making.space(), "x", 5, "absent", making.registry(modes=[Absent()]))


def test_the_modes_are_declared_as_entry_points() -> None:
    from importlib.metadata import entry_points

    found = {point.name: point.load()().declaration.id for point in entry_points(group="indx.search_modes")}
    assert {mode: found[mode] for mode in MODES} == {mode: mode for mode in MODES}


def test_the_modes_of_a_space_need_no_look_at_what_is_installed(making) -> None:
    def load():
        raise AssertionError

    registry = Registry([Candidate("indx.search_modes", "x", "m:f", "d", "1", load)])
    assert search(making.space(), "alpha", 5, "lexical", registry)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("query", ["", "   ", "...", "—", "?!", "()*&", "👩", "\x00", "\ud800", "“”"])
def test_punctuation_alone_finds_nothing(making, toys, mode: str, query: str) -> None:
    assert making.space().search(query, mode=mode) == []


@pytest.mark.parametrize("mode", MODES)
def test_no_query_is_syntax(making, toys, mode: str) -> None:
    files = {
        "a.md": [
            "see BENCH-100821 now",
            "it's C++ here",
            "part 38.101 of it",
            "NEAR the end",
            'a "quoted" AND',
        ]
    }
    space = making.space(files)
    for place, query in enumerate(["BENCH-100821", "it's C++", "38.101", "NEAR", 'AND "quoted"']):
        assert space.search(query, k=1, mode=mode)[0].chunk is space.chunks[place]

    @given(st.text(max_size=30))
    def check(text: str) -> None:
        for hit in space.search(text, mode=mode):
            assert hit.score == hit.score

    check()


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_found_in_an_empty_space(mode: str) -> None:
    assert KnowledgeSpace(root="/x").search("anything", mode=mode) == []


def test_a_neighbour_that_the_space_has_not_is_left_out(making, toys) -> None:
    space = making.space()
    space.chunks[1].prev_id = "gone"
    assert space.search("alpha", k=1)[0].neighbors == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Install it", True),
        ("東京", True),
        ("§ 7 a", True),
        ("page one", True),
        ("-- 5 of 121 --", False),
        ("Page 3", False),
        ("Seite 3 von 9", False),
        ("3 / 12", False),
        ("12 頁", False),
        ("12 ページ", False),
        ("----", False),
        ("* * *", False),
        ("", False),
        ("2020 2021 5.4", False),
    ],
)
def test_marks_of_pages_say_nothing(text: str, says: bool) -> None:
    assert says_something(text) is says


@pytest.mark.parametrize("mode", ["semantic", "hybrid"])
def test_what_says_nothing_is_never_offered_on_resemblance_alone(making, toys, mode: str) -> None:
    files = {
        "a.md": ["-- 5 of 121 --"] * 40 + ["------", "We count pages."],
        "b.md": ["Other words entirely."],
    }
    space = making.space(files)
    for chunk in space.chunks:
        chunk.embedding = toys.vector("of")
    texts = {hit.chunk.text for hit in space.search("pages count", k=5, mode=mode)}
    assert texts == {"We count pages.", "Other words entirely."}


def test_what_says_nothing_is_found_by_its_words(making, toys) -> None:
    space = making.space()
    for mode in ("lexical", "hybrid"):
        assert space.search("121", k=1, mode=mode)[0].chunk.text == "-- 2 of 121 --"
