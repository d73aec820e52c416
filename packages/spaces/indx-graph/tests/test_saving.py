"""An index survives whatever ends an ingest, at every step, and foreign folders are left alone."""

from __future__ import annotations

import threading

import pytest

from indx_core.errors import BuildError
from indx_graph import IndexError_, IndexWarning, SpectRAGIngestion, SpectRAGRetrieval, rebuild_graph
from indx_graph.saving import Saving

OLD = [{"id": "old", "text": "What was there before."}]


def saver(making, disk):
    """Ingests the corpus over an older index, on a disk."""
    ingestion = SpectRAGIngestion(making.folder, embed_fn=making.toy, disk=disk)
    return lambda: ingestion.ingest_texts(making.texts[:3])


def ids(making, **more):
    return [chunk.id for chunk in making.open(**more).chunks]


def new_ids(making):
    return [text["id"] for text in making.texts[:3]]


def all_steps(making):
    disk = making.Disk()
    saver(making, disk)()
    return disk.steps


def test_files_are_written_beside_and_the_account_last(making):
    making.ingest(OLD)
    steps = all_steps(making)
    created = [step.removeprefix("create ") for step in steps if step.startswith("create")]
    assert created[-1] == "info.json"
    last_write = max(place for place, step in enumerate(steps) if step.startswith("write"))
    assert steps[last_write + 1 :] == [
        "rename index index.old",
        "rename index.partial index",
        "remove index.old",
    ]
    assert sorted(path.name for path in making.folder.parent.iterdir()) == ["index"]


def test_a_first_ingest_renames_once(making):
    assert [step for step in all_steps(making) if step.startswith(("rename", "remove"))] == [
        "rename index.partial index"
    ]


@pytest.mark.parametrize("before", [True, False], ids=["over an index", "into nothing"])
def test_killed_at_any_step_a_whole_index_is_left_and_the_next_ingest_goes_through(making, tmp_path, before):
    counting = making.Disk()
    if before:
        making.ingest(OLD)
    saver(making, counting)()
    for at in range(len(counting.steps)):
        making.folder = tmp_path / str(at) / "index"
        if before:
            making.ingest(OLD)
        with pytest.raises(making.Killed):
            saver(making, making.Disk(at))()
        stands = making.folder.exists()
        if before and not stands:
            with pytest.warns(IndexWarning, match=r"index\.old"):
                assert ids(making) == ["old"]
        elif stands:
            done = counting.steps[at].startswith("remove")
            assert ids(making) == (new_ids(making) if done else ["old"]), counting.steps[at]
        else:
            with pytest.raises(IndexError_, match="does not exist"):
                making.open()
        saver(making, making.Disk())()
        assert ids(making) == new_ids(making)
        assert [path.name for path in making.folder.parent.iterdir()] == ["index"]


def test_a_full_disk_at_any_step_leaves_what_was_there(making, tmp_path):
    making.ingest(OLD)
    steps = all_steps(making)
    for at, name in enumerate(steps):
        if name.startswith("remove"):
            continue
        making.folder = tmp_path / f"full{at}" / "index"
        making.ingest(OLD)
        with pytest.raises(BuildError) as caught:
            saver(making, making.Disk(at, OSError(28, "No space left on device")))()
        assert caught.value.code == "disk_full"
        assert ids(making) == ["old"]
        assert [path.name for path in making.folder.parent.iterdir()] == ["index"], name


def test_when_the_new_index_cannot_be_moved_in_the_old_one_is_moved_back(making):
    making.ingest(OLD)
    steps = all_steps(making)
    making.ingest(OLD)
    disk = making.Disk(steps.index("rename index.partial index"), OSError(13, "Permission denied"))
    with pytest.raises(BuildError, match="Permission denied"):
        saver(making, disk)()
    assert disk.steps[-2:] == ["rename index.old index", "remove index.partial"]
    assert ids(making) == ["old"]


def test_an_index_set_aside_is_read_and_the_next_ingest_brings_it_back_first(making):
    making.ingest(OLD)
    making.folder.rename(making.folder.with_name("index.old"))
    with pytest.warns(IndexWarning, match="missing"):
        assert ids(making) == ["old"]
    disk = making.Disk()
    saver(making, disk)()
    assert disk.steps[0] == "rename index.old index"
    assert ids(making) == new_ids(making)


def test_fusing_again_works_on_an_index_set_aside(making):
    making.ingest(making.texts[:3])
    making.folder.rename(making.folder.with_name("index.old"))
    rebuild_graph(making.folder)
    assert ids(making) == new_ids(making)


def test_what_is_left_of_a_replaced_index_is_dropped(making):
    making.ingest(OLD)
    old = making.folder.with_name("index.old")
    old.mkdir()
    (old / "chunks.json").write_text("[]")
    making.ingest()
    assert not old.exists()


