"""Asks the lane `vibrato` for the names in a few sentences, with the whole of IPADIC as Debian ships it.

The sources come out of Debian's package `mecab-ipadic`, unpacked into a folder and not installed. Prints
what was found and fails where a name is missing or too many. Needs apt-get, dpkg-deb, and the extra `ja`:

    uv sync --extra ja && .venv/bin/python scripts/real/ipadic.py [FOLDER for the package]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXPECTED = {
    "東京都千代田区丸の内にあるトヨタ自動車株式会社の鈴木一郎氏は、大阪府の松下電器を訪れた。": {
        ("location", "東京都千代田区丸の内"),
        ("organization", "トヨタ自動車株式会社"),
        ("person", "鈴木一郎"),
        ("location", "大阪府"),
        ("organization", "松下電器"),
    },
    "株式会社みどり商事　代表取締役　山田 太郎": {
        ("organization", "株式会社みどり商事"),
        ("person", "山田 太郎"),
    },
    "合同会社DMMは、北海道札幌市で会議を開いた。": {
        ("organization", "合同会社DMM"),
        ("location", "北海道札幌市"),
    },
    "The quick brown fox at Microsoft in London.": set(),
}


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="indx-ipadic-")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    sources = folder / "usr/share/mecab/dic/ipadic"
    if not sources.is_dir():
        subprocess.run(["apt-get", "download", "-q", "mecab-ipadic"], cwd=folder, check=True)
        subprocess.run(["dpkg-deb", "-x", next(folder.glob("*.deb")), folder], check=True)
    os.environ["INDX_NER_VIBRATO_DICTIONARY"] = str(sources)
    from indx_ner_vibrato import pages

    lane = pages()
    start = time.process_time()
    lane.extract(["東京"])
    print(f"compiled in {time.process_time() - start:.1f} CPU s")
    missing = 0
    for text, item in zip(EXPECTED, lane.extract(list(EXPECTED)).items, strict=True):
        found = {(span.label, span.surface) for span in item or ()}
        print(text, *sorted(found), sep="\n  ")
        missing += len(EXPECTED[text] ^ found)
    long = "".join(EXPECTED) * 2000
    start = time.process_time()
    lane.extract([long])
    print(f"{len(long) / (time.process_time() - start):,.0f} characters a CPU second; {missing} names differ")
    return min(missing, 1)


if __name__ == "__main__":
    sys.exit(main())
