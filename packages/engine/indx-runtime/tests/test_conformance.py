"""Manual review is a capability like any other, though it reads nothing."""

import pytest

from indx_core.deadline import Deadline
from indx_core.ports import PORT_VERSION, SourceContent
from indx_runtime.provider import manual_review


def test_it_declares_itself_for_no_type_and_is_always_available():
    provider = manual_review()
    assert provider.port_version == PORT_VERSION
    assert provider.declaration.kind == "manual"
    assert provider.declaration.media_types == ()
    assert provider.availability() is None


@pytest.mark.parametrize("pages", [[], [1], [3, 1]])
def test_it_leaves_every_page_asked_unread(parts, pages):
    session = parts.Session(SourceContent.of_bytes(b"one", media_type=parts.TYPE))
    readings = list(manual_review().read(session, pages, deadline=Deadline(None)))
    assert [(r.page, r.text, r.reason) for r in readings] == [(p, "", "manual_review") for p in pages]
