"""The pipeline as a whole: stages, order, account, refusals."""

import gc
from pathlib import Path

import pytest

from indx_core.contracts.space import chunk_id, document_id
from indx_core.discovery import Registry
from indx_core.errors import BuildError, ConfigurationError, UsageError
from indx_core.hooks import Hooks, hookimpl
from indx_runtime import Engine
from indx_space import SpaceContext
from indx_space.pipeline import Chunk, Embed, Enrich, Pack, Parse, Relate, Walk
from indx_space.pipeline.directory import STAGES, DirectoryPipeline

FILES = {
    "index.md": "# Home\n\nSee [the guide](guides/start.md).",
    "guides/start.md": "# Start\n\nFirst words.\n\nSecond words.",
    "guides/next.md": "# Next\n\nMore words.",
}


def test_a_folder_becomes_a_space(tree, build):
    space = build(tree(FILES))
    assert [d.path for d in space.documents_] == ["guides/next.md", "guides/start.md", "index.md"]
    start = space.documents_[1]
    assert start.id == document_id("guides/start.md")
    assert start.ordinal_id == "doc_0001"
    assert start.lineage == ["guides"]
    assert start.size_bytes == len(FILES["guides/start.md"])
    assert start.chunk_ids == [chunk_id(start.id, n) for n in range(3)]
    assert [c.text for c in space.chunks if c.doc_id == start.id] == [
        "# Start",
        "First words.",
        "Second words.",
    ]
    assert [c.ordinal for c in space.chunks] == list(range(len(space.chunks)))
    assert space.root == str(tree({}).resolve())


def test_chunks_know_their_neighbours_their_place_and_their_source(tree, build):
    space = build(tree({"a/b.md": "# Part\n\nBOXED words.\n\nIMAGE\n\nTABLE of words.\f# Last\n\nwords"}))
    one, two, three, *_, last = space.chunks
    assert (one.prev_id, one.next_id, two.prev_id, last.next_id) == (None, two.id, one.id, None)
    assert two.source.model_dump() == {"path": "a/b.md", "folder": "a", "type": None}
    assert two.metadata["page"] == 1
    assert two.metadata["block_id"] == "p1.c1"
    assert two.metadata["section"] == ["Part"]
    assert two.metadata["bbox"] == [0.1, 0.2, 0.3, 0.4]
    assert three.metadata["block_id"] == "p1.c3", "an image counts in the numbers of blocks"
    assert three.metadata["layout"] == {"role": "table", "rows": 3, "columns": 2, "header_rows": 1}
    assert "bbox" not in three.metadata
    assert last.metadata["page"] == 2


def test_a_chunk_of_what_the_document_hides_says_so(tree, build):
    shown, hidden = build(tree({"a.md": "Shown.\n\nHIDDEN words."})).chunks
    assert "hidden" not in shown.metadata
    assert hidden.metadata["hidden"] is True


def test_stages_run_in_order_and_each_leaves_its_own_part(tree, pipeline):
    made = pipeline(tree({"a.md": "TYPE:policy topicone [b](b.md)", "b.md": "words"}))
    assert [stage.name for stage in made.stages] == [
        "Walk", "Parse", "Chunk", "Relate", "Enrich", "Embed", "Pack",
    ]  # fmt: skip
    seen = []

    class Look:
        def run(self, ctx):
            space = ctx.space
            seen.append(
                (
                    len(space.documents_),
                    len(ctx.parsed),
                    len(space.chunks),
                    bool(space.relations),
                    space.documents_[0].doc_type,
                    space.chunks[0].embedding is not None if space.chunks else False,
                )
            )
            return ctx

    made.stages = [one for stage in made.stages for one in (stage, Look())]
    made.run()
    assert seen == [
        (2, 0, 0, False, None, False),
        (2, 2, 0, False, None, False),
        (2, 2, 2, False, None, False),
        (2, 2, 2, True, None, False),
        (2, 2, 2, True, "policy", False),
        (2, 2, 2, True, "policy", True),
        (2, 2, 2, True, "policy", True),
    ]


