"""doctor lists every provider with its state, its reason and what would fix it."""

import pytest

from indx_core.discovery import Candidate, Registry
from indx_core.ports import ChunkerDeclaration, Unavailability


class Part:
    port_version = 1

    def __init__(self, id_, lack=None):
        self.declaration = ChunkerDeclaration(id_, 1, True, (), "x")
        self.lack = lack

    def availability(self):
        return self.lack


class Old(Part):
    port_version = 0


@pytest.fixture
def installed(monkeypatch):
    def install(**made):
        def load(item):
            if isinstance(item, Exception):
                raise item
            return lambda: item

        found = [
            Candidate("indx.chunkers", name, "x:x", f"dist-{name}", "1.0", lambda item=item: load(item))
            for name, item in made.items()
        ]
        monkeypatch.setattr("indx_core.discovery._default", Registry(found))

    return install


def test_every_provider_has_its_state_reason_and_fix(command, installed):
    installed(
        a=Part("a"), b=Part("b", Unavailability("no model", "pip install b[x]")), c=ImportError("no libfoo")
    )
    answer = command("doctor", "--json")
    assert answer.code == 1
    a, b, c = answer.json["providers"]
    assert (a["state"], a["identities"], "reason" in a) == ("available", ["a@1"], False)
    assert (b["state"], b["reason"], b["fix"]) == ("unavailable", "no model", "pip install b[x]")
    assert c["state"] == "broken"
    assert "no libfoo" in c["reason"]
    text = command("doctor").out
    for shown in ("dist-b", "no model", "pip install b[x]", "no libfoo"):
        assert shown in text


def test_a_provider_is_one_line_where_lines_are_filtered(command, installed, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    name = "classifier-" * 9
    installed(**{name: Part(name)})
    (line,) = [line for line in command("doctor").out.splitlines() if name in line]
    assert line.split() == ["chunkers", name, f"dist-{name}", "1.0", "available"]


def test_a_sound_installation_exits_with_zero(command, installed):
    installed(a=Part("a"), b=Part("b", Unavailability("no model", "set X")))
    answer = command("doctor")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("\nproviders: 1 available, 1 unavailable; problems: none\n")
    assert [p["problem"] for p in command("doctor", "--json").json["providers"]] == [False, False]


def test_each_problem_is_named_at_the_end_and_marked_for_programs(command, installed):
    installed(a=Part("a"), b=Part("twice"), c=Part("twice"), d=ImportError("no libfoo"), e=Old("e"))
    answer = command("doctor")
    assert answer.code == 1
    assert answer.out.endswith(
        "\nproviders: 1 available, 1 broken, 1 incompatible, 2 duplicate; "
        "problems: dist-b (b), dist-c (c), dist-d (d), dist-e (e)\n"
    )
    found = command("doctor", "--json").json["providers"]
    assert {p["name"]: p["problem"] for p in found} == {
        "a": False,
        "b": True,
        "c": True,
        "d": True,
        "e": True,
    }


def test_a_name_in_the_setting_that_nothing_has_is_a_problem_told_once(command, monkeypatch):
    monkeypatch.setenv("INDX_PLUGINS", "indx-reader-text,indx-chunkr-page")
    answer = command("doctor")
    assert (answer.code, answer.err) == (1, "")
    assert "names 'indx-chunkr-page', which is not installed" in answer.out
    assert "fix: did you mean 'indx-chunker-page'?" in answer.out
    assert answer.out.endswith("problems: indx-chunkr-page (INDX_PLUGINS)\n")
    found = command("doctor", "--json")
    assert found.code == 1
    assert [p["distribution"] for p in found.json["providers"] if p["problem"]] == ["indx-chunkr-page"]


def test_loading_nothing_on_purpose_is_no_problem(command, monkeypatch):
    monkeypatch.setenv("INDX_PLUGINS", "none")
    assert command("doctor").code == 0


def test_an_empty_installation_says_what_to_install(command, installed):
    installed()
    assert "indx[standard]" in command("doctor").out
