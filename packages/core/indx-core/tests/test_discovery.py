"""Discovery: one bad plugin never hides the good ones, and every state has its reason."""

import subprocess
import sys

import importlib_metadata
import pytest

from indx_core.discovery import Candidate, Registry, State, scan
from indx_core.ports import (
    CapabilityDeclaration,
    ChunkerDeclaration,
    EmbedderDeclaration,
    LaneDeclaration,
    LoaderDeclaration,
    ObserverDeclaration,
    Space,
    Unavailability,
)


class Part:
    port_version = 1

    def __init__(self, declaration, lack=None, port=1):
        self.declaration = declaration
        self.lack = lack
        self.port_version = port

    def availability(self):
        return self.lack


def candidate(name, made, *, group="indx.chunkers", distribution=None):
    def load():
        if isinstance(made, BaseException):
            raise made
        return lambda: made

    return Candidate(group, name, f"x:{name}", distribution or f"dist-{name}", "1.0", load)


def chunker(id_, version=1, **more):
    return Part(ChunkerDeclaration(id_, version, True, (), "x"), **more)


@pytest.mark.parametrize(
    "error", [ImportError("no module x"), SystemExit(3), RuntimeError("boom"), ValueError()]
)
def test_a_plugin_that_fails_to_load_is_listed_broken_and_the_others_work(error):
    registry = Registry([candidate("bad", error), candidate("good", chunker("good"))])
    bad, good = registry.providers("indx.chunkers")
    assert (bad.state, good.state) == (State.BROKEN, State.AVAILABLE)
    assert type(error).__name__ in bad.reason
    assert bad.error is error
    assert "dist-bad" in bad.fix
    assert [p.candidate.name for p in registry.usable("indx.chunkers")] == ["good"]


@pytest.mark.parametrize("advertised", [True, False])
def test_what_a_provider_says_it_lacks_is_fit_for_the_wire_and_holds_no_secret(advertised, monkeypatch):
    monkeypatch.setenv("INDX_FAKE_API_KEY", "key-0123456789")
    lack = Unavailability("refused key-0123456789\ud800", "ask http://ann:pw-in-address@h/")
    (found,) = Registry([candidate("a", chunker("c", lack=lack) if advertised else lack)]).everything()
    assert found.state is State.UNAVAILABLE
    assert (found.reason, found.fix) == ("refused ***\ufffd", "ask http://***@h/")


def test_an_unavailable_provider_is_advertised_with_its_reason_and_fix():
    lack = Unavailability("no model", "set INDX_MODEL")
    registry = Registry([candidate("a", chunker("a", lack=lack))])
    (provider,) = registry.advertised("indx.chunkers")
    assert (provider.state, provider.reason, provider.fix) == (
        State.UNAVAILABLE,
        "no model",
        "set INDX_MODEL",
    )
    assert registry.usable("indx.chunkers") == ()


def test_a_factory_with_nothing_to_advertise_is_not_advertised():
    registry = Registry([candidate("a", Unavailability("extra missing", "pip install x[y]"))])
    assert registry.advertised("indx.chunkers") == ()
    assert registry.providers("indx.chunkers")[0].reason == "extra missing"


def test_another_port_version_is_incompatible():
    registry = Registry([candidate("a", chunker("a", port=2))])
    assert registry.providers("indx.chunkers")[0].state is State.INCOMPATIBLE


def test_equal_identities_are_both_refused_and_name_each_other():
    registry = Registry(
        [candidate("a", chunker("same")), candidate("b", chunker("same")), candidate("c", chunker("c"))]
    )
    a, b, c = registry.providers("indx.chunkers")
    assert (a.state, b.state, c.state) == (State.DUPLICATE, State.DUPLICATE, State.AVAILABLE)
    assert "dist-b" in a.reason
    assert "dist-a" in b.reason


def test_embedders_that_describe_one_space_in_different_ways_are_refused_and_name_each_other():
    def made(name, dimension, space="s"):
        declaration = EmbedderDeclaration(
            name, Space(space, dimension, "cosine", True), ("query",), ("text",)
        )
        return candidate(name, Part(declaration), group="indx.embedders")

    alike = Registry([made("a", 2), made("b", 2)])
    assert len(alike.usable("indx.embedders")) == 2
    unlike = Registry([made("a", 2), made("b", 3), made("c", 3, "other")])
    a, b, c = unlike.providers("indx.embedders")
    assert (a.state, b.state, c.state) == (State.DUPLICATE, State.DUPLICATE, State.AVAILABLE)
    assert a.reason == "the space s is declared otherwise by dist-b (b); neither is used"


