"""Sources: schemes, limits, digests and media types, refused in that order."""

import base64
import gzip
import logging
import tarfile
from dataclasses import replace

import pytest

from indx_core.contracts import InlineSource, UriSource
from indx_core.discovery import Candidate, Registry
from indx_core.errors import InputTooLarge, SourceError, UnsupportedMediaType
from indx_core.ports import (
    Loaded,
    LoaderDeclaration,
    Sniffed,
    SnifferDeclaration,
    SourceContent,
    Unavailability,
)
from indx_source import enabled_schemes, guess_media_type, resolve


class Loader:
    port_version = 1

    def __init__(self, scheme="mem", data=b"hello", media_type="", filename=None, lack=None, charset=None):
        self.declaration = LoaderDeclaration(scheme, (scheme,))
        self.data, self.media_type, self.filename, self.lack = data, media_type, filename, lack
        self.charset = charset

    def availability(self):
        return self.lack

    def load(self, uri, *, limit, deadline):
        content = SourceContent.of_bytes(self.data, media_type=self.media_type, filename=self.filename)
        return Loaded(replace(content, charset=self.charset))


class Sniffer:
    port_version = 1

    def __init__(self, id_, media_type, strength, when=b""):
        self.declaration = SnifferDeclaration(id_, (media_type,))
        self.answer, self.when = Sniffed(media_type, strength), when

    def sniff(self, head, *, filename, declared):
        return self.answer if bytes(head[:]).startswith(self.when) else None


def registry(*items):
    def group(item):
        return "indx.loaders" if isinstance(item, Loader) else "indx.sniffers"

    return Registry(
        [
            Candidate(group(item), f"n{n}", "x:x", f"dist-{n}", "1", lambda item=item: lambda: item)
            for n, item in enumerate(items)
        ]
    )


def inline(data=b"hello", **more):
    return InlineSource(data=base64.b64encode(data).decode(), **more)


def test_inline_bytes_work_without_any_loader_and_whatever_the_schemes_say(monkeypatch):
    monkeypatch.setenv("INDX_URI_SCHEMES", "none")
    resolved = resolve(inline(filename="a.txt"), registry())
    assert resolved.content.read() == b"hello"
    assert resolved.content.media_type == "text/plain"
    assert (resolved.uri, resolved.loader, resolved.sniffer) == (None, None, None)


def test_a_stock_installation_resolves_no_scheme():
    assert enabled_schemes(registry()) == ()
    for uri, remedy in (
        ("file:///x", 'install a loader for it: pip install "indx[standard]"'),
        ("S3://bucket/x", 'install a loader for it: pip install "indx[s3]"'),
        ("gopher://x", "install a loader for it"),
    ):
        with pytest.raises(UnsupportedMediaType) as caught:
            resolve(UriSource(uri=uri), registry())
        assert caught.value.code == "unsupported_source"
        assert caught.value.message.endswith(remedy)


@pytest.mark.parametrize(("setting", "schemes"), [(None, ("a", "b")), ("B", ("b",)), ("none", ()), ("c", ())])
def test_the_schemes_setting_narrows_what_is_installed(monkeypatch, setting, schemes):
    if setting is not None:
        monkeypatch.setenv("INDX_URI_SCHEMES", setting)
    assert enabled_schemes(registry(Loader("b"), Loader("a"))) == schemes


def test_a_scheme_that_is_installed_and_not_enabled_names_the_setting(monkeypatch):
    monkeypatch.setenv("INDX_URI_SCHEMES", "other")
    with pytest.raises(UnsupportedMediaType, match="INDX_URI_SCHEMES"):
        resolve(UriSource(uri="MEM:x"), registry(Loader()))


@pytest.mark.parametrize("uri", ["no-scheme", "/a/path", "://x"])
def test_a_uri_without_a_scheme_is_refused(uri):
    with pytest.raises(UnsupportedMediaType, match="no scheme"):
        resolve(UriSource(uri=uri), registry(Loader()))


def test_a_loader_that_lacks_its_extra_keeps_its_scheme():
    assert enabled_schemes(registry(Loader(lack=Unavailability("no boto3", "install it")))) == ("mem",)


