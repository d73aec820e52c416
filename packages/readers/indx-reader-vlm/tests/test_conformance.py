"""The rules of a capability, held before a server that always answers the same."""

from __future__ import annotations

import os
from typing import ClassVar

import pytest

from indx_reader_image.provider import observer
from indx_reader_vlm.provider import reader
from indx_testkit import CapabilityKit, DocumentSample
from indx_testkit.serving import ModelServer, chat


def bitmap() -> bytes:
    """Two white pixels, as a BMP file."""
    return bytes.fromhex(
        "424d3e0000000000000036000000280000000200000001000000010018000000000008000000"
        "130b0000130b00000000000000000000ffffffffffff0000"
    )


class TestVlmReader(CapabilityKit):
    factory = staticmethod(reader)
    observer = staticmethod(observer)
    needs_rendering = True
    documents: ClassVar = [
        DocumentSample(bitmap(), "image/bmp", pages=1, expected={1: ["Invoice\tTotal", "１ 合計"]})
    ]

    @pytest.fixture(autouse=True)
    def configured(self, server):
        server.will(chat('{"text": "Invoice\\tTotal\\r\\n１ 合計\\u2028 \\n"}'))
        assert os.environ["INDX_VLM_MODEL"]
        assert isinstance(server, ModelServer)
