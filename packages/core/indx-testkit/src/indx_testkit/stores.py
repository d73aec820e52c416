"""Kits for the stores of kept documents and their sources, and what the kits of all stores share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, ClassVar, Final

import pytest

from indx_core.ports import StoreDeclaration, StoredSource
from indx_testkit._base import ProviderKit
from indx_testkit.kept import HARD_TEXT, HOSTILE, NOW, digest_of, stored_document

__all__ = ["LATER", "SOON", "DocumentStoreKit", "SourceStoreKit", "StoreKit"]

SOON: Final = NOW + timedelta(hours=1)
LATER: Final = NOW + timedelta(hours=2)


class StoreKit(ProviderKit):
    """What all stores share. Subclass the kit of your port, not this.

    The store must be empty at the start of each test: point it at a new file, schema or process-wide state
    in an `autouse` fixture of your class.

    Attributes:
        durable: Whether what is kept is there again after `close()` and the `open()` of another provider.
    """

    declaration_type = StoreDeclaration
    durable: ClassVar[bool] = False

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """A new store, open for the length of a `with` block."""
        store = self.make()
        store.open()
        try:
            yield store
        finally:
            store.close()

    def put_sample(self, store: Any, number: int, *, variant: int = 0) -> None:  # noqa: ARG002
        """Put sample `number`; another `variant` is other content under the same name."""
        raise AssertionError("subclass one of the store kits")

    def delete_sample(self, store: Any, number: int) -> None:  # noqa: ARG002
        """Delete sample `number`."""
        raise AssertionError("subclass one of the store kits")

    def state(self, store: Any) -> list[Any]:  # noqa: ARG002
        """Everything the samples left, in a form that compares."""
        raise AssertionError("subclass one of the store kits")

    def test_it_declares_whether_processes_share_it(self) -> None:
        """A server with several workers must know."""
        assert isinstance(self.declaration.shared, bool)
        if self.declaration.shared:
            assert self.durable, "a shared store outlives a process: set durable = True"

    def test_it_starts_empty(self) -> None:
        """Nothing is there before anything was put."""
        with self.opened() as store:
            assert self.state(store) == [], "the store holds something: give each test a new one"

    def test_a_transaction_takes_effect_whole(self) -> None:
        """What a block did is there after it, and visible inside it."""
        with self.opened() as store:
            with store.transaction():
                self.put_sample(store, 1)
                inside = self.state(store)
                self.put_sample(store, 2)
            assert len(inside) == 1, "a transaction does not see its own calls"
            assert len(self.state(store)) == 2

    def test_a_failed_transaction_leaves_nothing(self) -> None:
        """New, replaced and deleted records are as they were before a block that raised."""
        with self.opened() as store:
            self.put_sample(store, 1)
            self.put_sample(store, 2)
            before = self.state(store)
            for stopped in (RuntimeError("stop"), KeyboardInterrupt("stop")):
                with pytest.raises(type(stopped), match="stop"):
                    self._fail_halfway(store, stopped)
                assert self.state(store) == before, f"a block that raised {stopped!r} left something"
            self.put_sample(store, 4)
            assert len(self.state(store)) == 3, "after a failed transaction the store takes no more"

    def _fail_halfway(self, store: Any, stopped: BaseException) -> None:
        with store.transaction():
            self.put_sample(store, 1, variant=1)
            self.delete_sample(store, 2)
            self.put_sample(store, 3)
            raise stopped

    def test_a_transaction_may_stand_inside_another(self) -> None:
        """It is a part of the outer one, and one that raises takes back its own calls alone."""
        with self.opened() as store:
            with store.transaction():
                self.put_sample(store, 1)
                with store.transaction():
                    self.put_sample(store, 2)
                before = self.state(store)
                with pytest.raises(RuntimeError, match="stop"):
                    self._fail_halfway(store, RuntimeError("stop"))
                assert self.state(store) == before, "an inner transaction that raised left something"
            assert self.state(store) == before
            assert len(before) == 2
            with pytest.raises(RuntimeError, match="outer"):
                self._fail_outside(store)
            assert self.state(store) == before, "what an inner transaction did outlived the outer one"

    def _fail_outside(self, store: Any) -> None:
        with store.transaction():
            with store.transaction():
                self.put_sample(store, 3)
            raise RuntimeError("outer")

    def test_what_a_transaction_read_stays_true(self) -> None:
        """Blocks that read and then write do not lose each other."""
        with self.opened() as store:
            gate = threading.Barrier(4, timeout=30)

            def work(_: int) -> None:
                gate.wait()
                for _ in range(3):
                    with store.transaction():
                        self.put_sample(store, len(self.state(store)) + 1)

            with ThreadPoolExecutor(4) as pool:
                list(pool.map(work, range(4)))
            found = self.state(store)
            assert len(found) == 12, f"{len(found)} of 12 records are there"

    def test_a_transaction_is_seen_by_nobody_before_it_ends(self) -> None:
        """Another thread sees what was there before it, or waits."""
        with self.opened() as store, ThreadPoolExecutor(1) as pool:
            self.put_sample(store, 1)
            seen: list[Future[list[Any]]] = []
            with pytest.raises(RuntimeError, match="stop"):
                self._fail_while(store, lambda: seen.append(pool.submit(self.state, store)))
            assert len(seen[0].result(timeout=30)) == 1, "another thread saw what never took effect"

    def _fail_while(self, store: Any, look: Callable[[], None]) -> None:
        with store.transaction():
            self.put_sample(store, 2)
            look()
            threading.Event().wait(
                0.05
            )  # a store may let the other wait, so that nothing tells when it looked
            raise RuntimeError("stop")

    def test_deleting_forgets_and_may_be_repeated(self) -> None:
        """Deleting what is not there does nothing."""
        with self.opened() as store:
            self.delete_sample(store, 1)
            self.put_sample(store, 1)
            self.put_sample(store, 2)
            self.delete_sample(store, 1)
            self.delete_sample(store, 1)
            assert len(self.state(store)) == 1

    def test_threads_share_it(self) -> None:
        """A server calls it from several threads at once."""
        with self.opened() as store:

            def work(number: int) -> None:
                with store.transaction():
                    self.put_sample(store, number)
                self.state(store)

            with ThreadPoolExecutor(4) as pool:
                list(pool.map(work, range(1, 21)))
            found = self.state(store)
            assert len(found) == 20, f"{len(found)} of 20 records are there"

    def test_a_durable_store_survives_closing(self) -> None:
        """What is kept is there again for the next process."""
        if not self.durable:
            return
        with self.opened() as store:
            self.put_sample(store, 1)
            self.put_sample(store, 2)
            before = self.state(store)
        with self.opened() as store:
            assert self.state(store) == before


class DocumentStoreKit(StoreKit):
    """Rules of `DocumentStore`."""

    def put_sample(self, store: Any, number: int, *, variant: int = 0) -> None:
        """Keep a document for the first owner."""
        document = stored_document(f"d{number:02}", text=f"variant {variant}: {HARD_TEXT}")
        store.put("owner-a", document, expires_at=SOON)

    def delete_sample(self, store: Any, number: int) -> None:
        """Forget it."""
        store.delete("owner-a", digest_of(f"d{number:02}"))

    def state(self, store: Any) -> list[Any]:
        """The first owner's documents."""
        return [one.model_dump(mode="json") for one in store.list("owner-a", now=NOW)]

    def test_a_document_comes_back_as_it_was_kept(self) -> None:
        """Whole, equal, and replaced when it is kept again."""
        with self.opened() as store:
            first, second = stored_document("a"), stored_document("a", text="other", updated=5)
            store.put("owner-a", first, expires_at=SOON)
            assert store.get("owner-a", digest_of("a"), now=NOW) == first
            store.put("owner-a", second, expires_at=SOON)
            assert store.get("owner-a", digest_of("a"), now=NOW) == second
            assert list(store.list("owner-a", now=NOW)) == [second]
            assert store.get("owner-a", digest_of("b"), now=NOW) is None

    def test_owners_are_apart(self) -> None:
        """No call for one owner sees or changes what another kept."""
        with self.opened() as store:
            mine, theirs = stored_document("a", text="mine"), stored_document("a", text="theirs")
            store.put("owner-a", mine, expires_at=SOON)
            store.put("owner-b", theirs, expires_at=SOON)
            assert store.get("owner-a", digest_of("a"), now=NOW) == mine
            assert store.get("owner-b", digest_of("a"), now=NOW) == theirs
            assert store.get("OWNER-A", digest_of("a"), now=NOW) is None
            assert list(store.list("owner-c", now=NOW)) == []
            store.delete("owner-b", digest_of("a"))
            store.delete("owner-%", digest_of("a"))
            assert list(store.list("owner-a", now=NOW)) == [mine]
            assert list(store.list("owner-b", now=NOW)) == []

    def test_documents_expire_by_the_clock_they_are_asked_with(self) -> None:
        """Before its time a document is there, after it is not; keeping it again starts anew."""
        with self.opened() as store:
            document, digest = stored_document("a"), digest_of("a")
            store.put("owner-a", document, expires_at=SOON)
            before, after = SOON - timedelta(seconds=1), SOON + timedelta(seconds=1)
            assert store.get("owner-a", digest, now=before) == document
            assert list(store.list("owner-a", now=before)) == [document]
            assert store.get("owner-a", digest, now=after) is None
            assert list(store.list("owner-a", now=after)) == []
            store.put("owner-a", document, expires_at=LATER)
            assert store.get("owner-a", digest, now=after) == document

    def test_expired_documents_are_named_up_to_the_limit(self) -> None:
        """A sweep is told owner and digest of what is past its time, and of nothing else."""
        with self.opened() as store:
            for owner in ("owner-a", "owner-b"):
                store.put(owner, stored_document("old"), expires_at=NOW)
                store.put(owner, stored_document("new"), expires_at=LATER)
            gone = {("owner-a", digest_of("old")), ("owner-b", digest_of("old"))}
            assert {tuple(one) for one in store.expired(now=SOON, limit=10)} == gone
            assert len(store.expired(now=SOON, limit=1)) == 1
            for owner, digest in gone:
                store.delete(owner, digest)
            assert list(store.expired(now=SOON, limit=10)) == []

    def test_the_latest_update_comes_first_then_the_digest(self) -> None:
        """The order is that of the answer to a caller, whatever the order of keeping."""
        with self.opened() as store:
            kept = [stored_document(f"n{number}", updated=number % 3) for number in range(9)]
            for one in kept:
                store.put("owner-a", one, expires_at=LATER)
            ordered = sorted(kept, key=lambda one: one.summary.digest)
            ordered.sort(key=lambda one: one.summary.updated_at, reverse=True)
            found = [one.summary.digest for one in store.list("owner-a", now=NOW)]
            assert found == [one.summary.digest for one in ordered]
            assert list(store.summaries("owner-a", now=NOW)) == [one.summary for one in ordered]

    def test_summaries_are_those_of_the_list(self) -> None:
        """The owner's own, and only what has not expired."""
        with self.opened() as store:
            store.put("owner-a", stored_document("a"), expires_at=SOON)
            store.put("owner-a", stored_document("b"), expires_at=LATER)
            store.put("owner-b", stored_document("c"), expires_at=LATER)
            after = SOON + timedelta(seconds=1)
            for now, count in ((NOW, 2), (after, 1)):
                expected = [one.summary for one in store.list("owner-a", now=now)]
                assert list(store.summaries("owner-a", now=now)) == expected
                assert len(expected) == count

    def test_any_string_is_data(self) -> None:
        """As a text, as an owner and as a digest asked for."""
        with self.opened() as store:
            for text in HOSTILE:
                owner = text[:1000]  # databases bound what they index
                document = stored_document("a", text=text)
                store.put(owner, document, expires_at=SOON)
                assert store.get(owner, digest_of("a"), now=NOW) == document, f"{text[:20]!r} is changed"
                assert store.get(owner, text, now=NOW) is None
                store.delete(owner, text)
            for owner in (text[:1000] for text in HOSTILE):
                assert len(store.list(owner, now=NOW)) == 1, f"owner {owner[:20]!r} is taken for another"


