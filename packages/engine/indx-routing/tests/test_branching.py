"""Plans under a router: pages typed before reading, and a route for each branch."""

import pytest

from indx_core.contracts import (
    CapabilityInfo,
    Constraints,
    EmbedderInfo,
    EmbeddingSpaceInfo,
    Limits,
    PlanRequestPart,
    Recognizer,
    Resolvable,
    ResolvedRouter,
    RouterBranch,
    Snapshot,
)
from indx_core.ports import Observation, PageEvidence, Signature
from indx_routing import DEFAULT_ECONOMICS, POLICY_VERSION, Nomination, plan

PDF = "application/pdf"
DIGEST, OTHER = "sha256:" + "1" * 64, "sha256:" + "2" * 64


def capability(id_, kind, device="cpu", media_types=(PDF,)):
    return CapabilityInfo(
        id=id_,
        kind=kind,
        distribution="d",
        version="1",
        device=device,
        media_types=media_types,
        available=True,
    )


def space(id_):
    embedder = EmbedderInfo(
        id=f"e-{id_}", distribution="d", version="1", device="cpu", roles=("document", "query"),
        modalities=("text",), available=True,
    )  # fmt: skip
    return EmbeddingSpaceInfo(id=id_, dimension=2, metric="cosine", normalized=True, embedders=(embedder,))


SNAPSHOT = Snapshot.create(
    policy_version=POLICY_VERSION,
    capabilities=(
        capability("fast-reader", "native"),
        capability("slow-reader", "native"),
        capability("far-reader", "vision", device="external"),
        capability("invoice-parser", "parser"),
        capability("letter-parser", "parser"),
        capability("word-reader", "native", media_types=("application/msword",)),
        capability("manual-review", "manual", media_types=()),
    ),
    embedding_spaces=(space("a"), space("b")),
    limits=Limits(max_input_bytes=1),
    resolvable=Resolvable(schemes=(), observable_media_types=()),
)


def router(**members):
    members.setdefault("branches", (RouterBranch(type_id="invoice"), RouterBranch(type_id="letter")))
    members.setdefault("default", RouterBranch())
    return ResolvedRouter(id="r", version=3, **members)


def decide(routing, *, pages=2, nominations=(), **request):
    return plan(
        PlanRequestPart(**request),
        snapshot=SNAPSHOT,
        observation=Observation(PDF, tuple(PageEvidence(n, 100) for n in range(1, pages + 1))),
        source_digest=DIGEST,
        economics=DEFAULT_ECONOMICS,
        nominations=nominations,
        routing=routing,
    )


def signed(parser, pages=(), scope="DOCUMENT", confidence=0.9):
    return Nomination(parser, Signature(parser, scope, pages, ("it says so",), confidence))


def rungs(route):
    return (route.capability_id, *route.fallbacks)


def test_the_plan_names_the_version_the_branches_with_the_default_last_and_the_recognizer():
    recognizer = Recognizer(classifier_id="words", facet="document_type")
    made = decide(router(recognizer=recognizer))
    assert (made.router.id, made.router.version) == ("r", 3)
    assert [branch.type_id for branch in made.branches] == ["invoice", "letter", None]
    assert made.recognizer == recognizer
    assert made.typed_pages == ()
    assert made.plan_id == made.content_id()


def test_a_plan_without_a_router_carries_nothing_of_one():
    made = decide(None).model_dump(mode="json")
    assert not {"router", "branches", "typed_pages", "recognizer"} & made.keys()


def test_another_version_of_a_router_is_another_plan():
    assert decide(router()).plan_id != decide(router().model_copy(update={"version": 4})).plan_id


def test_the_parser_of_a_type_types_the_pages_it_recognises_and_leads_them():
    routing = router(parsers={"invoice": "invoice-parser"})
    made = decide(routing, pages=3, nominations=[signed("invoice-parser", (2,), "PAGE")])
    assert [(t.page, t.type_id, t.by) for t in made.typed_pages] == [(2, "invoice", "signature")]
    assert made.default.capability_id == "fast-reader"
    assert [(p.page, p.route.capability_id) for p in made.pages] == [(2, "invoice-parser")]


def test_a_parser_that_recognises_the_whole_document_types_every_page():
    routing = router(parsers={"letter": "letter-parser"})
    made = decide(routing, nominations=[signed("letter-parser")])
    assert [(t.page, t.type_id) for t in made.typed_pages] == [(1, "letter"), (2, "letter")]


def test_the_surest_of_two_signatures_types_a_page():
    routing = router(parsers={"invoice": "invoice-parser", "letter": "letter-parser"})
    both = [signed("invoice-parser", confidence=0.5), signed("letter-parser", confidence=0.8)]
    assert {t.type_id for t in decide(routing, nominations=both).typed_pages} == {"letter"}


