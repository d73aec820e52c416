"""docs/reference/contract.md: every wire model, from its JSON Schema."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any

from reference import markdown

from indx_core import contracts
from indx_core.contracts.schema import wire_schemas

GROUPS = {
    "requests": "Requests",
    "source": "Sources",
    "selection": "What requests choose",
    "plan": "Plans",
    "encode": "The answer of encode",
    "blocks": "Blocks",
    "annotations": "What lanes add",
    "trace": "Trace and usage",
    "embed": "Embedding",
    "snapshot": "Capabilities",
    "errors": "Errors",
    "space": "Knowledge spaces",
    "invoice": "Invoices",
    "process_chart": "Process charts",
    "documents": "Kept documents and search",
    "types": "Document types",
    "labels": "Labels",
    "datasets": "Datasets",
    "routers": "Routers",
    "routing": "Resolved routers",
    "experiments": "Experiments",
    "health": "Health and readiness",
}
INTRO = """
The models that travel: as JSON on the wire and from the command, as pydantic models of
`indx_core.contracts` in Python. `python -m indx_core.contracts.schema` writes their JSON Schemas. A model
that callers write refuses members it does not know; a reader of answers should ignore them.

Kept documents and what follows them belong to services that keep things; the engine and the command use
none of them.

The column *given* says, for what callers write: `required`, or `optional` with the default; for what is
answered: `always`, or `where known` for a member that is left out otherwise. `null` is written only where the
type says so.

| word | means |
|---|---|
| digest | a string: `sha256:` and 64 hex digits |
| key | a string: up to 64 of `a-z 0-9 . _ -`, beginning with a letter or digit |
| time | a string: RFC 3339 in UTC, ending in `Z` |
| base64 | a string: bytes in base64 |
| fraction | a number from 0 to 1 |
| box | four fractions `[x0, y0, x1, y1]` of the page as displayed, origin at its top left |
"""
_KEY = "^[a-z0-9][a-z0-9._-]{0,63}$"
_DIGEST = "^sha256:[0-9a-f]{64}$"


def page() -> str:
    """The page."""
    schemas = wire_schemas()["$defs"]
    written: dict[str, dict[str, Any]] = {}
    for name, schema in schemas.items():
        model, _, side = name.partition("-")
        if not side:
            side = "Input" if schema.get("additionalProperties") is False else "Output"
        written.setdefault(model, {})[side] = schema
    homes = {name: _home(name) for name in written}
    missing = set(homes.values()) - GROUPS.keys()
    assert not missing, f"scripts/reference/contract.py has no heading for {sorted(missing)}"
    parts = [INTRO]
    for module, title in GROUPS.items():
        about = importlib.import_module(f"{contracts.__name__}.{module}").__doc__
        parts += [f"## {title}", markdown.first_line(about)]
        for name in sorted((n for n in written if homes[n] == module), key=_order(module)):
            parts += [f"### {name}", *_model(written[name])]
    return markdown.page("The contract", "the JSON Schemas of `indx_core.contracts`", *parts)


def _home(name: str) -> str:
    return str(getattr(contracts, name).__module__).rpartition(".")[2]


def _order(module: str) -> Any:
    """The order of declaration within a module."""
    names = list(vars(importlib.import_module(f"{contracts.__name__}.{module}")))
    return names.index


def _model(sides: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    shown = sides.get("Output") or sides["Input"]
    about = shown.get("description", "")
    yield "\n\n".join(" ".join(paragraph.split()) for paragraph in about.split("\n\n"))
    if "enum" in shown:
        yield f"{_kind(shown).capitalize()}."
        return
    rows = []
    for field, schema in shown.get("properties", {}).items():
        given = [_given(field, side, sides[side]) for side in ("Input", "Output") if side in sides]
        rows.append((f"`{field}`", _kind(schema), "; ".join(given), schema.get("description", "")))
    yield markdown.table(("field", "type", "given", "meaning"), rows)


def _given(field: str, side: str, schema: Mapping[str, Any]) -> str:
    needed = field in schema.get("required", ())
    if side == "Output":
        return "always" if needed else "where known"
    if needed:
        return "required"
    default = schema["properties"][field].get("default")
    return "optional" if default is None or default == [] else f"optional, default `{_value(default)}`"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(f'"{one}"' for one in value) + "]"
    return str(value)


def _kind(schema: Mapping[str, Any]) -> str:
    """A type in words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2].partition("-")[0]
        return f"[{name}](#{name.lower()})"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_kind(one) for one in schema[key]))
    if "const" in schema:
        return f'`"{schema["const"]}"`'
    if "enum" in schema:
        return "one of " + ", ".join(f"`{one}`" for one in schema["enum"])
    return _PLAIN.get(schema.get("type", ""), _any)(schema)


def _any(schema: Mapping[str, Any]) -> str:
    return str(schema.get("type", "any JSON value"))


def _string(schema: Mapping[str, Any]) -> str:
    if schema.get("contentEncoding") == "base64":
        return "base64"
    if schema.get("format") == "date-time":
        return "time"
    return {_KEY: "key", _DIGEST: "digest"}.get(schema.get("pattern", ""), "string")


def _number(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if (low, high, schema["type"]) == (0, 1, "number"):
        return "fraction"
    bounds = [f"at least {low}" if low is not None else "", f"at most {high}" if high is not None else ""]
    said = ", ".join(filter(None, bounds))
    return f"{schema['type']} ({said})" if said else str(schema["type"])


def _array(schema: Mapping[str, Any]) -> str:
    fixed = schema.get("prefixItems")
    if fixed:
        kinds = [_kind(one) for one in fixed]
        return "box" if kinds == ["fraction"] * 4 else f"[{', '.join(kinds)}]"
    return f"array of {_kind(schema.get('items', {}))}"


def _object(schema: Mapping[str, Any]) -> str:
    inner = schema.get("additionalProperties")
    return f"object of {_kind(inner)}" if isinstance(inner, dict) and inner else "object"


_PLAIN = {"string": _string, "number": _number, "integer": _number, "array": _array, "object": _object}
