from __future__ import annotations

import gzip
import itertools
import threading
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from indx_core.deadline import Deadline
from indx_core.errors import ConfigurationError, InputTooLarge, SourceError, TimedOut
from indx_core.ports import SourceContent
from indx_loader_http import _connect, _fetch
from indx_loader_http.provider import HttpLoader

ALLOW = "INDX_LOADER_HTTP_ALLOW_PRIVATE_HOSTS"
TIMEOUT = "INDX_LOADER_HTTP_TIMEOUT_SECONDS"


def load(uri: str, limit: int = 1 << 20, deadline: Deadline | None = None, **options: Any) -> SourceContent:
    return HttpLoader(**options).load(uri, limit=limit, deadline=deadline or Deadline()).content


def refusal(uri: str, **options: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load(uri, **options)
    return caught.value


def answer(body: bytes = b"", *fields: str, status: str = "200 OK") -> Callable[[bytes], bytes]:
    head = "\r\n".join([f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *fields, "", ""])
    return lambda _: head.encode("latin-1") + body


def redirects(target: str, status: str = "302 Found") -> Callable[[bytes], bytes]:
    return answer(b"", f"Location: {target}", status=status)


def test_a_body_comes_with_its_type_and_name(server: Any) -> None:
    server.answer = answer(b"<p>x", "Content-Type: Text/HTML; charset=utf-8")
    content = load(server.url("/docs/a%20page.html?v=1#top"))
    assert (content.data, content.media_type, content.filename) == (b"<p>x", "text/html", "a page.html")
    assert content.charset == "utf-8"
    (request,) = server.requests
    assert request.startswith(b"GET /docs/a%20page.html?v=1 HTTP/1.1\r\n")
    assert b"\r\nHost: 127.0.0.1:%d\r\n" % server.port in request


@pytest.mark.parametrize(
    ("field", "name"),
    [
        ('attachment; filename="report.pdf"', "report.pdf"),
        ("attachment; filename*=UTF-8''%e8%ad%b0.pdf", "議.pdf"),
        ('inline; filename="../../etc/passwd"', "passwd"),
        ('inline; filename="C:\\\\x\\\\a.txt"', "a.txt"),
        ("attachment", "path.bin"),
        ('attachment; filename=".."', "path.bin"),
    ],
)
def test_the_name_in_a_header_wins_and_is_no_path(server: Any, field: str, name: str) -> None:
    server.answer = answer(b"x", f"Content-Disposition: {field}")
    assert load(server.url("/path.bin")).filename == name


@pytest.mark.parametrize(
    ("path", "name"), [("/", None), ("/a/", None), ("/a%2F..%2Fb", "b"), ("/..%5Cx", "x")]
)
def test_the_last_segment_is_a_name_or_none(server: Any, path: str, name: str | None) -> None:
    server.answer = answer(b"x")
    assert load(server.url(path)).filename == name


@pytest.mark.parametrize(
    "status", ["404 Not Found", "500 Oops", "304 Not Modified", "401 Unauthorized", "302 Found"]
)
def test_any_other_status_is_unreadable(server: Any, status: str) -> None:
    server.answer = answer(b"x", status=status)
    error = refusal(server.url())
    assert (error.code, status[:3] in error.message) == ("source_unreadable", True)


def test_a_part_is_not_taken_for_the_whole(server: Any) -> None:
    server.answer = answer(b"abc", "Content-Range: bytes 0-2/10", status="206 Partial Content")
    assert "a part of it" in refusal(server.url()).message


def test_a_time_that_no_clock_can_wait_for_is_refused(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TIMEOUT, "1e300")
    with pytest.raises(ConfigurationError, match=TIMEOUT):
        load(server.url())


@pytest.mark.parametrize(
    "broken",
    [b"", b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
     b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 40_000],
)  # fmt: skip
def test_a_broken_answer_is_unreadable(server: Any, broken: bytes) -> None:
    server.answer = lambda _: broken
    assert refusal(server.url()).code == "source_unreadable"


def test_a_closed_port_is_unreadable(server: Any) -> None:
    server.close()
    assert refusal(server.url()).code == "source_unreadable"


@pytest.mark.parametrize(
    "uri",
    ["http://", "http:///path", "http:path", "http://a b/", "http://[::1/", "http://[fe80::1%25eth0]/", "http://x:0/",
     "http://x:99999/", "http://user:pass@x/", "http://x\n/", "https://" + "a." * 200 + "b/",
     "http://ex%41mple/"],
)  # fmt: skip
def test_malformed_addresses_are_unreadable(uri: str) -> None:
    error = refusal(uri, lookup=lambda *_: pytest.fail("it was looked up"))
    assert error.code == "source_unreadable"
    assert len(error.message) < 500


def test_redirects_are_followed_and_name_the_source(server: Any) -> None:
    def respond(request: bytes) -> bytes:
        if request.startswith(b"GET /start"):
            return redirects("../next?x=1", "301 Moved")(request)
        return (
            redirects("/end/file.txt", "308 Moved")(request)
            if b"/next" in request
            else answer(b"done")(request)
        )

    server.answer = respond
    content = load(server.url("/start"))
    assert (content.data, content.filename) == (b"done", "file.txt")


def test_redirects_without_end_are_unreadable(server: Any) -> None:
    server.answer = redirects("/again")
    error = refusal(server.url())
    assert (error.code, "10" in error.message) == ("source_unreadable", True)
    assert len(server.requests) == _fetch.MAX_REDIRECTS + 1


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://example.com/", "data:,x", "gopher://127.0.0.1:70/_x"]
)
def test_a_redirect_into_another_scheme_is_forbidden(server: Any, target: str) -> None:
    server.answer = redirects(target)
    error = refusal(server.url())
    assert error.code == "source_forbidden"
    assert target not in error.message


