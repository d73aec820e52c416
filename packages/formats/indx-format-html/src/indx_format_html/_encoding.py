"""Bytes to text: which encoding a web page or a part of a mail is in.

Order: byte order mark, the label given beside the bytes, the label written inside, UTF-8 where it fits
without error, a guess for unlabelled legacy text, windows-1252 as browsers end with. A label is a claim:
one that does not decode loses to what does.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

from indx_core.canonical import clean_text

__all__ = ["Decoded", "decode"]

META_BYTES = 1024
HEAD_BYTES = 65_536
GUESS_BYTES = 65_536
FALLBACK = "cp1252"

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_LABEL = re.compile(r"[a-z0-9][a-z0-9._:+-]{0,39}")
_META = re.compile(rb"""<meta\b[^>]{0,512}?charset\s*=\s*["']?\s*([^\s"'/>;]{1,40})""", re.IGNORECASE)
_XML = re.compile(rb"""\s*<\?xml\b[^>]{0,128}?\bencoding\s*=\s*["']([^"']{1,40})["']""")
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_RAW = re.compile(rb"<(script|style|title|noscript|template)\b.*?(?:</\1\b|\Z)", re.DOTALL | re.IGNORECASE)
_BODY = re.compile(
    rb"</head\b|<(?!(?:html|head|meta|link|base|title|style|script|noscript|template)\b)[a-z]", re.IGNORECASE
)
_ASCII = bytes(range(128))

# What browsers take a label for, by the name Python knows it under: the web's labels mean supersets.
_WEB = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "shift_jis": "cp932",
    "shift_jis_2004": "cp932",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "utf-8-sig": "utf-8",
}
_ALIASES = {
    "x-sjis": "cp932",
    "csshiftjis": "cp932",
    "ms932": "cp932",
    "windows-31j": "cp932",
    "x-euc-jp": "euc_jp",
    "cp50220": "iso2022_jp",
    "cp50221": "iso2022_jp",
    "cseucpkdfmtjapanese": "euc_jp",
    "unicode-1-1-utf-8": "utf-8",
    "x-gbk": "gb18030",
    "x-x-big5": "big5hkscs",
    "x-cp1250": "cp1250",
    "x-cp1251": "cp1251",
    "x-cp1252": "cp1252",
    "dos-874": "cp874",
    "iso-8859-8-i": "iso8859-8",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-user-defined": "cp1252",
    "8bit": "",
    "binary": "",
}
# Names of codecs that are not encodings of documents.
_NOT_TEXT = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem", "palmos"}
# What is written under a label in practice, when the label itself does not decode.
_VARIANTS = {
    "euc_jp": ("euc_jis_2004",),
    "big5hkscs": ("cp950",),
    "iso2022_jp": ("iso2022_jp_2", "iso2022_jp_ext"),
}
_JIS = re.compile(rb"\x1b\$[@B]")
_FOREIGN = re.compile(rb"[\x80-\xff]")
_MULTIBYTE = {"cp932", "euc_jp", "gb18030", "big5hkscs", "big5", "cp949", "iso2022_jp", "iso2022_kr", "hz"}
_GUESSES = ["cp932", "euc_jp", "gb18030", "big5", "cp949"]
_GUESSES += ["cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874", FALLBACK]
_COHERENT = 0.1


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the encoding it was read in, and what was wrong with the label, if anything was."""

    text: str
    encoding: str
    note: str | None = None


def decode(data: bytes, *, charset: str | None = None, markup: bool = True) -> Decoded:
    """Text from `data`, whatever its encoding.

    Args:
        data: The bytes.
        charset: The label given beside them, as in `Content-Type`.
        markup: Whether a label inside the bytes counts: a `meta` element or an XML declaration.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return Decoded(clean_text(data[len(mark) :].decode(encoding, "replace")), encoding)
    if markup and (wide := _bare_utf16(data)):
        return Decoded(clean_text(data.decode(wide, "replace")), wide)
    if _JIS.search(data) and (text := _strict(data, "iso2022_jp")) is not None:
        # The escape means nothing in any other encoding, and mail programs label it as ASCII.
        return Decoded(clean_text(text), "iso2022_jp")
    found, failed, note = _by_label(data, charset, markup)
    if found is not None:
        return found
    try:
        return Decoded(clean_text(data.decode("utf-8")), "utf-8", note)
    except UnicodeDecodeError:
        pass
    return _damaged(data, failed, note) or _guessed(data, failed, note)


def _bare_utf16(data: bytes) -> str | None:
    """UTF-16 without a mark: the zeros of its ASCII characters stand at even places or at odd ones."""
    head = data[: META_BYTES - META_BYTES % 2]
    even, odd = head[::2].count(0), head[1::2].count(0)
    if not max(even, odd) or b"<" not in head:
        return None
    encoding, zeros, others = ("utf-16-be", even, odd) if even > odd else ("utf-16-le", odd, even)
    text = head.decode(encoding, "replace")
    fits = others * 20 <= zeros and zeros * 10 >= len(text) and "\ufffd" not in text[:-1]
    return encoding if fits and re.search("</?[a-zA-Z!]", text) else None