def test_decoded_bytes_are_what_the_limit_counts(monkeypatch):
    monkeypatch.setenv("INDX_MAX_INPUT_BYTES", "5")
    assert resolve(inline(b"12345"), registry()).content.size == 5
    with pytest.raises(InputTooLarge, match="INDX_MAX_INPUT_BYTES raises that"):
        resolve(inline(b"123456"), registry())
    with pytest.raises(InputTooLarge, match="INDX_MAX_INPUT_BYTES raises that"):
        resolve(UriSource(uri="mem:x"), registry(Loader(data=b"123456")))


@pytest.mark.parametrize(
    ("declared", "charset"),
    [
        ("text/plain; charset=Shift_JIS", "shift_jis"),
        ('text/csv;header=present; Charset="EUC-JP"', "euc-jp"),
        ("; charset=latin-1", "latin-1"),
        ("text/plain; x-charset=utf-8", None),
        ("text/plain; charset=", None),
        ("text/plain", None),
        (None, None),
    ],
)
def test_a_declared_charset_goes_with_the_bytes(declared, charset):
    assert resolve(inline(media_type=declared), registry()).content.charset == charset
    fetched = resolve(UriSource(uri="mem:x"), registry(Loader(media_type=declared or "")))
    assert fetched.content.charset == charset


def test_a_charset_that_a_loader_names_itself_goes_with_the_bytes():
    fetched = resolve(UriSource(uri="mem:x"), registry(Loader(media_type="text/plain", charset="cp932")))
    assert (fetched.content.media_type, fetched.content.charset) == ("text/plain", "cp932")


def test_bytes_that_are_not_the_expected_ones_are_unreadable():
    right = resolve(inline(), registry()).content.digest
    assert resolve(UriSource(uri="mem:x", sha256=right), registry(Loader())).content.digest == right
    with pytest.raises(SourceError) as caught:
        resolve(UriSource(uri="mem:x", sha256="0" * 64), registry(Loader()))
    assert caught.value.code == "source_unreadable"
    assert caught.value.message.endswith(f"but {right}: name another document, or that")


STRONG, WEAK = Sniffer("s", "application/x-strong", "strong"), Sniffer("w", "text/x-weak", "weak")


@pytest.mark.parametrize(
    ("sniffers", "declared", "filename", "media_type", "named"),
    [
        ((STRONG,), "text/plain", None, "application/x-strong", True),
        ((WEAK,), "text/plain", None, "text/plain", False),
        ((WEAK,), None, "a.pdf", "text/x-weak", True),
        ((WEAK,), "application/octet-stream", None, "text/x-weak", True),
        ((STRONG,), "Application/X-Strong; charset=x", None, "application/x-strong", False),
        ((WEAK, STRONG), None, None, "application/x-strong", True),
        ((Sniffer("a", "text/plain", "weak"), WEAK), None, None, "text/x-weak", True),
        ((), None, "a.md", "text/markdown", False),
        ((), None, None, "application/octet-stream", False),
    ],
)
def test_bytes_beat_declarations_beat_guesses(sniffers, declared, filename, media_type, named):
    resolved = resolve(inline(media_type=declared, filename=filename), registry(*sniffers))
    assert resolved.content.media_type == media_type
    assert (resolved.sniffer is not None) is named


TAR = tarfile.TarInfo("a.md").tobuf(tarfile.USTAR_FORMAT)


@pytest.mark.parametrize(
    ("data", "declared", "filename", "media_type"),
    [
        (b"PK\3\4", None, None, "application/zip"),
        (TAR, "application/octet-stream", "a.bin", "application/x-tar"),
        (gzip.compress(TAR, mtime=0), None, None, "application/x-tar"),
        (gzip.compress(b"words", mtime=0), None, None, "application/octet-stream"),
        (TAR, "image/png", None, "image/png"),
        (b"PK\3\4", None, "a.docx", guess_media_type("a.docx")),
    ],
)
def test_an_archive_that_nothing_else_names_is_known_by_its_bytes(data, declared, filename, media_type):
    source = InlineSource(data=data, media_type=declared, filename=filename)
    assert resolve(source, registry()).content.media_type == media_type


