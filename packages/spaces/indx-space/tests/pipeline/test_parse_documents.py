"""Parse: what becomes a document, what becomes an error, in this process and in workers."""

import logging
from typing import ClassVar

import pytest

from indx_core.contracts.space import document_id
from indx_space.pipeline.records import make_record


def errors(space):
    return {(e["path"], e["code"]) for e in space.metadata["errors"]}


def paths(space):
    return [d.path for d in space.documents_]


def test_parsed_documents_carry_what_later_stages_need(tree, pipeline):
    made = pipeline(tree({"a.md": "# Top\n\nSTATED [b](x.md)\f## Two\n\nwords"}))
    kept = {}

    class Keep:
        def run(self, ctx):
            kept.update(ctx.parsed)
            return ctx

    made.stages[2:] = [Keep()]
    made.run()
    parsed = kept[document_id("a.md")]
    assert parsed.digest.startswith("sha256:")
    assert (parsed.media_type, parsed.pages, parsed.title) == ("text/markdown", 2, "Stated Title")
    assert [(h.page, h.level, h.text) for h in parsed.headings] == [(1, 1, "Top"), (2, 2, "Two")]
    assert [(k.page, k.target, k.draft) for k in parsed.links] == [(1, "x.md", 1)]
    assert [(page, draft.text) for page, draft in parsed.drafts] == [
        (1, "# Top"),
        (1, "STATED [b](x.md)"),
        (2, "## Two"),
        (2, "words"),
    ]
    assert parsed.metadata == {"title": "Stated Title"}


def test_a_title_is_the_first_heading_of_the_highest_level(tree, pipeline):
    made = pipeline(tree({"a.md": "## Sub\n\n# Main\n\n# Other"}))
    titles = []

    class Keep:
        def run(self, ctx):
            titles.extend(p.title for p in ctx.parsed.values())
            return ctx

    made.stages[2:] = [Keep()]
    made.run()
    assert titles == ["Main"]


def test_one_bad_file_is_an_entry_and_the_others_are_read(tree, build):
    space = build(
        tree(
            {
                "good.md": "w",
                "bad.md": "UNOPENABLE",
                "locked.md": "LOCKED",
                "broken.md": "RAISE",
                "other.bin": b"\0\1\2",
            }
        )
    )
    assert paths(space) == ["good.md"]
    assert errors(space) == {
        ("bad.md", "source_unreadable"),
        ("locked.md", "source_encrypted"),
        ("broken.md", "source_unreadable"),
        ("other.bin", "unsupported_media_type"),
    }
    assert all(e["stage"] == "Parse" and e["message"] for e in space.metadata["errors"])


def test_what_nobody_foresaw_is_an_entry_too(tree, build, monkeypatch):
    from indx_space.pipeline import parse

    made = parse.make_record

    def failing(progress):
        if any("ODD" in reading.text for reading in progress.readings.values()):
            raise ZeroDivisionError("an unforeseen one")
        return made(progress)

    monkeypatch.setattr(parse, "make_record", failing)
    space = build(tree({"odd.md": "ODD", "good.md": "w"}))
    assert paths(space) == ["good.md"]
    (error,) = space.metadata["errors"]
    assert (error["code"], error["message"]) == ("internal_error", "ZeroDivisionError: an unforeseen one")


def test_a_document_of_which_nothing_was_read_stays_and_says_so(tree, build):
    space = build(tree({"scan.md": "SCAN", "half.md": "words\fSCAN\fSCAN\fmore"}))
    assert paths(space) == ["half.md", "scan.md"]
    assert space.documents_[1].chunk_ids == []
    assert [c.metadata["page"] for c in space.chunks] == [1, 4]
    messages = {e["path"]: e["message"] for e in space.metadata["errors"]}
    assert messages == {
        "scan.md": "the page was not read: no_text_layer",
        "half.md": "pages 2, 3 were not read: no_text_layer",
    }


def test_pages_of_which_there_is_a_picture_only_say_what_would_read_them(tree, build):
    space = build(tree({"a.md": "SCAN PICTURE\fSCAN\fwords"}))
    messages = sorted(e["message"] for e in space.metadata["errors"])
    assert messages[0].startswith("page 1 was not read: no_text_layer (")
    assert 'pip install "indx[ocr]"' in messages[0]
    assert messages[1] == "page 2 was not read: no_text_layer"


def test_many_unread_pages_are_one_line(tree, build):
    space = build(tree({"a.md": "w\f" + "\f".join(["SCAN"] * 30)}))
    (error,) = space.metadata["errors"]
    assert error["message"] == "pages 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 20 more were not read: no_text_layer"


