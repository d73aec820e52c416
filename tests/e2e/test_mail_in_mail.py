"""Mail inside mail: each part is one document under the message that owns it; Outlook's package is opened."""

import json
import struct
from email.message import EmailMessage

import pytest


def attribute(number, data):
    return struct.pack("<BLL", 1, number, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def attached(name, data):
    begun = attribute(0x00069002, bytes(14))
    return begun + attribute(0x00018010, name.encode() + b"\0") + attribute(0x0006800F, data)


def winmail(subject, body, *attachments):
    """The package that Outlook sends to those it takes for its own kind."""
    head = b"\x78\x9f\x3e\x22" + struct.pack("<H", 1) + attribute(0x00089006, b"\0\0\1\0")
    texts = attribute(0x00018004, subject.encode() + b"\0") + attribute(0x0002800C, body.encode())
    return head + texts + b"".join(attached(*one) for one in attachments)


def mail(subject, body, *parts):
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = subject, "a@b.example", "c@d.example"
    message.set_content(body)
    for name, kind, data in parts:
        if isinstance(data, EmailMessage):
            message.add_attachment(data)
        else:
            message.add_attachment(data, maintype=kind[0], subtype=kind[1], filename=name)
    return message


@pytest.fixture
def index(indx, tmp_path):
    """Build a space of one message and read its index."""

    def build(message):
        folder, out = tmp_path / "in", tmp_path / "out"
        folder.mkdir()
        (folder / "outer.eml").write_bytes(message.as_bytes())
        answer = indx(folder, "--out", out)
        assert answer.code == 0, answer.err
        return json.loads((out / "index.json").read_text("utf-8"))

    return build


def texts(index):
    """The text of each document by its path."""
    paths = {document["id"]: document["path"] for document in index["documents"]}
    found = dict.fromkeys(paths.values(), "")
    for chunk in index["chunks"]:
        found[paths[chunk["doc_id"]]] += chunk["text"] + "\n"
    return found


def test_parts_of_a_message_in_a_message_are_its_own_and_come_once(index):
    inner = mail("Inner subject", "inner body", ("notes.txt", ("text", "markdown"), b"inner notes"))
    found = texts(
        index(
            mail(
                "Outer subject",
                "outer body",
                ("", "", inner),
                ("o.txt", ("text", "markdown"), b"outer notes"),
            )
        )
    )
    own = [path for path, text in found.items() if "inner notes" in text]
    assert len(own) == 1
    assert own[0].count("!/") == 2
    assert [path for path, text in found.items() if "outer notes" in text] == ["outer.eml!/o.txt"]
    assert [path.count("!/") for path, text in found.items() if "inner body" in text] == [1]


def test_outlooks_package_is_opened_also_in_a_message_in_a_message(index):
    package = winmail("Packed subject", "packed body", ("plan.txt", b"packed plan"))
    inner = mail("Inner", "inner body", ("winmail.dat", ("application", "ms-tnef"), package))
    found = texts(index(mail("Outer", "outer body", ("", "", inner))))
    (body,) = [path for path, text in found.items() if "packed body" in text]
    assert body.endswith("!/winmail.dat")
    assert [path for path, text in found.items() if "packed plan" in text] == [f"{body}!/plan.txt"]
