"""Experiments: frozen, run cell by cell in the background, reported as they stand, promoted once."""

import threading

import pytest

from indx_core.contracts import (
    Candidate,
    Correction,
    DatasetDocument,
    DatasetSpec,
    DocumentTypeSpec,
    EntityTarget,
    ExperimentReport,
    ExperimentSpec,
    ExtractionSelection,
    FacetTarget,
    LabelSpec,
    LaneSelection,
    RouterBranch,
    RouterSpec,
    TypeField,
)
from indx_core.errors import (
    ExperimentConflict,
    InvalidRecord,
    InvalidRequest,
    NotFound,
    StoreDisabled,
    Unavailable,
)
from indx_core.ports import SourceContent
from indx_workspace import Workspace

FIRST = "MONEY:１２ NAME:Acme KIND:invoice"
SECOND = "MONEY:20 NAME:Beta KIND:letter"
TEXTS = (FIRST, SECOND)
CLASSES = LaneSelection(document_ids=("kinds",))
PRODUCTION = RouterBranch(
    type_id="invoice", extraction=ExtractionSelection(page_ids=("deaf",)), classification=CLASSES
)
BETTER = RouterBranch(extraction=ExtractionSelection(page_ids=("tags",)), classification=CLASSES)
PEOPLE = RouterBranch(reader="manual-review")


def digest_of(text):
    return SourceContent.of_bytes(text.encode()).digest


def entity(label, surface, *, page="p1"):
    return EntityTarget(block_id=page, label=label, range=(900, 901), surface=surface)


def facet(label):
    return FacetTarget(unit="document", facet="kind", label=label)


def judge(workspace, text, target, verdict="approved", **members):
    fix = {name: members.pop(name) for name in ("label", "surface") if name in members}
    correction = Correction(**fix) if fix else None
    return workspace.labels.put(
        LabelSpec(
            digest=digest_of(text),
            document_name=text,
            target=target,
            verdict=verdict,
            correction=correction,
            **members,
        )
    )


def dataset(*texts, purpose="evaluation", type_id="invoice"):
    documents = tuple(DatasetDocument(digest=digest_of(text), name=text) for text in texts)
    return DatasetSpec(label="Set", purpose=purpose, type_id=type_id, documents=documents)


def spec(*candidates, **members):
    named = {"better": BETTER, "people": PEOPLE}
    chosen = tuple(
        c if isinstance(c, Candidate) else Candidate(key=c, label=c.title(), branch=named[c])
        for c in candidates
    )
    return ExperimentSpec(
        **{"label": "Try", "dataset_id": "d", "router_id": "r", "candidates": chosen} | members
    )


@pytest.fixture
def runner(providers):
    return providers["indx.job_runners", "by-hand"]


@pytest.fixture
def workspace(backend, choose, open_workspace, monkeypatch):
    choose(backend)
    monkeypatch.setenv("INDX_JOB_RUNNER", "by-hand")
    return open_workspace()


@pytest.fixture
def reviewed(workspace, keep):
    """Two documents with six verdicts, a dataset of them, and a router whose branch hears names only."""
    total = TypeField(key="total", label="Total", kind="entity", name="MONEY")
    workspace.types.put("invoice", DocumentTypeSpec(label="Invoice", fields=(total,)))
    workspace.types.put("letter", DocumentTypeSpec(label="Letter"))
    for text in TEXTS:
        keep("ann", text)
    field = {"type_id": "invoice", "field": "total"}
    judge(workspace, FIRST, entity("MONEY", "12"), **field)
    judge(workspace, FIRST, entity("NAME", "Acme"))
    judge(workspace, FIRST, facet("invoice"))
    judge(workspace, SECOND, entity("MONEY", "19"), "corrected", surface="20", **field)
    judge(workspace, SECOND, entity("NAME", "Gone"), "rejected")
    judge(workspace, SECOND, facet("invoice"), "corrected", label="letter")
    workspace.datasets.put("d", dataset(*TEXTS), owner="ann")
    letter = RouterBranch(type_id="letter", reader="plain-reader")
    workspace.routers.publish(
        "r", RouterSpec(label="R", branches=(PRODUCTION, letter), default=RouterBranch())
    )
    return workspace


@pytest.fixture
def experiments(reviewed):
    return reviewed.experiments


