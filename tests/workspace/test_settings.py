"""Settings are declared once, named after their member, and the README's table says the same."""

from __future__ import annotations

import importlib
import re

import pytest

from indx_core.scrubbing import scrubbed

ROW = re.compile(r"^\| *`(INDX_[A-Z0-9_]+)` *\|(.*)\|\s*$", re.MULTILINE)
MENTIONED = re.compile(r"[\"'](INDX_[A-Z0-9_]+)[\"']")


def shown(default) -> str:
    """The default as a README writes it."""
    if default is None or default in ("", ()):
        return "unset"
    if isinstance(default, bool):
        return f"`{default}`".lower()
    if isinstance(default, tuple):
        return f"`{','.join(map(str, default))}`"
    return f"`{default}`"


def row(setting) -> str:
    """The line of a README's table that states a setting."""
    meaning = setting.help.replace("|", "\\|")
    return f"| `{setting.name}` | {shown(setting.default)} | {meaning} |"


def settings_of(member):
    """What `settings.py` declares; the core has no such file and declares beside the code that reads."""
    found = []
    for path in member.sources:
        if re.search(r"^SETTINGS\b", path.read_text("utf-8"), re.MULTILINE):
            assert path.name == "settings.py" or member.name == "indx-core", f"{path.name} declares settings"
            name = ".".join(path.relative_to(member.path / "src").with_suffix("").parts)
            declared = importlib.import_module(name.removesuffix(".__init__")).SETTINGS
            assert isinstance(declared, tuple)
            found += declared
    return found


def plain(text: str) -> str:
    return re.sub(r"[`\s]+", " ", text).strip().rstrip(".")


def test_the_readme_table_is_the_settings(member):
    table = {
        name: [plain(cell) for cell in re.split(r"(?<!\\)\|", rest)]
        for name, rest in ROW.findall((member.path / "README.md").read_text("utf-8"))
    }
    declared = {setting.name: setting for setting in settings_of(member)}
    assert set(table) == set(declared), "the README's table and settings.py list other variables"
    for name, setting in declared.items():
        expected = [plain(cell) for cell in re.split(r"(?<!\\)\|", row(setting))[2:4]]
        assert table[name] == expected, f"write in README.md:\n{row(setting)}"


def test_a_setting_is_declared_once(members):
    owners = {}
    for member in members:
        for setting in settings_of(member):
            assert setting.name not in owners, f"{setting.name}: {owners.get(setting.name)} and {member.name}"
            owners[setting.name] = member.name
    assert owners, "no member declares a setting"


def test_a_setting_says_what_it_does(member):
    for setting in settings_of(member):
        assert setting.name.startswith("INDX_")
        assert setting.help.endswith("."), f"{setting.name}: help is one sentence"


def test_no_variable_is_read_without_being_declared(members):
    declared = {setting.name for member in members for setting in settings_of(member)}
    for member in members:
        for path in member.sources:
            unknown = {
                name
                for name in set(MENTIONED.findall(path.read_text("utf-8"))) - declared
                # A prefix that a library makes several settings of.
                if not any(known.startswith(f"{name}_") for known in declared)
            }
            assert not unknown, f"{member.name}/{path.name} names {sorted(unknown)}, declared nowhere"


@pytest.mark.parametrize(
    ("default", "text"),
    [(None, "unset"), ("", "unset"), ((), "unset"), (True, "`true`"), (10, "`10`"), (("a", "b"), "`a,b`")],
)
def test_a_default_has_one_spelling(default, text):
    assert shown(default) == text


def test_the_value_of_a_secret_setting_is_hidden_wherever_it_is_quoted(members):
    secrets = {one.name for member in members for one in settings_of(member) if one.secret}
    assert secrets
    told = {name: scrubbed("it said hunter-2-hunter", {name: "hunter-2-hunter"}) for name in secrets}
    shown = [name for name, line in told.items() if "hunter" in line]
    assert not shown, f"{shown}: let indx_core.scrubbing know such names"
