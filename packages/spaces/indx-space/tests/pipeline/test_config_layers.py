"""The configuration: what it may say, and who overrides whom."""

import tomllib

import pytest

from indx_core.errors import ConfigurationError
from indx_space.config import Config, read_file, resolve


@pytest.fixture
def file(tmp_path):
    """Write an `indx.toml`."""

    def make(text, name="indx.toml"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


WHOLE = """
[walk]
include = ["*.md"]
exclude = ["old/"]
hidden = true
gitignore = false
follow_symlinks = true
[parse]
readers = ["text-reader"]
signature_detection = true
[chunk]
chunkers = ["pdf@2", "page"]
[relate]
types = ["references", "parent"]
near_duplicate = 0.8
[enrich]
classifiers = ["words"]
extractors = []
enrichers = ["auto", "llm"]
[embed]
space = "default-text"
[output]
name = "manual"
writers = ["jsonl"]
"""


def test_every_key_is_read(file):
    config = resolve(file=file(WHOLE))
    written = tomllib.loads(WHOLE)
    written["relate"]["types"] = ["parent", "references"]
    assert config.content() | {"output": {"name": "manual", "writers": ["jsonl"]}} == written
    assert config.output.name == "manual"


def test_code_over_flag_over_file_over_environment_over_default(file, monkeypatch):
    def chunkers(**layers):
        return resolve(**layers).chunk.chunkers

    path = file('[chunk]\nchunkers = ["of-file"]')
    flags, code = {"chunk": {"chunkers": ["of-flag"]}}, {"chunk": {"chunkers": ["of-code"]}}
    assert chunkers() == ()
    monkeypatch.setenv("INDX_CHUNKERS", "of-environment,second")
    assert chunkers() == ("of-environment", "second")
    assert chunkers(file=path) == ("of-file",)
    assert chunkers(file=path, flags=flags) == ("of-flag",)
    assert chunkers(file=path, flags=flags, code=code) == ("of-code",)
    assert resolve(file=path, flags={"walk": {"hidden": True}}).chunk.chunkers == ("of-file",), "key by key"


def test_the_file_of_the_folder_is_found_and_a_given_one_beats_it(file, tmp_path):
    file('[output]\nname = "found"')
    assert resolve(folder=tmp_path).output.name == "found"
    given = file('[output]\nname = "given"', "other.toml")
    assert resolve(folder=tmp_path, file=given).output.name == "given"
    assert resolve(folder=tmp_path / "none").output.name == "handbook"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[wlak]\nhidden = true", "no section 'wlak'; did you mean 'walk'?"),
        ("[walk]\nhiden = true", r"no key \[walk\] 'hiden'; did you mean 'hidden'?"),
        ("[walk]\nzzz = 1", "there are include, exclude"),
        ("hidden = true", "no section 'hidden'"),
        ("walk = 3", r"write \[walk\]"),
        ('[walk]\nhidden = "yes"', "hidden is 'yes'; it takes true or false"),
        ("[walk]\ninclude = 'x'", "a list of patterns"),
        ("[walk]\ninclude = ['']", "a list of patterns"),
        ("[chunk]\nchunkers = [1]", "a list of texts"),
        ("[relate]\ntypes = ['cites']", "sibling, parent, references"),
        ("[relate]\nnear_duplicate = 0", "above 0"),
        ("[relate]\nnear_duplicate = 1.5", "at most 1"),
        ("[relate]\nnear_duplicate = true", "above 0"),
        ("[embed]\nspace = ''", "a text"),
        ("[output]\nname = 'a/b'", "a file name"),
        ("[output]\nname = '..'", "a file name"),
        ("[output]\nname = 'a\\u0000'", "is not TOML|a file name"),
        ("[walk\n", "is not TOML"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"#" * 1_100_000, "more than 1048576 bytes"),
        ("x = " + "[" * 5000, "is not TOML"),
    ],
)
def test_what_is_wrong_is_refused_naming_the_place(file, text, said):
    with pytest.raises(ConfigurationError, match=said) as caught:
        resolve(file=file(text))
    assert (caught.value.code, caught.value.exit_code) == ("invalid_config_file", 3)
    assert "indx.toml" in caught.value.message


def test_a_given_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match=r"/.*\.toml' cannot be read: No such .*; check its path$"):
        resolve(file=tmp_path / "none.toml")


def test_a_given_file_that_cannot_be_read_is_refused_with_what_helps(tmp_path, monkeypatch):
    with pytest.raises(ConfigurationError, match=r"; name a configuration file in it$"):
        resolve(file=tmp_path)

    def forbidden(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", forbidden)
    with pytest.raises(ConfigurationError, match=r"cannot be read: Permission denied; let it be read$"):
        resolve(file=tmp_path / "indx.toml")


def test_a_byte_order_mark_is_no_key(file):
    assert resolve(file=file(b'\xef\xbb\xbf[output]\nname = "x"')).output.name == "x"


def test_near_duplicates_may_be_switched_off(file):
    assert resolve(file=file("[relate]\nnear_duplicate = false")).relate.near_duplicate == 1.0


def test_the_content_leaves_out_what_changes_no_content():
    assert set(Config().content()) == {"walk", "parse", "chunk", "relate", "enrich", "embed"}
    assert read_file.__doc__
