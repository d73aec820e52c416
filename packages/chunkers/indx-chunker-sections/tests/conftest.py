"""Cutting one page of Markdown, every chunk held to the rules of the port."""

import re

import pytest

from indx_chunker_sections import chunker
from indx_core.ports import DocumentReading, Heading, RoleSpan
from indx_testkit.chunking import assert_drafts
from indx_testkit.samples import reading

HEADING = re.compile(r"(?m)^(#{1,6}) (.+)$")
CODE = re.compile(r"(?ms)^```[^\n]*\n.*?^```$")


@pytest.fixture
def cut(monkeypatch):
    """Cut `text`, whose # lines are headings and fences code; other facts are those of a reading."""

    def cut_text(text, limit=None, media_type="text/markdown", **facts):
        if limit is not None:
            monkeypatch.setenv("INDX_CHUNK_SECTIONS_MAX_CHARS", str(limit))
        page = reading(text, **facts)
        page.roles = [RoleSpan(*found.span(), "code") for found in CODE.finditer(text)]
        page.headings = [
            Heading(*found.span(2), len(found[1]))
            for found in HEADING.finditer(text)
            if not any(role.start <= found.start() < role.end for role in page.roles)
        ]
        answer = chunker().chunk(DocumentReading(media_type, None, {1: page}), None, [1])
        if 1 not in answer:
            return None
        assert_drafts(page, answer[1])
        return answer[1]

    return cut_text