def numbers(report, key):
    one = next(c for c in report.candidates if c.key == key)
    return (one.documents, one.failed, one.expected, one.right, one.pages, one.needs_person)


def answered(report, key):
    one = next(c for c in report.candidates if c.key == key)
    return (one.expected, one.right, one.unanswered)


# Creating


def test_an_experiment_is_made_with_production_first_and_has_not_run(experiments, clock):
    report = experiments.create("e", spec("better"))
    assert [(c.key, c.label) for c in report.candidates] == [
        ("production", "Production"),
        ("better", "Better"),
    ]
    assert report.candidates[0].branch == PRODUCTION.model_copy(update={"type_id": None})
    assert (report.state, report.cells, report.done, report.promotion) == ("stopped", 4, 0, None)
    assert (report.type_id, report.router_id, report.router_version) == ("invoice", "r", 1)
    assert [d.name for d in report.documents] == list(TEXTS)
    assert report.created_at == clock.now
    assert experiments.get("e") == report


def test_production_is_the_default_branch_where_the_router_has_none_for_the_type(reviewed):
    default = RouterBranch(reader="plain-reader")
    reviewed.routers.publish("r", RouterSpec(label="R", default=default))
    assert reviewed.experiments.create("e", spec()).candidates[0].branch == default


def test_a_key_is_taken_once(experiments):
    experiments.create("e", spec("better"))
    with pytest.raises(ExperimentConflict) as refused:
        experiments.create("e", spec())
    assert refused.value.code == "experiment_exists"
    assert len(experiments.get("e").candidates) == 2
    with pytest.raises(InvalidRequest):
        experiments.create("Not A Key", spec())


def test_what_is_measured_is_frozen(reviewed, runner):
    experiments = reviewed.experiments
    before = experiments.create("e", spec("better"))
    reviewed.labels.put(
        LabelSpec(
            digest=digest_of(FIRST), document_name="x", target=entity("NAME", "New"), verdict="approved"
        )
    )
    for label in reviewed.labels.list(digest=digest_of(SECOND)).labels:
        reviewed.labels.delete(label.id)
    reviewed.datasets.put("more", dataset(*TEXTS))
    reviewed.datasets.put("d", dataset(FIRST))
    reviewed.routers.publish("r", RouterSpec(label="Other", default=RouterBranch(reader="manual-review")))
    assert experiments.get("e") == before
    experiments.run("e")
    runner.go()
    report = experiments.get("e")
    assert (report.router_version, report.cells, report.done) == (1, 4, 4)
    assert numbers(report, "production") == (2, 0, 6, 4, 2, 0)


@pytest.mark.parametrize(
    ("change", "param"),
    [
        (lambda w: w.datasets.put("d", dataset(FIRST, purpose="training"), owner="ann"), "dataset_id"),
        (lambda w: w.datasets.put("d", dataset(FIRST, type_id=None), owner="ann"), "dataset_id"),
        (lambda w: w.datasets.put("d", dataset(FIRST, "never kept"), owner="ann"), "dataset_id"),
        (lambda w: w.datasets.put("d", dataset()), "dataset_id"),
        (lambda w: [w.labels.delete(label.id) for label in w.labels.list().labels], "dataset_id"),
        (lambda w: w.types.delete("invoice"), "dataset_id"),
        (lambda w: w.datasets.delete("d"), "dataset_id"),
        (lambda w: w.routers.delete("r"), "router_id"),
    ],
    ids=[
        "training",
        "untyped",
        "unreadable",
        "empty",
        "unjudged",
        "type gone",
        "dataset gone",
        "router gone",
    ],
)
def test_what_cannot_be_graded_is_refused(reviewed, change, param):
    change(reviewed)
    with pytest.raises(InvalidRecord) as refused:
        reviewed.experiments.create("e", spec("better"))
    assert (refused.value.code, refused.value.param) == ("invalid_experiment", param)
    assert "; " in refused.value.message or ": " in refused.value.message, "it says what to do"
    assert reviewed.experiments.list().experiments == ()


def test_a_candidate_that_names_what_is_not_installed_is_refused(experiments):
    candidate = Candidate(key="c", label="C", branch=RouterBranch(reader="none"))
    with pytest.raises(InvalidRecord) as refused:
        experiments.create("e", spec("better", candidate))
    assert (refused.value.code, refused.value.param) == ("invalid_experiment", "candidates.1.branch.reader")


