"""Objects: the documents in them, by what they are, and storages taken out whole."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from indx_core.errors import InputTooLarge, SourceError
from indx_format_office import objects
from indx_format_office.compound import open_compound, root_names
from indx_format_office.compound_writer import compound_file
from indx_format_office.objects import document_in, members_of, passed_on, storage_file


def native(label: bytes, data: bytes) -> bytes:
    head = struct.pack("<LH", 0, 2) + label + b"\0" + label + b"\0"
    return head + struct.pack("<LL", 3, 2) + b"x\0" + struct.pack("<L", len(data)) + data


@pytest.mark.parametrize(
    ("stream", "name"),
    [("WordDocument", "o.doc"), ("Workbook", "o.xls"), ("Book", "o.xls"), ("PowerPoint Document", "o.ppt")],
)
def test_a_document_of_an_older_program_is_the_object_itself(stream: str, name: str) -> None:
    data = compound_file({stream: b"x"})
    found = document_in(data, "o")
    assert found is not None
    assert (found.name, found.data) == (name, data)


def test_what_is_wrapped_is_taken_out(build: Callable[..., bytes]) -> None:
    inner = build({"word/document.xml": "<r/>"})
    found = document_in(compound_file({"Package": inner}), "o")
    assert found is not None
    assert (found.name, found.data) == ("o.docx", inner)
    assert document_in(compound_file({"CONTENTS": b"a drawing"}), "o") is None
    assert document_in(compound_file({"Equation Native": b"x"}), "o") is None


@pytest.mark.parametrize(
    ("label", "name"), [(b"C:\\x\\a b.txt", "a b.txt"), ("é.txt".encode(), "é.txt"), (b"..", "o"), (b"", "o")]
)
def test_a_wrapped_file_keeps_its_name_and_no_folder(label: bytes, name: str) -> None:
    found = document_in(compound_file({"\x01Ole10Native": native(label, b"inner")}), "o")
    assert found is not None
    assert (found.name, found.data) == (name, b"inner")


def test_a_wrapped_file_that_claims_more_than_there_is_is_none() -> None:
    data = native(b"a", b"inner")
    for cut in range(len(data)):
        assert document_in(compound_file({"\x01Ole10Native": data[:cut]}), "o") is None


def test_a_storage_becomes_a_file_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = compound_file({"Pool": {"_1": {"WordDocument": b"x" * 100, "Sub": {"s": b"y"}}}})
    with open_compound(whole) as file:
        assert root_names(storage_file(file, ["Pool", "_1"])) == {"worddocument", "sub"}
        with pytest.raises(SourceError, match="no object"):
            storage_file(file, ["Pool", "_2"])
        monkeypatch.setattr(objects, "MAX_OBJECT_BYTES", 100)
        with pytest.raises(InputTooLarge):
            storage_file(file, ["Pool", "_1"])


def told(text: bytes) -> bytes:
    return struct.pack("<L", len(text) + 1) + text + b"\0" if text else bytes(4)


def object_of(program: bytes, held: bytes, form: int = 2) -> bytes:
    head = struct.pack("<LL", 0x501, form) + told(program) + told(b"") + told(b"")
    return head + struct.pack("<L", len(held)) + held


def test_an_object_of_rich_text_is_taken_out_of_its_header(build: Callable[..., bytes]) -> None:
    old, new = compound_file({"WordDocument": b"x"}), build({"word/document.xml": "<r/>"})
    packed = native(b"a.txt", b"inner")[4:]
    for program, held, name, data in (
        *((b"Word.Document.8", old, "o.doc", old), (b"Word.Document.12", new, "o.docx", new)),
        *((b"Package", packed, "a.txt", b"inner"), (b"x", compound_file({"Package": new}), "o.docx", new)),
    ):
        found = passed_on(object_of(program, held) + b"a picture of it", "o")
        assert found is not None
        assert (found.name, found.data) == (name, data)
    assert passed_on(object_of(b"PBrush", b"BM pixels"), "o") is None
    assert passed_on(object_of(b"Word.Document.8", old, form=1), "o") is None
    assert passed_on(object_of(b"Word.Document.8", b"", form=1)[:20], "o") is None


def test_an_object_of_rich_text_that_is_cut_off_is_damaged() -> None:
    whole = object_of(b"Word.Document.8", compound_file({"WordDocument": b"x"}))
    for cut in (0, 7, 11, 20, 40, len(whole) - 1):
        with pytest.raises(SourceError, match="damaged"):
            passed_on(whole[:cut], "o")
    with pytest.raises(SourceError, match="damaged"):
        passed_on(struct.pack("<LLL", 1, 2, 0xFFFFFFFF) + b"x", "o")


def test_members_are_numbered_named_and_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "MAX_OBJECTS", 3)
    good, none = object_of(b"x", compound_file({"Book": b"y"})), object_of(b"x", b"z")
    found = list(members_of([none, good, good[:9], good], passed_on))
    assert [(member.name, member.reason is None) for member in found] == [
        ("object-2.xls", True),
        ("object-3", False),
        ("object-4", False),
    ]
