"""The dictionary that is named: sources, compiled, compressed, damaged; and when it is made anew."""

from __future__ import annotations

import shutil
import sys
import threading

import pytest
import zstandard

from indx_core.leaving import HOLD_SECONDS
from indx_core.ports import LaneError
from indx_ner_vibrato import _dictionary
from indx_ner_vibrato._dictionary import Tokenizers
from indx_ner_vibrato._errors import DictionaryFailure
from indx_ner_vibrato.provider import pages
from indx_ner_vibrato.settings import DICTIONARY, DOWNLOAD_SECONDS


@pytest.fixture
def named(monkeypatch, tmp_path):
    """Names a file of these bytes as the dictionary."""

    def write(data: bytes, name: str = "system.dic"):
        (tmp_path / name).write_bytes(data)
        monkeypatch.setenv(DICTIONARY.name, str(tmp_path / name))
        return tmp_path / name

    return write


@pytest.fixture
def copied(monkeypatch, tmp_path, sources):
    """A copy of the sources, to change."""
    folder = shutil.copytree(sources, tmp_path / "copy")
    monkeypatch.setenv(DICTIONARY.name, str(folder))
    return folder


def message(texts=("東京",)):
    items = pages().extract(texts).items
    assert all(isinstance(item, LaneError) for item in items)
    return items[0].message


def test_sources_in_several_files_and_in_euc_jp_are_one_dictionary(copied):
    words = (copied / "words.csv").read_text("utf-8").splitlines(keepends=True)
    (copied / "words.csv").write_text("".join(words[:12]), "euc_jp")
    (copied / "more.csv").write_text("".join(words[12:]).rstrip("\n"), "euc_jp")
    assert [span.surface for span in pages().extract(["日本のソニー"]).items[0]] == ["日本", "ソニー"]


def test_sources_that_are_changed_are_compiled_again(copied, sources):
    assert pages().extract(["京都は"]).items[0] is None
    lexicon = (copied / "words.csv").read_text("utf-8")
    shutil.rmtree(copied)
    shutil.copytree(sources, copied)
    (copied / "words.csv").unlink()
    kyoto = "京都,0,0,10,名詞,固有名詞,地域,一般,*,*,京都,ヨミ,ヨミ\n"
    (copied / "all.csv").write_text(lexicon + kyoto, "utf-8")
    assert [span.surface for span in pages().extract(["京都は"]).items[0]] == ["京都"]


def test_a_folder_that_lacks_a_table_says_which(copied):
    (copied / "unk.def").unlink()
    assert "lacks unk.def" in message()


def test_sources_in_another_encoding_are_refused_by_name(copied):
    (copied / "words.csv").write_bytes(b"\xff\xfe\x00")
    assert "words.csv is neither UTF-8 nor EUC-JP" in message()


@pytest.mark.parametrize("text", ["x\n", "東京,9,9,100,名詞\n", "東京,0,0\n"])
def test_sources_that_are_no_lexicon_are_refused(copied, text):
    (copied / "words.csv").write_text(text, "utf-8")
    assert "is no dictionary that vibrato reads" in message()


def test_a_compressed_dictionary_is_the_plain_one(named, monkeypatch):
    seen = []
    fake = type(sys)("vibrato")
    fake.Vibrato = lambda data, **options: seen.append((data, options)) or object()
    monkeypatch.setitem(sys.modules, "vibrato", fake)
    monkeypatch.setattr(_dictionary, "why_unreadable", lambda data, own: None)
    for data in (b"compiled", zstandard.compress(b"compiled")):
        named(data, "system.dic.zst")
        Tokenizers().get()
    assert seen == [(b"compiled", {"max_grouping_len": 24})] * 2


def test_a_bomb_is_refused_before_it_fills_the_memory(named, monkeypatch):
    monkeypatch.setattr(_dictionary, "MAX_BYTES", 1000)
    named(zstandard.compress(b"\x00" * 5_000_000), "system.dic.zst")
    assert "larger than 1000 bytes when decompressed" in message()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no dictionary",
        b"VibratoTokenizer 0.5\n",
        b"VibratoTokenizer 0.5\n" + b"\x00" * 1000,  # on this the engine panics
        zstandard.compress(b"no dictionary"),
        zstandard.compress(b"VibratoTokenizer 0.5\n" * 100)[:-10],
    ],
    ids=["empty", "text", "header", "panic", "compressed", "truncated"],
)
def test_a_damaged_dictionary_fails_each_text_and_the_process_lives(named, data):
    named(data)
    assert DICTIONARY.name in message(["東京", "日本"])


HEADER = b"VibratoTokenizer 0.5\n"


