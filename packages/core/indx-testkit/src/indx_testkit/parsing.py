"""The kit for parsers: capabilities that recognise what they read."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import ClassVar

from indx_core.ports import Signature
from indx_testkit.broken import damaged
from indx_testkit.checks import assert_clean, in_unit, tolerate_typed
from indx_testkit.reading import CapabilityKit
from indx_testkit.samples import DocumentSample

__all__ = ["ParserKit"]


class ParserKit(CapabilityKit):
    """Rules of `Parser`: those of `Capability`, and that it knows its own documents from others.

    Attributes:
        others: Documents of the declared media types that are not of the parser's kind.
    """

    others: ClassVar[Sequence[DocumentSample]]

    def recognise(self, sample: DocumentSample, data: bytes | None = None) -> list[Signature]:
        """Signatures of `sample`, or of `data` in its place, each held to the rules."""
        with closing(self.session(sample.source(data), sample.pages or 1)) as session:
            found = list(self.make().recognise(session.observe(), session))
            pages = session.page_count
        for one in found:
            assert isinstance(one, Signature), f"{sample.label}: {one!r} in place of a Signature"
            what = f"{sample.label}: signature {one.signature!r}"
            assert_clean(one.signature, what)
            assert one.signature.strip(), f"{what}: no name"
            assert one.scope in ("DOCUMENT", "PAGE"), f"{what}: scope {one.scope!r}"
            assert one.pages, f"{what}: covers no page"
            assert list(one.pages) == sorted(set(one.pages)), f"{what}: pages {list(one.pages)}"
            assert one.pages[0] >= 1, f"{what}: pages {list(one.pages)}"
            assert one.pages[-1] <= pages, f"{what}: pages {list(one.pages)} of {pages}"
            assert in_unit(one.confidence), f"{what}: confidence {one.confidence!r}"
            assert one.evidence, f"{what}: no evidence"
            for sentence in one.evidence:
                assert_clean(sentence, f"{what}: evidence")
                assert sentence.strip(), f"{what}: an empty line of evidence"
        return found

    def test_its_kind_is_parser(self) -> None:
        """The planner uses it only where it is nominated."""
        assert self.declaration.kind == "parser", f"kind {self.declaration.kind!r}"

    def test_it_recognises_its_own(self) -> None:
        """Every sample has a signature, the same each time."""
        for sample in self.documents:
            found = self.recognise(sample)
            assert found, f"{sample.label} was not recognised"
            assert self.recognise(sample) == found, f"{sample.label}: recognised otherwise the second time"

    def test_it_recognises_no_others(self) -> None:
        """Documents of another kind have none."""
        assert self.others, "declare others = [DocumentSample(...), …], documents of another kind"
        for sample in self.others:
            found = self.recognise(sample)
            assert not found, f"{sample.label} was taken for {[one.signature for one in found]}"

    def test_it_recognises_damaged_documents_or_gives_typed_errors(self) -> None:
        """Looking at damaged bytes raises nothing but typed errors."""
        for sample in self.documents:
            for done, data in damaged(sample.data):
                with tolerate_typed(f"{sample.label}, {done}"):
                    self.recognise(sample, data)
