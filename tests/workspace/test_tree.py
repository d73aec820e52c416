"""What stands in the repository, and what must not."""

from __future__ import annotations

import re

VISIBLE = {"pyproject.toml", "uv.lock", "packages", "tests", "adr", "docs", "scripts", "README.md", "LICENSE"}
HIDDEN = {".ci", ".gitignore", ".python-version", ".pre-commit-config.yaml"}
# Spelled in parts, so that this file does not hold what it looks for.
MACHINE_PATHS = re.compile(
    "|".join((r"/wo" + r"rk/", r"/ro" + r"ot/", r"/op" + r"t/(?:pypi|wheels)", r"/ho" + r"me/\w+/"))
)
BINARY = {
    ".pdf",
    ".docx",
    ".xlsx",
    ".pptx",
    ".png",
    ".jpg",
    ".jpeg",
    ".tiff",
    ".tif",
    ".gif",
    ".zip",
    ".gz",
    ".bin",
    ".npy",
}
LARGEST = 1_000_000


def test_the_top_level_holds_what_the_design_names(tracked, root):
    found = {path.relative_to(root).parts[0] for path in tracked}
    assert found == VISIBLE | HIDDEN


def test_no_file_names_a_path_of_a_machine(tracked, root):
    for path in tracked:
        if path.suffix not in BINARY:
            found = MACHINE_PATHS.search(path.read_text("utf-8", errors="replace"))
            assert not found, f"{path.relative_to(root)}: {found.group()}"


def test_text_files_are_utf8_with_unix_line_ends(tracked, root):
    for path in tracked:
        if path.suffix in {".py", ".md", ".toml", ".yaml", ".json", ".txt", ""}:
            content = path.read_bytes()
            content.decode("utf-8")
            assert b"\r\n" not in content, path.relative_to(root)
            assert not content or content.endswith(b"\n"), f"{path.relative_to(root)} has no final newline"


def test_no_file_is_large(tracked, root):
    large = {str(p.relative_to(root)): p.stat().st_size for p in tracked if p.stat().st_size > LARGEST}
    large.pop("uv.lock", None)
    assert not large


def test_no_shared_test_is_waived(root):
    waived = re.compile(r"\bxfail\b|mark\.skip|pytest\.skip|importorskip|\bsleep\(")
    for path in sorted(root.glob("tests/*/**/*.py")):
        if "workspace" not in path.relative_to(root).parts:
            found = waived.search(path.read_text("utf-8"))
            assert not found, f"{path.relative_to(root)}: {found.group()}"


def test_the_licence_is_apache_2(root):
    text = (root / "LICENSE").read_text("utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text


def test_the_root_is_virtual(pyproject, root):
    assert "project" not in pyproject
    assert pyproject["tool"]["uv"]["package"] is False
    assert (root / ".python-version").read_text("utf-8").strip() == "3.11"


def test_hooks_before_a_commit_are_local(root):
    hooks = (root / ".pre-commit-config.yaml").read_text("utf-8")
    assert re.findall(r"repo: (\S+)", hooks) == ["local"]
