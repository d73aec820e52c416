"""Version 1 is frozen: what it makes of one slide is written down beside this test."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from indx_chunker_slides.provider import chunker
from indx_testkit.samples import document, reading, table

GOLDEN = Path(__file__).with_name("golden_v1.json")


def test_version_1_cuts_as_it_always_did() -> None:
    text, grid = table([["年", "件数"], ["2023", "12"], ["2024", "15"]], start=8)
    page = reading(
        f"概要 2024\n{text}\n左の箱\n右の箱\n隠れた箱\n話す言葉",
        tables=[grid],
        headings=[("概要 2024", 1)],
        hidden=["隠れた箱"],
        roles=[("話す言葉", "notes")],
        boxes=[(0, 0, 1, 0.1), *[(0.1, 0.2, 0.9, 0.5)] * 3, (0, 0.6, 0.4, 0.9), None, (0, 0, 1, 1), None],
    )
    drafts = chunker().chunk(document(page), None, [1])[1]
    made = json.loads(json.dumps([asdict(draft) for draft in drafts]))
    assert made == json.loads(GOLDEN.read_text("utf-8"))
