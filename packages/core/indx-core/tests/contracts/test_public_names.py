"""The public names of the package, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from indx_core import contracts


def test_every_public_name_resolves() -> None:
    for name in contracts.__all__:
        assert getattr(contracts, name) is not None


def test_dir_lists_the_public_names() -> None:
    assert set(contracts.__all__) <= set(dir(contracts))


def test_names_are_listed_once() -> None:
    assert len(contracts.__all__) == len(set(contracts.__all__))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'Nothing'"):
        _ = contracts.Nothing  # type: ignore[attr-defined]


def test_type_checkers_see_the_same_names_as_the_interpreter() -> None:
    import ast
    from pathlib import Path

    tree = ast.parse(Path(contracts.__file__).read_text(encoding="utf-8"))
    seen = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("indx_core.contracts.")
        for alias in node.names
    }
    assert seen == set(contracts.__all__)


def test_importing_the_package_alone_does_not_import_pydantic() -> None:
    code = (
        "import sys, indx_core.contracts as c; assert 'pydantic' not in sys.modules; "
        "c.Plan; assert 'pydantic' in sys.modules; "
        "assert 'indx_core.contracts.experiments' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
