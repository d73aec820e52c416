"""Subtitles: what is said, by whom, and when."""

import pytest

SRT, VTT = "application/x-subrip", "text/vtt"


def cues(page):
    return [(page.text[one["start"] : one["end"]], one["from"], one["to"]) for one in page.metadata["cues"]]


def test_subrip_gives_a_line_a_cue_and_its_times(read):
    page = read(
        "1\r\n00:00:01,000 --> 00:00:04,500 X1:100 X2:200\r\n<i>Hello</i> there,\r\nsecond line\r\n\r\n"
        '2\r\n00:01:02,30 --> 01:00:00,000\r\n{\\an8}<font color="#fff">Bye</font> &amp; a < b\r\n',
        SRT,
    )
    assert page.text == "Hello there, second line\nBye & a < b"
    assert cues(page) == [
        ("Hello there, second line", "00:00:01.000", "00:00:04.500"),
        ("Bye & a < b", "00:01:02.300", "01:00:00.000"),
    ]


def test_webvtt_names_speakers_and_leaves_marks_settings_and_styles_out(read):
    page = read(
        "WEBVTT - A talk\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nREGION\nid:fred\n\n"
        "NOTE for the editor\nonly\n\nintro-1\n00:01.000 --> 00:04.000 align:start position:0%\n"
        "<v Roger Bingham>We are in <c.yellow.bg>New York</c>\n&amp; City\n- <v.loud Neil>Yes</v>\n\n"
        "00:05.000 --> 00:06.000\n<lang en>plain</lang> &lt;text&gt;\n",
        VTT,
    )
    assert (
        page.text == "for the editor only\nRoger Bingham: We are in New York & City\nNeil: Yes\nplain <text>"
    )
    assert [page.text[start:end] for start, end in page.hidden] == ["for the editor only"]
    assert [one[1] for one in cues(page)] == ["00:00:01.000", "00:00:05.000"]
    assert page.metadata["title"] == "A talk"


def test_turns_are_lines_and_japanese_is_joined_without_a_space(read):
    page = read(
        "1\n00:00:01,000 --> 00:00:02,000\n- One?\n- Two.\n\n"
        "2\n00:00:03,000 --> 00:00:04,000\nこれは\n字幕です\n",
        SRT,
    )
    assert page.text == "- One?\n- Two.\nこれは字幕です"


def test_captions_that_roll_say_each_line_once(read):
    page = read(
        "WEBVTT\n\n00:00:00.000 --> 00:00:02.000\n \nhello<00:00:00.500><c> world</c>\n\n"
        "00:00:02.000 --> 00:00:02.010\nhello world\n \n\n"
        "00:00:02.010 --> 00:00:04.000\nhello world\nand<00:00:03.000><c> more</c>\n",
        VTT,
    )
    assert page.text.replace("\n", " ") == "hello world and more"


@pytest.mark.parametrize("kind", [SRT, VTT])
def test_a_cue_said_twice_stays_twice_where_nothing_rolls(read, kind):
    cue = "00:00:0{}.000 --> 00:00:0{}.000\nNo.\n\n"
    assert read("WEBVTT\n\n" + cue.format(1, 2) + cue.format(2, 3), kind).text.endswith("No.\nNo.")


def test_cues_without_blank_lines_and_blank_lines_in_cues_lose_nothing(read):
    page = read(
        "1\n00:00:01,000 --> 00:00:02,000\none\n2\n00:00:02,000 --> 00:00:03,000\ntwo\n\nrest of two\n\n3\n"
        "00:00:03,000 --> 00:00:04,000\n\n4\n00:00:04,000 --> 00:00:05,000\n1984\n",
        SRT,
    )
    assert page.text == "one\ntwo\nrest of two\n1984"


@pytest.mark.parametrize(
    "source", ["", "no cue at all\n", "1\n\n2\n", "WEBVTT\n\nNOTE x\n", "1\nxx --> yy\ntext\n"]
)
def test_what_has_no_cue_is_shown_as_written(read, source):
    assert read(source, SRT).text == source


