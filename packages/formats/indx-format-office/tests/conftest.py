"""Office packages built by the tests."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence

import pytest

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
Build = Callable[..., bytes]


def _relations(entries: Sequence[tuple[str, ...]]) -> str:
    made = "".join(
        f'<Relationship Id="{key}" Type="{kind if "/" in kind else f"{OFFICE}/{kind}"}" Target="{target}"'
        + (' TargetMode="External"' if mode else "")
        + "/>"
        for key, kind, target, *mode in entries
    )
    return f'<Relationships xmlns="{RELATIONS}">{made}</Relationships>'


@pytest.fixture
def relations() -> Callable[[Sequence[tuple[str, ...]]], str]:
    """A relationships part of `(id, type, target, "external"?)`."""
    return _relations


@pytest.fixture
def build() -> Build:
    """A package: its parts, the content type of its main part, its relationships by the part they are of."""

    def make(
        parts: Mapping[str, str | bytes],
        *,
        main: str = "word/document.xml",
        main_type: str = f"{WORD}.main+xml",
        rels: Mapping[str, Sequence[tuple[str, ...]]] | None = None,
        first: Sequence[str] = ("[Content_Types].xml", "_rels/.rels"),
        method: int = zipfile.ZIP_DEFLATED,
    ) -> bytes:
        whole: dict[str, str | bytes] = {
            "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="xml" '
            'ContentType="application/xml"/><Default Extension="bin" ContentType="Application/X-Bin"/>'
            f'<Override PartName="/{main}" ContentType="{main_type}"/></Types>',
            "_rels/.rels": _relations([("rId1", "officeDocument", main)]),
        }
        for source, entries in (rels or {}).items():
            folder, _, name = source.rpartition("/")
            whole[f"{folder}/_rels/{name}.rels".lstrip("/")] = _relations(entries)
        whole.update(parts)
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", method) as archive:
            for name in sorted(whole, key=lambda name: (name not in first, name)):
                archive.writestr(zipfile.ZipInfo(name), whole[name], method)
        return file.getvalue()

    return make


@pytest.fixture
def compound_file() -> Callable[[Sequence[str]], bytes]:
    """The beginning of a compound file with these streams in its directory."""

    def make(names: Sequence[str]) -> bytes:
        header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
        entries = b"".join(
            name.encode("utf-16-le").ljust(64, b"\0") + struct.pack("<H", 2 * len(name) + 2) + bytes(62)
            for name in names
        )
        return header + entries

    return make
