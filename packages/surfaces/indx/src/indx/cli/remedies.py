"""What helps, beside what a person is told: an account of a build has the reason in one word."""

from __future__ import annotations

import re
from typing import Final

from indx_core.discovery import State, default_registry

__all__ = ["with_remedy"]

_CODE: Final = re.compile(r" (?:not read|failed): ([a-z_]+)(?= \(|$)")
_PASSWORD: Final = re.compile("add its password there(?!, as)")
_COMMANDS: Final = (
    (re.compile("when a knowledge space is built of it(?!: indx)"), "indx ARCHIVE --out OUT"),
    (re.compile("ask mode 'lexical'(?! or|: indx)"), "indx query --mode lexical"),
    (re.compile("the capabilities of this installation list what it reads(?!: indx)"), "indx capabilities"),
)
"""What is said to callers of any kind, and the command by which a person does it."""

_WORDS: Final = {
    "page_unreadable": "the data of the page is damaged",
    "nothing_decoded": "nothing of the page could be decoded",
    "too_many_pixels": "drawn to be recognised, the page has more pixels than are allowed",
    "no_text_layer": "the page is a picture without text",
    "implausible_text": "what the file gives as the text of the page is no text",
}
_REMEDIES: Final = {
    "page_unreadable": "open the document and save it anew",
    "nothing_decoded": "open the document and save it anew",
    "too_many_pixels": "draw it smaller by INDX_OCR_DPI (INDX_VLM_DPI), or allow more by INDX_OCR_MAX_PIXELS "
    "(INDX_VLM_MAX_PIXELS)",
}


def with_remedy(message: str) -> str:
    """A message with plain words beside a reason that is a bare code, and with what to do."""
    message = _PASSWORD.sub(r"""\g<0>, as INDX_SOURCE_PASSWORDS='["secret"]'""", message)
    for said, command in _COMMANDS:
        message = said.sub(rf"\g<0>: {command}", message)
    found = _CODE.search(message)
    if found is None or found[1] not in _WORDS:
        return message
    told = f"{message[: found.end()]}, {_WORDS[found[1]]}{message[found.end() :]}"
    remedy = _REMEDIES.get(found[1]) if found.end() == len(message) else None
    if remedy is not None and found[1] == "nothing_decoded" and not _recognises():
        remedy += '; pages that are pictures are read with pip install "indx[ocr]"'
    return told if remedy is None else f"{told}; {remedy}"


def _recognises() -> bool:
    """Whether recognition is installed, and works."""
    provider = default_registry().find("indx.capabilities", "ocr")
    return provider is not None and provider.state is State.AVAILABLE
