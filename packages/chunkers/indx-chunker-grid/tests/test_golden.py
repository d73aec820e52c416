"""Version 1 is frozen: what it makes of one page is written down beside this test."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from indx_chunker_grid.provider import chunker
from indx_testkit.samples import document, reading, table

GOLDEN = Path(__file__).with_name("golden_v1.json")


def test_version_1_cuts_as_it_always_did() -> None:
    rows = [["品目", "数量", "備考"], *([f"品{row}", str(row * 3), "x" * (row * 40)] for row in range(12))]
    text, grid = table(rows, spans={(4, 1): (2, 1)}, caption="在庫")
    page = reading(text + "\nA2: 確認済み", tables=[grid], roles=[("A2: 確認済み", "comment")])
    drafts = chunker().chunk(document(page), None, [1])[1]
    made = json.loads(json.dumps([asdict(draft) for draft in drafts]))
    assert made == json.loads(GOLDEN.read_text("utf-8"))
