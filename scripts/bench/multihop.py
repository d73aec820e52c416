#!/usr/bin/env python3
"""Multi-hop questions with gold passages: what the chunk graph finds beside what it is built on.

    uv run --with bpe-openai python scripts/bench/multihop.py --set musique200 --data DIR --embedder minilm

DIR holds a folder a set, with `corpus.jsonl`, `questions.jsonl` and the vectors of both; those missing are
made by an installed embedder. All methods are given the same vectors in one run. Settings were chosen on the
even questions; the odd ones are reported, unless told otherwise. R@k is the mean share of gold passages among
the first k, A@t the share of questions all of whose gold passages come before t tokens are full. Intervals
are of 95 %, from resampled questions. No LLM takes part.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from _measure import heading, table

from indx_graph.asking import Asker
from indx_graph.embedding import choose_embedder, embed_all
from indx_graph.graph import make_graph
from indx_graph.ingest import SpectRAGIngestion
from indx_graph.options import GraphSettings
from indx_graph.reading import entity_terms
from indx_graph.retrieval import SpectRAGRetrieval
from indx_graph.selecting import choose
from indx_graph.sources import from_texts
from indx_graph.tokens import count_tokens, resolve_tokenizer
from indx_graph.tuning import Question, tune

DEPTHS = (2, 5, 10, 20)
BUDGETS = (500, 1000, 2000, 4000)
COLUMNS = [*(f"R@{k}" for k in DEPTHS), *(f"A@{t}" for t in BUDGETS)]
RESAMPLES = 2000
DEEP = 400

# Of all questions, with all-MiniLM-L6-v2 and without LLM signals; measured with the published code.
PUBLISHED = {
    "musique200": (0.371, 0.521, 0.674, 0.756, "", 0.270, 0.475, ""),
    "hotpot200": (0.620, 0.797, 0.917, 0.970, "", 0.755, 0.900, ""),
    "2wiki164": (0.581, 0.733, 0.803, 0.814, "", 0.451, 0.579, ""),
}

ABLATIONS: dict[str, dict[str, Any]] = {
    "no graph (`graph_share` 0)": {"graph_share": 0.0},
    "titles in questions not looked for (`title_boost` 0)": {"title_boost": 0.0},
    "neither of both": {"title_boost": 0.0, "graph_share": 0.0},
    "titles in texts not looked for (`title_mentions` off)": {"title_mentions": False},
    "shared names counted, not weighed by rarity": {"entity_weighting": "count"},
    "entity signal alone": {"weights": {"semantic": 0.0}},
    "semantic signal alone": {"weights": {"entity": 0.0}},
    "published normalisation": {"normalization": "published"},
    "published normalisation and threshold": {"normalization": "published", "sparsify": "published"},
    "published expansion": {"expansion": "published"},
    "calibrated weights": {"weighting": "calibrated"},
    "fitted weights": {"weighting": "fitted"},
    "no spectral proximity": {"spectral_share": 0.0},
    "0.2 spectral proximity": {"spectral_share": 0.2},
    "published spectrum": {"spectrum": "published"},
    "published fusion, walk and spectrum at once": {
        "normalization": "published",
        "sparsify": "published",
        "expansion": "published",
        "spectrum": "published",
        "entity_weighting": "count",
        "spectral_share": 0.2,
        "title_boost": 0.0,
    },
    "coverage not looked at": {"coverage_share": 0.0},
}


class Data:
    """A set: passages, questions, gold, and vectors of one embedder."""

    def __init__(self, folder: Path, embedder: str, halves: Sequence[int] = (1,)) -> None:
        self.halves = halves
        read = lambda name: [json.loads(line) for line in (folder / name).open(encoding="utf-8")]  # noqa: E731
        self.passages, self.questions = read("corpus.jsonl"), read("questions.jsonl")
        self.texts = [f"{one['title']}\n{one['text']}" for one in self.passages]
        self.rows = vectors(folder / f"{embedder}.corpus.npy", embedder, self.texts, "document")
        asked = [question["question"] for question in self.questions]
        self.asked = vectors(folder / f"{embedder}.questions.npy", embedder, asked, "query")
        place = {one["id"]: number for number, one in enumerate(self.passages)}
        self.gold = [sorted({place[one] for one in question["supporting"]}) for question in self.questions]
        self.tokenizer = resolve_tokenizer("auto")
        self.tokens = np.array(count_tokens(self.texts, self.tokenizer))
        self.words = [re.findall("[a-z0-9]+", text.lower()) for text in self.texts]

    def items(self) -> list[dict[str, str]]:
        """The passages as texts to index; each is a document and a chunk."""
        return [
            {"id": one["id"], "title": one["title"], "text": text}
            for one, text in zip(self.passages, self.texts, strict=True)
        ]

    def embed(self, texts: Sequence[str]) -> Any:
        """The given vectors; a fixed one for the fingerprint's sentence."""
        known = dict(zip(self.texts, self.rows, strict=True))
        known |= {one["question"]: row for one, row in zip(self.questions, self.asked, strict=True)}
        spare = np.eye(1, self.rows.shape[1])[0]
        return np.array([known.get(text, spare) for text in texts])


