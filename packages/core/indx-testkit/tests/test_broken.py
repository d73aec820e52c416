"""Damaged bytes are damaged, and the same on every run."""

from indx_testkit.broken import damaged, flips, garbage, truncations

DATA = bytes(range(256)) * 4


def test_truncations_are_shorter_and_each_once():
    cuts = list(truncations(DATA))
    assert [len(cut) for cut in cuts] == sorted({len(cut) for cut in cuts})
    assert all(DATA.startswith(cut) and len(cut) < len(DATA) for cut in cuts)
    assert len(cuts[0]) == 0
    assert len(cuts[-1]) == len(DATA) - 1


def test_short_data_is_truncated_too():
    assert list(truncations(b"x")) == [b""]
    assert list(truncations(b"")) == []


def test_flips_change_bits_and_keep_the_length():
    for copy in flips(DATA):
        assert len(copy) == len(DATA)
        assert copy != DATA
    assert list(flips(b"")) == []


def test_a_seed_makes_the_same_damage():
    assert list(flips(DATA, seed=3)) == list(flips(DATA, seed=3))
    assert list(flips(DATA, seed=3)) != list(flips(DATA, seed=4))
    assert list(garbage()) == list(garbage())


def test_every_damage_is_described():
    described = list(damaged(DATA))
    assert all(words for words, _ in described)
    assert len({words for words, _ in described}) == len(described)