def test_cues_of_very_many_lines_are_gone_over_once(read):
    time = "\n00:00:01.000 --> 00:00:02.000\n"
    said = [f"{word}{number}" for word in ("a", "b") for number in range(50_000)]
    first, second = "\n".join(said[:50_000]), "\n".join(said[50_000:])
    rolling = read(f"WEBVTT\n{time}<00:00:01.000>{first}\n{time}{second}\n", VTT)
    assert rolling.text == f"{first}\n{second}"
    assert read(f"WEBVTT\n{time}" + "a\n" * 2_000_000, VTT).text == " ".join("a" * 2_000_000)


def test_a_break_that_is_written_as_a_tag_is_one(read):
    source = "1\n00:00:01,000 --> 00:00:04,500\nSo<br>it<BR />is\n- Yes<br/>- No\n"
    assert read(source, "application/x-subrip").text == "So it is\n- Yes\n- No"


EVENTS = (
    "[Script Info]\nTitle: A film\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\n"
)
FORMAT = "Format: Layer, Start, End, Style, Name, Effect, Text\n"


def test_substation_alpha_gives_a_line_an_event_its_speaker_and_its_times(read):
    page = read(
        EVENTS + FORMAT + "Dialogue: 0,0:00:01.18,0:00:06.85,Default,Anna,,{\\i1}Well,\\Nyes{\\i0},\\hno\r\n"
        "Comment: 0,0:00:01.00,0:00:02.00,Default,,,check this\n"
        "Dialogue: 0,0:00:07.00,0:00:08.00,Default,,,{\\p1}m 0 0 l 9 9{\\p0}\n"
        "Dialogue: 0,0:00:07.00,0:00:08.00,Default,,,\u65e5\u672c\\N\u8a9e\n"
        "Dialogue: 1,0:00:07.00,0:00:08.00,Default,,,{\\blur3}\u65e5\u672c\\n\u8a9e\n"
        "\n[Fonts]\nfontname: a.ttf\nM8#``#\n",
        "text/x-ssa",
    )
    assert page.text == "Anna: Well, yes, no\ncheck this\n\u65e5\u672c\u8a9e"
    assert [page.text[start:end] for start, end in page.hidden] == ["check this"]
    assert cues(page) == [
        ("Anna: Well, yes, no", "00:00:01.180", "00:00:06.850"),
        ("\u65e5\u672c\u8a9e", "00:00:07.000", "00:00:08.000"),
    ]
    assert page.metadata["title"] == "A film"


@pytest.mark.parametrize("events", ["", FORMAT, "Dialogue: 0,x\n", FORMAT + "Dialogue: 0,x\n"])
def test_substation_alpha_without_events_is_shown_as_written(read, events):
    assert read(EVENTS + events, "text/x-ssa").text == EVENTS + events


def test_what_is_said_again_later_is_an_event_of_its_own(read):
    events = "".join(
        f"Dialogue: 0:00:{start:02}.00,0:00:{end:02}.00,Ann,No!\n"
        for start, end in ((1, 2), (2, 3), (3, 4), (9, 10))
    )
    page = read(f"[Script Info]\n[Events]\nFormat: Start, End, Name, Text\n{events}", "text/x-ssa")
    assert page.text == "Ann: No!\nAnn: No!"
    assert [(cue["from"], cue["to"]) for cue in page.metadata["cues"]] == [
        ("00:00:01.000", "00:00:04.000"),
        ("00:00:09.000", "00:00:10.000"),
    ]


def test_events_of_substation_alpha_beyond_the_most_that_are_listed_are_text(read, monkeypatch):
    monkeypatch.setattr("indx_reader_text._substation.MAX_CUES", 2)
    events = "".join(f"Dialogue: 0:00:0{at}.00,0:00:0{at + 1}.00,Ann,word {at}\n" for at in range(4))
    page = read(f"[Script Info]\n[Events]\nFormat: Start, End, Name, Text\n{events}", "text/x-ssa")
    assert page.text.count("\n") == 3
    assert [cue["from"] for cue in page.metadata["cues"]] == ["00:00:00.000", "00:00:01.000"]
