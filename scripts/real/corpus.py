"""Builds the shared corpus of real files as one space and says, file by file, what came of each.

Expected strings are compared after NFKC, all white space and bidi marks removed on both sides.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "corpus" / "handed"

DIGITAL = re.compile(r"\.(pdf|docx|pptx|xlsx|csv|tsv|md|html?|txt|eml)$", re.IGNORECASE)
EXPLAINED = {
    "csv/spanish_chars.csv": "Latin-1 is not guessed, as any bytes are; the refusal names INDX_TEXT_ENCODING",
    "word/ExternalEntityInText.docx": "a DOCTYPE is refused in Office files, whatever it declares",
    "word/equations.docx": "the equation stands in its sentence, where the expected string has none",
}
"""Files whose reading differs from what is expected of it, and why it is meant."""

DROPPED = re.compile("[\\s\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def plain(text: str) -> str:
    """Text as the manifest compares it."""
    return DROPPED.sub("", unicodedata.normalize("NFKC", text))


def run(data: Path, *, show_all: bool) -> int:
    """Print the tables; 1 when a file is lost, or a common digital format lacks an expected string."""
    rows = [json.loads(line) for line in (data / "manifest.jsonl").read_text("utf-8").splitlines()]
    passwords = sorted({r["password"] for r in rows if r.get("password") and r["outcome"] == "read"})
    with tempfile.TemporaryDirectory(prefix="indx-corpus-") as folder:
        started = time.perf_counter()
        index = build(data, Path(folder), passwords)
        elapsed = time.perf_counter() - started
    judged = judge(rows, index)
    report(judged, show_all=show_all)
    print(f"{len(rows)} files, {index['stats']['documents']} documents, {elapsed:.1f} s wall\n")
    lost = [r["path"] for r, verdict, _ in judged if verdict == "LOST"]
    short = [
        r["path"]
        for r, verdict, _ in judged
        if verdict == "short" and DIGITAL.search(r["path"]) and r["path"] not in EXPLAINED
    ]
    for name, paths in (("lost", lost), ("digital files with missing strings", short)):
        if paths:
            print(f"{name}: {', '.join(paths)}")
    return 1 if lost or short else 0


def build(data: Path, folder: Path, passwords: list[str]) -> dict:
    """The index of a build of `data` by the command."""
    indx = str(Path(sys.executable).with_name("indx"))
    env = {
        **os.environ,
        "INDX_CACHE_DIR": str(folder / "cache"),
        "INDX_SOURCE_PASSWORDS": json.dumps(passwords),
        "INDX_TEXT_ENCODING": "utf-8-sig,cp932",
        "INDX_WORKER_TIMEOUT_SECONDS": "30",
    }
    command = [indx, str(data), "--out", str(folder / "out"), "--quiet", "--no-embed"]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the build exited with {done.returncode}: {done.stderr}")
    return json.loads((folder / "out" / "index.json").read_bytes())


def judge(rows: list[dict], index: dict) -> list[tuple[dict, str, str]]:
    """Each manifest row with a verdict and a note."""
    texts: dict[str, list[str]] = defaultdict(list)
    for chunk in index["chunks"]:
        texts[chunk["source"]["path"]].append(chunk["text"])
    documents = {document["path"] for document in index["documents"]}
    errors: dict[str, list[str]] = defaultdict(list)
    for error in index["metadata"].get("errors", ()):
        errors[error["path"]].append(f"{error['code']}: {error['message']}")
    return [(row, *verdict(row, texts, documents, errors)) for row in rows]


def verdict(row: dict, texts: dict, documents: set, errors: dict) -> tuple[str, str]:
    path = row["path"]
    inside = [p for p in texts if p.startswith(path + "!/")] + [
        p for p in documents if p.startswith(path + "!/")
    ]
    said = [line for p, lines in errors.items() if p == path or p.startswith(path + "!/") for line in lines]
    if path not in documents and not inside and not said:
        return "LOST", ""
    whole = plain("\n".join(t for p in (path, *inside) for t in texts.get(p, ())))
    whole += plain(" ".join(inside))
    missing = [s for s in row["contains"] if plain(s) not in whole]
    if not missing and (whole or not row["contains"]):
        found = "read" if whole else ("refused" if said else "empty")
        return found, said[0] if said else ""
    if not whole and said:
        return "refused", said[0]
    note = f"{len(missing)} of {len(row['contains'])} missing: {missing[:3]}" if missing else "no text"
    return ("short" if missing else "empty"), note + (f"; {said[0]}" if said else "")


def report(judged: list[tuple[dict, str, str]], *, show_all: bool) -> None:
    counts: dict[str, Counter] = defaultdict(Counter)
    for row, outcome, _ in judged:
        counts[row["category"]][outcome] += 1
    columns = ("read", "short", "refused", "empty", "LOST")
    print("| category | files | " + " | ".join(columns) + " |\n|" + "---|" * (len(columns) + 2))
    for category, counted in sorted(counts.items()):
        cells = [str(counted[c] or "") for c in columns]
        print(f"| {category} | {sum(counted.values())} | " + " | ".join(cells) + " |")
    print("\n| file | expected | outcome | note |\n|---|---|---|---|")
    for row, outcome, note in judged:
        if show_all or outcome not in ("read",) or row["outcome"] == "refuse":
            note = "; ".join(filter(None, [note, EXPLAINED.get(row["path"])]))
            shown = note.replace("|", "\\|").replace("\n", " ")[:240]
            print(f"| {row['path']} | {row['outcome']} | {outcome} | {shown} |")
    print()
