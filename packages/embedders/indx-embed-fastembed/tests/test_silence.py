"""What the engine would send by itself is not sent."""

import pytest

from indx_testkit.lazy import set_before_loading

LOADS = """
import types
from indx_embed_fastembed._model import Model
weights = types.SimpleNamespace(lack=lambda: None, folder=lambda own: ".", model="model")
Model(weights)._load(types.SimpleNamespace(modalities=("text",)), None)
"""


@pytest.mark.parametrize(("given", "told"), [(None, "1"), ("0", "0")])
def test_the_engine_is_told_to_report_nothing_before_it_is_loaded(monkeypatch, given, told):
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    if given is not None:
        monkeypatch.setenv("ORT_DISABLE_TELEMETRY", given)
    assert set_before_loading("fastembed", "ORT_DISABLE_TELEMETRY", LOADS) == told
