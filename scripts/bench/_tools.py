"""The child of `reading`: one tool reads the files it is told to, a line of JSON for each.

It runs under the tool's own Python: `python _tools.py TOOL ANSWERS LIMIT`, the files as JSON on its input. A
file that takes longer than LIMIT seconds ends the process, and so may a crash; the parent goes on after it.
"""

from __future__ import annotations

import atexit
import faulthandler
import json
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Answer = tuple[str, "list[list[list[str]]]"]
"""What a tool says: the text, and its tables as rows of cells."""


def pdfium() -> Callable[[str], Answer]:
    """The text layer alone: the floor for everything that PDFium does the reading for."""
    import pypdfium2

    def read(path: str) -> Answer:
        document = pypdfium2.PdfDocument(path)
        texts = []
        for page in document:
            text = page.get_textpage()
            texts.append(text.get_text_range())
            text.close()
            page.close()
        document.close()
        return "\n".join(texts), []

    return read


def pymupdf() -> Callable[[str], Answer]:
    """Text of blocks in the order of the page."""
    import pymupdf as tool

    def read(path: str) -> Answer:
        with tool.open(path) as document:
            return "\n".join(page.get_text() for page in document), []

    return read


def pymupdf_tables() -> Callable[[str], Answer]:
    """Text with places, and tables."""
    import pymupdf as tool

    def read(path: str) -> Answer:
        texts, tables = [], []
        with tool.open(path) as document:
            for page in document:
                blocks = page.get_text("dict")["blocks"]
                lines = [line for block in blocks for line in block.get("lines", ())]
                texts += ["".join(span["text"] for span in line["spans"]) for line in lines]
                tables += [table.extract() for table in page.find_tables().tables]
        return "\n".join(texts), tables

    return read


def kreuzberg(form: str) -> Callable[[str], Answer]:
    """Extraction without recognition."""
    import kreuzberg as tool

    config = tool.ExtractionConfig(output_format=form, use_cache=False, disable_ocr=True)

    def read(path: str) -> Answer:
        found = tool.extract_file_sync(path, config=config)
        return found.content, [table.cells for table in found.tables] + piped(found.content)

    return read


def xberg(form: str) -> Callable[[str], Answer]:
    """Extraction without recognition."""
    import asyncio

    import xberg as tool

    config = tool.ExtractionConfig(output_format=form, use_cache=False, disable_ocr=True)

    async def one(path: str) -> Any:
        return await tool.extract(tool.ExtractInput(uri=path), config)

    def read(path: str) -> Answer:
        found = asyncio.run(one(path))
        if not found.results:
            raise RuntimeError(str(found.errors))
        document = found.results[0]
        return document.content, [table.cells for table in document.tables] + piped(document.content)

    return read


def markitdown() -> Callable[[str], Answer]:
    """Conversion to Markdown."""
    from markitdown import MarkItDown

    tool = MarkItDown(enable_plugins=False)

    def read(path: str) -> Answer:
        text = tool.convert(path).text_content
        return text, piped(text)

    return read


def docling_parse() -> Callable[[str], Answer]:
    """Lines of text with places."""
    from docling_core.types.doc.page import TextCellUnit
    from docling_parse.pdf_parser import DoclingPdfParser

    tool = DoclingPdfParser(loglevel="fatal")

    def read(path: str) -> Answer:
        document = tool.load(path)
        lines = [
            cell.text
            for _, page in document.iterate_pages()
            for cell in page.iterate_cells(TextCellUnit.LINE)
        ]
        document.unload()
        return "\n".join(lines), []

    return read


def indx(*, isolate: bool) -> Callable[[str], Answer]:
    """Planned and encoded with chunks and boxes; tables as the blocks have them."""
    from indx import Indx

    engine = Indx(isolate=isolate)
    atexit.register(engine.close)  # a worker's CPU counts once it has ended
    chunking = {"chunkers": [{"id": "pdf", "version": 2}]}

    def read(path: str) -> Answer:
        asked: dict[str, Any] = {"chunking": chunking} if path.endswith(".pdf") else {}
        blocks = engine.encode(path, granularities=["DOCUMENT", "PAGE", "CHUNK"], **asked).blocks
        chunks = [block for block in blocks if block.scope == "CHUNK"]
        text = "\n".join(chunk.text or "" for chunk in chunks)
        return text, [grid(chunk.layout) for chunk in chunks if chunk.layout and chunk.layout.cells]

    return read


def grid(layout: Any) -> list[list[str]]:
    """The cells of a block as rows; those of a split table keep the numbers of the whole."""
    rows: dict[int, list[str]] = {}
    for cell in layout.cells:
        if cell.row not in rows:
            rows[cell.row] = [""] * layout.columns
        rows[cell.row][cell.column - 1] = cell.text
    return [rows[number] for number in sorted(rows)]


def piped(text: str) -> list[list[list[str]]]:
    """The tables of a Markdown text."""
    rows = [
        [
            re.sub(r"<br ?/?>", "\n", cell).replace("\\|", "|").strip()
            for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])
        ]
        for line in text.splitlines()
        if line.strip().startswith("|") and line.strip().endswith("|")
    ]
    return [rows] if rows else []


TOOLS: dict[str, Callable[[], Callable[[str], Answer]]] = {
    "indx": lambda: indx(isolate=False),
    "indx, worker": lambda: indx(isolate=True),
    "pypdfium2": pdfium,
    "kreuzberg": lambda: kreuzberg("plain"),
    "kreuzberg Markdown": lambda: kreuzberg("markdown"),
    "xberg": lambda: xberg("plain"),
    "xberg Markdown": lambda: xberg("markdown"),
    "pymupdf": pymupdf,
    "pymupdf tables": pymupdf_tables,
    "markitdown": markitdown,
    "docling-parse": docling_parse,
}


def main(name: str, answers: str, limit: float) -> None:
    """Read what the input names."""
    read = TOOLS[name]()
    with Path(answers).open("a", encoding="utf-8") as out:
        for path in json.load(sys.stdin):
            faulthandler.dump_traceback_later(limit, exit=True)
            started = time.process_time()
            try:
                text, tables = read(path)
                found: dict[str, Any] = {"text": text.encode("utf-8", "replace").decode(), "tables": tables}
            except Exception as error:
                found = {"error": f"{type(error).__name__}: {error}"[:300]}
            found |= {"path": path, "cpu": time.process_time() - started}
            out.write(json.dumps(found) + "\n")
            out.flush()
            faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
