"""Importing the package and its provider module loads nothing that is only needed later."""

from __future__ import annotations

import pytest

from indx_testkit.lazy import assert_light_import, run_python


@pytest.mark.parametrize("module", ["indx_space", "indx_space.provider"])
def test_importing_loads_no_third_party_package(module: str) -> None:
    assert_light_import(module)


def test_every_public_name_resolves() -> None:
    code = "import indx_space as s; print(*(type(getattr(s, n)).__name__ for n in s.__all__)); print(dir(s))"
    found = run_python(code)
    assert "ModelMetaclass" in found
    assert "KnowledgeSpace" in found


def test_an_unknown_name_is_an_attribute_error() -> None:
    code = "import indx_space\ntry: indx_space.nothing\nexcept AttributeError as error: print(error)"
    assert "no attribute 'nothing'" in run_python(code)


def test_a_model_of_a_space_loads_no_numpy() -> None:
    code = "import sys, indx_space; indx_space.KnowledgeSpace(root='/').stats; print('numpy' in sys.modules)"
    assert run_python(code).strip() == "False"
