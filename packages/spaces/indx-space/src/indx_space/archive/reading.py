"""Opens an archive: its manifest, and members checked against it when they are read."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, Self

import orjson

from indx_core.collector import collecting_seldom
from indx_core.errors import ArchiveError
from indx_space.archive.members import ARCHIVE_SUFFIX, ARCHIVE_VERSION, BUILDING, INDEX, MANIFEST
from indx_space.archive.zipreader import ANOTHER, ZipReader

if TYPE_CHECKING:
    from indx_space.archive.zipreader import Entry

__all__ = ["Archive", "locate", "parse_json"]

_VERSION: Final = re.compile(r"(\d{1,4})\.\d{1,4}(?:[.+-].*)?", re.DOTALL)
_NEVER: Final = 2**31 - 1  # objects
_DEFAULT_NAME: Final = "handbook" + ARCHIVE_SUFFIX


class Archive:
    """An open archive.

    Opening checks the directory and the manifest. A member is checked against size and SHA-256 when it is
    read; of one that is mapped only the size, because its checksum would read it whole: `verify` does that.

    Args:
        path: The archive.
        remedy: What helps where it is refused, in place of what does whoever wants to read it.

    Raises:
        ArchiveError: It is missing, foreign, damaged, or of another major version.
    """

    def __init__(self, path: Path, *, remedy: str | None = None) -> None:
        """Open it."""
        self._zip = ZipReader(path, remedy)
        self.path = path
        try:
            self.manifest = self._manifest()
            self.members: dict[str, dict[str, Any]] = self.manifest["members"]
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def corrupt(self, reason: str) -> NoReturn:
        """Refuse the archive as damaged."""
        self._zip.corrupt(reason)

    def read(self, name: str) -> bytes:
        """The content of a member, checked."""
        size, digest = self.stated(name)
        data = self._zip.read(name, size)
        if hashlib.sha256(data).hexdigest() != digest:
            self.corrupt(f"{name!r} does not fit the SHA-256 of the manifest")
        return data

    def json(self, name: str) -> dict[str, Any]:
        """The JSON object that a member holds, checked."""
        data = parse_json(self.read(name))
        if not isinstance(data, dict):
            self.corrupt(f"{name!r} is not a JSON object")
        return data

    def mapped(self, name: str) -> memoryview:
        """The content of a member where it lies in the file; its size is checked, its bytes are not read.

        A member that another tool has packed is inflated instead.
        """
        return memoryview(self._zip.content(name, self.stated(name)[0]))

    def entry(self, name: str) -> Entry | None:
        """A member as the directory states it; None where there is none."""
        return self._zip.entries.get(name.encode())

    def packed(self, name: str) -> memoryview:
        """The bytes of a member as they lie in the file, packed or not."""
        return self._zip.packed(name)

    def view(self) -> memoryview:
        """The whole file."""
        return self._zip.view()

    def has(self, name: str) -> bool:
        """Whether the manifest names a member."""
        return name in self.members

    def close(self) -> None:
        """Let the file go; what was mapped stays until nobody holds it."""
        self._zip.close()

    def stated(self, name: str) -> tuple[int, str]:
        """Size and SHA-256 of a member, as the manifest states them."""
        if name not in self.members:
            self.corrupt(f"{name!r} is missing")
        member = self.members[name]
        size, digest = (
            (member.get("size"), member.get("sha256")) if isinstance(member, dict) else (None, None)
        )
        if type(size) is not int or size < 0 or not isinstance(digest, str):
            self.corrupt(f"the manifest does not state size and SHA-256 of {name!r}")
        return size, digest

    def _manifest(self) -> dict[str, Any]:
        entry = self._zip.entries.get(MANIFEST.encode())
        if entry is None:
            reason = "is a ZIP file but no knowledge space: it has no manifest.json"
            self._zip.refuse(reason, "archive_foreign", ANOTHER)
        content = parse_json(self._zip.read(MANIFEST, entry.size))
        version = content.get("indx_version") if isinstance(content, dict) else None
        match = _VERSION.fullmatch(version) if isinstance(version, str) else None
        if not isinstance(content, dict) or match is None:
            reason = "is no knowledge space: its manifest states no indx_version"
            self._zip.refuse(reason, "archive_foreign", ANOTHER)
        if match[1] != ARCHIVE_VERSION.partition(".")[0]:
            maker = content.get("tool_version")
            self._zip.refuse(
                f"has the format version {version!r} (made by {maker!r}), and this release reads "
                f"{ARCHIVE_VERSION!r}",
                "archive_version",
                "use a release of indx for that version, or build the space again",
            )
        members = content.get("members")
        if not isinstance(members, dict) or INDEX not in members:
            self._zip.corrupt("its manifest does not list what it holds")
        return content


def parse_json(data: bytes) -> Any:
    """JSON data; None for what is no JSON. Strict about numbers, and bounded in depth by the parser."""
    with collecting_seldom(_NEVER):  # it would walk half-built data again and again, and double the time
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            return None


def locate(path: Path) -> Path:
    """The archive that `path` means: itself, or the one in an output directory.

    A directory means its only archive. Of several it means the one that `index.json` beside them belongs
    to, then `handbook.indx`.

    Raises:
        ArchiveError: `archive_missing`.
    """
    try:
        if not path.is_dir():
            return path
        found = sorted(one for one in path.iterdir() if one.suffix == ARCHIVE_SUFFIX and one.is_file())
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ArchiveError(
            f"{str(path)!r} cannot be looked into: {reason}; choose a place you may read",
            code="archive_missing",
        ) from None
    if len(found) > 1:
        latest = [one for one in found if _belongs(one, path / INDEX)]
        found = latest[:1] or [one for one in found if one.name == _DEFAULT_NAME] or found
    if len(found) == 1:
        return found[0]
    names = ", ".join(repr(one.name) for one in found)
    reason = (
        f"holds {names}: name one of them"
        if found
        else f"holds no archive: build one there, {BUILDING} {path}"
    )
    raise ArchiveError(f"the directory {str(path)!r} {reason}", code="archive_missing")


def _belongs(archive: Path, index: Path) -> bool:
    try:
        with Archive(archive) as opened, index.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == opened.stated(INDEX)[1]
    except (ArchiveError, OSError):
        return False
