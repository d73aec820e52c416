"""Reading bytes with the text reader, every reading held to the rules of the port."""

from contextlib import closing

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_reader_text import observer, reader
from indx_testkit.checks import assert_reading


@pytest.fixture
def read(monkeypatch):
    """Read one text; `encoding` is INDX_TEXT_ENCODING."""

    def read_page(data, media_type="text/plain", encoding=""):
        monkeypatch.setenv("INDX_TEXT_ENCODING", encoding)
        raw = data.encode() if isinstance(data, str) else data
        with closing(observer().open(SourceContent.of_bytes(raw, media_type=media_type))) as session:
            (page,) = reader().read(session, [1], deadline=Deadline())
        assert_reading(page)
        return page

    return read_page


@pytest.fixture
def markdown(read):
    """Read Markdown."""
    return lambda text: read(text, "text/markdown")
