"""Documents inside documents: attachments and archive entries, named, bounded and remembered.

A member stands at `<container path>!/<name>`. What a container holds is remembered with the digests of its
members, so that an unchanged container is not opened again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from indx_core.canonical import clean_text
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import SourceContent
from indx_source import guess_media_type
from indx_source.archives import ARCHIVES, asks_too_much, is_tar
from indx_space.config import WalkConfig
from indx_space.pipeline.known import Known
from indx_space.pipeline.records import Record
from indx_space.walking import Entry, walk
from indx_space.walking.archive import ArchiveTree
from indx_space.walking.names import Taken, refusal
from indx_space.walking.packed import ANOTHER, Budget
from indx_space.walking.tar import TarTree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from indx_core.ports import Member

__all__ = ["DEEPEST", "Container", "Item", "attachments", "children_of", "open_archive"]

DEEPEST: Final = 3
_ASIDE: Final = "save it as a file of its own and build again"
_TOO_DEEP: Final = f"documents inside documents are read {DEEPEST} deep, and it lies deeper; {_ASIDE}"


@dataclass(slots=True)
class Item:
    """A file on its way to being a document.

    Attributes:
        path: Its path in the space.
        name: Its own name.
        budget: What it and everything inside it may add up to.
        entry: Where its bytes are, if they are to be fetched.
        content: Its bytes, if they are here.
        known: What it is, if that was remembered.
        holder: The archive it is an entry of, while that is being taken stock of.
        depth: In how many containers it stands.
        again: Whether it changed while it was read, and is read a second time.
    """

    path: str
    name: str
    budget: Budget
    entry: Entry | None = None
    content: SourceContent | None = None
    known: Known | None = None
    holder: Container | None = None
    depth: int = 0
    again: bool = False


@dataclass(slots=True)
class Container:
    """An archive being taken stock of: complete when every entry has been fetched or has failed."""

    prefix: str
    tree: ArchiveTree | TarTree
    awaited: int
    record: Record
    done: Callable[[Record], None]
    _refs: dict[str, list[Any]] = field(default_factory=dict)

    def found(self, item: Item, known: Known) -> None:
        """One entry has been fetched."""
        self._refs[item.path] = [item.path.removeprefix(self.prefix), item.name, *known]
        self._one_less()

    def failed(self, item: Item, code: str, message: str, *, lapsed: bool) -> None:
        """One entry could not be fetched; where that is the fault of the moment, it may be another time."""
        self.record["settled"] = self.record["settled"] and not lapsed
        self.record["problems"].append([item.path.removeprefix(self.prefix), code, message])
        self._one_less()

    def _one_less(self) -> None:
        self.awaited -= 1
        if self.awaited == 0:
            self.finish()

    def finish(self) -> None:
        """Hand over the record; the archive is not needed any more."""
        if not self._refs and not self.record["problems"] and not self.record["skipped"]:
            self.record["problems"].append(["", "archive_empty", "the archive holds no files"])
        self.record["members"] = [self._refs[path] for path in sorted(self._refs)]
        self.tree.close()
        self.done(self.record)


def archive_record() -> Record:
    """The record of an archive, with nothing in it yet."""
    return {
        "archive": True,
        "drafts": [],
        "links": [],
        "headings": [],
        "errors": [],
        "members": [],
        "problems": [],
        "skipped": {},
        "settled": True,
    }


def _opened(content: SourceContent, budget: Budget) -> ArchiveTree | TarTree:
    """The archive as a tree, by its bytes."""
    if not content.size:
        raise SourceError(f"the archive is empty: it holds no bytes; {ANOTHER}")
    with content.buffer() as head:
        kind_of_tree = TarTree if is_tar(head) or asks_too_much(head) else ArchiveTree
    return kind_of_tree.of_content(content, budget)


def _format(name: str) -> str | None:
    """The media type that a name gives to what is packed as a ZIP and is none."""
    named = guess_media_type(name)
    return None if named in ARCHIVES else named


def open_archive(
    item: Item,
    content: SourceContent,
    config: WalkConfig,
    taken: Taken,
    done: Callable[[Record], None],
    refusal_of: Callable[[str | None], str],
) -> tuple[Record, list[Item]]:
    """The entries of an archive as items, and its record, which `done` is handed when it is complete.

    Args:
        item: The archive.
        content: Its bytes.
        config: What to take of it.
        taken: The paths given out so far.
        done: Takes the record.
        refusal_of: Says of a media type that nothing installed reads it, and what would.

    Raises:
        SourceError: It is damaged, or empty.
        InputTooLarge: Its directory is larger than is read, or it asks for too much memory.
    """
    record = archive_record()
    if item.depth >= DEEPEST:
        record["problems"].append(["", "members_too_deep", _TOO_DEEP])
        return record, []
    tree = _opened(content, item.budget)
    if tree.packaged():
        tree.close()
        record["problems"].append(["", "unsupported_media_type", refusal_of(_format(item.name))])
        record["skipped"] = {"unsupported": 1}
        done(record)
        return record, []
    prefix = f"{item.path}!/"
    # What a container holds is chosen with the container: patterns of paths do not reach inside.
    inner = replace(WalkConfig(), hidden=config.hidden, gitignore=config.gitignore)
    listing = walk(tree, inner, prefix, taken)
    record["problems"] += [[p.path.removeprefix(prefix), p.code, p.message] for p in listing.problems]
    record["skipped"] = dict(sorted(listing.skipped.items()))
    too_many = any(problem[1] == "too_many_members" for problem in record["problems"])
    record["settled"] = not (too_many and item.depth)  # what is taken inside another depends on that
    holder = Container(prefix, tree, len(listing.entries), record, done)
    items = [
        Item(e.path, e.name, item.budget, entry=e, holder=holder, depth=item.depth + 1)
        for e in listing.entries
    ]
    if not items:
        holder.finish()
    return record, items


def attachments(
    item: Item, members: Sequence[Member], record: Record, media_type: Callable[[SourceContent], str]
) -> list[tuple[list[Any], SourceContent]]:
    """The members of a document: for each what is remembered of it, and its bytes.

    What cannot be taken is put among the problems of `record`.
    """
    found: list[tuple[list[Any], SourceContent]] = []
    problems: list[list[str]] = record["problems"]
    local = Taken()
    for member in members:
        name = clean_text(member.name).replace("\\", "/")
        shown = name
        if member.reason is not None:
            problems.append(
                [name, "member_unread", f"it could not be taken out: {clean_text(member.reason)}; {_ASIDE}"]
            )
            continue
        if item.depth >= DEEPEST:
            problems.append([name, "members_too_deep", _TOO_DEEP])
            continue
        if why := refusal(name):
            shown = name.rstrip("/").rpartition("/")[2]
            shown = "".join(c for c in shown if c >= " ").lstrip(".") or "attachment"
            problems.append([shown, "name_changed", f"it stands under another name: {why}"])
        try:
            if item.budget.entries <= 0:
                raise InputTooLarge(
                    f"more documents are inside {item.path!r} than are taken from one file; {_ASIDE}"
                )
            item.budget.entries -= 1
            item.budget.spend(len(member.data))
        except InputTooLarge as error:
            problems.append([shown, "too_many_members", error.message])
            record["settled"] = record["settled"] and not item.depth  # as in an archive
            break
        path = local.claim(shown)
        content = SourceContent.of_bytes(member.data, filename=path.rpartition("/")[2])
        kind = media_type(content)
        reference = [path, content.filename, content.digest, kind, content.size]
        found.append((reference, content.with_media_type(kind)))
    return found


def children_of(item: Item, record: Record, taken: Taken) -> list[Item]:
    """The members that a record remembers, as items whose bytes are not here."""
    return [
        Item(
            taken.claim(f"{item.path}!/{path}"),
            name,
            item.budget,
            known=Known(digest, media_type, size),
            depth=item.depth + 1,
        )
        for path, name, digest, media_type, size in record["members"]
    ]
