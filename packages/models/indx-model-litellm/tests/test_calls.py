"""Calls through LiteLLM itself, to a server on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import pytest
from pydantic import BaseModel, ConfigDict

from indx_core.deadline import Deadline
from indx_core.errors import Unavailable
from indx_model_litellm import (
    AnswerInvalid,
    AnswerTooLarge,
    HostedModel,
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from indx_testkit.lazy import run_python
from indx_testkit.serving import ModelServer, Response, chat, vectors

ASK = [{"role": "user", "content": "What is it?"}]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")

    label: str
    pages: int = 0


def test_a_reply_comes_with_what_the_server_says_it_cost(server, model):
    server.will(chat("hello", cost=0.25))
    reply = model(api_key="k-1").complete(ASK, max_tokens=9)
    assert (reply.text, reply.complete, reply.cost_usd) == ("hello", True, 0.25)
    (asked,) = server.requests
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer k-1"
    assert (asked.body["messages"], asked.body["max_tokens"]) == (ASK, 9)
    assert asked.body["temperature"] == 0


def test_where_the_server_names_no_cost_the_price_list_does(server, model):
    server.will(chat("hello"))
    assert model("openai/gpt-4o-mini").complete(ASK).cost_usd > 0
    assert model("openai/nobody-knows-it").complete(ASK).cost_usd == 0


@pytest.mark.parametrize("cost", [-1.0, 1e300, float("inf"), float("nan")])
def test_a_cost_that_is_none_is_not_believed(server, model, cost):
    server.will(chat("hello", cost=cost))
    assert model().complete(ASK).cost_usd == 0.0


def test_an_answer_cut_at_the_limit_of_tokens_says_so(server, model):
    server.will(chat("hel", finish="length"))
    assert not model().complete(ASK).complete


def test_an_answer_of_the_shape_asked_for_is_an_object(server, model):
    server.will(chat('```json\n{"label": "invoice", "pages": 2}\n```', cost=0.5))
    answer = model().ask(ASK, shape=Shape)
    assert (answer.value, answer.cost_usd) == (Shape(label="invoice", pages=2), 0.5)
    assert server.requests[0].body["response_format"]["json_schema"]["schema"]["required"] == ["label"]


@pytest.mark.parametrize(
    "text",
    ["", None, "no idea", '{"label": 3}', '{"label": "a", "more": 1}', '{"label": "a"} and so on', "[]"],
)
def test_an_answer_of_another_shape_is_refused_and_still_paid_for(server, model, text):
    server.will(chat(text, cost=0.5))
    with pytest.raises(AnswerInvalid) as refusal:
        model().ask(ASK, shape=Shape)
    assert refusal.value.cost_usd == 0.5
    assert len(server.requests) == 1


def test_half_an_object_at_the_limit_of_tokens_is_refused(server, model):
    server.will(chat('{"label": "a"}', finish="length", cost=0.5))
    with pytest.raises(AnswerInvalid, match="limit of tokens") as refusal:
        model().ask(ASK, shape=Shape)
    assert refusal.value.cost_usd == 0.5


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_as_often_as_set(server, model, status):
    server.will(Response(status=status))
    with pytest.raises(ModelBusy, match=str(status)):
        model(retries=2).complete(ASK)
    assert len(server.requests) == 3
    assert model.pauses == [0.5, 1.0]


def test_a_server_that_recovers_is_read(server, model):
    server.will(Response(status=503), chat("back"))
    assert model(retries=1).complete(ASK).text == "back"


def test_the_pause_that_a_server_asks_for_is_kept_or_not_waited_for_at_all(server, model):
    server.will(Response(status=429, headers={"retry-after": "7"}), chat("back"))
    assert model(retries=1).complete(ASK).text == "back"
    assert model.pauses == [7.0]
    server.will(Response(status=429, headers={"retry-after": "3600"}))
    with pytest.raises(ModelBusy):
        model(retries=1).complete(ASK)
    assert model.pauses == [7.0]


@pytest.mark.parametrize(
    ("status", "named"), [(401, "INDX_TRIAL_API_KEY"), (404, "INDX_TRIAL_MODEL"), (400, "400")]
)
def test_a_refusal_is_final_and_names_the_variable(server, model, status, named):
    server.will(Response({"error": {"message": "your key k-1 at http://private"}}, status=status))
    with pytest.raises(ModelRefused, match=named) as refusal:
        model(retries=3, api_key="k-1").complete(ASK)
    assert len(server.requests) == 1
    assert "k-1" not in refusal.value.message
    assert "private" not in refusal.value.message


def test_every_failure_is_an_unavailable_embedder_of_the_common_tree(server, model):
    server.will(Response(status=401))
    with pytest.raises(Unavailable) as refusal:
        model().embed(["a"])
    assert refusal.value.code == "embedder_unavailable"


def test_a_server_that_does_not_answer_is_left_at_the_time_out(server, model):
    server.will(chat("late", wait=threading.Event()))
    with pytest.raises(ModelTimeout, match="INDX_TRIAL_TIMEOUT_SECONDS"):
        model(timeout=0.2, retries=0).complete(ASK)


def test_no_call_runs_past_its_callers_deadline(server, model):
    server.will(chat("late", wait=threading.Event()))
    with pytest.raises(ModelTimeout):
        model(timeout=60.0, retries=5).complete(ASK, deadline=Deadline(1.2))
    with pytest.raises(ModelTimeout, match="no time"):
        model().complete(ASK, deadline=Deadline(0.5))
    assert len(server.requests) == 1


def test_a_response_larger_than_taken_is_not_taken(server, model):
    server.will(chat("x" * 300_000))
    with pytest.raises(AnswerTooLarge):
        model(retries=3).complete(ASK, limit=100_000)
    assert len(server.requests) == 1


def test_a_packed_response_is_not_unpacked(server, model):
    server.will(Response(b"\x1f\x8b", headers={"content-encoding": "gzip"}))
    with pytest.raises(AnswerTooLarge):
        model().complete(ASK)
    assert server.requests[0].headers["accept-encoding"] == "identity"


def test_half_a_response_is_a_lost_connection(server, model):
    server.will(Response(b'{"choices": [', announced=100))
    with pytest.raises(ModelUnreachable):
        model(retries=0).complete(ASK)


@pytest.mark.parametrize("body", [b"<html>", b"{}", b"[]", b'{"choices": []}', b'{"choices": 3}'])
def test_a_response_that_is_none_is_refused(server, model, body):
    server.will(Response(body))
    with pytest.raises(ModelError):
        model(retries=0).complete(ASK)


def test_no_server_is_unreachable(settings):
    with ModelServer() as server:
        address = server.address
    model = HostedModel(settings, "openai/trial", "gpu", None, address, retries=0)
    with pytest.raises(ModelUnreachable, match="INDX_TRIAL_API_BASE"):
        model.complete(ASK)


@pytest.mark.parametrize("name", ["localhost", "[::1]"])
def test_a_server_cannot_send_the_request_to_another_host_even_here(name, server, model):
    port = server.address.split(":")[2].split("/")[0]
    server.will(Response(status=307, headers={"location": f"http://{name}:{port}/v1/chat/completions"}))
    with pytest.raises(ModelRefused, match="another host"):
        model(retries=0).complete(ASK)
    assert len(server.requests) == 1


def test_a_local_server_cannot_send_the_request_elsewhere(server, model):
    server.will(Response(status=307, headers={"location": "http://models.example.com/v1/chat/completions"}))
    with pytest.raises(ModelRefused, match="another host"):
        model(retries=0).complete(ASK)


def test_a_proxy_of_the_environment_is_not_asked_for_this_machine(server, model, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    server.will(chat("direct"))
    assert model().complete(ASK).text == "direct"


def test_vectors_come_in_the_order_of_the_texts(server, model):
    rows = [{"object": "embedding", "index": 1, "embedding": [3, 4]}, {"index": 0, "embedding": [1.0, 2.0]}]
    server.will(Response({"object": "list", "data": rows, "model": "m", "usage": {"prompt_tokens": 1}}))
    assert model().embed(["a", "b"], dimension=2).rows == [[1.0, 2.0], [3, 4]]
    assert server.requests[0].body["input"] == ["a", "b"]


def test_vectors_cost_what_the_server_reports_with_them(server, model):
    server.will(vectors([[1.0, 2.0]] * 300, cost=0.25))
    assert model("openai/text-embedding-3-small").embed(["a"] * 300).cost_usd == 0.25


@pytest.mark.parametrize("cost", [-1.0, 1e300, float("inf"), float("nan")])
def test_a_cost_of_vectors_that_is_none_is_not_believed(server, model, cost):
    server.will(vectors([[1.0, 2.0]], cost=cost))
    assert model().embed(["a"]).cost_usd == 0.0


def test_what_is_called_cost_elsewhere_is_no_charge(server, model):
    server.will(chat('{"cost": 5}'))
    assert model().complete(ASK).cost_usd == 0.0


def test_vectors_cost_what_a_gateway_reports_or_the_price_list_says(server, model):
    server.will(vectors([[1.0, 2.0]], headers={"x-litellm-response-cost": "0.125"}))
    assert model().embed(["a"]).cost_usd == 0.125
    server.will(vectors([[1.0, 2.0]]))
    assert model("openai/text-embedding-3-small").embed(["a"]).cost_usd > 0
    assert model().embed(["a"]).cost_usd == 0


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[1.0, 2.0]],
        [[1.0, 2.0], [1.0]],
        [[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]],
        [[1.0, 2.0], None],
        [[1.0, 2.0], [1.0, float("nan")]],
        [[1.0, 2.0], []],
    ],
)
def test_vectors_that_are_not_those_asked_for_are_refused(server, model, rows):
    server.will(vectors(rows))
    with pytest.raises(ModelError):
        model(retries=0).embed(["a", "b"], dimension=2)


@pytest.mark.parametrize("provider", ["openai", "hosted_vllm"])
@pytest.mark.parametrize(
    "row", [[10**400, 1.0], [True, False], ["1.0", "2.0"], "AACAPwAAAEA=", [None, 1.0]], ids=str
)
def test_numbers_that_are_none_are_refused(server, model, provider, row):
    sent = json.dumps(row).replace(str(10**400), "9" * 400)
    server.will(Response(f'{{"data": [{{"index": 0, "embedding": {sent}}}]}}'.encode()))
    made = model(f"{provider}/trial", retries=0)
    if provider == "openai" and row == [True, False]:  # whose client makes numbers of them
        assert made.embed(["a"], dimension=2).rows == [[1.0, 0.0]]
        return
    with pytest.raises(AnswerInvalid):
        made.embed(["a"], dimension=2)


@pytest.mark.parametrize("index", ["private", -1, 0.0, True, [0]], ids=str)
def test_vectors_of_no_known_text_are_refused_and_not_quoted(server, model, index):
    rows = [{"index": index, "embedding": [1.0, 2.0]}, {"index": 1, "embedding": [1.0, 2.0]}]
    server.will(Response({"object": "list", "data": rows, "model": "m"}))
    with pytest.raises(AnswerInvalid) as caught:
        model("hosted_vllm/trial", retries=0).embed(["a", "b"], dimension=2)
    assert "not numbered" in caught.value.message
    assert "private" not in caught.value.message


def test_nothing_of_an_odd_answer_is_printed(server):
    usage = {"prompt_tokens": "PRIVATE", "total_tokens": 1}
    said = {"index": 0, "message": {"role": "assistant", "content": "x"}, "finish_reason": "PRIVATE"}
    row = {"index": 0, "embedding": [1.0, 2.0]}
    server.will(
        Response({"data": [{"index": 0, "embedding": ["PRIVATE", "b"]}], "model": ["PRIVATE"]}),
        Response({"data": [row], "model": "m", "usage": usage}),
        Response({"choices": ["PRIVATE"]}),
        Response({"choices": [said], "created": "PRIVATE", "system_fingerprint": ["PRIVATE"]}),
    )
    program = (
        "import logging, warnings\n"
        "from indx_model_litellm import HostedModel, ModelError, model_settings\n"
        "from indx_model_litellm._engine import load\n"
        "with warnings.catch_warnings(): load()\n"  # whose end puts back what was there before
        "settings = model_settings('INDX_TRIAL', purpose='is tried')\n"
        f"model = HostedModel(settings, 'openai/trial', 'gpu', 'sk-PRIVATE', {server.address!r}, retries=0)\n"
        "def ask(how, *args):\n"
        "    try: how(*args)\n"
        "    except ModelError as error: print('PRIVATE' in error.message)\n"
        "for _ in range(2): ask(model.embed, ['a'])\n"
        "for _ in range(2): ask(model.complete, [{'role': 'user', 'content': 'a'}])\n"
        "warnings.warn('of the application')\n"
        "logging.getLogger('LiteLLM').warning('of its own call')\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert len(server.requests) == 4
    assert "PRIVATE" not in ran.stdout + ran.stderr
    assert ran.stdout.split() == ["False", "False"]
    assert "of the application" in ran.stderr
    assert "of its own call" in ran.stderr


def test_calls_of_the_application_itself_are_not_bounded(server):
    server.will(chat("x" * 100))
    from indx_model_litellm import _engine

    litellm = _engine.load()
    reply = litellm.completion(model="openai/own", messages=ASK, api_base=server.address, api_key="own")
    assert len(reply.choices[0].message.content) == 100


def test_loading_litellm_asks_no_network_and_reads_no_environment_file(tmp_path):
    (tmp_path / ".env").write_text("INDX_FROM_FILE=1")
    program = (
        f"import os, socket; os.chdir({str(tmp_path)!r})\n"
        "def refuse(*a, **k): raise SystemExit('the network was asked')\n"
        "socket.getaddrinfo = refuse\n"
        "from indx_model_litellm import _engine\n"
        "_engine.load()\n"
        "print(os.environ.get('INDX_FROM_FILE'))\n"
    )
    clean = {name: "" for name in ("LITELLM_LOCAL_MODEL_COST_MAP", "LITELLM_MODE") if name in os.environ}
    assert run_python(program, **clean).split() == ["None"]