def test_a_constraint_no_reader_meets_leaves_a_document_without_chunks(tree, build):
    space = build(tree({"a.md": "w"}), layer={"parse": {"readers": ["hostile-reader"]}})
    assert paths(space) == ["a.md"]
    assert errors(space) == {("a.md", "plan_unsatisfied")}
    assert not space.chunks


def test_chunkers_named_are_asked_first(tree, build):
    space = build(tree({"a.md": "one\n\ntwo"}), layer={"chunk": {"chunkers": ["whole@1"]}})
    assert [c.text for c in space.chunks] == ["one\n\ntwo"]


def test_more_bytes_than_are_taken_are_refused(tree, build, monkeypatch):
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "10")
    space = build(tree({"a.md": "w", "b.md": "x" * 11}))
    assert paths(space) == ["a.md"]
    assert errors(space) == {("b.md", "input_too_large")}


def test_a_file_that_vanishes_before_it_is_read_is_dropped_with_an_entry(tree, pipeline):
    root = tree({"a.md": "w", "b.md": "w"})
    made = pipeline(root)

    class Remove:
        def run(self, ctx):
            (root / "a.md").unlink()
            return ctx

    made.stages.insert(1, Remove())
    space = made.run()
    assert paths(space) == ["b.md"]
    assert errors(space) == {("a.md", "vanished")}


def test_the_size_is_that_of_what_was_read(tree, pipeline):
    root = tree({"a.md": "w"})
    made = pipeline(root)

    class Grow:
        def run(self, ctx):
            (root / "a.md").write_text("words and more")
            return ctx

    made.stages.insert(1, Grow())
    space = made.run()
    assert space.documents_[0].size_bytes == 14
    assert space.chunks[0].text == "words and more"


class TestLargeFiles:
    """Files that stay on the disk while they are read."""

    TEXT = "word " * 300_000

    def test_they_are_read_from_there(self, tree, build):
        space = build(tree({"a.md": self.TEXT}))
        assert len(space.chunks[0].text) == len(self.TEXT)

    @pytest.mark.parametrize(("times", "stays"), [(1, True), (2, False)])
    def test_one_that_changes_meanwhile_is_read_once_more(
        self, tree, pipeline, fakes, monkeypatch, times, stays
    ):
        root = tree({"a.md": self.TEXT, "b.md": "w"})
        left = [times]
        opened = fakes.Observer.open

        def meddling(self, source):
            session = opened(self, source)
            if source.filename == "a.md" and left[0]:
                left[0] -= 1
                with (root / "a.md").open("a") as file:
                    file.write("more")
            return session

        monkeypatch.setattr(fakes.Observer, "open", meddling)
        made = pipeline(root)
        space = made.run()
        assert paths(space) == (["a.md", "b.md"] if stays else ["b.md"])
        if stays:
            assert space.chunks[0].text == self.TEXT + "more"
            assert made.report.parsed == 2
        else:
            assert errors(space) == {("a.md", "source_unreadable")}

    def test_one_removed_meanwhile_is_dropped(self, tree, build, fakes, monkeypatch):
        root = tree({"a.md": self.TEXT, "b.md": "w"})
        opened = fakes.Observer.open

        def removing(self, source):
            session = opened(self, source)
            (root / "a.md").unlink(missing_ok=True)
            return session

        monkeypatch.setattr(fakes.Observer, "open", removing)
        space = build(root)
        assert paths(space) == ["b.md"]
        assert errors(space) == {("a.md", "vanished")}


