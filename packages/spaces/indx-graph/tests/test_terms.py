"""Names and titles are found in any script, and a sentence's first word is none."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_graph.terms import CaseCounts, Titles, names_in, title_key, words_of
from indx_graph.tokens import count_tokens, resolve_tokenizer


def names(text, *others):
    return list(names_in(text, words_of(text), CaseCounts.of([text, *others])))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("it was Ada Lovelace's idea", ["ada lovelace"]),
        ("the University of North Dakota is old", ["university of north dakota"]),
        ("he met Ludwig van Beethoven there", ["ludwig van beethoven"]),
        ("in Paris, France it rains", ["paris", "france"]),
        ("on 12 May 2019 at 3", ["may"]),
        ("set INDX_PLUGINS and my_value in MyClass", ["indx_plugins", "myclass", "my_value"]),
        ("Ünïcode Świat łączy", ["unicode swiat"]),
        ("Москва и Санкт-Петербург", ["москва", "санкт-петербург"]),
        ("彼はコンピューターで「走れメロス」を読む", ["コンピューター", "メロス", "走れメロス"]),
        ("met Ada Lovelace and Mary Shelley in London", ["ada lovelace", "mary shelley", "london"]),
        ("nothing here", []),
    ],
)
def test_names_are_found(text, found):
    assert names(text) == found


def test_a_word_that_is_mostly_written_small_begins_no_name():
    others = ["we saw where the river bends", "where are they, however small, however far"]
    assert names("Where Ada Lovelace lived", *others) == ["ada lovelace"]
    assert names("However it rained", *others) == []


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Zombie Hunter (film)", ("zombie", "hunter")),
        ("Émile Zola", ("emile", "zola")),
        ("(untitled)", ("untitled",)),
        ("", ()),
    ],
)
def test_a_title_is_compared_without_its_bracket_and_accents(title, key):
    assert title_key(title) == key


def test_titles_are_found_where_they_are_mentioned_the_longest_first():
    titles = Titles(["New York", "New York City", "City", "Baring, 1st Baron", "House"])
    text = "From New York City to New York, past Baring, 1st Baron, and the house in the city."
    assert titles.mentioned(words_of(text)) == [
        ("new", "york", "city"),
        ("new", "york"),
        ("baring", "1st", "baron"),
    ]
    assert titles.mentioned(words_of("in new york")) == []
    assert titles.mentioned(words_of("in new york"), asked=True) == [("new", "york")]
    assert titles.mentioned(words_of("a house"), asked=True) == []


def test_a_name_before_a_comma_is_mentioned_without_what_follows():
    titles = Titles(["Francis Baring, 1st Baronet", "Paris, Texas"])
    assert titles.mentioned(words_of("the father of Francis Baring was")) == [("francis", "baring")]
    assert titles.mentioned(words_of("Paris is large")) == []


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read(text):
    words = words_of(text)
    assert len(words.texts) == len(words.keys) == len(words.joined)
    names_in(text, words, CaseCounts.of([text]))
    Titles([text, text[:9]]).mentioned(words, asked=True)
    assert count_tokens([text], "estimate")[0] >= 0


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("Hello world, this is a plain sentence.", 9),
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("東京の天気は晴れです。明日は雨が降るでしょう。", 27),
        ("Привет, как дела сегодня?", 12),
        ("한국어 문장은 어떻게 됩니까", 18),
        ("def f(x):\n    return x + 1\n", 12),
    ],
)
def test_the_estimate_is_near_the_exact_count_in_several_scripts(text, exact):
    assert count_tokens([text], "estimate")[0] == pytest.approx(exact, rel=0.35)


def test_the_exact_count_is_taken_where_its_vocabulary_is_installed(monkeypatch):
    class Encoding:
        def encode(self, text):
            return text.split()

    class Module:
        @staticmethod
        def get_encoding(name):
            assert name == "cl100k_base"
            return Encoding()

    monkeypatch.setitem(__import__("sys").modules, "bpe_openai", Module)
    monkeypatch.setattr("indx_graph.tokens.find_spec", lambda name: object())
    assert resolve_tokenizer("auto") == "cl100k_base"
    assert count_tokens(["two words", "one"], "cl100k_base") == [2, 1]


def test_the_exact_count_asked_for_and_not_installed_is_refused(monkeypatch):
    monkeypatch.setattr("indx_graph.tokens.find_spec", lambda name: None)
    assert resolve_tokenizer("auto") == "estimate"
    with pytest.raises(Exception, match=r"indx-graph\[tokens\]"):
        resolve_tokenizer("cl100k_base")