def test_an_index_set_aside_that_is_not_whole_is_kept(making):
    making.ingest(OLD)
    old = making.folder.with_name("index.old")
    making.folder.rename(old)
    (old / "info.json").unlink()
    with pytest.raises(IndexError_, match="not whole"):
        making.ingest()
    assert (old / "chunks.json").exists()


def test_a_stale_partial_does_not_block(making):
    partial = making.folder.with_name("index.partial")
    partial.mkdir()
    (partial / "chunks.json").write_text("[")
    making.ingest()
    assert not partial.exists()


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: (folder.mkdir(), (folder / "thesis.docx").write_text("x")),
        lambda folder: (folder.mkdir(), (folder / "chunks.json").write_text("[]")),
        lambda folder: folder.write_text("a file"),
        lambda folder: (folder.mkdir(), (folder / "chunks").mkdir()),
    ],
    ids=["another file", "no account", "no folder", "a folder in it"],
)
def test_a_foreign_folder_is_refused_before_any_work_and_left_as_it_is(making, make):
    make(making.folder)
    before = sorted(str(path) for path in making.folder.parent.rglob("*"))
    embed = making.Toy()
    with pytest.raises(IndexError_, match="not an index") as caught:
        making.ingest(embed_fn=embed)
    assert caught.value.code == "archive_foreign"
    assert embed.asked == []
    assert sorted(str(path) for path in making.folder.parent.rglob("*")) == before


def test_an_index_with_a_file_of_somebody_in_it_is_refused(making):
    making.ingest()
    (making.folder / "notes.txt").write_text("mine")
    with pytest.raises(IndexError_, match=r"holds 'notes\.txt'"):
        making.ingest()
    assert (making.folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["index.partial", "index.old"])
def test_foreign_content_where_an_index_is_made_is_refused(making, name):
    folder = making.folder.with_name(name)
    folder.mkdir()
    (folder / "mine.txt").write_text("x")
    with pytest.raises(IndexError_, match=name):
        making.ingest()
    assert (folder / "mine.txt").exists()


def test_a_link_where_an_index_is_made_is_refused(making, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    making.folder.with_name("index.partial").symlink_to(elsewhere)
    with pytest.raises(IndexError_, match="partial"):
        making.ingest()
    assert elsewhere.exists()


def test_an_empty_folder_is_used(making):
    making.folder.mkdir()
    making.ingest(making.texts[:3])
    assert ids(making) == new_ids(making)


def test_a_linked_folder_is_replaced_where_it_is(making, tmp_path):
    making.ingest(OLD)
    link = tmp_path / "link"
    link.symlink_to(making.folder)
    making.ingest(making.texts[:3], folder=link)
    assert link.is_symlink()
    assert ids(making) == new_ids(making)


def test_a_second_ingest_at_the_same_time_is_refused(making):
    with Saving(making.folder), pytest.raises(BuildError) as caught:
        making.ingest()
    assert caught.value.code == "output_locked"
    making.ingest()


def test_a_lock_that_a_killed_process_left_does_not_block(making):
    making.folder.with_name(".index.lock").touch()
    making.ingest(making.texts[:3])
    assert ids(making) == new_ids(making)


def test_a_failing_embedder_leaves_what_was_there(making):
    making.ingest(OLD)

    def broken(texts):
        raise RuntimeError("no model")

    with pytest.raises(Exception, match="no model"):
        making.ingest(embed_fn=broken)
    assert ids(making) == ["old"]


def test_readers_see_one_generation_while_an_index_is_replaced(making):
    making.ingest(making.numbered(12, "alpha"))
    ended = threading.Event()
    failed: list[BaseException] = []

    def replace() -> None:
        try:
            for turn in range(30):
                making.ingest(making.numbered(12 + turn % 5, ("beta", "gamma")[turn % 2]))
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    seen: set[str] = set()

    def look() -> None:
        opened = SpectRAGRetrieval(making.folder, embed_fn=making.toy)
        word = opened.chunks[0].id.rstrip("0123456789")
        assert {chunk.id.rstrip("0123456789") for chunk in opened.chunks} == {word}
        assert opened.info["chunks"] == len(opened.chunks)
        found = opened.search(f"{word} text 3", k=3)
        assert all(one.chunk.text.startswith(word) for one in found)
        assert found
        seen.add(word)

    look()
    writer = threading.Thread(target=replace)
    writer.start()
    while not ended.is_set():
        look()
    writer.join()
    look()
    assert not failed
    assert {"alpha", "gamma"} <= seen


def test_a_reader_keeps_the_generation_it_opened(making):
    making.ingest()
    opened = making.open()
    making.ingest(OLD)
    assert opened.search("Where is the seat of Mountrail County?", k=1)[0].chunk.id == "county"


def test_nothing_is_written_outside_the_folder_and_its_siblings(making):
    making.ingest()
    assert list(making.folder.parent.iterdir()) == [making.folder]
