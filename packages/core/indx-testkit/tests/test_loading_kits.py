"""The rules of loaders and sniffers bite."""

from contextlib import contextmanager
from pathlib import Path

import pytest

from indx_core.errors import InputTooLarge, SourceError
from indx_core.ports import (
    Loaded,
    LoaderDeclaration,
    Sniffed,
    SnifferDeclaration,
    SourceContent,
    Unavailability,
)
from indx_testkit import LoaderKit, Refusal, SnifferKit, SniffSample

SECRET = "resolved-target"


class PathLoader:
    port_version = 1
    declaration = LoaderDeclaration("path", ("path",))

    def availability(self):
        return None

    def load(self, uri, *, limit, deadline):
        try:
            path = self.path_of(uri)
            with path.open("rb") as file:
                data = file.read(limit + 1)
        except (OSError, ValueError):
            raise SourceError(self.missing(uri)) from None
        if len(data) > limit:
            raise InputTooLarge(f"{uri!r} has more than {limit} bytes")
        return Loaded(SourceContent.of_bytes(data, filename=path.name))

    def path_of(self, uri):
        path = Path(uri.removeprefix("path:"))
        if path.is_symlink():
            raise SourceError(f"{uri!r} is a link", code="source_forbidden")
        return path

    def missing(self, uri):
        return f"{uri!r} cannot be read"


class PathLoaderKit(LoaderKit):
    factory = staticmethod(PathLoader)
    module = "indx_core.ports"

    @contextmanager
    def serve(self, data, tmp_path):
        path = tmp_path / "served.bin"
        path.write_bytes(data)
        yield f"path:{path}"

    def missing(self, tmp_path):
        return f"path:{tmp_path / 'none'}"

    def refusals(self, tmp_path):
        link = tmp_path / "link"
        link.symlink_to(tmp_path / SECRET)
        return [Refusal(f"path:{link}", "source_forbidden", [SECRET])]


class TestPathLoader(PathLoaderKit):
    pass


def loader_kit(**changes):
    provider = type("Changed", (PathLoader,), changes)
    return type("Kit", (PathLoaderKit,), {"factory": staticmethod(provider)})


def loads(change):
    def load(self, uri, *, limit, deadline):
        return change(self, PathLoader.load(self, uri, limit=limit, deadline=deadline).content)

    return load


def reads_all(self, uri, *, limit, deadline):
    data = Path(uri.removeprefix("path:")).read_bytes()
    if len(data) > limit:
        raise InputTooLarge("too large")
    return Loaded(SourceContent.of_bytes(data))


def ignores_limit(self, uri, *, limit, deadline):
    return PathLoader.load(self, uri, limit=limit + 1, deadline=deadline)


def follows(self, uri):
    path = Path(uri.removeprefix("path:"))
    if path.is_symlink():
        raise SourceError(f"{path.readlink()} is outside", code="source_forbidden")
    return path


def unreadable(self, uri):
    path = Path(uri.removeprefix("path:"))
    if path.is_symlink():
        raise SourceError("cannot be read")
    return path


def raw(self, uri, *, limit, deadline):
    if not Path(uri.removeprefix("path:")).is_file():
        raise FileNotFoundError(uri)
    return PathLoader.load(self, uri, limit=limit, deadline=deadline)


BRINGS = "test_it_brings_the_bytes_with_their_size_and_digest"


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"declaration": LoaderDeclaration("path", ("Path",))}, "test_its_schemes_are_plain", "Path"),
        ({"declaration": LoaderDeclaration("path", ("path:",))}, "test_its_schemes_are_plain", "path:"),
        ({"declaration": LoaderDeclaration("path", ())}, "test_its_schemes_are_plain", "no scheme"),
        ({"load": loads(lambda self, c: c)}, BRINGS, "load() gave"),
        (
            {"load": loads(lambda self, c: Loaded(SourceContent(c.data, None, c.size + 1, c.digest)))},
            BRINGS,
            "size 1, read 0",
        ),
        (
            {"load": loads(lambda self, c: Loaded(SourceContent(c.data, None, c.size, "sha256:0")))},
            BRINGS,
            "sha256:0",
        ),
        (
            {"load": loads(lambda self, c: Loaded(SourceContent(c.data, Path(), c.size, c.digest)))},
            BRINGS,
            "exactly one",
        ),
        (
            {"load": loads(lambda self, c: Loaded(SourceContent.of_bytes(c.data, filename="a/b")))},
            BRINGS,
            "is a path",
        ),
        (
            {"load": loads(lambda self, c: Loaded(SourceContent.of_bytes(c.data + b"\n")))},
            BRINGS,
            "assert b'\\n' == b''",
        ),
        ({"load": ignores_limit}, "test_it_refuses_one_byte_more_than_the_limit", "DID NOT RAISE"),
        ({"load": reads_all}, "test_it_stops_reading_at_the_limit", "held"),
        ({"load": raw}, "test_it_says_that_nothing_is_there", "FileNotFoundError"),
        ({"missing": lambda self, uri: ""}, "test_it_says_that_nothing_is_there", ""),
        ({"path_of": follows}, "test_it_refuses_without_revealing", SECRET),
        ({"path_of": unreadable}, "test_it_refuses_without_revealing", "not source_forbidden"),
        ({"load": raw}, "test_it_answers_malformed_uris_by_a_typed_error", "FileNotFoundError"),
        (
            {"availability": lambda self: Unavailability("", "")},
            "test_its_availability_says_reason_and_fix",
            "without a reason",
        ),
    ],
)
def test_a_bad_loader_is_refused(changes, rule, reason, refuted):
    refuted(loader_kit(**changes), rule, reason)


