"""The rules of stores of documents, sources and vectors bite; small stores in memory keep them."""

import copy
import math
import threading
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from indx_core.canonical import clean_text
from indx_core.ports import StoreDeclaration, VectorHit
from indx_core.ranking import check_lengths, check_vector, similarities
from indx_core.text import index_terms
from indx_testkit import (
    DocumentStoreKit,
    HostileNamesKit,
    SourceStoreKit,
    VectorIndexKit,
)


class Backend:
    """A dictionary with transactions: a copy is put back when a block raises."""

    port_version = 1
    declaration = StoreDeclaration("dictionary", shared=False)

    def __init__(self):
        self.kept = {}
        self.lock = threading.RLock()

    def open(self):
        pass

    def close(self):
        pass

    @contextmanager
    def transaction(self):
        with self.lock:
            before = copy.copy(self.kept)
            try:
                yield
            except BaseException:
                self.kept = before
                raise

    def items(self):
        with self.lock:
            return sorted(self.kept.items(), key=lambda item: repr(item[0]))


class Documents(Backend):
    def put(self, owner, document, *, expires_at):
        self.kept[owner, document.summary.digest] = (document, expires_at)

    def get(self, owner, digest, *, now):
        document, expires = self.kept.get((owner, digest), (None, now))
        return document if now < expires else None

    def delete(self, owner, digest):
        self.kept.pop((owner, digest), None)

    def list(self, owner, *, now):
        found = [one for (whose, _), (one, expires) in self.items() if whose == owner and now < expires]
        found.sort(key=lambda one: one.summary.digest)
        return sorted(found, key=lambda one: one.summary.updated_at, reverse=True)

    def summaries(self, owner, *, now):
        return [one.summary for one in self.list(owner, now=now)]

    def expired(self, *, now, limit):
        return [key for key, (_, expires) in self.items() if now >= expires][:limit]


class Sources(Backend):
    def put(self, owner, source, *, expires_at):
        self.kept[owner, source.digest] = (source, expires_at)

    def get(self, owner, digest, *, now):
        source, expires = self.kept.get((owner, digest), (None, now))
        return source if expires is None or now < expires else None

    def delete(self, owner, digest):
        self.kept.pop((owner, digest), None)

    def list(self, owner, *, now):
        kept = [d for (whose, d), _ in self.items() if whose == owner]
        return sorted(d for d in kept if self.get(owner, d, now=now))

    def expired(self, *, now, limit):
        return [key for key, (_, expires) in self.items() if expires is not None and now >= expires][:limit]


class Vectors(Backend):
    def put(self, owner, digest, chunks, *, expires_at):
        for chunk in chunks:
            for vector in chunk.vectors.values():
                check_vector(vector)
        self.kept[owner, digest] = (list(chunks), expires_at)

    def get(self, owner, digest):
        return self.kept.get((owner, digest), ([], None))[0]

    def chunks(self, owner, places):
        held = {(d, c.block_id): replace(c, vectors={}) for d in self.list(owner) for c in self.get(owner, d)}
        return [held.get(place) for place in places]

    def delete(self, owner, digest):
        self.kept.pop((owner, digest), None)

    def list(self, owner):
        return sorted(digest for (whose, digest), _ in self.items() if whose == owner)

    def expired(self, *, now, limit):
        return [key for key, (_, expires) in self.items() if now >= expires][:limit]

    def live(self, owner, now):
        for (whose, digest), (chunks, expires) in self.items():
            if whose == owner and now < expires:
                yield from ((digest, chunk) for chunk in chunks)

    def search_text(self, owner, terms, *, limit, now):
        texts = [(digest, chunk, index_terms(chunk.text)) for digest, chunk in self.live(owner, now)]
        mean = (sum(len(words) for _, _, words in texts) or 1) / max(1, len(texts))
        scores = {}
        for term in dict.fromkeys(terms):
            holds = sum(term in words for _, _, words in texts)
            rarity = math.log(1 + (len(texts) - holds + 0.5) / (holds + 0.5))
            for digest, chunk, words in texts:
                count = words.count(term)
                weight = count * 2.2 / (count + 1.2 * (0.25 + 0.75 * len(words) / mean))
                key = (digest, chunk.block_id)
                scores[key] = scores.get(key, 0) + rarity * weight
        return self.best({key: score for key, score in scores.items() if score}, limit)

    def search_vector(self, owner, space_id, vector, *, limit, now, metric="cosine"):
        check_vector(vector)
        found = [(digest, chunk) for digest, chunk in self.live(owner, now) if space_id in chunk.vectors]
        check_lengths(space_id, [len(chunk.vectors[space_id]) for _, chunk in found], len(vector))
        return self.best(
            {
                (d, c.block_id): float(similarities(metric, c.vectors[space_id][None], vector)[0])
                for d, c in found
            },
            limit,
        )

    def best(self, scores, limit):
        hits = [VectorHit(*key, self.score(score)) for key, score in scores.items()]
        return sorted(hits, key=lambda hit: (-hit.score, hit.digest, hit.block_id))[:limit]

    def score(self, value):
        return round(value, 6) + 0.0


