"""Scoring: what meets a verdict, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.contracts import (
    Actuals,
    Block,
    Correction,
    EncodeResult,
    EntityTarget,
    FacetTarget,
    Label,
    LabelSpec,
    Plan,
    Provenance,
    Route,
    Trace,
    TraceEvent,
    TraceFailure,
    Usage,
)
from indx_testkit.kept import NOW, digest_of
from indx_workspace.scoring import row_keys, scored_cell, sum_rows

DIGEST = digest_of("a")


def label(target, verdict="approved", type_id=None, field=None, **fix):
    correction = Correction(**fix) if fix else None
    spec = LabelSpec(
        digest=DIGEST,
        document_name="a",
        target=target,
        verdict=verdict,
        correction=correction,
        type_id=type_id,
        field=field,
    )
    return Label(**dict(spec), id=spec.label_id(), created_at=NOW, updated_at=NOW)


def entity(surface, name="MONEY", block="p1", start=0):
    return EntityTarget(block_id=block, label=name, range=(start, start + 1), surface=surface)


def result(*, spans=None, document=None, pages=(), chunks=None, events=(), statuses=("ok",), failures=None):
    plan = Plan.create(
        status="ready",
        source_digest=DIGEST,
        media_type="text/plain",
        snapshot_id=DIGEST,
        policy_version="1",
        granularities=("DOCUMENT",),
        default=Route(capability_id="r"),
    )
    origin = Provenance(plan_id=plan.plan_id, source_digest=DIGEST, snapshot_id=DIGEST)
    metadata = {
        "entities": {
            "spans": {
                block: [{"label": n, "surface": s, "range": [500, 501], "confidence": 1.0} for n, s in found]
                for block, found in (spans or {}).items()
            }
        },
        "classification": {"kind": [{"label": n, "confidence": 0.5} for n in document or ()]},
        "chunk_classification": {
            block: {"kind": [{"label": n, "confidence": 0.5} for n in names]}
            for block, names in (chunks or {}).items()
        },
    }
    blocks = [Block(id="doc", scope="DOCUMENT", provenance=origin, metadata=metadata)]
    for number, status in enumerate(statuses, 1):
        said = pages[number - 1] if number <= len(pages) else ()
        blocks.append(
            Block(
                id=f"p{number}",
                parent_id="doc",
                scope="PAGE",
                page=number,
                status=status,
                provenance=origin,
                reason=None if status == "ok" else "why",
                metadata={"classification": {"kind": [{"label": n, "confidence": 0.5} for n in said]}},
            )
        )
    return EncodeResult(
        plan=plan,
        blocks=tuple(blocks),
        usage=Usage(pages=len(statuses), chunks=0, vectors=0, cost_usd=0.5, latency_ms=7),
        trace=Trace(
            status="ok",
            events=tuple(events),
            actuals=Actuals(quality=1.0, cost_usd=0.5, latency_ms=7),
            failures=failures,
        ),
    )


def met(one, found):
    cell = scored_cell(DIGEST, "c", found, [one], row_keys([one], "invoice"))
    assert cell.expected == 1
    return bool(cell.right)


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ({"p1": [("MONEY", "12")]}, True),
        ({"p1": [("MONEY", "１２")]}, True),
        ({"p1.c4": [("MONEY", "12")]}, True),
        ({"p1": [("NAME", "12"), ("MONEY", "13")]}, False),
        ({"p2": [("MONEY", "12")], "p11": [("MONEY", "12")], "p11.c0": [("MONEY", "12")]}, False),
        ({"p1": [("MONEY", "12 ")]}, False),
        ({}, False),
    ],
)
def test_an_entity_is_met_by_label_and_folded_surface_anywhere_on_its_page(spans, expected):
    assert met(label(entity("12")), result(spans=spans)) is expected
    assert met(label(entity("１２", block="p1.c9", start=77)), result(spans=spans)) is expected
    assert met(label(entity("12"), "rejected"), result(spans=spans)) is not expected


def test_a_corrected_entity_expects_the_correction():
    found = result(spans={"p1": [("MONEY", "13"), ("DATE", "12")]})
    assert met(label(entity("12"), "corrected", surface="13"), found)
    assert met(label(entity("12"), "corrected", label="DATE"), found)
    assert not met(label(entity("12"), "corrected", label="DATE", surface="13"), found)
    assert not met(label(entity("13"), "corrected", surface="12"), found)


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (FacetTarget(unit="document", facet="kind", label="a"), {"document": ["a", "b"]}),
        (
            FacetTarget(unit="page", page=2, facet="kind", label="a"),
            {"pages": (["b"], ["a"]), "statuses": ("ok", "ok")},
        ),
        (
            FacetTarget(unit="chunk", block_id="p1.c1", facet="kind", label="a"),
            {"chunks": {"p1.c0": ["b"], "p1.c1": ["a"]}},
        ),
    ],
    ids=["document", "page", "chunk"],
)
def test_a_facet_is_met_by_its_top_label_where_it_was_judged(target, found):
    assert met(label(target), result(**found))
    assert not met(label(target, "rejected"), result(**found))
    assert not met(label(target, "corrected", label="b"), result(**found))
    second = target.model_copy(update={"label": "b"})
    assert not met(label(second), result(**found)), "a second label does not count"
    assert met(label(second, "corrected", label="a"), result(**found))
    assert not met(label(target), result())
    assert met(label(target, "rejected"), result())


def test_pages_that_ended_with_a_person_are_counted_once():
    events = [
        TraceEvent(capability_id="m", scope="DOCUMENT", pages=(1, 2), outcome="manual", latency_ms=0),
        TraceEvent(capability_id="m", scope="PAGE", pages=(2, 3), outcome="manual", latency_ms=0),
    ]
    cell = scored_cell(DIGEST, "c", result(events=events, statuses=("unreadable", "failed", "ok")), [], {})
    assert (cell.pages, cell.needs_person, cell.cost_usd, cell.latency_ms) == (3, 2, 0.5, 7)


def test_a_field_of_the_type_is_one_row_under_the_first_of_its_names():
    labels = [
        label(entity("1", "SUM"), type_id="invoice", field="total"),
        label(entity("2", "MONEY"), type_id="invoice", field="total"),
        label(entity("3", "MONEY"), type_id="letter", field="total"),
        label(entity("4", "MONEY")),
        label(FacetTarget(unit="document", facet="MONEY", label="x")),
    ]
    keys = row_keys(labels, "invoice")
    assert [keys[one.id] for one in labels] == [
        ("entity", "MONEY", "total"),
        ("entity", "MONEY", "total"),
        ("entity", "MONEY", None),
        ("entity", "MONEY", None),
        ("facet", "MONEY", None),
    ]
    rows = scored_cell(DIGEST, "c", result(), labels, keys).rows
    assert [(r.kind, r.field, r.expected) for r in rows] == [
        ("entity", "total", 2),
        ("entity", None, 2),
        ("facet", None, 1),
    ]


# What a lane that was down leaves open


def down(role, unit, *blocks, failed=None):
    return TraceFailure(
        role=role,
        id="lane",
        unit=unit,
        asked=500,
        failed=len(blocks) if failed is None else failed,
        reason="gone",
        block_ids=blocks,
    )


def facet(unit, block=None, label="invoice"):
    return FacetTarget(unit=unit, block_id=block, facet="kind", label=label)


def scored(one, found):
    """Expected, right, unanswered."""
    cell = scored_cell(DIGEST, "c", found, [one], row_keys([one], "invoice"))
    (row,) = cell.rows
    assert (row.expected, row.right, row.unanswered) == (cell.expected, cell.right, cell.unanswered)
    assert cell.failures == found.trace.failures
    return cell.expected, cell.right, cell.unanswered


OPEN, WRONG, RIGHT = (0, 0, 1), (1, 0, None), (1, 1, None)


@pytest.mark.parametrize("verdict", ["approved", "rejected"])
@pytest.mark.parametrize(
    ("target", "failure", "concerned"),
    [
        (facet("document"), down("classifier", "document", "doc"), True),
        (facet("page", "p2"), down("classifier", "page", "p1", "p2"), True),
        (facet("chunk", "p2.c1"), down("classifier", "chunk", "p2.c1"), True),
        (entity("12", block="p2"), down("extractor", "page", "p2"), True),
        (entity("12", block="p2.c3"), down("extractor", "chunk", "p2.c0"), True),
        (entity("12", block="p2"), down("extractor", "chunk", "p1.c0", failed=200), True),
        (facet("page", "p200"), down("classifier", "page", "p1", failed=200), True),
        (facet("chunk", "p2.c1"), down("chunker", "document", "doc"), True),
        (facet("page", "p2"), down("chunker", "document", "doc"), False),
        (facet("page", "p2"), down("classifier", "page", "p1"), False),
        (facet("page", "p2"), down("classifier", "document", "doc"), False),
        (facet("page", "p2"), down("extractor", "page", "p2"), False),
        (facet("page", "p2"), down("enricher", "page", "p2"), False),
        (entity("12", block="p2"), down("extractor", "page", "p1", "p22"), False),
        (entity("12", block="p2"), down("classifier", "page", "p2"), False),
        (entity("12", block="p2"), down("chunker", "document", "doc"), False),
    ],
)
def test_what_is_not_there_where_a_lane_failed_is_neither_right_nor_wrong(
    target, failure, concerned, verdict
):
    otherwise = RIGHT if verdict == "rejected" else WRONG
    assert scored(label(target, verdict), result()) == otherwise
    assert scored(label(target, verdict), result(failures=(failure,))) == (OPEN if concerned else otherwise)


@pytest.mark.parametrize(("verdict", "score"), [("approved", RIGHT), ("rejected", WRONG)])
def test_an_entity_that_is_there_is_scored_whoever_failed_beside_it(verdict, score):
    found = result(spans={"p1": [("MONEY", "12")]}, failures=(down("extractor", "page", "p1"),))
    assert scored(label(entity("12"), verdict), found) == score


@pytest.mark.parametrize(
    ("verdict", "answer", "score"),
    [
        ("approved", "invoice", RIGHT),
        ("approved", "letter", OPEN),
        ("rejected", "invoice", OPEN),
        ("rejected", "letter", RIGHT),
    ],
)
def test_a_facet_is_right_or_open_where_another_lane_that_might_have_won_failed(verdict, answer, score):
    found = result(document=[answer], failures=(down("classifier", "document", "doc"),))
    assert scored(label(facet("document"), verdict), found) == score


SURFACES = st.lists(st.sampled_from(["1", "2", "3", "4"]), max_size=4, unique=True)


@given(approved=SURFACES, found=SURFACES, failed=st.booleans())
def test_sums_over_cells_are_sums_of_their_rows(approved, found, failed):
    labels = [label(entity(surface), type_id="invoice", field="total") for surface in approved]
    failures = (down("extractor", "page", "p1"),) if failed else None
    answer = result(spans={"p1": [("MONEY", surface) for surface in found]}, failures=failures)
    cell = scored_cell(DIGEST, "c", answer, labels, row_keys(labels, "invoice"))
    right, lost = len(set(approved) & set(found)), len(set(approved) - set(found))
    assert (cell.expected, cell.right) == (right if failed else len(approved), right)
    assert (cell.unanswered or 0) == (lost if failed else 0)
    rows = sum_rows([cell, cell])
    assert sum(row.expected for row in rows) == 2 * cell.expected
    assert sum(row.right for row in rows) == 2 * cell.right
    assert sum(row.unanswered or 0 for row in rows) == 2 * (cell.unanswered or 0)