class TestWorkers:
    """Types that native code reads are read in processes that may die."""

    FILES: ClassVar = {f"{n:02d}.x": f"HOSTILE words of {n}" for n in range(6)}

    def test_results_stand_in_order_beside_those_of_this_process(self, tree, build):
        files = {**self.FILES, "03a.md": "plain", "99.md": "plain"}
        space = build(tree(files), jobs=2)
        assert paths(space) == sorted(files)
        assert [c.text for c in space.chunks if c.source.path.endswith(".x")] == list(self.FILES.values())

    def test_as_many_jobs_as_one_likes_give_the_same_space(self, tree, build):
        bad = {f"{n:02d}{kind}.x": f"HOSTILE {kind}" for n in range(4) for kind in ("UNOPENABLE", "SCAN")}
        root = tree({**self.FILES, **bad, "01b.md": "UNOPENABLE"})
        one, three = build(root, jobs=1), build(root, jobs=3)
        assert one == three
        assert len(one.metadata["errors"]) == 9

    def test_nothing_of_them_is_opened_in_this_process(self, tree, build, calls):
        build(tree({"a.x": "HOSTILE w", "b.md": "w"}), jobs=1)
        assert [call for call in calls if call[0] == "open"] == [("open", "b.md")]

    def test_a_document_that_ends_its_worker_is_an_entry(self, tree, build, caplog):
        caplog.set_level(logging.CRITICAL)
        space = build(tree({**self.FILES, "dead.x": "HOSTILE DIE"}), jobs=2)
        assert paths(space) == sorted(self.FILES)
        assert errors(space) == {("dead.x", "source_unreadable")}

    def test_a_page_that_breaks_its_reader_is_an_entry_and_the_document_stays(self, tree, build):
        space = build(tree({"a.x": "HOSTILE one\fBREAK\fthree"}), jobs=1)
        assert [c.text for c in space.chunks] == ["HOSTILE one", "three"]
        assert errors(space) == {("a.x", "page_unread")}

    def test_an_interrupt_ends_the_workers(self, tree, pipeline, fakes, monkeypatch):
        made = pipeline(tree({"a.x": "HOSTILE w", "b.md": "w"}), jobs=1)

        def interrupted(self, source):
            raise KeyboardInterrupt

        monkeypatch.setattr(fakes.Observer, "open", interrupted)
        with pytest.raises(KeyboardInterrupt):
            made.run()


class TestMembers:
    """Documents inside documents."""

    def test_attachments_are_documents_of_their_own(self, tree, build):
        box = "BOX----\nmember a.md|# Inner\\n\\nwords\nmember sub/b.md|[up](../a.md)\nmember c.bin|\0"
        space = build(tree({"mail.x": box, "z.md": "w"}))
        assert paths(space) == ["mail.x", "mail.x!/a.md", "mail.x!/sub/b.md", "z.md"]
        assert space.documents_[1].lineage == ["mail.x!"]
        assert space.documents_[2].references[0].dst == "mail.x!/a.md"
        assert errors(space) == {("mail.x!/c.bin", "unsupported_media_type")}

    def test_a_repeated_name_is_told_apart(self, tree, build):
        space = build(tree({"mail.x": "BOX----\nmember a.md|one\nmember a.md|two"}))
        assert paths(space) == ["mail.x", "mail.x!/a.md", "mail.x!/a~2.md"]

    @pytest.mark.parametrize(
        ("name", "stands"),
        [
            ("../up.md", "up.md"),
            ("..\\up.md", "up.md"),
            ("/etc/x.md", "x.md"),
            ("C:\\t\\x.md", "x.md"),
            ("..", "attachment"),
        ],
    )
    def test_a_name_that_is_no_path_inside_is_changed_and_reported(self, tree, build, name, stands):
        space = build(tree({"mail.x": f"BOX----\nmember {name}|BOX----"}))
        assert paths(space) == ["mail.x", f"mail.x!/{stands}"]
        assert errors(space) == {(f"mail.x!/{stands}", "name_changed")}

    def test_one_that_cannot_be_taken_out_is_an_entry(self, tree, build):
        space = build(tree({"mail.x": "BOX----\nmember a.md|locked\nmember b.md|w"}))
        assert paths(space) == ["mail.x", "mail.x!/b.md"]
        assert errors(space) == {("mail.x!/a.md", "member_unread")}

    def test_they_are_read_three_deep(self, tree, build):
        inner = b"BOX----"
        for depth in range(4, 0, -1):
            inner = b"BOX----\nmember %d.x|hex:%s" % (depth, inner.hex().encode())
        space = build(tree({"0.x": inner}))
        assert paths(space) == ["0.x", "0.x!/1.x", "0.x!/1.x!/2.x", "0.x!/1.x!/2.x!/3.x"]
        assert errors(space) == {("0.x!/1.x!/2.x!/3.x!/4.x", "members_too_deep")}

    def test_archives_in_the_folder_are_opened(self, tree, build, zipped):
        inner = zipped({"deep.md": "w", "../no.md": "w"})
        data = zipped(
            {"a.md": "[b](b.md)", "b.md": "w", "inner.zip": inner, ".hidden.md": "w", "x.bin": b"\0"}
        )
        space = build(tree({"pack.zip": data, "z.md": "[in](pack.zip)"}))
        assert paths(space) == ["pack.zip!/a.md", "pack.zip!/b.md", "pack.zip!/inner.zip!/deep.md", "z.md"]
        assert space.documents_[0].references[0].dst == "pack.zip!/b.md"
        assert errors(space) == {
            ("pack.zip!/inner.zip!/../no.md", "member_refused"),
            ("pack.zip!/x.bin", "unsupported_media_type"),
        }
        assert space.metadata["skipped"] == {"hidden": 1, "unsupported": 1}

    def test_archives_are_opened_three_deep(self, tree, build, zipped):
        data = zipped({"5.md": "w"})
        for depth in range(4, 0, -1):
            data = zipped({f"{depth}.zip": data, f"{depth}.md": "w"})
        space = build(tree({"0.zip": data}))
        assert paths(space) == ["0.zip!/1.md", "0.zip!/1.zip!/2.md", "0.zip!/1.zip!/2.zip!/3.md"]
        assert errors(space) == {("0.zip!/1.zip!/2.zip!/3.zip", "members_too_deep")}

    def test_a_format_that_happens_to_be_a_zip_is_not_opened(self, tree, build, zipped):
        space = build(
            tree({"a.md": "w", "b.odt": zipped({"mimetype": "x", "content.xml": "w", "c.md": "w"})})
        )
        assert paths(space) == ["a.md"]
        space = build(tree({"b": zipped({"[Content_Types].xml": "w", "c.md": "w"})}))
        assert paths(space) == ["a.md"]
        assert ("b", "unsupported_media_type") in errors(space)

    def test_a_damaged_archive_is_an_entry(self, tree, build, zipped):
        space = build(tree({"a.md": "w", "b.zip": zipped({"c.md": "w"})[:40]}))
        assert paths(space) == ["a.md"]
        assert errors(space) == {("b.zip", "source_unreadable")}

    def test_an_archive_without_files_is_an_entry(self, tree, build, zipped, tmp_path):
        root = tree(
            {"a.md": "w", "b.zip": zipped({}), "c.zip": zipped({"d/": ""}), "e.zip": zipped({".f": "w"})}
        )
        for _ in range(2):  # what was remembered says so too
            space = build(root, cache=tmp_path / "kept")
            assert paths(space) == ["a.md"]
            assert errors(space) == {("b.zip", "archive_empty"), ("c.zip", "archive_empty")}
        assert space.metadata["skipped"] == {"hidden": 1}

    def test_the_folder_that_looks_like_a_container_keeps_its_paths(self, tree, build, zipped):
        space = build(tree({"a.zip": zipped({"x.md": "one"}), "a.zip!/x.md": "two"}))
        assert paths(space) == ["a.zip!/x.md", "a.zip!/x~2.md"]
        assert [c.text for c in space.chunks] == ["two", "one"]

    def test_patterns_choose_containers_and_not_what_is_inside(self, tree, build, zipped):
        layer = {"walk": {"include": ["*.zip"]}}
        space = build(tree({"a.zip": zipped({"x.md": "w"}), "b.md": "w"}), layer=layer)
        assert paths(space) == ["a.zip!/x.md"]


