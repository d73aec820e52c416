"""Who may call, from where, and what can be closed."""

import pytest

from indx_server.access import matches

TOKENS = {"INDX_API_TOKENS": "one,two"}


def test_with_tokens_everything_needs_one_but_the_probes(serve_here, inline, envelope):
    client = serve_here(**TOKENS)
    for path in ("/health", "/ready"):
        assert client.get(path).status_code == 200
    for path in (
        "/v1/capabilities",
        "/v1/documents",
        "/metrics",
        "/openapi.json",
        "/docs",
        "/nope",
        "/health/",
    ):
        for headers in (
            {},
            {"Authorization": "Bearer three"},
            {"Authorization": "Basic one"},
            {"Authorization": "one"},
        ):
            answer = client.get(path, headers=headers)
            envelope(answer, 401, "unauthorized", type="unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
    for token in ("one", "two"):
        assert client.get("/v1/capabilities", headers={"Authorization": f"bearer {token}"}).status_code == 200
    refused = client.post("/v1/plan", content=b"{", headers={"content-type": "text/plain"})
    envelope(refused, 401, "unauthorized")


def test_who_sends_no_token_is_told_where_one_goes(serve_here, envelope):
    message = "send a token of this deployment in the header Authorization, after the word Bearer"
    envelope(serve_here(**TOKENS).get("/v1/capabilities"), 401, "unauthorized", message=message)


def test_the_operator_passes_where_callers_do_but_a_caller_is_no_operator(serve_here, envelope):
    told = {"INDX_SCHEMA_STORE": "memory", "INDX_WORKSPACE_TOKEN": "operator"}
    client = serve_here(**TOKENS, **told)
    operator, caller = {"Authorization": "Bearer operator"}, {"Authorization": "Bearer one"}
    assert client.get("/v1/types", headers=operator).status_code == 200
    assert client.put("/v1/types/a", json={"label": "A"}, headers=operator).status_code == 200
    envelope(client.put("/v1/types/a", json={"label": "A"}, headers=caller), 401, "unauthorized")


def test_a_token_is_the_bytes_that_are_sent_whatever_they_spell(serve_here, monkeypatch):
    told = {"INDX_SCHEMA_STORE": "memory", "INDX_WORKSPACE_TOKEN": "schlüssel"}
    client = serve_here(INDX_API_TOKENS="größe", **told)
    for token in ("größe", "schlüssel"):
        headers = [(b"authorization", b"Bearer " + token.encode())]
        assert client.get("/v1/capabilities", headers=headers).status_code == 200
    assert client.put("/v1/types/a", json={"label": "A"}, headers=headers).status_code == 200
    monkeypatch.setenv("INDX_WORKSPACE_TOKEN", "schl\udcfcssel")  # a byte that is no UTF-8
    headers = [(b"authorization", "Bearer größe".encode())]
    assert client.put("/v1/types/a", json={"label": "A"}, headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("token", "known", "holds"),
    [
        ("a", ("a",), True),
        ("a", ("b", "a"), True),
        ("b", ("a",), False),
        (None, ("a",), False),
        ("", ("a",), False),
        ("é", ("é",), True),
        (None, (), False),
        ("\udcff", ("a",), False),
    ],
)
def test_tokens_are_compared_whole(token, known, holds):
    assert matches(token, known) is holds


def test_pages_that_are_closed_are_not_there(serve_here, envelope):
    client = serve_here(INDX_SERVER_DOCS="false", INDX_SERVER_METRICS="0")
    for path, remedy in (("/docs", "/v1/"), ("/openapi.json", "/v1/"), ("/metrics", "INDX_SERVER_METRICS")):
        assert remedy in envelope(client.get(path), 404, "not_found", type="http_error")["message"]


def test_a_browser_on_a_page_of_another_origin_is_let_in_only_where_it_is_named(serve_here, inline):
    client = serve_here(INDX_CORS_ORIGINS="https://app.example", **TOKENS)
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    for origin, allowed in (("https://app.example", "https://app.example"), ("https://evil.example", None)):
        preflight = client.options("/v1/plan", headers={"Origin": origin, **asked})
        assert preflight.headers.get("access-control-allow-origin") == allowed
        headers = {"Origin": origin, "Authorization": "Bearer one"}
        answer = client.post("/v1/plan", json={"source": inline()}, headers=headers)
        assert answer.headers.get("access-control-allow-origin") == allowed
        refused = client.post("/v1/plan", json={"source": inline()}, headers={"Origin": origin})
        assert refused.status_code == 401
        assert refused.headers.get("access-control-allow-origin") == allowed


def test_no_origin_is_let_in_by_default_and_any_origin_never_with_cookies(client, serve_here):
    assert (
        "access-control-allow-origin"
        not in client.get("/health", headers={"Origin": "https://a.example"}).headers
    )
    anybody = serve_here(INDX_CORS_ORIGINS="*")
    headers = anybody.get("/health", headers={"Origin": "https://a.example"}).headers
    assert headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in headers


def test_a_server_answers_to_the_names_it_has_and_to_no_other(serve_here, envelope):
    client = serve_here(INDX_SERVER_HOSTS="docs.example,[::1],10.0.0.1")
    for host in ("docs.example", "DOCS.example:8000", "[::1]", "[::1]:80", "10.0.0.1:1"):
        assert client.get("/health", headers={"Host": host}).status_code == 200
    for host in ("evil.example", "docs.example.evil", "evil.example:80", "", "[::2]:80", "docs.example@evil"):
        answer = client.get("/health", headers={"Host": host})
        body = envelope(answer, 404, "not_found", type="http_error")
        assert "INDX_SERVER_HOSTS" in body["message"]
