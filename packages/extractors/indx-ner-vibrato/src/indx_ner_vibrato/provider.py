"""Declares the vibrato extractor for pages and chunks, where its engine is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, EntitySpan, LaneDeclaration
from indx_ner_vibrato.settings import DICTIONARY, DOWNLOAD_SECONDS

__all__ = ["VibratoExtractor", "chunks", "pages"]


class VibratoExtractor:
    """Finds people, organizations and places in Japanese text by the parts of speech of its words.

    Args:
        lane: The lane's ID.
        unit: What it is shown.
    """

    port_version = PORT_VERSION

    def __init__(self, lane: str, unit: Unit) -> None:
        self._lane = lane
        self._unit = unit

    @property
    def declaration(self) -> LaneDeclaration:
        """The lane's facts; its key tells dictionaries apart by name, size and time."""
        source = DICTIONARY.get()
        key = ""
        if source is not None:
            try:
                state = source.expanduser().stat()
                key = f"{source}/{state.st_size}/{state.st_mtime_ns}"
            except (OSError, ValueError, RuntimeError):
                key = f"{source}"
        return LaneDeclaration(self._lane, self._unit, device="cpu", settings_key=key)

    def availability(self) -> Unavailability | None:
        """Whether the dictionary that is named is there; where none is, the cache is not looked at."""
        try:
            DOWNLOAD_SECONDS.get()
        except ConfigurationError as error:
            return Unavailability(error.message, f"correct or unset {DOWNLOAD_SECONDS.name}")
        source = DICTIONARY.get()
        if source is None:
            return None
        try:
            there = source.expanduser().exists()
        except (OSError, ValueError, RuntimeError):
            there = False
        if there:
            return None
        return Unavailability(
            f"{DICTIONARY.name}: {str(source)!r} does not exist", f"correct it, or unset {DICTIONARY.name}"
        )

    def extract(self, texts: Sequence[str]) -> Answers[Sequence[EntitySpan]]:
        """Entities of each text; where the dictionary cannot be had, each text fails with the reason."""
        from indx_ner_vibrato._entities import extract

        return Answers(extract(texts))


def pages() -> VibratoExtractor | Unavailability:
    """The extractor of pages; without its engine there is nothing to advertise."""
    return _made("vibrato", "page")


def chunks() -> VibratoExtractor | Unavailability:
    """The extractor of chunks; without its engine there is nothing to advertise."""
    return _made("vibrato-chunk", "chunk")


def _made(lane: str, unit: Unit) -> VibratoExtractor | Unavailability:
    missing = [name for name in ("vibrato", "zstandard") if importlib.util.find_spec(name) is None]
    if missing:
        return Unavailability(
            f"its engine is not installed: {', '.join(missing)}", 'pip install "indx-ner-vibrato[ja]"'
        )
    return VibratoExtractor(lane, unit)
