"""Light imports are told from heavy ones, in a fresh interpreter."""

from pathlib import Path

import pytest

from indx_testkit.lazy import HEAVY, assert_light_factory, assert_light_import, run_python


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(name: str, text: str) -> str:
        path = tmp_path.joinpath(*name.split(".")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return name

    return make


def test_the_standard_library_the_core_and_its_own_package_are_free(write):
    write("lazyown.other", "import sqlite3\n")
    assert_light_import(
        write("lazyown.module", "import json\nimport indx_core.ports\nimport lazyown.other\n")
    )


def test_any_third_party_package_is_refused(write):
    with pytest.raises(AssertionError, match="hypothesis"):
        assert_light_import(write("lazythird", "import hypothesis\n"))


def test_a_third_party_package_may_be_allowed(write):
    assert_light_import(write("lazyallowed", "import pluggy\n"), allow=("pluggy",))


def test_what_is_heavy_is_refused_however_it_is_reached(write):
    assert "pydantic" in HEAVY
    with pytest.raises(AssertionError, match="pydantic"):
        assert_light_import(write("lazyreached", "import indx_core.contracts.plan\n"))


def test_a_module_that_is_not_there_fails_by_its_own_error():
    with pytest.raises(AssertionError, match="No module named 'lazynone'"):
        assert_light_import("lazynone")


PROVIDER = """
class Provider:
    declaration = None
    {property}
    def availability(self):
        {body}

def factory():
    return Provider()
"""


def test_a_factory_whose_availability_looks_for_a_package_is_light(write):
    body = "import importlib.util; return importlib.util.find_spec('numpy') and None"
    assert_light_factory(write("lazyfind", PROVIDER.format(property="", body=body)), "factory")


def test_a_factory_whose_availability_imports_is_refused(write):
    name = write("lazyavailable", PROVIDER.format(property="", body="import numpy"))
    with pytest.raises(AssertionError, match="numpy"):
        assert_light_factory(name, "factory")


ABSENT = """
from indx_core.ports import Unavailability

def factory():
    {body}
    return Unavailability("its engine is not installed", "pip install engine")
"""


def test_a_factory_that_answers_that_its_engine_is_absent_is_light(write):
    assert_light_factory(write("lazyabsent", ABSENT.format(body="")), "factory")


def test_a_factory_that_imports_before_it_answers_so_is_refused(write):
    with pytest.raises(AssertionError, match="numpy"):
        assert_light_factory(write("lazyabsentheavy", ABSENT.format(body="import numpy")), "factory")


def test_a_factory_without_a_declaration_fails_by_its_own_error(write):
    with pytest.raises(AssertionError, match="no attribute 'declaration'"):
        assert_light_factory(write("lazyundeclared", "factory = object\n"), "factory")


def test_a_factory_whose_declaration_imports_is_refused(write):
    declared = "declaration = property(lambda self: __import__('numpy'))"
    name = write("lazydeclared", PROVIDER.format(property=declared, body="pass"))
    with pytest.raises(AssertionError, match="numpy"):
        assert_light_factory(name, "factory")


def test_a_module_that_ends_the_interpreter_is_refused(write):
    with pytest.raises(AssertionError, match="ended the interpreter"):
        assert_light_import(write("lazyexit", "raise SystemExit\n"))


def test_what_a_module_prints_is_no_answer(write):
    assert_light_import(write("lazyprints", "print('hypothesis')\n"))


def test_a_program_sees_the_variables_it_is_given():
    assert run_python("import os; print(os.environ['PYTHONHASHSEED'])", PYTHONHASHSEED="7").strip() == "7"
