"""What helps where nothing reads a type, said of many documents."""

import gc
import weakref

import pytest

from indx_core.discovery import Candidate, Registry
from indx_runtime import failures
from indx_runtime.failures import what_helps


def found(*distributions):
    groups = ("indx.capabilities", "indx.observers")
    return [
        Candidate(group, "x", "x:x", name, "1", lambda: None) for name in distributions for group in groups
    ]


@pytest.fixture
def scans(monkeypatch):
    """What is installed, and how often that was looked for beside making a registry."""
    there, times = ["one", "two"], []
    monkeypatch.setattr("indx_core.discovery.scan", lambda: tuple(found(*there)))
    monkeypatch.setattr(failures, "scan", lambda: times.append(1) or tuple(found(*there)))
    return times


def helps(registry):
    return what_helps("application/x-odd", registry, opened=False, usual=True)


def test_what_is_packed_otherwise_is_called_by_its_name_and_to_be_unpacked(scans, monkeypatch):
    monkeypatch.delenv("INDX_PLUGINS", raising=False)
    told = what_helps("application/vnd.rar", Registry(), opened=False, usual=True)
    assert told == ": it is a RAR archive, which is not unpacked here; unpack it, and take what was in it"


def test_what_nothing_reads_is_called_by_its_name_and_what_helps_is_said(scans, monkeypatch):
    monkeypatch.delenv("INDX_PLUGINS", raising=False)
    told = what_helps("application/vnd.ms-outlook-pst", Registry(), opened=False, usual=True)
    assert told == ": it is a data file of Outlook; export its messages as .eml, .msg or mbox"


@pytest.mark.parametrize("media_type", ["image/heif", "image/vnd.djvu", "application/postscript"])
def test_what_is_drawn_in_a_format_that_is_not_opened_is_to_be_saved_in_another(
    scans, media_type, monkeypatch
):
    monkeypatch.delenv("INDX_PLUGINS", raising=False)
    told = what_helps(media_type, Registry(), opened=False, usual=True)
    assert told.startswith("; save it as PDF, or a picture as PNG or JPEG; ")
    assert "save it" not in what_helps(media_type, Registry(), opened=False, usual=False)


@pytest.mark.parametrize("media_type", ["audio/mpeg", "video/mp4"])
def test_what_is_heard_is_to_be_written_down(scans, media_type, monkeypatch):
    monkeypatch.delenv("INDX_PLUGINS", raising=False)
    told = what_helps(media_type, Registry(), opened=False, usual=True)
    assert told.startswith("; have what is said in it written down: subtitles (.vtt, .srt) are read; ")


def test_what_a_setting_leaves_out_is_looked_for_once_for_all_documents(scans, monkeypatch):
    monkeypatch.setenv("INDX_PLUGINS", "one")
    registry = Registry()
    assert {helps(registry) for _ in range(3)} == {helps(registry)}
    assert "INDX_PLUGINS='one' leaves out readers that are installed (two)" in helps(registry)
    assert len(scans) == 1


def test_another_setting_is_told_of_at_once_and_the_one_before_is_forgotten(scans, monkeypatch):
    monkeypatch.setenv("INDX_PLUGINS", "one")
    before = Registry()
    assert "(two)" in helps(before)
    monkeypatch.setenv("INDX_PLUGINS", "two")
    assert "INDX_PLUGINS='two' leaves out readers that are installed (one)" in helps(Registry())
    monkeypatch.delenv("INDX_PLUGINS")
    assert "INDX_PLUGINS" not in helps(Registry())
    gone = weakref.ref(before)
    del before
    gc.collect()
    assert gone() is None