def test_every_stage_returns_the_context_it_was_given(tree, pipeline):
    made = pipeline(tree(FILES))
    ctx = None

    class Same:
        def __init__(self, stage):
            self.stage = stage

        def run(self, given):
            nonlocal ctx
            ctx = ctx or given
            assert self.stage.run(given) is given is ctx
            return given

    made.stages = [Same(stage) for stage in made.stages]
    assert made.run() is ctx.space


def test_a_stage_that_returns_another_context_is_refused(tree, pipeline):
    made = pipeline(tree(FILES))

    class Other:
        def run(self, ctx):
            return SpaceContext(root=ctx.root, space=ctx.space)

    made.stages.insert(1, Other())
    with pytest.raises(BuildError, match="Other returned another context"):
        made.run()


def test_a_stage_between_walk_and_parse_chooses_what_is_read(tree, pipeline, calls):
    made = pipeline(tree(FILES))

    class OnlyGuides:
        def run(self, ctx):
            ctx.space.documents_[:] = [d for d in ctx.space.documents_ if d.folder == "guides"]
            return ctx

    made.stages.insert(1, OnlyGuides())
    space = made.run()
    assert [d.path for d in space.documents_] == ["guides/next.md", "guides/start.md"]
    assert ("open", "index.md") not in calls


def test_a_stage_that_changes_chunks_is_followed_by_lanes_and_vectors(tree, pipeline, tmp_path):
    root = tree({"a.md": "secret topicone"})
    pipeline(root, cache=tmp_path / "c").run()
    made = pipeline(root, cache=tmp_path / "c")

    class Redact:
        def run(self, ctx):
            for chunk in ctx.space.chunks:
                chunk.text = chunk.text.replace("topicone", "topictwo and more")
            return ctx

    made.stages.insert(3, Redact())
    space = made.run()
    assert space.documents_[0].topics == ["topictwo"]
    assert space.chunks[0].embedding[0] == len(space.chunks[0].text)


def test_stopping_early_leaves_what_was_done(tree, pipeline):
    made = pipeline(tree(FILES))
    made.stages = made.stages[:3]
    space = made.run()
    assert len(space.chunks) == 7
    assert not space.relations


def test_stages_of_ones_own_take_the_place_of_all(tree, pipeline):
    class Nothing:
        def run(self, ctx):
            return ctx

    assert len(pipeline(tree(FILES), stages=[Nothing()]).run().documents_) == 0


def test_two_builds_of_one_input_are_equal(tree, build):
    root = tree(FILES)
    first, second = build(root), build(root)
    assert first == second
    assert [c.metadata for c in first.chunks] == [c.metadata for c in second.chunks]


def test_a_pipeline_runs_again(tree, pipeline):
    made = pipeline(tree(FILES))
    first = made.run()
    second = made.run()
    assert first == second
    assert made.report.parsed == 3


def test_the_order_is_that_of_the_bytes_of_composed_paths(tree, build):
    space = build(tree({"a-b/x.md": "w", "a/x.md": "w", "B.md": "w", "é.md": "w", "z.md": "w"}))
    assert [d.path for d in space.documents_] == ["B.md", "a-b/x.md", "a/x.md", "z.md", "é.md"]


def test_the_report_counts(tree, build):
    space = build(tree({**FILES, "bad.md": "UNOPENABLE", "x.bin": b"\0\1", ".hidden.md": "w"}))
    report = build.last.report
    assert (report.documents, report.chunks) == (3, 7)
    assert report.relations == space.stats.relations > 0
    assert report.embeddings == 7 == report.embedded
    assert (report.parsed, report.cached, report.enriched) == (3, 0, 3)
    assert report.skipped == {"hidden": 1, "unsupported": 1}
    assert {e.code for e in report.errors} == {"source_unreadable", "unsupported_media_type"}
    assert report.cost_usd > 0


