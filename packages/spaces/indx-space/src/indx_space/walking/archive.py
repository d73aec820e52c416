"""A ZIP as a tree: its names checked, its entries inflated within bounds."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from copy import copy
from io import BytesIO
from pathlib import Path
from typing import IO, BinaryIO, Final

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_core.settings import SOURCE_PASSWORDS
from indx_source.settings import MAX_INPUT_BYTES
from indx_space.walking.listing import Entry, Fetched, Node, Problem, Stamp
from indx_space.walking.names import decode_names
from indx_space.walking.packed import ANOTHER, SPLIT, UNPACK, Budget, PackedTree
from indx_space.walking.rules import RULE_BYTES

__all__ = ["ArchiveTree", "Budget"]

_STEP: Final = 1_048_576
_DIRECTORY_BYTES: Final = 33_554_432  # of the central directory, which is read whole
_RATIO: Final = 200
_RATIO_FROM: Final = 10_485_760  # small entries of one repeated character compress better than any document
_UTF8: Final = 0x800
_UNICODE_PATH: Final = 0x7075
_AES: Final = 99
_MOST_PASSWORDS: Final = 100
_LOCKED_BYTES: Final = 16_777_216  # the library decrypts a megabyte a second
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})
_OF_SEVERAL: Final = (
    "the archive is one of several parts; join them (`zip -s 0 LAST.zip --out WHOLE.zip`) and build again"
)
_BROKEN: Final = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
    OverflowError,
)


class ArchiveFile:
    """One entry of an archive."""

    __slots__ = ("_archive", "_budget", "_info", "_name", "_stamp")

    def __init__(
        self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, budget: Budget, stamp: Stamp | None
    ) -> None:
        self._archive, self._info, self._name = archive, info, name
        self._budget, self._stamp = budget, stamp

    def fetch(self, limit: int) -> Fetched:
        """Inflate the entry, opened with one of INDX_SOURCE_PASSWORDS where it is encrypted.

        Raises:
            SourceError: It is damaged, or packed in a way that is not read; `source_encrypted` where no
                password opens it.
            InputTooLarge: It has more than `limit` bytes, or is packed more tightly than documents are.
        """
        locked = bool(self._info.flag_bits & 0x1)
        if locked and (self._info.compress_type == _AES or self._info.flag_bits & 0x40):
            raise SourceError(
                f"the entry is encrypted in a way that is not opened here; {UNPACK}",
                code="source_encrypted",
            )
        if self._info.compress_type not in _METHODS:
            method = self._info.compress_type
            raise SourceError(f"the entry is packed by method {method}, which is not read; {UNPACK}")
        try:
            data = self._unlocked(limit) if locked else self._inflate(limit, [])
        except _BROKEN as error:
            raise SourceError(f"the entry is damaged ({type(error).__name__}); {ANOTHER}") from None
        return Fetched(SourceContent.of_bytes(data, filename=self._name), self._stamp)

    def _unlocked(self, limit: int) -> bytes:
        """The entry, opened with the first password that gives its checksum."""
        passwords = tuple(filter(None, SOURCE_PASSWORDS.get()))
        if passwords and self._info.compress_size > _LOCKED_BYTES:
            raise SourceError(
                f"the entry is encrypted and has more than {_LOCKED_BYTES} bytes; {UNPACK}",
                code="source_encrypted",
            )
        for password in passwords[:_MOST_PASSWORDS]:
            parts: list[bytes] = []
            try:
                return self._inflate(limit, parts, password.encode())
            except _BROKEN:
                # A wrong password shows in the check byte, or in the checksum of what comes out.
                self._budget.take_back(sum(map(len, parts)))
        raise _unopened(len(passwords))

    def _inflate(self, limit: int, parts: list[bytes], password: bytes | None = None) -> bytes:
        size = 0
        with self._open(password) as entry:
            while part := entry.read(_STEP):
                parts.append(part)
                size += len(part)
                self._budget.spend(len(part))
                if size > limit:
                    raise InputTooLarge(
                        f"the entry has more than {limit} bytes; {MAX_INPUT_BYTES.name} raises that"
                    )
                if size > _RATIO_FROM and size > _RATIO * max(1, self._info.compress_size):
                    raise InputTooLarge(f"the entry inflates more than {_RATIO} times; {UNPACK}")
        return b"".join(parts)

    def _open(self, password: bytes | None) -> IO[bytes]:
        """Open the entry, whatever name stands before it: that in the directory counts."""
        try:
            return self._archive.open(self._info, pwd=password)
        except zipfile.BadZipFile as error:
            file = self._archive.fp
            if file is None or "differ" not in str(error):  # nothing but its words tells it from damage
                raise
        file.seek(self._info.header_offset + 26)
        length, _ = struct.unpack("<HH", file.read(4))
        own = copy(self._info)
        own.orig_filename = file.read(length).decode("utf-8" if own.flag_bits & _UTF8 else "cp437")
        return self._archive.open(own, pwd=password)

    def unchanged(self, stamp: Stamp | None) -> bool:
        """Whether it is as it was; its checksum was compared when it was inflated."""
        return stamp == self._stamp


class ArchiveTree(PackedTree):
    """The names in a ZIP.

    Args:
        file: The archive, open.
        budget: What it may add up to.
        stamp: Modification time and inode of the archive, where it is a file of its own.

    Raises:
        SourceError: It is no ZIP, one of several parts, or its directory is damaged.
        InputTooLarge: Its directory is larger than is read.
    """

    def __init__(self, file: BinaryIO, budget: Budget, stamp: tuple[int, int] | None = None) -> None:
        super().__init__(budget)
        self._stamp = stamp
        part = 0
        try:
            part = _check_directory(file)
            self._archive = zipfile.ZipFile(file)
        except _BROKEN as error:
            if part:
                raise SourceError(_OF_SEVERAL) from None
            raise SourceError(f"the archive is damaged ({type(error).__name__}); {ANOTHER}") from None
        if part and sum(info.compress_size for info in self._archive.infolist()) > file.seek(0, 2):
            raise SourceError(_OF_SEVERAL)
        self._arrange()

    @classmethod
    def of_file(cls, path: Path) -> ArchiveTree:
        """The ZIP at `path`."""
        file = path.open("rb")
        try:
            status = path.stat()
            budget = Budget(entries=1_000_000)
            return cls(file, budget, (status.st_mtime_ns, status.st_ino))
        except BaseException:
            file.close()
            raise

    @classmethod
    def of_content(cls, content: SourceContent, budget: Budget) -> ArchiveTree:
        """A ZIP found inside the input."""
        return cls(BytesIO(content.data) if content.data is not None else content.open(), budget)

    def close(self) -> None:
        """Close the file."""
        file = self._archive.fp
        self._archive.close()
        if file is not None:
            file.close()

    def packaged(self) -> bool:
        """Whether it is a format that happens to be a ZIP: an Office file, an e-book, a Java archive."""
        top = self._folders[""]
        return "[Content_Types].xml" in top or "mimetype" in top or "META-INF" in top

    def _arrange(self) -> None:
        infos = self._archive.infolist()
        names = _names(infos)
        if len(infos) > self._budget.entries:
            message = (
                f"the archive has {len(infos)} entries, of which {self._budget.entries} are taken; {SPLIT}"
            )
            self.problems.append(Problem("", "too_many_members", message))
        taken = infos[: self._budget.entries]
        self._budget.entries -= len(taken)
        for info, name in zip(taken, names, strict=False):
            link = stat.S_ISLNK(info.external_attr >> 16)
            self._place(name, "folder" if name.endswith("/") else "link" if link else "file", info)

    def rules(self, folder: str, node: Node) -> bytes:  # noqa: ARG002
        """The first bytes of a file of ignore rules, one more than are obeyed."""
        try:
            with self._archive.open(node.handle) as entry:
                return entry.read(RULE_BYTES + 1)
        except _BROKEN as error:
            raise OSError(f"damaged: {type(error).__name__}") from None

    def entry(self, path: str, folder: str, node: Node) -> Entry:  # noqa: ARG002
        """A file as an entry."""
        info: zipfile.ZipInfo = node.handle
        stamp = (info.file_size, self._stamp[0], self._stamp[1], info.CRC) if self._stamp else None
        source = ArchiveFile(self._archive, info, node.name, self._budget, stamp)
        return Entry(path, node.name, info.file_size, stamp, source)


def _unopened(passwords: int) -> SourceError:
    """That no password opens an entry, and how many were tried."""
    if passwords > _MOST_PASSWORDS:
        reason = (
            f"none of the first {_MOST_PASSWORDS} of INDX_SOURCE_PASSWORDS opens it, and the other "
            f"{passwords - _MOST_PASSWORDS} were not tried; put its password among the first"
        )
    else:
        reason = f"none of INDX_SOURCE_PASSWORDS opens it ({passwords} tried); add its password there"
    return SourceError(f"the entry is encrypted and {reason}, or {UNPACK}", code="source_encrypted")


def _names(infos: list[zipfile.ZipInfo]) -> list[str]:
    """The names of entries, by their own flag or field, else guessed from all that have none."""
    stated: dict[int, str] = {}
    for place, info in enumerate(infos):
        if info.flag_bits & _UTF8:
            stated[place] = info.orig_filename
        elif (name := _unicode_path(info)) is not None:
            stated[place] = name
    rest = [place for place in range(len(infos)) if place not in stated]
    raw = [infos[place].orig_filename.encode("cp437", "replace") for place in rest]
    names = decode_names(raw, lambda name: name.decode("cp437"))  # as the format says
    stated.update(zip(rest, names, strict=True))
    return [stated[place].replace("\\", "/") for place in range(len(infos))]


def _unicode_path(info: zipfile.ZipInfo) -> str | None:
    """The name in the field that Info-ZIP adds for names its own encoding cannot say."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        field = extra[4 : 4 + size]
        if kind == _UNICODE_PATH and len(field) > 5 and field[0] == 1:
            raw = info.orig_filename.encode("cp437", "replace")
            if struct.unpack_from("<L", field, 1)[0] == zlib.crc32(raw):
                return field[5:].decode("utf-8", "replace")
        extra = extra[4 + size :]
    return None


def _check_directory(file: BinaryIO) -> int:
    """Refuse a directory that would not fit memory, before it is read whole; which part it says to be in."""
    file.seek(0, 2)
    size = file.tell()
    file.seek(max(0, size - 65_557))
    tail = file.read(65_557)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 16:
        return 0
    length = int(struct.unpack_from("<L", tail, at + 12)[0])
    if length == 0xFFFFFFFF:
        length = size  # ZIP64 states it elsewhere; the archive's own size bounds it as well
    file.seek(0)
    if length > _DIRECTORY_BYTES and length <= size:
        raise InputTooLarge(
            f"the archive's directory has {length} bytes; {_DIRECTORY_BYTES} are read: {SPLIT}"
        )
    part = int(struct.unpack_from("<H", tail, at + 4)[0])
    return 0 if part == 0xFFFF else part  # ZIP64 again
