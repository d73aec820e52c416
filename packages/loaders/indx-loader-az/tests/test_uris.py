"""What a container may be called, and that the list of containers holds before anything is asked."""

from __future__ import annotations

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_loader_az import loader, provider


@pytest.mark.parametrize("container", ["docs", "my-docs-1", "$root", "a" * 63])
def test_a_container_is_called_as_the_storage_allows(container: str) -> None:
    wanted = provider.STORAGE.parse(f"AZ://{container}/a%20b")
    assert (wanted.container, wanted.name) == (container, "a b")


@pytest.mark.parametrize("container", ["a", "my.docs", "Docs", "a" * 64, "user@docs", "docs:80", "$"])
def test_nothing_else_is_a_container(container: str) -> None:
    with pytest.raises(SourceError, match="write az://container/blob"):
        provider.STORAGE.parse(f"az://{container}/name")


@pytest.mark.parametrize("query", ["?snapshot=2024-01-01", "?versionid=1"])
def test_neither_a_snapshot_nor_a_version_can_be_asked_for(query: str) -> None:
    with pytest.raises(SourceError, match="no snapshot or version can be asked for, only the current blob"):
        provider.STORAGE.parse(f"az://docs/name{query}")


def test_a_container_that_is_not_listed_is_forbidden_before_the_client_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(provider.AzLoader, "availability", lambda self: None)
    monkeypatch.setenv("INDX_LOADER_AZ_CONTAINERS", "docs")
    with pytest.raises(SourceError, match="INDX_LOADER_AZ_CONTAINERS") as caught:
        loader().load("az://other/name", limit=1, deadline=Deadline())
    assert caught.value.code == "source_forbidden"
