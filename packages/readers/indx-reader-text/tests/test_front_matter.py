"""Front matter is metadata, not text."""

import pytest


def facts(page):
    return (page.metadata or {}).get("front_matter")


def test_it_is_taken_from_the_text_into_the_metadata(markdown):
    page = markdown('---\ntitle: "A: b"\ntags: [x, "y, z"]\n# comment\ndraft: true # yes\n---\n\n# Title\n')
    assert page.text == "# Title\n"
    assert facts(page) == {"title": "A: b", "tags": ["x", "y, z"], "draft": "true"}
    assert [page.text[one.start : one.end] for one in page.headings] == ["Title"]


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        ("a: b: c", {"a": "b: c"}),
        ("a: 'it''s'", {"a": "'it''s'"}),
        ('a: "say \\"x\\""', {"a": 'say "x"'}),
        ("tags:\n- one\n- two # 2", {"tags": ["one", "two"]}),
        ("tags:\n  - one\n\n  - 'two'", {"tags": ["one", "two"]}),
        ("a:\n  b:\n    c: d\n  e: f\ng: h", {"a": {"b": {"c": "d"}, "e": "f"}, "g": "h"}),
        (
            "authors:\n  - name: A\n    site: x\n  - name: B",
            {"authors": [{"name": "A", "site": "x"}, {"name": "B"}]},
        ),
        ("text: |\n  one\n  two\nfold: >-\n  three\n  four", {"text": "one\ntwo", "fold": "three four"}),
        ("long: one\n  two", {"long": "one two"}),
        ("empty:\nurl: https://x.y/z", {"empty": "", "url": "https://x.y/z"}),
        ("名前: 値", {"名前": "値"}),
    ],
)
def test_what_front_matter_is_made_of_is_read(markdown, block, expected):
    page = markdown(f"---\n{block}\n---\nbody\n")
    assert page.text == "body\n"
    assert facts(page) == expected


def test_a_comment_in_it_is_no_heading(markdown):
    page = markdown("---\n# c\n---\n")
    assert (page.text, list(page.headings), facts(page)) == ("", [], None)


def test_toml_front_matter_is_read(markdown):
    page = markdown('+++\ntitle = "T"\ndate = 2024-05-01\nweight = 1.5\n[a]\nb = [1]\n+++\nbody')
    assert page.text == "body"
    assert facts(page) == {"title": "T", "date": "2024-05-01", "weight": "1.5", "a": {"b": [1]}}
    page = markdown(f"+++\na = {-(2**64)}\nb = {2**62}\nc = true\n+++\nbody")
    assert facts(page) == {"a": str(-(2**64)), "b": 2**62, "c": True}


@pytest.mark.parametrize(
    "source",
    [
        "---\nJust words.\n---\nmore\n",
        "---\nno end\n",
        "+++\nnot = = toml\n+++\n",
        "text\n---\na: b\n---\n",
        f"+++\na = {'[' * 50}1{']' * 50}\n+++\nmore\n",
        f"+++\n{'.'.join('a' * 3000)} = 1\n+++\nmore\n",
        f"+++\na = {'9' * 5000}\n+++\nmore\n",
        f"+++\na = 0x{'f' * 5000}\n+++\nmore\n",
    ],
)
def test_other_blocks_stay_text(markdown, source):
    page = markdown(source)
    assert page.text == source
    assert facts(page) is None


def test_a_very_deep_block_is_read_to_a_bounded_depth(markdown):
    block = "\n".join(" " * depth + "a:" for depth in range(2000))
    assert facts(markdown(f"---\n{block}\n---\nbody"))["a"]["a"]["a"]
