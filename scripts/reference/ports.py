"""docs/reference/ports.md: each port with its entry-point group, its methods, and the types they exchange."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator

from reference import markdown

from indx_core import ports
from indx_core.discovery import GROUPS

PORT_OF = {
    "indx.loaders": "Loader",
    "indx.sniffers": "Sniffer",
    "indx.observers": "Observer",
    "indx.capabilities": "Capability",
    "indx.chunkers": "Chunker",
    "indx.language_detectors": "LanguageDetector",
    "indx.classifiers": "Classifier",
    "indx.extractors": "Extractor",
    "indx.enrichers": "Enricher",
    "indx.embedders": "Embedder",
    "indx.document_stores": "DocumentStore",
    "indx.vector_indexes": "VectorIndex",
    "indx.source_stores": "SourceStore",
    "indx.schema_stores": "SchemaStore",
    "indx.label_stores": "LabelStore",
    "indx.dataset_stores": "DatasetStore",
    "indx.router_stores": "RouterStore",
    "indx.experiment_stores": "ExperimentStore",
    "indx.job_runners": "JobRunner",
    "indx.writers": "OutputWriter",
    "indx.search_modes": "SearchMode",
}
UNDECLARED = """
| group | an entry point names |
|---|---|
| `indx.commands` | a function or a Typer application; the entry point's name is the command |
| `indx.hooks` | an object with hooks, see [hooks](hooks.md) |
"""
INTRO = """
A port is a `typing.Protocol` in `indx_core.ports`: a class with these attributes and methods drops in, no
base class is needed. A provider is found by an entry point of its group, which names a function without
arguments that returns it. Every provider has two attributes: `port_version`, which is `{version}`, and
`declaration`, its facts as data.

