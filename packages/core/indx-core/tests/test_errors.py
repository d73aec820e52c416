"""The error tree: one envelope, survivable trips between processes, no unknown codes."""

import json
import pickle

import pytest

from indx_core import errors
from indx_core.errors import IndxError, InvalidRecord, SourceError, echoing, explain

CLASSES = [getattr(errors, name) for name in errors.__all__ if name[0].isupper()]


@pytest.mark.parametrize("kind", CLASSES)
def test_every_error_travels_between_processes_whole(kind):
    error = kind("what to do", code=kind.codes[-1], param="source.uri", request_id="r1")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert again.envelope() == error.envelope()


def test_the_envelope_omits_what_is_absent():
    assert SourceError("m").envelope() == {
        "type": "source_error",
        "code": "source_unreadable",
        "message": "m",
    }


def test_workspace_records_use_one_word_for_type_and_code():
    wire = InvalidRecord("m", code="invalid_label").envelope()
    assert wire["type"] == wire["code"] == "invalid_label"


def test_a_code_outside_the_class_is_a_programming_error():
    with pytest.raises(ValueError, match="not one of"):
        SourceError("m", code="busy")


def test_type_and_code_pairs_are_unique_over_the_tree():
    pairs = [
        (kind.type, code) for kind in CLASSES if kind not in (IndxError, InvalidRecord) for code in kind.codes
    ]
    assert len(pairs) == len(set(pairs))


def test_each_class_stands_in_the_tree_shown_at_the_top():
    assert errors.__doc__ is not None
    for kind in CLASSES:
        assert kind.__name__ in errors.__doc__


def test_an_envelope_is_fit_for_utf8_whatever_it_echoes():
    error = SourceError("no \ud800\x00", param="a.\udcff", request_id="\ud800")
    assert json.dumps(error.envelope(), ensure_ascii=False).encode("utf-8")
    assert error.envelope()["message"] == "no \ufffd\ufffd"


SECRETS = ["key-0123456789", "pw-in-address", "abcdefgh.ijkl", "p@ss word", "p%40ss%20word"]
LEAKY = (
    "refused key-0123456789 at postgres://ann:pw-in-address@h/db with Bearer abcdefgh.ijkl; "
    "tried 'p@ss word', written p%40ss%20word"
)


@pytest.mark.parametrize("kind", CLASSES)
def test_no_secret_leaves_by_an_envelope_whoever_wrote_the_message(kind, monkeypatch):
    monkeypatch.setenv("INDX_FAKE_API_KEY", "key-0123456789")
    monkeypatch.setenv("INDX_STORE_POSTGRES_URL", "postgres://bob:p%40ss%20word@h/db")
    told = json.dumps(kind(LEAKY).envelope())
    assert [secret for secret in SECRETS if secret in told] == []


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("nothing to say")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (SourceError("two\nlines"), "two lines"),
        (MemoryError("x"), "out of memory"),
        (ValueError("first\nsecond"), "ValueError: first"),
        (ValueError(""), "ValueError"),
        (ValueError("\ud800"), "ValueError: \ufffd"),
        (FileNotFoundError(2, "No such file", "/tmp/secret/x"), "FileNotFoundError: No such file"),
        (OSError("not <io object at 0x7f00aa>"), "OSError: not <io object>"),
        (Mute(), "Mute"),
    ],
)  # fmt: skip
def test_what_stopped_something_is_one_clean_line_without_paths_and_addresses(error, line):
    assert explain(error) == line


@pytest.mark.parametrize(("own", "carried"), [(None, "r1"), ("r0", "r0")])
def test_an_error_carries_the_identifier_of_the_request_it_refuses(own, carried):
    with pytest.raises(SourceError) as caught, echoing("r1"):
        raise SourceError("m", request_id=own)
    assert caught.value.envelope()["request_id"] == carried


def test_an_identifier_that_is_none_is_not_carried():
    with pytest.raises(SourceError) as caught, echoing(5):
        raise SourceError("m")
    assert "request_id" not in caught.value.envelope()


def test_a_line_that_explains_is_short():
    assert len(explain(SourceError("x" * 10_000))) == 500
