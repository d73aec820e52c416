"""The page on parsers makes a package that its own tests pass, and names that package alone."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

PAGE = Path(__file__).parents[4] / "docs/how-to/write-a-parser.md"
FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_package_of_the_page_passes_the_tests_of_the_page(tmp_path):
    blocks = FENCE.findall(PAGE.read_text("utf-8"))
    first = dict(reversed(blocks))  # the first block of each language
    points = tomllib.loads(first["toml"])["project"]["entry-points"]["indx.capabilities"]
    module, _, factory = points["timesheet-parser"].partition(":")
    file = tmp_path / "src" / f"{module.replace('.', '/')}.py"
    file.parent.mkdir(parents=True)
    (file.parent / "__init__.py").touch()
    file.write_text(first["python run"], "utf-8")
    assert f"def {factory}():" in first["python run"]
    (tmp_path / "test_conformance.py").write_text(first["python"], "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        env={**os.environ, "PYTHONPATH": str(tmp_path / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_file_that_the_page_has_a_command_work_on_is_made_by_the_page():
    text = PAGE.read_text("utf-8")
    commands = "\n".join(content for language, content in FENCE.findall(text) if language == "sh")
    assert "> march.txt" in commands
    assert commands.index("> march.txt") < commands.index("indx plan march.txt")
    for package in re.findall(r"\.\./(indx-[a-z-]+)", text):
        assert package == "indx-parser-timesheet"
