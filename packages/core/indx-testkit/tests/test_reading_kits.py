"""The rules of observers, capabilities and parsers bite."""

import itertools
from dataclasses import replace

import pytest

from indx_core.errors import SourceError
from indx_core.ports import (
    CapabilityDeclaration,
    Member,
    Observation,
    ObserverDeclaration,
    PageEvidence,
    PageReading,
    Raster,
    Signature,
)
from indx_testkit import CapabilityKit, DocumentSample, ObserverKit, ParserKit
from indx_testkit.samples import picture, reading

TYPE = "text/x-sheets"
DATA = b"SHEETS\nfirst page\nof text\fsecond page\f@attached.txt=inside"
SAMPLE = DocumentSample(
    DATA,
    TYPE,
    "a.sheets",
    pages=2,
    expected={1: ["first page"], 2: ["second"]},
    renders=True,
    members=["attached.txt"],
)


def nowhere(self):
    """No other process asks these providers: test_other_processes.py has its own."""


class SheetSession:
    def __init__(self, source):
        self.source = source
        self.media_type = source.media_type
        self.parts = parts_of(source)
        self.pages = [part for part in self.parts if not part.startswith("@")]
        self.page_count = len(self.pages)

    def observe(self):
        evidence = [PageEvidence(n, len("".join(text.split()))) for n, text in enumerate(self.pages, 1)]
        return Observation(self.media_type, evidence, {"sheets": f"{len(evidence)} sheets"})

    def render(self, page, *, dpi, max_pixels, pixels=True):
        return sized(picture(8, 8, dpi=dpi), pixels) if max_pixels >= 64 else None

    def members(self):
        for part in self.parts:
            if part.startswith("@"):
                name, _, data = part[1:].partition("=")
                yield Member(name, None, data.encode())

    def close(self):
        self.parts = []


def sized(drawn, pixels):
    return drawn if pixels else replace(drawn, rgb=b"")


def parts_of(source):
    data = source.read()
    if not data.startswith(b"SHEETS\n"):
        raise SourceError("this is not a sheets document: its first line is not SHEETS")
    try:
        parts = data[7:].decode("ascii").replace("\0", "?").replace("\r", "?").split("\f")
    except UnicodeDecodeError:
        raise SourceError("this is not a sheets document: it is not ASCII") from None
    return [
        part if not part.startswith("@") or (part[1:2].isalpha() and ".." not in part) else ""
        for part in parts
    ]


class SheetObserver:
    port_version = 1
    declaration = ObserverDeclaration("sheets", (TYPE,), hostile=False)
    session = SheetSession

    def open(self, source):
        return self.session(source)


class SharedSheets(SheetSession):
    """Looks at each sheet by itself, and takes over what others found."""

    def __init__(self, source):
        super().__init__(source)
        self.looked, self.passed_over = {}, set()

    def look(self, page):
        self.looked.setdefault(page, self.pages[page - 1])

    def found(self, page):
        return {"text": self.pages[page - 1]}

    def take_over(self, page, found):
        self.looked[page] = found["text"]

    def observe(self):
        for page in range(1, self.page_count + 1):
            self.look(page)
        self.pages = [text for _, text in sorted(self.looked.items())]
        seen = super().observe()
        return replace(seen, pages=[replace(p, seen=p.page not in self.passed_over) for p in seen.pages])

    def pass_over(self, page):
        self.looked[page] = ""
        self.passed_over.add(page)


class SheetObserverKit(ObserverKit):
    factory = staticmethod(SheetObserver)
    module = "indx_core.ports"
    documents = (SAMPLE,)


class TestSheetObserver(SheetObserverKit):
    pass


class TestSharedSheets(SheetObserverKit):
    factory = staticmethod(type("Observer", (SheetObserver,), {"session": SharedSheets}))


@pytest.mark.parametrize(
    ("found", "reason"),
    [({"text": "otherwise"}, "observed otherwise"), ({"text": {1, 2}}, "does not travel"), (7j, "travel")],
)
def test_a_session_whose_findings_differ_or_do_not_travel_is_refused(found, reason, refuted):
    session = type("Session", (SharedSheets,), {"found": lambda self, page: found})
    observer = type("Observer", (SheetObserver,), {"session": session})
    kit = type("Kit", (SheetObserverKit,), {"factory": staticmethod(observer)})
    refuted(kit, "test_what_one_session_finds_another_takes_over", reason)


def nothing(self, page):
    """Looks at the page all the same."""


def all_of_them(self, page):
    self.looked = dict.fromkeys(range(1, self.page_count + 1), "")
    self.passed_over.update(self.looked)


