"""Plans: pure, explained, constrained."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_core.contracts import (
    CapabilityInfo,
    Constraints,
    EmbedderInfo,
    EmbeddingSpaceInfo,
    Limits,
    PlanRequestPart,
    Resolvable,
    Snapshot,
)
from indx_core.errors import ConfigurationError
from indx_core.ports import Observation, PageEvidence, Signature
from indx_routing import (
    DEFAULT_ECONOMICS,
    DOCUMENT_EMBEDDING_MODALITIES,
    POLICY_VERSION,
    Nomination,
    parse_economics,
    plan,
)

PDF = "application/pdf"
DIGEST = "sha256:" + "1" * 64


def capability(id_, kind, *, device="cpu", available=True, media_types=(PDF,), converts=None):
    return CapabilityInfo(
        id=id_, kind=kind, distribution=f"d-{id_}", version="1", device=device, media_types=media_types,
        available=available, reason=None if available else "not here", converts=converts,
    )  # fmt: skip


NATIVE = capability("pdf-reader", "native")
OCR = capability("ocr", "ocr")
VLM = capability("vlm", "vision", device="external")
INVOICE = capability("invoice-parser", "parser")
MANUAL = capability("manual-review", "manual", media_types=())


def snapshot(*capabilities, spaces=()):
    return Snapshot.create(
        policy_version=POLICY_VERSION,
        capabilities=tuple(sorted(capabilities, key=lambda c: c.id)),
        embedding_spaces=tuple(spaces),
        limits=Limits(max_input_bytes=1),
        resolvable=Resolvable(schemes=(), observable_media_types=()),
    )


EVERYTHING = snapshot(NATIVE, OCR, VLM, INVOICE, MANUAL)
TEXT_PAGE, SCAN, BLANK = (
    {"text_characters": 500},
    {"text_characters": 0, "images": 1},
    {"text_characters": 0},
)


def observed(*pages, media_type=PDF):
    return Observation(media_type, tuple(PageEvidence(n, **page) for n, page in enumerate(pages, 1)))


def decide(
    *pages, installed=EVERYTHING, economics=DEFAULT_ECONOMICS, nominations=(), media_type=PDF, **request
):
    return plan(
        PlanRequestPart(**request),
        snapshot=installed,
        observation=observed(*pages, media_type=media_type),
        source_digest=DIGEST,
        economics=economics,
        nominations=nominations,
    )


def ladder(route):
    return [route.capability_id, *route.fallbacks]


def test_a_page_with_text_is_read_natively_and_ends_in_manual_review():
    assert ladder(decide(TEXT_PAGE).default) == ["pdf-reader", "ocr", "vlm", "manual-review"]


def test_a_scanned_page_gets_recognition_first_by_an_override():
    decided = decide(TEXT_PAGE, SCAN, TEXT_PAGE)
    (override,) = decided.pages
    assert override.page == 2
    assert ladder(override.route) == ["ocr", "vlm", "pdf-reader", "manual-review"]


def test_implausible_text_gets_recognition_first_and_a_public_reason():
    decided = decide({"text_characters": 500, "plausible": False})
    assert decided.default.capability_id == "ocr"
    assert [r.code for r in decided.reasons] == ["implausible_text"]


def test_without_recognition_a_scan_is_still_attempted_and_the_plan_says_what_is_missing():
    decided = decide(SCAN, installed=snapshot(NATIVE, MANUAL))
    assert ladder(decided.default) == ["pdf-reader", "manual-review"]
    (lack,) = [r for r in decided.reasons if r.code == "no_recognition"]
    assert 'pip install "indx[ocr]"' in lack.message


def test_recognition_that_cannot_run_says_why_in_the_plan():
    decided = decide(SCAN, installed=snapshot(NATIVE, capability("ocr", "ocr", available=False), MANUAL))
    (lack,) = [r for r in decided.reasons if r.code == "no_recognition"]
    assert lack.message.startswith("ocr ")
    assert "not here" in lack.message


def test_recognition_made_for_other_types_is_not_missed():
    elsewhere = capability("ocr", "ocr", media_types=("image/png",))
    decided = decide(SCAN, installed=snapshot(NATIVE, elsewhere, MANUAL))
    assert [r.code for r in decided.reasons] == ["no_text_layer"]


NUMBERED = {"text_characters": 3, "images": 1, "image_share": 1.0}


def test_a_picture_of_a_page_with_only_its_number_as_text_is_a_scan():
    decided = decide(TEXT_PAGE, NUMBERED)
    assert ladder(decided.pages[0].route)[0] == "ocr"
    assert {r.code: r.pages for r in decided.reasons} == {"text_layer": (1,), "scan": (2,)}
    lacking = decide(NUMBERED, installed=snapshot(NATIVE, MANUAL))
    assert ladder(lacking.default) == ["pdf-reader", "manual-review"]
    assert [r.code for r in lacking.reasons] == ["scan", "no_recognition"]


@pytest.mark.parametrize(
    "page",
    [
        NUMBERED | {"text_characters": 400},  # the text layer of a recognised scan
        NUMBERED | {"image_share": 0.5},
        NUMBERED | {"images": 0},
        {"text_characters": 3},
    ],
)
def test_a_page_with_text_of_its_own_is_no_scan(page):
    assert ladder(decide(page).default)[0] == "pdf-reader"


STAMPED = {"text_characters": 80, "body_characters": 0, "images": 1, "image_share": 0.97}


@pytest.mark.parametrize("changed", [{}, {"text_characters": 900}, {"body_characters": 39}])
def test_a_picture_of_a_page_with_a_stamp_in_its_margin_is_a_scan(changed):
    decided = decide(STAMPED | changed)
    assert ladder(decided.default)[0] == "ocr"
    assert [r.code for r in decided.reasons] == ["scan"]


@pytest.mark.parametrize(
    "changed", [{"body_characters": 40}, {"body_characters": None}, {"image_share": 0.79}, {"images": 0}]
)
def test_a_page_with_text_in_its_body_or_a_smaller_picture_is_no_scan(changed):
    decided = decide(STAMPED | changed)
    assert ladder(decided.default)[0] == "pdf-reader"
    assert [r.code for r in decided.reasons] == ["text_layer"]


def test_a_page_of_drawings_alone_is_looked_at_and_told_from_a_blank_one():
    decided = decide({"text_characters": 0, "drawings": 5}, {"text_characters": 0})
    assert {r.code: r.pages for r in decided.reasons} == {"drawing": (1,), "blank": (2,)}
    routes = {1: decided.default, **{entry.page: entry.route for entry in decided.pages}}
    assert ladder(routes[1])[0] == "ocr"
    assert ladder(routes[2])[0] == "pdf-reader"
    lacking = decide({"text_characters": 0, "drawings": 5}, installed=snapshot(NATIVE, MANUAL))
    assert [r.code for r in lacking.reasons] == ["drawing", "no_recognition"]


def test_a_page_that_nobody_could_look_at_is_told_from_a_blank_one():
    decided = decide({"text_characters": 0, "seen": False}, {"text_characters": 0})
    assert {r.code: r.pages for r in decided.reasons} == {"unseen": (1,), "blank": (2,)}


def test_an_unavailable_capability_is_in_no_route():
    decided = decide(SCAN, installed=snapshot(NATIVE, capability("ocr", "ocr", available=False), MANUAL))
    assert ladder(decided.default) == ["pdf-reader", "manual-review"]


def test_the_request_id_is_carried_and_changes_nothing_else():
    one, two = decide(TEXT_PAGE, request_id="a"), decide(TEXT_PAGE, request_id="b")
    assert (one.request_id, two.request_id) == ("a", "b")
    assert one.plan_id == two.plan_id


def test_every_decision_input_changes_the_id():
    plans = [
        decide(TEXT_PAGE),
        decide(TEXT_PAGE, TEXT_PAGE),
        decide(SCAN),
        decide(TEXT_PAGE, granularities=["CHUNK"]),
        decide(TEXT_PAGE, constraints=Constraints(fallbacks_allowed=False)),
        decide(TEXT_PAGE, installed=snapshot(NATIVE, MANUAL)),
    ]
    assert len({p.plan_id for p in plans}) == len(plans)


def test_private_features_stay_off_the_wire():
    wire = decide({"text_characters": 777, "image_share": 0.375, "images": 3}).model_dump_json()
    for private in ("777", "0.375", "image_share", "text_characters"):
        assert private not in wire


def test_fallbacks_off_pins_exactly_one_reader():
    decided = decide(TEXT_PAGE, constraints=Constraints(fallbacks_allowed=False, capability_ids=("ocr",)))
    assert ladder(decided.default) == ["ocr"]


def test_an_allowlist_leaves_only_what_it_names_before_manual_review():
    decided = decide(TEXT_PAGE, SCAN, constraints=Constraints(capability_ids=("vlm",)))
    assert ladder(decided.default) == ["vlm", "manual-review"]
    assert decided.pages == ()


@pytest.mark.parametrize("names", [("invoice-parser",), ("no-such-reader",)])
def test_an_allowlist_that_leaves_a_page_unread_is_unsatisfied_and_says_so(names):
    decided = decide(TEXT_PAGE, constraints=Constraints(capability_ids=names))
    assert decided.status == "unsatisfied"
    assert decided.unsatisfied[0].startswith("capability_ids:")
    assert decided.default is None
    assert decided.estimates is None


@pytest.mark.parametrize(
    ("reader", "because"),
    [
        (capability("ocr", "ocr", available=False), "ocr cannot run: not here"),
        (capability("word-reader", "native", media_types=("x/y",)), f"word-reader does not read {PDF}"),
        (INVOICE, "invoice-parser reads only what it recognises, which signature_detection asks of it"),
    ],
)
def test_a_reader_that_is_allowed_in_vain_is_named_with_the_reason(reader, because):
    allowed = Constraints(capability_ids=(reader.id,))
    decided = decide(TEXT_PAGE, installed=snapshot(reader, NATIVE, MANUAL), constraints=allowed)
    assert decided.unsatisfied == (f"capability_ids: {reader.id} leaves page 1 without a reader ({because})",)


def test_an_allowlist_of_nobody_says_so():
    decided = decide(TEXT_PAGE, constraints=Constraints(capability_ids=()))
    assert decided.unsatisfied == ("capability_ids: none leaves page 1 without a reader",)


def test_an_unknown_name_beside_a_good_one_is_unsatisfied_too():
    decided = decide(TEXT_PAGE, constraints=Constraints(capability_ids=("pdf-reader", "nope")))
    assert decided.status == "unsatisfied"
    assert decided.unsatisfied[0] == (
        "capability_ids: no installed capability is called 'nope'; there are invoice-parser, manual-review, "
        "ocr, pdf-reader, vlm"
    )


@pytest.mark.parametrize("name", ["pdf-raeder", "ocr-reader"])
def test_a_misspelt_name_is_told_with_the_one_it_is_near_to_and_with_all_there_are(name):
    """A reader whose name is near may be another one than was meant."""
    decided = decide(TEXT_PAGE, constraints=Constraints(capability_ids=(name, "ocr")))
    assert decided.unsatisfied[0] == (
        f"capability_ids: no installed capability is called {name!r} (did you mean 'pdf-reader'?); there are "
        "invoice-parser, manual-review, ocr, pdf-reader, vlm"
    )


def test_of_very_many_names_that_are_none_some_are_told():
    names = tuple(f"{number}{'x' * 1000}" for number in range(1000))
    line = decide(TEXT_PAGE, constraints=Constraints(capability_ids=names)).unsatisfied[0]
    assert len(line) < 2000
    assert "'9xx" in line
    assert "'10xx" not in line
    assert " …; there are invoice-parser, " in line


def test_residency_removes_what_leaves_the_machine():
    decided = decide(SCAN, constraints=Constraints(data_residency=True))
    assert "vlm" not in ladder(decided.default)
    only = decide(SCAN, installed=snapshot(VLM, MANUAL), constraints=Constraints(data_residency=True))
    assert only.status == "unsatisfied"
    assert only.unsatisfied[0].startswith("data_residency:")


def test_a_cost_limit_changes_the_route_by_the_operators_prices():
    limit = Constraints(maximum_cost_usd=0.001)
    assert decide(SCAN, constraints=limit).default.capability_id == "ocr"
    dear = parse_economics('{"ocr": {"cost_usd_per_page": 0.05}}', origin="X")
    decided = decide(SCAN, constraints=limit, economics=dear)
    assert "ocr" not in ladder(decided.default)


def test_a_cost_limit_holds_for_the_whole_document():
    pages = [SCAN] * 10
    decided = decide(*pages, constraints=Constraints(maximum_cost_usd=0.004))
    assert decided.status == "ready"
    assert decided.estimates.cost_usd <= 0.004


def test_a_latency_limit_that_nothing_meets_is_unsatisfied():
    decided = decide(
        TEXT_PAGE, installed=snapshot(NATIVE, MANUAL), constraints=Constraints(maximum_latency_ms=1)
    )
    assert decided.status == "unsatisfied"
    assert decided.unsatisfied[0].startswith("maximum_latency_ms:")


def test_a_limit_of_any_size_is_compared():
    huge = Constraints(maximum_latency_ms=10**400, maximum_cost_usd=1e300)
    assert decide(TEXT_PAGE, constraints=huge).default.capability_id == "pdf-reader"


def test_a_document_of_very_many_pages_is_planned():
    decided = decide(*[TEXT_PAGE, SCAN] * 10_000, constraints=Constraints(maximum_cost_usd=100))
    assert len(decided.pages) == 10_000


def test_a_quality_floor_removes_lesser_readers():
    decided = decide(SCAN, constraints=Constraints(minimum_quality=0.85))
    assert ladder(decided.default) == ["vlm", "pdf-reader", "manual-review"]


def test_estimates_come_from_the_kind_and_cover_every_page():
    decided = decide(*[SCAN] * 3, installed=snapshot(OCR, MANUAL))
    assert decided.estimates.cost_usd == 0.0015
    assert decided.estimates.latency_ms == 6000
    assert decided.estimates.quality == 0.8


def nominate(name="invoice-parser", pages=(1,), scope="PAGE"):
    return Nomination(name, Signature("invoice", scope, pages, ("a total line",), 0.5))


def test_a_nominated_parser_leads_its_pages_only_with_the_ladder_behind_it():
    decided = decide(
        TEXT_PAGE, TEXT_PAGE, TEXT_PAGE, nominations=(nominate(pages=(2,)),), signature_detection=True
    )
    (override,) = decided.pages
    assert override.page == 2
    assert ladder(override.route)[:2] == ["invoice-parser", "pdf-reader"]
    assert decided.default.capability_id == "pdf-reader"
    assert decided.signature_matches[0].installed


def test_a_match_whose_parser_is_gone_is_reported_and_changes_no_route():
    decided = decide(TEXT_PAGE, installed=snapshot(NATIVE, MANUAL), nominations=(nominate(),))
    assert not decided.signature_matches[0].installed
    assert ladder(decided.default) == ["pdf-reader", "manual-review"]


def test_a_type_only_parsers_read_names_the_parser_and_the_flag():
    decided = decide(TEXT_PAGE, installed=snapshot(INVOICE, MANUAL))
    assert decided.status == "unsatisfied"
    assert "invoice-parser" in decided.unsatisfied[0]
    assert "signature_detection" in decided.unsatisfied[0]


@pytest.mark.parametrize(
    "constraints", [None, Constraints(maximum_cost_usd=1), Constraints(capability_ids=())]
)
def test_without_a_reader_and_without_a_person_the_plan_says_that_nothing_reads_the_type(constraints):
    decided = decide(TEXT_PAGE, installed=snapshot(), constraints=constraints)
    assert decided.status == "unsatisfied"
    assert any(
        line.startswith("media_type: nothing installed reads") and "capabilities of this installation" in line
        for line in decided.unsatisfied
    )


def test_of_two_parsers_the_surer_leads_whatever_order_they_were_asked_in():
    second = capability("other-parser", "parser")
    weak = nominate()
    strong = Nomination("other-parser", Signature("other", "PAGE", (1,), ("e",), 0.9))
    installed = snapshot(NATIVE, INVOICE, second, MANUAL)
    one, two = (
        decide(TEXT_PAGE, installed=installed, nominations=n) for n in ([weak, strong], [strong, weak])
    )
    assert ladder(one.default)[:2] == ["other-parser", "invoice-parser"]
    assert one == two


def test_a_signature_of_the_whole_document_leads_every_page():
    decided = decide(TEXT_PAGE, TEXT_PAGE, nominations=(nominate(pages=(), scope="DOCUMENT"),))
    assert ladder(decided.default)[0] == "invoice-parser"
    assert decided.pages == ()


def test_a_document_without_pages_has_a_route_and_costs_nothing():
    decided = decide()
    assert decided.status == "ready"
    assert decided.estimates.cost_usd == 0
    assert decided.pages == ()


def space(id_, *embedders):
    return EmbeddingSpaceInfo(id=id_, dimension=2, metric="cosine", normalized=True, embedders=embedders)


def embedder(roles, modalities=("text",), device="cpu"):
    return EmbedderInfo(
        id="e",
        distribution="d",
        version="1",
        device=device,
        roles=roles,
        modalities=modalities,
        available=True,
    )


@pytest.mark.parametrize(
    ("embedders", "constraints", "line"),
    [
        ((embedder(("query",)),), None, "embedding_space_ids: s embeds no document input"),
        (
            (embedder(("document",), device="external"),),
            Constraints(data_residency=True),
            "data_residency: s",
        ),
    ],
)
def test_a_space_no_run_can_fill_is_unsatisfied(embedders, constraints, line):
    installed = snapshot(NATIVE, MANUAL, spaces=[space("s", *embedders)])
    decided = decide(
        TEXT_PAGE,
        installed=installed,
        embedding_space_ids=("s",),
        granularities=["CHUNK"],
        constraints=constraints,
    )
    assert decided.status == "unsatisfied"
    assert decided.unsatisfied[0].startswith(line)


def test_a_run_yields_text_then_images():
    assert DOCUMENT_EMBEDDING_MODALITIES == ("text", "image")


def test_a_space_filled_by_images_alone_is_routable():
    installed = snapshot(NATIVE, MANUAL, spaces=[space("s", embedder(("document",), ("image",)))])
    decided = decide(TEXT_PAGE, installed=installed, embedding_space_ids=("s",), granularities=["CHUNK"])
    assert decided.status == "ready"


EVIDENCE = st.fixed_dictionaries(
    {"text_characters": st.integers(0, 3), "images": st.integers(0, 2), "plausible": st.booleans()}
)


@given(st.lists(EVIDENCE, max_size=8), st.permutations([NATIVE, OCR, VLM, INVOICE, MANUAL]), st.booleans())
@settings(derandomize=True, deadline=None)
def test_a_plan_is_a_pure_function_and_every_page_ends_in_manual_review(pages, installed, fallbacks):
    constraints = Constraints(fallbacks_allowed=fallbacks)
    one = decide(*pages, installed=EVERYTHING, constraints=constraints)
    two = decide(*pages, installed=snapshot(*installed), constraints=constraints)
    assert one.model_dump_json() == two.model_dump_json()
    assert one.plan_id == one.content_id()
    for route in (one.default, *(p.route for p in one.pages)):
        assert (route.fallbacks[-1:] == ("manual-review",)) is fallbacks


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"ocr": 1}', '{"ocr": {"price": 1}}', '{"ocr": {"latency_ms_per_page": 1.5}}',
     '{"ocr": {"quality": 2}}', '{"ocr": {"cost_usd_per_page": -1}}', '{"ocr": {"quality": true}}',
     '{"ocr": {"quality": NaN}}', '{"ocr": {"latency_ms_per_page": 1' + "0" * 400 + "}}",
     '{"ocr": {"cost_usd_per_page": Infinity}}', '{"ocr": {"cost_usd_per_page": 1e300}}', "[" * 100_000],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_malformed_economics_are_refused(text):
    with pytest.raises(ConfigurationError, match="INDX_ROUTING_ECONOMICS") as caught:
        parse_economics(text, origin="INDX_ROUTING_ECONOMICS")
    assert caught.value.code == "invalid_economics"


CONVERTER = capability("converter", "native", converts=True)


def test_a_page_converted_by_another_program_costs_more_and_yields_less_than_one_read_natively():
    converted, native = map(DEFAULT_ECONOMICS.price, (CONVERTER, NATIVE))
    assert converted.quality < native.quality
    assert converted.latency_ms > native.latency_ms
    dearer = parse_economics('{"native": {"quality": 0.1}, "converter": {"quality": 0.2}}', origin="X")
    assert dearer.price(CONVERTER).quality == 0.2


def test_the_reader_made_for_a_format_goes_before_one_that_has_it_converted():
    both = snapshot(capability("xls-reader", "native"), CONVERTER, MANUAL)
    assert ladder(decide(TEXT_PAGE, installed=both).default) == ["xls-reader", "converter", "manual-review"]


def test_an_id_wins_over_its_kind_field_by_field():
    economics = parse_economics(
        '{"ocr": {"quality": 0.5, "latency_ms_per_page": 9}, "my-ocr": {"quality": 0.6}}', origin="X"
    )
    price = economics.price(capability("my-ocr", "ocr"))
    assert (price.quality, price.cost_usd, price.latency_ms) == (0.6, 0.0005, 9)


def test_attachments_are_said_to_be_read_by_a_build():
    """Whoever looks at a plan would otherwise think that they are never read."""
    made = plan(
        PlanRequestPart(),
        snapshot=EVERYTHING,
        observation=Observation(
            PDF, (PageEvidence(1, 9),), {"attachments": "2 attachments", "tables": "1 table"}
        ),
        source_digest=DIGEST,
        economics=DEFAULT_ECONOMICS,
    )
    told = {reason.code: reason.message for reason in made.reasons}
    assert told["attachments"] == ("2 attachments; a build of a folder reads each as a document of its own")
    assert told["tables"] == "1 table"
