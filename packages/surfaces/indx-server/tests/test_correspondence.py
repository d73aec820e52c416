"""Every answer and every log line names its request, and no answer can do harm in a browser."""

import io
import json
import logging
import re

import pytest

from indx_server.logs import REQUEST_ID, JsonFormatter


@pytest.fixture
def log():
    """The log as it is written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    loggers = [logging.getLogger("indx")]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    for logger, level in zip(loggers, before, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)


PATHS = [
    "/health",
    "/ready",
    "/v1/capabilities",
    "/v1/documents",
    "/nope",
    "/metrics",
    "/openapi.json",
    "/docs",
]


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_callers_identifier_or_a_new_one(client, path):
    assert client.get(path, headers={"X-Request-ID": "abc-1"}).headers.get_list("x-request-id") == ["abc-1"]
    one, two = (client.get(path).headers["x-request-id"] for _ in range(2))
    assert one != two
    assert len(one) == 32


@pytest.mark.parametrize("hostile", ["a b", "", "a" * 129, "é", "a\tb", "x\u00a0"])
def test_an_identifier_that_could_split_a_header_or_a_log_is_replaced(client, log, hostile):
    answer = client.get("/health", headers=[(b"x-request-id", hostile.encode("latin-1"))])
    assert answer.headers["x-request-id"] not in (hostile, "")
    assert [line["request_id"] for line in log()] == [answer.headers["x-request-id"]]


def test_what_a_request_says_never_becomes_a_second_log_line(client, log):
    client.get("/nope%0d%0a%7b%22level%22:%22error%22%7d")
    (line,) = log()
    assert (line["status"], line["operation"]) == (404, "unknown")
    assert "\n" in line["path"]


def test_a_request_is_logged_once_with_what_it_was_and_took(client, log, inline):
    client.post("/v1/plan?secret=hunter2", json={"source": inline()}, headers={"X-Request-ID": "one"})
    (line,) = [line for line in log() if line["message"] == "request"]
    told = {name: line[name] for name in ("request_id", "operation", "method", "path", "status", "level")}
    assert told == {
        "request_id": "one",
        "operation": "plan",
        "method": "POST",
        "path": "/v1/plan",
        "status": 200,
        "level": "info",
    }
    assert line["latency_ms"] > 0
    assert "hunter2" not in json.dumps(log())


def test_lines_of_workers_name_the_request_too(client, log, inline):
    headers = {"X-Request-ID": "dying"}
    client.post(
        "/v1/encode", json={"source": inline(b"die", media_type="text/x-slow-apart")}, headers=headers
    )
    workers = [line for line in log() if line["logger"] == "indx.workers"]
    assert workers
    assert {line["request_id"] for line in workers} == {"dying"}


def test_a_line_without_a_request_names_none_and_keeps_its_traceback():
    record = logging.LogRecord("indx.x", logging.ERROR, "f", 1, "lost\ud800 %s", ("words",), None)
    assert "request_id" not in json.loads(JsonFormatter().format(record))
    token = REQUEST_ID.set("r")
    try:
        raise ValueError("why")
    except ValueError:
        import sys

        record.exc_info = sys.exc_info()
    line = JsonFormatter().format(record)
    REQUEST_ID.reset(token)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["message"], told["request_id"]) == ("lost\ufffd words", "r")
    assert "ValueError: why" in told["exception"]


@pytest.mark.parametrize("path", PATHS)
def test_no_answer_is_sniffed_framed_or_kept(client, path):
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "default-src 'none'" in headers["content-security-policy"]


def test_the_page_of_the_docs_runs_only_what_bears_its_nonce(client):
    one, two = client.get("/docs"), client.get("/docs")
    nonce = one.headers["content-security-policy"].partition("'nonce-")[2].partition("'")[0]
    assert f'<script nonce="{nonce}">' in one.text
    assert "<script>" not in one.text
    assert nonce not in two.text


def test_the_page_of_the_docs_holds_what_it_fetches_to_a_digest(client):
    fetched = re.findall(r"<(?:script|link)[^>]*https://[^>]*>", client.get("/docs").text)
    assert len(fetched) == 2
    for tag in fetched:
        assert re.search(r"@\d+\.\d+\.\d+/", tag), "one release"
        assert re.search(r' integrity="sha384-[A-Za-z0-9+/]{64}" crossorigin="anonymous"', tag)


def test_hooks_are_told_of_requests_and_one_that_fails_changes_nothing(client, inline):
    from indx_core.hooks import hookimpl

    class Watch:
        seen = ()

        @hookimpl
        def indx_request_finished(self, operation, status, latency_ms):
            self.seen += ((operation, status, latency_ms >= 0),)
            raise ValueError("broken")

    watch = Watch()
    client.service.hooks.register(watch)
    assert client.get("/health").status_code == 200
    client.get("/nope")
    assert watch.seen == (("health", 200, True), ("unknown", 404, True))


def test_what_is_counted_is_shown_to_prometheus(client, inline):
    client.post("/v1/encode", json={"source": inline()})
    client.get("/nope/%E4%BF%9D")
    page = client.get("/metrics")
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'indx_requests_total{operation="encode",status="200"} 1.0' in page.text
    assert 'indx_requests_total{operation="unknown",status="404"} 1.0' in page.text
    assert 'indx_attempts_total{capability="text-reader",outcome="read"} 1.0' in page.text
    assert 'indx_line{gate="documents",state="running"} 0.0' in page.text
    assert 'indx_request_seconds_count{operation="encode"} 1.0' in page.text
