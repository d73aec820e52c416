"""The rules of every port bite."""

from dataclasses import dataclass, replace

import pytest

from indx_core.ports import ChunkerDeclaration, EmbedderDeclaration, Space, Unavailability
from indx_testkit import ChunkerKit, EmbedderKit

GOOD = ChunkerDeclaration("good", 1, True, ("text/plain",), "a page")


class Provider:
    port_version = 1
    declaration = GOOD

    def chunk(self, document, session, pages):
        return {}


def kit(base=ChunkerKit, **changes):
    provider = type("Changed", (Provider,), changes)
    return type("Kit", (base,), {"factory": staticmethod(provider), "module": "indx_core.ports"})


RULES = [
    "test_it_states_the_version_of_the_ports",
    "test_its_declaration_is_frozen_data",
    "test_its_id_is_a_plain_name",
    "test_two_of_it_declare_alike",
    "test_its_module_is_light",
    "test_its_media_types_are_plain",
    "test_its_availability_says_reason_and_fix",
    "test_its_version_counts_from_one",
]


@pytest.mark.parametrize("rule", RULES)
def test_a_good_provider_keeps_the_rule(rule, verdict):
    assert verdict(kit(), rule) is None


@dataclass
class Loose:
    id: str = "good"
    media_types: tuple = ()


@dataclass(frozen=True)
class Similar:
    id: str = "good"


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"port_version": 2}, RULES[0], "port_version is 2"),
        ({"declaration": Loose()}, RULES[1], "Loose"),
        ({"declaration": Similar()}, RULES[1], "Similar"),
        ({"declaration": replace(GOOD, media_types=["text/plain"])}, RULES[1], "unhashable"),
        ({"declaration": replace(GOOD, summary=lambda: "")}, RULES[1], "pickle"),
        ({"declaration": replace(GOOD, id="Not good")}, RULES[2], "Not good"),
        ({"declaration": replace(GOOD, id="-good")}, RULES[2], "-good"),
        ({"declaration": property(lambda self: replace(GOOD, id=f"n{id(self)}"))}, RULES[3], ""),
        ({"declaration": replace(GOOD, media_types=("Text/Plain",))}, RULES[5], "Text/Plain"),
        ({"declaration": replace(GOOD, media_types=("text/plain; a=b",))}, RULES[5], "a=b"),
        ({"declaration": replace(GOOD, media_types=("a/b", "a/b"))}, RULES[5], "twice"),
        ({"declaration": replace(GOOD, version=0)}, RULES[7], "version 0"),
        ({"declaration": replace(GOOD, summary=" ")}, RULES[7], "summary"),
    ],
)
def test_a_wrong_declaration_is_refused(changes, rule, reason, refuted):
    refuted(kit(**changes), rule, reason)


def test_a_heavy_module_is_refused(refuted):
    heavy = kit()
    heavy.module = "indx_testkit.spaces"
    refuted(heavy, "test_its_module_is_light", "numpy")


def test_a_factory_is_run_in_a_fresh_interpreter(tmp_path, monkeypatch, refuted):
    tmp_path.joinpath("heavy_factory.py").write_text(
        "def factory():\n    import numpy\n    factory.declaration = numpy.pi\n    return factory\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import heavy_factory

    made = type("Kit", (ChunkerKit,), {"factory": staticmethod(heavy_factory.factory)})
    refuted(made, "test_its_module_is_light", "numpy")


@pytest.mark.parametrize(
    ("state", "reason"),
    [("no", "gave 'no'"), (Unavailability(" ", "x"), "reason"), (Unavailability("x", ""), "fix")],
)
def test_an_availability_without_words_is_refused(state, reason, refuted):
    space = Space("s", 1, "cosine", True)
    changed = kit(
        EmbedderKit,
        declaration=EmbedderDeclaration("e", space, ("query",), ("text",)),
        availability=lambda self: state,
    )
    refuted(changed, "test_its_availability_says_reason_and_fix", reason)


def test_a_factory_with_nothing_to_advertise_fails_with_its_own_words(refuted):
    empty = type(
        "Kit", (ChunkerKit,), {"factory": staticmethod(lambda: Unavailability("no engine", "install it"))}
    )
    refuted(empty, "test_it_states_the_version_of_the_ports", "install it")
