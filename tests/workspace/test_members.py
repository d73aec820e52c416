"""Every member is whole: documents, types, public names, code and tests."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys

FILE_LINES = 400
FUNCTION_LINES = 50
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b|NotImplementedError")
WAIVED = re.compile(r"\bxfail\b|mark\.skip|pytest\.skip|importorskip|unittest\.skip|time\.sleep|\bsleep\(")


def defined(path):
    return [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.stmt)]


def functions(path):
    return [node for node in defined(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_a_member_documents_itself(member):
    readme = (member.path / "README.md").read_text("utf-8")
    assert readme.startswith(f"# {member.name}\n"), "the README's title is the distribution's name"
    assert f"pip install {member.name}" in readme or f'pip install "{member.name}' in readme, (
        "no install line"
    )
    assert len(readme.splitlines()) >= 10, "a README says what it adds, how to use it and what it refuses"


def test_examples_name_nothing_undefined(members, tmp_path):
    examples = 0
    for member in members:
        readme = (member.path / "README.md").read_text("utf-8")
        for block in re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL):
            examples += 1
            (tmp_path / f"{member.module}_{examples}.py").write_text(block, "utf-8")
    assert examples > 30
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821,E9", tmp_path]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def test_the_changelog_opens_with_the_present_version(member):
    changelog = (member.path / "CHANGELOG.md").read_text("utf-8")
    assert changelog.startswith("# Changelog\n")
    versions = [v for v in re.findall(r"^## (\S+)$", changelog, re.MULTILINE) if v != "Unreleased"]
    assert versions[0] == member.project["version"]
    assert len(versions) == len(set(versions))


def test_a_member_is_typed_and_names_what_is_public(member):
    assert (member.package / "py.typed").is_file()
    module = importlib.import_module(member.module)
    assert module.__doc__
    missing = [name for name in module.__all__ if not hasattr(module, name)]
    assert not missing, f"__all__ names what is not there: {missing}"
    assert len(module.__all__) == len(set(module.__all__))


def test_a_member_has_code(member):
    working = [path for path in member.sources if functions(path)]
    assert working, "nothing but docstrings"


def test_a_member_has_tests(member):
    tests = sorted((member.path / "tests").rglob("test_*.py"))
    asserted = [node for path in tests for node in functions(path) if node.name.startswith("test_")]
    kits = [node for path in tests for node in defined(path) if isinstance(node, ast.ClassDef) and node.bases]
    assert asserted or kits, "no test"
    if any(group not in {"indx.commands", "indx.hooks"} for group in member.entry_points):
        names = {path.name for path in tests}
        assert {"test_conformance.py", "test_lazy_import.py"} <= names
    strays = sorted((member.path / "tests").rglob("__init__.py"))
    assert not strays, "test folders are not packages"


def test_files_and_functions_stay_readable(member):
    for path in member.sources:
        lines = path.read_text("utf-8").count("\n")
        assert lines <= FILE_LINES, f"{path.relative_to(member.path)} has {lines} lines, at most {FILE_LINES}"
        for function in functions(path):
            length = (function.end_lineno or function.lineno) - function.lineno + 1
            assert length <= FUNCTION_LINES, (
                f"{path.relative_to(member.path)}:{function.lineno} {function.name} has {length} lines, "
                f"at most {FUNCTION_LINES}"
            )


def test_every_file_says_what_it_is_for(member):
    silent = [
        path.name for path in member.sources if not ast.get_docstring(ast.parse(path.read_text("utf-8")))
    ]
    assert not silent


def test_nothing_is_left_for_later(member):
    for path in member.sources:
        found = UNFINISHED.search(path.read_text("utf-8"))
        assert not found, f"{path.relative_to(member.path)}: {found.group()}"


def test_no_test_is_waived_or_waits(member):
    for path in sorted((member.path / "tests").rglob("*.py")):
        found = WAIVED.search(path.read_text("utf-8"))
        assert not found, f"{path.relative_to(member.path)}: {found.group()}"
