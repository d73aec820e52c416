"""What failed beside the reading, counted and told, so that no answer and no opinion are told apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from indx_core.canonical import clean_text
from indx_core.contracts import MAX_FAILED_BLOCKS, TraceFailure
from indx_core.discovery import PLUGINS, scan
from indx_runtime.values import UNSAID, one_line, reason_of

if TYPE_CHECKING:
    from indx_core.contracts import FailureRole, Unit
    from indx_core.discovery import Registry
    from indx_core.ports import SourceContent
    from indx_runtime.progress import Progress, Step

__all__ = ["Failures", "beside", "could_not", "if_built", "in_one_line", "left_out", "what_helps"]

_BUILT: Final = "a ZIP or TAR is read when a knowledge space is built of it"
_LISTED: Final = "; the capabilities of this installation list what it reads"
_NAMED: Final = 6  # distributions that INDX_PLUGINS leaves out

_LEFT_OUT: Final[WeakKeyDictionary[Registry, dict[str, set[str]]]] = WeakKeyDictionary()

_GIVEN_UP: Final[Mapping[Step | None, str]] = {
    "open": "the document could not be opened",
    "look": "the document could not be observed",
    "plan": "the document could not be observed",
    "render": "the picture could not be made",
    "members": "the rest could not be listed",
    None: "the work on the document could not go on",
}


@dataclass(slots=True)
class _Account:
    """How one part fared with one kind of unit."""

    asked: set[str] = field(default_factory=set)
    failed: dict[str, None] = field(default_factory=dict)
    reason: str = ""


class Failures:
    """Counts, by part and unit in the order asked, what was asked and what failed."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        self._accounts: dict[tuple[FailureRole, str, Unit], _Account] = {}

    def count(
        self, role: FailureRole, name: str, unit: Unit, asked: Sequence[str], failed: Mapping[str, str]
    ) -> None:
        """Take in one time of asking.

        Args:
            role: What part it has.
            name: Its public ID.
            unit: What it is asked about.
            asked: The blocks it was asked about.
            failed: Why it failed on some of them, by block, in that order.
        """
        account = self._accounts.setdefault((role, name, unit), _Account())
        account.asked.update(asked)
        if failed and not account.failed:
            account.reason = next(iter(failed.values()))
        account.failed.update(dict.fromkeys(failed))

    def asked(self, role: FailureRole, name: str, unit: Unit) -> Collection[str]:
        """The blocks that a part was asked about so far, whether it failed on them or not."""
        account = self._accounts.get((role, name, unit))
        return account.asked if account else ()

    def told(self) -> tuple[TraceFailure, ...]:
        """Those that failed on something."""
        return tuple(
            TraceFailure(
                role=role,
                id=name,
                unit=unit,
                asked=len(account.asked),
                failed=len(account.failed),
                reason=account.reason,
                block_ids=tuple(account.failed)[:MAX_FAILED_BLOCKS],
            )
            for (role, name, unit), account in self._accounts.items()
            if account.failed
        )


def in_one_line(reasons: Mapping[str, str]) -> str:
    """What parts failed and why, by their IDs."""
    return "; ".join(f"{name} failed: {reason}" for name, reason in reasons.items())


def could_not(step: Step | None, reason: str) -> str:
    """Why no more is learned of a document, by the step that failed here or in a worker; None between two."""
    return f"{_GIVEN_UP[step]}: {reason}"


def beside(facts: Mapping[str, str]) -> str:
    """What is known of a document, behind a message that it may explain."""
    return "".join(f"; {told}" for told in facts.values())