def forgotten(self, page):
    self.look = lambda other: other == page or SharedSheets.look(self, other)


@pytest.mark.parametrize(
    ("pass_over", "reason"),
    [
        (None, "no pass_over"),
        (nothing, "observed as seen"),
        (all_of_them, "the others are otherwise"),
        (forgotten, "pages [1] of 2"),
    ],
)
def test_a_session_that_does_not_pass_over_a_page_is_refused(pass_over, reason, refuted, monkeypatch):
    if pass_over is None:
        monkeypatch.delattr(SharedSheets, "pass_over")
    else:
        monkeypatch.setattr(SharedSheets, "pass_over", pass_over)
    observer = type("Observer", (SheetObserver,), {"session": SharedSheets})
    kit = type("Kit", (SheetObserverKit,), {"factory": staticmethod(observer)})
    refuted(kit, "test_a_page_that_is_passed_over_is_there_and_was_not_seen", reason)


def observer_kit(*, documents=(SAMPLE,), **changes):
    session = type("Session", (SheetSession,), changes)
    observer = type("Observer", (SheetObserver,), {"session": session})
    return type("Kit", (SheetObserverKit,), {"factory": staticmethod(observer), "documents": documents})


def observing(change):
    return {"observe": lambda self: change(SheetSession.observe(self))}


def drawing(raster):
    def render(self, page, *, dpi, max_pixels, pixels=True):
        return sized(raster, pixels) if isinstance(raster, Raster) else raster

    return {"render": render}


def mismeasures(self, page, *, dpi, max_pixels, pixels=True):
    return picture(8, 8) if pixels else picture(8, 9)


def inside(*members):
    return {"members": lambda self: iter(members)}


def closes_once(self):
    del self.parts


def opens_anything(self, source):
    self.source, self.media_type, self.page_count = source, source.media_type, 2
    self.parts = source.read().decode().split("\f")
    self.pages = self.parts[:2]


def renders_badly(self, page, *, dpi, max_pixels, pixels=True):
    return Raster(8, 8, bytes(len(self.pages[page - 1])), dpi)


def copied_source(self, source):
    SheetSession.__init__(self, source)
    self.source = source.with_media_type(TYPE)


def typed_wrong(self, source):
    SheetSession.__init__(self, source)
    self.media_type = "text/plain"


counter = itertools.count()
OF, OBSERVES = "test_a_session_says_what_it_is_of", "test_it_observes_every_page"
DRAWS, MEMBERS = "test_it_renders_within_the_pixels_allowed", "test_members_have_relative_names"
DAMAGED = "test_damaged_documents_give_typed_errors"
EVIDENCE = [PageEvidence(1, 1), PageEvidence(2, 1)]


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"__init__": copied_source}, OF, "another source"),
        ({"__init__": typed_wrong}, OF, "text/plain"),
        ({"documents": (DocumentSample(DATA, TYPE, pages=3),)}, OF, "2 pages"),
        (observing(lambda seen: None), OBSERVES, "gave None"),
        (observing(lambda seen: Observation("a/b", seen.pages)), OBSERVES, "observed as"),
        (observing(lambda seen: Observation(TYPE, seen.pages[:1])), OBSERVES, "pages [1] of 2"),
        (observing(lambda seen: Observation(TYPE, seen.pages[::-1])), OBSERVES, "pages [2, 1]"),
        (observing(lambda seen: Observation(TYPE, [PageEvidence(1, -1), EVIDENCE[1]])), OBSERVES, ""),
        (observing(lambda seen: Observation(TYPE, [PageEvidence(1, 1, 1.5), EVIDENCE[1]])), OBSERVES, ""),
        (observing(lambda seen: Observation(TYPE, EVIDENCE, {"a": None})), OBSERVES, "fact a"),
        (
            observing(lambda seen: Observation(TYPE, EVIDENCE, {"a": f"{next(counter)}"})),
            OBSERVES,
            "otherwise",
        ),
        (
            observing(lambda seen: Observation(TYPE, EVIDENCE, {"a": f"{next(counter)}"})),
            "test_bytes_and_files_are_observed_alike",
            "",
        ),
        ({"close": closes_once}, "test_closing_twice_does_nothing", "AttributeError"),
        ({"__init__": opens_anything}, DAMAGED, "UnicodeDecodeError"),
        ({"members": lambda self: 1 / 0}, DAMAGED, "ZeroDivisionError"),
        ({"render": renders_badly}, DRAWS, "8x8 takes 192"),
        ({"render": mismeasures}, DRAWS, "without pixels the size is"),
        (drawing("page"), DRAWS, "render() gave"),
        (drawing(None), DRAWS, "rendered as None"),
        (drawing(picture(8, 8)), DRAWS, "64 pixels drawn, 1 allowed"),
        (inside(Member("/etc/passwd", None, b"")), MEMBERS, "absolute"),
        (inside(Member("../up", None, b"")), MEMBERS, "upwards"),
        (inside(Member("a\\b", None, b"")), MEMBERS, "backslash"),
        (inside(Member(" ", None, b"")), MEMBERS, "no name"),
        (inside(Member("a\0", None, b"")), MEMBERS, "x00"),
        (inside(Member("a" * 5000, None, b"")), MEMBERS, "5000 characters"),
        (inside(Member("a", None, b"x", "encrypted")), MEMBERS, "both"),
        (inside(Member("a", None, "x")), MEMBERS, "data is a str"),
        (inside(Member("other.txt", None, b"")), MEMBERS, "attached.txt"),
        ({"members": lambda self: (Member("a", None, b"") for _ in itertools.count())}, MEMBERS, "more than"),
        ({"documents": ()}, "test_it_has_a_sample_and_declares_its_types", "declare documents"),
        (
            {"documents": (DocumentSample(b"", "a/b"),)},
            "test_it_has_a_sample_and_declares_its_types",
            "a/b",
        ),
    ],
)
def test_a_bad_observer_is_refused(changes, rule, reason, refuted):
    refuted(observer_kit(**changes), rule, reason)