KITS = {
    Documents: DocumentStoreKit,
    Sources: SourceStoreKit,
    Vectors: VectorIndexKit,
}


class TestDocuments(DocumentStoreKit):
    factory = staticmethod(Documents)
    module = "indx_core.ports"


class TestSources(SourceStoreKit):
    factory = staticmethod(Sources)
    module = "indx_core.ports"


class TestVectors(VectorIndexKit):
    factory = staticmethod(Vectors)
    module = "indx_core.ports"


def kit(store, **changes):
    provider = type("Changed", (store,), changes)
    return type("Kit", (KITS[store],), {"factory": staticmethod(provider)})


@contextmanager
def careless(self):
    yield


@contextmanager
def only_errors(self):
    before = copy.copy(self.kept)
    try:
        yield
    except Exception:
        self.kept = before
        raise


@contextmanager
def deferred(self):
    before, self.kept = self.kept, {}
    try:
        yield
        before = before | self.kept
    finally:
        self.kept = before


@contextmanager
def once(self):
    yield
    self.kept = {}


@pytest.mark.parametrize("store", KITS)
def test_a_store_without_transactions_is_refused(store, refuted):
    refuted(kit(store, transaction=careless), "test_a_failed_transaction_leaves_nothing", "left something")


@pytest.mark.parametrize("store", KITS)
def test_a_store_that_rolls_back_errors_alone_is_refused(store, refuted):
    rule = "test_a_failed_transaction_leaves_nothing"
    refuted(kit(store, transaction=only_errors), rule, "KeyboardInterrupt")


@pytest.mark.parametrize("store", KITS)
def test_a_store_that_loses_a_transaction_is_refused(store, refuted):
    refuted(kit(store, transaction=once), "test_a_transaction_takes_effect_whole", "assert 0 == 2")


@contextmanager
def outermost(self):
    with self.lock:
        before, nested = copy.copy(self.kept), getattr(self, "nested", False)
        self.nested = True
        try:
            yield
        except BaseException:
            self.kept = self.kept if nested else before
            raise
        finally:
            self.nested = nested


@contextmanager
def independent(self):
    with self.lock:
        before = copy.copy(self.kept)
        try:
            yield
        except BaseException:
            self.kept = getattr(self, "settled", before)
            raise
        self.settled = copy.copy(self.kept)


@contextmanager
def unlocked(self):
    before = copy.copy(self.kept)
    try:
        yield
    except BaseException:
        self.kept = before
        raise


@pytest.mark.parametrize("store", KITS)
@pytest.mark.parametrize(
    ("transaction", "rule", "reason"),
    [
        (outermost, "test_a_transaction_may_stand_inside_another", "left something"),
        (independent, "test_a_transaction_may_stand_inside_another", "outlived"),
        (unlocked, "test_a_transaction_is_seen_by_nobody_before_it_ends", "never took effect"),
    ],
)
def test_bad_transactions_are_refused(store, transaction, rule, reason, refuted):
    refuted(kit(store, transaction=transaction), rule, reason)


def test_transactions_that_overtake_each_other_are_refused(refuted):
    gate = threading.Barrier(4, timeout=30)

    def listed(self, owner, *, now):
        found = Documents.list(self, owner, now=now)
        if threading.current_thread() is not threading.main_thread():
            gate.wait()
        return found

    changes = {"list": listed, "transaction": careless}
    refuted(kit(Documents, **changes), "test_what_a_transaction_read_stays_true", "of 12 records")


def full(self):
    Backend.__init__(self)
    self.kept["x", "y"] = ()


def missing(self, *key):
    del self.kept[key]


PUT = Documents.put
COUNTED = StoreDeclaration("dictionary", shared=True)
BACK = "test_a_document_comes_back_as_it_was_kept"
APART = "test_owners_are_apart"
EXPIRES = "test_documents_expire_by_the_clock_they_are_asked_with"


def keeps_first(self, owner, document, *, expires_at):
    self.kept.setdefault((owner, document.summary.digest), (document, expires_at))


def keeps_time(self, owner, document, *, expires_at):
    _, first = self.kept.get((owner, document.summary.digest), (None, expires_at))
    self.kept[owner, document.summary.digest] = (document, first)


