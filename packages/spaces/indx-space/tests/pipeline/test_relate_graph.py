"""Relate: which edges stand where, and in which form their ends are written."""

import pytest

from indx_core.contracts.space import RelationType


def top(space, kind):
    return [(r.src, r.dst, r.score) for r in space.relations if r.type == kind]


def at(space, path):
    return next(d for d in space.documents_ if d.path == path)


def test_a_link_is_an_edge_of_its_chunk_of_both_documents_and_of_the_space(tree, build):
    space = build(tree({"a.md": "# A\n\nplain\n\nsee [b](sub/b.md#x)", "sub/b.md": "w"}))
    a, b = at(space, "a.md"), at(space, "sub/b.md")
    edge = {"type": "references", "score": 1.0}
    assert [r.model_dump() for r in a.references] == [{"src": a.id, "dst": "sub/b.md", **edge}]
    assert [r.model_dump() for r in b.referenced_by] == [{"src": "a.md", "dst": b.id, **edge}]
    chunk = space.chunks[2]
    assert [r.model_dump() for r in chunk.relations] == [{"src": chunk.id, "dst": "sub/b.md", **edge}]
    assert top(space, "references") == [(a.id, "sub/b.md", 1.0), (chunk.id, "sub/b.md", 1.0)]
    assert all(r.src == c.id for c in space.chunks for r in c.relations)


def test_a_link_written_twice_is_one_edge(tree, build):
    space = build(tree({"a.md": "[b](b.md) [again](./b.md)", "b.md": "w"}))
    assert len(at(space, "a.md").references) == 1
    assert len(space.chunks[0].relations) == 1


def test_a_mention_counts_less_than_a_link_and_never_replaces_one(tree, build):
    space = build(
        tree(
            {
                "a.md": "[b](b-guide.md), that is b-guide.md\n\nand c-guide.md",
                "b-guide.md": "w",
                "c-guide.md": "w",
            }
        )
    )
    assert [(r.dst, r.score) for r in at(space, "a.md").references] == [
        ("b-guide.md", 1.0),
        ("c-guide.md", 0.9),
    ]


def test_links_to_what_is_no_document_are_no_edges(tree, build):
    space = build(
        tree({"a.md": "[x](x.bin) [n](none.md) [w](https://x.org/b.md)", "x.bin": b"\0", "b.md": "w"})
    )
    assert not at(space, "a.md").references


def test_siblings_are_the_next_eight_of_the_folder_once_a_pair(tree, build):
    space = build(tree({f"d/{n:02d}.md": "w" for n in range(12)} | {"e/x.md": "w"}))
    paths = {d.id: d.path for d in space.documents_}
    edges = [(paths[src], dst) for src, dst, _ in top(space, "sibling")]
    expected = [(f"d/{a:02d}.md", f"d/{b:02d}.md") for a in range(12) for b in range(a + 1, min(12, a + 9))]
    assert sorted(edges) == sorted(expected)


def test_a_document_has_its_folder_for_parent(tree, build):
    space = build(tree({"a.md": "w", "b/c/d.md": "w"}))
    assert top(space, "parent") == [(at(space, "b/c/d.md").id, "b/c", 1.0)]


def test_chunks_of_one_unit_continue(tree, build):
    space = build(tree({"a.md": "# One\n\nfirst\n\nsecond\n\n# Two\n\nthird\f\nfourth on page two"}))
    ids = [c.id for c in space.chunks]
    assert [(src, dst) for src, dst, _ in top(space, "continues")] == [
        (ids[0], ids[1]), (ids[1], ids[2]), (ids[3], ids[4]),
    ]  # fmt: skip
    assert space.chunks[0].relations[0].dst == ids[1]
    assert not any(r.type == RelationType.CONTINUES for d in space.documents_ for r in d.references)


def test_a_long_text_without_headings_continues_on_its_page(tree, build):
    space = build(tree({"a.txt": "one\n\ntwo\n\nthree"}))
    assert len(top(space, "continues")) == 2


def test_numbered_parts_continue_from_last_chunk_to_first(tree, build):
    space = build(
        tree({"d/r part 1.md": "# A\n\nend", "d/r part 2.md": "# B\n\nrest", "d/r part 3.md": "SCAN"})
    )
    assert (space.chunks[1].id, space.chunks[2].id, 1.0) in top(space, "continues")


def test_equal_files_are_copies_of_the_first_and_stay_documents(tree, build):
    space = build(
        tree({"a/x.md": "same words", "b/x.md": "same words", "c.md": "same words", "d.md": "other"})
    )
    first = at(space, "a/x.md")
    assert top(space, "duplicate-of") == [(at(space, p).id, first.path, 1.0) for p in ("b/x.md", "c.md")]
    assert len(space.documents_) == 4


def test_near_copies_carry_their_likeness(tree, build):
    text = " ".join(f"word{n * 37 % 101} other{n}" for n in range(300))
    root = tree({"a.md": text, "b.md": text.replace("other150", "changed"), "c.md": "far " * 300})
    space = build(root)
    ((src, dst, score),) = top(space, "duplicate-of")
    assert (src, dst) == (at(space, "b.md").id, "a.md")
    assert 0.9 <= score < 1.0
    assert not top(build(root, layer={"relate": {"near_duplicate": False}}), "duplicate-of")


def test_empty_and_tiny_files_are_no_copies(tree, build):
    space = build(tree({"a.md": "", "b.md": "", "c.md": "tiny one", "d.md": "tiny two"}))
    assert not top(space, "duplicate-of")


@pytest.mark.parametrize("kind", [kind.value for kind in RelationType])
def test_only_the_kinds_asked_for_are_looked_for(tree, build, kind):
    files = {"d/a.md": "x\n\n[b](b.md)", "d/b.md": "same", "d/c.md": "same"}
    space = build(tree(files), layer={"relate": {"types": [kind]}})
    found = {r.type for r in space.relations}
    assert found == {kind}
    everywhere = {r.type for d in space.documents_ for r in (*d.references, *d.referenced_by)}
    everywhere |= {r.type for c in space.chunks for r in c.relations}
    assert everywhere <= {kind}


def test_relating_twice_gives_the_same(tree, pipeline):
    made = pipeline(tree({"a.md": "x\n\n[b](b.md)", "b.md": "w"}))
    made.stages.insert(4, made.stages[3])
    twice = made.run()
    once = pipeline(tree({})).run()
    assert once == twice


def test_every_edge_of_the_space_is_listed_once(tree, build):
    files = {
        f"d/{n}.md": f"# T{n}\n\n[x]({(n + 1) % 5}.md) [y]({(n + 2) % 5}.md)\n\nmore [x]({(n + 1) % 5}.md)"
        for n in range(5)
    }
    space = build(tree(files))
    edges = [(r.src, r.dst, r.type) for r in space.relations]
    assert len(set(edges)) == len(edges) == space.stats.relations
