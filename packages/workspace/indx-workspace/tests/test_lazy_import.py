"""Commands and settings are found without paying for the engine."""

import pytest

from indx_testkit.lazy import assert_light_import


@pytest.mark.parametrize("module", ["indx_workspace.settings"])
def test_the_module_imports_nothing_heavy(module):
    assert_light_import(module)