def test_time_is_told_by_the_clock_given(tree, pipeline):
    ticks = iter(range(100))
    made = pipeline(tree(FILES), clock=lambda: next(ticks))
    made.run()
    assert made.report.seconds == dict.fromkeys(
        ["Walk", "Parse", "Chunk", "Relate", "Enrich", "Embed", "Pack"], 1
    )


def test_metadata_says_how_the_space_was_made(tree, build):
    space = build(tree({**FILES, ".hidden.md": "w"}), layer={"walk": {"exclude": ["guides/next.md"]}})
    assert space.metadata["config"]["walk"]["exclude"] == ["guides/next.md"]
    assert space.metadata["config"]["embed"] == {"space": "default-text"}
    assert space.metadata["config"]["enrich"]["enrichers"] == ["extractive", "keywords"]
    assert "output" not in space.metadata["config"]
    assert space.metadata["skipped"] == {"excluded": 1, "hidden": 1}
    assert space.metadata["errors"] == []
    assert space.metadata["embedder"] == {"name": "default-text", "dim": 4}


def test_hooks_hear_how_far_each_stage_is(tree, pipeline):
    heard = []

    class Watcher:
        @hookimpl
        def indx_stage_progress(self, stage, done, total, item):
            heard.append((stage, done, total, item))

    hooks = Hooks()
    hooks.register(Watcher())
    pipeline(tree({"a.md": "w", "b.md": "w"}), hooks=hooks).run()
    assert [h for h in heard if h[0] == "Parse"] == [("Parse", 1, 2, "a.md"), ("Parse", 2, 2, "b.md")]
    assert {h[0] for h in heard} >= {"Walk", "Parse", "Chunk", "Relate", "Enrich", "Embed"}


def test_hooks_hear_of_each_attempt_whether_it_was_made_here_or_in_a_worker(tree, registry):
    heard = []

    class Watcher:
        @hookimpl
        def indx_capability_attempted(self, capability_id, pages, outcome, reason):
            heard.append((capability_id, pages, outcome, reason))

    hooks = Hooks()
    hooks.register(Watcher())
    root = tree({"a.md": "w\fSCAN", "b.hostile": "HOSTILE w\fSCAN"})
    DirectoryPipeline(root, engine=Engine(registry, hooks=hooks), cache=None, hooks=hooks, jobs=1).run()
    for reader in ("plain-reader", "hostile-reader"):
        assert (reader, (1,), "read", None) in heard
        assert (reader, (2,), "unread", "no_text_layer") in heard
    assert len(heard) == 6, "the unread page of each went to a person"


def test_a_pipeline_without_an_engine_of_its_own_has_one_that_tells_the_same_hooks(tree):
    hooks = Hooks()
    made = DirectoryPipeline(tree({"a.md": "w"}), cache=None, hooks=hooks)
    assert made.engine._watchers._hooks is hooks


def test_strict_ends_after_the_stage_in_which_something_failed(tree, pipeline):
    made = pipeline(tree({**FILES, "bad.md": "UNOPENABLE"}), strict=True)
    after = []

    class Mark:
        def run(self, ctx):
            after.append("reached")
            return ctx

    made.stages.insert(2, Mark())
    with pytest.raises(BuildError, match=r"'bad.md'") as caught:
        made.run()
    assert caught.value.code == "strict_failure"
    assert not after


def test_strict_takes_no_offence_at_a_type_nothing_reads(tree, pipeline):
    assert len(pipeline(tree({**FILES, "x.bin": b"\0\1"}), strict=True).run().documents_) == 3


def test_an_input_that_is_not_there_is_refused(tmp_path, registry):
    with pytest.raises(UsageError, match="does not exist") as caught:
        DirectoryPipeline(tmp_path / "no", engine=Engine(registry))
    assert caught.value.code == "input_missing"
    (tmp_path / "file.txt").write_text("plain")
    with pytest.raises(UsageError, match="no folder, ZIP or TAR"):
        DirectoryPipeline(tmp_path / "file.txt", engine=Engine(registry))


