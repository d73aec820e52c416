"""The workspace from first to last, over HTTP: verdicts on answers make a router better."""

import base64
import json

import pytest

STORES = ("memory", "sqlite", "postgres")
LOOK = {
    "granularities": ["PAGE"],
    "extraction": {"page_ids": ["patterns"]},
    "classification": {"document_ids": ["words"]},
}
INVOICE = {
    "label": "Invoice",
    "signature": "invoice-parser",
    "fields": [
        {"key": "number", "label": "Number", "kind": "entity", "name": "invoice_number"},
        {"key": "total", "label": "Total", "kind": "entity", "name": "money"},
    ],
}
ROUTER = {
    "label": "Incoming mail",
    "branches": [{"type_id": "invoice"}, {"type_id": "letter"}],
    "default": {},
    "recognizer": {"classifier_id": "words-page", "facet": "document_type"},
}
CANDIDATES = [
    {"key": "words", "label": "Words", "branch": {"classification": {"document_ids": ["words"]}}},
    {"key": "patterns", "label": "Patterns", "branch": {name: LOOK[name] for name in LOOK if name[0] != "g"}},
    {"key": "people", "label": "People", "branch": {"reader": "manual-review"}},
]


def invoice(number, total):
    return (
        "Invoice",
        f"Invoice No: {number}",
        "Invoice date: 2024-05-08",
        "Bill to: Northwind Traders",
        "Subtotal: $100.00",
        "VAT: $10.00",
        f"Amount due: {total}",
    )


def letter(name):
    return (
        f"Dear {name},",
        "I am writing to thank you for $5.00.",
        "Yours sincerely,",
        "Ann",
    )


@pytest.fixture
def mail(papers):
    """Documents by name, each kind as people send it."""
    return {
        "may.pdf": papers.pdf("\n".join(invoice("INV-0042", "$110.00"))),
        "june.docx": papers.docx(*invoice("INV-0043", "$220.00")),
        "july.md": "\n\n".join(invoice("INV-0044", "$330.00")).encode(),
        "august.pdf": papers.pdf("\n".join(invoice("INV-0045", "$440.00"))),
        "thanks.docx": papers.docx(*letter("Bob")),
    }


@pytest.fixture(params=STORES)
def server(request, start, tmp_path):
    """A server over each store; over Postgres another process runs its experiments."""
    if request.param == "postgres":
        in_postgres = request.getfixturevalue("in_postgres")
        start("runner", "--store", "postgres", **in_postgres).said("running the jobs")
        return start("serve", "--store", "postgres", **in_postgres)
    place = "memory" if request.param == "memory" else f"sqlite:{tmp_path / 'kept.db'}"
    return start("serve", "--store", place)


def judge(server, kept, target, verdict="approved", **more):
    """A reviewer's verdict on an answer."""
    summary = kept["summary"]
    label = {"digest": summary["digest"], "document_name": summary["name"], "target": target}
    server.put("labels", {**label, "verdict": verdict, "reviewer": "ann", **more})


def entities(result):
    """What was found on each page: (block, label, surface)."""
    found = result["blocks"][0].get("metadata", {}).get("entities", {"spans": {}})["spans"]
    return [(block, one["label"], one["surface"], one["range"]) for block in found for one in found[block]]


def review(server, kept, kind, number=None, total=None):
    """What a person says of a document's answers: its kind, and of an invoice its number and total."""
    target = {"kind": "facet", "unit": "document", "facet": "document_type", "label": kind}
    judge(server, kept, target, type_id=kind)
    if number is None:
        return
    answers = {(label, surface): (block, where) for block, label, surface, where in entities(kept["result"])}
    for field, name, surface in (("number", "invoice_number", number), ("total", "money", total)):
        block, where = answers[name, surface]
        target = {"kind": "entity", "block_id": block, "page": 1, "label": name, "range": where}
        judge(server, kept, {**target, "surface": surface}, type_id="invoice", field=field)
    block, where = answers["money", "$100.00"]
    target = {"kind": "entity", "block_id": block, "page": 1, "label": "money", "range": where}
    fix = {"verdict": "corrected", "correction": {"surface": total}}
    judge(server, kept, {**target, "surface": "$100.00"}, type_id="invoice", field="total", **fix)