@pytest.mark.parametrize(
    ("length", "why"),
    [
        ("ffffffffffffff7f", "whoever reads it ends"),
        # Where the system promises any memory, the engine finds the end of the file instead.
        ("0000000000010000", ""),
        ("fd0000000001000000", ""),
    ],
)
def test_a_table_that_states_a_length_nobody_has_does_not_end_the_process(named, capfd, length, why):
    named(HEADER + bytes.fromhex(length) * 4)
    said = message()
    assert "is no dictionary that vibrato reads" in said
    assert why in said
    assert capfd.readouterr() == ("", "")


def test_what_the_engine_says_of_a_damaged_dictionary_is_told_and_not_printed(named, capfd):
    named(HEADER + b"\xff" * 100)
    assert "PanicException: capacity overflow" in message()
    assert capfd.readouterr() == ("", "")


def test_a_trial_that_hangs_is_ended(monkeypatch):
    from indx_core.deadline import Deadline
    from indx_ner_vibrato import _trial

    monkeypatch.setattr(_trial, "_PROGRAM", "import threading; threading.Event().wait(30)")
    assert _trial.why_unreadable(b"", Deadline(0.2)) == "reading it takes too long"


def test_a_trial_runs_nothing_of_the_folder_it_is_started_in(named, monkeypatch, tmp_path):
    """Which may be one of documents that somebody else gave us."""
    (tmp_path / "vibrato.py").write_text("import pathlib; pathlib.Path('ran').touch()")
    monkeypatch.chdir(tmp_path)
    named(b"no dictionary")
    assert "is no dictionary that vibrato reads" in message()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("program", ["", "/no/such/interpreter"])
def test_where_no_process_can_be_had_the_engine_reads_for_itself(named, monkeypatch, program):
    monkeypatch.setattr(sys, "executable", program)
    named(b"no dictionary")
    assert "is no dictionary that vibrato reads" in message()


def test_a_bomb_within_the_bound_is_refused_by_how_much_it_grows(named, monkeypatch):
    monkeypatch.setattr(_dictionary, "MAX_RATIO", 3)
    named(zstandard.compress(bytes(4 << 20)), "system.dic.zst")
    assert f"larger than {3 << 20} bytes when decompressed" in message()


def test_a_pipe_is_no_dictionary_and_is_not_waited_for(monkeypatch, tmp_path):
    import os

    os.mkfifo(tmp_path / "system.dic")
    monkeypatch.setenv(DICTIONARY.name, str(tmp_path / "system.dic"))
    assert "neither a file nor a folder" in message()


def test_the_home_of_nobody_holds_no_dictionary(monkeypatch):
    monkeypatch.setenv(DICTIONARY.name, "~nobody-of-this-name/system.dic")
    assert "cannot be read" in message()


def test_a_dictionary_that_went_away_is_said_to_be_gone(named):
    named(b"x").unlink()
    assert "cannot be read" in message()


def test_a_tokenizer_is_made_once(monkeypatch, dictionary):
    made = []
    opened = _dictionary._opened
    monkeypatch.setattr(
        _dictionary, "_opened", lambda source, own: made.append(source) or opened(source, own)
    )
    tokenizers = Tokenizers()
    assert tokenizers.get() is tokenizers.get()
    assert len(made) == 1


def test_a_dictionary_that_cannot_be_fetched_is_not_tried_for_each_text(monkeypatch):
    now, tries = [0.0], []

    def fail(source, own):
        tries.append(now[0])
        raise DictionaryFailure("no network")

    monkeypatch.setattr(_dictionary, "_opened", fail)
    tokenizers = Tokenizers(clock=lambda: now[0])
    for now[0] in (0.0, 1.0, HOLD_SECONDS - 1, HOLD_SECONDS + 1):
        with pytest.raises(DictionaryFailure):
            tokenizers.get()
    assert tries == [0.0, HOLD_SECONDS + 1]


def test_without_a_dictionary_and_a_network_each_text_says_what_would_help():
    said = message(["東京", "日本"])
    assert "could not be fetched" in said
    assert "http://127.0.0.1:9/ipadic.tar.xz" in said
    assert DICTIONARY.name in said


def test_nobody_waits_for_a_dictionary_longer_than_is_set(monkeypatch):
    enough, tries = threading.Event(), []

    def hang(source, own):
        tries.append(source)
        enough.wait(30)
        raise DictionaryFailure("too late")

    monkeypatch.setattr(_dictionary, "_opened", hang)
    monkeypatch.setenv(DOWNLOAD_SECONDS.name, "0.1")
    tokenizers = Tokenizers()
    try:
        for _ in range(3):
            with pytest.raises(DictionaryFailure, match=DOWNLOAD_SECONDS.name):
                tokenizers.get()
    finally:
        enough.set()
    assert tries == [None]