def nobodys(method):
    return lambda self, owner, *rest, **named: method(self, "everyone", *rest, **named)


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"declaration": COUNTED}, "test_it_declares_whether_processes_share_it", "durable"),
        ({"__init__": full, "list": lambda self, owner, *, now: [1]}, "test_it_starts_empty", ""),
        ({"transaction": deferred}, "test_deleting_forgets_and_may_be_repeated", None),
        ({"delete": missing}, "test_deleting_forgets_and_may_be_repeated", "KeyError"),
        ({"put": keeps_first}, BACK, ""),
        (
            {"put": nobodys(Documents.put), "get": nobodys(Documents.get), "list": nobodys(Documents.list)},
            APART,
            "",
        ),
        ({"delete": lambda self, owner, digest: self.kept.clear()}, APART, ""),
        ({"put": keeps_time}, EXPIRES, ""),
        ({"get": lambda self, owner, digest, *, now: self.kept[owner, digest][0]}, EXPIRES, ""),
        (
            {"list": lambda self, owner, *, now: [one for one, _ in self.kept.values()]},
            "test_the_latest_update_comes_first_then_the_digest",
            "",
        ),
        (
            {"expired": lambda self, *, now, limit: list(self.kept)[:limit]},
            "test_expired_documents_are_named_up_to_the_limit",
            "",
        ),
        (
            {"expired": lambda self, *, now, limit: [k for k, v in self.kept.items() if now >= v[1]]},
            "test_expired_documents_are_named_up_to_the_limit",
            "",
        ),
    ],
)
def test_a_bad_document_store_is_refused(changes, rule, reason, refuted, verdict):
    if reason is None:
        assert verdict(kit(Documents, **changes), rule) is None
    else:
        refuted(kit(Documents, **changes), rule, reason)


def test_a_store_that_forgets_at_close_is_not_durable(refuted):
    made = kit(Documents)
    made.durable = True
    refuted(made, "test_a_durable_store_survives_closing", "")


def test_a_durable_store_keeps_the_rule(verdict):
    kept = {}

    def begin(self):
        Backend.__init__(self)
        self.kept = kept

    made = kit(Documents, __init__=begin)
    made.durable = True
    assert verdict(made, "test_a_durable_store_survives_closing") is None


def test_calls_that_lose_each_other_are_refused(refuted):
    gate = threading.Barrier(4, timeout=30)
    own = threading.local()

    def put(self, owner, document, *, expires_at):
        own.item = {(owner, document.summary.digest): (document, expires_at)}

    @contextmanager
    def racing(self):
        seen = self.kept
        gate.wait()
        yield
        self.kept = seen | own.item

    refuted(kit(Documents, put=put, transaction=racing), "test_threads_share_it", "of 20 records")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        (
            {"put": lambda self, owner, source, **rest: Sources.put(self, owner or None, source, **rest)},
            "test_owners_and_the_installation_are_apart",
        ),
        (
            {"get": lambda self, owner, digest, *, now: self.kept.get((owner, digest), (None,))[0]},
            "test_sources_expire_unless_they_are_the_installations",
        ),
        (
            {"list": lambda self, owner, *, now: [digest for whose, digest in self.kept if whose == owner]},
            "test_sources_expire_unless_they_are_the_installations",
        ),
        (
            {
                "put": lambda self, owner, s, **rest: self.kept.setdefault(
                    (owner, s.digest), (s, rest["expires_at"])
                )
            },
            "test_bytes_come_back_as_they_were_kept",
        ),
    ],
)
def test_a_bad_source_store_is_refused(changes, rule, refuted):
    refuted(kit(Sources, **changes), rule)


def all_owners(self, owner, now):
    for (_, digest), (chunks, _) in self.items():
        yield from ((digest, chunk) for chunk in chunks)


def never_expires(self, owner, now):
    for (whose, digest), (chunks, _) in self.items():
        if whose == owner:
            yield from ((digest, chunk) for chunk in chunks)


def appends(self, owner, digest, chunks, *, expires_at):
    before = self.get(owner, digest)
    self.kept[owner, digest] = ([*before, *chunks], expires_at)


def one_metric(self, owner, space_id, vector, *, limit, now, metric="cosine"):
    return Vectors.search_vector(self, owner, space_id, vector, limit=limit, now=now)


def unweighted(self, owner, terms, *, limit, now):
    hits = Vectors.search_text(self, owner, terms, limit=limit, now=now)
    return [replace(hit, score=round(hit.score / 2.2, 6)) for hit in hits]