def test_the_limit_itself_must_be_brought(refuted):
    def strict(self, uri, *, limit, deadline):
        return PathLoader.load(self, uri, limit=limit - 1, deadline=deadline)

    refuted(loader_kit(load=strict), "test_it_brings_exactly_the_limit", "InputTooLarge")


@pytest.mark.parametrize("rule", [BRINGS, "test_it_says_that_nothing_is_there"])
def test_a_kit_without_uris_says_what_to_override(rule, refuted):
    plain = type("Kit", (LoaderKit,), {"factory": staticmethod(PathLoader)})
    refuted(plain, rule, "override")


class MagicSniffer:
    port_version = 1
    declaration = SnifferDeclaration("magic", ("image/x-magic", "text/x-note"))

    def sniff(self, head, *, filename, declared):
        if head[:5] == b"MAGIC":
            return Sniffed("image/x-magic", "strong")
        if filename and filename.endswith(".note") and head[:1].isalpha():
            return Sniffed("text/x-note", "weak")
        return None


class MagicSnifferKit(SnifferKit):
    factory = staticmethod(MagicSniffer)
    module = "indx_core.ports"
    samples = (
        SniffSample(b"MAGIC picture", "image/x-magic", strength="strong"),
        SniffSample(b"some note", "text/x-note", "a.note", strength="weak"),
        SniffSample(b"some note", None, "a.txt"),
    )


class TestMagicSniffer(MagicSnifferKit):
    pass


def sniffer_kit(sniff, **attributes):
    provider = type("Changed", (MagicSniffer,), {"sniff": sniff})
    return type("Kit", (MagicSnifferKit,), {"factory": staticmethod(provider), **attributes})


def good(self, head, **hints):
    return MagicSniffer.sniff(self, head, **hints)


def blind(self, head, *, filename, declared):
    return None


def decodes(self, head, *, filename, declared):
    bytes(head[:100]).decode()
    return MagicSniffer.sniff(self, head, filename=filename, declared=declared)


def encodes_name(self, head, *, filename, declared):
    (filename or "").encode()
    return MagicSniffer.sniff(self, head, filename=filename, declared=declared)


def undeclared(self, head, *, filename, declared):
    return Sniffed("text/plain", "weak")


def by_type(self, head, *, filename, declared):
    found = MagicSniffer.sniff(self, head, filename=filename, declared=declared)
    return found if isinstance(head, bytes) else None


def by_name(self, head, *, filename, declared):
    if filename and filename.endswith(".note"):
        return Sniffed("text/x-note", "strong")
    return MagicSniffer.sniff(self, head, filename=filename, declared=declared)


def sure(self, head, *, filename, declared):
    return Sniffed("image/x-magic", "certain")


def copies(self, head, *, filename, declared):
    return MagicSniffer.sniff(self, head[:], filename=filename, declared=declared)


SAMPLES = "test_it_knows_its_samples"
NEVER = "test_it_never_raises_and_answers_what_it_declares"


@pytest.mark.parametrize(
    ("sniff", "rule", "reason"),
    [
        (blind, SAMPLES, "told to be None"),
        (by_name, SAMPLES, "strong, not weak"),
        (decodes, NEVER, "UnicodeDecodeError"),
        (encodes_name, NEVER, "UnicodeEncodeError"),
        (undeclared, NEVER, "not declared"),
        (sure, NEVER, "strength 'certain'"),
        (lambda self, head, **hints: "image/x-magic", NEVER, "sniff() gave"),
        (by_type, "test_it_answers_alike_for_bytes_and_mapped_files", ""),
        (by_name, "test_a_name_alone_is_no_strong_evidence", "a.note"),
        (copies, "test_it_looks_at_a_bounded_part", "held"),
    ],
)
def test_a_bad_sniffer_is_refused(sniff, rule, reason, refuted):
    refuted(sniffer_kit(sniff), rule, reason)


def test_a_sniffer_kit_needs_samples(refuted):
    refuted(sniffer_kit(good, samples=()), SAMPLES, "declare samples")
