"""A file without bytes is refused as what it is, whatever type its name claims."""

import pytest

from indx_core.errors import SourceError
from indx_core.ports import SourceContent
from indx_reader_xls.provider import observer


@pytest.mark.parametrize("media_type", observer().declaration.media_types)
def test_an_empty_file_is_said_to_be_empty(media_type):
    with pytest.raises(SourceError, match="the file is empty: it holds no bytes") as refused:
        observer().open(SourceContent.of_bytes(b"", media_type=media_type))
    assert refused.value.code == "source_unreadable"
