"""Opening a workspace: which stores there are, what is refused at start, what is disabled, who may write."""

from contextlib import contextmanager

import pytest

from indx_core.discovery import Registry
from indx_core.errors import ConfigurationError, StoreDisabled, Unauthorized, WorkspaceReadOnly
from indx_core.ports import StoreDeclaration, Unavailability
from indx_workspace import Workspace, unshared
from indx_workspace.stores import Stores, together

SERVICES = ("documents", "types", "labels", "datasets", "routers", "experiments")


def test_with_no_store_named_everything_is_disabled(open_workspace):
    workspace = open_workspace()
    for name in SERVICES:
        with pytest.raises(StoreDisabled) as refused:
            getattr(workspace, name)
        assert refused.value.code == "store_disabled"
        assert "INDX_" in refused.value.message
    assert workspace.expire() == 0
    assert workspace.resolve(None) is None


@pytest.mark.parametrize(
    ("setting", "service"),
    [
        ("INDX_SCHEMA_STORE", "types"),
        ("INDX_DATASET_STORE", "datasets"),
        ("INDX_ROUTER_STORE", "routers"),
    ],
)
def test_a_store_enables_its_own_noun_and_no_other(choose, open_workspace, setting, service):
    choose("memory", setting)
    workspace = open_workspace()
    for name in SERVICES:
        if name == service:
            assert getattr(workspace, name).list()
        else:
            with pytest.raises(StoreDisabled):
                getattr(workspace, name)


def test_labels_go_with_document_types(choose, open_workspace):
    choose("memory", "INDX_LABEL_STORE")
    with pytest.raises(StoreDisabled, match="INDX_SCHEMA_STORE"):
        _ = open_workspace().labels
    choose("memory", "INDX_LABEL_STORE", "INDX_SCHEMA_STORE")
    assert open_workspace().labels.list().labels == ()


@pytest.mark.parametrize(
    "missing", ["INDX_SCHEMA_STORE", "INDX_LABEL_STORE", "INDX_DATASET_STORE", "INDX_ROUTER_STORE"]
)
def test_experiments_go_with_the_rest_of_a_workspace(choose, open_workspace, monkeypatch, missing):
    choose("memory")
    monkeypatch.delenv(missing)
    with pytest.raises(StoreDisabled, match=missing):
        _ = open_workspace().experiments


@pytest.mark.parametrize("only", ["INDX_DOCUMENT_STORE", "INDX_VECTOR_INDEX"])
def test_documents_and_their_index_are_set_together_or_not_at_all(choose, open_workspace, only):
    choose("memory", only)
    with pytest.raises(ConfigurationError) as refused:
        open_workspace()
    assert refused.value.code == "store_not_configured"
    assert "INDX_DOCUMENT_STORE" in refused.value.message
    assert "INDX_VECTOR_INDEX" in refused.value.message


@pytest.mark.parametrize("setting", ["INDX_SCHEMA_STORE", "INDX_JOB_RUNNER"])
def test_a_store_that_is_not_installed_is_refused_naming_those_that_are(
    choose, open_workspace, monkeypatch, setting
):
    monkeypatch.setenv(setting, "nowhere")
    with pytest.raises(ConfigurationError) as refused:
        open_workspace()
    assert refused.value.code == "unknown_store"
    assert all(word in refused.value.message for word in (setting, "'nowhere'", "memory"))
    assert "pip install" not in refused.value.message


@pytest.mark.parametrize(
    ("setting", "name", "line"),
    [
        ("INDX_SCHEMA_STORE", "postgres", "indx-store-postgres[postgres]"),
        ("INDX_SCHEMA_STORE", "memory", "indx-store-memory"),
        ("INDX_JOB_RUNNER", "memory", "indx-runner-memory"),
    ],
)
def test_a_store_that_is_known_and_not_installed_says_how_to_get_it(monkeypatch, setting, name, line):
    monkeypatch.setenv(setting, name)
    with pytest.raises(ConfigurationError) as refused:
        Stores.chosen(Registry(()))
    assert refused.value.message == (
        f'{setting}: no {name!r} is installed (pip install "{line}"); installed: none'
    )


def test_a_store_that_lacks_its_setting_is_refused(choose, open_workspace, monkeypatch):
    choose("sqlite", "INDX_SCHEMA_STORE")
    monkeypatch.delenv("INDX_STORE_SQLITE_PATH")
    with pytest.raises(ConfigurationError) as refused:
        open_workspace()
    assert refused.value.code == "store_not_configured"
    assert "INDX_STORE_SQLITE_PATH" in refused.value.message


class Lacking:
    port_version = 1
    declaration = StoreDeclaration("lacking", shared=True)

    def availability(self):
        return Unavailability("its driver is not installed", "pip install driver")


def test_a_store_that_cannot_run_is_refused_with_the_line_that_would_fix_it(
    open_workspace, providers, monkeypatch
):
    providers["indx.schema_stores", "lacking"] = Lacking()
    monkeypatch.setenv("INDX_SCHEMA_STORE", "lacking")
    with pytest.raises(ConfigurationError, match="pip install driver"):
        open_workspace()


def test_a_setting_that_is_no_number_is_refused_at_start(open_workspace, monkeypatch):
    monkeypatch.setenv("INDX_STORE_TTL_SECONDS", "0")
    with pytest.raises(ConfigurationError, match="INDX_STORE_TTL_SECONDS"):
        open_workspace()