def test_versions_of_one_chunker_live_side_by_side():
    registry = Registry([candidate("a", chunker("pdf", 1)), candidate("b", chunker("pdf", 2))])
    assert len(registry.usable("indx.chunkers")) == 2
    assert registry.find("indx.chunkers", "pdf@2").candidate.name == "b"


def test_lane_ids_are_one_namespace_over_the_lane_groups():
    lanes = [
        candidate("a", Part(LaneDeclaration("words", "document")), group="indx.classifiers"),
        candidate("b", Part(LaneDeclaration("words", "document")), group="indx.enrichers"),
    ]
    registry = Registry(lanes)
    assert registry.providers("indx.classifiers")[0].state is State.DUPLICATE
    assert registry.providers("indx.enrichers")[0].state is State.DUPLICATE


def test_two_loaders_of_one_scheme_are_duplicates():
    loaders = [
        candidate("a", Part(LoaderDeclaration("a", ("s3",))), group="indx.loaders"),
        candidate("b", Part(LoaderDeclaration("b", ("s3",))), group="indx.loaders"),
    ]
    assert {p.state for p in Registry(loaders).providers("indx.loaders")} == {State.DUPLICATE}


def test_nothing_is_loaded_before_its_group_is_asked_for():
    loaded = []
    lazy = Candidate(
        "indx.chunkers", "a", "x:a", "d", "1", lambda: loaded.append(1) or (lambda: chunker("a"))
    )
    registry = Registry([lazy])
    assert registry.providers("indx.loaders") == ()
    assert loaded == []
    registry.providers("indx.chunkers")
    registry.providers("indx.chunkers")
    assert loaded == [1]


@pytest.mark.parametrize(
    ("setting", "names"), [("none", []), ("dist-b", ["b"]), ("Dist_B", ["b"]), ("", ["a", "b"])]
)
def test_the_plugins_setting_narrows_before_anything_is_loaded(monkeypatch, setting, names):
    monkeypatch.setenv("INDX_PLUGINS", setting)
    found = (candidate("a", chunker("a")), candidate("b", chunker("b")))
    monkeypatch.setattr("indx_core.discovery.scan", lambda: found)
    assert [c.name for c in Registry().candidates] == names


@pytest.mark.parametrize(
    ("setting", "fixes"),
    [
        ("none", {}),
        ("dist-a,indx-core", {}),
        ("dist-b, Dist_Aa", {"Dist_Aa": "did you mean 'dist-a'?"}),
        ("xyzzy,xyzzy", {"xyzzy": "install it, or take it out"}),
        ("none,dist-a", {"none": "install it, or take it out"}),
    ],
)
def test_a_name_in_the_plugins_setting_that_nothing_has_is_told_with_the_nearest(monkeypatch, setting, fixes):
    monkeypatch.setenv("INDX_PLUGINS", setting)
    found = (candidate("a", chunker("a")), candidate("b", chunker("b")))
    monkeypatch.setattr("indx_core.discovery.scan", lambda: found)
    told = Registry().unmatched()
    assert {p.distribution: p.fix for p in told} == fixes
    assert [p for p in Registry().everything() if p.candidate.group == "indx"] == list(told)
    for provider in told:
        assert provider.state is State.UNAVAILABLE
        assert provider.reason == f"INDX_PLUGINS names {provider.distribution!r}, which is not installed"


def test_a_name_that_nothing_has_is_not_accepted_in_silence(monkeypatch, caplog):
    monkeypatch.setenv("INDX_PLUGINS", "dist-aa,dist-a")
    monkeypatch.setattr("indx_core.discovery.scan", lambda: (candidate("a", chunker("a")),))
    assert [p.candidate.name for p in Registry().usable("indx.chunkers")] == ["a"]
    assert caplog.messages == ["INDX_PLUGINS names 'dist-aa', which is not installed; did you mean 'dist-a'?"]


def test_what_is_given_by_name_is_not_narrowed(monkeypatch):
    monkeypatch.setenv("INDX_PLUGINS", "xyzzy")
    registry = Registry([candidate("a", chunker("a"))])
    assert (registry.plugins, registry.unmatched()) == (None, ())
    assert [c.name for c in registry.candidates] == ["a"]


def write_distribution(folder, name, version, entry_points):
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_bytes(entry_points)


