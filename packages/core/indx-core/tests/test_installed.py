"""Distributions are found as importlib-metadata finds them, without importing it where that can be done."""

import re
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError

import importlib_metadata
import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core import installed
from indx_core.discovery import scan

PLAIN = b"[indx.chunkers]\n# a comment\none = os.path:join\n\n[other]\ntwo=os:sep\n"


def write(folder, name, points=PLAIN, metadata=None, suffix="dist-info"):
    info = folder / f"{name.replace('-', '_')}-1.0.{suffix}"
    info.mkdir(parents=True)
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n\nName: in the body\n"
    if suffix == "dist-info":
        (info / "METADATA").write_text(text if metadata is None else metadata)
    else:
        (info / "PKG-INFO").write_text(text)
    (info / "entry_points.txt").write_bytes(points)
    return info


@pytest.fixture
def path(tmp_path, monkeypatch):
    """The path, holding nothing but one folder with the distribution that scans."""
    write(tmp_path, "indx-core", b"")
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    return tmp_path


def both():
    """What is found here, and by the library."""
    return scan(), scan(importlib_metadata.distributions())


def test_this_environment_is_found_as_the_library_finds_it():
    assert scan() == scan(importlib_metadata.distributions())
    assert {c.load().__name__ for c in scan() if c.group == "indx.chunkers"}


def test_what_is_found_loads_what_it_names(path):
    write(path, "my-dist")
    mine = [c for c in scan() if c.distribution == "my-dist"]
    assert [(c.name, c.value, c.version) for c in mine] == [("one", "os.path:join", "1.0")]
    import os

    assert mine[0].load() is os.path.join


@pytest.mark.parametrize(
    "points",
    [
        b"[indx.chunkers]\none = os:sep [extra]\n",
        b"[indx.chunkers]\none = os\n",
        b"one = os:sep\n[indx.chunkers]\n",
        b"[indx.chunkers]\n= = =\n\xff\xfe",
        b"[indx.chunkers]\r\none = os:sep\r\n",
        b"[indx.chunkers]\nno point at all\n",
    ],
)
def test_unusual_entry_points_mean_what_the_library_says(path, points):
    write(path, "odd", points)
    write(path, "good")
    mine, theirs = both()
    assert [(c.group, c.name, c.value) for c in mine] == [(c.group, c.name, c.value) for c in theirs]
    assert "good" in {c.distribution for c in mine}


@pytest.mark.parametrize(
    "metadata", ["", "Version: 1.0\n", "Name: no-version\n", "Name: two words\nVersion: 1\n"]
)
def test_unusual_metadata_means_what_the_library_says(path, metadata):
    write(path, "odd", metadata=metadata)
    mine, theirs = both()
    assert [(c.group, c.distribution, c.version) for c in mine] == [
        (c.group, c.distribution, c.version) for c in theirs
    ]


def test_legacy_metadata_and_archives_on_the_path_are_found(path, monkeypatch):
    write(path, "legacy", suffix="egg-info")
    packed = path / "packed.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("zipped-1.0.dist-info/METADATA", "Name: zipped\nVersion: 1.0\n")
        archive.writestr("zipped-1.0.dist-info/entry_points.txt", PLAIN.decode())
    monkeypatch.setattr(sys, "path", [str(path), str(packed), str(path / "absent")])
    mine, theirs = both()
    assert mine == theirs
    assert {"legacy", "zipped"} <= {c.distribution for c in mine}


def test_a_finder_of_an_application_s_own_is_asked(path, monkeypatch):
    write(path / "elsewhere", "hidden-away")

    class Finder:
        @staticmethod
        def find_spec(*_):
            return None

        @staticmethod
        def find_distributions(context):
            return importlib_metadata.Distribution.discover(path=[str(path / "elsewhere")])

    assert "hidden-away" not in {c.distribution for c in scan()}
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Finder])
    monkeypatch.setattr(
        importlib_metadata,
        "distributions",
        lambda: [importlib_metadata.Distribution.at(next((path / "elsewhere").iterdir()))],
    )
    assert "hidden-away" in {c.distribution for c in scan()}


def test_one_distribution_is_found_by_any_spelling_of_its_name(path):
    write(path, "My.Dist-Name".lower())
    for spelling in ("my.dist-name", "My_Dist.Name", "my-dist-name"):
        found = installed.find(spelling)
        assert (found.name, found.version) == ("my.dist-name", "1.0")
    assert installed.find("another") is None
    assert found.read_text("entry_points.txt") == PLAIN.decode()
    assert found.read_text("absent.txt") is None


@pytest.mark.parametrize("spelling", ["Pillow", "pillow"])
def test_a_distribution_is_found_whose_folder_has_a_capital(path, spelling):
    write(path, spelling)
    assert installed.find("pillow").name == installed.find("Pillow").name == spelling


def test_a_path_is_told_by_the_keys_of_what_stands_on_it_the_first_of_two(path):
    one, two = write(path, "some-thing"), write(path / "later", "Some.Thing".lower())
    write(path / "later", "other")
    found = installed.folders([str(path), str(path / "absent"), str(path / "later")])
    assert found.all_of_it
    assert set(found.by_key) == {"indx-core", "some-thing", "other"}
    assert found.by_key["some-thing"] == str(one) != str(two)


def test_a_path_that_has_more_than_folders_of_metadata_says_so(path, monkeypatch):
    assert installed.folders([str(path)]).all_of_it
    (path / "packed.zip").write_bytes(b"")
    assert not installed.folders([str(path), str(path / "packed.zip")]).all_of_it
    with monkeypatch.context() as own:
        own.setattr(installed, "_is_plain", lambda: False)
        assert not installed.folders([str(path)]).all_of_it
    write(path, "legacy", suffix="egg-info")
    assert not installed.folders([str(path)]).all_of_it


@given(st.text("aB1-_.", max_size=12))
def test_a_key_is_what_the_index_compares(name):
    assert installed.key(name) == re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("is_plain", [True, False])
def test_a_version_is_that_which_the_library_tells(path, monkeypatch, is_plain):
    write(path, "some-thing")
    monkeypatch.setattr(installed, "_is_plain", lambda: is_plain)
    assert installed.version("Some_Thing") == importlib_metadata.version("some-thing") == "1.0"
    assert installed.is_installed("Some_Thing")
    assert not installed.is_installed("no-such-thing")
    with pytest.raises(PackageNotFoundError):
        installed.version("no-such-thing")


def test_a_scan_of_plain_folders_imports_no_library_for_it():
    script = "import sys; from indx_core.discovery import scan; assert scan(); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "importlib_metadata" not in done.stdout
