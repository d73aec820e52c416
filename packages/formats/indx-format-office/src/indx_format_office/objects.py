"""Documents that older Office files hold as objects: taken out of what wraps them, under a name.

An object is a compound file: a document of an older program by itself, or a wrapper around a newer document
or around any file. Rich Text passes objects on with a header before them.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from indx_core.canonical import clean_text
from indx_core.errors import IndxError, InputTooLarge, SourceError
from indx_core.ports import Member
from indx_format_office.compound import is_compound, open_compound, read_entry, read_stream
from indx_format_office.compound_writer import Tree, compound_file
from indx_format_office.graph import GRAPHS
from indx_format_office.kinds import extension_of, kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

__all__ = [
    "MAX_OBJECTS",
    "MAX_OBJECT_BYTES",
    "Held",
    "described",
    "document_in",
    "members_at",
    "members_of",
    "passed_on",
    "storage_file",
]

T = TypeVar("T")

MAX_OBJECTS: Final = 1000
MAX_OBJECT_BYTES: Final = 64 * 1024 * 1024
MAX_ALL_BYTES: Final = 256 * 1024 * 1024
_MAX_DEPTH: Final = 20
_STREAM: Final = 2
_BY_STREAM: Final[Mapping[str, tuple[str, str]]] = {
    "worddocument": (".doc", "application/msword"),
    "workbook": (".xls", "application/vnd.ms-excel"),
    "book": (".xls", "application/vnd.ms-excel"),
    "powerpoint document": (".ppt", "application/vnd.ms-powerpoint"),
    "visiodocument": (".vsd", "application/vnd.visio"),
}
_WRAPPED: Final = ("package", "contents")
_NATIVE: Final = "\x01ole10native"
_LONGEST_NAME: Final = 200
_EMBEDDED, _LINKED = 2, b"\1\0\0\0"


class Held(NamedTuple):
    """A document taken out of an object.

    Attributes:
        name: What it is called, without folders.
        media_type: Its type; None where nothing tells.
        data: Its bytes.
    """

    name: str
    media_type: str | None
    data: bytes


def document_in(data: bytes, name: str) -> Held | None:
    """The document in the object `data`, called `name` unless it says itself; None for what is none.

    Raises:
        SourceError: The object is damaged.
    """
    with open_compound(data) as file:
        streams = {entry.name.lower(): entry.name for entry in file.root.kids if entry.entry_type == _STREAM}
        for found, (ending, media_type) in _BY_STREAM.items():
            if found in streams and str(file.root.clsid).upper() not in GRAPHS:
                return Held(name + ending, media_type, data)
        if _NATIVE in streams:
            return _native(read_stream(file, streams[_NATIVE]), name)
        for wrapped in _WRAPPED:
            if wrapped in streams:
                held = read_stream(file, streams[wrapped])
                return _told(held, name)
    return None


def passed_on(data: bytes, name: str) -> Held | None:
    """The document in the object `data` as Rich Text has it; None for a link, and for what is no document.

    Raises:
        SourceError: The object is damaged.
    """
    try:
        (form,) = struct.unpack_from("<L", data, 4)
        at = 8
        said = []
        for _ in range(3):  # the program, the file, the place in it
            (length,) = struct.unpack_from("<L", data, at)
            said.append(data[at + 4 : at + 4 + length].rstrip(b"\0").lower())
            at += 4 + length
        (size,) = struct.unpack_from("<L", data, at)
    except struct.error as error:
        if data[4:8] == _LINKED:
            return None
        raise SourceError("an object is damaged: it ends within its header") from error
    held = data[at + 4 : at + 4 + size]
    if form != _EMBEDDED:
        return None
    if len(held) < size:
        raise SourceError(f"an object is damaged: it states {size} bytes and has {len(held)}")
    if is_compound(held):
        return document_in(held, name)
    return _native(bytes(4) + held, name) if said[0] == b"package" else _told(held, name)


def members_at(file: Any, paths: Sequence[Sequence[str]]) -> Iterator[Member]:
    """The documents in the storages at `paths` of an open compound file, under the rules of `members_of`."""
    left = [MAX_ALL_BYTES]
    return members_of(paths, lambda path, name: document_in(storage_file(file, path, left), name))


def members_of(objects: Sequence[T], take: Callable[[T, str], Held | None]) -> Iterator[Member]:
    """The documents that `take` finds in `objects`, each called by its number unless it says itself.

    One that cannot be taken out is there with its reason; what is no document is left out.
    """
    for number, each in enumerate(objects[:MAX_OBJECTS], start=1):
        name = f"object-{number}"
        try:
            held = take(each, name)
        except IndxError as error:
            yield Member(name, None, b"", error.message)
        else:
            if held is not None:
                yield Member(held.name, held.media_type, held.data)
    if len(objects) > MAX_OBJECTS:
        yield Member(f"object-{MAX_OBJECTS + 1}", None, b"", f"more than {MAX_OBJECTS} embedded documents")


def described(members: Iterable[Member]) -> list[dict[str, str | int]]:
    """Name, size and where it is known media type of `members`."""
    facts: list[dict[str, str | int]] = []
    for member in members:
        said: dict[str, str | int] = {"name": member.name, "size": len(member.data)}
        facts.append(said | ({"media_type": member.media_type} if member.media_type else {}))
    return facts


def storage_file(file: Any, path: Sequence[str], left: list[int] | None = None) -> bytes:
    """The storage at `path` of an open compound file, as a compound file of its own.

    Args:
        file: The open file.
        path: Names from its root on.
        left: How many bytes may be taken out of it yet, which is counted down.

    Raises:
        SourceError: It is damaged, or nested very deep.
        InputTooLarge: It holds more than an object may.
    """
    entry = file.root
    for name in path:
        entry = next((kid for kid in entry.kids if kid.name == name), None)
        if entry is None:
            raise SourceError(f"the file holds no object {'/'.join(path)!r}")
    return compound_file(_tree(file, entry, len(path), [MAX_OBJECT_BYTES] if left is None else left))


def _tree(file: Any, entry: Any, depth: int, left: list[int]) -> Tree:
    if depth > _MAX_DEPTH:
        raise SourceError(f"what is inside is nested more than {_MAX_DEPTH} deep")
    tree: dict[str, bytes | Tree] = {}
    for kid in entry.kids:
        if kid.entry_type == _STREAM:
            left[0] -= kid.size
            if left[0] < 0:
                raise InputTooLarge("the embedded objects are larger than what is taken out of a file")
            try:
                tree[kid.name] = read_entry(file, kid)
            except Exception as error:  # a library's, on bytes that may be anything
                raise SourceError("an object is damaged") from error
        else:
            tree[kid.name] = _tree(file, kid, depth + 1, left)
    return tree


def _told(data: bytes, name: str) -> Held | None:
    """A file by what it is: a newer document, or a PDF."""
    found = kind(data)
    if found is not None:
        return Held(f"{name}.{extension_of(found)}", found.media_type, data)
    return Held(f"{name}.pdf", "application/pdf", data) if data[:5] == b"%PDF-" else None


def _native(data: bytes, name: str) -> Held | None:
    """A file that was wrapped as it is, with its own name."""
    try:
        at = 6
        label, at = _string(data, at)
        _, at = _string(data, at)
        at += 4
        (size,) = struct.unpack_from("<L", data, at)
        at += 4 + size
        (size,) = struct.unpack_from("<L", data, at)
    except (struct.error, ValueError):
        return None
    held = data[at + 4 : at + 4 + size]
    named = clean_text(label.replace("\\", "/").rpartition("/")[2].strip())[-_LONGEST_NAME:]
    return Held(named if named.strip(".") else name, None, held) if len(held) == size else None


def _string(data: bytes, at: int) -> tuple[str, int]:
    end = data.index(b"\0", at)
    raw = data[at:end]
    try:
        return raw.decode("utf-8"), end + 1
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace"), end + 1