def public(host: str, _port: int) -> list[str]:
    """Names as a hostile resolver gives them: each host leads where its name says."""
    return host.split(".test")[0].replace("_", ".").split("-and-")


def test_a_name_that_leads_to_a_private_address_is_forbidden(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv(ALLOW, raising=False)
    for host, secret in (
        ("10_1_2_3.test", "10.1.2.3"),
        ("169_254_169_254.test", "169.254.169.254"),
        ("100_64_0_1.test", "100.64.0.1"),
        ("8_8_8_8-and-127_0_0_1.test", "127.0.0.1"),
    ):
        caplog.clear()
        error = refusal(f"http://{host}/", lookup=public)
        assert error.code == "source_forbidden"
        assert ALLOW in error.message
        assert secret not in error.message
        assert secret in caplog.text


def test_what_was_checked_is_what_is_connected_to(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second lookup would lead elsewhere; there is none, and the host keeps its name."""
    asked: list[str] = []

    def once(host: str, _port: int) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["192.0.2.1"]

    server.answer = answer(b"x")
    monkeypatch.setattr(_connect, "is_public", lambda address: address == "127.0.0.1")
    monkeypatch.delenv(ALLOW)
    assert load(server.url(host="example.test"), lookup=once).data == b"x"
    assert asked == ["example.test"]
    assert b"\r\nHost: example.test:%d\r\n" % server.port in server.requests[0]


def test_every_hop_is_checked_again(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first host is public by decree; where it redirects to is not."""
    monkeypatch.delenv(ALLOW)
    monkeypatch.setattr(_connect, "is_public", lambda address: address == "127.0.0.1")

    def lookup(host: str, _port: int) -> list[str]:
        return ["127.0.0.1"] if host == "first.test" else ["10.0.0.1"]

    for target in (
        "http://second.test/",
        "http://169.254.169.254/latest/meta-data",
        "//10.0.0.9/",
        "http://[::1]/",
    ):
        server.answer = redirects(target)
        error = refusal(server.url(host="first.test"), lookup=lookup)
        assert error.code == "source_forbidden", target
        assert "10.0.0.1" not in error.message


def test_the_next_address_is_tried_where_one_does_not_answer(server: Any) -> None:
    server.answer = answer(b"x")
    assert load(server.url(host="example.test"), lookup=lambda *_: ["127.0.0.2", "127.0.0.1"]).data == b"x"


def test_a_name_nobody_knows_is_unreadable() -> None:
    def fails(*_: object) -> list[str]:
        raise OSError("unknown")

    for lookup in (fails, lambda *_: []):
        error = refusal("http://absent.test/", lookup=lookup)
        assert (error.code, "absent.test" in error.message) == ("source_unreadable", True)


def test_tls_is_asked_for_by_the_name_of_the_host(server: Any) -> None:
    server.answer = lambda _: b"no TLS here"
    uri = server.url(host="secure.test").replace("http:", "https:")
    assert refusal(uri, lookup=lambda *_: ["127.0.0.1"]).code == "source_unreadable"
    assert b"secure.test" in server.requests[0]


def test_the_environment_adds_no_proxy_and_servers_no_cookie(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    def respond(request: bytes) -> bytes:
        if request.startswith(b"GET /a"):
            return answer(b"", "Location: /b", "Set-Cookie: s=1; Path=/", status="302 Found")(request)
        return answer(b"x")(request)

    server.answer = respond
    assert load(server.url("/a")).data == b"x"
    assert b"cookie" not in server.requests[1].lower()


def test_an_announced_size_over_the_limit_is_refused_before_the_body(server: Any) -> None:
    server.answer = lambda _: b"HTTP/1.1 200 OK\r\nContent-Length: 100000000000\r\n\r\n"
    with pytest.raises(InputTooLarge, match="more than 1000 bytes"):
        load(server.url(), 1000)


def test_a_body_without_end_is_refused_at_the_limit(server: Any) -> None:
    def endless(_: bytes) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\n\r\n"
        yield from itertools.repeat(b"x" * 1000)

    server.answer = endless
    with pytest.raises(InputTooLarge):
        load(server.url(), 100_000)


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"text " * 100, mtime=0)),
        ("x-gzip", gzip.compress(b"text " * 50, mtime=0) + gzip.compress(b"text " * 50, mtime=0)),
        ("deflate", zlib.compress(b"text " * 100)),
        ("deflate", deflated(b"text " * 100)),
        ("identity", b"text " * 100),
        ("gzip", b""),
    ],
)
def test_packed_bodies_are_unpacked(server: Any, encoding: str, packed: bytes) -> None:
    server.answer = answer(packed, f"Content-Encoding: {encoding}")
    assert load(server.url()).data == (b"text " * 100 if packed else b"")


