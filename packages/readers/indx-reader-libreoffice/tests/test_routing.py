"""Who reads what: a reader made for a format first, and LibreOffice where that one refuses the bytes."""

from __future__ import annotations

import base64
import struct

import pytest

from indx_core.contracts import EncodeRequest, PlanRequest
from indx_core.discovery import Registry, scan
from indx_core.errors import IndxError, UnsupportedMediaType
from indx_format_office.compound_writer import compound_file
from indx_reader_libreoffice.provider import MEDIA_TYPES
from indx_runtime import Engine
from indx_source.media import OFFICE

MEMBERS = ("indx-reader-libreoffice", "indx-reader-doc", "indx-runtime", "indx-chunker-page")


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """Makes an engine of few parts, as the environment is when it is asked for."""
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    return lambda: Engine(Registry([c for c in scan() if c.distribution in MEMBERS]))


def encode(engine, data, name):
    source = {"type": "inline", "data": base64.b64encode(data).decode(), "filename": name}
    return engine().encode(EncodeRequest.model_validate({"source": source}))


def old_word():
    return compound_file(
        {"WordDocument": struct.pack("<2H", 0xA5DC, 0x65) + b"\0" * 12 + b"Old words" + bytes(600)}
    )


def test_a_document_that_its_own_reader_refuses_is_converted(program, calls, engine):
    program("write(pdf(['Old words', 'and more']))")
    result = encode(engine, old_word(), "a.doc")
    assert [(e.capability_id, e.outcome) for e in result.trace.events] == [
        ("doc-reader", "failed"),
        ("libreoffice", "read"),
    ]
    assert [block.text for block in result.blocks if block.scope == "PAGE"] == ["Old words", "and more"]
    assert len(calls()) == 1, "opened once, and read by the same session"


def test_the_plan_names_the_observer_that_opened_the_document(program, engine):
    program("write(pdf(['Old words']))")
    data = base64.b64encode(old_word()).decode()
    planned = engine().plan(PlanRequest.model_validate({"source": {"type": "inline", "data": data}}))
    assert planned.plan.default.capability_id == "doc-reader"
    assert planned.plan.default.fallbacks == ("libreoffice", "manual-review")
    (observer,) = [part for part in planned.components if part.role == "observer"]
    assert observer.distribution == "indx-reader-libreoffice"


def test_where_both_refuse_the_first_one_says_why(program, engine):
    program("sys.exit(1)")
    with pytest.raises(IndxError, match="older than Word 97"):
        encode(engine, old_word(), "a.doc")


def test_without_libreoffice_its_formats_are_refused_with_the_line_that_changes_that(
    program, monkeypatch, engine, document, tmp_path
):
    program()
    monkeypatch.setenv("INDX_LIBREOFFICE_COMMAND", str(tmp_path / "nowhere"))
    with pytest.raises(UnsupportedMediaType, match="apt-get install libreoffice-writer") as caught:
        encode(engine, document("x"), "a.wpd")
    assert "application/vnd.wordperfect" in caught.value.message
    snapshot = engine().capabilities()
    (own,) = [c for c in snapshot.capabilities if c.id == "libreoffice"]
    assert not own.available
    assert "apt-get install" in own.reason
    assert "application/vnd.wordperfect" not in snapshot.resolvable.observable_media_types


def test_the_plan_says_that_another_program_draws(program, engine, document):
    program()
    plan = encode(engine, document("x"), "a.wpd").plan
    assert plan.default.capability_id == "libreoffice"
    assert [reason.message for reason in plan.reasons if reason.code == "converted"]
    assert plan.estimates.latency_ms > 100


def test_what_is_said_to_need_libreoffice_is_read_by_it():
    assert set(OFFICE.values()) <= set(MEDIA_TYPES)
