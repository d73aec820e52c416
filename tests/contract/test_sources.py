"""Sources: inline everywhere, URIs through loaders, media types from the bytes before any word on them."""

import base64
import hashlib

import pytest

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def document(answer):
    return answer["blocks"][0]


def test_a_uri_and_inline_bytes_give_one_plan_and_each_says_where_it_came_from(
    encode, inline, documents, tmp_path
):
    file = tmp_path / "note.md"
    file.write_bytes(documents["note.md"])
    by_uri = encode({"type": "uri", "uri": file.as_uri()})
    by_bytes = encode(inline("note.md"))
    nameless = encode({"type": "inline", "data": inline("note.md")["data"], "media_type": "text/markdown"})
    assert by_uri["plan"]["plan_id"] == by_bytes["plan"]["plan_id"] == nameless["plan"]["plan_id"]
    facts = [document(a)["provenance"] for a in (by_uri, by_bytes, nameless)]
    assert [f.get("source_uri") for f in facts] == [file.as_uri(), None, None]
    assert [f.get("filename") for f in facts] == [None, "note.md", None]
    assert {f["media_type"] for f in facts} == {"text/markdown"}


def test_the_trace_names_the_loader_of_a_uri_and_nothing_for_declared_bytes(
    encode, plan, inline, documents, tmp_path
):
    file = tmp_path / "paper.pdf"
    file.write_bytes(documents["paper.pdf"])

    def roles(answer):
        return [
            (c["role"], c["distribution"])
            for c in answer["components"]
            if c["role"] in ("loader", "sniffer", "observer")
        ]

    fetched = encode({"type": "uri", "uri": file.as_uri()})
    assert roles(fetched["trace"]) == [("loader", "indx-loader-file"), ("sniffer", "indx-reader-pdf")]
    declared = encode(inline("paper.pdf", media_type="application/pdf"))
    assert roles(declared["trace"]) == []
    planned = plan({"type": "uri", "uri": file.as_uri()})
    assert ("observer", "indx-reader-pdf") in roles(planned)


def test_a_data_uri_is_resolved(encode):
    answer = encode({"type": "uri", "uri": "data:text/plain;base64," + base64.b64encode(b"hello").decode()})
    assert answer["blocks"][1]["text"] == "hello"


@pytest.mark.parametrize("sha256", ["right", "prefixed", "wrong"])
def test_expected_bytes_are_expected(encode, refused, documents, tmp_path, sha256):
    file = tmp_path / "note.md"
    file.write_bytes(documents["note.md"])
    digest = hashlib.sha256(documents["note.md"]).hexdigest()
    source = {"type": "uri", "uri": file.as_uri()}
    if sha256 == "wrong":
        assert refused({**source, "sha256": "0" * 64})["code"] == "source_unreadable"
    else:
        given = digest if sha256 == "right" else f"sha256:{digest}"
        assert encode({**source, "sha256": given})["plan"]["source_digest"] == f"sha256:{digest}"


def test_the_bytes_say_what_they_are_before_anything_declared_is_believed(encode, documents):
    data = base64.b64encode(documents["paper.pdf"]).decode()
    for declared in ({}, {"media_type": "text/plain"}, {"filename": "x.txt"}, {"media_type": "image/png"}):
        answer = encode({"type": "inline", "data": data, **declared})
        assert answer["plan"]["media_type"] == "application/pdf"


def test_a_scheme_is_refused_before_anything_else_and_the_setting_is_named(
    refused, tmp_path, monkeypatch, documents
):
    file = tmp_path / "note.md"
    file.write_bytes(documents["note.md"])
    monkeypatch.setenv("INDX_URI_SCHEMES", "none")
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "1")
    envelope = refused({"type": "uri", "uri": file.as_uri(), "sha256": "0" * 64})
    assert (envelope["type"], envelope["code"]) == ("unsupported_media_type", "unsupported_source")
    assert "INDX_URI_SCHEMES" in envelope["message"]


def test_inline_bytes_are_taken_whatever_the_schemes_say(encode, inline, monkeypatch):
    monkeypatch.setenv("INDX_URI_SCHEMES", "none")
    assert encode(inline("note.md"))["plan"]["status"] == "ready"


def test_decoded_bytes_are_measured_not_their_base64(encode, refused, inline, documents, monkeypatch):
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", str(len(documents["note.md"])))
    assert encode(inline("note.md"))["plan"]["status"] == "ready"
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", str(len(documents["note.md"]) - 1))
    assert refused(inline("note.md"))["code"] == "input_too_large"


def test_roots_are_a_second_layer_beneath_the_schemes(encode, refused, tmp_path, monkeypatch, documents):
    inside, outside = tmp_path / "in" / "note.md", tmp_path / "out.md"
    inside.parent.mkdir()
    for file in (inside, outside):
        file.write_bytes(documents["note.md"])
    monkeypatch.setenv("INDX_LOADER_FILE_ROOTS", str(inside.parent))
    assert encode({"type": "uri", "uri": inside.as_uri()})["plan"]["status"] == "ready"
    envelope = refused({"type": "uri", "uri": outside.as_uri()})
    assert envelope["code"] == "source_forbidden"
    assert "INDX_LOADER_FILE_ROOTS" in envelope["message"]


def test_a_private_address_is_forbidden_and_the_setting_is_named(refused):
    envelope = refused({"type": "uri", "uri": "http://127.0.0.1:9/x"})
    assert envelope["code"] == "source_forbidden"
    assert "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS" in envelope["message"]


def test_a_type_nothing_reads_is_unsupported_by_another_code_than_a_scheme(refused):
    envelope = refused({"type": "inline", "data": "AAEC", "media_type": "application/x-unknown"})
    assert (envelope["type"], envelope["code"]) == ("unsupported_media_type", "unsupported_media_type")


def test_an_install_without_observers_believes_the_declaration_then_the_name(program):
    code = """
import json
from indx_core.contracts import InlineSource
from indx_core.discovery import default_registry
from indx_source import resolve
def named(**facts):
    return resolve(InlineSource(data=b"%PDF-1.4", **facts), default_registry()).content.media_type
print(json.dumps([named(media_type="text/csv", filename="a.md"), named(filename="a.md"), named()]))
"""
    answer = program(code, INDX_PLUGINS="none")
    assert answer == ["text/csv", "text/markdown", "application/octet-stream"]


def test_a_refused_document_is_refused_by_its_reader(refused, make):
    broken = make.pdf(["x"])[:200]
    envelope = refused({"type": "inline", "data": base64.b64encode(broken).decode()})
    assert (envelope["type"], envelope["code"]) == ("source_error", "source_unreadable")


def test_a_query_image_into_a_space_of_texts_has_no_embedder(alike):
    body = {
        "embedding_space_id": "default-text",
        "input": {"type": "inline", "data": base64.b64encode(PNG).decode(), "media_type": "image/png"},
    }
    envelope = alike("embed", body)
    assert (envelope["type"], envelope["code"]) == ("invalid_embedding_space", "no_query_embedder")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"input": {"type": "text", "text": "x"}}, "validation_error"),
        ({"embedding_space_id": "nope", "input": {"type": "text", "text": "x"}}, "unknown_embedding_space"),
        ({"embedding_space_id": "default-text", "input": {"type": "text", "text": ""}}, "validation_error"),
        (
            {"embedding_space_id": "default-text", "input": {"type": "text", "text": " ? "}},
            "validation_error",
        ),
    ],
)
def test_a_query_that_cannot_be_embedded_is_refused_alike(alike, body, code):
    assert alike("embed", body)["code"] == code
