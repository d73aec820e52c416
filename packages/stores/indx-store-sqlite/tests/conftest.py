"""A new file for each test."""

import pytest


@pytest.fixture(autouse=True)
def database(tmp_path, monkeypatch):
    """The path of the file that the stores are pointed at; nothing is there yet."""
    path = tmp_path / "store.db"
    monkeypatch.setenv("INDX_STORE_SQLITE_PATH", str(path))
    return path
