"""The page of a graph: it holds everything, fetches nothing, and no text in it becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indx_graph.chunks import GraphChunk
from indx_graph.graph import make_graph
from indx_graph.opening import open_graph
from indx_graph.options import GraphSettings
from indx_graph.view import page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> & \u2028 <!-- {{script}} {{data}}"


class Parts(HTMLParser):
    """The elements of a page, with the content of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self._in = [], [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._in = tag == "script"
        if self._in:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self._in = False

    def handle_data(self, data):
        if self._in:
            self.scripts[-1] += data


def made(texts, title="index", most=400):
    nodes = [GraphChunk(f"c{n}", "d", n, text, section=[text[:40]]) for n, text in enumerate(texts)]
    graph = make_graph(nodes, np.eye(len(nodes)), GraphSettings())
    content, shown = page(graph, title=title, most=most)
    return content.decode("utf-8"), shown


def data_of(text):
    return json.loads(Parts(text).scripts[0])


def test_the_page_shows_chunks_by_cluster_and_edges_by_signal(making):
    making.ingest()
    graph, _, _ = open_graph(making.folder, signals=True)
    content, shown = page(graph, title="index")
    data = data_of(content.decode())
    assert shown == data["total"] == len(data["nodes"]) == 6
    assert [node["id"] for node in data["nodes"]] == [text["id"] for text in making.texts]
    assert {node["cluster"] for node in data["nodes"]} == {chunk.cluster for chunk in graph.chunks}
    assert len(data["edges"]) == len(graph.edges)
    names = {data["signals"][edge[3]] for edge in data["edges"]}
    assert "entity" in names
    assert all(0 <= node["x"] <= 1 and 0 <= node["y"] <= 1 for node in data["nodes"])


def test_texts_stay_texts():
    text, _ = made([HOSTILE, "plain"], title=HOSTILE)
    parts = Parts(text)
    assert [tag for tag, _ in parts.tags].count("script") == 2
    assert "img" not in [tag for tag, _ in parts.tags]
    assert data_of(text)["nodes"][0]["text"] == HOSTILE
    assert not any(name.startswith("on") for _, attributes in parts.tags for name in attributes)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4), st.text(max_size=30))
@settings(max_examples=40, deadline=None)
def test_whatever_the_texts_the_page_has_its_two_scripts_and_gives_them_back(texts, title):
    texts = [text.encode("utf-8", "replace").decode() for text in texts]
    text, _ = made(texts, title.encode("utf-8", "replace").decode())
    assert len(Parts(text).scripts) == 2
    assert [node["text"] for node in data_of(text)["nodes"]] == texts


def test_nothing_is_fetched_and_only_its_own_script_runs():
    text, _ = made(["one", "two"])
    parts = Parts(text)
    policy = next(a["content"] for tag, a in parts.tags if tag == "meta" and "http-equiv" in a)
    digest = base64.b64encode(hashlib.sha256(parts.scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert not any(name in ("src", "href", "srcset") for _, attributes in parts.tags for name in attributes)
    assert not re.search(r"https?://|url\(|@import|innerHTML|insertAdjacentHTML|document\.write|eval\(", text)


def test_only_the_chunks_with_the_strongest_edges_are_shown():
    texts = [f"Town{n // 2} Road is here, number {n}." for n in range(30)]
    text, shown = made(texts, most=10)
    data = data_of(text)
    assert (shown, len(data["nodes"]), data["total"]) == (10, 10, 30)
    assert all(max(edge[:2]) < 10 for edge in data["edges"])


@pytest.mark.parametrize("count", [1, 2])
def test_tiny_graphs_have_a_page(count):
    assert made(["text"] * count)[1] == count


def test_an_empty_graph_has_a_page():
    content, shown = page(make_graph([], np.zeros((0, 4)), GraphSettings()), title="empty")
    assert shown == 0
    assert data_of(content.decode())["nodes"] == []


def test_the_same_graph_gives_the_same_page():
    assert made(["one two", "two three", "three one"]) == made(["one two", "two three", "three one"])


def test_a_long_text_is_cut():
    text, _ = made(["x" * 9000, "y"])
    assert len(data_of(text)["nodes"][0]["text"]) < 4100