def what_helps(media_type: str, registry: Registry, *, opened: bool, usual: bool) -> str:
    """What helps where nothing reads a media type, behind that; it is said to callers of any kind.

    Args:
        media_type: The type.
        registry: What is installed, and which of it is looked at.
        opened: Whether the type can be opened at least.
        usual: Whether usual formats are read.
    """
    from indx_source.archives import ARCHIVES, PACKED
    from indx_source.foreign import FOREIGN
    from indx_source.media import OFFICE

    if media_type in ARCHIVES:
        return f"; {_BUILT}"
    if unseen := _unseen(media_type, registry, opened=opened):
        return f"; {unseen}"
    if media_type in PACKED:
        return f": it is {PACKED[media_type]}, which is not unpacked here; unpack it, and take what was in it"
    if media_type in FOREIGN:
        return f": it is {FOREIGN[media_type].called}; {FOREIGN[media_type].helps}"
    if opened:
        return f', though it can be opened; for recognition, pip install "indx[ocr]"{_LISTED}'
    if media_type in OFFICE.values():
        return f', which LibreOffice opens; to read it through that, pip install "indx[libreoffice]"{_LISTED}'
    if usual and (media_type.startswith("image/") or media_type == "application/postscript"):
        return f"; save it as PDF, or a picture as PNG or JPEG{_LISTED}"
    if usual and media_type.startswith(("audio/", "video/")):
        return f"; have what is said in it written down: subtitles (.vtt, .srt) are read{_LISTED}"
    if not usual:  # it comes without its readers
        return f'; for the readers of usual formats, pip install "indx[standard]"{_LISTED}'
    return _LISTED


def _unseen(media_type: str, registry: Registry, *, opened: bool) -> str:
    """Which readers INDX_PLUGINS leaves out, if any; it is for not loading them, so they are not asked."""
    if registry.plugins is None:
        return ""
    lacking = {"indx.capabilities"} if opened else {"indx.capabilities", "indx.observers"}
    unseen = [name for name, groups in _left_out_of(registry).items() if lacking <= groups]
    if not unseen:
        return ""
    unseen.sort(key=lambda name: (name.rpartition("-")[2] not in media_type, name))  # namesakes first
    more = f" and {len(unseen) - _NAMED} more" if len(unseen) > _NAMED else ""
    return (
        f"{PLUGINS.name}={','.join(registry.plugins)[:200]!r} leaves out readers that are installed "
        f"({', '.join(unseen[:_NAMED])}{more}); where one of them reads it, name it there too, or unset "
        f"{PLUGINS.name}"
    )


def _left_out_of(registry: Registry) -> Mapping[str, set[str]]:
    """The groups of each distribution that a registry leaves out, looked for once: a build refuses many."""
    if registry not in _LEFT_OUT:
        seen = {candidate.distribution for candidate in registry.candidates}
        groups: dict[str, set[str]] = {}
        for candidate in scan():
            if candidate.distribution not in seen:
                groups.setdefault(candidate.distribution, set()).add(candidate.group)
        _LEFT_OUT[registry] = groups
    return _LEFT_OUT[registry]


def if_built(content: SourceContent) -> str:
    """What helps where an archive was opened as a document, in vain; empty of anything else."""
    from indx_source.archives import ARCHIVES, archive_type

    if content.media_type not in ARCHIVES:
        return ""
    with content.buffer() as head:
        return _BUILT if archive_type(head) else ""


def left_out(progress: Progress) -> tuple[TraceFailure, ...]:
    """The chunkers that took no part in a document because they failed on it."""
    reasons: dict[str, str] = {}
    for left in progress.left_out:
        reasons.setdefault(one_line(clean_text(left.chunker), "a chunker"), left.reason)
    return tuple(
        TraceFailure(
            role="chunker",
            id=name,
            version=version,
            unit="document",
            asked=1,
            failed=1,
            reason=reason_of(clean_text(reason), UNSAID),
            block_ids=("doc",),
        )
        for (name, version), reason in ((_chunker(spelled), reason) for spelled, reason in reasons.items())
    )


def _chunker(spelled: str) -> tuple[str, int | None]:
    """ID and version; what a worker sends may be neither."""
    name, _, version = spelled.rpartition("@")
    if name and version.isascii() and version.isdigit() and 0 < len(version) < 10 and int(version):
        return name, int(version)
    return spelled, None
