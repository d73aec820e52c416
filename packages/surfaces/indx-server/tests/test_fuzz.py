"""A sample of what the OpenAPI document allows and forbids, from a fixed seed, against a running server."""

import re
import subprocess
import sys
from pathlib import Path

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance"
CHECKS += ",response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance"


def test_no_request_is_answered_by_a_bug_or_in_a_way_that_is_not_described(serve_apart, tmp_path):
    told = {
        "INDX_WORKSPACE_TOKEN": "operator",
        "INDX_URI_SCHEMES": "data",
        "INDX_STORE_COOKIE_SECURE": "false",
    }
    server = serve_apart("--store", "memory", "--log-level", "warning", **told)
    tool = str(Path(sys.executable).with_name("schemathesis"))
    ran = subprocess.run(
        [tool, "run", f"{server.url}/openapi.json", "--seed", "7",
         "--phases", "fuzzing", "--max-examples", "5", "--header", "Authorization: Bearer operator",
         "--checks", CHECKS, "--continue-on-failure",
         "--no-color", "--warnings", "off"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-5000:] + ran.stderr[-1000:]
    assert int(re.search(r"(\d+) generated", ran.stdout)[1]) > 100
    assert server.logged(level="error") == []
