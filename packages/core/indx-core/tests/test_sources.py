"""A source is the same whether its bytes are in memory or in a file."""

import hashlib

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import TimedOut
from indx_core.ports import SourceContent, line_columns


@pytest.mark.parametrize("data", [b"", b"abc" * 1000])
def test_bytes_and_file_give_the_same_source(tmp_path, data):
    file = tmp_path / "a.txt"
    file.write_bytes(data)
    held, kept = SourceContent.of_bytes(data, filename="a.txt"), SourceContent.of_file(file)
    assert held.digest == kept.digest == "sha256:" + hashlib.sha256(data).hexdigest()
    assert held.size == kept.size == len(data)
    assert held.filename == kept.filename
    assert held.read() == kept.read() == data
    for source in (held, kept):
        with source.open() as reader, source.buffer() as buffer:
            assert reader.read() == bytes(buffer[:]) == data


def test_lines_are_offsets_into_the_text():
    text = "one\n\nthree"
    starts, ends = line_columns(text)
    assert [text[s:e] for s, e in zip(starts, ends, strict=True)] == ["one", "", "three"]
    assert line_columns("") == line_columns("")
    assert len(line_columns("")[0]) == 0


def test_a_deadline_passes_when_its_clock_does():
    now = [0.0]
    deadline = Deadline(2, clock=lambda: now[0])
    assert deadline.remaining() == 2
    deadline.check()
    now[0] = 2.0
    assert deadline.passed
    with pytest.raises(TimedOut):
        deadline.check()
    assert Deadline(0).remaining() is None
    assert not Deadline(None).passed