def vectors(file: Path, embedder: str, texts: Sequence[str], role: Any) -> Any:
    """The given vectors, else those of an installed embedder."""
    if file.exists():
        return np.load(file)
    installed = choose_embedder({"wordllama": "wordllama-256"}.get(embedder, embedder))
    return embed_all(installed, texts, role)


def bm25(data: Data) -> list[Any]:
    """Okapi scores of all passages for each question (k1 1.5, b 0.75, epsilon 0.25)."""
    count, lengths = len(data.words), np.array([len(words) for words in data.words])
    found = Counter(word for words in data.words for word in set(words))
    rarity = {word: math.log(count - n + 0.5) - math.log(n + 0.5) for word, n in found.items()}
    floor = 0.25 * sum(rarity.values()) / len(rarity)
    holders: dict[str, list[tuple[int, int]]] = {}
    for place, words in enumerate(data.words):
        for word, n in Counter(words).items():
            holders.setdefault(word, []).append((place, n))
    scores = []
    for question in data.questions:
        row = np.zeros(count)
        for word in re.findall("[a-z0-9]+", question["question"].lower()):
            weight = rarity.get(word, 0.0)
            for place, n in holders.get(word, ()):
                share = 1.5 * (0.25 + 0.75 * lengths[place] / lengths.mean())
                row[place] += (weight if weight >= 0 else floor) * n * 2.5 / (n + share)
        scores.append(row)
    return scores


def first_attempt(data: Data, words: Sequence[Any]) -> list[Any]:
    """Restarted PageRank over passages and names, weighed by rarity: where this method began."""
    import scipy.sparse as sp

    terms = entity_terms(from_texts(data.items()).chunks)
    counts = Counter(term for mine in terms for term in mine)
    most = 0.02 * len(terms)
    names = {term: n for n, term in enumerate(sorted(t for t, c in counts.items() if 2 <= c <= most))}
    cells = [
        (place, names[term], share * math.log(1 + len(terms) / counts[term]))
        for place, mine in enumerate(terms)
        for term, share in mine.items()
        if term in names
    ]
    rows, columns, values = zip(*cells, strict=True)
    held = sp.csr_array((values, (rows, columns)), shape=(len(terms), len(names)))
    spread = lambda m: sp.diags(1 / np.maximum(np.asarray(m.sum(axis=1)).ravel(), 1e-12)) @ m  # noqa: E731
    walk = (spread(held) @ spread(held.T.tocsr())).T.tocsr()
    found = []
    for number in range(len(data.questions)):
        dense = data.rows @ data.asked[number]
        fit = 0.5 * dense / dense.max() + 0.5 * words[number] / max(words[number].max(), 1e-9)
        best = np.argsort(-fit, kind="stable")[:5]
        restart = np.zeros(len(fit))
        restart[best] = np.exp(8 * (fit[best] - fit.max()))
        restart /= restart.sum()
        ranks = restart
        for _ in range(12):
            ranks = 0.5 * restart + 0.5 * (walk @ ranks)
        found.append(0.4 * fit / fit.max() + 0.6 * np.sqrt(ranks / ranks.max()))
    return found


def measure(data: Data, order: Sequence[int], gold: Sequence[int]) -> list[float]:
    """The figures of one question: recall at depths, and whether all gold comes before budgets are full."""
    places = {place: rank for rank, place in enumerate(order)}
    ranks = [places.get(one, len(data.texts)) for one in gold]
    filled = np.cumsum(data.tokens[list(order)])
    within = lambda t: float(all(rank < len(order) and filled[rank] <= t for rank in ranks))  # noqa: E731
    return [*(float(np.mean([rank < k for rank in ranks])) for k in DEPTHS), *(within(t) for t in BUDGETS)]


def reported(data: Data) -> list[int]:
    """The questions that are reported."""
    return [number for number in range(len(data.questions)) if number % 2 in data.halves]


def by_scores(data: Data, score: Callable[[int], Any]) -> Any:
    """Figures of each reported question from scores of all passages."""
    return np.array(
        [
            measure(data, np.argsort(-score(number), kind="stable")[:DEEP].tolist(), data.gold[number])
            for number in reported(data)
        ]
    )


def ours(data: Data, settings: GraphSettings) -> tuple[Any, Any]:
    """Figures of the graph: by its ranking, and with the budgets filled by its own selection."""
    gathered = from_texts(data.items())
    for chunk, count in zip(gathered.chunks, data.tokens.tolist(), strict=True):
        chunk.tokens = count
    asker = Asker(make_graph(gathered.chunks, data.rows, settings, spectrum=bool(settings.spectral_share)))
    ranked = by_scores(data, lambda n: ask(asker, data, n, settings).scores)
    chosen = ranked.copy()
    for row, number in enumerate(reported(data)):
        answer = ask(asker, data, number, settings)
        query = data.questions[number]["question"]
        for column, budget in enumerate(BUDGETS, len(DEPTHS)):
            places = choose(asker, answer, query, settings, budget=budget).places
            chosen[row, column] = float(set(data.gold[number]) <= set(places))
    return ranked, chosen


