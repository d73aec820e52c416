"""A TAR as a tree, plain or compressed: its names checked, its entries read within bounds."""

from __future__ import annotations

import tarfile
import tempfile
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_core.text import counted
from indx_source.archives import BROKEN, unpacked
from indx_source.settings import MAX_INPUT_BYTES
from indx_space.walking.listing import Entry, Fetched, Node, Problem, Stamp
from indx_space.walking.names import decode_names
from indx_space.walking.packed import ANOTHER, SPLIT, UNPACK, Budget, PackedTree
from indx_space.walking.rules import RULE_BYTES

if TYPE_CHECKING:
    from indx_space.walking.listing import Kind

__all__ = ["TarTree"]

_IN_MEMORY: Final = 16_777_216
_UNPACKED: Final = 2_147_483_648  # what a compressed archive may be once it is unpacked
_RATIO: Final = 200
_RATIO_FROM: Final = 10_485_760  # small archives of one repeated character compress better than any document


class TarFile:
    """One entry of a TAR."""

    __slots__ = ("_archive", "_budget", "_info", "_name", "_stamp")

    def __init__(
        self, archive: tarfile.TarFile, info: tarfile.TarInfo, name: str, budget: Budget, stamp: Stamp | None
    ) -> None:
        self._archive, self._info, self._name = archive, info, name
        self._budget, self._stamp = budget, stamp

    def fetch(self, limit: int) -> Fetched:
        """Read the entry.

        Raises:
            SourceError: It is damaged, or cut short.
            InputTooLarge: It has more than `limit` bytes.
        """
        if self._info.size > limit:
            raise InputTooLarge(f"the entry has more than {limit} bytes; {MAX_INPUT_BYTES.name} raises that")
        try:
            data = _read(self._archive, self._info, self._info.size)
        except BROKEN as error:
            raise SourceError(f"the entry is damaged ({type(error).__name__}); {ANOTHER}") from None
        if len(data) < self._info.size:
            raise SourceError(f"the entry is cut short; {ANOTHER}")
        self._budget.spend(len(data))
        return Fetched(SourceContent.of_bytes(data, filename=self._name), self._stamp)

    def unchanged(self, stamp: Stamp | None) -> bool:
        """Whether it is as it was."""
        return stamp == self._stamp


def _read(archive: tarfile.TarFile, info: tarfile.TarInfo, size: int) -> bytes:
    file = archive.extractfile(info)
    if file is None:
        return b""
    with file:
        return file.read(size)


class TarTree(PackedTree):
    """The names in a TAR.

    Args:
        file: The archive, open.
        budget: What it may add up to.
        stamp: Modification time and inode of the archive, where it is a file of its own.

    Raises:
        SourceError: It is no TAR, or damaged from its beginning.
        InputTooLarge: It unpacks to more than is taken from one archive, or asks for too much memory.
    """

    def __init__(self, file: BinaryIO, budget: Budget, stamp: tuple[int, int] | None = None) -> None:
        super().__init__(budget)
        self._stamp = stamp
        self._file = file
        try:
            self._file = _plain(file)
            self._archive = tarfile.open(  # noqa: SIM115  closed by close()
                fileobj=self._file, mode="r:", encoding="utf-8", errors="surrogateescape"
            )
            self._arrange()
        except BROKEN as error:
            self._file.close()
            raise SourceError(f"the archive is damaged ({type(error).__name__}); {ANOTHER}") from None
        except BaseException:
            self._file.close()
            raise

    @classmethod
    def of_file(cls, path: Path) -> TarTree:
        """The TAR at `path`."""
        status = path.stat()
        return cls(path.open("rb"), Budget(entries=1_000_000), (status.st_mtime_ns, status.st_ino))

    @classmethod
    def of_content(cls, content: SourceContent, budget: Budget) -> TarTree:
        """A TAR found inside the input."""
        return cls(BytesIO(content.data) if content.data is not None else content.open(), budget)

    def close(self) -> None:
        """Close the file."""
        self._archive.close()
        self._file.close()

    def packaged(self) -> bool:
        """No document format is a TAR."""
        return False

    def _arrange(self) -> None:
        infos: list[tarfile.TarInfo] = []
        try:
            for info in self._archive:
                if len(infos) == self._budget.entries:
                    message = f"the archive has more entries than the {self._budget.entries} taken; {SPLIT}"
                    self.problems.append(Problem("", "too_many_members", message))
                    break
                infos.append(info)
            else:
                self._check_end(len(infos))
        except BROKEN as error:
            if not infos:
                raise
            self._damaged(len(infos), type(error).__name__)
        self._budget.entries -= len(infos)
        # A name that is in no known encoding is told as such a name in a folder is.
        raw = [info.name.encode("utf-8", "surrogateescape") for info in infos]
        names = decode_names(raw, lambda name: name.decode("utf-8", "surrogateescape"))
        for info, name in zip(infos, names, strict=True):
            path = name.replace("\\", "/")
            while path.startswith("./"):
                path = path[2:].lstrip("/")
            if path != ".":
                self._place(path, _kind(info), info)

    def _check_end(self, count: int) -> None:
        """Say so where no end follows the last entry: the rest is cut off, or its header is damaged."""
        self._file.seek(self._archive.offset)
        end = self._file.read(tarfile.BLOCKSIZE)
        if len(end) < tarfile.BLOCKSIZE:
            self._damaged(count, "it ends without the mark of an end")
        elif end.strip(b"\0"):
            self._damaged(count, "what follows is no header")

    def _damaged(self, count: int, why: str) -> None:
        after = counted(count, "entry", "entries")
        message = f"the archive is damaged after {after} ({why}); {ANOTHER}"
        self.problems.append(Problem("", "member_unread", message))

    def rules(self, folder: str, node: Node) -> bytes:  # noqa: ARG002
        """The first bytes of a file of ignore rules, one more than are obeyed."""
        try:
            return _read(self._archive, node.handle, RULE_BYTES + 1)
        except BROKEN as error:
            raise OSError(f"damaged: {type(error).__name__}") from None

    def entry(self, path: str, folder: str, node: Node) -> Entry:  # noqa: ARG002
        """A file as an entry."""
        info: tarfile.TarInfo = node.handle
        stamp = (info.size, *self._stamp, info.offset_data) if self._stamp else None
        name = clean_text(node.name)  # what it is called inside is remembered as JSON
        source = TarFile(self._archive, info, name, self._budget, stamp)
        return Entry(path, name, info.size, stamp, source)


def _kind(info: tarfile.TarInfo) -> Kind:
    if info.isdir():
        return "folder"
    if info.issym() or info.islnk():
        return "link"
    return "file" if info.isreg() else "special"


def _plain(file: BinaryIO) -> BinaryIO:
    """The archive as it is before compression, in memory or in a file that goes with it."""
    packed = file.seek(0, 2)
    file.seek(0)
    parts = unpacked(file)
    if parts is None:
        return file
    plain: Any = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  closed with the tree
    try:
        size = 0
        with file:
            for part in parts:
                size += len(part)
                if size > _UNPACKED:
                    raise InputTooLarge(f"the archive unpacks to more than {_UNPACKED} bytes; {SPLIT}")
                if size > _RATIO_FROM and size > _RATIO * packed:
                    raise InputTooLarge(f"the archive unpacks to more than {_RATIO} times its size; {UNPACK}")
                plain.write(part)
    except EOFError:
        pass  # cut short: what came before is listed, and the rest told
    except BaseException:
        plain.close()
        raise
    plain.seek(0)
    return plain  # type: ignore[no-any-return]