def test_a_fetched_source_takes_its_name_from_the_loader_or_the_last_segment():
    def name(loader, uri):
        return resolve(UriSource(uri=uri), registry(loader)).content.filename

    assert name(Loader(), "mem://host/dir/a%20b.txt?q=1") == "a b.txt"
    assert name(Loader(filename="c.txt"), "mem://host/a.txt") == "c.txt"
    assert name(Loader("data"), "data:,hello") is None


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("mem://h/a%2F..%2Fetc%2Fpasswd", "passwd"),
        ("mem://h/a%5C..%5Cb.txt", "b.txt"),
        ("mem://h/%00%ff.txt", "\ufffd\ufffd.txt"),
        ("mem://h/" + "x" * 9000 + ".pdf", "x" * 251 + ".pdf"),
        ("mem://h/..", None),
        ("mem://h/", None),
        ("mem://[bad", None),
    ],
)
def test_a_name_taken_from_a_uri_has_no_folder_and_is_fit_for_utf8(uri, name):
    assert resolve(UriSource(uri=uri), registry(Loader())).content.filename == name


def test_a_name_a_loader_brings_is_made_fit_too():
    loader = Loader(filename="..\\evil/na\x00me.txt")
    assert resolve(UriSource(uri="mem:x"), registry(loader)).content.filename == "na\ufffdme.txt"


class Failing(Loader):
    def load(self, uri, *, limit, deadline):
        raise ConnectionError("10.1.2.3 refused the connection")


def test_a_loader_that_fails_is_an_unreadable_source_and_only_the_log_knows_what_it_met(caplog):
    with caplog.at_level(logging.WARNING, "indx.source"), pytest.raises(SourceError) as caught:
        resolve(UriSource(uri="mem:x"), registry(Failing()))
    assert caught.value.code == "source_unreadable"
    assert "10.1.2.3" not in caught.value.message
    assert "10.1.2.3" in caplog.text


def test_a_file_that_a_loader_brought_and_lost_is_unreadable(tmp_path):
    class Losing(Loader):
        def load(self, uri, *, limit, deadline):
            file = tmp_path / "x.txt"
            file.write_text("x")
            content = SourceContent.of_file(file)
            file.unlink()
            return Loaded(content)

    with pytest.raises(SourceError, match="cannot be read"):
        resolve(UriSource(uri="mem:x"), registry(Losing()))


class Panic(BaseException):
    """What an engine in another language raises: no exception of a usual class."""


def odd(answer):
    class Odd(Sniffer):
        def sniff(self, head, *, filename, declared):
            if isinstance(answer, BaseException):
                raise answer
            return answer

    return Odd("odd", "text/x-odd", "strong")


@pytest.mark.parametrize("answer", [Sniffed("", "strong"), None])
def test_a_sniffer_without_an_answer_has_not_failed(answer):
    resolved = resolve(inline(filename="a.md"), registry(odd(answer)))
    assert (resolved.content.media_type, resolved.sniffer, resolved.unheard) == ("text/markdown", None, {})


@pytest.mark.parametrize("bring", [inline(filename="a.md"), UriSource(uri="mem:a.md")])
@pytest.mark.parametrize(
    "answer", [ValueError("boom"), SystemError(), "text/plain", SystemExit(3), Panic(), Sniffed(5, "strong")]
)
def test_a_sniffer_that_fails_or_lies_has_no_answer_and_that_is_told(bring, answer):
    resolved = resolve(bring, registry(odd(answer), Loader(), Sniffer("other", "text/x-other", "weak", b"x")))
    assert (resolved.content.media_type, resolved.sniffer) == ("text/markdown", None)
    assert list(resolved.unheard) == ["odd"]
    assert type(answer).__name__ in resolved.unheard["odd"] or not isinstance(answer, BaseException)


def test_an_interrupt_during_sniffing_ends_the_work():
    with pytest.raises(KeyboardInterrupt):
        resolve(inline(filename="a.md"), registry(odd(KeyboardInterrupt())))


def test_what_a_sniffer_answers_is_written_as_media_types_are():
    loose = Sniffer("s", "text/html", "strong")
    loose.answer = Sniffed("Text/HTML; charset=x", "strong")
    resolved = resolve(inline(), registry(loose))
    assert resolved.content.media_type == "text/html"


def test_a_refused_scheme_is_named_in_a_short_message():
    with pytest.raises(UnsupportedMediaType) as caught:
        resolve(UriSource(uri="x" * 100_000 + ":y"), registry(Loader()))
    assert len(caught.value.message) < 500


def test_the_same_name_means_the_same_type_on_every_machine():
    assert guess_media_type("A.DOCX") == guess_media_type("b.docx")
    assert guess_media_type(None) == guess_media_type("noextension") == ""