def ask(asker: Asker, data: Data, number: int, settings: GraphSettings) -> Any:
    """The answer to a question."""
    return asker.ask(data.questions[number]["question"], data.asked[number], settings)


def interval(figures: Any) -> list[str]:
    """Means with the ends of their intervals."""
    draw = np.random.default_rng(0)
    samples = figures[draw.integers(0, len(figures), size=(RESAMPLES, len(figures)))].mean(axis=1)
    low, high = np.quantile(samples, (0.025, 0.975), axis=0)
    return [f"{m:.3f} ({a:+.3f}…{b:+.3f})" for m, a, b in zip(figures.mean(axis=0), low, high, strict=True)]


def means(figures: Any) -> list[str]:
    """Means."""
    return [f"{value:.3f}" for value in figures.mean(axis=0)]


def budget_rows(mine: Any, base: Any, first: Any) -> list[list[object]]:
    """What is due, against what was reached."""
    rows: list[list[object]] = []
    for name, least in (("R@5", 0.05), ("A@2000", 0.10)):
        at = COLUMNS.index(name)
        have, had = mine[:, at].mean(), base[:, at].mean()
        due = had + min(least, (1 - had) / 2)
        rows.append([name, f"{had:.3f}", f"{due:.3f}", f"{have:.3f}", "yes" if have >= due else "NO"])
    worst = min(zip((mine - first).mean(axis=0), COLUMNS, strict=True))
    draw = np.random.default_rng(0)
    at = COLUMNS.index(worst[1])
    apart = (mine - first)[:, at]
    high = np.quantile(apart[draw.integers(0, len(apart), (RESAMPLES, len(apart)))].mean(axis=1), 0.975)
    kept = "yes" if worst[0] >= 0 or high >= 0 else "NO"
    rows.append([f"least gain on the first attempt: {worst[1]}", "", "0", f"{worst[0]:+.3f}", kept])
    return rows


def tuned(data: Data) -> Mapping[str, Any]:
    """What tuning on this set's even questions changes and brings on the odd ones."""
    with tempfile.TemporaryDirectory() as folder:
        SpectRAGIngestion(Path(folder) / "index", embed_fn=data.embed).ingest_texts(data.items())
        SpectRAGRetrieval(Path(folder) / "index", embed_fn=data.embed)
        asked = [Question(one["question"], tuple(one["supporting"])) for one in data.questions]
        return tune(Path(folder) / "index", asked, embed_fn=data.embed)


def main() -> None:
    """Measure one set with one embedder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--set", required=True, help="a folder of DIR")
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--embedder", default="minilm", help="minilm, wordllama, or an installed one")
    parser.add_argument("--half", default="odd", choices=("odd", "even", "all"), help="what is reported")
    parser.add_argument("--ablations", action="store_true", help="switch off one thing after another")
    parser.add_argument("--tune", action="store_true", help="also tune on the even questions of this set")
    options = parser.parse_args()
    halves = {"odd": (1,), "even": (0,), "all": (0, 1)}[options.half]
    data = Data(options.data / options.set, options.embedder, halves)
    heading(f"{options.set}, {options.embedder}")
    print(
        f"{len(data.texts)} passages; {len(reported(data))} of {len(data.questions)} questions reported; "
        f"tokens counted by {data.tokenizer}\n"
    )
    words = bm25(data)
    dense = lambda n: data.rows @ data.asked[n]  # noqa: E731
    linear = lambda n: 0.7 * dense(n) / dense(n).max() + 0.3 * words[n] / max(words[n].max(), 1e-9)  # noqa: E731
    base, attempt = by_scores(data, linear), first_attempt(data, words)
    first = by_scores(data, lambda n: attempt[n])
    settings = GraphSettings()
    ranked, chosen = ours(data, settings)
    rows: list[list[object]] = [
        ["dense", *means(by_scores(data, dense))],
        ["BM25", *means(by_scores(data, lambda n: words[n]))],
        ["linear, no graph", *means(base)],
        ["first attempt", *means(first)],
        ["graph", *means(ranked)],
        ["graph, chosen within the budget", *means(chosen)],
        ["graph − linear", *interval(ranked - base)],
        ["graph − first attempt", *interval(ranked - first)],
    ]
    if options.embedder == "minilm" and options.set in PUBLISHED:
        rows.insert(3, ["published method, all questions, quoted", *PUBLISHED[options.set]])
    table(["method", *COLUMNS], rows)
    table(["budget", "linear", "due", "reached", "kept"], budget_rows(ranked, base, first))
    if options.ablations:
        changed = {name: ours(data, settings.replaced(**change)) for name, change in ABLATIONS.items()}
        table(
            ["one thing changed", *COLUMNS],
            [["nothing", *means(chosen)], *([name, *means(found[1])] for name, found in changed.items())],
        )
    if options.tune:
        print(json.dumps(tuned(data), indent=1, sort_keys=True))


if __name__ == "__main__":
    if find_spec("scipy") is None:
        sys.exit("scipy is not installed")
    main()
