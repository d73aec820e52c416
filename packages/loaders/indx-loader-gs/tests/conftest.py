"""An emulator in a process of its own, and a server whose answers the test writes out byte for byte."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

from indx_loader_gs.settings import SETTINGS
from indx_testkit.storages import RawServer


def installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


# The client is not in everybody's environment. `scripts/test install` (tests/install/test_engines.py) runs
# these files with it and with the emulator; where they are absent they are not collected.
collect_ignore = [] if installed("google-cloud-storage") else ["test_answers.py"]
if not (installed("google-cloud-storage") and installed("gcp-storage-emulator")):
    collect_ignore += ["test_conformance.py", "test_objects.py", "test_encode.py"]

SERVER = """
import sys
from gcp_storage_emulator.server import APIThread, Storage
server = APIThread("127.0.0.1", 0, Storage(use_memory_fs=True))
server.start()
server.is_running.wait()
print(server._httpd.server_address[1], flush=True)
sys.stdin.read()
server.join(1)
"""


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine: no key, and no other link of the chain of default credentials."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    for name in [name for name in os.environ if name.startswith(("GOOGLE_", "STORAGE_", "GCE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path / "none"))


@pytest.fixture(scope="session")
def emulator() -> Iterator[str]:
    """The address of a server that keeps what it is given."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        process.stdin.close()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RawServer]:
    running = RawServer()
    monkeypatch.setenv("INDX_LOADER_GS_ENDPOINT_URL", running.url)
    yield running
    running.close()
    for thread in threading.enumerate():
        if thread.name == "indx-loader-gs":
            thread.join(10)
    with warnings.catch_warnings():  # the client leaves answers it did not like to the garbage collector
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()
