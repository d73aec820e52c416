"""What a caller keeps is theirs alone, and what is sent back of it can do no harm."""

import hashlib
import json
from urllib.parse import unquote

import pytest

CHUNKS = {"granularities": ["PAGE", "CHUNK"], "embedding_space_ids": ["default-text"]}


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def place(request):
    """Every answer is the same from every store."""
    return request.param


@pytest.fixture
def keep(keeping, inline):
    """Keep a document: `keep(b"# A", filename="a.md")` gives its digest."""

    def do(data=b"# A\n\nA word stands here.\n", *, name=None, client=keeping, request=CHUNKS, **more):
        params = {} if name is None else {"name": name}
        body = {"source": inline(data, **({"filename": "a.md"} | more)), **request}
        answer = client.post("/v1/documents", json=body, params=params)
        assert answer.status_code == 201, answer.text
        return answer

    return do


@pytest.fixture
def stranger(keeping):
    """The same server, asked by somebody else for as long as the block lasts."""

    class Other:
        def __enter__(self):
            self.before = dict(keeping.cookies)
            keeping.cookies.clear()
            return keeping

        def __exit__(self, *_):
            keeping.cookies.clear()
            keeping.cookies.update(self.before)

    return Other()


def digest_of(answer):
    return answer.json()["summary"]["digest"]


def test_a_document_is_kept_with_its_summary_and_whole_result(keeping, keep, inline):
    kept = keep(b"# A\n\nwords\n").json()
    assert set(kept) == {"summary", "result"}
    assert set(kept["summary"]) == {
        "digest",
        "name",
        "media_type",
        "pages",
        "chunks",
        "embedding_space_ids",
        "source_kept",
        "created_at",
        "updated_at",
        "expires_at",
    }
    summary = kept["summary"]
    assert summary["digest"] == "sha256:" + hashlib.sha256(b"# A\n\nwords\n").hexdigest()
    assert (summary["name"], summary["media_type"], summary["pages"]) == ("a.md", "text/markdown", 1)
    assert (summary["embedding_space_ids"], summary["source_kept"]) == (["default-text"], True)
    assert kept["result"]["usage"]["chunks"] == summary["chunks"] == 1
    assert keeping.get(f"/v1/documents/{summary['digest']}").json() == kept
    assert keeping.get("/v1/documents").json() == {"documents": [summary]}


def test_what_is_kept_is_counted(keeping, keep):
    keep()
    assert "indx_documents_kept_total 1.0" in keeping.get("/metrics").text


def test_an_upload_is_kept_by_its_name_or_by_the_one_given(keeping):
    told = json.dumps(CHUNKS)
    files = {"file": ("記録.md", b"# A", "text/markdown"), "request": (None, told)}
    assert keeping.post("/v1/documents", files=files).json()["summary"]["name"] == "記録.md"
    named = keeping.post("/v1/documents", files=files, params={"name": "Other\u0000"})
    assert named.json()["summary"]["name"] == "Other\ufffd"
    assert len(keeping.get("/v1/documents").json()["documents"]) == 1


def test_keeping_the_same_bytes_again_replaces_and_renews(keeping, keep):
    first = keep(b"# A\n", name="one").json()["summary"]
    second = keep(b"# A\n", name="two", request={"granularities": ["PAGE"]}).json()["summary"]
    assert second["created_at"] == first["created_at"]
    assert second["expires_at"] >= first["expires_at"]
    assert (second["name"], second["chunks"]) == ("two", 0)
    assert keeping.get("/v1/documents").json() == {"documents": [second]}


def test_the_cookie_is_set_on_every_keep_and_by_nothing_else(keeping, keep):
    answer = keep()
    name, _, rest = answer.headers["set-cookie"].partition("=")
    token, *flags = rest.split("; ")
    assert name == "indx_owner"
    assert len(token) == 43
    assert sorted(flags) == ["HttpOnly", "Max-Age=86400", "Path=/v1", "SameSite=Lax", "Secure"]
    assert keep(b"# B").headers["set-cookie"].startswith(f"indx_owner={token};")
    digest = digest_of(answer)
    told = [
        keeping.get("/v1/documents"),
        keeping.get(f"/v1/documents/{digest}"),
        keeping.delete(f"/v1/documents/{digest}"),
        keeping.get(f"/v1/documents/{digest}/source"),
        keeping.post("/v1/search", json={"query": "word"}),
    ]
    assert [answer for answer in told if "set-cookie" in answer.headers] == []


