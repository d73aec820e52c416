"""A URI names the current state of one object in a container that may be read."""

from __future__ import annotations

import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import SourceError
from indx_loader_object import Storage


def refusal(storage: Storage, uri: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        storage.permitted(uri)
    return caught.value


@pytest.mark.parametrize(
    ("uri", "container", "name"),
    [
        ("xs://docs/report.pdf", "docs", "report.pdf"),
        ("XS://docs/a/b//c/", "docs", "a/b//c/"),
        ("xs://my.docs-1/%E8%AD%B0.pdf", "my.docs-1", "議.pdf"),
        ("xs://docs/議 事録.pdf", "docs", "議 事録.pdf"),
        ("xs://docs/a%3Fb%23c%25d+e", "docs", "a?b#c%d+e"),
        ("xs://docs//lead", "docs", "/lead"),
        ("xs://docs/...", "docs", "..."),
        ("xs://docs/a\nb", "docs", "a\nb"),
    ],
)
def test_a_uri_names_a_container_and_a_name(storage: Storage, uri: str, container: str, name: str) -> None:
    wanted = storage.permitted(uri)
    assert (wanted.container, wanted.name) == (container, name)


@pytest.mark.parametrize(
    "uri",
    ["", "xs:", "xs://", "xs://docs", "xs://docs/", "xs:///key", "xs://user@docs/key", "xs://docs:80/key",
     "xs://arn:aws:s3:::docs/key", "xs://../key", "xs://docs/%zz", "xs://docs/100%", "xs://docs/%ff",
     "xs://docs/\ud800", "xs://docs/a#b", "http://docs/key", "xs://Docs/key", "xsx://docs/key"],
)  # fmt: skip
def test_what_names_no_object_is_unreadable(storage: Storage, uri: str) -> None:
    error = refusal(storage, uri)
    assert error.code == "source_unreadable"
    assert repr(uri) in error.message
    assert "write " in error.message, "it says what to write instead"


def test_a_long_uri_is_shown_in_part(storage: Storage) -> None:
    assert len(refusal(storage, "xs://docs/" + "a" * 5000 + "#").message) < 400


@pytest.mark.parametrize("query", ["?versionId=abc", "?snapshot=1", "?generation=", "?", "?x=1#y"])
def test_a_query_is_refused_and_not_dropped(storage: Storage, query: str) -> None:
    error = refusal(storage, "xs://docs/report.pdf" + query)
    assert error.code == "source_unreadable"
    assert "no earlier one can be asked for, only the current thing is loaded" in error.message


@pytest.mark.parametrize(
    "name", ["../other/key", "a/../../other", ".", "a/.", "a/%2e%2e/b", r"..\other", "%2E."]
)
def test_a_name_cannot_lead_out_of_its_container(storage: Storage, name: str) -> None:
    error = refusal(storage, f"xs://docs/{name}")
    assert error.code == "source_unreadable"
    assert error.message.endswith("; store the thing under another name")


@given(name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_every_name_can_be_written_as_a_uri(storage: Storage, name: str) -> None:
    if not {".", ".."} & set(name.replace("\\", "/").split("/")):
        assert storage.parse("xs://docs/" + quote(name, safe="/")).name == name


def test_any_container_may_be_read_until_some_are_named(storage: Storage) -> None:
    assert storage.permitted("xs://docs/key").container == "docs"


def test_a_container_that_is_not_named_is_forbidden(
    storage: Storage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("TEST_BOXES", "docs, reports")
    storage.permitted("xs://docs/key")
    storage.permitted("xs://reports/key")
    with caplog.at_level(logging.WARNING, "indx.loader.xs"):
        error = refusal(storage, "xs://other/key")
    assert error.code == "source_forbidden"
    assert "the box 'other' may not be read; TEST_BOXES" in error.message
    assert "reports" not in error.message
    assert "docs, reports" in caplog.text


def test_a_list_without_names_permits_nothing(storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_BOXES", ",")
    assert refusal(storage, "xs://docs/key").code == "source_forbidden"
