"""The JSON Schemas of the contracts: the published one of `index.json`, and those of every wire model.

`python -m indx_core.contracts.schema` writes the latter, as the golden file of the tests holds them.
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from typing import Any, cast

from pydantic.json_schema import JsonSchemaMode, models_json_schema

from indx_core import contracts
from indx_core.contracts._base import ContentAddressed, OmitsAbsent, RequestModel, WireModel
from indx_core.contracts.space import Numbered, SpaceModel

_ABSTRACT = {ContentAddressed, Numbered, RequestModel, SpaceModel, WireModel}


def index_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every `index.json` validates against."""
    text = files(contracts).joinpath("index.schema.json").read_text(encoding="utf-8")
    return cast("dict[str, Any]", json.loads(text))


def wire_schemas() -> dict[str, Any]:
    """Return one JSON Schema document whose `$defs` describe every wire model.

    What callers write is described as it is accepted, what indx answers as it is written. A model that is
    both, such as the plan, stands there twice, as `Plan-Input` and `Plan-Output`, where the two differ.
    """
    models = [getattr(contracts, name) for name in contracts.__all__]
    wire = [model for model in models if isinstance(model, type) and issubclass(model, OmitsAbsent)]
    described: list[tuple[type[OmitsAbsent], JsonSchemaMode]] = [
        (model, "validation" if model.model_config.get("extra") == "forbid" else "serialization")
        for model in wire
        if model not in _ABSTRACT
    ]
    return models_json_schema(described, title="indx contracts")[1]


def main() -> None:
    """Write the schemas of all wire models to standard output."""
    sys.stdout.write(json.dumps(wire_schemas(), indent=1, sort_keys=True, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
