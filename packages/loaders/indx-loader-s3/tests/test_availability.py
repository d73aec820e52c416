"""Without boto3 the scheme is known, and a load says what to install."""

from __future__ import annotations

import importlib.util

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_loader_s3 import loader

INSTALL = 'pip install "indx-loader-s3[s3]"'


@pytest.fixture
def without_boto3(monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "boto3" else find(name))


@pytest.mark.usefixtures("without_boto3")
def test_its_scheme_is_known_and_its_state_says_what_to_install() -> None:
    state = loader().availability()
    assert loader().declaration.schemes == ("s3",)
    assert state is not None
    assert (state.reason, state.fix) == ("boto3 is not installed", INSTALL)


@pytest.mark.usefixtures("without_boto3")
def test_a_load_is_refused_with_what_to_install() -> None:
    with pytest.raises(SourceError) as caught:
        loader().load("s3://bucket/key", limit=10, deadline=Deadline())
    assert caught.value.code == "source_unreadable"
    assert INSTALL in caught.value.message


def test_a_setting_that_cannot_be_used_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    assert loader().availability() is None
    monkeypatch.setenv("INDX_LOADER_S3_TIMEOUT_SECONDS", "soon")
    with pytest.raises(SourceError, match="INDX_LOADER_S3_TIMEOUT_SECONDS: 'soon' is not a number"):
        loader().load("s3://bucket/key", limit=10, deadline=Deadline())