def test_attachments_lost_with_a_worker_are_there_the_next_time(tree, build, tmp_path):
    root = tree({"a.x": f"HOSTILE\nENDED ONCE {tmp_path / 'ended'}\nmember in.md|words"})
    first = build(root, cache=tmp_path / "kept")
    assert (paths(first), errors(first)) == (["a.x"], {("a.x", "member_unread")})
    second = build(root, cache=tmp_path / "kept")
    assert (paths(second), errors(second)) == (["a.x", "a.x!/in.md"], set())


def test_a_record_takes_whatever_a_reader_hands_over(fakes):
    from array import array

    from indx_core.ports import ChunkDraft, Heading, Link, PageReading
    from indx_runtime.progress import Attempt, Attempted, Cut, Opened, Progress

    progress = Progress()
    progress.apply(Opened(1, "x"))
    text = "a\ud800b"
    metadata = {"k\0": float("nan"), "big": 2**70, "list": (1, {"x": object()}), "fine": True, "s": "\udfff"}
    reading = PageReading(
        1, text, array("q", [0]), array("q", [3]), metadata=metadata, headings=[Heading(0, 3, 1)]
    )
    reading.links = [Link(0, 1, "\ud800.md")]
    progress.apply(Attempted(Attempt("r", 1, "read", None, None, 1.0, 0.0), reading))
    drafts = {1: [ChunkDraft(text, spans=[(0, 3)], box=(0.9, 0.1, 0.2, 1.7), section=["\0"])]}
    progress.apply(Cut("d", "c", 1, drafts))
    record = make_record(progress)
    assert record["metadata"] == {
        "k�": None,
        "big": str(2**70),
        "list": [1, {"x": None}],
        "fine": True,
        "s": "�",
    }
    assert record["drafts"] == [[1, "a�b", [[0, 3]], [0.9, 0.1, 0.9, 1.0], None, None, ["�"]]]
    assert record["links"] == [[1, 0, 1, "�.md", 0]]
    assert record["title"] == "a�b"
