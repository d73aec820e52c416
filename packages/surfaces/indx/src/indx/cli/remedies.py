"""What helps, beside what a person is told: an account of a build has the reason in one word."""

from __future__ import annotations

import re
from typing import Final

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
    "no_text_layer": "the page is a picture without text",
    "implausible_text": "what the file gives as the text of the page is no text",
}
_REMEDIES: Final = {
    "page_unreadable": "open the document and save it anew",
    "nothing_decoded": "open the document and save it anew; pages that are pictures are read with "
    'pip install "indx[ocr]"',
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
    return told if remedy is None else f"{told}; {remedy}"
