"""The import rules of the root pyproject.toml name every member: a new folder cannot be forgotten."""

from __future__ import annotations

import pytest

LAYERED = {"core", "engine", "spaces", "workspace", "surfaces"}
# Code that several providers share: whole rooms, and single distributions of others.
LIBRARIES = {"formats", "models", "indx-store-sql", "indx-loader-object"}
KEPT_TO_ONE = {
    "pypdfium2": "indx_format_pdf",
    "lxml": "indx_format_office",
    "PIL": "indx_format_raster",
    "selectolax": "indx_format_html",
}


@pytest.fixture
def contracts(pyproject):
    return {contract["id"]: contract for contract in pyproject["tool"]["importlinter"]["contracts"]}


@pytest.fixture
def modules(members):
    """Modules by what they are: `upper` holds what is layered above the core."""
    found = {"all": set(), "upper": set(), "libraries": set(), "providers": set()}
    for member in members:
        found["all"].add(member.module)
        if member.room in LIBRARIES or member.name in LIBRARIES:
            found["libraries"].add(member.module)
        elif member.room not in LAYERED:
            found["providers"].add(member.module)
        elif member.room != "core":
            found["upper"].add(member.module)
    return found


def test_the_linter_sees_every_member(pyproject, modules):
    assert set(pyproject["tool"]["importlinter"]["root_packages"]) == modules["all"]
    assert pyproject["tool"]["importlinter"]["include_external_packages"] is True


def test_the_layers_name_core_engine_spaces_and_surfaces(contracts, modules):
    layers = [name.strip() for layer in contracts["layers"]["layers"] for name in layer.split("|")]
    assert sorted(layers) == sorted(modules["upper"] | {"indx_core"})
    assert layers[-1] == "indx_core"


def test_the_core_may_import_no_other_member(contracts, modules):
    assert contracts["core"]["source_modules"] == ["indx_core"]
    assert set(contracts["core"]["forbidden_modules"]) == modules["all"] - {"indx_core"}


def test_the_kits_know_the_core_alone(contracts, modules):
    assert contracts["testkit"]["source_modules"] == ["indx_testkit"]
    assert set(contracts["testkit"]["forbidden_modules"]) == modules["all"] - {"indx_core", "indx_testkit"}


def test_nobody_may_import_a_provider(contracts, modules):
    assert set(contracts["providers-apart"]["protected_modules"]) == modules["providers"] | {"indx_testkit"}
    assert contracts["providers-apart"]["allowed_importers"] == []


def test_no_provider_may_import_what_stands_above_it(contracts, modules):
    below = contracts["providers-below"]
    assert set(below["source_modules"]) == modules["providers"] | modules["libraries"]
    assert set(below["forbidden_modules"]) == modules["upper"]


def test_only_providers_may_import_formats(contracts, modules):
    assert set(contracts["formats"]["protected_modules"]) == modules["libraries"]
    assert set(contracts["formats"]["allowed_importers"]) == modules["providers"] | {"indx_graph"}


def test_the_graph_imports_no_other_library_than_that_of_hosted_models(contracts, modules):
    assert contracts["graph"]["source_modules"] == ["indx_graph"]
    assert {*contracts["graph"]["forbidden_modules"], "indx_model_litellm"} == modules["libraries"]


@pytest.mark.parametrize(("library", "owner"), KEPT_TO_ONE.items())
def test_one_member_alone_may_import(contracts, library, owner):
    contract = contracts[f"only-{library.lower()}"]
    assert contract["protected_modules"] == [library]
    assert contract["allowed_importers"] == [owner]


def test_no_contract_makes_an_exception(contracts):
    assert not [name for name, contract in contracts.items() if "ignore_imports" in contract]
