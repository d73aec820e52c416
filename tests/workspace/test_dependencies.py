"""What a member declares is what it imports, within bounds that its neighbours keep."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import packages_distributions

from packaging.utils import canonicalize_name
from packaging.version import Version

# Declared for what it carries or brings, not for its code; each with its reason.
NOT_IMPORTED = {
    ("indx", "indx-embed-hash"): "every install carries the space `default-text`",
    ("indx-embed-wordllama", "wordllama"): "its wheel carries the weights, read as a file",
    ("indx-server", "python-multipart"): "starlette parses multipart bodies with it",
}

# Modules whose distribution has another name and may be absent where an extra is not installed.
PROVIDED_BY = {
    "PIL": "pillow",
    "azure": "azure-storage-blob",
    "cv2": "opencv-python-headless",
    "google": "google-cloud-storage",
    "lingua": "lingua-language-detector",
}

# Released with its owner, which pins it exactly and has its users import from it.
PART_OF = {"pydantic-core": "pydantic"}


def distributions_of(module: str) -> set[str]:
    """Canonical names of the distributions that may provide a top-level module."""
    named = packages_distributions().get(module) or [PROVIDED_BY.get(module, module)]
    names = map(canonicalize_name, named)
    return {PART_OF.get(name, name) for name in names}


def test_every_import_is_declared(member):
    declared = member.required.keys() | member.optional.keys() | {member.name}
    undeclared = {
        module: path.name
        for module, path in member.imports().items()
        if module not in sys.stdlib_module_names and not distributions_of(module) & declared
    }
    assert not undeclared, f"imported and not in its pyproject.toml: {undeclared}"


def test_every_declared_dependency_is_imported(member):
    used = set().union(*map(distributions_of, member.imports()))
    unused = {
        name for name in member.required if name not in used and (member.name, name) not in NOT_IMPORTED
    }
    assert not unused, f"declared and never imported: {sorted(unused)}"


def test_exceptions_are_still_exceptions(by_name):
    for (owner, name), reason in NOT_IMPORTED.items():
        assert name in by_name[owner].required, f"{owner} no longer declares {name} ({reason})"
        used = set().union(*map(distributions_of, by_name[owner].imports()))
        assert name not in used, f"{owner} imports {name} now: take it off the list"


def test_bounds_between_members_span_one_compatible_series(member, by_name):
    for name, requirement in (member.required | member.optional).items():
        if name not in by_name:
            continue
        version = Version(by_name[name].project["version"])
        bounds = {spec.operator: Version(spec.version) for spec in requirement.specifier}
        assert set(bounds) == {">=", "<"}, f"{requirement}: write >=LOW,<NEXT"
        low, high = bounds[">="], bounds["<"]
        following = Version(f"{low.major + 1}") if low.major else Version(f"0.{low.minor + 1}")
        assert high == following, f"{requirement}: the upper bound of {low} is {following}"
        assert low <= version < high, f"{requirement} does not admit {name} {version} of this workspace"


def test_every_other_requirement_has_a_lower_bound(member, by_name):
    for name, requirement in (member.required | member.optional).items():
        if name not in by_name:
            operators = {spec.operator for spec in requirement.specifier}
            assert operators & {">=", "==", "~="}, f"{requirement} has no lower bound"


def test_every_member_is_a_workspace_source(members, pyproject):
    sources = pyproject["tool"]["uv"]["sources"]
    assert sources == {member.name: {"workspace": True} for member in members}


def test_no_member_pulls_in_a_deep_learning_framework(root):
    locked = {package["name"] for package in tomllib.loads((root / "uv.lock").read_text("utf-8"))["package"]}
    assert not locked & {"torch", "tensorflow", "jax", "docling"}