@pytest.mark.parametrize("address", ["s3://bucket/docs", "https://example.org/docs.zip"])
def test_an_address_is_no_input_and_the_command_that_takes_one_is_named(tmp_path, registry, address):
    with pytest.raises(UsageError, match="is an address, of which `indx encode` reads") as caught:
        DirectoryPipeline(tmp_path / address, engine=Engine(registry))
    assert caught.value.code == "input_missing"


def test_an_input_with_nothing_to_read_is_refused_saying_what_was_left_out(tree, build):
    with pytest.raises(
        UsageError, match=r"1 hidden\); take some of it in by \[walk\] of indx.toml"
    ) as caught:
        build(tree({".only.md": "w"}))
    assert caught.value.code == "input_empty"
    (tree({}) / "empty").mkdir()
    with pytest.raises(UsageError, match="left out: nothing") as caught:
        build(tree({}) / "empty")
    assert caught.value.message.endswith("(left out: nothing); name another folder")


@pytest.mark.parametrize("missing", ["indx.capabilities", "indx.observers", "indx.chunkers"])
def test_without_readers_or_chunkers_nothing_begins(tree, candidates, missing):
    registry = Registry([c for c in candidates if c.group != missing])
    with pytest.raises(ConfigurationError, match=r"indx\[standard\]") as caught:
        DirectoryPipeline(tree(FILES), engine=Engine(registry))
    assert (caught.value.code, caught.value.exit_code) == ("nothing_installed", 3)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("none", r"nothing that INDX_PLUGINS lets in \(none\) reads documents; unset it"),
        ("space-fake", "INDX_PLUGINS names 'space-fake', which is not installed .did you mean 'space-fakes'"),
        ("indx-core,space-fake", r"lets in \(indx-core, space-fake\) reads documents; INDX_PLUGINS names 's"),
    ],
)
def test_the_setting_that_leaves_out_every_reader_is_named(tree, monkeypatch, fakes, setting, said):
    monkeypatch.setenv("INDX_PLUGINS", setting)
    with pytest.raises(ConfigurationError, match=said) as caught:
        DirectoryPipeline(tree(FILES), engine=Engine(Registry()))
    assert caught.value.code == "nothing_installed"


@pytest.mark.parametrize(
    ("layer", "names"),
    [
        ({"parse": {"readers": ["plain-raeder"]}}, "did you mean 'plain-reader'"),
        ({"chunk": {"chunkers": ["paragraphs@9"]}}, "installed: 1"),
        ({"chunk": {"chunkers": ["pages"]}}, "installed: paragraphs, whole"),
        ({"enrich": {"classifiers": ["nouns"]}}, "installed: words, words-chunk"),
        ({"enrich": {"enrichers": ["keyword"]}}, "did you mean 'keywords'"),
        ({"enrich": {"extractors": ["nams-chunk"]}}, "did you mean 'names-chunk'"),
        (
            {"enrich": {"extractors": ["names"]}},
            "'names' is a lane for pages; .* for chunks: take 'names-chunk'",
        ),
        (
            {"enrich": {"classifiers": ["words-page"]}},
            "'words-page' is a lane for pages; .*: take 'words-chunk'",
        ),
        (
            {"enrich": {"enrichers": ["lone-page"]}},
            "for pages; .*: those are extractive, keywords, keywords-chunk",
        ),
        ({"embed": {"space": "mine"}}, "installed: default-text, other-space"),
        ({"output": {"writers": ["parquet"]}}, "installed: lines"),
    ],
)
def test_a_part_that_is_not_installed_is_refused_before_any_work(tree, pipeline, calls, layer, names):
    with pytest.raises(ConfigurationError, match=names) as caught:
        pipeline(tree(FILES), layer=layer)
    assert caught.value.code == "unknown_component"
    assert not calls


