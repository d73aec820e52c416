"""Fetching the release: once, whole, and never something else; a server of this test plays the publisher."""

from __future__ import annotations

import hashlib
import io
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from indx_core.deadline import Deadline
from indx_ner_vibrato import _release
from indx_ner_vibrato._errors import DictionaryFailure
from indx_ner_vibrato._release import Release, released
from indx_ner_vibrato.settings import CACHE

DICTIONARY = b"(\xb5/\xfd a dictionary" * 50


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def archive(**members: bytes) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:xz") as files:
        for name, data in members.items():
            entry = tarfile.TarInfo(f"ipadic/{name.replace('__', '.')}")
            entry.size = len(data)
            files.addfile(entry, io.BytesIO(data))
    return made.getvalue()


ARCHIVE = archive(README=b"Read me.", system__dic__zst=DICTIONARY)


class Publisher(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked += 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(self.server.data) + self.server.missing))
        self.end_headers()
        if self.server.enough is None:
            self.wfile.write(self.server.data)
            return
        for byte in self.server.data:
            self.wfile.write(bytes([byte]))
            if self.server.enough.wait(0.01):
                return

    def log_message(self, *args):
        """Nothing is printed."""


@pytest.fixture
def publisher():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Publisher)
    server.daemon_threads = True
    server.data, server.missing, server.asked, server.enough = ARCHIVE, 0, 0, None
    server.handle_error = lambda *_: None  # whoever asked has left
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    if server.enough is not None:
        server.enough.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def release(publisher):
    return Release("ipadic", f"http://127.0.0.1:{publisher.server_port}/a", sha(ARCHIVE), sha(DICTIONARY))


@pytest.fixture
def cached(tmp_path):
    return tmp_path / "cache" / "ipadic" / "system.dic.zst"


def test_it_is_fetched_once(release, publisher, cached):
    assert released(release) == DICTIONARY == released(release)
    assert publisher.asked == 1
    assert [path.name for path in cached.parent.iterdir()] == ["system.dic.zst"], "nothing is left behind"


@pytest.mark.parametrize("damage", [b"", DICTIONARY[:-1], DICTIONARY[:-1] + b"!"])
def test_a_file_that_was_altered_is_not_read_but_fetched_again(release, publisher, cached, damage):
    released(release)
    cached.write_bytes(damage)
    assert released(release) == DICTIONARY
    assert cached.read_bytes() == DICTIONARY
    assert publisher.asked == 2


def test_an_altered_file_is_never_read_without_a_network(release, publisher, cached):
    released(release)
    cached.write_bytes(b"tampered with")
    nowhere = Release(release.name, "http://127.0.0.1:9/a", release.archive, release.dictionary)
    with pytest.raises(DictionaryFailure, match="could not be fetched"):
        released(nowhere)


def test_another_archive_is_refused_and_nothing_is_kept(release, publisher, cached):
    publisher.data = archive(system__dic__zst=DICTIONARY, more=b"something else")
    with pytest.raises(DictionaryFailure, match="not the archive that was published"):
        released(release)
    assert not list(cached.parent.iterdir())


def test_an_archive_cut_short_is_refused(release, publisher):
    publisher.data, publisher.missing = ARCHIVE[:-100], 100
    with pytest.raises(DictionaryFailure):
        released(release)


@pytest.mark.parametrize("data", [b"no archive", archive(README=b"x"), archive(system__dic__zst=b"other")])
def test_an_archive_without_the_dictionary_is_refused(release, publisher, data):
    publisher.data = data
    with pytest.raises(DictionaryFailure, match="does not hold the dictionary"):
        released(Release(release.name, release.url, sha(data), release.dictionary))


def test_what_does_not_end_is_refused(release, monkeypatch):
    monkeypatch.setattr(_release, "MAX_BYTES", 100)
    with pytest.raises(DictionaryFailure, match="larger than 100 bytes"):
        released(release)


def test_a_cache_that_cannot_be_written_is_told(release, cached):
    cached.parent.parent.write_text("a file stands where the folder should be")
    with pytest.raises(DictionaryFailure):
        released(release)


def test_a_publisher_that_drips_is_left_at_the_time_and_nothing_is_kept(release, publisher, cached):
    publisher.enough = threading.Event()
    with pytest.raises(DictionaryFailure, match="INDX_NER_VIBRATO_DOWNLOAD_SECONDS"):
        released(release, Deadline(0.2))
    assert not list(cached.parent.iterdir())
    publisher.enough.set()
    publisher.enough = None
    assert released(release) == DICTIONARY


def test_a_cache_in_the_home_of_nobody_cannot_be_read(monkeypatch):
    monkeypatch.setenv(CACHE.name, "~nobody-of-this-name/cache")
    with pytest.raises(DictionaryFailure, match=CACHE.name):
        released(Release("ipadic", "http://127.0.0.1:9/ipadic.tar.xz", "0" * 64, "1" * 64))


def test_what_is_larger_than_any_release_is_not_read(monkeypatch, tmp_path):
    monkeypatch.setenv(CACHE.name, str(tmp_path))
    path = tmp_path / "ipadic" / "system.dic.zst"
    path.parent.mkdir()
    with path.open("wb") as file:
        file.truncate(_release.MAX_BYTES + 1)
    read = []
    monkeypatch.setattr(type(path), "read_bytes", lambda self: read.append(self) or b"")
    with pytest.raises(DictionaryFailure, match="could not be fetched"):
        released(Release("ipadic", "http://127.0.0.1:9/ipadic.tar.xz", "0" * 64, "1" * 64))
    assert not read