def test_sessions_that_share_state_are_refused(refuted):
    opened = []

    def begin(self, source):
        SheetSession.__init__(self, source)
        opened.append(self)

    def end(self):
        for session in opened:
            session.pages = []

    refuted(
        observer_kit(__init__=begin, close=end), "test_two_sessions_do_not_disturb_each_other", "a.sheets"
    )


class SheetReader:
    port_version = 1
    declaration = CapabilityDeclaration("sheets-reader", "native", (TYPE,), hostile=False)

    def availability(self):
        return None

    def read(self, session, pages, *, deadline):
        own = session if isinstance(session, SheetSession) else SheetSession(session.source)
        for page in pages:
            yield self.page(own.pages[page - 1], page)

    def page(self, text, page):
        return reading(text.replace("@", ""), page=page, metadata={"length": len(text)})


class SheetReaderKit(CapabilityKit):
    factory = staticmethod(SheetReader)
    importable_factory = nowhere
    observer = staticmethod(SheetObserver)
    module = "indx_core.ports"
    documents = (SAMPLE,)


class TestSheetReader(SheetReaderKit):
    pass


def reader_kit(*, base=SheetReaderKit, provider=SheetReader, attributes=(), **changes):
    reader = type("Reader", (provider,), changes)
    return type("Kit", (base,), {"factory": staticmethod(reader), **dict(attributes)})


def reads_all(self, session, pages, *, deadline):
    for page in range(1, 3):
        yield self.page(session.pages[page - 1], page)


def sorts(self, session, pages, *, deadline):
    return SheetReader.read(self, session, sorted(pages), deadline=deadline)


def remembers(self, session, pages, *, deadline):
    for before, one in enumerate(SheetReader.read(self, session, pages, deadline=deadline)):
        one.metadata = {"before": before}
        yield one


def only_own(self, session, pages, *, deadline):
    for page in pages:
        yield self.page(session.pages[page - 1], page)


def in_memory(self, session, pages, *, deadline):
    for one in SheetReader.read(self, session, pages, deadline=deadline):
        one.metadata = {"held": session.source.data is not None}
        yield one


def indexes(self, session, pages, *, deadline):
    own = session if isinstance(session, SheetSession) else SheetSession(session.source)
    for page in pages:
        yield self.page(own.pages[page - 1][:1] and own.pages[page - 1], (own.pages[1][:0] and 0) or page)


ORDER = "test_it_yields_a_reading_a_page_in_the_order_asked"
ALIKE = "test_it_reads_alike_each_time"


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        (
            {"declaration": CapabilityDeclaration("a", "magic", (TYPE,))},
            "test_its_kind_and_device_are_known",
            "magic",
        ),
        (
            {"declaration": CapabilityDeclaration("a", "ocr", (TYPE,), "moon")},
            "test_its_kind_and_device_are_known",
            "moon",
        ),
        ({"read": sorts}, ORDER, "[1, 2] for [2, 1]"),
        ({"read": reads_all}, ORDER, ""),
        (
            {"page": lambda self, text, page: PageReading(page, text)},
            "test_its_readings_hold_every_rule",
            "no line",
        ),
        (
            {"page": lambda self, text, page: reading("x", page=page)},
            "test_its_readings_hold_what_was_expected",
            "",
        ),
        (
            {"page": lambda self, text, page: reading(text, page=page, metadata={"n": next(counter)})},
            ALIKE,
            "read otherwise",
        ),
        ({"read": remembers}, ALIKE, "asked alone"),
        ({"read": in_memory}, ALIKE, "from a file"),
        ({"read": only_own}, "test_it_reads_by_the_session_of_another", "AttributeError"),
        ({"read": indexes}, DAMAGED, "IndexError"),
        ({"page": lambda self, text, page: PageReading(page, text)}, DAMAGED, "no line"),
    ],
)
def test_a_bad_capability_is_refused(changes, rule, reason, refuted):
    refuted(reader_kit(**changes), rule, reason)