`declaration` and `availability()` are read without doing anything else, so their module imports nothing
heavy: what does the work is imported inside the methods. `indx-testkit` has a kit of tests for each port.
"""


def page() -> str:
    """The page."""
    missing = set(GROUPS) - PORT_OF.keys() - {"indx.commands", "indx.hooks"}
    assert not missing, f"scripts/reference/ports.py does not name the port of {sorted(missing)}"
    classes = _classes()
    protocols = {name for name, node in classes.items() if _is_protocol(node)}
    groups = {port: group for group, port in PORT_OF.items()}
    first = [port for group in GROUPS if (port := PORT_OF.get(group))]
    shared = sorted(protocols - set(first))
    parts = [INTRO.format(version=ports.PORT_VERSION), "## Ports"]
    overview = [(f"[{p}](#{p.lower()})", f"`{groups[p]}`", _about(classes[p])) for p in first]
    parts += [markdown.table(("port", "entry-point group", "what it does"), overview), UNDECLARED]
    for name in first:
        parts += [f"### {name}", f"Entry-point group `{groups[name]}`.", *_protocol(classes[name], classes)]
    parts.append("## What ports have in common")
    for name in shared:
        parts += [f"### {name.strip('_')}", *_protocol(classes[name], classes)]
    parts += ["## What they exchange", _aliases()]
    for name in sorted(set(classes) - protocols):
        parts += [f"### {name}", *_data(classes[name])]
    return markdown.page("Ports", "`indx_core.ports`", *parts)


def _modules() -> Iterator[ast.Module]:
    for found in pkgutil.iter_modules(ports.__path__, f"{ports.__name__}."):
        yield ast.parse(inspect.getsource(importlib.import_module(found.name)))


def _classes() -> dict[str, ast.ClassDef]:
    return {node.name: node for tree in _modules() for node in tree.body if isinstance(node, ast.ClassDef)}


def _is_protocol(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base) == "Protocol" for base in node.bases)


def _about(node: ast.ClassDef) -> str:
    return markdown.first_line(ast.get_docstring(node))


def _protocol(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> list[str]:
    bases = [ast.unparse(base) for base in node.bases]
    others = [base for base in bases if base != "Protocol" and not base.startswith("Generic")]
    parts = [_whole_docstring(node)]
    if others:
        named = " and ".join(_link(base, classes) for base in others)
        parts.append(f"Also everything of {named}.")
    facts = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    if facts:
        parts.append(
            "\n".join(f"* `{ast.unparse(one.target)}: {ast.unparse(one.annotation)}`" for one in facts)
        )
    for method in node.body:
        if isinstance(method, ast.FunctionDef):
            parts += [f"#### `{_signature(method)}`", _method_docstring(method)]
    return parts


def _link(base: str, classes: dict[str, ast.ClassDef]) -> str:
    name = base.partition("[")[0]
    shown = base.replace("'", "").strip("_")
    return f"[`{shown}`](#{name.strip('_').lower()})" if name in classes else f"`{shown}`"


def _signature(node: ast.FunctionDef) -> str:
    arguments = ast.unparse(node.args)
    if any(ast.unparse(one) == "property" for one in node.decorator_list):
        return f"{node.name}: {ast.unparse(node.returns)}" if node.returns else node.name
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    return f"{node.name}({arguments}) -> {ast.unparse(node.returns) if node.returns else 'None'}"


def _method_docstring(node: ast.FunctionDef) -> str:
    """The first line, and the lists of arguments, results and errors after it."""
    text = inspect.cleandoc(ast.get_docstring(node) or "")
    first, _, rest = text.partition("\n\n")
    return "\n\n".join([" ".join(first.split()), *_sections(rest)])


def _whole_docstring(node: ast.ClassDef) -> str:
    text = inspect.cleandoc(ast.get_docstring(node) or "").partition("\nAttributes:\n")[0]
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n") if paragraph.strip())


def _sections(text: str) -> Iterator[str]:
    """`Args:`, `Returns:` and `Raises:` as lists; other paragraphs as they are."""
    for block in re.split(r"\n\n+", text):
        head, _, body = block.partition("\n")
        if head in ("Args:", "Returns:", "Raises:"):
            yield f"{ {'Args:': 'Arguments', 'Returns:': 'Returns', 'Raises:': 'Raises'}[head] }:"
            yield "\n".join(f"* {item}" for item in _items(body, named=head != "Returns:"))
        elif block.strip():
            yield " ".join(block.split())


def _items(body: str, *, named: bool) -> Iterator[str]:
    """The entries of a section of a docstring, each on one line."""
    text = inspect.cleandoc("\n" + body)
    entries = re.split(r"\n(?=\S)", text) if named else [text]
    for entry in entries:
        name, colon, meaning = entry.partition(": ")
        one = " ".join(meaning.split())
        yield f"`{name}`: {one}" if named and colon else " ".join(entry.split())


def _data(node: ast.ClassDef) -> list[str]:
    text = inspect.cleandoc(ast.get_docstring(node) or "")
    described = dict(_attributes(text.partition("\nAttributes:\n")[2]))
    rows = []
    for one in node.body:
        if isinstance(one, ast.AnnAssign):
            name = ast.unparse(one.target)
            default = "required" if one.value is None else f"`{_default(one.value)}`"
            rows.append((f"`{name}`", f"`{ast.unparse(one.annotation)}`", default, described.get(name, "")))
    parts = [_whole_docstring(node), markdown.table(("field", "type", "default", "meaning"), rows)]
    made = [one for one in node.body if isinstance(one, ast.FunctionDef) and not one.name.startswith("_")]
    parts += [
        "\n".join(f"* `{_signature(one)}`: {markdown.first_line(ast.get_docstring(one))}" for one in made)
    ]
    return parts


def _attributes(body: str) -> Iterator[tuple[str, str]]:
    for entry in re.split(r"\n(?=\S)", inspect.cleandoc("\n" + body)):
        name, colon, meaning = entry.partition(":")
        if colon:
            yield name.strip(), " ".join(meaning.split())


def _default(value: ast.expr) -> str:
    """A default as a reader of the page would write it."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
        factory = ast.unparse(value.keywords[0].value)
        return factory.removeprefix("lambda: ") if factory.startswith("lambda") else f"{factory}()"
    return ast.unparse(value)


def _aliases() -> str:
    """Names that stand for other types."""
    rows = {("`Classification`", "`Mapping[str, Sequence[Scored]]`")}
    for tree in _modules():
        rows |= {
            (f"`{ast.unparse(node.target)}`", f"`{ast.unparse(node.value).strip(chr(39))}`")
            for node in tree.body
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias" and node.value
        }
    return markdown.table(("name", "stands for"), sorted(rows))
