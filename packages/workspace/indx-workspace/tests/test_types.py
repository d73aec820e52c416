"""Document types: the installation's, by key, with the parsers that recognise them."""

import pytest

from indx_core.contracts import DocumentTypeSpec, TypeField
from indx_core.errors import InvalidRecord, InvalidRequest, NotFound

KEYS = ["", "A", "a/b", ".a", "-a", "a" * 65, "ä", "a\n", "a b", "\x00", "\ud800"]


def spec(label="Invoice", **members):
    return DocumentTypeSpec(label=label, **members)


def test_types_are_listed_by_key_with_whether_they_can_be_written(workspace, monkeypatch):
    for key in ("letter", "invoice", "memo"):
        workspace.types.put(key, spec(key))
    listed = workspace.types.list()
    assert [t.id for t in listed.types] == ["invoice", "letter", "memo"]
    assert listed.writable is False
    monkeypatch.setenv("INDX_WORKSPACE_TOKEN", "secret")
    assert workspace.types.list().writable is True


def test_a_type_is_read_as_it_was_written(workspace, clock):
    fields = (TypeField(key="total", label="Total", kind="entity", name="MONEY"),)
    made = workspace.types.put("invoice", spec(fields=fields, signature="form-parser"))
    assert (made.id, made.label, made.fields, made.signature) == ("invoice", "Invoice", fields, "form-parser")
    assert made.created_at == made.updated_at == clock.now
    assert workspace.types.get("invoice") == made


def test_replacing_a_type_keeps_when_it_was_first_made(workspace, clock):
    first = workspace.types.put("invoice", spec())
    clock.on(5)
    second = workspace.types.put("invoice", spec("Bill"))
    assert (second.created_at, second.updated_at) == (first.created_at, clock.now)
    assert workspace.types.get("invoice") == second


@pytest.mark.parametrize("key", ["none", *KEYS])
def test_a_type_that_is_not_there_is_not_found(workspace, key):
    with pytest.raises(NotFound) as refused:
        workspace.types.get(key)
    assert refused.value.code == "type_not_found"
    workspace.types.delete(key)


@pytest.mark.parametrize("key", KEYS)
def test_what_is_no_key_cannot_be_written_under(workspace, key):
    with pytest.raises(InvalidRequest) as refused:
        workspace.types.put(key, spec())
    assert (refused.value.code, refused.value.param) == ("validation_error", "id")


def test_a_deleted_type_is_gone_and_may_be_deleted_again(workspace):
    workspace.types.put("invoice", spec())
    workspace.types.delete("invoice")
    workspace.types.delete("invoice")
    assert workspace.types.list().types == ()


@pytest.mark.parametrize("signature", ["plain-reader", "manual-review", "none", "lines"])
def test_a_signature_is_that_of_an_installed_parser(workspace, signature):
    with pytest.raises(InvalidRecord) as refused:
        workspace.types.put("invoice", spec(signature=signature))
    assert refused.value.envelope()["type"] == refused.value.code == "invalid_type"
    assert refused.value.param == "signature"
    assert "invoice-parser" in refused.value.message
    workspace.types.put("invoice", spec(signature="invoice-parser"))


def test_types_do_not_expire(workspace, clock):
    workspace.types.put("invoice", spec())
    clock.on(10**9)
    workspace.expire()
    assert workspace.types.get("invoice")
