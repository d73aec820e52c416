"""A document that shows nothing is an empty page; the plan's reasons and the page say why."""

from contextlib import closing

from indx_core.deadline import Deadline
from indx_core.ports import SourceContent
from indx_reader_html.provider import observer, reader


def test_an_empty_file_is_said_to_be_empty():
    facts = []
    for data in (b"", b"<p>x"):
        with closing(observer().open(SourceContent.of_bytes(data, media_type="text/html"))) as session:
            facts.append(session.observe().facts.get("empty"))
    assert facts == ["the file is empty: it holds no bytes", None]


def test_a_page_that_shows_no_text_says_so_itself():
    said = []
    for data in (
        b"",
        b"<p> </p>",
        b"<div id=root></div><noscript>Turn scripts on</noscript><SCRIPT>draw()</SCRIPT>",
        b"<p hidden>a</p><script>1</script>x",
    ):
        with closing(observer().open(SourceContent.of_bytes(data, media_type="text/html"))) as session:
            (page,) = reader().read(session, [1], deadline=Deadline())
        said.append((page.metadata or {}).get("empty"))
    assert said == [
        "it holds no bytes",
        "it shows no text",
        "it shows no text; what its scripts add is not read",
        None,
    ]
