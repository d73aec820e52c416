"""What the package publishes is listed, named in the README, and documented."""

import re
from importlib import import_module
from pathlib import Path

import indx_testkit

README = Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")


def test_the_readme_names_every_kit():
    named = set(re.findall(r"`(\w+Kit)`", README))
    assert named == {name for name in indx_testkit.__all__ if name.endswith("Kit")}


def test_the_readme_names_things_that_exist():
    for module, name in re.findall(r"`indx_testkit\.(\w+)(?:\.(\w+))?`", README):
        found = import_module(f"indx_testkit.{module}")
        assert not name or hasattr(found, name), f"{module} has no {name}"


def test_every_public_name_is_documented():
    for name in indx_testkit.__all__:
        assert (getattr(indx_testkit, name).__doc__ or "").strip(), name


def test_every_rule_says_what_it_asks():
    for name in indx_testkit.__all__:
        for rule, method in vars(getattr(indx_testkit, name)).items():
            if rule.startswith("test_"):
                assert (method.__doc__ or "").strip().endswith("."), f"{name}.{rule}"
