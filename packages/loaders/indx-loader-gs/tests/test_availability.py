"""Without the client the scheme is known, and a load says what to install."""

from __future__ import annotations

import json

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import SourceError
from indx_loader_gs import loader

INSTALL = 'pip install "indx-loader-gs[gs]"'
KEY = "INDX_LOADER_GS_CREDENTIALS_JSON"


@pytest.fixture
def without_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indx_loader_gs.provider.is_installed", lambda name: False)


@pytest.fixture
def with_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("indx_loader_gs.provider.is_installed", lambda name: True)


def refusal() -> SourceError:
    with pytest.raises(SourceError) as caught:
        loader().load("gs://bucket/object", limit=10, deadline=Deadline())
    assert caught.value.code == "source_unreadable"
    return caught.value


@pytest.mark.usefixtures("without_client")
def test_its_scheme_is_known_and_its_state_says_what_to_install() -> None:
    state = loader().availability()
    assert loader().declaration.schemes == ("gs",)
    assert state is not None
    assert (state.reason, state.fix) == ("google-cloud-storage is not installed", INSTALL)


@pytest.mark.usefixtures("without_client")
def test_a_load_is_refused_with_what_to_install() -> None:
    assert INSTALL in refusal().message


@pytest.mark.usefixtures("with_client")
@pytest.mark.parametrize(
    "text", ["/etc/key.json", "[]", '{"type": "authorized_user", "private": "hush"}', "{", "[" * 100_000]
)
def test_a_key_is_its_json_and_never_a_path(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert loader().availability() is None
    monkeypatch.setenv(KEY, text)
    message = refusal().message
    assert f"{KEY}: its value is not a service-account key" in message
    assert "hush" not in message


@pytest.mark.usefixtures("with_client")
def test_a_service_accounts_key_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, json.dumps({"type": "service_account"}))
    assert loader().availability() is None
