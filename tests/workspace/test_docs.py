"""The docs are true: generated pages are fresh, links lead somewhere, commands parse, examples run."""

from __future__ import annotations

import ast
import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import jsonschema
import pytest
import typer

from indx.cli import main as cli
from indx_core import errors, hooks
from indx_core.contracts import EncodeRequest, index_schema
from indx_core.contracts.parsing import parse_json
from indx_core.discovery import GROUPS, default_registry
from indx_space import DirectoryPipeline, KnowledgeSpace
from indx_space.config import Config
from indx_space.pipeline.directory import _TOLERATED

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
OURS = [page for page in PAGES if page.name != "contributing.md"]
FENCE = re.compile(r"^```(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
OPERATORS = {"|", "||", "&&", ";", ">", ">>", "<", "&"}


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def each(pages):
    return pytest.mark.parametrize("page", pages, ids=[name_of(page) for page in pages])


def text_of(page):
    return page.read_text("utf-8")


def blocks(page, *languages):
    """Fenced blocks of a page whose language is one of these, with what else is said beside it."""
    for info, content in FENCE.findall(text_of(page)):
        language, _, more = info.strip().partition(" ")
        if language in languages:
            yield more, content


def prose(page):
    return FENCE.sub("", text_of(page))


def cells(page, heading):
    """The rows of the first table below a heading, without the marks of code."""
    below = re.split(rf"^#+ {re.escape(heading)}$", text_of(page), flags=re.MULTILINE)[1]
    table = re.search(r"^\|(?:.*\n\|)+.*$", below, re.MULTILINE)[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in table]


# Generated pages


def test_the_generated_pages_say_what_the_code_says():
    ran = subprocess.run(
        [sys.executable, ROOT / "scripts/docs", "--check"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_stale_page_is_named_and_written_and_a_wrong_option_refused(tmp_path):
    for name in ("docs", "reference"):
        (shutil.copy if name == "docs" else shutil.copytree)(ROOT / "scripts" / name, made(tmp_path) / name)
    (tmp_path / "packages").symlink_to(ROOT / "packages")

    def script(*options):
        command = [sys.executable, tmp_path / "scripts/docs", *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert script("--all").returncode == 2
    assert script().returncode == 0
    assert script("--check").returncode == 0
    for page in sorted((tmp_path / "docs/reference").iterdir()):
        assert page.read_bytes() == reference(page.stem).read_bytes()
    (tmp_path / "docs/reference/settings.md").write_text("old")
    stale = script("--check")
    assert stale.returncode == 1
    assert stale.stdout == "docs/reference/settings.md is not what the code says; run scripts/docs\n"


def made(folder):
    (folder / "scripts").mkdir(exist_ok=True)
    return folder / "scripts"


def test_every_setting_is_a_row_with_its_default_and_meaning(members):
    rows = {
        line.split("|")[1].strip(): line
        for line in text_of(reference("settings")).splitlines()
        if "|" in line
    }
    declared = [setting for member in members for setting in settings_of(member)]
    assert declared
    for setting in declared:
        line = rows[f"`{setting.name}`"]
        assert setting.help.replace("|", "\\|") in line
        assert f"| {setting.read} | {'yes' if setting.secret else 'no'} |" in line
        assert (
            (f"`{setting.default}`".lower() in line.lower())
            or "| unset |" in line
            or setting.kind.name == "list"
        )


def settings_of(member):
    for path in member.sources:
        if re.search(r"^SETTINGS\b", text_of(path), re.MULTILINE):
            yield from import_module(
                ".".join(path.relative_to(member.path / "src").with_suffix("").parts)
            ).SETTINGS


def reference(name):
    return ROOT / f"docs/reference/{name}.md"


def test_every_hook_is_a_heading_with_its_exact_arguments():
    text = text_of(reference("hooks"))
    found = [one for one in vars(hooks.HookSpecs).values() if inspect.isfunction(one)]
    assert found
    for hook in found:
        arguments = [
            f"{n}: {p.annotation}" for n, p in inspect.signature(hook).parameters.items() if n != "self"
        ]
        assert f"\n## `{hook.__name__}({', '.join(arguments)})`\n" in text


def test_every_group_and_port_method_is_in_the_ports():
    text = text_of(reference("ports"))
    for group in GROUPS:
        assert f"`{group}`" in text
    for name, port in vars(import_module("indx_core.ports")).items():
        if getattr(port, "_is_protocol", False):
            for method, function in vars(port).items():
                if inspect.isfunction(function) and not method.startswith("_"):
                    names = [n for n in inspect.signature(function).parameters if n != "self"]
                    assert re.search(rf"#### `{method}\((\*, )?{names[0] if names else ''}", text), (
                        f"{name}.{method}"
                    )


def test_every_code_is_in_the_errors():
    rows = {(line[0], line[1]) for line in cells(reference("errors"), "Codes")}
    kinds = [
        one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.IndxError)
    ]
    for kind in kinds:
        for code in kind.codes:
            assert (code, kind("", code=code).envelope()["type"]) in rows


# Links


def slugs(page):
    """The fragments of a page's headings, as code hosts make them."""
    counted = Counter()
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        counted[slug] += 1
        yield slug if counted[slug] == 1 else f"{slug}-{counted[slug] - 1}"


@each([*PAGES, *sorted((ROOT / "adr").glob("*.md"))])
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", INLINE.sub("", prose(page))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, fragment = target.partition("#")
        there = (page.parent / unquote(path)).resolve() if path else page
        assert there.exists(), f"{target}: no such file"
        if fragment:
            assert fragment in set(slugs(there)), f"{target}: no such heading"


def test_the_map_leads_to_every_page():
    index = ROOT / "docs/index.md"
    linked = {(index.parent / target).resolve() for target in re.findall(r"\]\(([^)#]+)\)", prose(index))}
    assert set(PAGES) - {index} <= linked


# Commands


def words(line):
    """A line of a shell as simple commands."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, "#"
    command = []
    for token in lexer:
        if token in OPERATORS:
            yield command
            command = []
        else:
            command.append(token)
    yield command


def commands(page):
    """Every `indx …` that a page shows, in blocks and in text, without variables set before it."""
    lines = [
        line for _, content in blocks(page, "", "sh") for line in content.replace("\\\n", " ").splitlines()
    ]
    lines += [span for span in INLINE.findall(prose(page)) if span.startswith("indx ")]
    for line in lines:
        for command in words(line) if "indx" in line else ():
            while command and re.fullmatch(r"[A-Z_]+=.*", command[0]):
                command = command[1:]
            if command and Path(command[0]).name == "indx":
                yield command[1:]


def click_command(name):
    if name in cli.COMMANDS:
        module, _, function = cli.COMMANDS[name][0].partition(":")
        made = getattr(import_module(module), function)
    else:  # of another distribution
        made = cli._plugin_commands()[name].load()
    if isinstance(made, typer.Typer):
        return typer.main.get_command(made)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    app.command(name)(made)
    return typer.main.get_command(app)


def options(command):
    """Every option of a command and of those below it."""
    for one in command.params:
        yield from one.opts
    for below in getattr(command, "commands", {}).values():
        yield from options(below)


@each([page for page in OURS if page.name != "command.md"])
def test_every_command_parses(page):
    for arguments in commands(page):
        name, rest = cli._split(arguments)
        if not (name.startswith("-") or "--help" in rest or arguments == ["COMMAND"]):
            parse(name, rest, whole=arguments not in spans(page))


def spans(page):
    """Commands named within the text, which may leave arguments out."""
    return [shlex.split(span)[1:] for span in INLINE.findall(prose(page)) if span.startswith("indx ")]


def parse(name, arguments, *, whole=True):
    try:
        click_command(name).make_context(name, list(arguments))
    except Exception as error:
        if whole or type(error).__name__ != "MissingParameter":
            raise


def test_an_option_that_is_none_would_be_noticed(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```sh\nA=1 indx plan x.pdf --no-such | cat\n```\n`indx query a b`\n")
    assert list(commands(page)) == [["plan", "x.pdf", "--no-such"], ["query", "a", "b"]]
    with pytest.raises(Exception, match="no-such"):
        parse("plan", ["x.pdf", "--no-such"])
    with pytest.raises(Exception, match=r"[Mm]issing"):
        parse("query", ["x"])


@each(OURS)
def test_every_option_in_the_text_exists(page):
    names = [*cli.COMMANDS, *cli._plugin_commands()]
    known = {option for name in names for option in options(click_command(name))}
    known |= {"--help", "--version"}
    shown = {
        span.split()[0].partition("=")[0] for span in INLINE.findall(prose(page)) if span.startswith("--")
    }
    assert shown <= known | ({"--out"} if "scripts/new-provider" in text_of(page) else set())


@each(OURS)
def test_scripts_extras_and_variables_that_are_named_exist(page, members):
    text = text_of(page)
    for script in re.findall(r"\bscripts/([a-z-]+)", text):
        assert (ROOT / "scripts" / script).exists(), f"scripts/{script}"
    extras = next(member for member in members if member.name == "indx").project["optional-dependencies"]
    assert set(re.findall(r'pip install "indx\[(\w+)\]"', text)) <= set(extras)
    declared = {setting.name for member in members for setting in settings_of(member)}
    named = set(re.findall(r"\bINDX_[A-Z][A-Z0-9_]*", text)) - {"INDX_CHUNKER_STANZAS_MAX_LINES"}
    assert named <= declared


# Blocks of code


@each(PAGES)
def test_blocks_are_well_formed(page):
    for _, content in blocks(page, "python"):
        ast.parse(content)
    for _, content in blocks(page, "json"):
        json.loads(content)
    for _, content in blocks(page, "toml"):
        for group in tomllib.loads(content).get("project", {}).get("entry-points", {}):
            assert group in GROUPS


PDF = """%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R
/Resources <</Font <</F 5 0 R>>>>>> endobj
4 0 obj <</Length 74>> stream
BT /F 18 Tf 72 760 Td (Data retention: records are kept for 90 days) Tj ET
endstream endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
"""


def a_pdf():
    """One page with a line of text."""
    table = "".join(f"{PDF.index(f'{n} 0 obj'):010} 00000 n \n" for n in range(1, 6))
    return (
        f"{PDF}xref\n0 6\n0000000000 65535 f \n{table}"
        f"trailer <</Size 6 /Root 1 0 R>>\nstartxref\n{len(PDF)}\n%%EOF\n"
    ).encode("ascii")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A directory as the examples presume it: documents, a PDF file, and a space made of the documents."""
    folder = tmp_path_factory.mktemp("place")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("INDX_")]:
            patch.delenv(name)
        patch.setenv("INDX_CACHE_DIR", str(folder / "cache"))
        (folder / "docs").mkdir()
        for page in sorted((ROOT / "docs/how-to").iterdir()):
            (folder / "docs" / page.name).write_bytes(page.read_bytes())
        (folder / "report.pdf").write_bytes(a_pdf())
        DirectoryPipeline(folder / "docs", folder / "ai-ready").run()
        patch.chdir(folder)
        yield folder


def running(language):
    return [page for page in OURS if any(more == "run" for more, _ in blocks(page, language))]


@each(running("python"))
def test_examples_in_python_run(page, place, capsys):
    names = {"__name__": page.stem}
    for more, content in blocks(page, "python"):
        if more == "run":
            exec(compile(content, name_of(page), "exec"), names)
    for value in names.values():
        if isinstance(value, KnowledgeSpace):
            value.close()
    assert capsys.readouterr().out


@each(running("sh"))
def test_examples_of_the_command_run(page, place, capsys):
    for more, content in blocks(page, "sh"):
        for line in content.splitlines() if more == "run" else ():
            (command,) = words(line)
            assert command[0] == "indx"
            code = cli.run(command[1:])
            out = capsys.readouterr()
            assert code == 0, f"{line}\n{out.err}"


def test_requests_are_what_the_contract_takes():
    kinds = []
    for more, content in blocks(ROOT / "docs/how-to/serve.md", "json"):
        if more == "request":
            kinds.append(parse_json(EncodeRequest, content).source.type)
    assert kinds == ["inline", "uri"]


STORIES = [page for page in OURS if any("output" in more for more, _ in blocks(page, "json", "text"))]


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """An empty directory to be in, and an environment that is as it was afterwards."""
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith("INDX_")]:
        del os.environ[name]
    os.environ["INDX_CACHE_DIR"] = str(tmp_path / "cache")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    yield tmp_path / "here"
    os.environ.clear()
    os.environ.update(before)


@each(STORIES)
def test_a_story_runs_from_first_to_last_and_prints_what_it_shows(page, elsewhere, capsys):
    said, names = "", {"__name__": page.stem}
    for info, content in FENCE.findall(text_of(page)):
        language, _, more = info.strip().partition(" ")
        if more.startswith("file="):
            path = elsewhere / more.removeprefix("file=")
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, "utf-8")
        elif more == "output":
            assert said, "an output of nothing"
            check_shown(json.loads(content), json.loads(said)) if language == "json" else check(content, said)
        elif more == "story" and language == "sh":
            said = last_answer(content, capsys)
        elif more == "story":
            exec(compile(content, name_of(page), "exec"), names)
            said = capsys.readouterr().out


