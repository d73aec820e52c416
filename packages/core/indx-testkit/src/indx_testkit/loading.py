"""Kits for loaders and sniffers."""

from __future__ import annotations

import hashlib
import tempfile
import tracemalloc
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import strategies as st

from indx_core.deadline import Deadline
from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import Loaded, LoaderDeclaration, Sniffed, SnifferDeclaration
from indx_testkit._base import ProviderKit, for_all
from indx_testkit.broken import damaged
from indx_testkit.checks import tolerate_typed
from indx_testkit.samples import SniffSample

__all__ = ["LoaderKit", "Refusal", "SnifferKit"]

_MIB = 1 << 20


@dataclass(frozen=True)
class Refusal:
    """A URI that must be refused with `code`, and what no part of the error may show."""

    uri: str
    code: str
    secrets: Sequence[str] = ()


class LoaderKit(ProviderKit):
    """Rules of `Loader`. Say how to `serve` bytes and which URI is `missing`; list `refusals`."""

    declaration_type = LoaderDeclaration
    has_availability = True

    def serve(self, data: bytes, tmp_path: Path) -> AbstractContextManager[str]:  # noqa: ARG002
        """A block that yields a URI of a declared scheme at which `data` is found while the block runs."""
        raise AssertionError("override serve(): put `data` where the loader finds it and yield its URI")

    def missing(self, tmp_path: Path) -> str:  # noqa: ARG002
        """A URI of a declared scheme at which there is nothing."""
        raise AssertionError("override missing(): a URI of your scheme at which there is nothing")

    def refusals(self, tmp_path: Path) -> Sequence[Refusal]:  # noqa: ARG002
        """URIs that the loader must refuse in particular, with what the error must not reveal."""
        return ()

    def load(self, uri: str, limit: int = 64 * _MIB) -> Loaded:
        """Load `uri` with a new loader and no deadline."""
        loaded = self.make().load(uri, limit=limit, deadline=Deadline())
        assert isinstance(loaded, Loaded), f"load() gave {loaded!r}"
        return loaded

    def test_its_schemes_are_plain(self) -> None:
        """Schemes are compared in lower case."""
        schemes = self.declaration.schemes
        assert isinstance(schemes, tuple)
        assert schemes, "no scheme is declared"
        for scheme in schemes:
            assert scheme == scheme.lower().rstrip(":/"), f"scheme {scheme!r}: lower case, without the colon"

    def test_it_brings_the_bytes_with_their_size_and_digest(self, tmp_path: Path) -> None:
        """What arrives is what was there, and is described truly."""
        for data in (b"", b"\x00", b"plain text\n", bytes(range(256)) * 1024):
            self._bring(data, tmp_path)

    def _bring(self, data: bytes, tmp_path: Path) -> None:
        with self.serve(data, tmp_path) as uri:
            content = self.load(uri).content
            assert (content.data is None) != (content.path is None), "set exactly one of data and path"
            assert content.read() == data
            assert content.size == len(data), f"size {content.size}, read {len(data)}"
            assert content.digest == "sha256:" + hashlib.sha256(data).hexdigest()
            name = content.filename
            assert name is None or not set(name) & {"/", "\0"}, f"filename {name!r} is a path"

    def test_it_brings_exactly_the_limit(self, tmp_path: Path) -> None:
        """The limit itself is allowed."""
        with self.serve(b"x" * 1000, tmp_path) as uri:
            assert self.load(uri, 1000).content.size == 1000

    def test_it_refuses_one_byte_more_than_the_limit(self, tmp_path: Path) -> None:
        """One byte more is refused by its own error."""
        with self.serve(b"x" * 1000, tmp_path) as uri, pytest.raises(InputTooLarge):
            self.load(uri, 999)

    def test_it_stops_reading_at_the_limit(self, tmp_path: Path) -> None:
        """A source of many times the limit is not brought into memory first."""
        with self.serve(b"x", tmp_path) as uri:
            self.load(uri)  # what it imports is not what is measured
        with self.serve(b"x" * (16 * _MIB), tmp_path) as uri:
            loader = self.make()
            tracemalloc.start()
            try:
                with pytest.raises(InputTooLarge):
                    loader.load(uri, limit=1000, deadline=Deadline())
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
        assert peak < 8 * _MIB, f"held {peak} bytes to find that the source has more than 1000"

    def test_it_says_that_nothing_is_there(self, tmp_path: Path) -> None:
        """An unknown name is an unreadable source."""
        with pytest.raises(SourceError) as caught:
            self.load(self.missing(tmp_path))
        assert caught.value.code == "source_unreadable"
        assert caught.value.message.strip()

    def test_it_refuses_without_revealing(self, tmp_path: Path) -> None:
        """A refusal has its code, and never tells what a name or path resolved to."""
        for refusal in self.refusals(tmp_path):
            with pytest.raises(SourceError) as caught:
                self.load(refusal.uri)
            error = caught.value
            assert error.code == refusal.code, f"{refusal.uri!r}: {error.code}, not {refusal.code}"
            for secret in refusal.secrets:
                assert secret not in error.message, f"{refusal.uri!r}: the message reveals {secret!r}"

    def test_it_answers_malformed_uris_by_a_typed_error(self) -> None:
        """What is no URI at all is refused like any other."""
        tails = ["", ":", "://", ":///%00", "://[", ":///%zz", ":///" + "a" * 5000, ":\ud800", ": \n"]
        for scheme in self.declaration.schemes:
            for tail in tails:
                with tolerate_typed(f"load({(scheme + tail)[:40]!r})"):
                    self.load(scheme + tail, 1000)


