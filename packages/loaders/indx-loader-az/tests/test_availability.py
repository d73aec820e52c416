"""Without the client, or an account, the scheme is known, and a load says what to do."""

from __future__ import annotations

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_loader_az import loader

INSTALL = 'pip install "indx-loader-az[az]"'


@pytest.fixture
def with_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indx_loader_az.provider.is_installed", lambda name: True)


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        loader().load("az://container/blob", limit=10, deadline=Deadline())
    assert caught.value.code == "source_unreadable"
    return caught.value


@pytest.mark.parametrize("lacking", ["azure-storage-blob", "azure-identity"])
def test_without_a_client_a_load_says_what_to_install(lacking: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indx_loader_az.provider.is_installed", lambda name: name != lacking)
    state = loader().availability()
    assert loader().declaration.schemes == ("az",)
    assert state is not None
    assert (state.reason, state.fix) == (f"{lacking} is not installed", INSTALL)
    assert INSTALL in refusal().message


@pytest.mark.usefixtures("with_client")
def test_without_an_account_a_load_names_both_settings() -> None:
    message = refusal().message
    assert "INDX_LOADER_AZ_CONNECTION_STRING" in message
    assert "INDX_LOADER_AZ_ACCOUNT" in message


@pytest.mark.usefixtures("with_client")
def test_either_setting_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", "reports")
    assert loader().availability() is None
    monkeypatch.delenv("INDX_LOADER_AZ_ACCOUNT")
    monkeypatch.setenv("INDX_LOADER_AZ_CONNECTION_STRING", "AccountName=reports")
    assert loader().availability() is None


@pytest.mark.usefixtures("with_client")
@pytest.mark.parametrize("account", ["evil.test/", "Reports", "a", "x" * 25, "a.b"])
def test_an_account_is_a_name_and_no_address(account: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDX_LOADER_AZ_ACCOUNT", account)
    assert "INDX_LOADER_AZ_ACCOUNT" in refusal().message
