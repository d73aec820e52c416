r"""LaTeX: its source as text, with headings, code, formulas, comments, links, and `tabular` as tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from indx_core.ports import Span
from indx_reader_text._accents import SPELLED, as_letters
from indx_reader_text._marks import Marks
from indx_reader_text._scan import FoundLink, Scan, holds, one_line
from indx_reader_text._tables import FoundTable, Merged

__all__ = ["read_latex"]

_CODE: Final = (
    "verbatim", "verbatim*", "Verbatim", "Verbatim*", "BVerbatim", "LVerbatim", "semiverbatim", "lstlisting",
    "minted", "alltt", "filecontents", "filecontents*", "tcblisting", "Sinput", "Soutput",
)  # fmt: skip
_FORMULAS: Final = (
    "equation", "equation*", "align", "align*", "alignat", "alignat*", "gather", "gather*", "multline",
    "multline*", "eqnarray", "eqnarray*", "displaymath", "dmath", "math", "flalign", "flalign*",
    "IEEEeqnarray", "IEEEeqnarray*",
)  # fmt: skip
_TABLES: Final = (
    "tabular", "tabular*", "tabularx", "tabulary", "tabu", "longtable", "longtable*", "longtabu",
    "supertabular", "xltabular", "tblr", "longtblr", "NiceTabular",
)  # fmt: skip
_ENVIRONMENT: Final = re.compile(
    r"\\begin\{(" + "|".join(map(re.escape, (*_CODE, *_FORMULAS, *_TABLES, "comment"))) + r")\}"
)
_COMMENT: Final = re.compile(
    r"\\(?:url|href|nolinkurl|path)\s{0,9}\{[^{}\n]{0,2000}\}"
    r"|\\(?:verb|lstinline)\*?(?P<fence>[^\w\s*{\[])[^\n]{0,500}?(?P=fence)"
    r"|(?<!\\)(?:\\\\)*(?P<comment>%[^\n]*)"
)
"""A comment; addresses and code within a line are met first, for a percent sign begins none there."""
_DISPLAY: Final = re.compile(r"(?<!\\)(?:\\\[|\\\]|\$\$)")
_ARGUMENT: Final = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,300}\}){0,300}\}){0,600})\}"
_FRAME: Final = "begin{frame}"
_LEVELS: Final = {
    "title": 1, "part": 1, "addpart": 1, "chapter": 2, "addchap": 2, "section": 3, "addsec": 3,
    "subsection": 4, "subsubsection": 5, "paragraph": 6, "subparagraph": 7, "frametitle": 6,
    _FRAME: 6,
}  # fmt: skip
_HEADING: Final = re.compile(
    rf"\\({'|'.join(map(re.escape, _LEVELS))})(?:\*|<[^<>\n]{{0,50}}>)?\s{{0,9}}"
    r"(?:\[[^\]\n]{0,300}\]\s{0,9}){0,2}" + _ARGUMENT
)
_MARKS: Final = re.compile(
    r"(?:\s|%[^\n]*\n|\\(?:label|hypertarget|phantomsection|index)\b(?:\{[^{}\n]{0,300}\})?)*+"
)
_BEHIND: Final = re.compile(
    r"\s*(?:(?<!\\)%|(?:\\protect)?\\(?:label|footnote|footnotemark|thanks|index)(?![A-Za-z])|\\\\\s*\Z)"
)
_NOTES: Final = re.compile(
    r"(?:\s|%[^\n]*(?:\n|\Z)|\\\\|\\protect\b|\\(?:label|footnote|footnotemark|thanks|index)(?![A-Za-z])"
    r"\s{0,9}(?:\[[^\]\n]{0,100}\])?(?:" + _ARGUMENT + r")?)*+"
)
_DEFINES: Final = re.compile(r"(?<!\\)#\d|\\@[A-Za-z]|\\z@")
"""What stands in the place of a title where a command for headings is made."""
_HREF: Final = re.compile(r"\\href\s{0,9}\{([^{}\n]{1,2000})\}\s{0,9}" + _ARGUMENT)
_URL: Final = re.compile(r"\\(?:url|nolinkurl)\s{0,9}\{([^{}\n]{1,2000})\}")
_FILE: Final = re.compile(
    r"\\(input|include|subfile|includegraphics)\s{0,9}(?:\[[^\]]{0,500}\])?\{([^{}\n]{1,500})\}"
)
_RULE: Final = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|noalign\{\}|cline\{[^{}]*\}"
    r"|cmidrule(?:\([^()]*\))?\{[^{}]*\}|addlinespace(?:\[[^\[\]]*\])?|rowcolor(?:\[[^\[\]]*\])?\{[^{}]*\})"
)
_HEAD_ENDS: Final = re.compile(r"\\end(firsthead|head|foot|lastfoot)\b")
"""Where the rows end that a long table repeats at the head or the foot of its pages."""
_CAPTION: Final = re.compile(
    r"\s*\\caption\*?\s{0,9}(?:\[[^\]\n]{0,300}\])?"
    + _ARGUMENT
    + r"[^\n]*?(?:\\\\|\\tabularnewline)[ \t]*\n?"
)
_BOX: Final = re.compile(
    r"\\begin\{minipage\}(?:\[[^\]\n]{0,30}\]){0,3}\{[^{}\n]{0,100}\}(?:\s*\\(?:raggedright|raggedleft|centering)\b)?"
    r"|\\end\{minipage\}"
)
_ROW: Final = re.compile(r"(?<!\\)\\\\(?:\s*\[[^\]\n]{0,30}\])?\*?|\\tabularnewline\b")
_CELL: Final = re.compile(r"(?<!\\)&")
_BREAK_INSIDE: Final = re.compile(r"\{[^{}]*(?:\\\\|(?<!\\)&)")
_TOKENS: Final = {
    pattern: re.compile(rf"(?P<at>{pattern.pattern})|\\.|[{{}}]", re.DOTALL) for pattern in (_ROW, _CELL)
}
"""What a row or cell ends at, and what has to be known to tell that from the same inside braces."""
_STACK: Final = re.compile(
    r"\\(?:makecell|shortstack|thead)\*?\s{0,9}(?:\[[^\]\n]{0,30}\]\s{0,9})?" + _ARGUMENT
)
"""Lines one above the other in a cell."""
_SPAN: Final = re.compile(
    r"\\multi(?P<way>column|row)\s{0,9}(?:\[[^\]\n]{0,30}\]\s{0,9})?\{(?P<count>[^{}]{0,100})\}\s{0,9}"
    r"(?:\{(?:[^{}]|\{[^{}]{0,100}\}){0,300}\}|\*)\s{0,9}" + _ARGUMENT.replace("((?:", "(?P<text>(?:", 1)
)
_NESTED: Final = 3
"""How often a cell may be merged in one way inside another."""
_MOST_MERGED: Final = 200_000
"""Cells of a table with merged ones; one of more shows each in the column where it is written."""
_SETTINGS: Final = re.compile(
    r"\s*(?:(?:to|spread)[ \t]+[^{}\n]{1,60})?(?:\[[^\]\n]{0,100}\]\s*)?(?:"
    + _ARGUMENT.replace("((?:", "(?:(?:", 1)
    + r"\s*){1,2}"
)


_MOST_EMPTY: Final = 10_000
"""Columns that cells of the first table may cover beyond sixteen each; those after it share what they may."""


def read_latex(source: str) -> Marks:
    """Mark `source`; a `tabular` becomes a line a row with tabs between its cells."""
    scan, comments = _scanned(source)
    if SPELLED.search(source):
        parts, position = [], 0
        for start, end in [*scan.code, (len(source), len(source))]:
            parts += [as_letters(source[position:start]), source[start:end]]
            position = end
        source = "".join(parts)
        scan, comments = _scanned(source)
    opaque = sorted([*scan.code, *scan.hidden])
    scan.hidden = sorted([*scan.hidden, *(span for span in comments if not holds(opaque, span[0]))])
    scan.formulas = sorted([*scan.formulas, *_displayed(source, sorted([*scan.code, *scan.hidden]))])
    for found in _HEADING.finditer(source):
        start, end = found.span(2)
        written = found[2]
        if found[1] == _FRAME and "\n" in source[found.end(1) : start]:
            continue  # what stands in the slide
        begin, shown = _title(written)
        start += begin
        if shown and "\n\n" not in shown and not _DEFINES.search(shown):
            scan.headings.append((start, start + len(shown), _LEVELS[found[1]]))
    return scan.marks(_links)


def _title(written: str) -> tuple[int, str]:
    """Where a title begins, and it without marks for references before it and those and notes behind it."""
    begin = marks.end() if (marks := _MARKS.match(written)) else 0
    behind = _BEHIND.search(written, begin)
    end = behind.start() if behind and _NOTES.fullmatch(written, behind.start()) else len(written)
    return begin, written[begin:end].rstrip()


def _scanned(source: str) -> tuple[Scan, list[Span]]:
    """The environments of `source`, and where its comments stand."""
    scan = Scan(source)
    comments = [found.span("comment") for found in _COMMENT.finditer(source) if found["comment"]]
    _environments(scan, comments)
    return scan, comments


def _environments(scan: Scan, comments: Sequence[Span]) -> None:
    """The environments that hold code, formulas, comments or tables, one after the other."""
    source, position = scan.source, 0
    unclosed: set[str] = set()  # looked for to the end in vain
    while found := _ENVIRONMENT.search(source, position):
        name, position = found[1], found.end()
        if name in unclosed or holds(comments, found.start()):
            continue
        closing = source.find(f"\\end{{{name}}}", position)
        if closing < 0:
            unclosed.add(name)
            continue
        body = source[position:closing]
        position = closing + len(name) + len("\\end{}")
        span = (found.start(), position)
        if name in _CODE:
            scan.code.append(span)
        elif name == "comment":
            scan.hidden.append(span)
        elif name in _FORMULAS:
            scan.formulas.append(span)
        else:
            settings = _SETTINGS.match(body)
            begin = settings.end() if settings else 0
            if caption := _CAPTION.match(body, begin):
                begin = caption.end()
                span = (found.end() + begin, position)  # a caption is no row; it stands before the table
            if made := _rows(body[begin:]):
                rows, heads = made
                plain = [[text for text, _, _ in row] for row in rows]
                merged = _merged(rows, _MOST_EMPTY // (len(scan.tables) + 1))
                scan.tables.append(FoundTable(*span, plain, heads, merged))


def _displayed(source: str, opaque: Sequence[Span]) -> Iterator[Span]:
    r"""Formulas between `\[` and `\]` or between two `$$`, outside of what is shown as it is."""
    opened: re.Match[str] | None = None
    for found in _DISPLAY.finditer(source):
        if holds(opaque, found.start()):
            continue
        if found[0] == "\\[" or (found[0] == "$$" and opened is None):
            opened = found
        elif opened is not None and (found[0] == "$$") == (opened[0] == "$$"):
            yield opened.start(), found.end()
            opened = None


def _rows(body: str) -> tuple[list[list[Merged]], int] | None:
    """The cells of a table and how many rows head the others; None for what is too odd to take apart."""
    body = _once(_BOX.sub("", body))
    if "\\begin{" in body:
        return None
    body = _COMMENT.sub(lambda found: "\0" if found["comment"] else found[0], body)
    body = re.sub("\0\n?", "", body)
    rows: list[list[Merged]] = []
    heads = 0
    for written in _split(_ROW, body):
        bare = _RULE.sub("", written)
        if written != bare and len(rows) == 1:
            heads = 1
        if bare.strip():
            rows.append([_cell(cell) for cell in _split(_CELL, bare)])
    return (rows, heads) if any(text for row in rows for text, _, _ in row) else None


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    """`text` split where `pattern` matches outside of braces, or wherever it does where these do not pair."""
    if not _BREAK_INSIDE.search(text):
        return pattern.split(text)
    parts: list[str] = []
    depth = start = 0
    for found in _TOKENS[pattern].finditer(text):
        depth += (found[0] == "{") - (found[0] == "}")
        if depth < 0:
            break
        if found["at"] is not None and not depth:
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]] if not depth else pattern.split(text)


def _once(body: str) -> str:
    """The rows of a table, of those that it repeats on each page only the first head and the last foot."""
    *repeated, rows = _HEAD_ENDS.split(body)
    if not repeated:
        return body
    parts = dict(zip(repeated[1::2], repeated[::2], strict=True))
    head = parts.get("firsthead", parts.get("head", ""))
    return f"{head}\\midrule {rows}{parts.get('lastfoot', '')}"


def _cell(written: str) -> Merged:
    """A cell's text, and how many rows and columns it covers."""
    down = across = 1
    for _ in range(_NESTED):
        found = _SPAN.match(written := written.strip())
        if found is None:
            break
        count = found["count"].strip()
        if count.isdecimal() and len(count) < 4:
            across = max(across, int(count)) if found["way"] == "column" else across
            down = max(down, int(count)) if found["way"] == "row" else down
        written = found["text"] + written[found.end() :]
    written = _STACK.sub(lambda stack: _ROW.sub(" ", stack[1]), written)
    return one_line(_SPAN.sub(r"\g<text>", written)).replace("\\&", "&"), down, across


