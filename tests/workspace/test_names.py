"""One name for one thing: folder, distribution, module and entry points agree."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict

from packaging.requirements import Requirement

from indx.cli.main import COMMANDS, ELSEWHERE
from indx_workspace.stores import RUNNERS_BY, STORES_BY

PREFIX = {
    "loaders": "indx-loader-",
    "formats": "indx-format-",
    "models": "indx-model-",
    "readers": "indx-reader-",
    "parsers": "indx-parser-",
    "chunkers": "indx-chunker-",
    "languages": "indx-language-",
    "classifiers": "indx-classifier-",
    "extractors": "indx-ner-",
    "enrichers": "indx-enrich-",
    "embedders": "indx-embed-",
    "stores": "indx-store-",
    "runners": "indx-runner-",
    "writers": "indx-writer-",
}
FREE = {"core", "engine", "spaces", "workspace", "surfaces"}
GROUPS = {
    "loaders": {"indx.loaders"},
    "readers": {"indx.sniffers", "indx.observers", "indx.capabilities"},
    "parsers": {"indx.capabilities"},
    "chunkers": {"indx.chunkers"},
    "languages": {"indx.language_detectors"},
    "classifiers": {"indx.classifiers"},
    "extractors": {"indx.extractors"},
    "enrichers": {"indx.enrichers"},
    "embedders": {"indx.embedders"},
    "runners": {"indx.job_runners"},
    "writers": {"indx.writers"},
}


def test_the_folder_the_distribution_and_the_module_share_a_name(member):
    assert member.project["name"] == member.name
    modules = [path.name for path in (member.path / "src").iterdir() if path.name != "__pycache__"]
    assert modules == [member.module]


def test_the_room_says_what_the_distribution_is_called(member):
    assert member.room in FREE | PREFIX.keys(), f"packages/{member.room}/ is no room of the design"
    if member.room in PREFIX:
        assert member.name.startswith(PREFIX[member.room])
    assert re.fullmatch(r"indx(-[a-z0-9]+)*", member.name)


def test_the_version_is_a_plain_release(member):
    assert re.fullmatch(r"\d+\.\d+\.\d+", member.project["version"])


def test_entry_points_name_a_factory_of_the_distribution_itself(member):
    for group, entries in member.entry_points.items():
        assert group.startswith("indx."), f"{group!r} is not a group of indx"
        if member.room in GROUPS:
            assert group in GROUPS[member.room], f"a distribution in {member.room}/ does not serve {group}"
        for name, target in entries.items():
            module, _, factory = target.partition(":")
            assert module.partition(".")[0] == member.module, f"{group}: {name} points outside: {target}"
            assert factory.isidentifier(), f"{group}: {name} names no factory: {target}"


def test_an_entry_point_name_belongs_to_one_distribution(members):
    owners = defaultdict(set)
    for member in members:
        for group, entries in member.entry_points.items():
            for name in entries:
                owners[group, name].add(member.name)
    assert not {key: sorted(names) for key, names in owners.items() if len(names) > 1}


def test_metadata_is_complete(member, root):
    assert member.project["license"] == "Apache-2.0"
    assert member.project["license-files"] == ["LICENSE"]  # the wheel carries its text
    assert (member.path / "LICENSE").read_bytes() == (root / "LICENSE").read_bytes()
    assert member.project["readme"] == "README.md"
    assert member.project["requires-python"] == ">=3.11"
    assert member.project["description"].endswith(".")


def test_members_carry_metadata_only(member):
    tables = tomllib.loads((member.path / "pyproject.toml").read_text("utf-8"))
    assert set(tables) == {"project", "build-system"}, "tool configuration stands in the root pyproject.toml"
    assert tables["build-system"]["build-backend"] == "uv_build"


def test_the_command_knows_which_distribution_brings_which_command(members):
    brought = {
        name: member.name
        for member in members
        for name in member.project.get("entry-points", {}).get("indx.commands", {})
    }
    assert brought == ELSEWHERE
    assert not set(brought) & set(COMMANDS)


def test_a_store_that_is_not_installed_is_refused_with_what_brings_it(members):
    def brought(group):
        points = {member.name: member.project.get("entry-points", {}).get(group, {}) for member in members}
        return {name: distribution for distribution, names in points.items() for name in names}

    for known, group in ((RUNNERS_BY, "indx.job_runners"), (STORES_BY, "indx.document_stores")):
        assert {name: Requirement(line).name for name, line in known.items()} == brought(group)
    extras = {member.name: set(member.project.get("optional-dependencies", {})) for member in members}
    for line in map(Requirement, (*RUNNERS_BY.values(), *STORES_BY.values())):
        assert line.extras == extras[line.name]