def gathered(server, mail):
    """Types, verdicts, a dataset to learn from and one to measure by, and the router in use."""
    server.put("types/invoice", INVOICE)
    server.put("types/letter", {"label": "Letter"})
    kept = {name: server.keep(name, data, LOOK) for name, data in mail.items()}
    review(server, kept["may.pdf"], "invoice", "INV-0042", "$110.00")
    review(server, kept["june.docx"], "invoice", "INV-0043", "$220.00")
    review(server, kept["july.md"], "invoice", "INV-0044", "$330.00")
    review(server, kept["thanks.docx"], "letter")
    sets = {
        "measure": ("evaluation", ("may.pdf", "june.docx", "july.md")),
        "learn": ("training", ("august.pdf", "thanks.docx")),
    }
    for key, (purpose, names) in sets.items():
        documents = [{"digest": kept[name]["summary"]["digest"], "name": name} for name in names]
        spec = {"label": key.title(), "purpose": purpose, "type_id": "invoice", "documents": documents}
        assert server.put(f"datasets/{key}", spec)["readable"] == len(names)
    assert server.get("datasets/measure")["examples"] == 12
    assert server.put("routers/mail", ROUTER)["version"] == 1


def test_the_better_of_three_candidates_is_promoted_and_the_next_document_takes_it(server, mail, papers):
    gathered(server, mail)
    new = {"type": "inline", "filename": "new.pdf"}
    data = papers.pdf("\n".join(invoice("INV-0050", "$990.00")))
    new["data"] = base64.b64encode(data).decode()
    asked = {"source": new, "granularities": ["PAGE"], "router": {"id": "mail"}}
    before = server.post("encode", asked)
    assert before["plan"]["router"] == {"id": "mail", "version": 1}
    assert before["trace"]["branches"] == [{"page": 1, "type_id": "invoice"}]
    assert entities(before) == []

    made = {"label": "Find totals", "dataset_id": "measure", "router_id": "mail", "candidates": CANDIDATES}
    assert server.put("experiments/totals", made)["cells"] == 12
    server.put("experiments/totals/run")
    report = server.settled("experiments/totals", "complete")
    scores = {one["key"]: (one["right"], one["expected"], one["failed"]) for one in report["candidates"]}
    assert scores == {
        "production": (0, 12, 0),
        "words": (3, 12, 0),
        "patterns": (12, 12, 0),
        "people": (0, 12, 0),
    }
    people = next(one for one in report["candidates"] if one["key"] == "people")
    assert people["needs_person"] == people["pages"] == 3
    promoted = server.put("experiments/totals/promotion", {"candidate": "patterns"})
    assert (promoted["version"], promoted["origin"]["candidate"]) == (2, "patterns")
    assert promoted["branches"][0] == {"type_id": "invoice", **CANDIDATES[1]["branch"]}
    assert promoted["branches"][1] == ROUTER["branches"][1]

    after = server.post("encode", asked)
    assert after["plan"]["router"] == {"id": "mail", "version": 2}
    assert after["trace"]["branches"] == [{"page": 1, "type_id": "invoice"}]
    found = {(label, surface) for _, label, surface, _ in entities(after)}
    assert {("invoice_number", "INV-0050"), ("money", "$990.00")} <= found
    assert after["blocks"][1]["text"] == before["blocks"][1]["text"]
    replayed = server.client.post("/v1/encode", json={**asked, "plan": before["plan"]})
    assert (replayed.status_code, replayed.json()["param"]) == (409, "plan.router")
    thanks = base64.b64encode(mail["thanks.docx"]).decode()
    other = {**asked, "source": {"type": "inline", "data": thanks, "filename": "thanks.docx"}}
    answer = server.post("encode", other)
    assert answer["trace"]["branches"] == [{"page": 1, "type_id": "letter"}]
    assert entities(answer) == []
    stale = server.client.put(
        "/v1/experiments/totals/promotion",
        content=json.dumps({"candidate": "words"}),
        headers={"Authorization": "Bearer operator", "Content-Type": "application/json"},
    )
    assert (stale.status_code, stale.json()["code"]) == (409, "experiment_stale")