@pytest.mark.parametrize("key", ["none", "Not A Key", "\x00"])
def test_an_experiment_that_is_not_there_is_not_found(experiments, key):
    for act in (
        experiments.get,
        experiments.run,
        experiments.stop,
        lambda k: experiments.promote(k, "better"),
    ):
        with pytest.raises(NotFound) as refused:
            act(key)
        assert refused.value.code == "experiment_not_found"
    experiments.delete(key)


def test_experiments_are_listed_by_key_with_their_states(experiments, runner):
    for key in ("b", "a", "c"):
        experiments.create(key, spec("better"))
    experiments.run("b")
    runner.go()
    experiments.run("c")
    listed = experiments.list()
    assert [(e.id, e.state) for e in listed.experiments] == [
        ("a", "stopped"),
        ("b", "complete"),
        ("c", "running"),
    ]
    assert listed.writable is False


# Running


def test_a_run_is_answered_at_once_and_goes_on_behind(experiments, runner):
    experiments.create("e", spec("better"))
    assert (experiments.run("e").state, experiments.get("e").done) == ("running", 0)
    runner.go()
    report = experiments.get("e")
    assert (report.state, report.done, len(report.results)) == ("complete", 4, 4)


def test_without_a_runner_experiments_are_kept_and_read_and_not_run(reviewed, engine, clock, monkeypatch):
    reviewed.experiments.create("e", spec("better"))
    monkeypatch.delenv("INDX_JOB_RUNNER")
    with Workspace.open(engine(), clock=clock) as other:
        assert other.experiments.get("e").state == "stopped"
        with pytest.raises(StoreDisabled, match="INDX_JOB_RUNNER"):
            other.experiments.run("e")
        other.experiments.stop("e")
        other.experiments.delete("e")


def test_every_candidate_reads_every_document_production_first(experiments, runner, providers):
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    assert providers["indx.capabilities", "patient-reader"].texts[-4:] == [FIRST, SECOND, FIRST, SECOND]
    results = experiments.get("e").results
    assert [(r.candidate, r.digest) for r in results] == [
        (key, digest_of(text)) for key in ("production", "better") for text in TEXTS
    ]


def test_a_document_is_read_as_the_version_a_candidate_would_become_with_its_type_given(
    experiments, runner, monkeypatch, reviewed
):
    seen = []
    encode = reviewed.engine.encode

    def watched(request, *, routing, deadline):
        result = encode(request, routing=routing, deadline=deadline)
        seen.append((routing, result))
        return result

    monkeypatch.setattr(reviewed.engine, "encode", watched)
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    (production, _), (better, result) = seen[0], seen[2]
    assert (production.version, better.version) == (1, 2)
    assert production.branches[0] == PRODUCTION
    assert better.branches[0] == BETTER.model_copy(update={"type_id": "invoice"})
    assert better.branches[1] == production.branches[1]
    assert {(t.type_id, t.by) for t in result.plan.typed_pages} == {("invoice", "given")}
    assert [entry.type_id for entry in result.trace.branches] == ["invoice"]


def test_verdicts_are_met_field_by_field(experiments, runner):
    experiments.create("e", spec("better", "people"))
    experiments.run("e")
    runner.go()
    report = experiments.get("e")
    assert numbers(report, "production") == (2, 0, 6, 4, 2, 0)
    assert numbers(report, "better") == (2, 0, 6, 6, 2, 0)
    assert numbers(report, "people") == (2, 0, 6, 1, 2, 2), "what is rejected is absent where nothing is read"
    rows = {
        c.key: [(r.kind, r.name, r.field, r.expected, r.right) for r in c.rows] for c in report.candidates
    }
    assert rows["better"] == [
        ("entity", "MONEY", "total", 2, 2),
        ("entity", "NAME", None, 2, 2),
        ("facet", "kind", None, 2, 2),
    ]
    assert rows["production"][0] == ("entity", "MONEY", "total", 2, 0)


def test_costs_and_times_are_sums_of_what_results_reported(experiments, runner):
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    report = experiments.get("e")
    for candidate in report.candidates:
        own = [r for r in report.results if r.candidate == candidate.key]
        assert candidate.cost_usd == pytest.approx(sum(r.cost_usd for r in own)) == pytest.approx(0.02)
        assert candidate.latency_ms == sum(r.latency_ms for r in own)


