"""The command as a whole: what is a command and what a directory, versions, plugins, and lightness."""

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, metadata, version

import pytest
import typer

from indx.cli import main as cli
from indx.cli import started
from indx_core.discovery import Candidate, Registry


@pytest.fixture
def plugins(monkeypatch):
    """Make the given functions commands of other distributions."""

    def install(**functions):
        found = [
            Candidate("indx.commands", n, f"x:{n}", "other", "1", lambda f=f: f) for n, f in functions.items()
        ]
        monkeypatch.setattr("indx_core.discovery._default", Registry(found))

    return install


def test_the_version_is_the_distributions(command):
    assert command("--version").out == f"indx {version('indx')}\n"


def test_help_lists_every_command_and_imports_none(command):
    answer = command("--help")
    assert answer.code == 0
    for name in cli.COMMANDS:
        assert name in answer.out
    assert command().out == answer.out


def test_help_and_import_load_nothing_heavy():
    heavy = [
        "numpy",
        "pydantic",
        "pypdfium2",
        "lxml",
        "PIL",
        "selectolax",
        "httpx",
        "orjson",
        "regex",
        "rensa",
    ]
    for statement in ("import indx", "from indx.cli.main import run; run(['--help'])"):
        script = f"import sys\n{statement}\nprint([m for m in {heavy} if m in sys.modules], file=sys.stderr)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert done.stderr == "[]\n", statement


def test_what_is_no_command_is_a_directory_to_build():
    assert cli._split(["./docs", "--out", "x"]) == ("build", ["./docs", "--out", "x"])
    assert cli._split(["--out", "x", "docs"]) == ("build", ["--out", "x", "docs"])
    assert cli._split(["plan", "a.pdf"]) == ("plan", ["a.pdf"])
    assert cli._split(["./plan"]) == ("build", ["./plan"])


def test_another_distribution_adds_a_command(command, plugins):
    def hello(name: str) -> None:
        typer.echo(f"hello {name}")

    group = typer.Typer()
    group.callback()(lambda: None)
    group.command("one")(hello)
    plugins(hello=hello, group=group)
    assert command("hello", "you").out == "hello you\n"
    assert command("group", "one", "you").out == "hello you\n"
    assert "hello" in command("--help").out


def test_another_distribution_cannot_take_a_built_in_name(command, plugins):
    plugins(doctor=lambda: typer.echo("mine"))
    assert "mine" not in command("doctor").out


def test_an_unforeseen_error_is_one_line_without_a_traceback(command, plugins):
    def boom() -> None:
        raise RuntimeError("unforeseen\nsecond line")

    plugins(boom=boom)
    answer = command("boom")
    assert answer.code == 1
    assert "Traceback" not in answer.err
    assert answer.err.count("\n") == 1


def test_an_application_packed_without_metadata_says_what_it_lacks(command, monkeypatch):
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    answer = command("--version")
    assert answer.code == 3
    assert "PyInstaller" in answer.err


def test_an_interrupt_says_so_and_exits_as_interrupted(command, plugins):
    def stop() -> None:
        raise KeyboardInterrupt

    plugins(stop=stop)
    answer = command("stop")
    assert answer.code == 130
    assert "interrupted" in answer.err