def test_the_settings_of_a_keep_are_read_when_it_happens(keeping, keep, monkeypatch):
    monkeypatch.setenv("INDX_STORE_COOKIE_SECURE", "false")
    monkeypatch.setenv("INDX_STORE_TTL_SECONDS", "60")
    monkeypatch.setenv("INDX_STORE_MAX_DOCUMENTS_PER_OWNER", "2")
    answer = keep(b"# 1")
    assert "Secure" not in answer.headers["set-cookie"]
    assert "Max-Age=60;" in answer.headers["set-cookie"]
    keep(b"# 2")
    keep(b"# 3")
    kept = [one["digest"] for one in keeping.get("/v1/documents").json()["documents"]]
    assert len(kept) == 2
    assert digest_of(answer) not in kept


def test_a_keep_that_fails_sets_no_cookie_and_keeps_nothing(keeping, inline, envelope):
    answer = keeping.post("/v1/documents", json={"source": {"type": "inline", "data": "AAEC"}})
    envelope(answer, 415, "unsupported_media_type")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("token", ["x", "a" * 42, "a" * 44, "a" * 42 + "!", "", "a" * 5000])
def test_a_cookie_this_server_would_not_set_is_no_owner(keeping, keep, token):
    keeping.cookies.set("indx_owner", token, domain="testserver.local", path="/v1")
    headers = {"Cookie": f"indx_owner={token}"}
    keeping.cookies.clear()
    assert keeping.get("/v1/documents", headers=headers).json() == {"documents": []}


def test_the_token_itself_is_nowhere_in_the_store(serve_here, inline, tmp_path):
    file = tmp_path / "kept.db"
    told = {
        "INDX_DOCUMENT_STORE": "sqlite",
        "INDX_VECTOR_INDEX": "sqlite",
        "INDX_STORE_SQLITE_PATH": str(file),
    }
    client = serve_here(**told)
    answer = client.post("/v1/documents", json={"source": inline()})
    token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    seen = b"".join(path.read_bytes() for path in tmp_path.glob("kept.db*"))
    assert hashlib.sha256(token.encode()).hexdigest().encode() in seen
    assert token.encode() not in seen


def test_what_is_anothers_looks_as_if_it_had_never_been(keeping, keep, stranger, envelope):
    digest, never = digest_of(keep()), "sha256:" + "0" * 64
    with stranger as other:
        for who in range(2):  # without a cookie, then with one of their own
            for suffix, code in (("", "document_not_found"), ("/source", "source_not_kept")):
                theirs, none = (other.get(f"/v1/documents/{d}{suffix}") for d in (digest, never))
                assert envelope(theirs, 404, code, type="not_found") == none.json()
                gone = {"x-request-id", "date"}
                assert [h for h in theirs.headers.items() if h[0] not in gone] == [
                    h for h in none.headers.items() if h[0] not in gone
                ]
            assert other.delete(f"/v1/documents/{digest}").status_code == 204
            assert other.post("/v1/search", json={"query": "word"}).json() == {"hits": []}
            assert digest not in other.get("/v1/documents").text
            if not who:
                keep(b"# Theirs")
    assert keeping.get(f"/v1/documents/{digest}").status_code == 200
    assert keeping.get(f"/v1/documents/{digest}/source").status_code == 200


def test_forgetting_is_at_once_and_the_same_whether_there_was_something(keeping, keep, envelope):
    digest = digest_of(keep())
    for path in (digest, digest, "sha256:" + "0" * 64, "nonsense", "%00"):
        answer = keeping.delete(f"/v1/documents/{path}")
        assert (answer.status_code, answer.content) == (204, b"")
    envelope(keeping.get(f"/v1/documents/{digest}"), 404, "document_not_found")
    envelope(keeping.get(f"/v1/documents/{digest}/source"), 404, "source_not_kept")
    assert keeping.post("/v1/search", json={"query": "word"}).json() == {"hits": []}


EVIL = (
    b"<!doctype html><html><head><title>t</title></head><body><script>alert(1)</script><p>x</p></body></html>"
)


@pytest.mark.parametrize(
    "name", ["記録 2026.html", 'a"b.html', "a\r\nSet-Cookie: x=1.html", "../../etc/passwd", "; x=y"]
)
def test_a_source_is_sent_back_byte_for_byte_and_never_shown(keeping, keep, name):
    digest = digest_of(keep(EVIL, filename=name))
    answer = keeping.get(f"/v1/documents/{digest}/source")
    assert answer.content == EVIL
    assert answer.headers["content-type"] == "text/html"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert "set-cookie" not in answer.headers
    kind, _, given = answer.headers["content-disposition"].partition("; filename*=UTF-8''")
    assert kind == "attachment"
    assert set(given) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-~%")
    assert unquote(given)