def _by_label(data: bytes, charset: str | None, markup: bool) -> tuple[Decoded | None, list[str], str | None]:
    """The reading under the first label that decodes, the codecs that did not, and a note."""
    failed: list[str] = []
    note = None
    for label, inside in _labels(data, charset, markup):
        codec = _codec(label, inside)
        if codec is None:
            note = note or f"charset {label!r} is unknown"
            continue
        if (
            codec.startswith(("utf-16", "utf-32"))
            and b"\0" not in data
            and _strict(data, "utf-8") is not None
        ):
            note = note or f"not {label!r}"  # any bytes are some ideographs, and those of words are none
            continue
        if codec not in _MULTIBYTE and not codec.startswith("utf") and _is_utf8(data):
            # Text that happens to be UTF-8 without being it does not exist in practice.
            return Decoded(clean_text(data.decode("utf-8")), "utf-8", f"labelled {label!r}"), failed, note
        text = _strict(data, codec)
        if text is not None:
            return Decoded(clean_text(text), codec, note), failed, note
        failed.append(codec)
        note = note or f"not {label!r} throughout"
    return None, failed, note


def _labels(data: bytes, charset: str | None, markup: bool) -> Iterator[tuple[str, bool]]:
    if charset and (label := charset.partition(";")[0].strip(" \t\r\n\"'").lower()):
        yield label, False
    if not markup:
        return
    head = _bare(data[:META_BYTES])
    for found in (_META.search(head) or _late_meta(data), _XML.match(head)):
        if found:
            yield found[1].decode("ascii", "replace").lower(), True


def _bare(head: bytes) -> bytes:
    """`head` without comments, scripts and the like, which may show a label that is none."""
    return _RAW.sub(b"", _COMMENT.sub(b"", head))


def _late_meta(data: bytes) -> re.Match[bytes] | None:
    """A label further down in the head, as behind long scripts: browsers follow it too."""
    head = _bare(data[:HEAD_BYTES])
    end = _BODY.search(head)
    return _META.search(head, 0, end.start() if end else len(head))


def _codec(label: str, inside: bool) -> str | None:
    """Python's codec for a label; a label inside the bytes cannot be UTF-16, or it could not be read."""
    if not _LABEL.fullmatch(label):
        return None
    if label in _ALIASES:
        return _ALIASES[label] or None
    try:
        name = codecs.lookup(label).name
        b"a".decode(name, "replace")
    except (LookupError, ValueError):
        return None
    if name in _NOT_TEXT or (inside and name == "utf-7"):
        return None
    if inside and name.startswith(("utf-16", "utf-32")):
        return "utf-8"
    return _WEB.get(name, name)


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _strict(data: bytes, codec: str) -> str | None:
    for name in (codec, *_VARIANTS.get(codec, ())):
        try:
            return data.decode(name)
        except (UnicodeError, ValueError):
            continue
    return _jis(data) if codec == "iso2022_jp" else None


def _jis(data: bytes) -> str | None:
    """ISO-2022-JP as mail programs write it: with the vendor rows (① ㈱) and half-width kana."""
    parts = re.split(rb"\x1b([$(][@A-Z])", data)
    text = [parts[0].decode("ascii", "replace")]
    try:
        for escape, run in zip(parts[1::2], parts[2::2], strict=True):
            if escape in (b"$@", b"$B"):
                text.append(_double_byte(run))
            elif escape == b"(I":
                text.append(bytes(byte | 0x80 for byte in run).decode("cp932"))
            else:
                text.append(run.decode("ascii"))
    except UnicodeDecodeError:
        return None
    return "".join(text)


def _double_byte(run: bytes) -> str:
    """JIS X 0208 pairs through their Shift_JIS form, where cp932 knows the vendor rows."""
    shifted = bytearray()
    pairs = run.rstrip(b"\r\n")
    for row, cell in zip(pairs[::2], pairs[1::2], strict=False):
        lead = ((row - 0x21) >> 1) + (0x81 if row < 0x5F else 0xC1)
        trail = cell + (0x7E if row % 2 == 0 else 0x1F + (cell >= 0x60))
        shifted += bytes((lead & 0xFF, trail & 0xFF))
    return shifted.decode("cp932") + run[len(pairs) :].decode("ascii")


def _damaged(data: bytes, failed: list[str], note: str | None) -> Decoded | None:
    """Text under its label, or UTF-8, with few bytes wrong: those are replaced, the rest stands.

    Hardly anything that is not UTF-8 looks like it, so there more may be wrong, as where an old template is
    put around a page.
    """
    foreign = len(data.translate(None, _ASCII))
    for codec in [*failed, "utf-8"]:
        text = data.decode(codec, "replace")
        wrong = text.count("\ufffd")
        right = len(text) - wrong - (len(data) - foreign)
        if wrong * 20 <= foreign or (codec == "utf-8" and wrong * 2 <= right):
            return Decoded(clean_text(text), codec, note or f"{wrong} places are not valid {codec}")
    return None


def _guessed(data: bytes, failed: list[str], note: str | None) -> Decoded:
    codec = _guess(data) or (failed[0] if failed else FALLBACK)
    text = data.decode(codec, "replace")
    return Decoded(clean_text(text), codec, note or "no charset given; the encoding is a guess")


def _sample(data: bytes) -> bytes:
    """A bounded part that holds foreign bytes and does not end inside a character."""
    first = _FOREIGN.search(data)
    start = max(0, data.rfind(b"<", 0, first.start())) if first else 0
    sample = data[start : start + GUESS_BYTES]
    if start + GUESS_BYTES >= len(data):
        return sample
    return sample[: max(sample.rfind(b"<"), sample.rfind(b"\n")) + 1] or sample


def _guess(data: bytes) -> str | None:
    """The legacy encoding of unlabelled bytes that are not UTF-8, if one stands out."""
    from charset_normalizer import from_bytes

    best = from_bytes(_sample(data), cp_isolation=_GUESSES, enable_fallback=False).best()
    if best is None:
        return None
    # One byte a character fits anything: believe it only where the letters make words of a language.
    if best.encoding not in _MULTIBYTE and best.coherence < _COHERENT:
        return None
    return "big5hkscs" if best.encoding == "big5" else str(best.encoding)