def last_answer(content, capsys):
    """What the last of some commands writes."""
    for line in content.replace("\\\n", " ").splitlines():
        (command,) = words(line)
        assert command[0] == "indx"
        code = cli.run(command[1:])
        out = capsys.readouterr()
        assert code == 0, f"{line}\n{out.err}"
    return out.out


def check(shown, said):
    assert said == shown


def check_shown(shown, said):
    """Hold every member that is shown to what was said; more may have been said than is shown."""
    if isinstance(shown, dict):
        for name, value in shown.items():
            assert name in said, f"{name} is shown, and not in {sorted(said)}"
            check_shown(value, said[name])
    elif isinstance(shown, list):
        assert len(shown) == len(said), f"{shown} is shown for {said}"
        for one, other in zip(shown, said, strict=True):
            check_shown(one, other)
    else:
        assert said == shown


def test_an_output_that_is_another_would_be_noticed():
    said = {"a": [{"b": 1, "c": None}], "d": "x"}
    for right in ({}, {"a": [{"b": 1}]}, {"a": [{"c": None}], "d": "x"}):
        check_shown(right, said)
    for wrong in ({"a": []}, {"a": [{"b": 2}]}, {"e": 1}, {"d": None}):
        with pytest.raises(AssertionError):
            check_shown(wrong, said)