def test_pages_that_must_stay_unread_are_checked(refuted, verdict):
    sample = DocumentSample(DATA, TYPE, pages=2, unread={2: "no_text_layer"})
    rule = "test_its_readings_hold_what_was_expected"
    refuted(reader_kit(attributes={"documents": (sample,)}), rule, "page 2: None")

    def page(self, text, page):
        return reading(page=page, reason="no_text_layer") if page == 2 else reading(text, page=page)

    assert verdict(reader_kit(attributes={"documents": (sample,)}, page=page), rule) is None


def test_a_capability_that_needs_rendering_leaves_pages_of_others_unread(refuted, verdict):
    rule = "test_it_reads_by_the_session_of_another"
    attributes = {"needs_rendering": True}
    refuted(reader_kit(attributes=attributes), rule, "though nothing was drawn")

    def read(self, session, pages, *, deadline):
        for page in pages:
            drawn = session.render(page, dpi=72, max_pixels=10_000)
            yield reading("seen", page=page) if drawn else reading(page=page, reason="not_rendered")

    assert verdict(reader_kit(attributes=attributes, read=read), rule) is None


class SheetParser(SheetReader):
    declaration = CapabilityDeclaration("sheets-parser", "parser", (TYPE,))

    def recognise(self, observation, session):
        if "first page" not in session.pages[0]:
            return []
        return [self.signature()]

    def signature(self):
        return Signature("sheets", "PAGE", [1], ["has a first page"], 1.0)


class SheetParserKit(ParserKit):
    factory = staticmethod(SheetParser)
    importable_factory = nowhere
    observer = staticmethod(SheetObserver)
    module = "indx_core.ports"
    documents = (SAMPLE,)
    others = (DocumentSample(b"SHEETS\nother", TYPE),)


class TestSheetParser(SheetParserKit):
    pass


def signing(*arguments):
    return {"signature": lambda self: Signature(*arguments)}


OWN = "test_it_recognises_its_own"


@pytest.mark.parametrize(
    ("changes", "rule", "reason"),
    [
        ({"declaration": SheetReader.declaration}, "test_its_kind_is_parser", "native"),
        ({"recognise": lambda self, observation, session: []}, OWN, "not recognised"),
        ({"recognise": lambda self, observation, session: ["a"]}, OWN, "Signature"),
        (signing("", "PAGE", [1], ["a"], 1.0), OWN, "no name"),
        (signing("a", "BOOK", [1], ["a"], 1.0), OWN, "scope"),
        (signing("a", "PAGE", [], ["a"], 1.0), OWN, "no page"),
        (signing("a", "PAGE", [2, 1], ["a"], 1.0), OWN, "pages [2, 1]"),
        (signing("a", "PAGE", [0], ["a"], 1.0), OWN, "pages [0]"),
        (signing("a", "PAGE", [3], ["a"], 1.0), OWN, "of 2"),
        (signing("a", "PAGE", [1], [], 1.0), OWN, "no evidence"),
        (signing("a", "PAGE", [1], [" "], 1.0), OWN, "empty line"),
        (signing("a", "PAGE", [1], ["a"], 2.0), OWN, "confidence"),
        (
            {"signature": lambda self: Signature("a", "PAGE", [1], [f"{next(counter)}"], 1.0)},
            OWN,
            "otherwise",
        ),
        (
            {"recognise": lambda self, observation, session: [self.signature()]},
            "test_it_recognises_no_others",
            "was taken for",
        ),
        (
            {"recognise": lambda self, observation, session: session.pages[1] and []},
            "test_it_recognises_damaged_documents_or_gives_typed_errors",
            "IndexError",
        ),
    ],
)
def test_a_bad_parser_is_refused(changes, rule, reason, refuted):
    refuted(reader_kit(base=SheetParserKit, provider=SheetParser, **changes), rule, reason)
