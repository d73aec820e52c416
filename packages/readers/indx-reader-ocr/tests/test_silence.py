"""What the engine would send by itself is not sent."""

import subprocess
import sys

import pytest

LOADS = """sys.modules["cv2"] = types.ModuleType("cv2")
from indx_reader_ocr._engine import Engine
Engine()"""

PROBE = """
import os, sys, types

class Told:
    def find_spec(self, name, *rest):
        if name == "{engine}":
            print(os.environ.get("ORT_DISABLE_TELEMETRY"))
            sys.stdout.flush()
            os._exit(0)

sys.meta_path.insert(0, Told())
{code}
"""


@pytest.mark.parametrize(("given", "told"), [(None, "1"), ("0", "0")])
def test_the_engine_is_told_to_report_nothing_before_it_is_loaded(monkeypatch, given, told):
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    if given is not None:
        monkeypatch.setenv("ORT_DISABLE_TELEMETRY", given)
    code = PROBE.format(engine="rapidocr", code=LOADS)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == told, done.stderr
