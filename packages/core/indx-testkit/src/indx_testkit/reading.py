"""Kits for observers with their sessions, and for capabilities."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any, ClassVar, get_args

from indx_core.deadline import Deadline
from indx_core.ports import (
    CapabilityDeclaration,
    CapabilityKind,
    Device,
    Observation,
    ObserverDeclaration,
    PageReading,
    Raster,
    Session,
    SourceContent,
)
from indx_testkit._base import ProviderKit
from indx_testkit.broken import damaged
from indx_testkit.checks import (
    assert_clean,
    assert_portable,
    assert_raster,
    assert_reading,
    fingerprint,
    in_unit,
    plain,
    tolerate_typed,
)
from indx_testkit.samples import DocumentSample, StubSession

__all__ = ["CapabilityKit", "ObserverKit"]

_MANY = 10_000


class ObserverKit(ProviderKit):
    """Rules of `Observer` and `Session`. Declare `documents`."""

    declaration_type = ObserverDeclaration
    documents: ClassVar[Sequence[DocumentSample]]

    def open(self, source: SourceContent) -> Any:
        """Open `source` with a new observer; the result closes itself at the end of a `with` block."""
        return closing(self.make().open(source))

    def test_it_has_a_sample_and_declares_its_types(self) -> None:
        """Something is observed, and only what is declared."""
        assert self.documents, "declare documents = [DocumentSample(data, media_type), …]"
        for sample in self.documents:
            assert sample.media_type in self.declaration.media_types, f"{sample.media_type!r} is not declared"

    def test_a_session_says_what_it_is_of(self) -> None:
        """A session carries its source, its media type and the number of its pages."""
        for sample in self.documents:
            source = sample.source()
            with self.open(source) as session:
                assert session.source is source, f"{sample.label}: the session carries another source"
                assert session.media_type == sample.media_type, f"{sample.label}: {session.media_type!r}"
                if sample.pages is not None:
                    assert session.page_count == sample.pages, f"{sample.label}: {session.page_count} pages"

    def test_it_observes_every_page(self) -> None:
        """Evidence for pages 1..n, within its ranges, the same each time."""
        for sample in self.documents:
            with self.open(sample.source()) as session:
                seen = session.observe()
                self._check_observation(seen, session.page_count, sample)
                assert plain(session.observe()) == plain(seen), f"{sample.label}: otherwise the second time"
            with self.open(sample.source()) as session:
                assert plain(session.observe()) == plain(seen), f"{sample.label}: otherwise when opened again"

    def _check_observation(self, seen: Observation, pages: int, sample: DocumentSample) -> None:
        what = sample.label
        assert isinstance(seen, Observation), f"{what}: observe() gave {seen!r}"
        assert seen.media_type == sample.media_type, f"{what}: observed as {seen.media_type!r}"
        numbers = [page.page for page in seen.pages]
        assert numbers == list(range(1, pages + 1)), f"{what}: pages {numbers} of {pages}"
        for page in seen.pages:
            assert page.text_characters >= 0, f"{what}: {page}"
            assert page.images >= 0, f"{what}: {page}"
            assert in_unit(page.image_share), f"{what}: {page}"
        for code, sentence in seen.facts.items():
            assert_clean(code, f"{what}: fact")
            assert_clean(sentence, f"{what}: fact {code}")
        pickle.dumps(seen)

    def test_bytes_and_files_are_observed_alike(self, tmp_path: Path) -> None:
        """Where the bytes lie changes nothing."""
        for sample in self.documents:
            with self.open(sample.source()) as held, self.open(sample.file(tmp_path)) as filed:
                assert plain(held.observe()) == plain(filed.observe()), sample.label

    def test_closing_twice_does_nothing(self) -> None:
        """Whoever opened a session closes it, and so may an engine that is not sure."""
        for sample in self.documents:
            session = self.make().open(sample.source())
            session.close()
            session.close()

    def test_two_sessions_do_not_disturb_each_other(self) -> None:
        """Closing one leaves the other open."""
        for sample in self.documents:
            with self.open(sample.source()) as kept:
                seen = kept.observe()
                with self.open(sample.source()) as other:
                    other.observe()
                assert plain(kept.observe()) == plain(seen), sample.label

    def test_what_one_session_finds_another_takes_over(self) -> None:
        """Where a session takes over what others find on pages, whoever looked at a page changes nothing."""
        for sample in self.documents:
            with (
                self.open(sample.source()) as alone,
                self.open(sample.source()) as helper,
                self.open(sample.source()) as session,
            ):
                if not hasattr(session, "take_over"):
                    continue
                for page in range(session.page_count, 0, -2):
                    found = helper.found(page)
                    assert_portable(found, f"{sample.label}: what is found on page {page}")
                    session.take_over(page, found)
                for page in range(1, session.page_count + 1):
                    session.look(page)
                assert plain(session.observe()) == plain(alone.observe()), (
                    f"{sample.label}: observed otherwise"
                )

    def test_a_page_that_is_passed_over_is_there_and_was_not_seen(self) -> None:
        """Where a session takes over what others find, it passes over a page, and no other page changes."""
        for sample in self.documents:
            with self.open(sample.source()) as alone, self.open(sample.source()) as session:
                last = session.page_count
                if not hasattr(session, "take_over") or not last:
                    continue
                what = f"{sample.label}: page {last}"
                assert hasattr(session, "pass_over"), f"{what} cannot be passed over: there is no pass_over"
                session.pass_over(last)
                for page in range(1, last + 1):
                    session.look(page)
                seen = session.observe()
                self._check_observation(seen, last, sample)
                assert not seen.pages[-1].seen, f"{what} was passed over and is observed as seen"
                others, expected = seen.pages[:-1], alone.observe().pages[:-1]
                assert plain(others) == plain(expected), f"{what}: without it the others are otherwise"

    def test_damaged_documents_give_typed_errors(self) -> None:
        """Bytes that are no such document are refused by a typed error, wherever that shows."""
        observer = self.make()
        for sample in self.documents:
            for done, data in damaged(sample.data):
                with (
                    tolerate_typed(f"{sample.label}, {done}"),
                    closing(observer.open(sample.source(data))) as session,
                ):
                    session.observe()
                    for page in range(1, min(session.page_count, 2) + 1):
                        session.render(page, dpi=36, max_pixels=250_000)
                    for _, _ in zip(session.members(), range(100), strict=False):
                        pass

    def test_it_renders_within_the_pixels_allowed(self) -> None:
        """A page is drawn whole, or not at all when it would be too large."""
        for sample in self.documents:
            with self.open(sample.source()) as session:
                for page in range(1, min(session.page_count, 5) + 1):
                    what = f"{sample.label}: page {page}"
                    drawn = session.render(page, dpi=72, max_pixels=100_000_000)
                    if drawn is not None:
                        self._check_raster(drawn, 100_000_000, what)
                        again = session.render(page, dpi=72, max_pixels=100_000_000)
                        assert again == drawn, f"{what}: drawn otherwise the second time"
                        self._check_size(session, page, drawn, what)
                    if sample.renders is not None:
                        assert (drawn is not None) == sample.renders, f"{what}: rendered as {drawn!r:.60}"
                    tiny = session.render(page, dpi=72, max_pixels=1)
                    if tiny is not None:
                        self._check_raster(tiny, 1, what)

    def _check_size(self, session: Session, page: int, drawn: Raster, what: str) -> None:
        size = session.render(page, dpi=72, max_pixels=100_000_000, pixels=False)
        assert size == replace(drawn, rgb=b""), f"{what}: without pixels the size is {size!r:.60}"

    def _check_raster(self, drawn: Raster, max_pixels: int, what: str) -> None:
        assert isinstance(drawn, Raster), f"{what}: render() gave {drawn!r:.80}"
        assert_raster(drawn, what)
        pixels = drawn.width * drawn.height
        assert pixels <= max_pixels, f"{what}: {pixels} pixels drawn, {max_pixels} allowed"

    def test_members_have_relative_names(self) -> None:
        """What is inside is named so that no name leads out of anywhere."""
        for sample in self.documents:
            with self.open(sample.source()) as session:
                members = [one for one, _ in zip(session.members(), range(_MANY + 1), strict=False)]
                assert len(members) <= _MANY, f"{sample.label}: more than {_MANY} members"
                for member in members:
                    self._check_member(member, sample.label)
                if sample.members is not None:
                    assert [one.name for one in members] == list(sample.members), sample.label
                assert [one.name for one in session.members()] == [one.name for one in members]

    def _check_member(self, member: Any, label: str) -> None:
        what = f"{label}: member {member.name!r:.80}"
        assert_clean(member.name, what)
        path = PurePosixPath(member.name)
        assert member.name.strip(), f"{what}: no name"
        assert len(member.name) <= 4096, f"{what}: a name of {len(member.name)} characters"
        assert not path.is_absolute(), f"{what}: absolute"
        assert ".." not in path.parts, f"{what}: leads upwards"
        assert "\\" not in member.name, f"{what}: a backslash is no separator of a POSIX path"
        assert isinstance(member.data, bytes), f"{what}: data is a {type(member.data).__name__}"
        if member.reason is not None:
            assert_clean(member.reason, f"{what}: reason")
            assert not member.data, f"{what}: both data and a reason why there is none"


class CapabilityKit(ProviderKit):
    """Rules of `Capability`. Declare `documents` and, where it has one, the `observer` that opens them.

    Attributes:
        documents: What to read.
        observer: The zero-argument factory of the observer of the same format, as a `staticmethod`; None
            when readings start from a session of somebody else.
        needs_rendering: Whether it reads what a session draws and cannot open a source itself; by a session
            that draws nothing its pages then stay unread, with a reason.
    """

    declaration_type = CapabilityDeclaration
    has_availability = True
    documents: ClassVar[Sequence[DocumentSample]]
    observer: ClassVar[Any] = None
    needs_rendering: ClassVar[bool] = False

    def session(self, source: SourceContent, pages: int) -> Any:
        """A session of `source`: the observer's, or a stub of `pages` pages where there is none."""
        return self.observer().open(source) if self.observer else StubSession(source, pages)

    def read(self, sample: DocumentSample, pages: Sequence[int] | None = None) -> list[PageReading]:
        """Read `pages` of `sample`, all of them when none are named, with a new provider."""
        with closing(self.session(sample.source(), sample.pages or 1)) as session:
            asked = range(1, session.page_count + 1) if pages is None else pages
            return list(self.make().read(session, list(asked), deadline=Deadline()))

    def test_its_kind_and_device_are_known(self) -> None:
        """The planner branches on both."""
        declaration = self.declaration
        assert declaration.kind in get_args(CapabilityKind), f"kind {declaration.kind!r}"
        assert declaration.device in get_args(Device), f"device {declaration.device!r}"
        assert self.documents, "declare documents = [DocumentSample(data, media_type, …), …]"

    def test_it_yields_a_reading_a_page_in_the_order_asked(self) -> None:
        """Every page asked gets its reading, in the order asked, and no other does."""
        for sample in self.documents:
            asked = [one.page for one in self.read(sample)]
            assert asked == list(range(1, len(asked) + 1)), f"{sample.label}: pages {asked}"
            if sample.pages is not None:
                assert len(asked) == sample.pages, f"{sample.label}: {len(asked)} pages"
            backwards = [one.page for one in self.read(sample, asked[::-1])]
            assert backwards == asked[::-1], f"{sample.label}: {backwards} for {asked[::-1]}"
            assert self.read(sample, []) == [], f"{sample.label}: readings of pages nobody asked for"

    def test_its_readings_hold_every_rule(self) -> None:
        """Offsets, lines, boxes, tables and marks are as the port says."""
        for sample in self.documents:
            for one in self.read(sample):
                assert_reading(one)
                pickle.dumps(one)

    def test_its_readings_hold_what_was_expected(self) -> None:
        """The snippets of each sample stand in its text; unread pages say why."""
        for sample in self.documents:
            readings = {one.page: one for one in self.read(sample)}
            whole = "\n".join(one.text for one in readings.values())
            if isinstance(sample.expected, Mapping):
                for page, snippets in sample.expected.items():
                    self._expect(readings[page].text, snippets, f"{sample.label}: page {page}")
            else:
                self._expect(whole, sample.expected, sample.label)
            for page, reason in sample.unread.items():
                assert readings[page].reason == reason, (
                    f"{sample.label}: page {page}: {readings[page].reason!r}"
                )

    def _expect(self, text: str, snippets: Sequence[str], what: str) -> None:
        for snippet in snippets:
            assert snippet in text, f"{what}: {snippet!r} is missing from {text[:500]!r}"

    def test_it_reads_alike_each_time(self, tmp_path: Path) -> None:
        """The same bytes read the same: again, from a file, and one page at a time."""
        for sample in self.documents:
            first = [fingerprint(one) for one in self.read(sample)]
            assert [fingerprint(one) for one in self.read(sample)] == first, f"{sample.label}: read otherwise"
            for number, expected in enumerate(first, start=1):
                alone = [fingerprint(one) for one in self.read(sample, [number])]
                assert alone == [expected], f"{sample.label}: page {number} reads otherwise when asked alone"
            with closing(self.session(sample.file(tmp_path), sample.pages or 1)) as session:
                pages = list(range(1, session.page_count + 1))
                filed = [fingerprint(one) for one in self._iterate(session, pages)]
                assert filed == first, f"{sample.label}: read otherwise from a file"

    def test_it_reads_by_the_session_of_another(self) -> None:
        """A session that it did not make has a source, and that is enough."""
        for sample in self.documents:
            with closing(self.session(sample.source(), sample.pages or 1)) as own:
                pages = list(range(1, own.page_count + 1))
                expected = [fingerprint(one) for one in self._iterate(own, pages)]
            stub = StubSession(sample.source(), len(pages))
            readings = list(self._iterate(stub, pages))
            if self.needs_rendering:
                for one in readings:
                    assert one.reason, f"{sample.label}: page {one.page} was read, though nothing was drawn"
                continue
            found = [fingerprint(one) for one in readings]
            assert found == expected, f"{sample.label}: reads otherwise by a session of another"

    def test_it_reads_alike_in_every_process(self) -> None:
        """No reading depends on a hash seed, as the order of a set does."""
        for sample in self.documents[:3]:
            with closing(self.session(sample.source(), sample.pages or 1)) as own:
                pages = list(range(1, own.page_count + 1))
            plain = SimpleNamespace(
                media_type=sample.media_type, source=sample.source(), page_count=len(pages)
            )
            if not self.needs_rendering:
                self.assert_alike_elsewhere("read", plain, pages, deadline=Deadline())

    def test_damaged_documents_give_typed_errors(self) -> None:
        """Damaged bytes give readings that hold every rule, or a typed error."""
        for sample in self.documents:
            for done, data in damaged(sample.data):
                with tolerate_typed(f"{sample.label}, {done}"):
                    source = sample.source(data)
                    with closing(self.session(source, sample.pages or 1)) as session:
                        pages = list(range(1, min(session.page_count, 3) + 1))
                        for one in self._iterate(session, pages):
                            assert_reading(one)
                with tolerate_typed(f"{sample.label} by a session of another, {done}"):
                    for one in self._iterate(StubSession(sample.source(data), 1), [1]):
                        assert_reading(one)

    def _iterate(self, session: Any, pages: list[int]) -> Iterator[PageReading]:
        yield from self.make().read(session, pages, deadline=Deadline())
