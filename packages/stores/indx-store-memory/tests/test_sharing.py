"""All stores of a process are one backend: a transaction spans them, and the last to close forgets."""

from datetime import timedelta

import pytest

from indx_store_memory import provider
from indx_testkit.kept import NOW, dataset, digest_of, document_type, experiment, stored_document

SOON = NOW + timedelta(hours=1)


def test_a_store_that_is_not_open_says_so():
    store = provider.documents()
    with pytest.raises(RuntimeError, match=r"call open\(\) first"):
        store.list("a", now=NOW)
    store.open()
    store.open()
    store.close()
    store.close()
    with pytest.raises(RuntimeError, match="not open"):
        store.list("a", now=NOW)


def test_two_of_a_port_see_the_same_and_the_last_to_close_forgets():
    first, second = provider.types(), provider.types()
    first.open()
    second.open()
    first.put("k", document_type("k"))
    assert second.get("k") == document_type("k")
    first.close()
    assert second.get("k") is not None
    second.close()
    first.open()
    assert first.get("k") is None
    first.close()


def test_a_transaction_spans_every_port():
    documents, types, datasets = provider.documents(), provider.types(), provider.datasets()
    stores = (documents, types, datasets)
    for store in stores:
        store.open()

    def change(note):
        with types.transaction():
            types.put("k", document_type("k", title=note))
            documents.put("a", stored_document("d", text=note), expires_at=SOON)
            with datasets.transaction():
                datasets.put("s", dataset("s", title=note))
            if note == "bad":
                raise RuntimeError(note)

    change("good")
    with pytest.raises(RuntimeError):
        change("bad")
    assert types.get("k").label == "good"
    assert datasets.get("s").label == "good"
    assert documents.get("a", digest_of("d"), now=NOW).result.blocks[1].text == "good"
    for store in stores:
        store.close()


def test_what_a_caller_does_to_an_experiment_changes_nothing_kept():
    store = provider.experiments()
    store.open()
    made = experiment("e")
    store.put("e", made)
    made["documents"].append("more")
    store.get("e")["documents"].append("more")
    assert store.get("e") == experiment("e")
    with pytest.raises(ValueError, match="JSON"):
        store.put("nan", {"x": float("nan")})
    store.close()
