"""Somebody else's package: written by the scaffold, built, installed beside ours, found and used."""

from __future__ import annotations

import json

TEXT = "First stanza,\ntwo lines of it.\n\nSecond stanza.\n"
OURS = ("indx", "indx-reader-text", "indx-chunker-page")


def installed(third_party, wheels, environment, *more):
    """Our wheels and theirs in one clean environment."""
    wheel = third_party("chunker", "stanzas")
    environment.install(*(wheels[name].pin for name in OURS), *more, str(wheel))
    environment.check()
    for name in OURS:
        environment.assert_ours(wheels[name])
    return wheel


def test_the_wheel_of_a_third_party_is_no_member(third_party, wheels):
    assert third_party("chunker", "stanzas").name.startswith("indx_chunker_stanzas-0.1.0")
    assert "indx-chunker-stanzas" not in wheels


def test_its_chunker_is_in_the_snapshot(third_party, wheels, environment):
    installed(third_party, wheels, environment)
    snapshot = json.loads(environment.run("indx", "capabilities").stdout)
    chunkers = {chunker["id"]: chunker for chunker in snapshot["chunkers"]}
    assert set(chunkers) == {"page", "stanzas"}
    assert chunkers["stanzas"]["distribution"] == "indx-chunker-stanzas"
    assert chunkers["stanzas"]["version"] == 1


def test_it_cuts_a_document_that_names_it(third_party, wheels, environment, tmp_path):
    installed(third_party, wheels, environment)
    (tmp_path / "poem.txt").write_text(TEXT, "utf-8")
    asked = ("--granularity", "CHUNK", "--chunkers", "stanzas")
    result = json.loads(environment.run("indx", "encode", tmp_path / "poem.txt", *asked).stdout)
    chunks = [block for block in result["blocks"] if block["scope"] == "CHUNK"]
    assert [block["text"] for block in chunks] == ["First stanza,\ntwo lines of it.", "Second stanza."]
    assert [block["bbox_reason"] for block in chunks] == ["no_geometry", "no_geometry"]
    parts = {part["role"]: part for part in result["trace"]["components"]}
    assert parts["chunker"]["distribution"] == "indx-chunker-stanzas"


def test_its_setting_is_read(third_party, wheels, environment, tmp_path):
    installed(third_party, wheels, environment)
    (tmp_path / "poem.txt").write_text(TEXT, "utf-8")
    command = ("indx", "encode", tmp_path / "poem.txt", "--granularity", "CHUNK", "--chunkers", "stanzas")
    result = json.loads(environment.run(*command, INDX_CHUNKER_STANZAS_MAX_LINES="1").stdout)
    assert len([block for block in result["blocks"] if block["scope"] == "CHUNK"]) == 3


def test_a_plugin_left_out_by_name_is_not_loaded(third_party, wheels, environment):
    installed(third_party, wheels, environment)
    narrowed = environment.run("indx", "capabilities", INDX_PLUGINS="indx-reader-text,indx-chunker-page")
    assert [chunker["id"] for chunker in json.loads(narrowed.stdout)["chunkers"]] == ["page"]


def test_one_that_breaks_at_import_takes_nothing_down(third_party, wheels, environment):
    installed(third_party, wheels, environment)
    provider = environment.site / "indx_chunker_stanzas/provider.py"
    provider.unlink()  # the wheel's file may be shared with the cache
    provider.write_text("raise SystemExit('broken on purpose')\n", "utf-8")
    snapshot = json.loads(environment.run("indx", "capabilities").stdout)
    assert [chunker["id"] for chunker in snapshot["chunkers"]] == ["page"]
    doctor = environment.run("indx", "doctor", code=None)
    assert "indx-chunker-stanzas" in doctor.stdout
    assert "broken on purpose" in doctor.stdout
    assert "Traceback" not in doctor.stdout + doctor.stderr


def test_its_own_tests_pass_with_the_published_kit(third_party, wheels, environment, tmp_path):
    wheel = third_party("chunker", "stanzas")
    environment.install(wheels["indx-testkit"].pin, str(wheel))
    tests = wheel.parent.parent / "tests"
    ran = environment.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", tests)
    assert " passed" in ran.stdout
