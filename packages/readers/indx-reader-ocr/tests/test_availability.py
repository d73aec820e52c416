"""What is advertised of recognition, and what a page of pixels comes to where its engine is not there."""

from __future__ import annotations

import base64
import importlib.util

import pytest

from indx_core.contracts import EncodeRequest
from indx_core.discovery import Registry, State, scan
from indx_reader_ocr.provider import reader
from indx_reader_ocr.settings import DPI, MAX_PIXELS
from indx_runtime import Engine
from indx_runtime.inventory import take_snapshot

FIX = 'pip install "indx-reader-ocr[ocr]"'
PIXEL = (
    "424d3a0000000000000036000000280000000100000001000000010018000000000004000000"
    "130b0000130b00000000000000000000ffffff00"
)


@pytest.fixture
def found(monkeypatch):
    """An environment in which the engine's modules are found, or some of them not."""
    for setting in (DPI, MAX_PIXELS):
        monkeypatch.delenv(setting.name, raising=False)
    real = importlib.util.find_spec

    def set_to(*present):
        engine = ("rapidocr", "onnxruntime", "cv2")
        monkeypatch.setattr(
            importlib.util,
            "find_spec",
            lambda name, *rest: (
                (object() if name in present else None) if name in engine else real(name, *rest)
            ),
        )

    return set_to


def registry() -> Registry:
    names = ("indx-reader-ocr", "indx-reader-image", "indx-reader-pdf", "indx-runtime", "indx-chunker-page")
    return Registry([c for c in scan() if c.distribution in names])


@pytest.mark.parametrize("present", [(), ("rapidocr",), ("onnxruntime", "cv2")])
def test_without_its_engine_it_is_advertised_as_unavailable_with_the_line_that_fixes_it(found, present):
    found(*present)
    provider = registry().find("indx.capabilities", "ocr")
    assert provider.state is State.UNAVAILABLE
    assert provider.fix == FIX
    (info,) = [c for c in take_snapshot(registry()).capabilities if c.id == "ocr"]
    assert (info.kind, info.device, info.available) == ("ocr", "cpu", False)
    assert FIX in info.reason


def test_with_its_engine_it_is_available(found):
    found("rapidocr", "onnxruntime", "cv2")
    assert reader().availability() is None


@pytest.mark.parametrize(
    ("variable", "value"), [("INDX_OCR_DPI", "0"), ("INDX_OCR_DPI", "fine"), ("INDX_OCR_MAX_PIXELS", "-5")]
)
def test_a_variable_that_cannot_be_used_is_named(found, monkeypatch, variable, value):
    found("rapidocr", "onnxruntime", "cv2")
    monkeypatch.setenv(variable, value)
    lack = reader().availability()
    assert variable in lack.reason
    assert variable in lack.fix


def test_an_image_nobody_can_read_says_what_to_install(found):
    found()
    source = {"type": "inline", "data": base64.b64encode(bytes.fromhex(PIXEL)).decode(), "filename": "a.bmp"}
    request = EncodeRequest.model_validate({"source": source, "granularities": ["DOCUMENT", "PAGE", "CHUNK"]})
    result = Engine(registry()).encode(request)
    assert result.plan.default.capability_id == "manual-review"
    document, page = result.blocks[:2]
    for block in (document, page):
        assert block.status == "unreadable"
        assert FIX in block.reason
    assert [(e.capability_id, e.outcome) for e in result.trace.events] == [("manual-review", "manual")]