def test_malformed_metadata_is_listed_as_broken_and_the_good_beside_it_is_found(tmp_path):
    write_distribution(tmp_path, "bad-one", "1.0", b"[indx.chunkers]\n= = =\n\xff\xfe")
    write_distribution(tmp_path, "good-one", "1.0", b"[indx.chunkers]\na = x:a\n[other]\nb = x:b\n")
    found = scan(importlib_metadata.distributions(path=[str(tmp_path)]))
    assert ("good-one", "a", "indx.chunkers") in [(c.distribution, c.name, c.group) for c in found]
    listed = Registry(found).everything()
    assert [(p.distribution, p.state) for p in listed if p.distribution == "bad_one"] == [
        ("bad_one", State.BROKEN)
    ]
    assert "UnicodeDecodeError" in listed[-1].reason


def test_an_application_packed_without_metadata_says_what_it_lacks(monkeypatch):
    monkeypatch.setattr(sys, "path", [])
    (found,) = Registry(scan()).everything()
    assert (found.distribution, found.state) == ("indx_core", State.BROKEN)
    assert "PyInstaller" in found.reason


def part(kind, *facts, **more):
    return Part(kind(*facts, **more))


def embedder(space, roles=("query",)):
    return Part(EmbedderDeclaration("a", space, roles, ("text",)))


@pytest.mark.parametrize(
    ("group", "made", "fact"),
    [
        ("indx.capabilities", part(CapabilityDeclaration, "a", "magic", ("x/y",)), "kind"),
        ("indx.capabilities", part(CapabilityDeclaration, "a", "ocr", ["x/y"]), "media_types"),
        ("indx.capabilities", part(CapabilityDeclaration, "a", "ocr", ("x/y",), device="tpu"), "device"),
        ("indx.capabilities", part(CapabilityDeclaration, "a b", "ocr", ("x/y",)), "id"),
        ("indx.capabilities", part(CapabilityDeclaration, "a", "ocr", ("x/y",), converts=1), "converts"),
        ("indx.capabilities", part(CapabilityDeclaration, None, "ocr", ("x/y",)), "id"),
        ("indx.observers", part(ObserverDeclaration, "a", ("x/y",), hostile="no"), "hostile"),
        ("indx.observers", part(ObserverDeclaration, "a", ("x/y",), rank="first"), "rank"),
        ("indx.chunkers", part(ChunkerDeclaration, "a", 0, True, (), "x"), "version"),
        ("indx.chunkers", part(ChunkerDeclaration, "a@1", 1, True, (), "x"), "id"),
        ("indx.chunkers", part(ChunkerDeclaration, "a", 1, True, (), "\ud800"), "summary"),
        ("indx.classifiers", part(LaneDeclaration, "a", "region"), "unit"),
        ("indx.loaders", part(LoaderDeclaration, "a", ("S3",)), "schemes"),
        ("indx.embedders", embedder(Space("s", 0, "cosine", True)), "dimension"),
        ("indx.embedders", embedder(Space("s", 1, "cosine", True), ("any",)), "roles"),
        ("indx.embedders", embedder(None), "'NoneType'"),
        ("indx.job_runners", Part(object()), "'id'"),
    ],
)  # fmt: skip
def test_a_declaration_that_could_not_be_advertised_makes_its_provider_broken(group, made, fact):
    registry = Registry([candidate("bad", made, group=group)])
    (bad,) = registry.providers(group)
    assert bad.state is State.BROKEN
    assert fact in bad.reason
    assert registry.advertised(group) == ()


def test_the_copy_found_first_on_the_path_shadows_an_older_one(tmp_path):
    write_distribution(tmp_path / "new", "my-dist", "2.0", b"[indx.chunkers]\na = x:a\n")
    write_distribution(tmp_path / "old", "My_Dist", "1.0", b"[indx.chunkers]\na = x:a\nb = x:b\n")
    found = scan(importlib_metadata.distributions(path=[str(tmp_path / "new"), str(tmp_path / "old")]))
    assert [(c.name, c.version) for c in found] == [("a", "2.0")]


def test_the_order_of_the_path_does_not_change_what_is_found(tmp_path):
    for name in ("b-dist", "a-dist"):
        write_distribution(tmp_path / name, name, "1.0", b"[indx.chunkers]\nx = x:x\n")
    paths = [str(tmp_path / "b-dist"), str(tmp_path / "a-dist")]
    one = scan(importlib_metadata.distributions(path=paths))
    two = scan(importlib_metadata.distributions(path=paths[::-1]))
    assert one == two


def test_a_forked_process_waits_for_no_thread_of_its_parent():
    script = """
import os, threading
from indx_core import discovery
registry = discovery.default_registry()
held, done = threading.Event(), threading.Event()
def hold():
    with registry._lock, discovery._default_lock:
        held.set()
        done.wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
if os.fork() == 0:
    discovery.default_registry().providers("indx.chunkers")
    os._exit(7)
print(os.waitstatus_to_exitcode(os.wait()[1]))
done.set()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "7\n"
