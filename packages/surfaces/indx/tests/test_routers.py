"""A request that names a router follows it, out of a store; without a workspace it is refused."""

import json
import os

import pytest

from indx import Indx
from indx_core.errors import NotFound, StoreDisabled


@pytest.fixture(autouse=True)
def own_environment(monkeypatch):
    """What a command changes in the environment is as it was afterwards."""
    before = dict(os.environ)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture
def router(command, tmp_path):
    """The place of a store with a router whose default branch classifies by words; two versions of it."""
    place = f"sqlite:{tmp_path / 'indx.db'}"
    branch = {"classification": {"document_ids": ["words"]}}
    for spec in ({"label": "R", "default": {}}, {"label": "R", "default": branch}):
        file = tmp_path / "router.json"
        file.write_text(json.dumps(spec))
        assert command("routers", "put", "r", "--spec", file, "--store", place).code == 0
    return place


@pytest.fixture
def forgotten(router, monkeypatch):
    """The settings as a new process has them: the commands that made the router named its place in them."""
    for name in [name for name in os.environ if name.startswith("INDX_") and name != "INDX_CACHE_DIR"]:
        monkeypatch.delenv(name)
    return router


def test_a_command_follows_a_router_of_the_store_it_is_told(command, note, forgotten):
    planned = command("plan", note, "--router", "r", "--store", forgotten)
    assert planned.json["plan"]["router"] == {"id": "r", "version": 2}
    encoded = command("encode", note, "--router", "r@1", "--store", forgotten)
    assert encoded.json["plan"]["router"] == {"id": "r", "version": 1}
    unknown = command("encode", note, "--router", "nope", "--store", forgotten, "--request-id", "mine")
    assert (unknown.code, unknown.json["code"]) == (1, "router_not_found")
    assert unknown.json["request_id"] == "mine"
    own = command("encode", note, "--router", "r", "--classify", "words", "--store", forgotten)
    assert own.json["code"] == "router_conflict"


@pytest.mark.parametrize("place", ["cloud:x", "", "memory:x"])
def test_a_store_that_is_no_place_is_refused(command, note, place):
    answer = command("plan", note, "--router", "r", "--store", place)
    assert (answer.code, answer.json["code"]) == (2, "usage_error")


@pytest.mark.parametrize("asked", ["plan", "encode"])
def test_a_store_that_is_not_there_is_not_made_to_look_into_it(command, note, tmp_path, asked):
    answer = command(asked, note, "--router", "r", "--store", f"sqlite:{tmp_path}/kpet.db")
    assert (answer.code, answer.json["code"]) == (3, "store_not_configured")
    assert "kpet.db' does not exist, or may not be looked at; check its path, or make the store" in answer.err
    assert not (tmp_path / "kpet.db").exists()


def test_python_follows_a_router_of_the_stores_that_the_settings_name(note, forgotten, monkeypatch):
    with pytest.raises(StoreDisabled, match="INDX_ROUTER_STORE"):
        Indx().encode(note, router={"id": "r"})
    monkeypatch.setenv("INDX_ROUTER_STORE", "sqlite")
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", forgotten.partition(":")[2])
    indx = Indx()
    for _ in range(2):  # the store is opened for each
        result = indx.encode(note, router={"id": "r"})
        assert result.plan.router.version == 2
    assert indx.plan(note, router={"id": "r", "version": 1}).plan.router.version == 1
    with pytest.raises(NotFound) as refused:
        indx.plan(note, router={"id": "nope"}, request_id="mine")
    assert (refused.value.code, refused.value.request_id) == ("router_not_found", "mine")


def test_without_a_workspace_routers_are_disabled(command, note, router, monkeypatch):
    monkeypatch.setattr("indx.routers.find_spec", lambda name: None)
    with pytest.raises(StoreDisabled):
        Indx().plan(note, router={"id": "r"})
    assert Indx().plan(note).plan.status == "ready"
    answer = command("encode", note, "--router", "r", "--store", router)
    assert (answer.code, answer.json["code"]) == (3, "store_not_configured")
    assert 'pip install "indx[standard]"' in answer.err
