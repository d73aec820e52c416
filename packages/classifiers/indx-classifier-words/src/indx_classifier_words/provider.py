"""Declares the words classifier for documents, pages and chunks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from indx_classifier_words.settings import LABELS
from indx_core.errors import ConfigurationError
from indx_core.ports.declarations import PORT_VERSION, Unavailability, Unit
from indx_core.ports.lanes import Answers, Classification, LaneContext, LaneDeclaration

__all__ = ["WordsClassifier", "chunk", "document", "page"]


class WordsClassifier:
    """Sorts texts by the distinct words they share with each label's list.

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
        """The lane's facts; its key is the digest of the taxonomy that replaces the shipped one."""
        source = LABELS.get()
        key = ""
        if source is not None:
            try:
                key = hashlib.sha256(source.read_bytes()).hexdigest()
            except OSError:
                key = "unreadable"
        return LaneDeclaration(self._lane, self._unit, settings_key=key)

    def availability(self) -> Unavailability | None:
        """What is wrong with the taxonomy that INDX_CLASSIFIER_WORDS_LABELS names, if one is."""
        if LABELS.get() is None:
            return None
        from indx_classifier_words._reading import current

        try:
            current()
        except ConfigurationError as error:
            return Unavailability(error.message, f"correct that file, or unset {LABELS.name}")
        return None

    def classify(self, texts: Sequence[str], context: LaneContext) -> Answers[Classification]:  # noqa: ARG002
        """Labels of each text by facet, highest share of the word list first.

        Raises:
            ConfigurationError: `invalid_setting`, when the taxonomy of the settings cannot be used.
        """
        from indx_classifier_words._reading import current

        taxonomy = current()
        return Answers([taxonomy.classify(text) or None for text in texts])


def document() -> WordsClassifier:
    """The classifier of whole documents."""
    return WordsClassifier("words", "document")


def page() -> WordsClassifier:
    """The classifier of pages."""
    return WordsClassifier("words-page", "page")


def chunk() -> WordsClassifier:
    """The classifier of chunks."""
    return WordsClassifier("words-chunk", "chunk")