def _merged(rows: Sequence[Sequence[Merged]], spare: int) -> Sequence[Sequence[Merged]]:
    """The rows without the empty cells that others cover; none where no cell is merged, or two overlap."""
    count = sum(map(len, rows))
    if count > _MOST_MERGED or sum(across for row in rows for _, _, across in row) > 16 * count + spare:
        return ()
    found: list[list[Merged]] = []
    busy: dict[int, int] = {}  # of each column, down to which row a cell covers it
    some = False
    for number, row in enumerate(rows):
        kept: list[Merged] = []
        column = 0
        for text, down, across in row:
            covered = any(busy.get(place, -1) >= number for place in range(column, column + across))
            if covered and text:
                return ()
            if not covered:
                kept.append((text, down, across))
                busy.update(dict.fromkeys(range(column, column + across), number + down - 1))
            some = some or down > 1 or across > 1
            column += across
        found.append(kept)
    return found if some else ()


def _links(text: str) -> Iterator[FoundLink]:
    for found in _HREF.finditer(text):
        yield *found.span(2), found[1].replace("\\%", "%").replace("\\#", "#")
    for found in _URL.finditer(text):
        yield *found.span(1), found[1]
    for found in _FILE.finditer(text):
        name = found[2].strip()
        bare = found[1] != "includegraphics" and "." not in name.rpartition("/")[2]
        yield *found.span(2), f"{name}.tex" if bare else name
