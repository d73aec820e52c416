"""The tokenizer that the settings ask for: compiled bytes, plain or compressed, or MeCab sources."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from indx_core.deadline import Deadline
from indx_core.errors import explain
from indx_core.leaving import MadeOnce
from indx_ner_vibrato import _release
from indx_ner_vibrato._errors import DictionaryFailure
from indx_ner_vibrato._trial import why_unreadable
from indx_ner_vibrato.settings import CACHE, DICTIONARY, DOWNLOAD_SECONDS

__all__ = ["Tokenizers", "tokenizer"]

MAX_BYTES: Final = 2 * 1024 * 1024 * 1024
MAX_RATIO: Final = 100
"""How many times as large a dictionary may be as when compressed; those that are published are about five."""
MAX_SOURCE_BYTES: Final = 512 * 1024 * 1024
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_ENCODINGS: Final = ("utf-8-sig", "euc_jp")
_UNKNOWN_RUN: Final = 24
"""The longest run of characters that is taken for one unknown word, as MeCab has it."""


class Tokenizers:
    """The latest tokenizer, made once; one that cannot be made is not tried at once again.

    Args:
        clock: The monotonic clock, for tests.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._once: MadeOnce[Any] = MadeOnce("indx-ner-vibrato", clock)
        self._latest: tuple[object, Any] = (None, None)

    def get(self) -> Any:
        """The tokenizer. Nobody waits for it longer than INDX_NER_VIBRATO_DOWNLOAD_SECONDS.

        Raises:
            DictionaryFailure: There is none; for a minute after, it is not tried again.
        """
        source, seconds = DICTIONARY.get(), DOWNLOAD_SECONDS.get()
        key = (str(CACHE.get()), *_state(source)) if source else (str(CACHE.get()),)
        return self._once.get(
            key,
            kept=lambda: self._find(key),
            make=lambda own: self._keep(key, _opened(source, own)),
            seconds=seconds,
            deadline=Deadline(),
            late=lambda: DictionaryFailure(
                f"the dictionary was not here after {seconds:g} s; try again later, "
                f"or raise {DOWNLOAD_SECONDS.name}"
            ),
        )

    def _find(self, key: object) -> Any:
        known, made = self._latest
        return made if known == key else None

    def _keep(self, key: object, made: Any) -> Any:
        self._latest = (key, made)
        return made


def _state(source: Path) -> tuple[object, ...]:
    try:
        state = source.expanduser().stat()
    except (OSError, ValueError, RuntimeError):
        return (str(source),)
    return (str(source), state.st_size, state.st_mtime_ns)


def _opened(source: Path | None, own: Deadline) -> Any:
    import vibrato  # type: ignore[import-not-found,import-untyped,unused-ignore]

    if source is None:
        data = _unpressed(_release.released(_release.IPADIC, own), "the fetched dictionary")
        return _guarded(
            lambda: vibrato.Vibrato(data, max_grouping_len=_UNKNOWN_RUN), "the fetched dictionary"
        )
    name = f"{DICTIONARY.name}: {str(source)!r}"
    try:
        path = source.expanduser()
        if path.is_dir():
            sources = _sources(path, name)
            return _guarded(
                lambda: vibrato.Vibrato.from_textdict(*sources, max_grouping_len=_UNKNOWN_RUN), name
            )
        if path.exists() and not path.is_file():  # what is read from a pipe may never end
            raise DictionaryFailure(f"{name} is neither a file nor a folder")
        if path.stat().st_size > MAX_BYTES:
            raise DictionaryFailure(f"{name} is larger than {MAX_BYTES} bytes")
        data = _unpressed(path.read_bytes(), name)
    except (OSError, ValueError, RuntimeError) as error:
        raise DictionaryFailure(f"{name} cannot be read: {explain(error)}") from None
    why = why_unreadable(data, own)
    if why is not None:
        raise DictionaryFailure(f"{name} is no dictionary that vibrato reads: {why}")
    return _guarded(lambda: vibrato.Vibrato(data, max_grouping_len=_UNKNOWN_RUN), name)


def _unpressed(data: bytes, name: str) -> bytes:
    if not data.startswith(_ZSTD):
        return data
    import zstandard  # type: ignore[import-not-found,unused-ignore]

    most = min(MAX_BYTES, MAX_RATIO * max(len(data), 1 << 20))
    try:
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as stream:
            plain = stream.read(most + 1)
    except (zstandard.ZstdError, MemoryError) as error:
        raise DictionaryFailure(f"{name} cannot be decompressed: {explain(error)}") from None
    if len(plain) > most:
        raise DictionaryFailure(f"{name} is larger than {most} bytes when decompressed")
    return bytes(plain)


def _sources(folder: Path, name: str) -> tuple[str, str, str, str]:
    """The lexicon and the three tables of a folder of MeCab sources, such as Debian's mecab-ipadic."""
    lexicon = sorted(folder.glob("*.csv"))
    tables = [folder / f"{table}.def" for table in ("matrix", "char", "unk")]
    missing = [table.name for table in tables if not table.is_file()] + ([] if lexicon else ["*.csv"])
    if missing:
        raise DictionaryFailure(f"{name} lacks {', '.join(missing)}; it is no folder of MeCab sources")
    if sum(path.stat().st_size for path in (*lexicon, *tables)) > MAX_SOURCE_BYTES:
        raise DictionaryFailure(f"{name} holds more than {MAX_SOURCE_BYTES} bytes of sources")
    words = "".join(_decoded(path, name) for path in lexicon)
    matrix, characters, unknown = (_decoded(path, name) for path in tables)
    return words, matrix, characters, unknown


def _decoded(path: Path, name: str) -> str:
    data = path.read_bytes()
    for encoding in _ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return text if text.endswith("\n") else text + "\n"
    raise DictionaryFailure(f"{name}: {path.name} is neither UTF-8 nor EUC-JP")


def _guarded(make: Callable[[], Any], name: str) -> Any:
    """What `make` makes. On some damaged dictionaries the engine panics: an exception of no usual class."""
    try:
        return make()
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:
        raise DictionaryFailure(f"{name} is no dictionary that vibrato reads: {explain(error)}") from None


_TOKENIZERS: Final = Tokenizers()


def tokenizer() -> Any:
    """The tokenizer that the settings ask for; see `Tokenizers.get`.

    Raises:
        DictionaryFailure: There is none.
    """
    return _TOKENIZERS.get()
