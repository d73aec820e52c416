"""The writer keeps the rules of its port, and each line is a chunk as the contract has it."""

from __future__ import annotations

from pathlib import Path

from indx_core.contracts.space import Chunk
from indx_testkit.spaces import MemorySpace, WriterKit
from indx_writer_records.provider import jsonl_writer


class TestJsonLinesWriter(WriterKit):
    factory = staticmethod(jsonl_writer)

    def check_output(self, target: Path, space: MemorySpace) -> None:
        lines = target.read_bytes().splitlines()
        assert [Chunk.model_validate_json(line) for line in lines] == space.chunks
