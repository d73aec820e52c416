"""Providers that tests steer by what stands in the document: one line a page, words that say what to do."""

import ctypes
import errno
import os
import pickle
import signal
import struct
import sys
import threading
from pathlib import Path

from indx_core.errors import SourceError, TimedOut
from indx_core.ports import (
    CapabilityDeclaration,
    ChunkDraft,
    ChunkerDeclaration,
    Member,
    Observation,
    ObserverDeclaration,
    PageEvidence,
    PageReading,
    Raster,
    Sniffed,
    SnifferDeclaration,
    line_columns,
)

TYPE = "text/x-fake"

wait = threading.Event().wait


def pipe():
    """The descriptor on which a worker speaks to the pool."""
    for number in range(3, 64):
        path = Path(f"/proc/self/fd/{number}")
        if path.exists() and str(path.readlink()).startswith("pipe:"):
            return number
    raise AssertionError("this process speaks to nobody")


def say(data, size=None):
    os.write(pipe(), struct.pack("<QQ", len(data) if size is None else size, 0) + data)
    wait(60)


def say_done():
    """Give word that the first document is done, as a worker gives it."""
    from indx_runtime.messages import pack

    os.write(pipe(), pack(1, "done"))
    wait(60)


def hang():
    while True:
        pass


def swell():
    hoard = []
    while True:
        hoard.append(b"x" * (1 << 24))


def fork_and_hang():
    held = os.open(os.environ.get("HELD_OPEN", os.devnull), os.O_WRONLY)  # until both have ended
    if os.fork() == 0:
        os.write(held, b".")
        wait(60)
        os._exit(0)


def fork_and_die():
    if os.fork() == 0:
        wait(60)  # holds the pipe open
    os._exit(7)


def close_the_pipe():
    os.close(pipe())
    wait(60)


def make_noise():
    for number in (1, 2):
        for _ in range(300):
            os.write(number, b"noise" * 2000)


def spoil():
    os.umask(0o777)
    os.chdir("/proc")
    os.environ["INDX_MAX_PAGES"] = "1"
    os.environ["OF_A_LIBRARY"] = "1"
    os.environ.pop("INDX_CACHE_DIR")


def lose_the_folder():
    for number in range(3, 64):
        if Path(f"/proc/self/fd/{number}").is_dir():
            os.close(number)
    os.chdir("/proc")


def surroundings():
    """What a document finds, as text."""
    mask = os.umask(0)
    os.umask(mask)
    settings = sorted(item for item in os.environ.items() if item[0].startswith("INDX_"))
    return f"{mask:o} {Path.cwd()} {settings} {os.environ.get('OF_A_LIBRARY')}"


def fill():
    raise OSError(errno.ENOSPC, "No space left on device")


def be_late():
    raise TimedOut("past the time it has")


class Evil:
    def __reduce__(self):
        return os.system, (f"touch {os.environ['EVIL_FILE']}",)


POISONS = {
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "hang": hang,
    "hang-with-the-gil": lambda: ctypes.PyDLL(None).pause(),
    "swell": swell,
    "ask-for-everything": lambda: bytearray(1 << 40),
    "leave": lambda: sys.exit(5),
    "be-two": os.fork,
    "fork-and-hang": fork_and_hang,
    "fork-and-die": fork_and_die,
    "close-the-pipe": close_the_pipe,
    "half-a-message": lambda: say(b"half", size=1000),
    "endless-message": lambda: say(bytes(1000), size=1 << 60),
    "done": say_done,
    "rubbish": lambda: say(b"rubbish"),
    "evil": lambda: say(pickle.dumps((1, "frame", Evil()))),
    "noise": make_noise,
    "spoil": spoil,
    "lose-the-folder": lose_the_folder,
    "fill": fill,
    "be-late": be_late,
    "no-stderr": lambda: setattr(sys, "stderr", None),
}


class OwnError(SourceError):
    """An error of the tree, told apart by whoever raises it."""


