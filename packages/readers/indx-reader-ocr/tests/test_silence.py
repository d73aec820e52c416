"""What the engine would send by itself is not sent."""

import pytest

from indx_testkit.lazy import set_before_loading

LOADS = """
import types
sys.modules["cv2"] = types.ModuleType("cv2")
from indx_reader_ocr._engine import Engine
Engine()
"""


@pytest.mark.parametrize(("given", "told"), [(None, "1"), ("0", "0")])
def test_the_engine_is_told_to_report_nothing_before_it_is_loaded(monkeypatch, given, told):
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    if given is not None:
        monkeypatch.setenv("ORT_DISABLE_TELEMETRY", given)
    assert set_before_loading("rapidocr", "ORT_DISABLE_TELEMETRY", LOADS) == told
