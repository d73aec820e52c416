"""The command encodes an object by its URI."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import boto3


def test_the_command_encodes_an_object(moto: str, tmp_path: Path) -> None:
    client = boto3.client(
        "s3",
        endpoint_url=moto,
        region_name="us-east-1",
        aws_access_key_id="test-key",
        aws_secret_access_key="test-secret",
    )
    client.create_bucket(Bucket="encoded")
    client.put_object(Bucket="encoded", Key="notes/a b.md", Body=b"# Title\n\nHello there.")
    variables = {"INDX_LOADER_S3_ENDPOINT_URL": moto, "INDX_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "indx", "encode", "s3://encoded/notes/a%20b.md", "--granularity", "PAGE"]
    ran = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document, page = json.loads(ran.stdout)["blocks"]
    assert document["provenance"]["source_uri"] == "s3://encoded/notes/a%20b.md"
    assert document["provenance"]["media_type"] == "text/markdown"
    assert "Hello there." in page["text"]
