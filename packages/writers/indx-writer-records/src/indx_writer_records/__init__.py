"""Writes the chunks of a space as records: JSON Lines."""

from indx_writer_records.provider import JsonLinesWriter, jsonl_writer

__all__ = ["JsonLinesWriter", "jsonl_writer"]
