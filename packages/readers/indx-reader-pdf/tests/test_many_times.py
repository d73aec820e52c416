"""Reading the same document over and over leaves the memory of the process where it was."""

from __future__ import annotations

import subprocess
import sys

READ_AGAIN = """
import sys
from contextlib import closing
from pathlib import Path
from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_reader_pdf.provider import observer, reader

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

def times(count):
    for _ in range(count):
        source = SourceContent.of_bytes(data, media_type="application/pdf")
        with closing(observer().open(source)) as session:
            (page,) = reader().read(session, [1], deadline=Deadline())
            session.render(1, dpi=36, max_pixels=10**6)
        assert page.text == "one line"

data = Path(sys.argv[1]).read_bytes()
times(60)
before = resident()
times(300)
print(resident() - before)
"""


def test_three_hundred_readings_leave_the_memory_where_it_was(pdf, tmp_path):
    file = tmp_path / "one.pdf"
    file.write_bytes(pdf([b"BT /F1 12 Tf 72 700 Td (one line) Tj ET"]))
    done = subprocess.run(
        [sys.executable, "-c", READ_AGAIN, str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 6_000_000  # a leak of one rendered page a time would be 160 MB
