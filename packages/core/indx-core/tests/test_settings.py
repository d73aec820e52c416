"""Settings are parsed strictly and name their variable when they refuse."""

import os
from pathlib import Path

import pytest

from indx_core.errors import ConfigurationError
from indx_core.settings import Setting, boolean, integer, json_list, names, number, path, paths, string

CASES = [
    (string, " text ", "text"),
    (boolean, "true", True),
    (boolean, "0", False),
    (integer(minimum=1), "7", 7),
    (number(minimum=0, maximum=1), "0.5", 0.5),
    (names, "a, b,,c", ("a", "b", "c")),
    (paths, os.pathsep.join(["/a", "/b"]), (Path("/a"), Path("/b"))),
    (path, " /a ", Path("/a")),
    (json_list, '["x", "y"]', ("x", "y")),
    (json_list, r'["\ud83d\ude00", "ü"]', ("😀", "ü")),
]


@pytest.mark.parametrize(("kind", "text", "value"), CASES)
def test_a_setting_becomes_a_value_of_its_kind(kind, text, value):
    assert Setting("INDX_X", kind, None, "x").get({"INDX_X": text}) == value


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (boolean, "yes"),
        (integer(), "1.5"),
        (integer(minimum=1), "0"),
        (integer(), "1_000"),
        (integer(), "１２"),
        (integer(), "9" * 19),
        (integer(), "9" * 5000),
        (number(), "nan"),
        (number(minimum=0), "-1"),
        (number(maximum=1), "2"),
        (number(), "x"),
        (json_list, "{"),
        (json_list, "[" * 100_000),
        (json_list, "[1]"),
        (json_list, r'["\ud800"]'),
    ],
)
def test_a_wrong_value_is_refused_and_the_variable_named(kind, text):
    with pytest.raises(ConfigurationError, match=r"INDX_X: '.*' is not ") as caught:
        Setting("INDX_X", kind, None, "x").get({"INDX_X": text})
    assert caught.value.code == "invalid_setting"
    assert caught.value.exit_code == 3


def test_unset_and_blank_are_the_default():
    setting = Setting("INDX_X", integer(), 5, "x")
    assert setting.get({}) == 5
    assert setting.get({"INDX_X": "  "}) == 5
    assert not setting.is_set({"INDX_X": " "})
    assert setting.is_set({"INDX_X": "1"})


def test_a_secret_value_is_never_shown():
    setting = Setting("INDX_X", json_list, (), "x", secret=True)
    with pytest.raises(ConfigurationError) as caught:
        setting.get({"INDX_X": "hunter2"})
    assert "hunter2" not in str(caught.value)


def test_the_process_environment_is_read_at_each_call(monkeypatch):
    setting = Setting("INDX_X", integer(), 5, "x")
    monkeypatch.setenv("INDX_X", "6")
    assert setting.get() == 6
    monkeypatch.setenv("INDX_X", "7")
    assert setting.get() == 7


def test_what_is_no_json_list_is_told_the_form_of_one():
    setting = Setting("INDX_X", json_list, (), "x", secret=True)
    with pytest.raises(ConfigurationError) as refused:
        setting.get({"INDX_X": "secret"})
    assert (
        refused.value.message == """INDX_X: its value is not a JSON list of strings, such as '["secret"]'"""
    )