@pytest.mark.parametrize(
    ("encoding", "packed"),
    [
        ("gzip", gzip.compress(b"text " * 100, mtime=0)[:-12]),
        ("gzip", b"no gzip at all"),
        ("br", b"x"),
        ("gzip, gzip", b"x"),
    ],
)
def test_bodies_that_cannot_be_unpacked_are_unreadable(server: Any, encoding: str, packed: bytes) -> None:
    server.answer = answer(packed, f"Content-Encoding: {encoding}")
    assert refusal(server.url()).code == "source_unreadable"


def test_the_limit_counts_what_a_packed_body_becomes(server: Any) -> None:
    server.answer = answer(gzip.compress(b"\x00" * 50_000_000, mtime=0), "Content-Encoding: gzip")
    with pytest.raises(InputTooLarge):
        load(server.url(), 100_000)


def test_the_limit_counts_what_was_sent_too(server: Any) -> None:
    empty = gzip.compress(b"", mtime=0) * 100
    server.answer = lambda _: b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + empty
    assert load(server.url(), len(empty)).data == b""
    with pytest.raises(InputTooLarge):
        load(server.url(), len(empty) - 1)


def ticking() -> Callable[[], float]:
    """A clock on which every look costs a second."""
    seconds = itertools.count()
    return lambda: float(next(seconds))


def drip(*start: bytes, then: bytes) -> Callable[[bytes], Iterator[bytes]]:
    return lambda _: itertools.chain(start, itertools.repeat(then))


@pytest.mark.parametrize(
    "answer",
    [
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n", then=b"x"),
        drip(b"HTTP/1.1 200 OK\r\n", then=b"X-Header: more\r\n"),
        drip(then=b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
)
def test_a_server_that_drips_is_left_when_the_time_is_up(
    server: Any, monkeypatch: pytest.MonkeyPatch, answer: Callable[[bytes], Iterator[bytes]]
) -> None:
    monkeypatch.setenv(TIMEOUT, "20")
    server.answer = answer
    error = refusal(server.url(), limit=1 << 30, clock=ticking())
    assert error.code == "source_unreadable"
    assert TIMEOUT in error.message or "connection failed" in error.message


def test_unpacking_ends_with_the_time_too(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of streams that hold nothing there may be as many as the limit has room for."""
    monkeypatch.setenv(TIMEOUT, "50")
    server.answer = answer(gzip.compress(b"", mtime=0) * 200, "Content-Encoding: gzip")
    assert TIMEOUT in refusal(server.url(), clock=ticking()).message


def test_the_deadline_of_the_caller_ends_a_fetch_too(server: Any) -> None:
    server.answer = drip(b"HTTP/1.1 200 OK\r\n\r\n", then=b"x")
    with pytest.raises(TimedOut):
        load(server.url(), 1 << 30, Deadline(20, clock=ticking()))


def test_a_silent_server_is_left_when_the_time_is_up(server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TIMEOUT, "0.1")

    def silent(_: bytes) -> Iterator[bytes]:
        server.closing.wait(60)
        yield b""

    server.answer = silent
    error = refusal(server.url())
    assert (error.code, TIMEOUT in error.message) == ("source_unreadable", True)


def test_a_lookup_that_hangs_is_left_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TIMEOUT, "0.1")
    release = threading.Event()

    def hangs(*_: object) -> list[str]:
        release.wait(60)
        return []

    try:
        error = refusal("http://slow.test/", lookup=hangs)
    finally:
        release.set()
    assert (error.code, TIMEOUT in error.message) == ("source_unreadable", True)


@pytest.mark.parametrize("uri", ["http://127.0.0.1/", "http://[::1]:80/", "https://10.0.0.1/", "http://0/"])
def test_private_addresses_are_forbidden_by_default(uri: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALLOW, raising=False)
    error = refusal(uri)
    assert (error.code, ALLOW in error.message) == ("source_forbidden", True)