class OddError(Exception):
    """Cannot be pickled and read again."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")


class Session:
    def __init__(self, source):
        self.source, self.media_type = source, source.media_type
        self.lines = source.read().decode().split("\n")
        self.page_count = len(self.lines)
        self.closed = 0

    def observe(self):
        pages = [
            PageEvidence(number, 0, images=1) if "scan" in line else PageEvidence(number, len(line))
            for number, line in enumerate(self.lines, 1)
        ]
        return Observation(self.media_type, tuple(pages))

    def render(self, page, *, dpi, max_pixels, pixels=True):
        if "kill-renderer" in self.lines[page - 1]:
            os._exit(6)
        return Raster(1, 1, bytes(3), dpi)

    def members(self):
        for line in self.lines:
            if line.startswith("member"):
                if "die" in line:
                    os._exit(9)
                if "too much" in line:
                    raise MemoryError
                if "fill" in line:
                    fill()
                yield Member(line, None, line.encode())

    def close(self):
        self.closed += 1


class SharedSession(Session):
    """A document whose pages are looked at one by one, here or by those who help; it tells who did."""

    def __init__(self, source):
        super().__init__(source)
        self.looked = {}

    def observe(self):
        for page in range(1, self.page_count + 1):
            self.look(page)
        return super().observe()

    def look(self, page):
        if page not in self.looked:
            self.looked[page] = self._look_at(page, LOOKS)

    def found(self, page):
        return {"line": self._look_at(page, HELPS)}

    def take_over(self, page, found):
        if type(found["line"]) is not str:
            raise ValueError("no line of this document")
        self.looked[page] = found["line"]

    def pass_over(self, page):
        self.looked[page] = "passed over"

    def _look_at(self, page, does):
        line = self.lines[page - 1]
        for word in line.split():
            line = does.get(word, POISONS.get(word, int))() or line
        return line


def be_there(name):
    """Say that something has come so far."""
    (Path(os.environ["MEETING_POINT"]) / name).touch()


def until_there(name):
    """Wait until something has come so far, ten seconds at the most."""
    for _ in range(1000):
        if (Path(os.environ["MEETING_POINT"]) / name).exists():
            return
        wait(0.01)


def look_with_help(word):
    """What a worker that helps does at a word, once it has said that it is there."""

    def do():
        be_there("help")
        return POISONS[word]()

    return do


def end_once():
    """End this process, the first time."""
    ended = Path(os.environ["MEETING_POINT"]) / "ended"
    if not ended.exists():
        ended.touch()
        os._exit(7)


LOOKS = {
    "end-once": end_once,
    "surroundings": surroundings,
    "who": lambda: f"looked at by {os.getpid()}",
    "await-help": lambda: until_there("help"),
    "await-word": lambda: be_there("here") or until_there("word"),
    **dict.fromkeys(["helped", "pause", "resumed", "help-raises", "help-garbles", "help-is-odd"], int),
    **{f"help-{word}": int for word in POISONS},
}
HELPS = {
    "who": lambda: f"looked at by {os.getpid()}",
    **dict.fromkeys(["await-help", "await-word"], int),
    "helped": lambda: be_there("help"),
    "pause": lambda: until_there("more"),
    "resumed": lambda: be_there("resumed"),
    "help-raises": lambda: be_there("help") or [][0],
    "help-garbles": lambda: be_there("help") or 7,
    "help-is-odd": lambda: be_there("help") or object(),
    **{f"help-{word}": look_with_help(word) for word in POISONS},
}


class Observer:
    port_version = 1
    declaration = ObserverDeclaration("fake", (TYPE,), hostile=True)

    def open(self, source):
        text = source.read()
        if b"unopenable" in text:
            raise SourceError("not a fake document")
        if b"own-error" in text:
            raise OwnError("a kind of refusal of its own")
        if b"odd-error" in text:
            raise OddError(1, 2)
        if b"die-on-open" in text:
            os._exit(3)
        if b"too-much-on-open" in text:
            raise MemoryError
        if b"fill-on-open" in text:
            fill()
        if b"fill-and-blame" in text:
            try:
                fill()
            except OSError:
                raise SourceError("the document is damaged") from None
        return SharedSession(source) if text.startswith(b"shared") else Session(source)


class Sniffer:
    port_version = 1
    declaration = SnifferDeclaration("fake", (TYPE,))

    def sniff(self, head, *, filename, declared):
        return Sniffed(TYPE, "strong") if bytes(head[:4]) == b"FAKE" else None


class Reader:
    port_version = 1

    def __init__(self, id_, kind="native", **how):
        self.declaration = CapabilityDeclaration(id_, kind, (TYPE,))
        self.how = how

    def availability(self):
        return None

    def read(self, session, pages, *, deadline):
        for page in pages:
            line = session.lines[page - 1]
            if isinstance(session, SharedSession):
                session.look(page)
                line = session.looked[page]
            if self.declaration.kind == "native":
                if "fail" in line:
                    raise ValueError("cannot read this line")
                if "scan" in line:
                    yield PageReading(page, reason="no_text_layer")
                    continue
                for word in line.split() if type(session) is Session else ():
                    POISONS.get(word, int)()
            elif "unreadable" in line:
                yield PageReading(page, reason="nothing_recognised")
                continue
            starts, ends = line_columns(line)
            yield PageReading(page, line, starts, ends, confidence=self.how.get("confidence"))


class Parser(Reader):
    """Knows documents that say so, or ends its process when asked."""

    def __init__(self):
        super().__init__("fake-parser", "parser")

    def recognise(self, observation, session):
        if any("kill-parser" in line for line in session.lines):
            os._exit(8)
        return []


class Chunker:
    port_version = 1

    def __init__(self, id_, version=1, default=True, rank=50, only=None, raises=None):
        self.declaration = ChunkerDeclaration(id_, version, default, (), "lines", rank)
        self.only, self.raises = only, raises

    def chunk(self, document, session, pages):
        if self.raises:
            raise self.raises
        readings = {page: document.pages[page] for page in pages}
        return {
            page: [ChunkDraft(reading.text, spans=[(0, len(reading.text))], box_reason="no_geometry")]
            for page, reading in readings.items()
            if reading.reason is None and (self.only is None or page in self.only)
        }


class DyingChunker(Chunker):
    def chunk(self, document, session, pages):
        if any("kill-chunker" in reading.text for reading in document.pages.values()):
            os._exit(4)
        return super().chunk(document, session, pages)


def observer():
    return Observer()


def sniffer():
    return Sniffer()


def reader():
    return Reader("fake-reader")


def ocr():
    return Reader("fake-ocr", "ocr", confidence=0.5)


def parser():
    return Parser()


def chunker():
    return Chunker("lines")


def dying():
    return DyingChunker("dying", rank=10, only=())