def test_a_report_is_what_the_contract_names(experiments, runner):
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    written = experiments.get("e").model_dump(mode="json")
    assert ExperimentReport.model_validate(written) == experiments.get("e")
    assert "rows" not in written["results"][0]
    assert "error" not in written["results"][0]


def test_a_stopped_run_ends_before_its_next_document_and_a_resumed_one_goes_on_there(
    experiments, runner, providers
):
    reader = providers["indx.capabilities", "patient-reader"]
    experiments.create("e", spec("better"))
    before = len(reader.texts)
    reader.then = lambda text: experiments.stop("e") if text == SECOND else None
    experiments.run("e")
    runner.go()
    report = experiments.get("e")
    assert (report.state, report.done) == ("stopped", 2)
    assert numbers(report, "better")[0] == 0
    reader.then = lambda text: None
    assert experiments.run("e").state == "running"
    runner.go()
    assert experiments.get("e").state == "complete"
    assert reader.texts[before:] == [FIRST, SECOND, FIRST, SECOND], "no cell was computed twice"


def test_a_complete_experiment_has_nothing_to_run(experiments, runner, providers):
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    read = len(providers["indx.capabilities", "patient-reader"].texts)
    assert experiments.run("e").state == "complete"
    assert not runner.waiting
    assert len(providers["indx.capabilities", "patient-reader"].texts) == read


def test_a_run_that_is_lost_with_its_process_is_stopped_and_can_be_resumed(
    reviewed, runner, providers, engine, clock
):
    experiments, reader = reviewed.experiments, providers["indx.capabilities", "patient-reader"]
    experiments.create("e", spec("better"))
    experiments.run("e")

    def die(text):
        if text == SECOND:
            raise KeyboardInterrupt

    reader.then = die
    with pytest.raises(KeyboardInterrupt):
        runner.go()
    runner.waiting.clear()
    reader.then = lambda text: None
    with Workspace.open(engine(), clock=clock) as other:
        report = other.experiments.get("e")
        assert (report.state, report.done) == ("stopped", 1)
        other.experiments.run("e")
        runner.go()
        assert (other.experiments.get("e").state, other.experiments.get("e").done) == ("complete", 4)


def test_a_document_whose_source_is_gone_fails_alone_with_its_error(reviewed, runner, keep):
    experiments = reviewed.experiments
    experiments.create("e", spec("better"))
    reviewed.datasets.put("d", dataset(SECOND))
    experiments.run("e")
    runner.go()
    report = experiments.get("e")
    failed = [r for r in report.results if r.error is not None]
    assert {(r.digest, r.error.code) for r in failed} == {(digest_of(FIRST), "source_not_kept")}
    assert report.state == "complete"
    assert numbers(report, "better") == (1, 1, 3, 3, 1, 0)


def test_a_lane_that_was_down_is_not_scored_as_wrong_and_what_stopped_it_is_told(
    reviewed, runner, providers, monkeypatch
):
    tags = providers["indx.extractors", "tags"]
    monkeypatch.setattr(tags, "one", lambda text: (_ for _ in ()).throw(ValueError("the server is gone")))
    reviewed.experiments.create("e", spec("better"))
    reviewed.experiments.run("e")
    runner.go()
    report = reviewed.experiments.get("e")
    assert (report.state, numbers(report, "better")[:2]) == ("complete", (2, 0))
    assert answered(report, "production") == (6, 4, None)
    assert answered(report, "better") == (2, 2, 4)
    (better,) = [c for c in report.candidates if c.key == "better"]
    rows = [(r.kind, r.field, r.expected, r.right, r.unanswered) for r in better.rows]
    assert rows == [("entity", "total", 0, 0, 2), ("entity", None, 0, 0, 2), ("facet", None, 2, 2, None)]
    assert [[f.id for f in r.failures or ()] for r in report.results] == [[], [], ["tags"], ["tags"]]
    assert report.results[2].failures[0].reason == "ValueError: the server is gone"
    assert ExperimentReport.model_validate_json(report.model_dump_json()) == report


