"""What is told of a failure holds no secret of this process, and nothing that looks like one."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indx_core.errors import SourceError, explain
from indx_core.scrubbing import scrubbed

SIGNS = st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="*")
SECRETS = st.text(SIGNS, min_size=6, max_size=40)
NAMES = [
    "OPENAI_API_KEY",
    "INDX_NER_LLM_API_KEY",
    "INDX_NER_LLM_API_BASE",
    "INDX_API_TOKENS",
    "INDX_WORKSPACE_TOKEN",
    "INDX_STORE_POSTGRES_URL",
    "INDX_LOADER_AZ_CONNECTION_STRING",
    "INDX_LOADER_GS_CREDENTIALS_JSON",
    "AWS_SECRET_ACCESS_KEY",
    "PGPASSWORD",
]


@pytest.mark.parametrize("name", NAMES)
@given(secret=SECRETS, before=st.text(max_size=20), after=st.text(max_size=20))
def test_the_value_of_a_secret_variable_never_stands_in_a_message(name, secret, before, after):
    assert secret not in scrubbed(f"{before}{secret}{after}", {name: secret})


@given(st.lists(SECRETS.filter(lambda s: "," not in s), min_size=1, max_size=4))
def test_each_of_several_tokens_is_hidden(tokens):
    told = scrubbed(" | ".join(tokens), {"INDX_API_TOKENS": ",".join(tokens)})
    assert not any(token in told for token in tokens)


def test_each_password_of_a_list_is_hidden():
    told = scrubbed(
        'tried pass"word and other one', {"INDX_SOURCE_PASSWORDS": '["pass\\"word", "other one"]'}
    )
    assert told == "tried *** and ***"


@pytest.mark.parametrize("quoted", ["p%40ss-word", "p@ss-word"])
def test_the_password_of_an_address_is_hidden_alone_too(quoted):
    address = {"INDX_STORE_POSTGRES_URL": "postgres://ann:p%40ss-word@h/db"}
    assert scrubbed(f"no {quoted!r} here", address) == "no '***' here"


@pytest.mark.parametrize("value", ["http://[", "://", "http://ann@h/", "http://ann:@h/", "a://b:c@"])
def test_an_address_without_a_password_breaks_nothing(value):
    assert scrubbed("a plain message", {"X_URL_KEY": value}) == "a plain message"


def test_a_list_of_passwords_that_is_no_list_breaks_nothing():
    assert scrubbed("a plain message", {"INDX_SOURCE_PASSWORDS": "[not json"}) == "a plain message"


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("401 for url 'https://h.example/v1?key=abc&x=1'", "401 for url 'https://h.example/v1?***'"),
        ("cannot reach postgres://ann:pw@h/db", "cannot reach postgres://***@h/db"),
        ("header Authorization: Bearer abcdef123", "header Authorization: *** ***"),
        ("header Authorization: Basic dXNlcjpwdw==", "header Authorization: ***"),
        ("{'Authorization': 'Basic dXNlcjpwdw=='}", "{'Authorization': '***'}"),
        ("Incorrect API key provided: sk-abcdef123", "Incorrect API key provided: ***"),
        ('{"api_key": "abcdef123"}', '{"api_key": "***"}'),
        ("access_token=abcdef123, then more", "access_token=***, then more"),
        ("no postgres://ann:p@ss@w?rd@h/db", "no postgres://***@h/db"),
        (
            "aws_secret_access_key=abcdef123, client_secret: abcdef123",
            "aws_secret_access_key=***, client_secret: ***",
        ),
        ("AccountKey=abcdefgh==;EndpointSuffix=core", "AccountKey=***;EndpointSuffix=core"),
        ("passwd=abcdef123 pwd=abcdef123", "passwd=*** pwd=***"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabcdefgh\n-----END RSA PRIVATE KEY----- is odd", "*** is odd"),
        ('{"private_key": "-----BEGIN PRIVATE KEY-----\\nabcd', '{"private_key": "***'),
        (
            "invalid_token: expired; see the invoice key: number",
            "invalid_token: expired; see the invoice key: number",
        ),
        ("what is the password? unexpected token at 5", "what is the password? unexpected token at 5"),
        ("see https://h.example/v1 for more", "see https://h.example/v1 for more"),
        ("ValueError: 3 answers to 4 texts", "ValueError: 3 answers to 4 texts"),
    ],
)
def test_what_looks_like_a_secret_is_hidden_and_other_words_stay(message, told):
    assert scrubbed(message, {}) == told


def test_a_short_value_is_a_word_and_stays():
    assert scrubbed("the key is here", {"X_KEY": "key"}) == "the key is here"


@given(st.text(max_size=200))
def test_what_was_scrubbed_stays_as_it_is(message):
    assert scrubbed(scrubbed(message, {}), {}) == scrubbed(message, {})


WHOLE = st.text(st.characters(min_codepoint=48, max_codepoint=90), min_size=6, max_size=400)


@given(secret=WHOLE, times=st.integers(1, 30), most=st.integers(6, 500))
def test_of_a_message_that_is_cut_no_part_of_a_secret_is_left(secret, times, most):
    told = scrubbed("|".join([secret] * times), {"X_KEY": secret}, most=most)
    assert re.fullmatch(r"(\*{3}\|)*(\*{3}|[^*|]{0,5})", told)


PEM = "-----BEGIN KEY-----\nabcdefgh\nijklmnop\n-----END KEY-----"


@pytest.mark.parametrize("quoted", [PEM, repr(PEM), " ".join(PEM.split()), PEM[:25], PEM[18:40]])
@pytest.mark.parametrize("value", [PEM, json.dumps({"private_key": PEM})])
def test_a_secret_of_several_lines_is_hidden_however_it_is_quoted(quoted, value, monkeypatch):
    monkeypatch.setenv("INDX_FAKE_CREDENTIALS_JSON", value)
    for told in (scrubbed(f"bad key {quoted}!"), explain(ValueError(f"bad key {quoted}!"))):
        assert "abcdefgh" not in told
        assert "ijklmnop" not in told


def test_what_names_are_told_beside_a_secret_are_words_and_stay():
    key = {
        "type": "service_account",
        "project_id": "reports",
        "private_key": PEM,
        "refresh_token": "abcd-efgh",
    }
    told = scrubbed(
        "no service_account in gs://reports/a.pdf: abcd-efgh", {"X_CREDENTIALS_JSON": json.dumps(key)}
    )
    assert told == "no service_account in gs://reports/a.pdf: ***"


@pytest.mark.parametrize("make", [ValueError, SourceError, OSError])
def test_an_error_is_explained_without_the_secrets_it_quotes(monkeypatch, make):
    monkeypatch.setenv("INDX_CLASSIFIER_LLM_API_KEY", "abcd-efgh-ijkl")
    assert "efgh" not in explain(make("x" * 190 + "abcd-efgh-ijkl"))
    assert explain(make("no abcd-efgh-ijkl")).endswith("no ***")
