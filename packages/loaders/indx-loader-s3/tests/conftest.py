"""An S3 server of moto's in a process of its own, and one whose answers the test writes out byte for byte."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from indx_loader_s3.settings import SETTINGS
from indx_testkit.storages import RawServer

# boto3 is not in everybody's environment. `scripts/test install` (tests/install/test_engines.py) runs these
# files with it and with moto; where they are absent they are not collected.
collect_ignore = [] if importlib.util.find_spec("boto3") else ["test_answers.py"]
if not (importlib.util.find_spec("boto3") and importlib.util.find_spec("moto")):
    collect_ignore += ["test_conformance.py", "test_objects.py", "test_encode.py"]

SERVER = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine: keys of the test's own, and no other link of boto3's chain."""
    for setting in SETTINGS:
        monkeypatch.delenv(setting.name, raising=False)
    for name in (
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "AWS_PROFILE",
        "AWS_REGION",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("INDX_LOADER_S3_ACCESS_KEY_ID", "test-key")
    monkeypatch.setenv("INDX_LOADER_S3_SECRET_ACCESS_KEY", "test-secret")


@pytest.fixture(scope="session")
def moto() -> Iterator[str]:
    """The address of an S3 server that keeps what it is given."""
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
    monkeypatch.setenv("INDX_LOADER_S3_ENDPOINT_URL", running.url)
    yield running
    running.close()
