"""Paths as they are given."""

from pathlib import Path

import pytest

from indx_core.errors import UsageError
from indx_core.paths import named


@pytest.mark.parametrize("given", ["a", ".", "/a/b", Path("a/b")])
def test_a_path_is_what_was_given(given):
    assert named(given) == Path(given)


def test_an_empty_path_is_not_the_current_folder():
    with pytest.raises(UsageError, match=r"the path is empty; name one, or '\.' for the current folder"):
        named("")
