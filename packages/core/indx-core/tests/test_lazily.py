"""Names that are resolved when they are first used."""

import sys
from types import ModuleType

import pytest

from indx_core.lazily import lazily


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of one public name of its own and one of another module, that say when they are imported."""
    (tmp_path / "lazy_part").mkdir()
    (tmp_path / "lazy_part" / "own.py").write_text("Own = object()")
    (tmp_path / "lazy_other.py").write_text("Other = object()")
    monkeypatch.syspath_prepend(str(tmp_path))
    made = ModuleType("lazy_part")
    made.__path__ = [str(tmp_path / "lazy_part")]
    for name in ("lazy_part", "lazy_part.own", "lazy_other"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "lazy_part", made)
    made.__getattr__, made.__dir__ = lazily("lazy_part", {"Own": ".own", "Other": "lazy_other"})
    return made


def test_a_name_imports_its_module_when_it_is_used_and_no_other(package):
    assert "lazy_part.own" not in sys.modules
    assert package.Own is sys.modules["lazy_part.own"].Own
    assert "lazy_other" not in sys.modules
    assert package.Other is sys.modules["lazy_other"].Other


def test_a_name_is_resolved_once(package):
    found = package.Own
    del sys.modules["lazy_part.own"]
    assert package.Own is found


def test_names_are_listed_before_they_are_resolved(package):
    assert {"Own", "Other", "__name__"} <= {*dir(package)}
    assert "lazy_other" not in sys.modules


def test_a_name_that_there_is_not_is_no_attribute(package):
    with pytest.raises(AttributeError, match="module 'lazy_part' has no attribute 'nothing'"):
        _ = package.nothing
