"""Importing the package, its provider and its command loads nothing that is only needed later."""

from __future__ import annotations

import pytest

from indx_testkit.lazy import assert_light_import, run_python


@pytest.mark.parametrize("module", ["", ".provider", ".command", ".settings"])
def test_importing_loads_no_third_party_package(module: str) -> None:
    assert_light_import(f"indx_graph{module}")


def test_every_public_name_resolves() -> None:
    code = "import indx_graph as g; print(*(getattr(g, n).__name__ for n in g.__all__)); print(dir(g))"
    found = run_python(code)
    for name in ("SpectRAGIngestion", "SpectRAGRetrieval", "rebuild_graph", "IndexError_", "EmbedderError"):
        assert name in found


def test_an_unknown_name_is_an_attribute_error() -> None:
    code = "import indx_graph\ntry: indx_graph.nothing\nexcept AttributeError as error: print(error)"
    assert "no attribute 'nothing'" in run_python(code)


def test_asking_an_index_needs_no_scipy(making) -> None:
    making.ingest(embed_fn=None, embedder="hash")
    code = f"""
import sys
from indx_graph import SpectRAGRetrieval
SpectRAGRetrieval({str(making.folder)!r}).retrieve("Where is the seat?")
print("scipy" in sys.modules)
"""
    assert run_python(code).strip() == "False"