def test_an_output_that_would_be_walked_is_refused(tree, pipeline):
    root = tree(FILES)
    for out in (root, root / "ready", root / "guides" / "ready"):
        with pytest.raises(UsageError) as caught:
            pipeline(root, out)
        assert caught.value.code == "output_inside_input"


def test_an_output_around_the_input_is_refused(tree, pipeline):
    root = tree(FILES)
    with pytest.raises(UsageError) as caught:
        pipeline(root, root.parent)
    assert caught.value.code == "input_inside_output"


def test_a_link_does_not_hide_that_the_output_is_inside(tree, pipeline, tmp_path):
    root = tree(FILES)
    (tmp_path / "elsewhere").symlink_to(root / "guides")
    with pytest.raises(UsageError) as caught:
        pipeline(root, tmp_path / "elsewhere" / "ready")
    assert caught.value.code == "output_inside_input"


@pytest.mark.parametrize(
    ("out", "files"),
    [
        (".ready", {}),
        ("ready", {".indxignore": "ready/"}),
        ("ready", {".gitignore": "/ready"}),
        ("guides/ready", {"guides/.indxignore": "ready"}),
        ("ready", {"indx.toml": '[walk]\nexclude = ["ready/"]'}),
    ],
)
def test_an_output_that_would_not_be_walked_may_be_inside(tree, pipeline, out, files):
    root = tree({**FILES, **files})
    pipeline(root, root / out).run()
    space = pipeline(root, root / out).run()
    assert len(space.documents_) == 3


def test_the_output_holds_the_space(tree, build, tmp_path):
    space = build(tree(FILES), tmp_path / "out", layer={"output": {"name": "mine", "writers": ["lines"]}})
    assert {p.name for p in (tmp_path / "out").iterdir()} == {
        "mine.indx", "index.json", "chunks", "embeddings", "chunks.txt",
    }  # fmt: skip
    assert (tmp_path / "out" / "chunks.txt").read_text().split("\n") == [c.id for c in space.chunks]
    loaded = type(space).load(tmp_path / "out" / "mine.indx")
    assert [c.text for c in loaded.chunks] == [c.text for c in space.chunks]
    assert loaded.metadata["errors"] == []
    loaded.close()


def test_an_output_in_use_is_refused_before_anything_is_read(tree, pipeline, tmp_path, calls):
    from indx_space.output import OutputTransaction

    made = pipeline(tree(FILES), tmp_path / "out")
    with OutputTransaction(tmp_path / "out"), pytest.raises(BuildError) as caught:
        made.run()
    assert caught.value.code == "output_locked"
    assert not calls


def test_the_garbage_collector_is_left_as_it_was(tree, build):
    before = gc.get_threshold()
    build(tree(FILES))
    with pytest.raises(BuildError):
        build(tree({"bad.md": "UNOPENABLE"}), strict=True)
    assert gc.get_threshold() == before


def test_the_root_may_be_relative(tree, registry, monkeypatch):
    root = tree(FILES)
    monkeypatch.chdir(root.parent)
    space = DirectoryPipeline("input", engine=Engine(registry), cache=None).run()
    assert space.root == str(root)
    assert Path(space.root).is_absolute()


def test_configuration_in_the_folder_is_found_and_is_no_document(tree, registry):
    root = tree({**FILES, "indx.toml": '[embed]\nspace = "none"'})
    space = DirectoryPipeline(root, engine=Engine(registry), cache=None).run()
    assert space.chunks[0].embedding is None
    assert "embedder" not in space.metadata
    assert space.stats.embed_dim is None
    assert space.metadata["skipped"] == {"configuration": 1}


def test_the_stage_classes_are_public(tree, pipeline):
    classes = [Walk, Parse, Chunk, Relate, Enrich, Embed, Pack]
    assert list(STAGES) == classes
    assert [type(stage) for stage in pipeline(tree(FILES)).stages] == classes