class SourceStoreKit(StoreKit):
    """Rules of `SourceStore`."""

    def put_sample(self, store: Any, number: int, *, variant: int = 0) -> None:
        """Keep a source for the first owner."""
        store.put("owner-a", _source(f"s{number:02}", b"%d" % variant), expires_at=SOON)

    def delete_sample(self, store: Any, number: int) -> None:
        """Drop it."""
        store.delete("owner-a", digest_of(f"s{number:02}"))

    def state(self, store: Any) -> list[Any]:
        """The first owner's sources."""
        return [store.get("owner-a", digest, now=NOW) for digest in store.list("owner-a", now=NOW)]

    def test_bytes_come_back_as_they_were_kept(self) -> None:
        """Any bytes, with the media type and the name they came with, until they are replaced."""
        with self.opened() as store:
            for data in (b"", bytes(range(256)) * 4096, b"x\x00y"):
                for filename in (None, HARD_TEXT, *HOSTILE):
                    source = StoredSource(digest_of("a"), "application/pdf", filename, data)
                    store.put("owner-a", source, expires_at=SOON)
                    assert store.get("owner-a", digest_of("a"), now=NOW) == source
            assert list(store.list("owner-a", now=NOW)) == [digest_of("a")]

    def test_owners_and_the_installation_are_apart(self) -> None:
        """The installation is no owner, and no owner is the installation."""
        with self.opened() as store:
            owners = ("owner-a", "owner-b", None, "")
            for owner in owners:
                expires = None if owner is None else SOON
                store.put(owner, _source("a", repr(owner).encode()), expires_at=expires)
            for owner in owners:
                found = store.get(owner, digest_of("a"), now=NOW)
                assert found is not None, f"{owner!r} finds nothing"
                assert found.data == repr(owner).encode(), f"{owner!r} sees what is another's"
            store.delete(None, digest_of("a"))
            assert list(store.list(None, now=NOW)) == []
            assert store.get("", digest_of("a"), now=NOW) is not None
            assert store.get("owner-a", digest_of("a"), now=NOW) is not None

    def test_sources_expire_unless_they_are_the_installations(self) -> None:
        """An owner's source goes at its time; one without a time stays."""
        with self.opened() as store:
            store.put("owner-a", _source("a"), expires_at=SOON)
            store.put(None, _source("a"), expires_at=None)
            store.put(None, _source("b"), expires_at=None)
            assert store.get("owner-a", digest_of("a"), now=SOON - timedelta(seconds=1)) is not None
            assert store.get("owner-a", digest_of("a"), now=LATER) is None
            assert list(store.list("owner-a", now=LATER)) == []
            assert store.get(None, digest_of("a"), now=LATER + timedelta(days=9999)) is not None
            assert list(store.list(None, now=LATER)) == sorted([digest_of("a"), digest_of("b")])
            assert [tuple(one) for one in store.expired(now=SOON, limit=9)] == [("owner-a", digest_of("a"))]
            assert list(store.expired(now=NOW, limit=9)) == list(store.expired(now=LATER, limit=0)) == []


def _source(name: str, data: bytes = b"data") -> StoredSource:
    return StoredSource(digest_of(name), "text/plain", f"{name}.txt", data)