def test_what_a_person_approved_goes_before_a_signature_and_what_is_given_before_both():
    routing = router(parsers={"invoice": "invoice-parser"}, approved={DIGEST: "letter", OTHER: "invoice"})
    nominations = [signed("invoice-parser")]
    approved = decide(routing, nominations=nominations)
    assert {(t.type_id, t.by) for t in approved.typed_pages} == {("letter", "approved")}
    assert approved.default.capability_id == "fast-reader", "the parser of another type leads no page"
    given = decide(routing.model_copy(update={"given": "invoice"}), nominations=nominations)
    assert {(t.type_id, t.by) for t in given.typed_pages} == {("invoice", "given")}


def test_the_reader_of_a_branch_leads_it_before_the_parser_and_the_rest_stays_behind():
    branch = RouterBranch(type_id="invoice", reader="slow-reader")
    routing = router(branches=(branch,), parsers={"invoice": "invoice-parser"})
    made = decide(routing, nominations=[signed("invoice-parser")])
    assert rungs(made.default)[:3] == ("slow-reader", "invoice-parser", "fast-reader")
    assert made.default.fallbacks[-1] == "manual-review"


def test_a_page_of_no_known_type_is_read_by_the_default_branch():
    branch = RouterBranch(type_id="invoice", reader="slow-reader")
    made = decide(router(branches=(branch,), default=RouterBranch(reader="far-reader")))
    assert made.default.capability_id == "far-reader"
    assert [b.default.capability_id for b in made.branches] == ["slow-reader", "far-reader"]


def test_a_type_that_was_given_and_has_no_branch_takes_the_default_branch():
    made = decide(router(given="other", default=RouterBranch(reader="slow-reader")))
    assert made.default.capability_id == "slow-reader"
    assert {t.type_id for t in made.typed_pages} == {"other"}


def test_a_branch_that_is_read_by_people_has_no_other_reader():
    made = decide(router(default=RouterBranch(reader="manual-review")))
    assert rungs(made.default) == ("manual-review",)


def test_a_reader_of_other_documents_is_passed_over_and_the_plan_says_so():
    made = decide(router(default=RouterBranch(reader="word-reader")))
    assert made.default.capability_id == "fast-reader"
    (reason,) = [r for r in made.reasons if r.code == "reader_passed_over"]
    assert "word-reader" in reason.message


def test_constraints_hold_in_every_branch():
    branch = RouterBranch(type_id="invoice", reader="far-reader")
    held = router(branches=(branch,), given="invoice")
    made = decide(held, constraints=Constraints(data_residency=True))
    assert "far-reader" not in rungs(made.default)
    assert made.status == "ready"
    assert all("far-reader" not in rungs(b.default) for b in made.branches)
    single = decide(router(branches=(branch,)), constraints=Constraints(fallbacks_allowed=False))
    assert [rungs(b.default) for b in single.branches] == [("far-reader",), ("fast-reader",)]


def test_a_router_nothing_can_satisfy_is_an_unsatisfied_plan_that_names_it():
    made = decide(router(), constraints=Constraints(capability_ids=("none",)))
    assert made.status == "unsatisfied"
    assert made.unsatisfied[0].startswith("capability_ids:")
    assert made.router.version == 3
    assert made.branches is None


def test_the_spaces_of_a_plan_are_those_of_its_branches_where_chunks_are_wanted():
    routing = router(
        branches=(RouterBranch(type_id="invoice", embedding_space_ids=("b",)),),
        default=RouterBranch(embedding_space_ids=("a", "b")),
    )
    made = decide(routing, granularities=("CHUNK",))
    assert made.embedding_space_ids == ("b", "a")
    assert [b.embedding_space_ids for b in made.branches] == [("b",), ("a", "b")]
    without = decide(routing)
    assert without.embedding_space_ids == ()
    assert "chunks_not_asked" in {r.code for r in without.reasons}


def test_the_estimates_are_of_the_routes_that_pages_take():
    routing = router(
        branches=(RouterBranch(type_id="invoice", reader="far-reader"),),
        parsers={"invoice": "invoice-parser"},
    )
    none, one = (
        decide(routing, nominations=found) for found in ([], [signed("invoice-parser", (1,), "PAGE")])
    )
    assert none.estimates.cost_usd == 0
    assert one.estimates.cost_usd == 0.01


@pytest.mark.parametrize("pages", [0, 1, 5])
def test_equal_arguments_give_equal_plans(pages):
    routing = router(parsers={"invoice": "invoice-parser"})
    assert decide(routing, pages=pages).plan_id == decide(routing, pages=pages).plan_id
