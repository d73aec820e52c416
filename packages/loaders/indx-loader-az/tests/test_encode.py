"""The command encodes a blob by its URI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def test_the_command_encodes_a_blob(blobs: dict[str, bytes], tmp_path: Path) -> None:
    blobs["docs/notes/a b.md"] = b"# Title\n\nHello there."
    command = [sys.executable, "-m", "indx", "encode", "az://docs/notes/a%20b.md", "--granularity", "PAGE"]
    variables = os.environ | {"INDX_CACHE_DIR": str(tmp_path)}
    ran = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document, page = json.loads(ran.stdout)["blocks"]
    assert document["provenance"]["source_uri"] == "az://docs/notes/a%20b.md"
    assert "Hello there." in page["text"]