def test_a_word_that_is_nearly_a_command_is_taken_for_one(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = command("qurey", "space", "text")
    assert answer.code == 2
    assert "did you mean 'query'" in answer.err
    (tmp_path / "qurey").mkdir()
    assert "did you mean" not in command("qurey", "--out", "out").err


def test_a_command_that_is_not_installed_says_what_brings_it(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("indx.cli.main._plugin_commands", dict)
    monkeypatch.setattr("indx_core.discovery.scan", tuple)
    answer = command("graph", "build", "space", "--out", "there")
    assert answer.code == 2
    told = "the command 'graph' comes with indx-graph, which is not installed: pip install indx-graph"
    assert answer.err == f"indx: {told}\n"
    assert not list(tmp_path.iterdir())


def test_a_command_that_a_setting_leaves_out_says_so(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("indx.cli.main._plugin_commands", dict)
    assert "indx-workspace, which INDX_PLUGINS leaves out" in command("labels", "list").err


def test_help_names_every_option_and_whose_command_is_whose(command):
    shown = command("--help").out
    assert "--version" in shown
    for name in ("build", "serve", "graph"):
        assert f"\n  {name} " in shown


@pytest.fixture
def told(command, tmp_path, monkeypatch):
    """What the help says of a command whose package has this text in its module, and fails when imported."""

    def line(text, name="hello", module="pack.inner.hello"):
        inner = tmp_path / "pack" / "inner"
        inner.mkdir(parents=True, exist_ok=True)
        for package in (inner.parent, inner):
            (package / "__init__.py").write_text("raise SystemExit('imported')")
        (inner / "hello.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        found = Candidate("indx.commands", name, f"{module}:app", "indx-core", "1", lambda: None)
        monkeypatch.setattr("indx_core.discovery._default", Registry([found]))
        shown = command("--help").out
        return next(line for line in shown.splitlines() if line.startswith(f"  {name} "))

    return line


def test_a_command_says_of_itself_what_it_does_and_is_not_imported(told):
    assert told('"""`indx hello`: greets people.\n\nMore."""\nraise SystemExit\n').endswith(" Greets people.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 1",
        '"""Greets people."""',
        '"""`indx other`: greets."""',
        '"""`indx hello`: """',
        "def (",
        "\0",
    ],
)
def test_of_a_command_that_does_not_its_distribution_speaks(told, text):
    summary = metadata("indx-core")["Summary"]
    assert summary[:20] in told(text)
    assert summary[:20] in told(text, module="pack.nowhere.hello")
    assert summary[:20] in told(text, module="math")


def test_every_command_of_ours_has_a_line_of_its_own(command):
    lines = [line.split(None, 1)[1] for line in command("--help").out.splitlines() if line[:2] == "  "]
    assert len(lines) == len(set(lines))


def test_a_query_says_when_no_chunk_holds_one_of_its_words(command, note, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    note.rename(docs / note.name)
    assert command(docs, "--out", tmp_path / "out", "--space", "default-text").code == 0
    poor = command("query", tmp_path / "out", "xylophone kepler")
    assert "no chunk holds a word of the query" in poor.err
    good = command("query", tmp_path / "out", "backups")
    assert "no chunk holds" not in good.err
    assert "words " in good.out.splitlines()[0]
    assert "meaning " in good.out.splitlines()[0]


def test_a_command_leaves_the_environment_as_it_was(command, plugins, monkeypatch):
    monkeypatch.setenv("INDX_NAME_OF_NOBODY", "before")

    def change() -> None:
        os.environ["INDX_NAME_OF_NOBODY"] = "after"
        os.environ["INDX_ANOTHER_OF_NOBODY"] = "set"

    plugins(change=change)
    assert command("change").code == 0
    assert os.environ["INDX_NAME_OF_NOBODY"] == "before"
    assert "INDX_ANOTHER_OF_NOBODY" not in os.environ


def test_names_and_texts_give_a_terminal_no_orders_and_take_one_line(command, note, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    note.write_text("# Retention \x1b]0;owned\x07\n\nKept \x9b2J for 90 days.\n", "utf-8")
    note.rename(docs / "a\nb\x1b[2J\u202edm.md")
    (docs / "bad\x1b[2J.md").write_bytes(b"\xff\xfe\xff")
    (docs / "gone\x1b[2J.md").symlink_to("nowhere")
    listed = command(docs, "--dry-run")
    built = command(docs, "--out", tmp_path / "out", "--space", "default-text")
    found = command("query", tmp_path / "out", "retention")
    held = command("inspect", tmp_path / "out")
    refused = command("query", tmp_path / "no\x1b[2J", "retention")
    assert (built.code, found.code, held.code, refused.code) == (0, 0, 0, 4)
    said = "".join(one.out + one.err for one in (listed, built, found, held, refused))
    assert not set(said) & {"\x1b", "\x07", "\x9b", "\u202e"}
    assert found.out.startswith("1. a\\x0ab\\x1b[2J\\u202edm.md, page 1 > Retention ")
    assert "gone\\x1b[2J.md" in built.err
    assert "gone\\x1b[2J.md" in held.out


def test_the_seconds_of_a_build_count_from_the_beginning_of_the_command(command, note, monkeypatch, tmp_path):
    monkeypatch.setattr("indx.cli.started.STARTED", started.STARTED - 1_000)
    docs = tmp_path / "docs"
    docs.mkdir()
    note.rename(docs / "a.md")
    said = command(docs, "--out", tmp_path / "out", "--no-embed").err
    total, parts = re.search(r"^(\d+\.\d) s since the command began \((.+)\)$", said, re.MULTILINE).groups()
    names, seconds = zip(*(part.rsplit(" ", 1) for part in parts.split(", ")), strict=True)
    assert names == ("Walk", "Parse", "Chunk", "Relate", "Enrich", "Embed", "Pack", "start-up and the rest")
    assert float(total) >= 1_000
    assert sum(map(float, seconds)) == pytest.approx(float(total), abs=0.05 * (len(seconds) + 1))
    told = command(docs, "--out", tmp_path / "out", "--no-embed", "--json").json
    assert told["total_seconds"] >= 1_000 > sum(told["seconds"].values())


def test_an_input_that_may_not_be_looked_at_is_a_usage_error(command, tmp_path, monkeypatch):
    def refuse(path, **_):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("pathlib.Path.stat", refuse)
    refused = command(tmp_path / "closed" / "docs", "--out", tmp_path / "out")
    assert refused.code == 2
    assert "docs' does not exist" in refused.err


@pytest.mark.parametrize("word", ["help", "bogus"])
def test_a_word_that_is_no_command_and_nothing_to_build_is_told_so(command, monkeypatch, tmp_path, word):
    monkeypatch.chdir(tmp_path)
    answer = command(word)
    assert (answer.code, answer.err) == (
        2,
        f"indx: no command, folder or archive {word!r}; indx --help lists the commands\n",
    )
    assert f"/{word}' does not exist" in command(word, "--out", "out").err
    (tmp_path / word).mkdir()
    assert "name where the space is written: --out OUT" in command(word).err


def test_a_file_that_is_no_archive_is_not_asked_where_its_space_goes(command, note):
    answer = command(note)
    assert answer.code == 2
    assert "is no folder, ZIP or TAR" in answer.err


def test_help_shows_how_a_space_is_made_and_of_what(command):
    shown = command("--help").out
    assert "  indx DIR --out OUT makes a knowledge space of a directory, ZIP or TAR.\n" in shown
    assert "\n  build         Make a knowledge space: indx DIR --out OUT (the default).\n" in shown
    assert "a directory, ZIP or TAR into a knowledge space" in command("build", "--help").out


def test_one_of_a_kind_is_counted_in_the_singular(command, note, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# A\n\nKept.\n")
    (docs / "a.bin").write_bytes(b"\0\1\2")
    built = command(docs, "--out", tmp_path / "out", "--space", "default-text").err
    assert "1 document, 1 chunk, " in built
    assert ", 1 vector\n" in built
    assert "1 entry in metadata.errors of index.json:" in built
    assert "1 of 1 chunk," in command("query", tmp_path / "out", "kept").err
    (docs / "a.bin").unlink()
    assert "1 file would be read" in command(docs, "--dry-run").err
    (docs / "a.pdf").write_bytes(b"%PDF-1.4 no more")
    assert "1 item failed in Parse" in command(docs, "--out", tmp_path / "out", "--strict").err


@pytest.mark.parametrize("options", [(), ("--quiet",), ("--json",)])
def test_a_space_in_which_nothing_will_be_found_is_told(command, note, tmp_path, options):
    docs = tmp_path / "docs"
    docs.mkdir()
    note.rename(docs / "a.md")
    said = "no text was read, so no query finds anything in this space"
    assert said not in command(docs, "--out", tmp_path / "out", *options).err
    (docs / "a.md").unlink()
    (docs / "a.bin").write_bytes(b"\0\1\2")
    for _ in range(2):
        built = command(docs, "--out", tmp_path / "out", *options)
        assert (built.code, built.err.count(said)) == (0, 1)


def test_a_folder_without_a_file_leaves_the_space_as_it_was(command, note, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    note.rename(docs / "a.md")
    assert command(docs, "--out", tmp_path / "out").code == 0
    before = (tmp_path / "out" / "handbook.indx").read_bytes()
    (docs / "a.md").unlink()
    refused = command(docs, "--out", tmp_path / "out", "--json")
    assert (refused.code, refused.json["code"]) == (2, "input_empty")
    assert (tmp_path / "out" / "handbook.indx").read_bytes() == before


def test_a_query_without_text_is_refused_in_plain_words(command):
    refused = command("embed", "", "--space", "default-text")
    assert (refused.code, refused.json["param"]) == (2, "input.text.text")
    assert refused.err == "indx: the query is empty; write its text, as indx embed TEXT --space ID\n"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_wrong_setting_of_a_reader_leaves_the_space_that_was_built_as_it_is(
    command, note, monkeypatch, tmp_path, workers
):
    docs, out = tmp_path / "docs", tmp_path / "out"
    docs.mkdir()
    note.rename(docs / "a.md")
    monkeypatch.setenv("INDX_CACHE_DIR", str(tmp_path / "cache"))
    assert command(docs, "--out", out, "--no-embed").code == 0
    before = {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()}
    monkeypatch.setenv("INDX_TEXT_ENCODING", "utf8-sig,cp-932")
    (docs / "b.md").write_text("# More\n", "utf-8")
    refused = command(docs, "--out", out, "--no-embed", "-j", workers)
    assert refused.code == 3
    assert "INDX_TEXT_ENCODING" in refused.err
    assert {path: path.read_bytes() for path in out.rglob("*.*") if path.is_file()} == before