# Facts in tables


def literals(folder):
    """Every string that the code of a folder holds."""
    return {
        node.value
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(text_of(path)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_reasons_and_codes_of_a_build_are_those_of_the_code():
    page = ROOT / "docs/how-to/build-a-space.md"
    codes = {
        code for one in vars(errors).values() if isinstance(one, type) for code in getattr(one, "codes", ())
    }
    known = literals(ROOT / "packages/spaces/indx-space/src") | codes
    for heading in ("Which files", "What went wrong"):
        shown = {line[0] for line in cells(page, heading)}
        assert len(shown) > 5
        assert shown <= known
    told = re.search(r"^With `--strict`.*?\n\n", text_of(page), re.MULTILINE | re.DOTALL)[0]
    assert set(re.findall(r"`(\w+)`", told)) - {"strict_failure"} == _TOLERATED


def test_the_defaults_of_the_configuration_are_shown():
    (shown,) = (
        tomllib.loads(content) for _, content in blocks(ROOT / "docs/how-to/build-a-space.md", "toml")
    )
    output = Config().output
    assert shown == {**Config().content(), "output": {"name": output.name, "writers": list(output.writers)}}


def test_the_limits_shown_are_the_defaults(members):
    defaults = {setting.name: setting.default for member in members for setting in settings_of(member)}
    shown = {line[1]: line[2] for line in cells(ROOT / "docs/how-to/run-safely.md", "Limits")}
    for name, value in shown.items():
        if defaults[name]:
            number, _, unit = value.partition(" ")
            scale = {"": 1, "MiB": 1 << 20, "GiB": 1 << 30}[unit]
            assert int(number.replace(",", "")) * scale == defaults[name], name


def test_every_chunker_can_be_chosen(members):
    ours = {member.name for member in members}
    declared = [p for p in default_registry().providers("indx.chunkers") if p.distribution in ours]
    shown = {line[0] for line in cells(ROOT / "docs/how-to/choose-a-chunker.md", "Choose a chunker")}
    assert shown == {provider.item.declaration.id for provider in declared}


@pytest.mark.parametrize("name", ["index.json", "document", "chunk", "source", "relation", "stats"])
def test_the_archive_page_names_the_members_of_the_schema(name):
    schema = index_schema() if name == "index.json" else index_schema()["$defs"][name]
    shown = {line[0]: line[1] for line in cells(reference("archive"), name)}
    needed = schema.get("required", ())
    assert shown == {key: "yes" if key in needed else "no" for key in schema["properties"]}


def test_the_archive_page_names_what_a_build_writes(place):
    import zipfile

    page = reference("archive")
    with zipfile.ZipFile(place / "ai-ready/handbook.indx") as archive:
        names = archive.namelist()
        manifest, embeddings, index = (
            json.loads(archive.read(name))
            for name in ("manifest.json", "embeddings/manifest.json", "index.json")
        )
        assert archive.read("index.json") == (place / "ai-ready/index.json").read_bytes()
    jsonschema.validate(index, index_schema())
    assert {line[0] for line in cells(page, "manifest.json")} == set(manifest)
    assert {line[0] for line in cells(page, "embeddings/")} == set(embeddings)
    assert {line[0] for line in cells(page, "metadata")} == set(index["metadata"])
    layout = next(content for _, content in blocks(page, ""))
    for name in names:
        shown = name if name in layout else f"{name.partition('/')[0]}/"
        assert shown in layout, name
    types = {line[0] for line in cells(page, "relation")}
    assert types == set(index_schema()["$defs"]["relation"]["properties"])
