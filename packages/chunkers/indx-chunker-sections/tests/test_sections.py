"""Sections: their paths, small ones joined, long ones cut, blocks kept."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indx_chunker_sections import chunker
from indx_core.errors import ConfigurationError
from indx_core.ports import DocumentReading
from indx_testkit.samples import reading

BODY = "Words that fill a section so that it is no longer small. " * 5


def shape(drafts):
    return [(draft.section, draft.text.split("\n")[0]) for draft in drafts]


def test_a_section_is_a_chunk_under_the_headings_above_it(cut):
    text = f"intro {BODY}\n\n# A\n\n{BODY}\n\n## B\n\n{BODY}\n\n### C\n\n{BODY}\n\n## D\n\n{BODY}\n"
    assert shape(cut(text)) == [
        ((), f"intro {BODY}".rstrip()),
        (("A",), "# A"),
        (("A", "B"), "## B"),
        (("A", "B", "C"), "### C"),
        (("A", "D"), "## D"),
    ]


def test_levels_may_be_skipped_and_come_back(cut):
    drafts = cut(f"### A\n{BODY}\n# B\n{BODY}\n#### C\n{BODY}\n")
    assert [draft.section for draft in drafts] == [("A",), ("B",), ("B", "C")]


def test_a_heading_alone_goes_with_its_first_part(cut):
    drafts = cut(f"# Title\n\n## Part\n\n{BODY}\n\n## Other\n\n{BODY}\n")
    assert shape(drafts) == [(("Title", "Part"), "# Title"), (("Title", "Other"), "## Other")]


def test_a_heading_alone_goes_with_a_part_that_must_be_cut(cut):
    drafts = cut(f"# Title\n\n## Part\n\n{BODY * 9}\n")
    assert drafts[0].text.startswith("# Title\n\n## Part\n\nWords")
    assert {draft.section for draft in drafts} == {("Title", "Part")}


def test_small_sections_of_one_parent_are_joined_under_it(cut):
    drafts = cut(
        "# T\n\n" + BODY + "\n\n" + "".join(f"## S{n}\n\nshort\n\n" for n in range(3)) + f"## L\n\n{BODY}"
    )
    assert [draft.section for draft in drafts] == [("T",), ("T",)]
    assert drafts[1].text.startswith("## S0\n\nshort\n\n## S1")
    assert BODY.strip() in drafts[1].text


def test_a_small_last_section_goes_with_the_one_before(cut):
    drafts = cut(f"# T\n\n{BODY}\n\n## A\n\n{BODY}\n\n## See also\n\n- one\n\n# U\n\n{BODY}")
    assert shape(drafts) == [(("T",), "# T"), (("T",), "## A"), (("U",), "# U")]
    assert drafts[1].text.endswith("## See also\n\n- one")


def test_small_sections_of_different_parents_stay_apart(cut):
    drafts = cut(f"# T\n\n{BODY * 5}\n\n## A\n\nsmall\n\n# U\n\n{BODY}", limit=1440)
    assert [draft.section for draft in drafts] == [("T",), ("T", "A"), ("U",)]


def test_a_small_introduction_goes_with_the_first_section(cut):
    assert shape(cut(f"badge\n\n# T\n\n{BODY}")) == [(("T",), "badge")]


def test_a_long_section_is_cut_between_paragraphs(cut):
    paragraphs = [f"{number} {BODY}".strip() for number in range(20)]
    drafts = cut("# T\n\n" + "\n\n".join(paragraphs), limit=1000)
    assert all(len(draft.text) <= 1000 for draft in drafts)
    assert "\n\n".join(draft.text for draft in drafts) == "# T\n\n" + "\n\n".join(paragraphs)
    assert {draft.section for draft in drafts} == {("T",)}


def test_a_code_block_that_fits_is_kept_whole(cut):
    code = "```\n" + "line of code\n\n" * 40 + "```"
    drafts = cut(f"# T\n\n{BODY}\n\n{code}\n\n{BODY}\n\n{code}\n", limit=800)
    assert sum(code in draft.text for draft in drafts) == 2


def test_a_code_block_that_fits_nowhere_is_cut_at_lines(cut):
    drafts = cut("# T\n\n```\n" + "line of code\n" * 200 + "```\n", limit=500)
    assert all(len(draft.text) <= 500 for draft in drafts)
    assert all(draft.text.startswith(("# T", "line of code", "```")) for draft in drafts)


def test_a_list_is_cut_between_its_items(cut):
    item = "- item with words\n  that go on in a second line\n"
    drafts = cut("# T\n\n" + item * 40, limit=400)
    assert all(draft.text.startswith(("# T", "- item")) for draft in drafts)


def test_a_heading_longer_than_a_chunk_loses_nothing(cut):
    drafts = cut("# " + "long " * 400 + f"\n\n{BODY}", limit=300)
    assert all(len(draft.text) <= 300 for draft in drafts)
    assert drafts[-1].text in BODY
    assert len(drafts[-1].section[0]) <= 200


def test_equal_passages_have_their_own_offsets(cut):
    drafts = cut(f"# A\n{BODY}\n# A\n{BODY}\n")
    first, second = (draft.spans[0] for draft in drafts)
    assert first[1] <= second[0]


def test_marks_of_markdown_are_left_out_of_sections_and_kept_in_the_text(cut):
    (draft,) = cut("# [A](b.md) `c_d` **e** \\_f\\_ <br>![g](h)\n\ntext")
    assert draft.section == ("A c_d e _f_ g",)
    assert draft.text.startswith("# [A](b.md)")
    assert cut("# `a` **b**\n", media_type="text/html")[0].section == ("`a` **b**",)
    assert cut("# ![](x.png)\n")[0].section == ("![](x.png)",)


def test_commands_of_latex_are_left_out_of_sections() -> None:
    text = "\\section{On \\textbf{Ducks} \\& {geese}~\\LaTeX{} $x$}\n\ntext"
    page = reading(text, headings=[("On \\textbf{Ducks} \\& {geese}~\\LaTeX{} $x$", 1)])
    (draft,) = chunker().chunk(DocumentReading("text/x-tex", None, {1: page}), None, [1])[1]
    assert draft.section == ("On Ducks & geese x",)


def test_pages_without_headings_are_cut_for_sectioned_types_alone(cut):
    assert cut("no heading", media_type="text/plain") is None
    assert len(cut("no heading", media_type="message/rfc822")) == 1
    assert len(cut("# heading\n", media_type="text/plain")) == 1


def test_a_blank_page_has_no_chunk_and_an_unread_one_no_answer(cut):
    assert cut(" \n") == []
    page = reading(reason="no_text_layer")
    assert chunker().chunk(DocumentReading("text/markdown", None, {1: page}), None, [1]) == {}


def test_a_chunk_stands_where_its_lines_do(cut):
    boxes = [(0.1, n / 10, 0.9, n / 10 + 0.05) for n in range(3)]
    (draft,) = cut("# T\none\ntwo", boxes=boxes)
    assert (draft.box, draft.box_reason) == ((0.1, 0.0, 0.9, 0.25), None)
    assert cut("# T\none")[0].box_reason == "no_geometry"
    assert cut("# T\nsecret", hidden=["# T", "secret"])[0].box_reason == "hidden"


@pytest.mark.parametrize("value", ["0", "-5", "many", "1.5"])
def test_a_limit_that_is_no_positive_number_is_refused(cut, value):
    with pytest.raises(ConfigurationError, match="INDX_CHUNK_SECTIONS_MAX_CHARS") as caught:
        cut("# T\ntext", limit=value)
    assert caught.value.code == "invalid_setting"


def test_the_limit_is_read_at_each_call(cut):
    assert len(cut(BODY)) == 1
    assert len(cut(BODY, limit=50)) > 4


@given(
    st.lists(
        st.sampled_from(
            [
                "# A\n",
                "## B\n",
                "### C\n",
                "word ",
                BODY,
                "\n\n",
                "```\ncode\n\n```\n",
                "- x\n",
                "漢字。",
                "👩\u200d👧",
            ]
        ),
        max_size=25,
    ).map("".join),
    st.integers(1, 400),
)
@settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_chunk_fits_and_holds_every_rule(cut, text, limit):
    for draft in cut(text, limit):
        assert len(draft.text) <= max(limit, 3)