def indifferent(self, owner, space_id, vector, *, limit, now, metric="cosine"):
    if any(space_id in chunk.vectors for _, chunk in self.live(owner, now)):
        known = [len(c.vectors[space_id]) for _, c in self.live(owner, now) if space_id in c.vectors]
        vector = np.resize(vector, max(known))
    return Vectors.search_vector(self, owner, space_id, vector, limit=limit, now=now, metric=metric)


def keeps_anything(self, owner, digest, chunks, *, expires_at):
    self.kept[owner, digest] = (list(chunks), expires_at)


def cleaned(self, owner, digest, chunks, *, expires_at):
    Vectors.put(
        self, owner, digest, [replace(c, text=clean_text(c.text)) for c in chunks], expires_at=expires_at
    )


def any_owner(self, owner, places):
    held = {(d, c.block_id): c for (_, d), (chunks, _) in self.items() for c in chunks}
    return [held.get(place) and replace(held[place], vectors={}) for place in places]


def any_word(self, owner, terms, *, limit, now):
    found = [(d, c) for d, c in self.live(owner, now) if set(terms) & set(index_terms(c.text))]
    return self.best({(d, c.block_id): 1.0 for d, c in found}, limit)


def substring(self, owner, terms, *, limit, now):
    found = [(d, c) for d, c in self.live(owner, now) if any(term in c.text for term in terms)]
    return self.best({(d, c.block_id): 1.0 for d, c in found}, limit)


def approximate(self, owner, space_id, vector, *, limit, now, metric="cosine"):
    made = Vectors.search_vector(self, owner, space_id, vector, limit=99, now=now)
    return made[::2][:limit]


def unordered(self, scores, limit):
    return [VectorHit(*key, round(score, 6)) for key, score in scores.items()][::-1][:limit]


ORDERED, TIES = "test_chunks_come_back_in_their_order", "test_ties_are_by_digest_and_block"
RANK = "test_words_rank_by_how_often_how_rare_and_how_short"


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"put": appends}, ORDERED, ""),
        ({"get": lambda self, *key: sorted(Vectors.get(self, *key), key=lambda c: c.block_id)}, ORDERED, ""),
        ({"live": all_owners}, "test_owners_are_apart", ""),
        ({"live": never_expires}, "test_expired_chunks_are_not_found", ""),
        ({"search_text": any_word}, RANK, ""),
        ({"search_text": substring}, "test_words_of_every_script_are_found", ""),
        ({"search_vector": approximate}, "test_the_nearest_vector_comes_first", ""),
        ({"best": unordered}, TIES, ""),
        ({"score": lambda self, value: value / 3}, RANK, "six places"),
        ({"search_vector": one_metric}, "test_vectors_rank_by_the_metric_of_their_space", ""),
        ({"search_text": unweighted}, "test_words_rank_by_the_formula", "the score is"),
        ({"search_vector": indifferent}, "test_vectors_of_another_length_are_refused", "DID NOT RAISE"),
        ({"put": keeps_anything}, "test_what_is_no_vector_is_refused", "DID NOT RAISE"),
        ({"put": cleaned}, "test_any_string_is_data", ""),
        ({"chunks": any_owner}, "test_chunks_are_given_by_place", ""),
        ({"chunks": lambda self, owner, places: []}, "test_chunks_are_given_by_place", ""),
    ],
)
def test_a_bad_vector_index_is_refused(changes, rule, reason, refuted):
    refuted(kit(Vectors, **changes), rule, reason)


def test_vectors_must_come_back_to_the_bit(refuted):
    def put(self, owner, digest, chunks, *, expires_at):
        rounded = [
            type(one)(
                one.block_id,
                one.text,
                one.page,
                one.section,
                one.box,
                {
                    space: np.float32(np.round(row, 1) * np.float32(1.0001))
                    for space, row in one.vectors.items()
                },
            )
            for one in chunks
        ]
        Vectors.put(self, owner, digest, rounded, expires_at=expires_at)

    refuted(kit(Vectors, put=put), ORDERED)


def owners(documents):
    stores = SimpleNamespace(documents=documents, vectors=Vectors)
    kit = type("Kit", (HostileNamesKit,), {"provider": stores})()
    return kit.test_an_owner_sees_its_own_and_harms_nobody_elses


class Injected(Documents):
    """Takes what follows a quote for more of the statement."""

    def list(self, owner, *, now):
        whose = [kept for kept, _ in self.kept] if "OR 1=1" in owner else [owner]
        return [one for each in whose for one in super(Injected, self).list(each, now=now)]


def test_a_store_that_an_owner_reads_others_by_is_refused():
    owners(Documents)("a') OR 1=1 --")
    owners(Injected)("%")
    with pytest.raises(AssertionError):
        owners(Injected)("a') OR 1=1 --")
