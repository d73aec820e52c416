"""A URI names the current version of one blob in a container that may be read."""

from __future__ import annotations

import logging
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import SourceError
from indx_loader_az._object import parse, permit

CONTAINERS = "INDX_LOADER_AZ_CONTAINERS"


def refusal(uri: str) -> SourceError:
    with pytest.raises(SourceError) as caught:
        permit(parse(uri))
    return caught.value


@pytest.mark.parametrize(
    ("uri", "container", "name"),
    [
        ("az://docs/report.pdf", "docs", "report.pdf"),
        ("AZ://docs/a/b//c/", "docs", "a/b//c/"),
        ("az://my-docs-1/%E8%AD%B0.pdf", "my-docs-1", "議.pdf"),
        ("az://docs/議 事録.pdf", "docs", "議 事録.pdf"),
        ("az://docs/a%3Fb%23c%25d+e", "docs", "a?b#c%d+e"),
        ("az://docs//lead", "docs", "/lead"),
        ("az://docs/...", "docs", "..."),
    ],
)
def test_a_uri_names_a_container_and_a_name(uri: str, container: str, name: str) -> None:
    wanted = parse(uri)
    assert (wanted.container, wanted.name) == (container, name)


@pytest.mark.parametrize(
    "uri",
    ["az:", "az://", "az://docs", "az://docs/", "az:///key", "az://user@docs/key", "az://docs:80/key",
     "az://arn:aws:az:::docs/key", "az://../key", "az://docs/%zz", "az://docs/100%", "az://docs/%ff",
     "az://docs/\ud800", "az://docs/a#b", "http://docs/key"],
)  # fmt: skip
def test_what_names_no_blob_is_unreadable(uri: str) -> None:
    assert refusal(uri).code == "source_unreadable"


@pytest.mark.parametrize("query", ["?snapshot=2024-01-01", "?versionid=1", "?VersionId=", "?", "?x=1#y"])
def test_a_query_is_refused_and_not_dropped(query: str) -> None:
    error = refusal("az://docs/report.pdf" + query)
    assert error.code == "source_unreadable"
    assert "only the current blob" in error.message


@pytest.mark.parametrize(
    "key", ["../other/key", "a/../../other", ".", "a/.", "a/%2e%2e/b", r"..\other", "%2E."]
)
def test_a_name_cannot_lead_out_of_its_container(key: str) -> None:
    assert refusal(f"az://docs/{key}").code == "source_unreadable"


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30))
def test_every_name_can_be_written_as_a_uri(key: str) -> None:
    if not {".", ".."} & set(key.replace("\\", "/").split("/")):
        assert parse("az://docs/" + quote(key, safe="/")).name == key


def test_any_container_may_be_read_until_containers_are_named() -> None:
    permit(parse("az://docs/key"))


def test_a_container_that_is_not_named_is_forbidden(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(CONTAINERS, "docs, reports")
    permit(parse("az://docs/key"))
    permit(parse("az://reports/key"))
    with caplog.at_level(logging.WARNING, "indx.loader.az"):
        error = refusal("az://other/key")
    assert error.code == "source_forbidden"
    assert CONTAINERS in error.message
    assert "reports" not in error.message
    assert "docs, reports" in caplog.text


def test_a_list_without_names_permits_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONTAINERS, ",")
    assert refusal("az://docs/key").code == "source_forbidden"