def test_a_source_without_a_name_has_its_digest_for_one(keeping, keep, inline):
    answer = keeping.post("/v1/documents", json={"source": inline(b"# A", media_type="text/markdown")})
    digest = digest_of(answer)
    said = keeping.get(f"/v1/documents/{digest}/source").headers["content-disposition"]
    assert said.endswith(digest.removeprefix("sha256:"))


def test_a_document_from_an_address_keeps_no_source(keeping, tmp_path, envelope):
    file = tmp_path / "a.md"
    file.write_text("# A\n")
    kept = keeping.post("/v1/documents", json={"source": {"type": "uri", "uri": file.as_uri()}}).json()
    assert (kept["summary"]["source_kept"], kept["summary"]["name"]) == (False, "a.md")
    answer = keeping.get(f"/v1/documents/{kept['summary']['digest']}/source")
    envelope(answer, 404, "source_not_kept")


def test_a_deployment_without_a_source_store_keeps_none(serve_here, inline, envelope):
    client = serve_here(INDX_DOCUMENT_STORE="memory", INDX_VECTOR_INDEX="memory")
    kept = client.post("/v1/documents", json={"source": inline()}).json()["summary"]
    assert kept["source_kept"] is False
    told = envelope(client.get(f"/v1/documents/{kept['digest']}/source"), 404, "source_not_kept")
    assert "INDX_SOURCE_STORE" in told["message"]


def test_one_store_of_the_two_is_refused_at_start(registry, monkeypatch):
    from indx_core.errors import ConfigurationError
    from indx_server.service import Service

    monkeypatch.setenv("INDX_DOCUMENT_STORE", "memory")
    with pytest.raises(ConfigurationError) as caught:
        Service(registry)
    assert caught.value.code == "store_not_configured"


def test_a_search_finds_words_then_meaning_and_says_how(keeping, keep):
    exact = digest_of(keep(b"# Backups\n\nBackups are kept for a year.\n", filename="b.md"))
    near = digest_of(keep(b"# Backup\n\nA backup lasts.\n", filename="n.md"))
    told = {"query": "backups", "embedding_space_id": "default-text", "request_id": "mine"}
    hits = keeping.post("/v1/search", json=told).json()["hits"]
    assert [hit["digest"] for hit in hits] == [exact, near]
    assert [hit["lanes"] for hit in hits] == [["text", "vector"], ["vector"]]
    assert hits[0]["text_score"] > 0
    assert hits[1]["text_score"] is None
    assert [hit["name"] for hit in hits] == ["b.md", "n.md"]
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(scores, reverse=True)
    words = keeping.post("/v1/search", json={"query": "backups"}).json()["hits"]
    assert [hit["digest"] for hit in words] == [exact]


def test_chunks_without_vectors_are_searched_too_and_so_is_japanese(keeping, keep):
    text = "# 保存\n\nデータは90日間保存されます。\n".encode()
    kept = digest_of(keep(text, filename="j.md", request={"granularities": ["CHUNK"]}))
    for query in ("保存", "データ"):
        hits = keeping.post("/v1/search", json={"query": query}).json()["hits"]
        assert [hit["digest"] for hit in hits] == [kept]


def test_a_search_refuses_as_an_embedding_does(keeping, keep, envelope):
    keep()
    told = {"query": "x", "embedding_space_id": "no-such", "request_id": "mine"}
    refused = envelope(
        keeping.post("/v1/search", json=told), 422, "unknown_embedding_space", request_id="mine"
    )
    query = {"embedding_space_id": "no-such", "input": {"type": "text", "text": "x"}, "request_id": "mine"}
    assert keeping.post("/v1/embed", json=query).json() == refused
    for body in (
        {"query": ""},
        {"query": "a\u0000b"},
        {"query": "x", "limit": 101},
        {"query": "x", "limit": 0},
        {},
    ):
        envelope(keeping.post("/v1/search", json=body), 422, "validation_error")


@pytest.mark.parametrize(
    "query", ["'; drop table x;--", 'a" OR 1=1', "C++", "NEAR/2", "38.101", "*", "%", "-"]
)
def test_no_query_is_a_language(keeping, keep, query):
    keep()
    assert keeping.post("/v1/search", json={"query": query}).status_code == 200
