"""A model's server on this machine, and pages of plain pixels for it to look at."""

from __future__ import annotations

import importlib.util
import struct
import zlib

import pytest

from indx_core.ports import SourceContent
from indx_reader_vlm.settings import SETTINGS
from indx_testkit.serving import ModelServer

# LiteLLM is too large for everybody's environment: `scripts/test install` runs these files with it.
collect_ignore = [] if importlib.util.find_spec("litellm") else ["test_conformance.py", "test_reading.py"]


def png(width: int = 120, height: int = 80) -> bytes:
    """A white picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\xff" * 3 * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


@pytest.fixture
def unset(monkeypatch):
    """No variable of this reader is set."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    monkeypatch.delenv("OLLAMA_API_BASE", raising=False)
    return monkeypatch


@pytest.fixture
def server(unset):
    """The server of the model that is configured."""
    with ModelServer() as running:
        unset.setenv("INDX_VLM_MODEL", "openai/trial")
        unset.setenv("INDX_VLM_API_BASE", running.address)
        unset.setenv("INDX_VLM_RETRIES", "0")
        yield running


@pytest.fixture
def session():
    """Opens an image."""
    from indx_reader_image.provider import observer

    opened = []

    def make(data: bytes = b"", media_type: str = "image/png"):
        opened.append(observer().open(SourceContent.of_bytes(data or png(), media_type=media_type)))
        return opened[-1]

    yield make
    for one in opened:
        one.close()
