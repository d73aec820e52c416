"""Connections end with their load, under whoever reads, and errors are read in part."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Any

import pytest

from indx_loader_object import Connections
from indx_testkit.storages import RawServer, response


class Pool:
    """What a pool of urllib3 looks like from here."""

    ConnectionCls = HTTPConnection


class Adapter:
    """What an adapter of requests looks like from here: a manager of pools, and more of them for proxies."""

    def __init__(self) -> None:
        self.poolmanager = self.manager()
        self.through = self.manager()

    def manager(self) -> Any:
        return type("Manager", (), {"pool_classes_by_scheme": {"http": Pool}})()

    def proxy_manager_for(self, proxy: str) -> Any:
        return self.through


class Session:
    max_redirects = 30

    def __init__(self) -> None:
        self.adapters = {"http://": Adapter()}


@pytest.fixture
def server() -> Iterator[RawServer]:
    running = RawServer()
    yield running
    running.close()


@pytest.fixture
def connections() -> Iterator[Connections]:
    made = Connections()
    yield made
    made.close()


def connected(connections: Connections, server: RawServer) -> HTTPConnection:
    pool = connections.watched_pools({"http": Pool})["http"]
    connection = pool.ConnectionCls(server.url.removeprefix("http://"), timeout=30)
    assert isinstance(connection, HTTPConnection)
    return connection


@pytest.mark.parametrize("head", [b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_a_reader_is_let_go_when_the_load_ends(
    head: bytes, connections: Connections, server: RawServer
) -> None:
    server.answer = server.dripping(head)
    connection = connected(connections, server)
    reads = threading.Event()
    failed: list[BaseException] = []

    def read() -> None:
        connection.request("GET", "/")
        reads.set()
        try:
            connection.getresponse().read()
        except (OSError, HTTPException) as error:
            failed.append(error)

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    assert reads.wait(10)
    connections.end()
    thread.join(10)
    assert not thread.is_alive()
    connection.close()


def test_a_connection_is_let_go_while_it_is_made(connections: Connections, server: RawServer) -> None:
    """What comes between the socket and the first request, a proxy or TLS, may drip like anything else."""
    server.answer = server.dripping(b"HTTP/1.1 200 Connected\r\nX: ")

    class Tunnel(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return socket.create_connection((self.host, self.port), timeout=30)

        def connect(self) -> None:
            self.sock = self._new_conn()
            self.sock.sendall(b"CONNECT a HTTP/1.1\r\n\r\n")
            asked.set()
            while self.sock.recv(1):
                pass

    class Tunnels(Pool):
        ConnectionCls = Tunnel

    asked = threading.Event()
    connection = connections.watched_pools({"http": Tunnels})["http"].ConnectionCls(
        server.url.removeprefix("http://")
    )

    def connect() -> None:
        with suppress(OSError):  # the system resets a connection on which more comes after its end
            connection.connect()

    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    assert asked.wait(10)
    connections.end()
    thread.join(10)
    assert not thread.is_alive()
    connection.close()


def test_no_connection_is_made_when_the_load_has_ended(connections: Connections, server: RawServer) -> None:
    connections.end()
    server.close()
    with pytest.raises(TimeoutError):  # it is not even found that nobody listens
        connected(connections, server).request("GET", "/")


def test_a_connection_that_was_made_meanwhile_is_not_kept(
    connections: Connections, server: RawServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "check", lambda: None)
    connection = connected(connections, server)
    connections.end()
    monkeypatch.undo()
    with pytest.raises(TimeoutError):
        connection.connect()
    connection.close()


def test_nothing_stays_open(connections: Connections, server: RawServer) -> None:
    server.answer = lambda _: response(b"whole")
    answers = []
    for _ in range(3):
        connection = connected(connections, server)
        connection.request("GET", "/")
        answers.append((connection, connection.getresponse()))  # nobody closes them
    assert answers[0][1].read() == b"whole"
    opened = [one for pair in connections._made for one in pair]
    assert len(opened) >= 2 * len(answers)
    assert all(one.fileno() >= 0 for one in opened)
    connections.close()
    assert all(one.fileno() < 0 for one in opened)


@pytest.mark.parametrize(("status", "read"), [("200 OK", 1 << 20), ("404 No", 1 << 18)])
def test_of_an_error_a_part_is_read(
    status: str, read: int, connections: Connections, server: RawServer
) -> None:
    head = f"HTTP/1.1 {status}\r\n\r\n".encode()
    server.answer = lambda _: itertools.chain([head], itertools.repeat(b"x" * (1 << 16), 16))
    connection = connected(connections, server)
    connection.request("GET", "/")
    assert len(connection.getresponse().read()) == read
    connection.close()


def test_an_error_that_is_short_comes_whole(connections: Connections, server: RawServer) -> None:
    chunked = b"HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nwh\r\n3\r\nole\r\n0\r\n\r\n"
    for answer in (response(b"whole", status="404 No"), chunked):
        server.answer = lambda _, answer=answer: answer
        connection = connected(connections, server)
        connection.request("GET", "/")
        assert connection.getresponse().read() == b"whole"
        connection.close()


def test_a_session_follows_no_redirect_and_is_watched_behind_proxies_too(connections: Connections) -> None:
    session = Session()
    (adapter,) = session.adapters.values()
    connections.watch_session(session)
    assert session.max_redirects == 0
    assert issubclass(adapter.poolmanager.pool_classes_by_scheme["http"], Pool)
    assert adapter.poolmanager.pool_classes_by_scheme["http"] is not Pool
    manager = adapter.proxy_manager_for("http://proxy.test")
    once = manager.pool_classes_by_scheme["http"]
    assert once is not Pool
    assert adapter.proxy_manager_for("http://proxy.test").pool_classes_by_scheme["http"] is once
