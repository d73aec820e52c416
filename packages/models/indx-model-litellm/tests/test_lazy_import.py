"""A lane declares its settings through this library, so importing it must cost nothing."""

from __future__ import annotations

from indx_testkit.lazy import assert_light_import, run_python


def test_importing_the_library_loads_no_third_party_package():
    assert_light_import("indx_model_litellm")


def test_of_its_own_modules_those_are_loaded_whose_names_are_used():
    loaded = run_python(
        "import sys, indx_model_litellm as package;"
        "print(*sorted(m for m in sys.modules if m.startswith('indx_model_litellm.')));"
        "[getattr(package, name) for name in package.__all__]; print({*package.__all__} <= {*dir(package)});"
        "print(hasattr(package, 'nothing'))"
    )
    assert loaded.split("\n")[:3] == ["", "True", "False"]