class SnifferKit(ProviderKit):
    """Rules of `Sniffer`. Declare `samples`: bytes and the media type they must be told to be."""

    declaration_type = SnifferDeclaration
    samples: ClassVar[Sequence[SniffSample]]

    def test_it_knows_its_samples(self) -> None:
        """Each sample is told as declared."""
        assert self.samples, "declare samples = [SniffSample(data, expected), …]"
        sniffer = self.make()
        for sample in self.samples:
            found = sniffer.sniff(sample.data, filename=sample.filename, declared=sample.declared)
            what = f"{sample.filename or sample.data[:20]!r}"
            answer = None if found is None else found.media_type
            assert answer == sample.expected, f"{what}: told to be {answer!r}, not {sample.expected!r}"
            if sample.strength is not None and found is not None:
                assert found.strength == sample.strength, f"{what}: {found.strength}, not {sample.strength}"

    def test_it_never_raises_and_answers_what_it_declares(self) -> None:
        """Any bytes, under any name and declaration, get a declared type or None."""
        sniffer = self.make()
        known = self.declaration.media_types
        names = st.sampled_from([None, "", "x", "a.b/../c", *self._names(), "\ud800"]) | st.text(max_size=20)
        declared = st.sampled_from([None, "", "text/plain", "application/octet-stream", *known])
        starts = st.sampled_from([b"", *(one.data[: 1 << 12] for one in self.samples)])

        def check(value: tuple[bytes, bytes, int, str | None, str | None]) -> None:
            start, tail, cut, filename, kind = value
            self._sniff(sniffer, start[:cut] + tail, filename, kind)

        parts = st.tuples(starts, st.binary(max_size=200), st.integers(0, 1 << 12), names, declared)
        for_all(parts, check, examples=100)
        for sample in self.samples:
            for _, data in damaged(sample.data):
                self._sniff(sniffer, data, sample.filename, sample.declared)

    def test_it_answers_alike_for_bytes_and_mapped_files(self, tmp_path: Path) -> None:
        """Where the bytes lie changes nothing, nor does asking twice."""
        sniffer = self.make()
        path = tmp_path / "mapped"
        for sample in self.samples:
            for data in (sample.data, sample.data + bytes(1 << 16), sample.data[: len(sample.data) // 2]):
                if not data:
                    continue
                path.write_bytes(data)
                held = self._sniff(sniffer, data, sample.filename, sample.declared)
                with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
                    assert self._sniff(sniffer, mapped, sample.filename, sample.declared) == held
                assert self._sniff(sniffer, data, sample.filename, sample.declared) == held

    def test_a_name_alone_is_no_strong_evidence(self) -> None:
        """Whatever a file is called, its bytes decide."""
        sniffer = self.make()
        for filename in self._names():
            for data in (b"", b"\x00\x01\x02\x03" * 64, b"\xfe\x80\x81\xff" * 64):
                with_name = self._sniff(sniffer, data, filename, None)
                without = self._sniff(sniffer, data, None, None)
                strong = with_name is not None and with_name.strength == "strong"
                assert not strong or with_name == without, f"{filename!r} alone made {with_name}"

    def test_it_looks_at_a_bounded_part(self) -> None:
        """A large file is not copied to be named."""
        sniffer = self.make()
        for sample in self.samples[:1]:
            sniffer.sniff(sample.data, filename=None, declared=None)
        with tempfile.TemporaryFile() as file:
            file.write(b"\x01 noise ")
            file.truncate(32 * _MIB)
            with mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
                tracemalloc.start()
                try:
                    sniffer.sniff(mapped, filename=None, declared=None)
                    peak = tracemalloc.get_traced_memory()[1]
                finally:
                    tracemalloc.stop()
        assert peak < 16 * _MIB, f"held {peak} bytes to name a file of {32 * _MIB}"

    def _names(self) -> list[str]:
        return sorted({one.filename for one in self.samples if one.filename})

    def _sniff(
        self, sniffer: Any, data: bytes | mmap, filename: str | None, declared: str | None
    ) -> Sniffed | None:
        found = sniffer.sniff(data, filename=filename, declared=declared)
        if found is None:
            return None
        assert isinstance(found, Sniffed), f"sniff() gave {found!r}"
        assert found.media_type in sniffer.declaration.media_types, f"{found.media_type!r} is not declared"
        assert found.strength in ("strong", "weak"), f"strength {found.strength!r}"
        return found
