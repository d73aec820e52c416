"""What identifies the code of a provider: the versions of all it requires, and files that are worked on."""

import json
import sys

import pytest

from indx_space.pipeline import versions


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a distribution by its metadata alone, in a folder of the test's."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def make(name, version="1.0", *requires, editable=False):
        for old in tmp_path.glob(f"{name.replace('-', '_')}-*.dist-info"):
            for file in old.iterdir():
                file.unlink()
            old.rmdir()
        info = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}"]
        lines += [f"Requires-Dist: {required}" for required in requires]
        (info / "METADATA").write_text("\n".join([*lines, "", "Requires-Dist: of-the-description", ""]))
        if editable:
            (info / "direct_url.json").write_text(json.dumps({"url": "x", "dir_info": {"editable": True}}))

    return make


@pytest.fixture
def code():
    """The identity as a new process would find it."""

    def fresh(name="the-reader"):
        versions._code_of.cache_clear()
        versions._code.cache_clear()
        versions._folders.cache_clear()
        return versions.code_of(name)

    return fresh


def test_what_is_on_another_path_is_other_code_in_one_process_too(install, monkeypatch):
    install("the-reader", "1.0")
    here = versions.code_of("the-reader")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(sys, "path", sys.path[1:])
        assert versions.code_of("the-reader") != here
    assert versions.code_of("the-reader") == here


def test_another_version_of_what_a_provider_requires_however_far_is_other_code(install, code):
    install("the-reader", "1.0", "The_Library>=1 ; python_version > '3'")
    install("the-library", "1.0", "engine")
    install("engine", "1.0", "the-reader")
    before = code()
    assert code() == before
    install("engine", "1.1", "the-reader")
    assert code() != before


def test_an_extra_counts_once_it_is_installed_and_what_tests_a_library_does_not(install, code):
    install("the-reader", "1.0", "library[fast] ; extra == 'fast'")
    install("library", "1.0", "quick-engine ; extra == 'fast'")
    without = code()
    install("quick-engine", "1.0", "tester ; extra == 'test'")
    having = code()
    assert having != without
    install("tester", "1.0")
    assert code() == having


def test_files_that_are_worked_on_count_and_those_of_a_release_do_not(install, code, tmp_path):
    package = tmp_path / "the_reader"
    package.mkdir()
    file = package / "__init__.py"
    for editable in (False, True):
        install("the-reader", editable=editable)
        file.write_text("")
        before = code()
        file.write_text("changed = True\n")
        assert (code() != before) is editable


def test_what_is_not_installed_or_damaged_has_an_identity_too(install, code, tmp_path):
    assert code("nobody-has-this") == code("nobody-has-this") != code("nor-this")
    install("the-reader")
    (tmp_path / "the_reader-1.0.dist-info" / "direct_url.json").write_text("{")
    assert code()
    assert code("") == code("")


def test_what_lies_on_the_path_in_another_form_is_found_as_well(install, code, tmp_path):
    install("the-reader", "1.0", "old-library")
    before = code()
    (tmp_path / "old_library.egg-info").mkdir()
    (tmp_path / "old_library.egg-info" / "PKG-INFO").write_text("Name: old-library\nVersion: 1\n")
    (tmp_path / "old_library.egg-info" / "METADATA").write_text("Name: old-library\nVersion: 1\n")
    assert code() != before
