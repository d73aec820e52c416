"""Providers a test can hold: a page is a line, and a line names what reading it does."""

import os
from pathlib import Path

from indx_core.ports import (
    CapabilityDeclaration,
    Observation,
    ObserverDeclaration,
    PageEvidence,
    PageReading,
    line_columns,
)

HERE, APART = "text/x-slow", "text/x-slow-apart"


class Session:
    def __init__(self, source):
        self.media_type, self.source = source.media_type, source
        self.lines = source.read().decode().split("\n")
        self.page_count = len(self.lines)

    def observe(self):
        pages = [PageEvidence(number, len(line)) for number, line in enumerate(self.lines, 1)]
        return Observation(self.media_type, tuple(pages))

    def render(self, page, *, dpi, max_pixels, pixels=True):
        return None

    def members(self):
        return iter(())

    def close(self):
        pass


class Observer:
    port_version = 1

    def __init__(self, id_, media_type, hostile):
        self.declaration = ObserverDeclaration(id_, (media_type,), hostile=hostile)

    def open(self, source):
        if b"bug" in source.read():
            raise BUG[0]("a secret of /etc/passwd")
        return Session(source)


BUG = [ValueError]


class Reader:
    port_version = 1

    def __init__(self, id_, media_type, hostile):
        self.declaration = CapabilityDeclaration(id_, "native", (media_type,), hostile=hostile)

    def availability(self):
        return None

    def read(self, session, pages, *, deadline):
        for page in pages:
            line = session.lines[page - 1]
            what, _, more = line.partition(" ")
            if what == "hold":  # until whoever opened the pipe closes it
                Path(more).read_bytes()
            elif what == "note":
                with Path(more).open("a") as file:
                    file.write("read\n")
            elif what == "die":
                os._exit(3)
            elif what == "call":
                CALLS[more]()
            starts, ends = line_columns(line)
            yield PageReading(page, line, starts, ends)


CALLS = {}


def observer():
    return Observer("slow", HERE, hostile=False)


def observer_apart():
    return Observer("slow-apart", APART, hostile=True)


def reader():
    return Reader("slow-reader", HERE, hostile=False)


def reader_apart():
    return Reader("slow-reader-apart", APART, hostile=True)
