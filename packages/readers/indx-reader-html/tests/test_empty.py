"""A file without bytes is an empty page, and the plan's reasons say why."""

from contextlib import closing

from indx_core.ports import SourceContent
from indx_reader_html.provider import observer


def test_an_empty_file_is_said_to_be_empty():
    facts = []
    for data in (b"", b"<p>x"):
        with closing(observer().open(SourceContent.of_bytes(data, media_type="text/html"))) as session:
            facts.append(session.observe().facts.get("empty"))
    assert facts == ["the file is empty: it holds no bytes", None]
