"""The command encodes an object by its URI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from google.auth.credentials import AnonymousCredentials
from google.cloud.storage import Client


def test_the_command_encodes_an_object(emulator: str, tmp_path: Path) -> None:
    client = Client("test", AnonymousCredentials(), client_options={"api_endpoint": emulator})
    client.create_bucket("encoded").blob("notes/a b.md").upload_from_string(b"# Title\n\nHello there.")
    variables = {"INDX_LOADER_GS_ENDPOINT_URL": emulator, "INDX_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "indx", "encode", "gs://encoded/notes/a%20b.md", "--granularity", "PAGE"]
    ran = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document, page = json.loads(ran.stdout)["blocks"]
    assert document["provenance"]["source_uri"] == "gs://encoded/notes/a%20b.md"
    assert "Hello there." in page["text"]
