"""What is a sentence, and what is none."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_enrich_extractive._sentences import sentences

ONE = "The harbour was closed for repairs."
TWO = "Ships wait outside until the morning!"
THREE = "When will it open to visitors again?"
JA = ["港は修理のため閉鎖された。", "船は朝まで沖で待っている！", "いつ再び開くのだろうか？"]


@pytest.mark.parametrize("between", [" ", "\n", "\n\n", "  \n  "])
def test_sentences_end_at_english_terminators(between: str) -> None:
    assert sentences(between.join([ONE, TWO, THREE])) == [ONE, TWO, THREE]


@pytest.mark.parametrize("between", ["", "\n", "\n\n", "\u3000"])
def test_sentences_end_at_japanese_terminators(between: str) -> None:
    assert sentences(between.join(JA)) == JA


def test_both_languages_may_stand_in_one_text() -> None:
    assert sentences(f"{JA[0]}{ONE} {JA[1]}") == [JA[0], ONE, JA[1]]


@pytest.mark.parametrize("width", [28, 45, 72])
def test_hard_wrapped_lines_are_rejoined(width: int) -> None:

    text = (
        "every boat that came in late had to anchor beyond the lighthouse and wait for the pilot to return."
    )
    assert sentences("\n".join(textwrap.wrap(text, width))) == [text]


def test_hard_wrapped_japanese_lines_are_rejoined_without_a_space() -> None:
    text = "港湾の修理工事は来年の春まで続く予定であるため、大型船は隣町の埠頭を使うことになる。"
    assert sentences("\n".join(text[i : i + 20] for i in range(0, len(text), 20))) == [text]
    assert sentences("修理が終わるまで、\n船は沖で待つことになっている。") == [
        "修理が終わるまで、船は沖で待つことになっている。"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "See Fig. 3 of the report by Dr. Smith for the harbour.",
        "It costs 3.50 at example.com today and tomorrow.",
        "Some ports, e.g. Lisbon, i.e. the large ones, stay open.",
        "J. R. Hartley wrote about fishing in the harbour.",
        "He asked (why not?) and then left the harbour.",
    ],
)
def test_a_full_stop_inside_a_sentence_does_not_end_it(text: str) -> None:
    assert sentences(f"{text} {TWO}") == [text, TWO]


def test_quotes_and_brackets_belong_to_the_sentence_they_close() -> None:
    first, second = "“The harbour is closed to ships.”", "(It opens again in the spring.)"
    assert sentences(f"{first} {second} {ONE}") == [first, second, ONE]
    assert sentences("「港は修理のため閉鎖された。」船は待つことになった。") == [
        "「港は修理のため閉鎖された。」",
        "船は待つことになった。",
    ]


@pytest.mark.parametrize(
    "noise",
    [
        "# A heading that ends with a full stop.",
        "```\nprint('This is code. It is no prose.')\n```",
        "~~~ python\nIt is no prose at all.\n~~~",
        "<!-- A comment is not read by anybody. -->",
        "| a cell of a table. | and another cell of it. |",
        "a cell of a table.\tand another cell of it.",
        "![A picture of the harbour in winter.](harbour.png)",
        "    indented = code_is_no_prose.",
        "A short line without an end",
        "Date: 4 May",
        "Yes.",
        "---------------",
    ],
)
def test_what_is_no_prose_gives_no_sentence(noise: str) -> None:
    assert sentences(f"{noise}\n\n{ONE}\n\n{noise}\n\n{TWO}\n\n{noise}") == [ONE, TWO]


def test_front_matter_is_no_prose() -> None:
    assert sentences(f"---\ntitle: A title that ends here.\n---\n{ONE}") == [ONE]


@pytest.mark.parametrize("mark", ["- ", "* ", "> ", "3. ", "・ ", "- [x] "])
def test_the_mark_of_a_list_item_is_no_part_of_its_sentence(mark: str) -> None:
    assert sentences(f"{mark}{ONE}\n{mark}{TWO}") == [ONE, TWO]


@given(st.text(alphabet="ab A.!?。\n\t#`~<>-|「」港、は", max_size=300))
def test_every_sentence_stands_in_the_text_apart_from_its_line_breaks(text: str) -> None:
    squeezed = "".join(text.replace(">", "").split())
    for sentence in sentences(text):
        assert "".join(sentence.replace(">", "").split()) in squeezed