class Recorded:
    port_version = 1
    declaration = StoreDeclaration("recorded", shared=True)

    def __init__(self, log, name, *, fails=False):
        self.log, self.name, self.fails = log, name, fails

    def open(self):
        if self.fails:
            raise ConfigurationError(f"{self.name} is not configured", code="store_not_configured")
        self.log.append(f"open {self.name}")

    def close(self):
        self.log.append(f"close {self.name}")
        if self.name == "labels":
            raise OSError("it does not close")


@pytest.fixture
def recorded(providers, monkeypatch):
    log = []

    def make(**fails):
        for group, setting in (
            ("indx.schema_stores", "INDX_SCHEMA_STORE"),
            ("indx.label_stores", "INDX_LABEL_STORE"),
            ("indx.router_stores", "INDX_ROUTER_STORE"),
        ):
            name = setting.split("_")[1].lower().replace("label", "labels")
            if name in fails and fails[name] is None:
                continue
            providers[group, "recorded"] = Recorded(log, name, fails=fails.get(name, False))
            monkeypatch.setenv(setting, "recorded")
        return log

    return make


def test_where_one_store_cannot_be_opened_those_before_it_are_closed_again(engine, recorded):
    log = recorded(router=True)
    with pytest.raises(OSError, match="it does not close"):
        Workspace.open(engine())
    assert log == ["open schema", "open labels", "close labels", "close schema"]


def test_closing_closes_every_store_whatever_becomes_of_one(engine, recorded):
    log = recorded()
    workspace = Workspace.open(engine())
    with pytest.raises(OSError, match="it does not close"):
        workspace.close()
    assert sorted(log[3:]) == ["close labels", "close router", "close schema"]


def test_a_host_of_several_processes_learns_which_stores_live_in_one(choose, engine, monkeypatch):
    registry = engine().registry
    assert unshared(registry) == ()
    choose("memory", "INDX_SCHEMA_STORE")
    choose("sqlite", "INDX_LABEL_STORE")
    monkeypatch.setenv("INDX_JOB_RUNNER", "memory")
    assert unshared(registry) == ("INDX_SCHEMA_STORE", "INDX_JOB_RUNNER")


class Shared:
    port_version = 1
    declaration = StoreDeclaration("shared", shared=True)

    def __init__(self):
        self.registered, self.reachable = [], True

    def register(self, job, work):
        self.registered.append(job)

    def running(self, key):
        if not self.reachable:
            raise ConfigurationError("INDX_JOBS_URL: nobody is there", code="store_not_configured")
        return False

    def close(self):
        pass


@pytest.fixture
def shared(choose, providers, monkeypatch):
    choose("memory")
    monkeypatch.setenv("INDX_JOB_RUNNER", "shared")
    providers["indx.job_runners", "shared"] = made = Shared()
    return made


def test_a_process_takes_jobs_of_a_shared_runner_only_where_its_host_says_so(engine, shared):
    with Workspace.open(engine()):
        assert shared.registered == []
    with Workspace.open(engine(), runs=True):
        assert shared.registered == ["experiment"]


def test_a_shared_runner_that_cannot_be_reached_is_refused_before_a_store_is_opened(engine, shared, recorded):
    """A store that is opened makes the file it keeps things in, and nobody would use that."""
    log = recorded(labels=None)
    shared.reachable = False
    with pytest.raises(ConfigurationError, match="INDX_JOBS_URL"):
        Workspace.open(engine())
    assert log == []


def test_where_a_store_cannot_be_opened_the_runner_is_closed_as_well(engine, shared, recorded):
    log = recorded(labels=None, router=True)
    shared.close = lambda: log.append("close runner")
    with pytest.raises(ConfigurationError, match="router is not configured"):
        Workspace.open(engine())
    assert log == ["open schema", "close schema", "close runner"]


def test_blocks_over_two_backends_hold_them_in_one_order():
    log = []

    class Held:
        def __init__(self, name):
            self.declaration = StoreDeclaration(name, shared=True)

        @contextmanager
        def transaction(self):
            log.append(self.declaration.id)
            yield

    one, two = Held("one"), Held("two")
    for stores in ((one, two), (two, None, one)):
        with together(*stores):
            pass
    assert log == ["one", "two"] * 2


# Who may write


def test_without_a_token_nothing_can_be_written(open_workspace):
    workspace = open_workspace()
    assert workspace.writable is False
    for token in (None, "", "anything"):
        with pytest.raises(WorkspaceReadOnly) as refused:
            workspace.authorize(token)
        assert (refused.value.status, refused.value.code) == (403, "workspace_read_only")


@pytest.mark.parametrize("token", [None, "", "wrong", "secret ", "SECRET", "s\u00e9cret", "\ud800", "secre"])
def test_with_a_token_a_write_that_lacks_it_is_unauthorized(open_workspace, monkeypatch, token):
    monkeypatch.setenv("INDX_WORKSPACE_TOKEN", "secret")
    workspace = open_workspace()
    assert workspace.writable is True
    with pytest.raises(Unauthorized) as refused:
        workspace.authorize(token)
    assert (refused.value.status, refused.value.code) == (401, "unauthorized")
    assert "secret" not in refused.value.message


def test_the_operators_token_writes(open_workspace, monkeypatch):
    workspace = open_workspace()
    monkeypatch.setenv("INDX_WORKSPACE_TOKEN", "sécret")
    workspace.authorize("sécret")
