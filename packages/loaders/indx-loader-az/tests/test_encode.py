"""The command encodes a blob by its URI, from an account that checks its key."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from azure.storage.blob import BlobServiceClient


def test_the_command_encodes_a_blob(account: str, tmp_path: Path) -> None:
    with BlobServiceClient.from_connection_string(account) as service:
        service.create_container("encoded").upload_blob("notes/a b.md", b"# Title\n\nHello there.")
    command = [sys.executable, "-m", "indx", "encode", "az://encoded/notes/a%20b.md", "--granularity", "PAGE"]
    variables = {"INDX_LOADER_AZ_CONNECTION_STRING": account, "INDX_CACHE_DIR": str(tmp_path)}
    ran = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document, page = json.loads(ran.stdout)["blocks"]
    assert document["provenance"]["source_uri"] == "az://encoded/notes/a%20b.md"
    assert "Hello there." in page["text"]
