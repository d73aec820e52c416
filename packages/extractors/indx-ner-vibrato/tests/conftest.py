"""A dictionary small enough to read, as MeCab sources; it is compiled when a text is first looked at."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from indx_ner_vibrato.settings import CACHE, DICTIONARY

# The engine is in no environment but the one in which `scripts/test install`
# (tests/install/test_engines.py) runs these files.
collect_ignore = (
    []
    if all(importlib.util.find_spec(name) for name in ("vibrato", "zstandard"))
    else ["test_conformance.py", "test_dictionary.py", "test_entities.py"]
)

WORDS = {
    "山田": "名詞,固有名詞,人名,姓",
    "鈴木": "名詞,固有名詞,人名,姓",
    "太郎": "名詞,固有名詞,人名,名",
    "バラク": "名詞,固有名詞,人名,一般",
    "オバマ": "名詞,固有名詞,人名,一般",
    "東京": "名詞,固有名詞,地域,一般",
    "千代田": "名詞,固有名詞,地域,一般",
    "日本": "名詞,固有名詞,地域,国",
    "都": "名詞,接尾,地域,*",
    "区": "名詞,接尾,地域,*",
    "氏": "名詞,接尾,人名,*",
    "ソニー": "名詞,固有名詞,組織,*",
    "電器": "名詞,一般,*,*",
    "部品": "名詞,一般,*,*",
    "設立": "名詞,サ変接続,*,*",
    "雪国": "名詞,固有名詞,一般,*",
    "株式会社": "名詞,一般,*,*",
    "合同": "名詞,サ変接続,*,*",
    "会社": "名詞,一般,*,*",
    "・": "記号,一般,*,*",
    "は": "助詞,係助詞,*,*",
    "の": "助詞,連体化,*,*",
    "と": "助詞,並立助詞,*,*",
    "。": "記号,句点,*,*",
}
LEXICON = "".join(f"{word},0,0,100,{part},*,*,{word},ヨミ,ヨミ\n" for word, part in WORDS.items())
TABLES = {
    "matrix.def": "1 1\n0 0 0\n",
    "char.def": (
        "DEFAULT 0 1 0\nSPACE 0 1 0\nKANJI 0 0 2\nALPHA 1 1 0\n"
        "0x0020 SPACE\n0x3000 SPACE\n0x0041..0x005A ALPHA\n0x0061..0x007A ALPHA\n0x4E00..0x9FFF KANJI\n"
    ),
    "unk.def": (
        "DEFAULT,0,0,5000,記号,一般,*,*,*,*,*\nSPACE,0,0,10,記号,空白,*,*,*,*,*\n"
        "KANJI,0,0,5000,名詞,一般,*,*,*,*,*\nALPHA,0,0,5000,名詞,固有名詞,組織,*,*,*,*\n"
    ),
}


@pytest.fixture(autouse=True)
def nothing_is_fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty cache, a release nobody serves, settings as they come."""
    from indx_ner_vibrato import _release

    monkeypatch.delenv(DICTIONARY.name, raising=False)
    monkeypatch.setenv(CACHE.name, str(tmp_path / "cache"))
    nowhere = _release.Release("ipadic", "http://127.0.0.1:9/ipadic.tar.xz", "0" * 64, "1" * 64)
    monkeypatch.setattr(_release, "IPADIC", nowhere)


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of sources."""
    folder = tmp_path_factory.mktemp("mecab")
    (folder / "words.csv").write_text(LEXICON, "utf-8")
    for name, text in TABLES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def dictionary(monkeypatch: pytest.MonkeyPatch, sources: Path) -> None:
    """The small dictionary is configured."""
    monkeypatch.setenv(DICTIONARY.name, str(sources))
