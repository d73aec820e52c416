"""Whether the lane can run: told without the engine, without the network, and with what would help."""

from __future__ import annotations

import importlib.util
import socket
from pathlib import Path

import pytest

from indx_core.ports import Unavailability
from indx_ner_vibrato.provider import VibratoExtractor, chunks, pages
from indx_ner_vibrato.settings import CACHE, DICTIONARY, DOWNLOAD_SECONDS


@pytest.mark.parametrize("factory", [pages, chunks])
def test_without_its_engine_there_is_nothing_to_advertise(monkeypatch, factory):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    lack = factory()
    assert isinstance(lack, Unavailability)
    assert lack.reason == "its engine is not installed: vibrato, zstandard"
    assert lack.fix == 'pip install "indx-ner-vibrato[ja]"'


def test_the_default_can_run_and_asks_nobody(monkeypatch):
    def refuse(*args: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    lane = VibratoExtractor("vibrato", "page")
    assert lane.availability() is None
    assert (lane.declaration.device, lane.declaration.settings_key) == ("cpu", "")


@pytest.mark.parametrize("value", ["/no/such/system.dic", "\ud800", "x" * 5000])
def test_a_dictionary_that_is_not_there_is_named(monkeypatch, value):
    monkeypatch.setattr(type(DICTIONARY), "get", lambda self: Path(value))
    lane = VibratoExtractor("vibrato", "page")
    lack = lane.availability()
    assert lack is not None
    assert DICTIONARY.name in lack.reason
    assert DICTIONARY.name in lack.fix
    assert lane.declaration.settings_key


def test_another_dictionary_is_another_key(monkeypatch, tmp_path):
    keys = set()
    for content in ("one", "another"):
        (tmp_path / "system.dic").write_text(content)
        monkeypatch.setenv(DICTIONARY.name, str(tmp_path / "system.dic"))
        keys.add(VibratoExtractor("vibrato", "page").declaration.settings_key)
    assert len(keys) == 2


def test_the_cache_is_where_it_is_said_to_be(monkeypatch):
    monkeypatch.delenv(CACHE.name)
    assert str(CACHE.get()) == "~/.cache/indx-ner-vibrato"


def test_a_wrong_time_for_the_fetch_is_named(monkeypatch):
    monkeypatch.setenv(DOWNLOAD_SECONDS.name, "soon")
    lack = VibratoExtractor("vibrato", "page").availability()
    assert DOWNLOAD_SECONDS.name in lack.reason
    assert DOWNLOAD_SECONDS.name in lack.fix