def test_where_no_lane_failed_a_report_is_as_it_was_before_there_was_anything_to_tell(reviewed, runner):
    experiments = reviewed.experiments
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    report = experiments.get("e")
    written = report.model_dump(mode="json")
    for part in (*written["results"], *written["candidates"], *written["candidates"][0]["rows"]):
        assert not {"unanswered", "failures"} & set(part)
    assert ExperimentReport.model_validate(written) == report


def test_what_nobody_foresaw_fails_its_document_and_tells_no_detail(
    experiments, runner, monkeypatch, reviewed, caplog
):
    def broken(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(reviewed.engine, "encode", broken)
    experiments.create("e", spec())
    experiments.run("e")
    runner.go()
    errors = [r.error for r in experiments.get("e").results]
    assert {error.code for error in errors} == {"internal_error"}
    assert not any("secret" in error.message for error in errors)
    assert "secret detail" in caplog.text


def test_what_a_store_keeps_of_a_failed_document_holds_no_secret(experiments, runner, monkeypatch, reviewed):
    def leaky(*_, **__):
        said = "no key-0123456789 at http://ann:pw-in-address@h/ with Bearer abcdefgh.ijkl\ud800"
        raise Unavailable(said, code="embedder_unavailable")

    monkeypatch.setenv("INDX_FAKE_API_KEY", "key-0123456789")
    monkeypatch.setattr(reviewed.engine, "encode", leaky)
    experiments.create("e", spec())
    experiments.run("e")
    runner.go()
    errors = [r.error for r in experiments.get("e").results]
    told = "no *** at http://***@h/ with Bearer ***\ufffd"
    assert {(error.code, error.message) for error in errors} == {("embedder_unavailable", told)}


def test_a_plan_that_nothing_satisfies_fails_its_document(experiments, runner, monkeypatch, reviewed):
    encode = reviewed.engine.encode

    def held(request, *, routing, deadline):
        constraints = {"capability_ids": ["none"]}
        return encode(
            type(request).model_validate({**dict(request), "constraints": constraints}), routing=routing
        )

    monkeypatch.setattr(reviewed.engine, "encode", held)
    experiments.create("e", spec())
    experiments.run("e")
    runner.go()
    errors = {r.error.code for r in experiments.get("e").results}
    assert errors == {"unsatisfied"}


def test_a_process_that_is_ending_fails_no_document(experiments, runner, monkeypatch, reviewed):
    def closing(*_, **__):
        raise Unavailable("the workers are being closed", code="busy")

    encode = reviewed.engine.encode
    monkeypatch.setattr(reviewed.engine, "encode", closing)
    experiments.create("e", spec())
    experiments.run("e")
    runner.go()
    assert (experiments.get("e").state, experiments.get("e").done) == ("stopped", 0)
    monkeypatch.setattr(reviewed.engine, "encode", encode)
    experiments.run("e")
    runner.go()
    assert experiments.get("e").state == "complete"


def test_a_workspace_that_is_closed_ends_its_run_in_the_middle_of_a_document(experiments, runner, providers):
    reader = providers["indx.capabilities", "patient-reader"]
    experiments.create("e", spec("better"))
    reader.then = lambda text: experiments.abandon() if text == SECOND else None
    experiments.run("e")
    runner.go()
    report = experiments.get("e")
    assert (report.state, report.done) == ("stopped", 1)
    assert report.results[0].error is None


def test_the_time_of_requests_is_not_that_of_runs(experiments, runner, monkeypatch):
    experiments.create("e", spec("better"))
    monkeypatch.setenv("INDX_REQUEST_TIMEOUT_SECONDS", "0.000001")
    experiments.run("e")
    runner.go()
    assert all(result.error is None for result in experiments.get("e").results)


# Deleting


def test_a_deleted_experiment_is_gone_with_its_cells(experiments, runner):
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    experiments.delete("e")
    experiments.delete("e")
    assert experiments.list().experiments == ()
    assert experiments.create("e", spec("better")).done == 0


def test_deleting_during_a_run_ends_it_and_leaves_no_cell_behind(experiments, runner, providers, clock):
    reader = providers["indx.capabilities", "patient-reader"]
    experiments.create("e", spec("better"))

    def replace(text):
        reader.then = lambda text: None
        experiments.delete("e")
        clock.on(1)
        states.append(experiments.create("e", spec("better")).state)

    states = []
    before = len(reader.texts)
    reader.then = replace
    experiments.run("e")
    runner.go()
    assert len(reader.texts) == before + 1
    assert states == ["stopped"], "the run under way is that of the first"
    report = experiments.get("e")
    assert (report.state, report.done) == ("stopped", 0), "the cell of the first is not one of the second"
    experiments.run("e")
    runner.go()
    assert experiments.get("e").done == 4


# Promoting


@pytest.fixture
def complete(experiments, runner):
    experiments.create("e", spec("better"))
    experiments.run("e")
    runner.go()
    return experiments


def test_a_promotion_publishes_the_next_version_with_the_branch_of_the_type_replaced(complete, reviewed):
    before = reviewed.routers.get("r")
    router = complete.promote("e", "better")
    assert (router.version, router.origin.experiment_id, router.origin.candidate) == (2, "e", "better")
    assert router.branches == (BETTER.model_copy(update={"type_id": "invoice"}), before.branches[1])
    assert (router.label, router.default, router.recognizer) == (
        before.label,
        before.default,
        before.recognizer,
    )
    assert reviewed.routers.get("r") == router
    promotion = complete.get("e").promotion
    assert (promotion.router_id, promotion.version, promotion.candidate) == ("r", 2, "better")
    assert complete.list().experiments[0].promotion == promotion


def test_a_branch_the_router_had_not_is_added(reviewed, runner):
    reviewed.routers.publish("r", RouterSpec(label="R", default=RouterBranch()))
    reviewed.experiments.create("e", spec("better"))
    reviewed.experiments.run("e")
    runner.go()
    assert [b.type_id for b in reviewed.experiments.promote("e", "better").branches] == ["invoice"]


@pytest.mark.parametrize("candidate", ["production", "none", ""])
def test_production_and_what_is_no_candidate_cannot_be_promoted(complete, candidate):
    with pytest.raises(InvalidRecord) as refused:
        complete.promote("e", candidate)
    assert (refused.value.code, refused.value.param) == ("invalid_experiment", "candidate")


def test_a_candidate_that_has_not_scored_every_document_cannot_be_promoted(experiments, runner, providers):
    reader = providers["indx.capabilities", "patient-reader"]
    experiments.create("e", spec("better"))
    seen = []
    reader.then = lambda text: (seen.append(text), experiments.stop("e") if len(seen) == 3 else None)
    experiments.run("e")
    runner.go()
    with pytest.raises(ExperimentConflict) as refused:
        experiments.promote("e", "better")
    assert refused.value.code == "experiment_incomplete"


def test_a_document_that_failed_blocks_the_promotion(reviewed, runner):
    reviewed.experiments.create("e", spec("better"))
    reviewed.datasets.put("d", dataset(SECOND))
    reviewed.experiments.run("e")
    runner.go()
    with pytest.raises(ExperimentConflict) as refused:
        reviewed.experiments.promote("e", "better")
    assert refused.value.code == "experiment_incomplete"


def down_on(providers, monkeypatch, *words):
    """Have the lane of the better candidate fail on texts that have one of these words."""
    tags = providers["indx.extractors", "tags"]
    answer = tags.one

    def one(text):
        if any(word in text for word in words):
            raise ValueError("the server is gone")
        return answer(text)

    monkeypatch.setattr(tags, "one", one)


def measured(reviewed, runner):
    reviewed.experiments.create("e", spec("better"))
    reviewed.experiments.run("e")
    runner.go()
    return reviewed.experiments


def test_a_field_of_which_no_verdict_was_answered_blocks_the_promotion(
    reviewed, runner, providers, monkeypatch
):
    down_on(providers, monkeypatch, "")
    experiments = measured(reviewed, runner)
    assert numbers(experiments.get("e"), "better")[:2] == (2, 0)
    with pytest.raises(ExperimentConflict, match="scored by no verdict of 'total', 'NAME', since") as refused:
        experiments.promote("e", "better")
    assert refused.value.code == "experiment_incomplete"


def test_a_document_of_which_no_verdict_was_answered_is_not_scored_and_blocks_the_promotion(
    reviewed, runner, providers, monkeypatch
):
    labels = reviewed.labels.list(digest=digest_of(SECOND)).labels
    (label,) = [one for one in labels if one.target.kind == "facet"]
    reviewed.labels.delete(label.id)
    down_on(providers, monkeypatch, SECOND)
    experiments = measured(reviewed, runner)
    assert numbers(experiments.get("e"), "better")[:4] == (1, 0, 3, 3)
    with pytest.raises(ExperimentConflict, match="scored 1 of 2 documents") as refused:
        experiments.promote("e", "better")
    assert refused.value.code == "experiment_incomplete"


def test_a_verdict_that_was_not_answered_among_others_does_not_block_the_promotion(
    reviewed, runner, providers, monkeypatch
):
    down_on(providers, monkeypatch, SECOND)
    experiments = measured(reviewed, runner)
    assert answered(experiments.get("e"), "better") == (4, 4, 2)
    assert experiments.promote("e", "better").version == 2


def test_what_production_did_not_answer_does_not_keep_it_in_use(reviewed, runner, providers, monkeypatch):
    down_on(providers, monkeypatch, "")
    tagging = BETTER.model_copy(update={"type_id": "invoice"})
    deaf = PRODUCTION.model_copy(update={"type_id": None})
    reviewed.routers.publish("r", RouterSpec(label="R", branches=(tagging,), default=RouterBranch()))
    experiments = reviewed.experiments
    experiments.create("e", spec(Candidate(key="deaf", label="Deaf", branch=deaf)))
    experiments.run("e")
    runner.go()
    assert answered(experiments.get("e"), "production")[2] == 4
    assert experiments.promote("e", "deaf").version == 3


def test_a_router_that_moved_makes_an_experiment_stale(complete, reviewed):
    reviewed.routers.publish("r", RouterSpec(label="R", default=RouterBranch()))
    with pytest.raises(ExperimentConflict) as refused:
        complete.promote("e", "better")
    assert refused.value.code == "experiment_stale"
    assert complete.get("e").promotion is None


def test_a_router_that_was_made_anew_makes_an_experiment_stale(complete, reviewed):
    reviewed.routers.delete("r")
    for again in (False, True):
        if again:
            reviewed.routers.publish("r", RouterSpec(label="R", default=RouterBranch()))
        with pytest.raises(ExperimentConflict) as refused:
            complete.promote("e", "better")
        assert refused.value.code == "experiment_stale"


def test_promotions_at_one_moment_publish_one_version(complete, reviewed):
    together, made, refused = threading.Barrier(5), [], []

    def promote():
        together.wait(30)
        try:
            made.append(complete.promote("e", "better").version)
        except ExperimentConflict as conflict:
            refused.append(conflict.code)

    threads = [threading.Thread(target=promote) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (made, refused) == ([2], ["experiment_stale"] * 4)
    assert len(reviewed.routers.versions("r").versions) == 2


def test_an_experiment_made_anew_under_a_key_has_not_the_promotion_of_the_first(complete):
    complete.promote("e", "better")
    complete.delete("e")
    complete.create("e", spec("better"))
    assert complete.get("e").promotion is None


# On a thread of this process


def test_on_the_memory_runner_a_run_is_stopped_resumed_and_ends_with_the_workspace(
    backend, choose, engine, clock, providers, monkeypatch, reviewed
):
    monkeypatch.setenv("INDX_JOB_RUNNER", "memory")
    reader = providers["indx.capabilities", "patient-reader"]
    started, go = threading.Event(), threading.Event()

    def wait(text):
        started.set()
        assert go.wait(30)

    with Workspace.open(engine(), clock=clock) as workspace:
        workspace.experiments.create("e", spec("better"))
        reader.then = wait
        workspace.experiments.run("e")
        assert started.wait(30)
        assert workspace.experiments.get("e").state == "running"
        workspace.experiments.stop("e")
        workspace.experiments.run("e")
        go.set()
        settle(lambda: workspace.experiments.get("e").state == "complete")
        go.clear()
        started.clear()
        workspace.experiments.create("f", spec("better"))
        workspace.experiments.run("f")
        assert started.wait(30)
        go.set()
    reader.then = lambda text: None
    with Workspace.open(engine(), clock=clock) as workspace:
        assert workspace.experiments.get("e").state == "complete"
        assert workspace.experiments.get("f").state in ("stopped", "complete")
        workspace.experiments.run("f")
        settle(lambda: workspace.experiments.get("f").state == "complete")


def settle(is_so):
    pause = threading.Event()
    for _ in range(6000):
        if is_so():
            return
        pause.wait(0.005)
    raise AssertionError("it did not come to that")
